//! Notes 15, step 6: loose missiles go onto free racks.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use heliopause_star_empires::{Name, Serial};

use super::combat::Plan;
use crate::games::star_empires::lines::Lines;
use crate::games::star_empires::survey::{Survey, Unit};

/// Loads the missiles of every sector: most guns first, onto the ship with the most free racks.
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
            let Some(carrier) = roomiest(&carriers, &free) else { break };
            let racks = free.entry(carrier.serial).or_default();
            if let Some(left) = racks.checked_sub(missile.class.tonnage) {
                *racks = left;
                lines.load(&[missile.name()], carrier.name());
            }
        }
    }
}

/// 6.2.1 comes before 6.2.2: what is unloaded leaves its racks.
fn racks_after_unloading(survey: &Survey<'_>, carrier: &Unit, unloaded: &BTreeSet<Name>) -> u32 {
    let leaving = survey.cargo_of(carrier.serial).filter(|unit| unloaded.contains(&unit.name()));
    survey.free_racks(carrier) + leaving.map(|unit| unit.class.tonnage).sum::<u32>()
}

/// Most free racks, then highest operational rating, then largest tonnage, then by handle.
fn roomiest<'a>(carriers: &[&'a Unit], free: &BTreeMap<Serial, u32>) -> Option<&'a Unit> {
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
