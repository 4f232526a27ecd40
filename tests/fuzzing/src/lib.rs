//! What fuzzers try. Each target is a function of bytes that panics where the product is wrong;
//! `tests/fuzz` hands them to libFuzzer, and `tests/replay.rs` replays the corpora without it.
//!
//! | target | bytes become | must hold |
//! | --- | --- | --- |
//! | `requests` | a request of any call | the gate judges it, and what passes can be decoded, written as JSON and read by its game |
//! | `wire` | a message of a game | what reads is written and read back the same |
//! | `positions` | a position of a game | what reads can be looked at, judged and played on |
//! | `drawing` | a position of a game | what reads is drawn, as text and as well-formed SVG |
//! | `notation` | lines of orders | what reads is written and read back the same |
//! | `scenarios` | a scenario file | it is read, or its flaws have places |
//! | `journal` | entries and snapshots | damage is found; what loads is kept the same |
//! | `cursors` | page tokens, cursors, secrets | what is not this list's is refused; own tokens go on |
//! | `play` | orders in a game | invariants, views by events, secrets, replays |
//! | `steps` | steps at a table | a refused step changes nothing; the journal proves the table |
//! | `diplomacy` | orders around a corner | the adjudicator agrees with the slow reference, and with itself under other names |
//! | `star_empires` | fleets and orders | the update agrees with a slow second writing |

/// Does something with the rules of the game that a byte names.
macro_rules! with_game {
    ($byte:expr, $own:ident => $do:expr) => {
        with_game!(@ ($) $byte, $own => $do)
    };
    // The list of all games calls a macro; that one needs a sign of its own.
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

/// A target: a function of bytes that panics where the product is wrong.
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

/// The target with this name.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.iter().find(|(known, _)| *known == name).map(|(_, target)| *target)
}
