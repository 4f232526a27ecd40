//! The type-erased interface to a game's bots, for the worker and for tournaments.

use std::fmt;
use std::ops::RangeInclusive;

use heliopause_kernel::{Edition, Malformed, Seat};
use heliopause_proto::v1::{GameOrder, Lease, Message, SeatMessage, Vote, event};

use super::ballot;
use super::playable::Playable;
use crate::bot::{Level, Question, ReceivedMessage, Reply, Stop};
use crate::tournament::{self, Exploit, Plan, Report};

/// An answer to a leased decision, as messages of the contract.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    pub orders: Vec<GameOrder>,
    pub ready: bool,
    pub memo: Option<Vec<u8>>,
    pub messages: Vec<SeatMessage>,
}

/// The bots of a game, with the game's types erased. Validates leases, which are untrusted.
pub trait GameAdapter: fmt::Debug + Send + Sync {
    fn kind(&self) -> &'static str;

    fn profiles(&self) -> &'static [&'static str];

    fn players(&self) -> RangeInclusive<usize>;

    fn think(&self, lease: &Lease, level: Level, stop: &Stop) -> Result<Draft, Malformed>;

    fn vote(&self, lease: &Lease, vote: &Vote, level: Level) -> Result<bool, Malformed>;

    fn fallbacks(&self, lease: &Lease) -> Result<Vec<GameOrder>, Malformed>;

    fn tournament(&self, plan: &Plan) -> anyhow::Result<Report>;

    /// Returns whether an exploit can play the game.
    fn has(&self, exploit: Exploit) -> bool;
}

pub(super) struct TypedAdapter<G: Playable>(Edition<G::Options>);

impl<G: Playable> TypedAdapter<G> {
    pub(super) fn all() -> Vec<Box<dyn GameAdapter>> {
        let adapter =
            |edition: Edition<G::Options>| -> Box<dyn GameAdapter> { Box::new(Self(edition)) };
        G::editions().into_iter().map(adapter).collect()
    }
}

impl<G: Playable> GameAdapter for TypedAdapter<G> {
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
            let wrong = format!("this worker does not support the profile {:?}", lease.profile);
            Malformed::field("profile", wrong)
        })?;
        let view = view::<G>(lease)?;
        let (seed, memo, recent) = (&lease.seed, &lease.memo, recent::<G>(lease));
        let question = Question { view: &view, level, seed, memo, recent: &recent, stop };
        let incoming = lease.may_write.then(|| incoming(lease));
        let (answer, replies) = ballot::answer(bot, &question, incoming.as_deref());
        debug_assert!(
            answer.orders.iter().all(|order| G::read_order(&G::write_order(order)).is_ok()),
            "the orders of a bot can be read: {:?}",
            answer.orders
        );
        let orders =
            answer.orders.iter().map(|order| G::seal_order(G::write_order(order))).collect();
        let message = |reply: Reply| SeatMessage {
            to_seats: reply.to.into_iter().map(Seat::number).collect(),
            text: reply.text,
        };
        let messages = replies.into_iter().map(message).collect();
        Ok(Draft { orders, ready: answer.ready, memo: answer.memo, messages })
    }

    fn vote(&self, lease: &Lease, vote: &Vote, level: Level) -> Result<bool, Malformed> {
        let seat = Seat::numbered(lease.seat).ok_or_else(|| missing::<G>("seat"))?;
        let view = view::<G>(lease)?;
        ballot::decide_vote::<G>(&view, seat, &lease.memo, vote.subject(), level, &lease.seed)
    }

    fn fallbacks(&self, lease: &Lease) -> Result<Vec<GameOrder>, Malformed> {
        let orders = G::fallbacks(&view::<G>(lease)?);
        Ok(orders.iter().map(|order| G::seal_order(G::write_order(order))).collect())
    }

    fn tournament(&self, plan: &Plan) -> anyhow::Result<Report> {
        tournament::play::<G>(self.0.id, plan)
    }

    fn has(&self, exploit: Exploit) -> bool {
        match exploit {
            Exploit::Holder | Exploit::Drawer => true,
            Exploit::Betrayer => !G::PROPOSALS.is_empty(),
            Exploit::Rusher => G::rusher().is_some(),
        }
    }
}

impl<G: Playable> fmt::Debug for TypedAdapter<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KitOf").field(&self.0.id).finish()
    }
}

fn view<G: Playable>(lease: &Lease) -> Result<G::View, Malformed> {
    let view = lease.view.as_ref().and_then(G::own_view).ok_or_else(|| missing::<G>("view"))?;
    G::read_view(view)
}

fn recent<G: Playable>(lease: &Lease) -> Vec<G::Event> {
    let own = lease.recent.iter().filter_map(|event| match &event.body {
        Some(event::Body::Game(own)) => G::own_event(own),
        _ => None,
    });
    own.filter_map(|event| G::read_event(event).ok()).collect()
}

fn incoming(lease: &Lease) -> Vec<ReceivedMessage> {
    let messages = lease.recent.iter().filter_map(|event| match &event.body {
        Some(event::Body::Message(message)) => Some(message),
        _ => None,
    });
    let received = messages.filter(|message| message.from_seat != Some(lease.seat));
    let letter = |message: &Message| ReceivedMessage {
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
    Malformed::field(field, format!("is missing or belongs to a game other than {}", G::ID))
}
