//! Votes of automated seats, by the players' standings in states sampled from the seat's view.

use bytes::Buf as _;
use heliopause_kernel::{Malformed, Seat, SeatSet};
use heliopause_proto::v1::VoteSubject;

use super::playable::Playable;
use crate::bot::Level;
use crate::chance::Rng;

const SAMPLES: u32 = 8;
/// A seat is hopeless below this fraction of an equal share.
const HOPELESS: f64 = 1.0 / 16.0;
const LEAD: f64 = 1.1;

/// The last visible change of holdings, at the start of the seat's memo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LastChange {
    held: u64,
    since: u32,
}

impl LastChange {
    const BYTES: usize = 12;

    pub(super) fn read(mut memo: &[u8]) -> (Option<Self>, &[u8]) {
        if memo.len() < Self::BYTES {
            return (None, &[]);
        }
        (Some(Self { held: memo.get_u64_le(), since: memo.get_u32_le() }), memo)
    }

    pub(super) fn write(self, rest: &[u8]) -> Vec<u8> {
        [&self.held.to_le_bytes()[..], &self.since.to_le_bytes(), rest].concat()
    }

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

/// Decides a vote of an automated seat. A draw gives all players an equal share, so a seat agrees
/// to a draw in a stalemate unless it leads. A canceled game is worth nothing, so only a hopeless
/// seat agrees to cancel. At level `random` the vote is random.
pub(super) fn decide_vote<G: Playable>(
    view: &G::View,
    seat: Seat,
    memo: &[u8],
    subject: VoteSubject,
    level: Level,
    seed: &[u8],
) -> Result<bool, Malformed> {
    let mut chance = Rng::new(seed, "vote");
    let agrees = match (subject, level) {
        (VoteSubject::Draw | VoteSubject::Cancel, Level::Random) => chance.below(2) == 0,
        (VoteSubject::Draw, _) => {
            is_stalemate::<G>(view, LastChange::read(memo).0)
                && expected::<G, _>(view, &mut chance, |game| lead(game, seat)) <= LEAD
        }
        (VoteSubject::Cancel, _) => {
            expected::<G, _>(view, &mut chance, |game| share(game, seat)) <= HOPELESS
        }
        (other, _) => {
            let wrong = format!("automation cannot vote on {}", other.as_str_name());
            return Err(Malformed::field("vote.subject", wrong));
        }
    };
    Ok(agrees)
}

fn is_stalemate<G: Playable>(view: &G::View, before: Option<LastChange>) -> bool {
    let (round, _) = G::holdings(view);
    let quiet =
        before.map_or(0, |_| round.saturating_sub(LastChange::updated::<G>(before, view).since));
    quiet >= G::PATIENCE && round >= 2 * G::PATIENCE
}

fn expected<G: Playable, F: Fn(&G) -> f64>(view: &G::View, chance: &mut Rng, figure: F) -> f64 {
    let figures = (0..SAMPLES).map(|_| figure(&G::sample(view, &mut || chance.number())));
    figures.sum::<f64>() / f64::from(SAMPLES)
}

fn lead<G: Playable>(game: &G, seat: Seat) -> f64 {
    let others = living(game).without(seat);
    let best = others.iter().map(|seat| game.standing(seat)).fold(0.0, f64::max);
    let own = game.standing(seat);
    if own <= 0.0 { 0.0 } else { own / best.max(f64::MIN_POSITIVE) }
}

/// Returns the seat's share of the game, relative to an equal share. Squares standings, because a
/// lead is worth more than proportionally.
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
