//! Loading of loose missiles onto free racks (notes 15, step 6).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use heliopause_star_empires::{Name, Serial};

use super::combat::Plan;
use crate::games::star_empires::lines::Lines;
use crate::games::star_empires::survey::{Survey, Unit};

pub(super) fn load(survey: &Survey<'_>, plan: &Plan, lines: &mut Lines) {
    let unloaded: BTreeSet<Name> = plan.unload.iter().copied().collect();
    let doomed: BTreeSet<Name> = plan.destruct.iter().copied().collect();
    for &at in survey.loose.keys() {
        let mut missiles: Vec<&Unit> =
            survey.loose_at(at).filter(|unit| unit.is_missile()).collect();
        missiles.sort_by_key(|unit| {
            (Reverse(unit.class.ratings.guns), Reverse(unit.class.tonnage), unit.handle)
        });
        let carriers = survey.loose_at(at).filter(|unit| unit.class.ratings.racks > 0);
        let carriers: Vec<&Unit> = carriers.filter(|unit| !doomed.contains(&unit.name())).collect();
        let mut free: BTreeMap<Serial, u32> = carriers
            .iter()
            .map(|unit| (unit.serial, racks_after_unloading(survey, unit, &unloaded)))
            .collect();
        for missile in missiles {
            let Some(carrier) = most_free_racks(&carriers, &free) else { break };
            let racks = free.entry(carrier.serial).or_default();
            if let Some(left) = racks.checked_sub(missile.class.tonnage) {
                *racks = left;
                lines.load(&[missile.name()], carrier.name());
            }
        }
    }
}

/// Counts a carrier's free racks after unloading (6.2.1), because loading comes later (6.2.2).
fn racks_after_unloading(survey: &Survey<'_>, carrier: &Unit, unloaded: &BTreeSet<Name>) -> u32 {
    let leaving = survey.cargo_of(carrier.serial).filter(|unit| unloaded.contains(&unit.name()));
    survey.free_racks(carrier) + leaving.map(|unit| unit.class.tonnage).sum::<u32>()
}

/// Returns the carrier with the most free racks. Breaks ties by the highest operational rating,
/// then the largest tonnage, then the first handle.
fn most_free_racks<'a>(carriers: &[&'a Unit], free: &BTreeMap<Serial, u32>) -> Option<&'a Unit> {
    let racks = |unit: &Unit| free.get(&unit.serial).copied().unwrap_or(0);
    let better = |one: &&&Unit, other: &&&Unit| {
        let rating = |unit: &Unit| unit.class.damage(unit.dp);
        let by_rating = rating(other).cmp_rating(rating(one));
        let by_racks = racks(other).cmp(&racks(one));
        by_racks
            .then(by_rating)
            .then(other.class.tonnage.cmp(&one.class.tonnage))
            .then(one.handle.cmp(&other.handle))
    };
    carriers.iter().min_by(better).copied()
}
