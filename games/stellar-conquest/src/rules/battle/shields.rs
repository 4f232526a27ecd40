//! Space 1.1: shields that can be shot down, and tractor beams. Optional in every variant.

use heliopause_kernel::SeatSet;

use crate::rules::battle::assault::after_bombardment;
use crate::rules::battle::round::{fire, remove_ships};
use crate::rules::battle::stages::Step;
use crate::rules::campaign::hooks::battle::after_limited_round;
use crate::rules::campaign::hooks::losses::count_destroyed;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::{Battle, BattleEvent, OwnEvent, SeatView, ShieldState, Shot, Side, UnitId};
use crate::tables::{Arm, PlanetId, StarId};

impl SeatView<'_> {
    pub(crate) fn judge_beam(&self, battle: &Battle, shot: Shot) -> Verdict {
        let own = battle
            .beams()
            .find(|(id, _)| *id == shot.by)
            .filter(|(_, unit)| unit.owner == self.seat);
        if own.is_none() {
            return refuse!("no-beam", by = shot.by.0);
        }
        let prey = battle
            .fighting(Side::Attacker)
            .any(|(id, unit)| id == shot.at && unit.ship().is_some());
        if !prey {
            return refuse!("no-prey", at = shot.at.0);
        }
        Ok(())
    }

    pub(crate) fn beams_by_policy(&self, battle: &Battle) -> Vec<Shot> {
        let mut prey: Vec<(UnitId, Arm)> =
            battle.fighting(Side::Attacker).map(|(id, unit)| (id, unit.arm)).collect();
        prey.sort_by_key(|&(id, arm)| {
            (std::cmp::Reverse(crate::rules::battle::fire::danger(arm)), id)
        });
        let own = battle.beams().filter(|(_, unit)| unit.owner == self.seat);
        own.zip(prey).map(|((by, _), (at, _))| Shot { by, at }).collect()
    }
}

pub(crate) fn after_assault(referee: &mut Referee<'_>) -> Option<Step> {
    let waiting: SeatSet = referee.battle().beams().map(|(_, unit)| unit.owner).collect();
    if waiting.is_empty() { after_beams(referee) } else { Some(Step::Missed { waiting }) }
}

pub(crate) fn seize(referee: &mut Referee<'_>, shots: &[Shot], waiting: SeatSet) -> Option<Step> {
    if !shots.is_empty() {
        let battle = referee.battle().clone();
        let mut destroyed: Vec<UnitId> = Vec::new();
        let mut volleys = Vec::with_capacity(shots.len());
        for &shot in shots {
            let volley = fire(referee, &battle, shot, destroyed.contains(&shot.at));
            if volley.hit {
                destroyed.push(shot.at);
            }
            volleys.push(volley);
        }
        destroyed.sort_unstable();
        referee.publish_battle(BattleEvent::Seized {
            volleys: volleys.clone(),
            destroyed: destroyed.clone(),
        });
        count_destroyed(referee, &battle, &volleys, &destroyed);
        remove_ships(referee, &battle, &destroyed);
    }
    if waiting.is_empty() { after_beams(referee) } else { Some(Step::Missed { waiting }) }
}

fn after_beams(referee: &mut Referee<'_>) -> Option<Step> {
    let battle = referee.battle();
    let (attacker, star) = (battle.attacker, StarId::in_hex(battle.at));
    let out = |shield: &&ShieldState| shield.holds_out();
    let held: Vec<u8> = battle.shields.iter().filter(out).map(|shield| shield.planet).collect();
    for nth in held {
        let Some(planet) = star.map(|star| PlanetId { star, nth }) else { continue };
        if !referee.power(attacker).repelled.contains(&planet) {
            referee.publish_to_owner(OwnEvent::Repelled { seat: attacker, planet, rounds: 2 });
        }
    }
    if referee.battle().last_round.is_some() {
        Some(after_limited_round(referee))
    } else {
        after_bombardment(referee)
    }
}
