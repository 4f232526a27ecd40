//! Lists of orders: how much of a list is applied, and where it stops.
//!
//! **Invariant.** No reveal and no die is ever undone. If the table applied a whole list and rolled
//! it back because of a later order, the refusal would reveal results of orders that were not
//! applied. So:
//!
//! 1. If an order cannot be read, the whole list is rejected. This depends on the text alone.
//! 2. Orders that are kept until their phase closes resolve nothing: the table accepts all or none.
//! 3. If at least one order resolves at once, the table applies the orders one by one. It judges
//!    each by its seat's view at that point, including the results of earlier orders. If the first
//!    order is refused, nothing has changed. If a later order is refused, or an earlier one has
//!    closed the decision that the list names, the list stops. Orders applied before stay applied.
//!
//! The entry stores the place where the list stopped, so that a replay stops there too and a retry
//! gets the same response.

use heliopause_kernel::{Actor, Seat};
use heliopause_proto::store::v1::{DecisionKey, Entry, ListStopped, step};
use heliopause_proto::v1::{ErrorReason, GameOrder, Verdict};

use crate::registry::DescribedEvents;
use crate::table::decision_key;
use crate::{Fault, Table};

#[derive(Default)]
pub(crate) struct AppliedOrders {
    pub(crate) happenings: DescribedEvents,
    pub(crate) stopped: Option<ListStopped>,
}

impl Table {
    pub(crate) fn play(
        &mut self,
        actor: Actor,
        orders: &[GameOrder],
    ) -> Result<AppliedOrders, Fault> {
        if self.are_revisable(orders)? && orders.len() > 1 {
            return self.keep_all(actor, orders);
        }
        self.resolve_in_turn(actor, orders)
    }

    fn are_revisable(&self, orders: &[GameOrder]) -> Result<bool, Fault> {
        let game = self.game.as_ref().expect("a running game has a position");
        let mut all = true;
        for (index, order) in orders.iter().enumerate() {
            all &= game
                .is_revisable(order)
                .map_err(|malformed| Fault::from(malformed).with("order", index))?;
        }
        Ok(all)
    }

    fn keep_all(&mut self, actor: Actor, orders: &[GameOrder]) -> Result<AppliedOrders, Fault> {
        let game = self.game.as_ref().expect("a running game has a position");
        let before = (game.boxed_clone(), self.dice.clone());
        let names = self.all_names();
        let mut played = AppliedOrders::default();
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

    fn resolve_in_turn(
        &mut self,
        actor: Actor,
        orders: &[GameOrder],
    ) -> Result<AppliedOrders, Fault> {
        let names = self.all_names();
        let mut played = AppliedOrders::default();
        for (index, order) in orders.iter().enumerate() {
            match self.resolve_next(actor, order, &names) {
                Ok(happenings) => played.happenings.extend(happenings),
                Err(fault) if index == 0 => return Err(fault.with("order", index)),
                Err(fault) => {
                    let refused = Some(fault.verdict(self.notate(order)?));
                    played.stopped = Some(ListStopped { accepted_count: index as u32, refused });
                    break;
                }
            }
        }
        Ok(played)
    }

    fn resolve_next(
        &mut self,
        actor: Actor,
        order: &GameOrder,
        names: &[String],
    ) -> Result<DescribedEvents, Fault> {
        if let Actor::Seat(seat) = actor
            && self.open_decisions_of(seat) != self.state.seats[seat.index()].asked
        {
            let text = "An earlier order of this list closed the decision; read the game again \
                before giving more orders.";
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
    ) -> Result<DescribedEvents, Fault> {
        let game = self.game.as_mut().expect("a running game has a position");
        game.submit(actor, order, &mut self.dice, names)
    }

    fn open_decisions_of(&self, seat: Seat) -> Vec<DecisionKey> {
        self.pending().iter().filter(|decision| decision.seat == seat).map(decision_key).collect()
    }
}

/// Returns how many orders of an entry were applied, and the verdict on the order that stopped the
/// list, if one did.
pub fn applied(entry: &Entry) -> (u32, Option<Verdict>) {
    if let Some(stopped) = &entry.stopped {
        return (stopped.accepted_count, stopped.refused.clone());
    }
    match entry.step.as_ref().and_then(|step| step.kind.as_ref()) {
        Some(step::Kind::OrdersGiven(given)) => (given.orders.len() as u32, None),
        _ => (0, None),
    }
}
