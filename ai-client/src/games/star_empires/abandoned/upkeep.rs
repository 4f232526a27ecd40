//! Notes 15: builds, repairs and scans of an abandoned empire. The engine itself conceals its ships
//! (6.6.4) and pools its RU (6.7.2) by what is there in the update.

use heliopause_star_empires::{Class, Hull, Name, WorldSeen};

use super::combat::Plan;
use crate::games::star_empires::lines::Lines;
use crate::games::star_empires::survey::{Survey, Unit};

/// 6.6.1 to 6.8.1.
pub(super) fn upkeep(survey: &Survey<'_>, plan: &Plan, lines: &mut Lines) {
    let mut worlds: Vec<&WorldSeen> = survey.own_worlds().collect();
    worlds.sort_by_key(|world| world.name);
    // A siege that the map shows may be over by then; where it is not, nothing is built.
    let mut left: Vec<(&WorldSeen, u32)> =
        worlds.into_iter().map(|world| (world, build(survey, world, lines))).collect();
    let patients = patients(survey, plan);
    repair(survey, plan, patients.clone(), &mut left, lines);
    let withheld = |seat| survey.own.status.grants.iter().any(|grant| grant.to == seat);
    lines.deny_all(survey.contacts(withheld));
    repair_after_sieges(survey, &patients, left, lines);
}

/// 6.6.1: by turns the class with the most damage points and that with the most guns that can be
/// paid. Says what is left.
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
    let affordable = survey
        .own
        .classes
        .iter()
        .filter(|class| !class.unbuildable && (1..=stock).contains(&class.cost));
    affordable.min_by_key(|class| (std::cmp::Reverse(rating(class)), class.cost, class.name))
}

/// A ship that may need a repair, with the damage points that it has by then.
#[derive(Clone, Copy)]
struct Patient<'u> {
    ship: &'u Unit,
    dp: u16,
}

impl Patient<'_> {
    fn missing(&self) -> u32 {
        u32::from(self.ship.class.ratings.dp - self.dp)
    }

    fn rate(&self) -> u32 {
        if self.ship.class.hull == Hull::Orbital { 3 } else { 2 }
    }
}

/// Smallest operational rating first, then fewest damage points, then by handle.
fn sort(patients: &mut [Patient<'_>]) {
    patients.sort_by(|one, other| {
        let rating = |it: &Patient<'_>| it.ship.class.damage(it.dp);
        let by_rating = rating(one).cmp_rating(rating(other));
        by_rating.then(one.dp.cmp(&other.dp)).then(one.ship.handle.cmp(&other.ship.handle))
    });
}

/// The ships whose damage shows on the map, and those in a fight: 6.6.2 passes over who is whole by
/// then.
fn patients<'u>(survey: &'u Survey<'_>, plan: &Plan) -> Vec<Patient<'u>> {
    let docked = |unit: &Unit| {
        let carrier =
            unit.carrier.and_then(|serial| survey.units.iter().find(|unit| unit.serial == serial));
        carrier.is_some_and(|unit| unit.class.hull == Hull::Orbital)
    };
    let patient = |ship: &'u Unit| {
        let full = ship.class.ratings.dp;
        Patient { ship, dp: (ship.dp + ship.class.auto_repair()).min(full) }
    };
    let needy = |it: &Patient<'_>| {
        (it.missing() > 0 || plan.contested.contains(&it.ship.at)) && !docked(it.ship)
    };
    survey.units.iter().map(patient).filter(needy).collect()
}

/// Whether a world can pay for a ship's repair as the map shows both (7.5).
fn can_pay(survey: &Survey<'_>, world: &WorldSeen, ship: &Unit) -> bool {
    let reached = Survey::can_ship(world) || world.at == ship.at;
    let barred = survey.own_worlds().any(|world| world.at == ship.at && !Survey::can_work(world));
    Survey::can_work(world) && reached && !barred
}

/// 6.6.2: what is left repairs ships, world by world. Says what is left then.
fn repair(
    survey: &Survey<'_>,
    plan: &Plan,
    mut patients: Vec<Patient<'_>>,
    left: &mut [(&WorldSeen, u32)],
    lines: &mut Lines,
) {
    for (world, stock) in left {
        sort(&mut patients);
        for patient in &mut patients {
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

/// 6.6.2: repairs that a siege on the map stands against come last: if it is over by then they are
/// made.
fn repair_after_sieges(
    survey: &Survey<'_>,
    patients: &[Patient<'_>],
    left: Vec<(&WorldSeen, u32)>,
    lines: &mut Lines,
) {
    let mut patients = patients.to_vec();
    sort(&mut patients);
    for (world, mut stock) in left {
        for patient in &patients {
            if stock > 0 && !can_pay(survey, world, patient.ship) {
                stock -= patient.missing().div_ceil(patient.rate()).min(stock);
                lines.repair(patient.ship.name(), world.name);
            }
        }
    }
}
