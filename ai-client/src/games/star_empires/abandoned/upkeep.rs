//! Builds, repairs and scans of an abandoned empire (notes 15).

use heliopause_star_empires::{Class, Hull, Name, WorldSeen};

use super::combat::Plan;
use crate::games::star_empires::lines::Lines;
use crate::games::star_empires::survey::{Survey, Unit};

pub(super) fn upkeep(survey: &Survey<'_>, plan: &Plan, lines: &mut Lines) {
    let mut worlds: Vec<&WorldSeen> = survey.own_worlds().collect();
    worlds.sort_by_key(|world| world.name);
    let mut left: Vec<(&WorldSeen, u32)> =
        worlds.into_iter().map(|world| (world, build(survey, world, lines))).collect();
    let repair_candidates = repair_candidates(survey, plan);
    repair(survey, plan, repair_candidates.clone(), &mut left, lines);
    let withheld = |seat| survey.own.status.grants.iter().any(|grant| grant.to == seat);
    lines.deny_all(survey.contacts(withheld));
    repair_after_sieges(survey, &repair_candidates, left, lines);
}

/// Builds ships, alternating between the class with the most damage points and the one with the
/// most guns (6.6.1). Returns the remaining stockpile.
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
    for (class, count) in counts {
        lines.build(world.name, count, class);
    }
    stock
}

fn next_class<'a>(survey: &Survey<'a>, stock: u32, by_dp: bool) -> Option<&'a Class> {
    let rating = |class: &Class| if by_dp { class.ratings.dp } else { class.ratings.guns };
    let affordable = survey
        .own
        .classes
        .iter()
        .filter(|class| !class.unbuildable && (1..=stock).contains(&class.cost));
    affordable.min_by_key(|class| (std::cmp::Reverse(rating(class)), class.cost, class.name))
}

#[derive(Clone, Copy)]
struct RepairCandidate<'u> {
    ship: &'u Unit,
    dp: u16,
}

impl RepairCandidate<'_> {
    fn missing(&self) -> u32 {
        u32::from(self.ship.class.ratings.dp - self.dp)
    }

    fn rate(&self) -> u32 {
        if self.ship.class.hull == Hull::Orbital { 3 } else { 2 }
    }
}

fn sort(repair_candidates: &mut [RepairCandidate<'_>]) {
    repair_candidates.sort_by(|one, other| {
        let rating = |it: &RepairCandidate<'_>| it.ship.class.damage(it.dp);
        let by_rating = rating(one).cmp_rating(rating(other));
        by_rating.then(one.dp.cmp(&other.dp)).then(one.ship.handle.cmp(&other.ship.handle))
    });
}

/// Returns damaged ships, and all ships in sectors where the empire fires, because those may be
/// damaged before 6.6.2.
fn repair_candidates<'u>(survey: &'u Survey<'_>, plan: &Plan) -> Vec<RepairCandidate<'u>> {
    let docked = |unit: &Unit| {
        let carrier =
            unit.carrier.and_then(|serial| survey.units.iter().find(|unit| unit.serial == serial));
        carrier.is_some_and(|unit| unit.class.hull == Hull::Orbital)
    };
    let patient = |ship: &'u Unit| {
        let full = ship.class.ratings.dp;
        RepairCandidate { ship, dp: (ship.dp + ship.class.auto_repair()).min(full) }
    };
    let needy = |it: &RepairCandidate<'_>| {
        (it.missing() > 0 || plan.contested.contains(&it.ship.at)) && !docked(it.ship)
    };
    survey.units.iter().map(patient).filter(needy).collect()
}

fn can_pay(survey: &Survey<'_>, world: &WorldSeen, ship: &Unit) -> bool {
    let reached = Survey::can_ship(world) || world.at == ship.at;
    let barred = survey.own_worlds().any(|world| world.at == ship.at && !Survey::can_work(world));
    Survey::can_work(world) && reached && !barred
}

fn repair(
    survey: &Survey<'_>,
    plan: &Plan,
    mut repair_candidates: Vec<RepairCandidate<'_>>,
    left: &mut [(&WorldSeen, u32)],
    lines: &mut Lines,
) {
    for (world, stock) in left {
        sort(&mut repair_candidates);
        for patient in &mut repair_candidates {
            let wanted = patient.missing() > 0 || plan.contested.contains(&patient.ship.at);
            if *stock == 0 || !wanted || !can_pay(survey, world, patient.ship) {
                continue;
            }
            let paid = patient.missing().div_ceil(patient.rate()).min(*stock);
            *stock -= paid;
            patient.dp += patient.missing().min(paid * patient.rate()) as u16;
            lines.repair(patient.ship.name(), world.name);
        }
    }
}

/// Orders repairs at worlds under siege (6.6.2). They fail if the siege continues.
fn repair_after_sieges(
    survey: &Survey<'_>,
    repair_candidates: &[RepairCandidate<'_>],
    left: Vec<(&WorldSeen, u32)>,
    lines: &mut Lines,
) {
    let mut repair_candidates = repair_candidates.to_vec();
    sort(&mut repair_candidates);
    for (world, mut stock) in left {
        for patient in &repair_candidates {
            if stock > 0 && !can_pay(survey, world, patient.ship) {
                stock -= patient.missing().div_ceil(patient.rate()).min(stock);
                lines.repair(patient.ship.name(), world.name);
            }
        }
    }
}
