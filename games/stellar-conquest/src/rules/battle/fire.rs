//! Rule 12.3: target selection by standing orders.

use crate::state::{Battle, FirePolicy, SeatView, Shot, Side, Unit, UnitId};
use crate::tables::{Arm, Odds, ShipKind};

const PROBABILITY_ONE: u64 = 1 << 20;

pub(crate) const fn danger(arm: Arm) -> u8 {
    match arm {
        Arm::Ship(ShipKind::DeathStar) => 5,
        Arm::Ship(ShipKind::Fighter) | Arm::AdvancedMissileBase => 4,
        Arm::Ship(ShipKind::Corvette) | Arm::MissileBase => 3,
        Arm::Ship(ShipKind::Transport) | Arm::Shield => 2,
        Arm::Ship(ShipKind::Scout) => 1,
    }
}

struct Target {
    id: UnitId,
    arm: Arm,
    guns: u32,
    /// The target's probability of survival, out of [`PROBABILITY_ONE`].
    survives: u64,
}

impl SeatView<'_> {
    fn guns(&self, battle: &Battle) -> Vec<(UnitId, Arm)> {
        let own = |(_, unit): &(UnitId, &Unit)| unit.owner == self.seat && self.fires(unit.arm);
        let mut guns: Vec<(UnitId, Arm)> = battle
            .in_line(battle.side(self.seat))
            .filter(own)
            .map(|(id, unit)| (id, unit.arm))
            .collect();
        guns.sort_by_key(|&(id, arm)| (std::cmp::Reverse(danger(arm)), id));
        guns
    }

    fn targets(&self, battle: &Battle) -> Vec<Target> {
        let enemies: Side = battle.side(self.seat).other();
        let target = |(id, unit): (UnitId, &Unit)| Target {
            id,
            arm: unit.arm,
            guns: 0,
            survives: PROBABILITY_ONE,
        };
        let open = battle.in_line(enemies).filter(|(_, unit)| !battle.is_sheltered(unit));
        let mut targets: Vec<Target> = open.map(target).collect();
        targets.sort_by_key(|target| (std::cmp::Reverse(danger(target.arm)), target.id));
        targets
    }

    pub(crate) fn can_hit(&self, battle: &Battle) -> bool {
        let targets = self.targets(battle);
        let hits = |gun: Arm| {
            targets.iter().any(|target| self.table.options.odds(gun, target.arm) != Odds::Never)
        };
        self.guns(battle).into_iter().any(|(_, arm)| hits(arm))
    }

    pub(crate) fn shots_by_policy(&self) -> Vec<Shot> {
        let Some(battle) = self.table.battle.as_deref() else { return Vec::new() };
        let focus = match self.power.standing.fire {
            FirePolicy::Hold => return Vec::new(),
            FirePolicy::Focus => true,
            FirePolicy::Ask | FirePolicy::Spread => false,
        };
        let mut targets = self.targets(battle);
        let mut shots = Vec::new();
        for (by, gun) in self.guns(battle) {
            let odds = |arm| self.table.options.odds(gun, arm);
            let hittable = targets.iter_mut().filter(|target| odds(target.arm) != Odds::Never);
            // Both branches return the first of equal targets, which is the most dangerous one.
            let chosen = if focus {
                hittable.min_by_key(|target| {
                    if target.survives * 2 > PROBABILITY_ONE {
                        0
                    } else {
                        PROBABILITY_ONE - target.survives
                    }
                })
            } else {
                hittable.min_by_key(|target| target.guns)
            };
            let Some(target) = chosen else { continue };
            target.guns += 1;
            target.survives = target.survives * (36 - u64::from(odds(target.arm).of_36())) / 36;
            shots.push(Shot { by, at: target.id });
        }
        shots
    }
}

/// Returns whether reordering identical ships changes nothing (fate 7.2, 8.3): all ships of a type
/// get the same number of shots from each type of unit.
pub(crate) fn is_without_choice(battle: &Battle, shots: &[Shot]) -> bool {
    let arm = |id| battle.unit(id).map(|unit| unit.arm);
    Arm::ALL.into_iter().all(|gun| {
        Arm::ALL.into_iter().all(|kind| {
            let targets = battle.in_line(Side::Attacker).filter(|(_, unit)| unit.arm == kind);
            let mut counts = targets.map(|(id, _)| {
                shots.iter().filter(|shot| shot.at == id && arm(shot.by) == Some(gun)).count()
            });
            let first = counts.next();
            counts.all(|count| Some(count) == first)
        })
    })
}

impl SeatView<'_> {
    pub(crate) fn fires(&self, arm: Arm) -> bool {
        match arm {
            Arm::Ship(kind) => self.table.options.is_warship(kind),
            Arm::MissileBase | Arm::AdvancedMissileBase => true,
            Arm::Shield => false,
        }
    }
}
