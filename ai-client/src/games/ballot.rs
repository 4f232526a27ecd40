//! Votes of automated seats, by the players' standings in states sampled from the seat's view.

use bytes::Buf as _;
use heliopause_kernel::{Malformed, Seat, SeatSet};
use heliopause_proto::v1::VoteSubject;

use super::playable::Playable;
use crate::bot::{Answer, Bot, Level, Question, ReceivedMessage, Reply};
use crate::chance::Rng;

const SAMPLES: u32 = 8;
/// A seat is hopeless below this fraction of an equal share.
const HOPELESS: f64 = 1.0 / 16.0;
const LEAD: f64 = 1.1;

/// The last visible change of holdings, at the start of the seat's memo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LastChange {
    held: u64,
    since: u32,
    /// Whether holdings have changed since the start of the game.
    ever: bool,
}

impl LastChange {
    const BYTES: usize = 13;

    fn read(mut memo: &[u8]) -> (Option<Self>, &[u8]) {
        if memo.len() < Self::BYTES {
            return (None, &[]);
        }
        let (held, since, ever) = (memo.get_u64_le(), memo.get_u32_le(), memo.get_u8() > 0);
        (Some(Self { held, since, ever }), memo)
    }

    fn write(self, rest: &[u8]) -> Vec<u8> {
        let ever = [u8::from(self.ever)];
        [&self.held.to_le_bytes()[..], &self.since.to_le_bytes(), &ever, rest].concat()
    }

    fn updated<G: Playable>(before: Option<Self>, view: &G::View) -> Self {
        let (round, holdings) = G::holdings(view);
        let mut digest = blake3::Hasher::new();
        for (what, who) in holdings {
            digest.update(&(what as u64).to_le_bytes());
            digest.update(&who.map_or(0, Seat::number).to_le_bytes());
        }
        let digest = *digest.finalize().as_bytes();
        let held = digest.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let same = before.filter(|before| before.held == held);
        // A seat that joins later has not seen the start. Then there were changes before.
        same.unwrap_or(Self { held, since: round, ever: before.is_some() || round > 1 })
    }

    fn is_stalemate<G: Playable>(self, view: &G::View) -> bool {
        let (round, _) = G::holdings(view);
        round.saturating_sub(self.since) >= G::PATIENCE && round >= 2 * G::PATIENCE
    }
}

/// Lets a bot answer a question, and messages if there are any to answer. Keeps the last change in
/// front of the bot's memo.
pub(crate) fn answer<G: Playable>(
    bot: &dyn Bot<G>,
    question: &Question<'_, G>,
    incoming: Option<&[ReceivedMessage]>,
) -> (Answer<G>, Vec<Reply>) {
    let (before, memo) = LastChange::read(question.memo);
    let asked = Question { memo, ..*question };
    let (answer, replies) = match incoming {
        Some(incoming) => bot.correspond(&asked, incoming),
        None => (bot.decide(&asked), Vec::new()),
    };
    let quiet = LastChange::updated::<G>(before, question.view);
    let memo = quiet.write(answer.memo.as_deref().unwrap_or(memo));
    let memo = Some(memo).filter(|memo| memo[..] != *question.memo);
    (Answer { memo, ..answer }, replies)
}

/// Decides a vote of an automated seat. A draw gives all players an equal share, so a seat agrees
/// to a draw in a stalemate unless it leads. A hopeless seat agrees to any draw, and as the only one
/// to cancel, because a canceled game is worth nothing. No seat agrees to a draw before holdings
/// have changed. At level `random` the vote is random.
pub(crate) fn decide_vote<G: Playable>(
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
            let now = LastChange::read(memo).0;
            let now = now.map(|before| LastChange::updated::<G>(Some(before), view));
            now.is_some_and(|now| now.ever)
                && (is_hopeless::<G>(view, seat, &mut chance)
                    || now.is_some_and(|now| now.is_stalemate::<G>(view))
                        && expected::<G, _>(view, &mut chance, |game| lead(game, seat)) <= LEAD)
        }
        (VoteSubject::Cancel, _) => is_hopeless::<G>(view, seat, &mut chance),
        (other, _) => {
            let wrong = format!("automation cannot vote on {}", other.as_str_name());
            return Err(Malformed::field("vote.subject", wrong));
        }
    };
    Ok(agrees)
}

fn is_hopeless<G: Playable>(view: &G::View, seat: Seat, chance: &mut Rng) -> bool {
    expected::<G, _>(view, chance, |game| share(game, seat)) <= HOPELESS
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
