//! The commands of a seat, and the sheet of its orders.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Refusal, Seat};
use heliopause_proto::diplomacy::v1 as proto;

use crate::adjustment::{Allowance, allowance, judge as judge_adjustment};
use crate::conditional::Conditional;
use crate::fault::Fault;
use crate::movement::Ground;
use crate::order::{Order, Place};
use crate::position::Position;
use crate::retreat::judge as judge_retreat;
use crate::table::{Phase, Table};

/// The maximum number of orders per seat. No seat can have as many units or centers.
const ORDERS_MAX: usize = 128;

#[derive(Wire, Clone, PartialEq, Eq, Hash, Debug)]
#[wire(kinds = proto::order::Kind, message = proto::Order)]
pub enum Command {
    /// Gives an order. The order replaces an earlier one for the same unit or building site.
    #[wire(nested)]
    Order(Order),
    /// Gives a conditional order. The order replaces an earlier one for the same case.
    #[wire(nested)]
    Conditional(Conditional),
    Clear,
}

/// The orders of a seat in a phase, and its conditional orders for later phases of the turn.
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::Sheet, most = ORDERS_MAX)]
pub struct Sheet {
    pub orders: Vec<Order>,
    #[wire(name = conditional_orders)]
    pub conditionals: Vec<Conditional>,
}

impl Sheet {
    pub fn is_empty(&self) -> bool {
        self.orders.is_empty() && self.conditionals.is_empty()
    }

    pub(crate) fn take(&mut self, command: Command) {
        match command {
            Command::Clear => *self = Self::default(),
            Command::Order(order) => {
                let former = replaced(&self.orders, &order);
                put(&mut self.orders, former, order);
            }
            Command::Conditional(order) => {
                let former =
                    self.conditionals.iter().position(|other| other.case() == order.case());
                put(&mut self.conditionals, former, order);
            }
        }
    }
}

fn put<T>(list: &mut Vec<T>, former: Option<usize>, new: T) {
    match former {
        Some(index) => list[index] = new,
        None => list.push(new),
    }
}

/// Returns the index of the order that a new order replaces. A waiver or an order for an army in
/// orbit never replaces another order.
pub(crate) fn replaced(sheet: &[Order], order: &Order) -> Option<usize> {
    let place = |order: &Order| match order.unit() {
        Some(unit) => unit.at.province(),
        None => order.site().map(|site| site.at.province()),
    };
    let at = place(order)?;
    sheet.iter().position(|other| place(other) == Some(at))
}

fn is_of_orbit(order: &Order) -> bool {
    order.unit().is_some_and(|unit| unit.at == Place::Orbit)
}

impl Table {
    pub(crate) fn judge(
        &self,
        seat: Seat,
        sheet: &[Order],
        command: &Command,
    ) -> Result<(), Refusal> {
        if self.ending.is_some() {
            return Err(Refusal::new("game-over", "D8.7", "The game is over."));
        }
        if !self.owes(seat) {
            return Err(Refusal::new(
                "nothing-to-order",
                "D2",
                "You have no orders to give in this phase.",
            ));
        }
        match command {
            Command::Clear => Ok(()),
            Command::Order(order) => self.judge_order(seat, sheet, order).map_err(refusal),
            Command::Conditional(order) => {
                let judged = self.judge_conditional(seat, order);
                judged.map_err(|fault| refusal(fault).field(order.field(fault)))
            }
        }
    }

    pub(crate) fn judge_order(
        &self,
        seat: Seat,
        sheet: &[Order],
        order: &Order,
    ) -> Result<(), Fault> {
        match self.phase {
            Phase::SpringMovement | Phase::FallMovement => {
                Ground::new(&self.position).judge(seat, order)?;
                self.judge_orbit(seat, sheet, order)
            }
            Phase::SpringRetreat | Phase::FallRetreat => {
                judge_retreat(&self.dislodged, seat, order).map(|_| ())
            }
            Phase::Winter => judge_winter(&self.position, seat, sheet, order),
        }
    }

    /// Rejects an order for an army in orbit if each of these armies already has an order (2).
    fn judge_orbit(&self, seat: Seat, sheet: &[Order], order: &Order) -> Result<(), Fault> {
        let lines = sheet.iter().filter(|line| is_of_orbit(line)).count();
        let full = lines >= usize::from(self.position.orbit(seat));
        if is_of_orbit(order) && full { Err(Fault::TooManyLines) } else { Ok(()) }
    }
}

/// Judges a winter order within the allowance that the other orders leave (D8).
fn judge_winter(
    position: &Position,
    seat: Seat,
    sheet: &[Order],
    order: &Order,
) -> Result<(), Fault> {
    let kept = sheet.len() - usize::from(replaced(sheet, order).is_some());
    let left = match allowance(position, seat) {
        Allowance::Builds(count) => Allowance::Builds(count.saturating_sub(kept)),
        Allowance::Removals(count) => Allowance::Removals(count.saturating_sub(kept)),
    };
    judge_adjustment(position, seat, left, order)?;
    let removed = sheet.iter().filter(|line| is_of_orbit(line)).count();
    let none_left = removed >= usize::from(position.orbit(seat));
    if is_of_orbit(order) && none_left { Err(Fault::TooManyLines) } else { Ok(()) }
}

fn refusal(fault: Fault) -> Refusal {
    Refusal::new(fault.as_str(), fault.rule(), fault.sentence()).field(fault.field())
}
