//! Random play.

use heliopause_kernel::{
    Actor, CloseCause, Edition, Emitted, Game, Seat, SeatChange, Setup, Viewer, Wire,
};
use prost::Message;

use crate::{Rng, Watched, damage};

/// A message that can be compared and created.
pub trait Known: Message + Default + Clone + PartialEq + std::fmt::Debug {}
impl<M: Message + Default + Clone + PartialEq + std::fmt::Debug> Known for M {}

/// A game whose states, options and messages can be compared.
pub trait Tested:
    Game<Options: PartialEq>
    + Wire<
        OptionsMessage: Known,
        OrderMessage: Known,
        EventMessage: Known,
        ViewMessage: Known,
        PositionMessage: Known,
    > + PartialEq
{
}
impl<G> Tested for G where
    G: Game<Options: PartialEq>
        + Wire<
            OptionsMessage: Known,
            OrderMessage: Known,
            EventMessage: Known,
            ViewMessage: Known,
            PositionMessage: Known,
        > + PartialEq
{
}

/// Random play of a game, by default with the game's editions and offers.
pub trait Player {
    type Game: Tested;

    /// Number of games per property in `./test --all`.
    const CASES: u32;
    const STEPS: usize;
    const ORDERS: usize = 6;
    /// Whether every game ends if its decisions are repeatedly closed.
    const ENDS: bool = true;

    fn setup(chance: &mut Rng) -> Setup<OptionsOf<Self>> {
        let Edition { options, .. } = chance.pick(&Self::Game::editions());
        let options = Self::Game::unattended(options);
        let range = Self::Game::players(&options);
        let players = (range.start() + chance.below(4)).min(*range.end());
        Setup { options, players }
    }

    fn begin(chance: &mut Rng) -> Watched<Self::Game> {
        let setup = Self::setup(chance);
        Watched::new(&setup, chance.number())
    }

    fn order(watched: &Watched<Self::Game>, seat: Seat, chance: &mut Rng) -> Option<OrderOf<Self>> {
        offered::<Self>(watched, seat, chance)
    }

    fn master_order(_watched: &Watched<Self::Game>, _chance: &mut Rng) -> Option<OrderOf<Self>> {
        None
    }

    /// Returns the lines that offers must produce for a legal order. Empty if no offer covers the
    /// order.
    fn lines(_game: &Self::Game, _seat: Seat, order: &OrderOf<Self>) -> Vec<String> {
        vec![Self::Game::notate(order)]
    }
}

/// The options of a player's game.
pub type OptionsOf<P> = <<P as Player>::Game as Game>::Options;
/// An order of a player's game.
pub type OrderOf<P> = <<P as Player>::Game as Game>::Order;
/// An event of a player's game.
pub type EventOf<P> = <<P as Player>::Game as Game>::Event;

/// Returns the order of a random filling of one of the seat's offers, if it has any.
pub fn offered<P: Player + ?Sized>(
    watched: &Watched<P::Game>,
    seat: Seat,
    chance: &mut Rng,
) -> Option<OrderOf<P>> {
    let offers = watched.game.offers(seat);
    if offers.list.is_empty() {
        return None;
    }
    let offer = &offers.list[chance.below(offers.list.len())];
    let chosen = offers.at_random(offer, &mut || chance.number());
    let line = offers.fill(offer, &chosen).expect("a filling at random fits");
    let orders = P::Game::parse(watched.own(seat), &line).expect("a filled offer is an order");
    orders.into_iter().next()
}

/// Returns a possibly illegal order: the order of any seat or the game master, often damaged.
pub fn wild<P: Player>(watched: &Watched<P::Game>, chance: &mut Rng) -> Option<OrderOf<P>> {
    let seat = Seat::at(chance.below(watched.seats()));
    let order = if chance.one_in(8) { P::master_order(watched, chance) } else { None };
    let order = order.or_else(|| P::order(watched, seat, chance));
    let order = order.or_else(|| P::order(watched, chance.any(&watched.asked())?, chance))?;
    if chance.one_in(3) {
        return Some(order);
    }
    P::Game::read_order(&damage::message(&P::Game::write_order(&order), chance)).ok()
}

/// Returns a random seat, usually one with an open decision.
pub fn anyone<G: Tested>(watched: &Watched<G>, chance: &mut Rng) -> Seat {
    let asked = watched.asked();
    if asked.is_empty() || chance.one_in(4) {
        return Seat::at(chance.below(watched.seats()));
    }
    chance.pick(&asked)
}

/// Plays a random step: the orders of a phase and its close, or one order of a seat.
pub fn step<P: Player>(watched: &mut Watched<P::Game>, chance: &mut Rng) -> Emitted<EventOf<P>> {
    let mut emitted = Emitted::new();
    for _ in 0..chance.below(4) {
        let Some(order) = P::master_order(watched, chance) else { break };
        emitted.extend(watched.submit(Actor::GameMaster, &order).unwrap_or_default());
    }
    if chance.one_in(30) {
        let change = chance.pick(&[SeatChange::Abandoned, SeatChange::Taken]);
        let seat = Seat::at(chance.below(watched.seats()));
        emitted.extend(watched.change_seat(seat, change));
    }
    if chance.one_in(4)
        && let Some(order) = wild::<P>(watched, chance)
    {
        let by = match chance.below(8) {
            0 => Actor::GameMaster,
            _ => Actor::Seat(anyone(watched, chance)),
        };
        emitted.extend(watched.submit(by, &order).unwrap_or_default());
    }
    if watched.game.outcome().is_some() {
        return emitted;
    }
    if chance.one_in(8) {
        emitted.extend(message(watched, chance));
    }
    let is_phase = watched.game.pending().iter().any(|open| open.revisable);
    if is_phase {
        for seat in watched.asked() {
            for _ in 0..=chance.below(P::ORDERS) {
                emitted.extend(give::<P>(watched, seat, chance).unwrap_or_default());
            }
            if chance.one_in(8) {
                watched.take_back(seat);
            }
        }
    } else if !chance.one_in(8) {
        let seat = anyone(watched, chance);
        if let Some(given) = give::<P>(watched, seat, chance) {
            emitted.extend(given);
            return emitted;
        }
    }
    if watched.game.outcome().is_none() {
        let why =
            chance.pick(&[CloseCause::AllReady, CloseCause::Deadline, CloseCause::GameMaster]);
        emitted.extend(watched.close(why));
    }
    emitted
}

fn message<G: Tested>(watched: &mut Watched<G>, chance: &mut Rng) -> Emitted<G::Event> {
    let [from, to] = [(); 2].map(|()| Seat::at(chance.below(watched.seats())));
    let anonymous = chance.one_in(2);
    let game = &mut watched.game;
    if from == to || game.press(from, to, anonymous).is_err() || !game.can_receive(to) {
        return Emitted::new();
    }
    let emitted = game.message_delivered(from, to, anonymous);
    watched.follow(&emitted);
    emitted
}

fn give<P: Player>(
    watched: &mut Watched<P::Game>,
    seat: Seat,
    chance: &mut Rng,
) -> Option<Emitted<EventOf<P>>> {
    let order = P::order(watched, seat, chance)?;
    match watched.submit(Actor::Seat(seat), &order) {
        Ok(emitted) => Some(emitted),
        Err(refusal) => panic!("{}: {seat}: {order:?} is refused: {refusal}", P::Game::ID),
    }
}

/// Plays a game and calls `look` before the first step and after each step.
pub fn play<P: Player>(
    mut chance: Rng,
    mut look: impl FnMut(&mut Watched<P::Game>, &mut Rng),
) -> Watched<P::Game> {
    let mut watched = P::begin(&mut chance);
    look(&mut watched, &mut chance);
    for _ in 0..P::STEPS {
        if watched.game.outcome().is_some() {
            assert_eq!(watched.game.pending(), [], "{}: it is over", P::Game::ID);
            break;
        }
        assert!(!watched.game.pending().is_empty(), "{}: it waits for no seat", P::Game::ID);
        step::<P>(&mut watched, &mut chance);
        look(&mut watched, &mut chance);
    }
    watched
}

/// Returns a random viewer of a game.
pub fn viewer<G: Tested>(watched: &Watched<G>, chance: &mut Rng) -> Viewer {
    let viewers: Vec<Viewer> = watched.views().map(|(viewer, _)| viewer).collect();
    chance.pick(&viewers)
}
