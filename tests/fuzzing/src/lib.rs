//! Fuzzing targets. Each target is a function of bytes that panics if the product is wrong.
//! `tests/fuzz` runs them with libFuzzer, and `tests/replay.rs` replays the corpora without it.
//!
//! | target | input | property |
//! | --- | --- | --- |
//! | `requests` | a request of any call | a request that passes the gate is valid everywhere |
//! | `wire` | a message of a game | a valid message round-trips |
//! | `positions` | a position of a game | a valid position can be viewed, checked and continued |
//! | `drawing` | a position of a game | a valid position is drawn, as text and as well-formed SVG |
//! | `notation` | lines of orders | a valid line round-trips |
//! | `scenarios` | a scenario file | it can be read, or its errors have positions |
//! | `journal` | entries and snapshots | damage is detected; a valid snapshot round-trips |
//! | `cursors` | page tokens, cursors, secrets | only tokens issued by the engine are accepted |
//! | `play` | play of a game | a property of the contract of games |
//! | `steps` | steps of a game | a rejected step changes nothing; the journal verifies the state |
//! | `diplomacy` | orders in a corner of the map | the adjudicator agrees with a slow reference |
//! | `star_empires` | fleets and orders | the update agrees with a slow second implementation |

/// Evaluates an expression with the rules of the game that a byte selects.
macro_rules! with_game {
    ($byte:expr, $own:ident => $do:expr) => {
        with_game!(@ ($) $byte, $own => $do)
    };
    // The list of games calls the macro `each`, whose definition needs a `$` token.
    (@ ($sign:tt) $byte:expr, $own:ident => $do:expr) => {{
        let byte = usize::from($byte);
        macro_rules! each {
            ($sign($sign arm:ident: $sign game:ty;)+) => {{
                let count = [$sign(stringify!($sign arm)),+].len();
                let mut number = 0;
                $sign(
                    if byte % count == number {
                        type $own = $sign game;
                        $do
                    }
                    number += 1;
                )+
                let _ = number;
            }};
        }
        heliopause_games::games!(each);
    }};
}

pub mod cursors;
pub mod diplomacy;
pub mod drawing;
pub mod journal;
pub mod messages;
pub mod notation;
pub mod play;
pub mod requests;
pub mod scenarios;
pub mod source;
pub mod star_empires;
pub mod steps;
pub mod wire;

/// A fuzzing target.
pub type Target = fn(&[u8]);

/// All targets, by name.
pub const TARGETS: [(&str, Target); 12] = [
    ("requests", requests::requests),
    ("wire", wire::wire),
    ("positions", wire::positions),
    ("drawing", drawing::drawing),
    ("notation", notation::notation),
    ("scenarios", scenarios::scenarios),
    ("journal", journal::journal),
    ("cursors", cursors::cursors),
    ("play", play::play),
    ("steps", steps::steps),
    ("diplomacy", diplomacy::diplomacy),
    ("star_empires", star_empires::star_empires),
];

/// Returns the target with this name, if there is one.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.iter().find(|(known, _)| *known == name).map(|(_, target)| *target)
}
