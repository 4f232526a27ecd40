//! Random states that are consistent with a view. The secret orders of other powers are random.

use heliopause_kernel::Seat;

use crate::command::{Command, Sheet};
use crate::game::Diplomacy;
use crate::order::Order;
use crate::table::{Table, seats};
use crate::view::{Insight, View};

pub(crate) fn sample(view: &View, rng: &mut dyn FnMut() -> u64) -> Diplomacy {
    let table = view.table.clone();
    let count = seats(&table.options, table.players);
    let mut sheet = |seat: Seat| match &view.insight {
        Insight::Seat(own, sheet) if *own == seat => sheet.clone(),
        Insight::GameMaster(sheets) => sheets.get(seat.index()).cloned().unwrap_or_default(),
        Insight::Spectator | Insight::Seat(..) => random_sheet(&table, seat, rng),
    };
    let sheets = Seat::first(count).map(&mut sheet).collect();
    Diplomacy { table, sheets }
}

/// Returns at most one random legal order for each unit, and random conditional orders.
fn random_sheet(table: &Table, seat: Seat, rng: &mut dyn FnMut() -> u64) -> Sheet {
    let mut sheet = Sheet::default();
    let choices = table.choices(seat, &sheet);
    for group in choices.groups {
        let lines = if group.unit.is_some() { group.count as usize } else { group.orders.len() };
        for _ in 0..lines {
            let draw = rng() as usize % (group.orders.len() + 1);
            let Some(order) = group.orders.get(draw) else { continue };
            let beside = |other: &Order| {
                other == order && other.unit().is_none_or(|unit| unit.at.province().is_some())
            };
            let orders = &sheet.orders;
            if !orders.iter().any(beside) && table.judge_order(seat, orders, order).is_ok() {
                sheet.take(Command::Order(*order));
            }
        }
    }
    for mut order in choices.conditionals {
        order.retain(|| rng().is_multiple_of(4));
        if table.judge_conditional(seat, &order).is_ok() {
            sheet.take(Command::Conditional(order));
        }
    }
    sheet
}
