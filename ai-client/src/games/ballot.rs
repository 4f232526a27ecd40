//! How seats vote: the same for all games, by how their players stand.
//!
//! A seat expects of the game what its standing squared is among the squares of all who are left:
//! being ahead pays more than in proportion. What it does not know it guesses as for its
//! look-ahead, by states made of its view alone.

use heliopause_kernel::{Malformed, Seat, SeatSet};
use heliopause_proto::v1::VoteSubject;

use super::playable::Playable;
use crate::bot::Level;
use crate::chance::Chance;

/// How many states that a seat thinks possible it looks at.
const SAMPLES: u32 = 8;
/// A seat is without hope that expects less than this part of an equal share.
const HOPELESS: f64 = 1.0 / 16.0;

/// What a seat says in a vote: yes or no.
///
/// A draw is an equal share for all: whoever leads expects more, and says no. A cancelled game is
/// worth nothing to anybody: only who is without hope gives it up. `random` tosses a coin.
pub(super) fn voice<G: Playable>(
    view: &G::View,
    seat: Seat,
    subject: VoteSubject,
    level: Level,
    seed: &[u8],
) -> Result<bool, Malformed> {
    let mut chance = Chance::new(seed, "vote");
    let enough = match subject {
        VoteSubject::Draw => 1.0,
        VoteSubject::Cancel => HOPELESS,
        VoteSubject::Pause
        | VoteSubject::Resume
        | VoteSubject::Extend
        | VoteSubject::Replace
        | VoteSubject::Unspecified => {
            return Err(Malformed::field(
                "vote.subject",
                "is not for automation to vote about".to_owned(),
            ));
        }
    };
    match level {
        Level::Random => Ok(chance.below(2) == 0),
        Level::Standard | Level::Strong => Ok(expected::<G>(view, seat, &mut chance) <= enough),
    }
}

/// What a seat expects of the game, as a multiple of an equal share of it.
fn expected<G: Playable>(view: &G::View, seat: Seat, chance: &mut Chance) -> f64 {
    let shares = (0..SAMPLES).map(|_| share(&G::sample(view, &mut || chance.number()), seat));
    shares.sum::<f64>() / f64::from(SAMPLES)
}

/// The same if the game stood so. Where nobody has anything all expect the same.
fn share<G: Playable>(game: &G, seat: Seat) -> f64 {
    let living = SeatSet::first(game.setup().players).intersection(game.alive());
    let square = |seat| game.standing(seat).powi(2);
    let all: f64 = living.iter().map(square).sum();
    let players = living.iter().map(|_| 1.0).sum::<f64>();
    if all > 0.0 { square(seat) * players / all } else { 1.0 }
}
