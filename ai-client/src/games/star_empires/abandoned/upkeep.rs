//! Notes 15: builds, repairs, transponders, the pool and scans of an abandoned empire.

use std::collections::BTreeMap;

use heliopause_star_empires::{Class, Hull, Name, WorldSeen};

use super::combat::Plan;
use super::retreat::safest_first;
use crate::games::star_empires::lines::Lines;
use crate::games::star_empires::survey::{Survey, Unit};

/// 6.6.1 to 6.8.1.
pub(super) fn upkeep(survey: &Survey<'_>, plan: &Plan, lines: &mut Lines) {
    let mut worlds: Vec<&WorldSeen> = survey.own_worlds().filter(|world| Survey::can_work(world)).collect();
    worlds.sort_by_key(|world| world.name);
    let mut left = Vec::new();
    for world in worlds {
        left.push((world, build(survey, world, lines)));
    }
    repair(survey, plan, &left, lines);
    hide(survey, lines);
    pool(survey, plan, lines);
    let withheld = |seat| survey.own.status.grants.iter().any(|grant| grant.to == seat);
    lines.deny_all(survey.contacts(withheld));
}

/// 6.6.1: by turns the class with the most damage points and that with the most guns that can be paid. Says what is left.
fn build(survey: &Survey<'_>, world: &WorldSeen, lines: &mut Lines) -> u32 {
    let mut stock = world.stockpile.unwrap_or(0);
    let mut counts: Vec<(Name, u32)> = Vec::new();
    for turn in 0_u32.. {
        let Some(class) = next_class(survey, stock, turn % 2 == 0) else { break };
        stock -= class.cost;
        match counts.iter_mut().find(|(name, _)| *name == class.name) {
            Some((_, count)) => *count += 1,
            None => counts.push((class.name, 1)),
        }
    }
    // What is built does not depend on the order in which it is, so ships of a class share a line.
    for (class, count) in counts {
        lines.build(world.name, count, class);
    }
    stock
}

fn next_class<'a>(survey: &Survey<'a>, stock: u32, by_dp: bool) -> Option<&'a Class> {
    let rating = |class: &Class| if by_dp { class.ratings.dp } else { class.ratings.guns };
    let affordable = survey.own.classes.iter().filter(|class| !class.unbuildable && (1..=stock).contains(&class.cost));
    affordable.min_by_key(|class| (std::cmp::Reverse(rating(class)), class.cost, class.name))
}

/// 6.6.2: what is left repairs the ships with the smallest operational rating first. Ships in a fight come after those
/// whose damage shows on the map; 6.6.2 passes over who is whole by then.
fn repair(survey: &Survey<'_>, plan: &Plan, left: &[(&WorldSeen, u32)], lines: &mut Lines) {
    if left.iter().all(|(_, stock)| *stock == 0) {
        return;
    }
    let mended = |unit: &Unit| (unit.dp + unit.class.auto_repair()).min(unit.class.ratings.dp);
    let is_damaged = |unit: &Unit| mended(unit) < unit.class.ratings.dp;
    let docked = |unit: &Unit| {
        let carrier = unit.carrier.and_then(|serial| survey.units.iter().find(|unit| unit.serial == serial));
        carrier.is_some_and(|unit| unit.class.hull == Hull::Orbital)
    };
    let needy = |unit: &&Unit| (is_damaged(unit) || plan.contested.contains(&unit.at)) && !docked(unit);
    let mut ships: Vec<&Unit> = survey.units.iter().filter(needy).collect();
    ships.sort_by(|one, other| {
        let rating = |unit: &Unit| unit.class.damage(mended(unit));
        let by_rating = rating(one).cmp_rating(rating(other));
        by_rating.then(mended(one).cmp(&mended(other))).then(one.handle.cmp(&other.handle))
    });
    let interdicted = |unit: &Unit| survey.own_worlds().any(|world| world.at == unit.at && !Survey::can_work(world));
    let mut expected: BTreeMap<Name, u32> = BTreeMap::new();
    for (world, stock) in left {
        let mut stock = *stock;
        for ship in &ships {
            let reached = Survey::can_ship(world) || world.at == ship.at;
            let missing = u32::from(ship.class.ratings.dp - mended(ship)) - expected.get(&ship.name()).unwrap_or(&0);
            let shot_at = plan.contested.contains(&ship.at);
            if stock == 0 || !reached || interdicted(ship) || (missing == 0 && !shot_at) {
                continue;
            }
            let rate = if ship.class.hull == Hull::Orbital { 3 } else { 2 };
            let paid = missing.div_ceil(rate).min(stock);
            stock -= paid;
            *expected.entry(ship.name()).or_default() += missing.min(paid * rate);
            lines.repair(ship.name(), world.name);
        }
    }
}

/// 6.6.3 to 6.6.5: private, identified to nobody, concealed from all.
fn hide(survey: &Survey<'_>, lines: &mut Lines) {
    if survey.own.ships.iter().any(|ship| ship.public) {
        lines.all_private();
    }
    if !survey.own.ships.is_empty() {
        lines.conceal_all(survey.contacts(|_| true));
    }
}

/// 6.7.2: everything to the safest world.
fn pool(survey: &Survey<'_>, plan: &Plan, lines: &mut Lines) {
    let safest = survey.own_worlds().min_by(|one, other| safest_first(survey, one, other));
    // Without a second world there is nothing to pool.
    if let Some(world) = safest.filter(|_| plan.friendly.len() > 1 || survey.own_worlds().nth(1).is_some()) {
        lines.pool(world.name, Vec::new());
    }
}
