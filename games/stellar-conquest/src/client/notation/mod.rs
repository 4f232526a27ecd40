//! The text notation of orders: one order per line, case-insensitive, `//` starts a comment.
//!
//! | order | example |
//! | --- | --- |
//! | setup, 3.4 | `setup 2 scouts; 1 corvette; 5 into industry` |
//! | commission, fate 2 | `commission 10 corvettes; 10 scouts; speed3; industry` |
//! | standing orders | `standing fire spread stay always scouts leave transports leave` ⏎ |
//! | | `refuge away scuttle never` (all on one line) |
//! | inspection by a colony, 10 | `watch Alcor 1 ask`, `look 3`, `pass 3` |
//! | ships for the Empire, fate 4.4 | `recall #1-3,8` |
//! | move, 5 to 8 | `move #1-4,7 via P17 P16 to Sadir avoid Lupi clouds lose` |
//! | | `move #1 to Sadir stop 2` takes the same route, but at most two hexes of it |
//! | task forces, 9 | `form #1-4 3`, `form #1-4 loose` |
//! | command posts, 7.2 | `post Lalande`, `unpost Lalande` |
//! | end a step | `end movement`, `end turn`; `end` ends the current one |
//! | battles, 12 | `fight P18`, `aim 0>5 1>5`, `aim 0,1>5,6` (0 at 5, 1 at 6), |
//! | | `hold`, `stay`, `send Q19`, `withdraw 3 4 to Sadir; 5 to Lupi; 6 stay` |
//! | colonies, 13, 15 | `attack Sadir 1 2`, `break`, `scuttle Sadir 1 5`, `scuttle none`, |
//! | | `raze Sadir 1 5`, `kill Sadir 1 3` |
//! | land, 16 | `land #5-9 Sadir 1` |
//! | produce, 17 | `produce Alcor 1: emigrate 12+4; 1 fighter; 14 into deathstar` ⏎ |
//! | | `\| Sadir 2: evacuate \| posts Alcor Sadir` ⏎ |
//! | | `\| grant 5 into speed3` (all on one line) |
//! | | several `produce` lines form one sheet; entries for one colony add up |
//! | | `2 scout-pairs` are 4 scouts |
//! | raid, space 9.1 | `raid Sadir 2 #4-6` (two rounds), `raid Sadir 2 #4-6 via M17 N17 O16` |
//! | place ships, space 7.1 | `place Q19 to Alcor` |
//! | decree, space 6.2 | `decree Alcor 1: spend 30; 1 fighter; 2 scouts \| posts Alcor` |
//!
//! Hexes and stars are written by name and ships by number. Planets are numbered by their position
//! on the star's card, from 1, and units by their position in the line of battle, from 0.
//! Technologies are written with the short names of [`Title::code`].
//!
//! [`Title::code`]: crate::Title

mod forms;
mod reader;
#[cfg(test)]
mod tests;
pub(crate) mod words;

use heliopause_kernel::Malformed;

use crate::client::notation::reader::Reader;
use crate::state::{ColonyPlan, Order, PostPlan, View};

pub(crate) fn parse(view: &View, text: &str) -> Result<Vec<Order>, Malformed> {
    let mut orders = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let mut reader = Reader::new(line, number, view);
        if reader.peek().is_none() {
            continue;
        }
        let order = reader.order()?;
        if reader.peek().is_some() {
            return reader.expected("the end of the line");
        }
        let twice = |what: String| {
            Malformed::text(number, 1, format!("an earlier line already contains {what}"))
        };
        if let Some(order) = append(&mut orders, order).map_err(twice)? {
            orders.push(order);
        }
    }
    Ok(orders)
}

/// Merges an order into the sheet of the same kind from an earlier line and returns `None`. Returns
/// the order if there is no such sheet. Fails on entries that cannot be repeated.
#[expect(clippy::wildcard_enum_match_arm, reason = "only sheets have lines")]
fn append(orders: &mut [Order], order: Order) -> Result<Option<Order>, String> {
    match order {
        Order::Produce(more) => {
            let before = orders.iter_mut().find_map(|order| {
                if let Order::Produce(sheet) = order { Some(sheet) } else { None }
            });
            let Some(sheet) = before else { return Ok(Some(Order::Produce(more))) };
            append_posts(&mut sheet.posts, more.posts)?;
            sheet.grant.extend(more.grant);
            let own = sheet.colonies.len();
            for plan in more.colonies {
                match sheet.colonies[..own].iter_mut().find(|before| before.planet == plan.planet) {
                    Some(before) => append_plan(before, plan)?,
                    None => sheet.colonies.push(plan),
                }
            }
        }
        Order::Decree(more) => {
            let before = orders.iter_mut().find_map(|order| {
                if let Order::Decree(sheet) = order { Some(sheet) } else { None }
            });
            let Some(sheet) = before else { return Ok(Some(Order::Decree(more))) };
            append_posts(&mut sheet.posts, more.posts)?;
            sheet.plans.extend(more.plans);
        }
        _ => return Ok(Some(order)),
    }
    Ok(None)
}

fn append_posts(before: &mut Option<PostPlan>, more: Option<PostPlan>) -> Result<(), String> {
    match (&before, more) {
        (Some(_), Some(_)) => return Err("command posts".to_owned()),
        (None, Some(more)) => *before = Some(more),
        (_, None) => {}
    }
    Ok(())
}

fn append_plan(before: &mut ColonyPlan, more: ColonyPlan) -> Result<(), String> {
    let emigrates = |plan: &ColonyPlan| plan.emigrants > 0 || plan.bonus > 0;
    if emigrates(before) && emigrates(&more) {
        return Err(format!("emigrants from {} {}", more.planet.star, more.planet.nth + 1));
    }
    if emigrates(&more) {
        (before.emigrants, before.bonus) = (more.emigrants, more.bonus);
    }
    before.evacuate |= more.evacuate;
    before.spending.extend(more.spending);
    Ok(())
}

pub(crate) fn notate(order: &Order) -> String {
    forms::write(order)
}
