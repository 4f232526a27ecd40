//! What the rest of the program sees of a game: leases in, orders out, and tournaments.

use std::fmt;
use std::ops::RangeInclusive;

use heliopause_kernel::{Edition, Malformed, Seat};
use heliopause_proto::v1::{GameOrder, Lease, Message, SeatMessage, Vote, event};

use super::ballot::{self, Quiet};
use super::playable::Playable;
use crate::bot::{Letter, Level, Question, Reply, Stop};
use crate::tournament::{self, Plan, Report};

/// An answer to a lease, ready for the wire.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The orders. Those that are resolved at once are taken one by one, as far as the decision
    /// stays open.
    pub orders: Vec<GameOrder>,
    /// Whether the seat is ready.
    pub ready: bool,
    /// What the next lease shall bring back.
    pub memo: Option<Vec<u8>>,
    /// What the seat writes to others.
    pub messages: Vec<SeatMessage>,
}

/// A game behind the registry, its types erased.
pub trait Kit: fmt::Debug + Send + Sync {
    /// The game's id.
    fn kind(&self) -> &'static str;

    /// The profiles that can be played.
    fn profiles(&self) -> &'static [&'static str];

    /// How many players a game takes.
    fn players(&self) -> RangeInclusive<usize>;

    /// Decides a leased decision. Everything in the lease may be malformed.
    fn think(&self, lease: &Lease, level: Level, stop: &Stop) -> Result<Draft, Malformed>;

    /// What the leased seat says in a vote: yes or no. Everything in the lease may be malformed.
    fn vote(&self, lease: &Lease, vote: &Vote, level: Level) -> Result<bool, Malformed>;

    /// Orders to fall back on, the most harmless first. Everything in the lease may be malformed.
    fn fallbacks(&self, lease: &Lease) -> Result<Vec<GameOrder>, Malformed>;

    /// Plays a tournament.
    fn tournament(&self, plan: &Plan) -> anyhow::Result<Report>;
}

/// The [`Kit`] of a [`Playable`] game, as one of its editions.
pub(super) struct KitOf<G: Playable>(Edition<G::Options>);

impl<G: Playable> KitOf<G> {
    /// The game as each of its editions.
    pub(super) fn all() -> Vec<Box<dyn Kit>> {
        let kit = |edition: Edition<G::Options>| -> Box<dyn Kit> { Box::new(Self(edition)) };
        G::editions().into_iter().map(kit).collect()
    }
}

impl<G: Playable> Kit for KitOf<G> {
    fn kind(&self) -> &'static str {
        self.0.id
    }

    fn profiles(&self) -> &'static [&'static str] {
        G::profiles(&self.0)
    }

    fn players(&self) -> RangeInclusive<usize> {
        G::players(&self.0.options)
    }

    fn think(&self, lease: &Lease, level: Level, stop: &Stop) -> Result<Draft, Malformed> {
        let bot = G::bot(&lease.profile).ok_or_else(|| {
            Malformed::field("profile", format!("{:?} is not played here", lease.profile))
        })?;
        let view = view::<G>(lease)?;
        let (before, memo) = Quiet::read(&lease.memo);
        let recent = recent::<G>(lease);
        let question =
            Question { view: &view, level, seed: &lease.seed, memo, recent: &recent, stop };
        let (answer, replies) = if lease.may_write {
            bot.correspond(&question, &letters(lease))
        } else {
            (bot.decide(&question), Vec::new())
        };
        debug_assert!(
            answer.orders.iter().all(|order| G::read_order(&G::write_order(order)).is_ok()),
            "a bot orders what can be read: {:?}",
            answer.orders
        );
        let orders =
            answer.orders.iter().map(|order| G::seal_order(G::write_order(order))).collect();
        let message = |reply: Reply| SeatMessage {
            to_seats: reply.to.into_iter().map(Seat::number).collect(),
            text: reply.text,
        };
        let messages = replies.into_iter().map(message).collect();
        let quiet = Quiet::updated::<G>(before, &view);
        let memo = Some(quiet.write(answer.memo.as_deref().unwrap_or(memo)));
        let memo = memo.filter(|memo| *memo != lease.memo[..]);
        Ok(Draft { orders, ready: answer.ready, memo, messages })
    }

    fn vote(&self, lease: &Lease, vote: &Vote, level: Level) -> Result<bool, Malformed> {
        let seat = Seat::numbered(lease.seat).ok_or_else(|| missing::<G>("seat"))?;
        let view = view::<G>(lease)?;
        ballot::voice::<G>(&view, seat, &lease.memo, vote.subject(), level, &lease.seed)
    }

    fn fallbacks(&self, lease: &Lease) -> Result<Vec<GameOrder>, Malformed> {
        let orders = G::fallbacks(&view::<G>(lease)?);
        Ok(orders.iter().map(|order| G::seal_order(G::write_order(order))).collect())
    }

    fn tournament(&self, plan: &Plan) -> anyhow::Result<Report> {
        tournament::play::<G>(self.0.id, plan)
    }
}

impl<G: Playable> fmt::Debug for KitOf<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KitOf").field(&self.0.id).finish()
    }
}

/// What the leased seat may know.
fn view<G: Playable>(lease: &Lease) -> Result<G::View, Malformed> {
    let view = lease.view.as_ref().and_then(G::own_view).ok_or_else(|| missing::<G>("view"))?;
    G::read_view(view)
}

/// The game's events that the leased seat received lately, oldest first. One that cannot be read is
/// left out.
fn recent<G: Playable>(lease: &Lease) -> Vec<G::Event> {
    let own = lease.recent.iter().filter_map(|event| match &event.body {
        Some(event::Body::Game(own)) => G::own_event(own),
        _ => None,
    });
    own.filter_map(|event| G::read_event(event).ok()).collect()
}

/// What others wrote to the leased seat lately, first written first.
fn letters(lease: &Lease) -> Vec<Letter> {
    let messages = lease.recent.iter().filter_map(|event| match &event.body {
        Some(event::Body::Message(message)) => Some(message),
        _ => None,
    });
    let received = messages.filter(|message| message.from_seat != Some(lease.seat));
    let letter = |message: &Message| Letter {
        number: message.number,
        from: message
            .from_seat
            .and_then(Seat::numbered)
            .filter(|_| !message.from_game_master && !message.anonymous),
        text: message.text.clone(),
    };
    received.map(letter).collect()
}

fn missing<G: Playable>(field: &'static str) -> Malformed {
    Malformed::field(field, format!("is absent or not of {}", G::ID))
}
