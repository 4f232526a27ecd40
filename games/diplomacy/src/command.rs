//! The commands of a seat, and the list of its orders in a phase.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Refusal, Seat};
use heliopause_proto::diplomacy::v1 as proto;

use crate::adjustment::{Allowance, allowance, judge as judge_adjustment};
use crate::fault::Fault;
use crate::movement::Ground;
use crate::order::{Order, Place};
use crate::position::Position;
use crate::retreat::judge as judge_retreat;
use crate::table::{Phase, Table};

#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(kinds = proto::order::Kind, message = proto::Order)]
pub enum Command {
    /// Gives an order. The order replaces an earlier one for the same unit or building site.
    #[wire(nested)]
    Order(Order),
    Clear,
}

/// The orders of a seat in a phase.
pub type Sheet = Vec<Order>;

pub(crate) fn take(sheet: &mut Sheet, command: Command) {
    match command {
        Command::Clear => sheet.clear(),
        Command::Order(order) => match replaced(sheet, &order) {
            Some(index) => sheet[index] = order,
            None => sheet.push(order),
        },
    }
}

/// Returns the index of the order that a new order replaces. A waiver or an order for an army in
/// orbit never replaces another order.
fn replaced(sheet: &[Order], order: &Order) -> Option<usize> {
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
