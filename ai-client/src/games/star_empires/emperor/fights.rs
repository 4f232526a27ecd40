//! Decisions to fight, stay or leave.

use heliopause_kernel::SeatSet;
use heliopause_star_empires::{Coord, Name};

use super::missile_stock;
use super::plan::Plan;
use super::strikes::{is_warship, nearest_own_world};
use crate::games::star_empires::strength::Force;
use crate::games::star_empires::survey::Unit;
use crate::games::star_empires::volley::sequence;

pub(super) fn fights(plan: &mut Plan<'_>) {
    let shared: Vec<Coord> = plan
        .survey
        .loose
        .keys()
        .copied()
        .filter(|at| plan.survey.foreign.contains_key(at))
        .collect();
    for at in shared {
        let hostile = |unit: &&Unit| plan.survey.is_hostile(unit.owner);
        let foes: Vec<Unit> = plan.survey.foreign_at(at).iter().filter(hostile).copied().collect();
        if foes.is_empty() {
            continue;
        }
        let own: Vec<Unit> =
            plan.survey.loose_at(at).chain(plan.survey.loaded_at(at)).copied().collect();
        let armed = Force::of(own.iter().filter(|unit| unit.is_armed()));
        if plan.worlds.contains(&at) || is_worth_it(armed, Force::of(&foes)) {
            fight(plan, &own, &foes);
        } else {
            leave(plan, at, &own, &foes);
        }
    }
}

/// Returns whether to fight. A somewhat weaker force fights too, because combat comes before
/// movement, and loaded ships are lost with their carrier.
fn is_worth_it(own: Force, foes: Force) -> bool {
    own.beats(foes) || own.weight() * 2 >= foes.weight()
}

fn fight(plan: &mut Plan<'_>, own: &[Unit], foes: &[Unit]) {
    let armed: Vec<Unit> = own.iter().filter(|unit| unit.is_armed()).copied().collect();
    let loaded: Vec<Name> = armed.iter().filter(|unit| !unit.is_loose()).map(Unit::name).collect();
    plan.lines.unload(&loaded);
    let guns = armed.iter().map(|unit| u32::from(unit.guns())).sum();
    let attackers: Vec<Unit> =
        armed.iter().chain(missile_stock::ready(own, guns, foes)).copied().collect();
    shoot(plan, &attackers, foes);
    for unit in own {
        plan.commit(unit);
    }
}

fn leave(plan: &mut Plan<'_>, at: Coord, own: &[Unit], foes: &[Unit]) {
    let loose = || own.iter().filter(|unit| unit.is_loose());
    let fixed: Vec<Unit> =
        loose().filter(|unit| unit.engines() == 0 && unit.is_armed()).copied().collect();
    shoot(plan, &fixed, foes);
    for unit in &fixed {
        plan.commit(unit);
    }
    let home = nearest_own_world(plan, at);
    for unit in loose().filter(|unit| is_warship(unit)) {
        if let Some(leg) = home.and_then(|home| plan.leg(at, home, unit.engines(), unit.dp)) {
            plan.travel(&[*unit], leg);
        }
    }
}

fn shoot(plan: &mut Plan<'_>, attackers: &[Unit], foes: &[Unit]) {
    let names: Vec<Name> = attackers.iter().map(Unit::name).collect();
    let owners: SeatSet = foes.iter().map(|unit| unit.owner).collect();
    for owner in sequence(foes, owners) {
        if let Some(target) = plan.survey.empire_name(owner) {
            plan.lines.fire(&names, target);
        }
    }
}
