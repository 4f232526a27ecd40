//! Decisions on which ships fight, self-destruct or retreat (notes 15, steps 1 to 4).

use std::collections::BTreeSet;

use heliopause_kernel::SeatSet;
use heliopause_star_empires::{Coord, Name};

use crate::games::star_empires::survey::{Survey, Unit};
use crate::games::star_empires::volley::{destroys_all, sequence, sort_as_targets};

#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) unload: Vec<Name>,
    pub(super) destruct: Vec<Name>,
    pub(super) fire: Vec<(Vec<Name>, Name)>,
    pub(super) retreat: Vec<Unit>,
    pub(super) contested: BTreeSet<Coord>,
    /// Empires that are targets at worlds. They are also targets in open sectors (R71).
    targeted: SeatSet,
}

impl Plan {
    pub(super) fn new(survey: &Survey<'_>) -> Self {
        let mut plan = Self::default();
        for &at in survey.loose.keys() {
            if survey.own.chart.world_at(at).is_none() {
                continue;
            }
            if is_friendly(survey, at) {
                plan.at_friendly_world(survey, at);
            } else {
                plan.at_foreign_world(survey, at);
            }
        }
        for &at in survey.loose.keys() {
            if survey.own.chart.world_at(at).is_none() {
                plan.in_open_sector(survey, at);
            }
        }
        plan
    }

    /// Unloads all armed ships and fires with them (step 1). Missiles stay loaded (R72).
    fn at_friendly_world(&mut self, survey: &Survey<'_>, at: Coord) {
        self.unload.extend(survey.loaded_at(at).filter(|unit| unit.is_armed()).map(Unit::name));
        let attackers =
            survey.loose_at(at).chain(survey.loaded_at(at)).filter(|unit| unit.is_armed());
        let attackers: Vec<Name> = attackers.map(Unit::name).collect();
        let enemies = enemies(survey, at);
        self.fire(survey, at, &attackers, enemies);
    }

    /// Fights if all enemies can be destroyed (step 2, R70). Otherwise self-destructs doomed ships,
    /// fires back, or leaves.
    fn at_foreign_world(&mut self, survey: &Survey<'_>, at: Coord) {
        let enemies = enemies(survey, at);
        if self.win(survey, at, enemies) {
            return;
        }
        let doomed = doomed(survey, at, enemies);
        let names: BTreeSet<Name> = doomed.iter().map(Unit::name).collect();
        let rest: Vec<Unit> =
            survey.loose_at(at).filter(|unit| !names.contains(&unit.name())).copied().collect();
        let avenged = enemies.intersection(survey.own.status.attacked_by);
        let stays = |unit: &Unit| {
            unit.engines() == 0 || (doomed.is_empty() && !avenged.is_empty() && unit.is_armed())
        };
        let (staying, going): (Vec<Unit>, Vec<Unit>) = rest.into_iter().partition(stays);
        let attackers: Vec<Name> =
            staying.iter().filter(|unit| unit.is_armed()).map(Unit::name).collect();
        self.fire(survey, at, &attackers, avenged);
        self.destruct.extend(doomed.iter().map(Unit::name));
        self.retreat.extend(going);
    }

    fn win(&mut self, survey: &Survey<'_>, at: Coord, enemies: SeatSet) -> bool {
        let targets = targets(survey, at, enemies);
        if targets.is_empty() {
            return false;
        }
        let armed =
            || survey.loose_at(at).chain(survey.loaded_at(at)).filter(|unit| unit.is_armed());
        let guns = armed().map(|unit| u32::from(unit.guns())).sum();
        let missiles: Vec<Unit> =
            survey.loaded_at(at).filter(|unit| unit.is_missile()).copied().collect();
        let Some(used) = destroys_all(guns, &missiles, &targets, enemies) else { return false };
        self.unload.extend(armed().filter(|unit| !unit.is_loose()).map(Unit::name));
        self.unload.extend(&used);
        let attackers: Vec<Name> = armed().map(Unit::name).chain(used).collect();
        self.fire(survey, at, &attackers, enemies);
        true
    }

    /// Fires at empires that are targets elsewhere (step 3, R71). Ships without targets hold for a
    /// turn and then go home, unless they are scouts (R73).
    fn in_open_sector(&mut self, survey: &Survey<'_>, at: Coord) {
        let wanted = self.targeted.union(survey.own.status.attacked_by);
        let enemies = enemies(survey, at).intersection(wanted);
        if !enemies.is_empty() {
            let attackers: Vec<Name> =
                survey.loose_at(at).filter(|unit| unit.is_armed()).map(Unit::name).collect();
            self.shoot(survey, at, &attackers, enemies);
        } else if survey.own.status.abandoned_turns >= 2 {
            let scouts = |unit: &&Unit| unit.class.ratings.scan >= 3;
            self.retreat
                .extend(survey.loose_at(at).filter(|unit| !scouts(unit) && unit.engines() > 0));
        }
    }

    fn fire(&mut self, survey: &Survey<'_>, at: Coord, attackers: &[Name], at_whom: SeatSet) {
        self.targeted =
            self.targeted.union(if attackers.is_empty() { SeatSet::EMPTY } else { at_whom });
        self.shoot(survey, at, attackers, at_whom);
    }

    fn shoot(&mut self, survey: &Survey<'_>, at: Coord, attackers: &[Name], at_whom: SeatSet) {
        let targets = targets(survey, at, at_whom);
        if attackers.is_empty() || targets.is_empty() {
            return;
        }
        self.contested.insert(at);
        for empire in sequence(&targets, at_whom) {
            self.fire.extend(survey.empire_name(empire).map(|name| (attackers.to_vec(), name)));
        }
    }
}

/// Returns the other empires in a sector, except allies that have not shot at the empire.
fn enemies(survey: &Survey<'_>, at: Coord) -> SeatSet {
    let shot_by = survey.own.status.attacked_by;
    let is_enemy = |unit: &&Unit| survey.is_hostile(unit.owner) || shot_by.contains(unit.owner);
    survey.foreign_at(at).iter().filter(is_enemy).map(|unit| unit.owner).collect()
}

fn targets(survey: &Survey<'_>, at: Coord, among: SeatSet) -> Vec<Unit> {
    survey.foreign_at(at).iter().filter(|unit| among.contains(unit.owner)).copied().collect()
}

/// Returns whether the empire owns a world, or will take it by 6.3.6 (R69).
fn is_friendly(survey: &Survey<'_>, at: Coord) -> bool {
    let Some(world) = survey.own.chart.world_at(at) else { return false };
    if world.owner == Some(survey.me) {
        return true;
    }
    let enemies = enemies(survey, at);
    let contested = targets(survey, at, enemies).iter().any(Unit::is_armed);
    let held = || survey.loose_at(at).chain(survey.loaded_at(at)).any(Unit::is_armed);
    world.owner.is_none() && !contested && held()
}

/// Returns the ships that the enemies' guns can destroy (step 2b).
fn doomed(survey: &Survey<'_>, at: Coord, enemies: SeatSet) -> Vec<Unit> {
    let ships =
        survey.loose_at(at).filter(|unit| !unit.is_missile() && unit.class.name != survey.starbase);
    let mut ships: Vec<Unit> = ships.copied().collect();
    sort_as_targets(&mut ships);
    let shooting = targets(survey, at, enemies).into_iter().filter(|unit| !unit.is_missile());
    let mut guns: u32 = shooting.map(|unit| u32::from(unit.guns())).sum();
    let dies = |unit: &Unit| match guns.checked_sub(u32::from(unit.dp)) {
        Some(left) => {
            guns = left;
            true
        }
        None => false,
    };
    let count = ships.iter().map(dies).take_while(|&dies| dies).count();
    ships.truncate(count);
    ships
}
