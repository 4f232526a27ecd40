//! Who stays to hold the worlds: without a ship that can shoot a world is lost (6.3.6).

use heliopause_star_empires::{Coord, WorldSeen};

use super::plan::Plan;
use crate::games::star_empires::strength::Force;
use crate::games::star_empires::survey::Unit;

/// How far ahead an attack is feared: what is so near can arrive within a turn.
pub(super) const ALARM: u32 = 3;
/// Guns and damage points that every world has at least, so that a scout does not take it.
const LEAST: u32 = 15;

/// Keeps what each world needs.
pub(super) fn hold(plan: &mut Plan<'_>) {
    let worlds: Vec<WorldSeen> = plan.survey.own_worlds().copied().collect();
    for world in worlds {
        let mut missing = wanted(plan, &world);
        let mut crew: Vec<Unit> =
            plan.free_at(world.at).into_iter().filter(Unit::is_armed).collect();
        // Whoever cannot go anyway stays first, then wings, which could ride; the cheapest before
        // the others.
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

/// How strong the garrison of a world should be, guns and damage points together.
pub(super) fn wanted(plan: &Plan<'_>, world: &WorldSeen) -> u32 {
    let threat = plan.threat(world.at, ALARM);
    let answered = u64::from(threat.guns + threat.dp) * u64::from(plan.doctrine.alarm) / 100;
    LEAST
        + world.production.min(100) * plan.survey.view.turn.min(40) / 4
        + answered.min(1 << 30) as u32
}

/// What is there that stays: ships without engines.
pub(super) fn present(plan: &Plan<'_>, at: Coord) -> u32 {
    plan.survey.loose_at(at).filter(|unit| unit.engines() == 0 && unit.is_armed()).map(points).sum()
}

fn points(unit: &Unit) -> u32 {
    let force = Force::one(unit);
    force.guns + force.dp
}
