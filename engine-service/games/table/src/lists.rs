//! Lists of orders: how much of a list is taken, and where it stops.
//!
//! **Invariant.** No reveal and no die is ever taken back. If the table tried a list as a whole and
//! rolled it back for one of its later orders, the refusal would tell what only the true orders may
//! tell, and nothing would have happened. So:
//!
//! 1. If an order cannot be read, nothing of the list is taken. That follows from its words alone.
//! 2. Orders that are kept until their phase closes resolve nothing: the table takes them all or
//!    none.
//! 3. If at least one resolves at once, the table takes them one by one. It judges each by its
//!    seat's knowledge at that point, including the results of earlier ones. If the first is
//!    refused, nothing has changed. If a later one is refused, or an earlier one has closed the
//!    decision that the list names, the list stops, and taken orders stay.
//!
//! The entry says where the list stopped, so a replay stops there too, and a retry gets the same
//! answer.

use heliopause_kernel::{Actor, Seat};
use heliopause_proto::store::v1::{DecisionKey, Entry, ListStopped, step};
use heliopause_proto::v1::{ErrorReason, GameOrder, Verdict};

use crate::play::key;
use crate::registry::Happenings;
use crate::{Fault, Table};

/// The result of a list of orders.
#[derive(Default)]
pub(crate) struct Played {
    /// The events of the taken orders.
    pub(crate) happenings: Happenings,
    /// Where the list stopped, if it was not taken to its end.
    pub(crate) stopped: Option<ListStopped>,
}

impl Table {
    /// Takes a list of orders as far as it goes. An error means that nothing was taken.
    pub(crate) fn play(&mut self, actor: Actor, orders: &[GameOrder]) -> Result<Played, Fault> {
        if self.are_revisable(orders)? && orders.len() > 1 {
            return self.keep_all(actor, orders);
        }
        self.resolve_in_turn(actor, orders)
    }

    /// Whether all of them are kept until their phase closes; an error if one cannot be read.
    fn are_revisable(&self, orders: &[GameOrder]) -> Result<bool, Fault> {
        let game = self.game.as_ref().expect("a running game has a state");
        let mut all = true;
        for (index, order) in orders.iter().enumerate() {
            all &= game
                .is_revisable(order)
                .map_err(|malformed| Fault::from(malformed).with("order", index))?;
        }
        Ok(all)
    }

    /// Takes orders that resolve nothing, all or none.
    fn keep_all(&mut self, actor: Actor, orders: &[GameOrder]) -> Result<Played, Fault> {
        let game = self.game.as_ref().expect("a running game has a state");
        let before = (game.boxed_clone(), self.dice.clone());
        let names = self.all_names();
        let mut played = Played::default();
        for (index, order) in orders.iter().enumerate() {
            match self.submit(actor, order, &names) {
                Ok(happenings) => played.happenings.extend(happenings),
                Err(fault) => {
                    let (game, dice) = before;
                    (self.game, self.dice) = (Some(game), dice);
                    return Err(fault.with("order", index));
                }
            }
        }
        Ok(played)
    }

    /// Takes orders one by one, as far as they go.
    fn resolve_in_turn(&mut self, actor: Actor, orders: &[GameOrder]) -> Result<Played, Fault> {
        let names = self.all_names();
        let mut played = Played::default();
        for (index, order) in orders.iter().enumerate() {
            match self.resolve_next(actor, order, &names) {
                Ok(happenings) => played.happenings.extend(happenings),
                Err(fault) if index == 0 => return Err(fault.with("order", index)),
                Err(fault) => {
                    let refused = Some(fault.verdict(self.notate(order)?));
                    played.stopped = Some(ListStopped { taken: index as u32, refused });
                    break;
                }
            }
        }
        Ok(played)
    }

    /// Takes the next order of a list, unless the decision that the list names is closed by now.
    fn resolve_next(
        &mut self,
        actor: Actor,
        order: &GameOrder,
        names: &[String],
    ) -> Result<Happenings, Fault> {
        if let Actor::Seat(seat) = actor
            && self.asked_now(seat) != self.state.seats[seat.index()].asked
        {
            let text = "The orders before it have closed the decision that this list names: look \
                before you order on.";
            return Err(
                Fault::new(ErrorReason::PhaseClosed, text).with("refusal", "decision-closed")
            );
        }
        self.submit(actor, order, names)
    }

    fn submit(
        &mut self,
        actor: Actor,
        order: &GameOrder,
        names: &[String],
    ) -> Result<Happenings, Fault> {
        let game = self.game.as_mut().expect("a running game has a state");
        game.submit(actor, order, &mut self.dice, &|seat| names[seat.index()].clone())
    }

    /// The seat's open decisions as the game stands, in the middle of a step too.
    fn asked_now(&self, seat: Seat) -> Vec<DecisionKey> {
        self.pending().iter().filter(|decision| decision.seat == seat).map(key).collect()
    }
}

/// How many orders the step of an entry took, and why not the next one, if it did not take all.
pub fn taken(entry: &Entry) -> (u32, Option<Verdict>) {
    if let Some(stopped) = &entry.stopped {
        return (stopped.taken, stopped.refused.clone());
    }
    match entry.step.as_ref().and_then(|step| step.kind.as_ref()) {
        Some(step::Kind::OrdersGiven(given)) => (given.orders.len() as u32, None),
        _ => (0, None),
    }
}
