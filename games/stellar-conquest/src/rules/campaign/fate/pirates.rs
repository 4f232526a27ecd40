//! Fate 7: combat with pirates.

use std::collections::BTreeMap;

use crate::rules::inspection::sight;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::{
    Battle, Cause, Fate, FateEvent, ShipNumber, Shot, Side, Sighting, Subject, Unit, UnitId,
};
use crate::tables::fate::{difference, disengagement_number};
use crate::tables::{Arm, Direction, Place, ShipKind};

/// Assigns guns to targets in turn, restarting with the first target (7.2, 8.3, FR-26).
pub(super) fn assign_in_turn(guns: &[UnitId], order: &[UnitId]) -> Vec<Shot> {
    guns.iter().zip(order.iter().cycle()).map(|(&by, &at)| Shot { by, at }).collect()
}

pub(super) fn targets(battle: &Battle, kinds: &[ShipKind]) -> Vec<UnitId> {
    let mut order = Vec::new();
    for &kind in kinds {
        let alike = battle.all().filter(|(_, unit)| is_target(**unit) && unit.ship() == Some(kind));
        order.extend(alike.map(|(id, _)| id));
    }
    order
}

fn is_target(unit: Unit) -> bool {
    unit.is_fighting() && unit.owner == Fate::captain()
}

/// The shape of a volley, regardless of the order of identical guns and identical targets.
#[derive(PartialEq, Eq)]
struct Pattern {
    guns: Vec<UnitId>,
    /// For each kind of gun and target, the number of shots per target, fewest first.
    shares: BTreeMap<(Arm, Arm), Vec<u32>>,
}

impl Pattern {
    fn of(battle: &Battle, shots: &[Shot]) -> Option<Self> {
        let mut guns: Vec<UnitId> = shots.iter().map(|shot| shot.by).collect();
        guns.sort_unstable();
        let mut counts: BTreeMap<(Arm, Arm, UnitId), u32> = BTreeMap::new();
        for shot in shots {
            let gun = battle.unit(shot.by)?;
            let target = battle.unit(shot.at).filter(|unit| is_target(**unit))?;
            *counts.entry((gun.arm, target.arm, shot.at)).or_default() += 1;
        }
        let mut shares: BTreeMap<(Arm, Arm), Vec<u32>> = BTreeMap::new();
        for ((gun, target, _), count) in counts {
            shares.entry((gun, target)).or_default().push(count);
        }
        for shares in shares.values_mut() {
            shares.sort_unstable();
        }
        Some(Self { guns, shares })
    }
}

/// Returns whether shots match the prescribed ones. Identical guns may be exchanged, and so may the
/// identical targets of one kind of gun (7.2, 8.3).
pub(super) fn matches_prescribed(battle: &Battle, prescribed: &[Shot], shots: &[Shot]) -> bool {
    // A gun named twice makes the lists of guns differ.
    Pattern::of(battle, shots)
        .is_some_and(|pattern| Some(pattern) == Pattern::of(battle, prescribed))
}

/// Returns the identical ships that each kind of gun may exchange as targets.
pub(crate) fn alike(battle: &Battle, prescribed: &[Shot]) -> Vec<InterchangeableTargets> {
    let mut groups: BTreeMap<(Arm, Arm), Vec<UnitId>> = BTreeMap::new();
    for shot in prescribed {
        if let (Some(gun), Some(target)) = (battle.unit(shot.by), battle.unit(shot.at)) {
            groups.entry((gun.arm, target.arm)).or_default().push(shot.by);
        }
    }
    let mut alike = Vec::new();
    for ((_, arm), guns) in groups {
        let ships =
            battle.all().filter(|(_, unit)| is_target(**unit) && unit.arm == arm).map(|(id, _)| id);
        let ships: Vec<UnitId> = ships.collect();
        if ships.len() > 1 {
            alike.push(InterchangeableTargets { ships, guns });
        }
    }
    alike
}

/// Returns the default shots of pirate corvettes, in turn at fighters, corvettes and scouts (7.2).
pub(crate) fn default_shots(battle: &Battle) -> Vec<Shot> {
    let corvette =
        |unit: &Unit| unit.owner == Fate::pirates() && unit.ship() == Some(ShipKind::Corvette);
    let guns =
        battle.all().filter(|(_, unit)| unit.is_fighting() && corvette(unit)).map(|(id, _)| id);
    let guns: Vec<UnitId> = guns.collect();
    let prey = targets(battle, &[ShipKind::Fighter, ShipKind::Corvette, ShipKind::Scout]);
    // Transports are the last choice, even after death stars, which corvettes cannot hit.
    if prey.is_empty() && targets(battle, &[ShipKind::DeathStar]).is_empty() {
        return assign_in_turn(&guns, &targets(battle, &[ShipKind::Transport]));
    }
    assign_in_turn(&guns, &prey)
}

/// Requires the prescribed shots, in which ships of the same type may be exchanged (7.2, 12).
pub(crate) fn judge_shots(battle: &Battle, shots: &[Shot]) -> Verdict {
    if matches_prescribed(battle, &default_shots(battle), shots) {
        return Ok(());
    }
    refuse!("not-prescribed/pirates")
}

fn round_dice_key(battle: &Battle) -> u64 {
    ((battle.at.index() as u64) << 16) | u64::from(battle.rounds)
}

/// Rolls for disengagement, except in attacks on planets (7.6). Returns whether the pirates left.
pub(crate) fn fate_disengage(referee: &mut Referee<'_>) -> bool {
    let Some(battle) = referee.table().battle.as_deref() else { return false };
    let (imperial, pirates) = (battle.fleet(Side::Attacker), battle.fleet(Side::Defender));
    if battle.subject != Subject::Ships || imperial.is_empty() || pirates.is_empty() {
        return false;
    }
    let (at, round) = (battle.at, round_dice_key(battle));
    let difference = difference(imperial, pirates);
    let decided = decisions(referee);
    let die = referee.roll("disengagement", round, decided);
    let leave = die <= disengagement_number(difference);
    referee.publish_fate(FateEvent::DisengagementRolled { at, difference, die, leave });
    if leave {
        pirates_leave(referee, at);
    }
    leave
}

/// Removes all pirates in a hex from the game, without points (7.6).
fn pirates_leave(referee: &mut Referee<'_>, at: Place) {
    let seat = Fate::pirates();
    let ships: Vec<ShipNumber> = referee.power(seat).ships_at(at).map(|ship| ship.number).collect();
    referee.lose_ships(seat, ships, Cause::Disengaged);
    referee.show_groups(seat, at);
    sight_pirates(referee, at);
}

/// Rolls a die for the hex of a withdrawal, and rerolls directions off the board (7.5, FR-8).
/// Returns `None` without a battle.
pub(crate) fn fate_roll_refuge(referee: &mut Referee<'_>) -> Option<Place> {
    let battle = referee.table().battle.as_deref()?;
    let (at, round) = (battle.at, round_dice_key(battle));
    // Each decision has 256 dice numbers, enough for all rerolls.
    let mut nth = decisions(referee).wrapping_mul(256);
    loop {
        let direction = Direction::of_die(referee.roll("refuge", round, nth));
        referee.publish_fate(FateEvent::DirectionRolled { at, direction });
        if let Some(refuge) = at.step(direction) {
            return Some(refuge);
        }
        nth = nth.wrapping_add(1);
    }
}

/// Returns the number of decisions, which keeps the dice of battles in one hex distinct (BR-11).
fn decisions(referee: &Referee<'_>) -> u32 {
    referee.game.decided.iter().fold(0, |sum: u32, &count| sum.wrapping_add(count))
}

/// Ships of one type that the guns of one kind may exchange as targets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InterchangeableTargets {
    pub ships: Vec<UnitId>,
    pub guns: Vec<UnitId>,
}

/// Publishes the pirates in a hex to the Captain-General, even if none are left (6.2).
pub(crate) fn sight_pirates(referee: &mut Referee<'_>, at: Place) {
    let of = Fate::pirates();
    let sighting =
        Sighting { at, of, fleet: referee.power(of).fleet_at(at), turn: referee.table().turn };
    sight(referee, Fate::captain(), sighting);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{BattleEvent, Event};
    use crate::testing::{Scene, place};

    /// No star is at the edge of the board, so that no game gets there.
    #[test]
    fn fr_8_the_direction_is_rolled_again_while_it_points_off_the_board() {
        let mut scene = Scene::fate().script([1, 6, 3]);
        let battle = Battle::new(place("A1"), Fate::captain(), Subject::Ships, Vec::new());
        scene.happen(&Event::Battle(BattleEvent::BattleBegan { battle }));
        let mut referee = Referee::new(&mut scene.game, &mut scene.dice);
        assert_eq!(fate_roll_refuge(&mut referee), Some(place("B1")));
        assert_eq!(scene.dice.take_rolled().len(), 3);
    }
}
