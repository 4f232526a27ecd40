//! Random states that are consistent with a view. The secret orders of other powers are random.

use heliopause_kernel::Seat;

use crate::command::Sheet;
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

/// Returns at most one random legal order for each unit.
fn random_sheet(table: &Table, seat: Seat, rng: &mut dyn FnMut() -> u64) -> Sheet {
    let mut sheet = Sheet::new();
    for group in table.choices(seat, &[]).groups {
        let lines = if group.unit.is_some() { group.count as usize } else { group.orders.len() };
        for _ in 0..lines {
            let draw = rng() as usize % (group.orders.len() + 1);
            let Some(order) = group.orders.get(draw) else { continue };
            let beside = |other: &Order| {
                other == order && other.unit().is_none_or(|unit| unit.at.province().is_some())
            };
            if !sheet.iter().any(beside) && table.judge_order(seat, &sheet, order).is_ok() {
                crate::command::take(&mut sheet, crate::command::Command::Order(*order));
            }
        }
    }
    sheet
}
