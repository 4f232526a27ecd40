//! Garrisons of worlds. A world without an armed ship is lost (6.3.6).

use heliopause_star_empires::{Coord, WorldSeen};

use super::plan::Plan;
use crate::games::star_empires::strength::Force;
use crate::games::star_empires::survey::Unit;

/// Distance in sectors from which ships can arrive within a turn.
pub(super) const THREAT_RANGE: u32 = 3;
/// Minimum sum of guns and damage points, so that a scout cannot take the world.
const MIN_GARRISON: u32 = 15;

pub(super) fn hold(plan: &mut Plan<'_>) {
    let worlds: Vec<WorldSeen> = plan.survey.own_worlds().copied().collect();
    for world in worlds {
        let mut missing = wanted(plan, &world);
        let mut crew: Vec<Unit> =
            plan.free_at(world.at).into_iter().filter(Unit::is_armed).collect();
        // Wings come after larger ships because carriers can transport them.
        crew.sort_by_key(|unit| {
            (unit.engines() > 0, unit.class.tonnage <= 1, unit.class.cost, unit.serial)
        });
        let mut held = false;
        for unit in crew {
            let fixed = unit.engines() == 0;
            if !held || (fixed && missing > 0) {
                held = true;
                missing = missing.saturating_sub(points(&unit));
                plan.commit(&unit);
            }
        }
    }
}

/// Returns the required sum of guns and damage points for a world's garrison.
pub(super) fn wanted(plan: &Plan<'_>, world: &WorldSeen) -> u32 {
    let threat = plan.threat(world.at, THREAT_RANGE);
    let answered =
        u64::from(threat.guns + threat.dp) * u64::from(plan.doctrine.threat_response) / 100;
    MIN_GARRISON
        + world.production.min(100) * plan.survey.view.turn.min(40) / 4
        + answered.min(1 << 30) as u32
}

pub(super) fn present(plan: &Plan<'_>, at: Coord) -> u32 {
    plan.survey.loose_at(at).filter(|unit| unit.engines() == 0 && unit.is_armed()).map(points).sum()
}

fn points(unit: &Unit) -> u32 {
    let force = Force::one(unit);
    force.guns + force.dp
}
