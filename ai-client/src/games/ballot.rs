//! How seats vote: the same for all games, by how their players stand and by how long nothing has
//! changed hands.
//!
//! What a seat does not see it guesses as for its look-ahead, by states made of its view alone.

use heliopause_kernel::{Malformed, Seat, SeatSet};
use heliopause_proto::v1::VoteSubject;

use super::playable::Playable;
use crate::bot::Level;
use crate::chance::Chance;

/// How many states that a seat thinks possible it looks at.
const SAMPLES: u32 = 8;
/// A seat is without hope that expects less than this part of an equal share.
const HOPELESS: f64 = 1.0 / 16.0;
/// A seat leads that stands so many times as well as the best of the others.
const LEAD: f64 = 1.1;

/// Since when nothing has changed hands, as far as a seat sees: the beginning of its memo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quiet {
    /// A digest of what is held.
    held: u64,
    /// The round in which it was first seen so.
    since: u32,
}

impl Quiet {
    const BYTES: usize = 12;

    /// Reads the beginning of a memo, and returns the bot's own part of it.
    pub(super) fn read(memo: &[u8]) -> (Option<Self>, &[u8]) {
        let Some((own, rest)) = memo.split_at_checked(Self::BYTES) else {
            return (None, &[]);
        };
        let (held, since) = own.split_at(8);
        let held = u64::from_le_bytes(held.try_into().unwrap_or_default());
        let since = u32::from_le_bytes(since.try_into().unwrap_or_default());
        (Some(Self { held, since }), rest)
    }

    /// Puts it before the bot's own part of a memo.
    pub(super) fn write(self, rest: &[u8]) -> Vec<u8> {
        [&self.held.to_le_bytes()[..], &self.since.to_le_bytes(), rest].concat()
    }

    /// Compares what a view shows with what was seen before.
    pub(super) fn updated<G: Playable>(before: Option<Self>, view: &G::View) -> Self {
        let (round, holdings) = G::holdings(view);
        let mut digest = blake3::Hasher::new();
        for (what, who) in holdings {
            digest.update(&(what as u64).to_le_bytes());
            digest.update(&who.map_or(0, Seat::number).to_le_bytes());
        }
        let digest = *digest.finalize().as_bytes();
        let held = digest.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        before.filter(|before| before.held == held).unwrap_or(Self { held, since: round })
    }
}

/// What a seat says in a vote: yes or no.
///
/// A draw is an equal share for all. A seat agrees once the game has been fought out: nothing has
/// changed hands for long, and the seat does not lead. A cancelled game is worth nothing to all:
/// only a seat without hope gives it up. `random` tosses a coin.
pub(super) fn voice<G: Playable>(
    view: &G::View,
    seat: Seat,
    memo: &[u8],
    subject: VoteSubject,
    level: Level,
    seed: &[u8],
) -> Result<bool, Malformed> {
    let mut chance = Chance::new(seed, "vote");
    let agrees = match (subject, level) {
        (VoteSubject::Draw | VoteSubject::Cancel, Level::Random) => chance.below(2) == 0,
        (VoteSubject::Draw, _) => {
            is_stalemate::<G>(view, Quiet::read(memo).0)
                && expected::<G, _>(view, &mut chance, |game| lead(game, seat)) <= LEAD
        }
        (VoteSubject::Cancel, _) => {
            expected::<G, _>(view, &mut chance, |game| share(game, seat)) <= HOPELESS
        }
        (
            VoteSubject::Pause
            | VoteSubject::Resume
            | VoteSubject::Extend
            | VoteSubject::Replace
            | VoteSubject::Unspecified,
            _,
        ) => {
            return Err(Malformed::field(
                "vote.subject",
                "is not for automation to vote about".to_owned(),
            ));
        }
    };
    Ok(agrees)
}

/// Whether the game has gone on for some time and nothing has changed hands for long. A seat that
/// has no memo has seen nothing of it.
fn is_stalemate<G: Playable>(view: &G::View, before: Option<Quiet>) -> bool {
    let (round, _) = G::holdings(view);
    let quiet = before.map_or(0, |_| round.saturating_sub(Quiet::updated::<G>(before, view).since));
    quiet >= G::PATIENCE && round >= 2 * G::PATIENCE
}

/// The mean of a figure over states that the seat thinks possible.
fn expected<G: Playable, F: Fn(&G) -> f64>(view: &G::View, chance: &mut Chance, figure: F) -> f64 {
    let figures = (0..SAMPLES).map(|_| figure(&G::sample(view, &mut || chance.number())));
    figures.sum::<f64>() / f64::from(SAMPLES)
}

/// How many times as well a seat stands as the best of the others that are left.
fn lead<G: Playable>(game: &G, seat: Seat) -> f64 {
    let others = living(game).without(seat);
    let best = others.iter().map(|seat| game.standing(seat)).fold(0.0, f64::max);
    let own = game.standing(seat);
    if own <= 0.0 { 0.0 } else { own / best.max(f64::MIN_POSITIVE) }
}

/// What a seat expects of the game, as a multiple of an equal share of it: the square of its
/// standing among the squares of all, for being ahead pays more than in proportion. Where no seat has
/// anything all expect the same.
fn share<G: Playable>(game: &G, seat: Seat) -> f64 {
    let living = living(game);
    let square = |seat| game.standing(seat).powi(2);
    let all: f64 = living.iter().map(square).sum();
    let players = living.iter().map(|_| 1.0).sum::<f64>();
    if all > 0.0 { square(seat) * players / all } else { 1.0 }
}

fn living<G: Playable>(game: &G) -> SeatSet {
    SeatSet::first(game.setup().players).intersection(game.alive())
}
