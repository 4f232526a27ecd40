//! Fate 7: combat with pirates.

use std::collections::BTreeMap;

use crate::rules::inspection::sight;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::battle::{Battle, Shot, Side, Subject, Unit, UnitId};
use crate::state::campaign::fate::{Fate, FateEvent};
use crate::state::event::{Cause, OwnEvent};
use crate::state::power::Sighting;
use crate::state::ship::ShipNumber;
use crate::tables::attack_table::Arm;
use crate::tables::board::{Direction, Place};
use crate::tables::fate::{difference, disengagement_number};
use crate::tables::ships::ShipKind;

/// Guns fire at the ships of an order one after the other, and begin again with the first when all
/// have a shot (7.2, 8.3, FR-26). Nobody fires if there is none.
pub(super) fn in_turn(guns: &[UnitId], order: &[UnitId]) -> Vec<Shot> {
    guns.iter().zip(order.iter().cycle()).map(|(&by, &at)| Shot { by, at }).collect()
}

/// The Captain-General's ships in a battle, kind after kind, then by their place in the line.
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

/// What a volley is, whichever of alike guns fires, and whichever of alike ships is the first of
/// them.
#[derive(PartialEq, Eq)]
struct Pattern {
    /// Who fires.
    guns: Vec<UnitId>,
    /// How many shots the targets of a kind get from guns of a kind, by both kinds; fewest first.
    shares: BTreeMap<(Arm, Arm), Vec<u32>>,
}

impl Pattern {
    /// Nothing if anybody fires at what is no target.
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

/// 7.2, 8.3: whether shots differ from the prescribed ones in the order of alike ships alone, for
/// each kind of gun.
pub(super) fn is_as_prescribed(battle: &Battle, prescribed: &[Shot], shots: &[Shot]) -> bool {
    // A gun named twice makes the lists of guns differ.
    Pattern::of(battle, shots)
        .is_some_and(|pattern| Some(pattern) == Pattern::of(battle, prescribed))
}

/// Which targets of the prescribed shots may be exchanged for each other, with the guns that fire
/// at them: alike ships, for each kind of gun. Where there is but one ship there is nothing to
/// choose.
pub(crate) fn alike(battle: &Battle, prescribed: &[Shot]) -> Vec<AlikeTargets> {
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
            alike.push(AlikeTargets { ships, guns });
        }
    }
    alike
}

/// 7.2: at what pirate corvettes fire, the first unit of a type first.
pub(crate) fn default_shots(battle: &Battle) -> Vec<Shot> {
    let corvette =
        |unit: &Unit| unit.owner == Fate::pirates() && unit.ship() == Some(ShipKind::Corvette);
    let guns =
        battle.all().filter(|(_, unit)| unit.is_fighting() && corvette(unit)).map(|(id, _)| id);
    let guns: Vec<UnitId> = guns.collect();
    let prey = targets(battle, &[ShipKind::Fighter, ShipKind::Corvette, ShipKind::Scout]);
    // Transports are shot at only when there is nothing else, not even a death star, which no
    // corvette can hurt.
    if prey.is_empty() && targets(battle, &[ShipKind::DeathStar]).is_empty() {
        return in_turn(&guns, &targets(battle, &[ShipKind::Transport]));
    }
    in_turn(&guns, &prey)
}

/// 7.2, 12: whether shots differ from the prescribed ones in the order of ships of one type alone.
pub(crate) fn judge_shots(battle: &Battle, shots: &[Shot]) -> Verdict {
    if is_as_prescribed(battle, &default_shots(battle), shots) {
        return Ok(());
    }
    refuse(
        "not-prescribed",
        "fate-7.2",
        "Every corvette fires: at fighters, then corvettes, then scouts, one each as long as there \
         are enough of them.",
    )
}

/// Names the round of a battle for its dice.
fn name_of_round(battle: &Battle) -> u64 {
    ((battle.at.index() as u64) << 16) | u64::from(battle.rounds)
}

/// 7.6: rolls for disengagement; says whether the pirates left, which ends the battle. Nothing in
/// attacks on planets.
pub(crate) fn fate_disengage(referee: &mut Referee<'_>) -> bool {
    let Some(battle) = referee.table().battle.as_deref() else { return false };
    let (imperial, pirates) = (battle.fleet(Side::Attacker), battle.fleet(Side::Defender));
    if battle.subject != Subject::Ships || imperial.is_empty() || pirates.is_empty() {
        return false;
    }
    let (at, round) = (battle.at, name_of_round(battle));
    let difference = difference(imperial, pirates);
    let decided = decisions(referee);
    let die = referee.roll("disengagement", round, decided);
    let leave = die <= disengagement_number(difference);
    referee.proclaim(FateEvent::DisengagementRolled { at, difference, die, leave });
    if leave {
        pirates_leave(referee, at);
    }
    leave
}

/// 7.6: all pirates of a hex leave the game. They count nothing.
fn pirates_leave(referee: &mut Referee<'_>, at: Place) {
    let seat = Fate::pirates();
    let ships: Vec<ShipNumber> = referee.power(seat).ships_at(at).map(|ship| ship.number).collect();
    referee.whisper(OwnEvent::ShipsLost { seat, ships, cause: Cause::Disengaged });
    referee.show_groups(seat, at);
    sight_pirates(referee, at);
}

/// 7.5, FR-8: a die for the direction in which beaten ships withdraw, rolled again while it points
/// off the board.
pub(crate) fn fate_roll_refuge(referee: &mut Referee<'_>) -> Option<Place> {
    let battle = referee.table().battle.as_deref()?;
    let (at, round) = (battle.at, name_of_round(battle));
    // Room for more rolls than anybody will see.
    let mut nth = decisions(referee).wrapping_mul(256);
    loop {
        let direction = Direction::of_die(referee.roll("refuge", round, nth));
        referee.proclaim(FateEvent::DirectionRolled { at, direction });
        if let Some(refuge) = at.step(direction) {
            return Some(refuge);
        }
        nth = nth.wrapping_add(1);
    }
}

/// How much was decided so far. A second battle in a hex (BR-11) begins its rounds anew; this tells
/// their dice apart.
fn decisions(referee: &Referee<'_>) -> u32 {
    referee.game.decided.iter().fold(0, |sum: u32, &count| sum.wrapping_add(count))
}

/// Ships of one type, among which guns of one kind may choose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AlikeTargets {
    /// The ships that are fired at.
    pub ships: Vec<UnitId>,
    /// The units that fire at them.
    pub guns: Vec<UnitId>,
}

/// 6.2: the Captain-General sees the pirates of a hex, or that there are none any more.
pub(crate) fn sight_pirates(referee: &mut Referee<'_>, at: Place) {
    let of = Fate::pirates();
    let sighting =
        Sighting { at, of, fleet: referee.power(of).fleet_at(at), turn: referee.table().turn };
    sight(referee, Fate::captain(), sighting);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::campaign::fate::scenes::{captain, resolve};
    use crate::rules::campaign::seams::losses::after_losses;
    use crate::state::battle::{BattleStage, Condition};
    use crate::state::event::{BattleEvent, Event};
    use crate::tables::ships::Fleet;
    use crate::tables::ships::ShipKind::{Corvette, DeathStar, Fighter, Scout, Transport};
    use crate::testing::{Scene, fleet, place};

    /// A battle at Hydrae. The line is in the order that is given, the Captain-General's ships
    /// first.
    fn battle(imperial: &[(ShipKind, u32)], pirates: &[(ShipKind, u32)]) -> Battle {
        let mut units = Vec::new();
        for (owner, ships) in [(Fate::captain(), imperial), (Fate::pirates(), pirates)] {
            for &(kind, count) in ships {
                let unit = Unit {
                    owner,
                    arm: Arm::Ship(kind),
                    planet: None,
                    condition: Condition::Fighting,
                };
                units.extend(std::iter::repeat_n(unit, count as usize));
            }
        }
        Battle {
            at: place("P18"),
            attacker: Fate::captain(),
            subject: Subject::Ships,
            rounds: 1,
            units,
            shots: Vec::new(),
            refuges: [None; 2],
            leaving: Vec::new(),
            stage: BattleStage::AttackerAims,
            pursuits: Vec::new(),
            shields: Vec::new(),
            limit: None,
        }
    }

    fn kinds(battle: &Battle, shots: &[Shot]) -> Vec<ShipKind> {
        shots.iter().map(|shot| battle.unit(shot.at).and_then(Unit::ship).unwrap()).collect()
    }

    fn aimed(imperial: &[(ShipKind, u32)], pirates: u32) -> Vec<ShipKind> {
        let battle = battle(imperial, &[(Corvette, pirates)]);
        let shots = default_shots(&battle);
        assert!(judge_shots(&battle, &shots).is_ok());
        kinds(&battle, &shots)
    }

    #[test]
    fn ft_16_all_fire_at_a_lone_scout() {
        assert_eq!(aimed(&[(Scout, 1)], 3), [Scout; 3]);
    }

    #[test]
    fn ft_17_fighters_then_corvettes_then_scouts() {
        let line = [(Scout, 1), (Transport, 3), (Corvette, 2), (Fighter, 1)];
        assert_eq!(aimed(&line, 5), [Fighter, Corvette, Corvette, Scout, Fighter]);
        assert_eq!(aimed(&line, 2), [Fighter, Corvette]);
        assert!(aimed(&[(Transport, 3), (DeathStar, 2)], 4).is_empty(), "they hold their fire");
        assert_eq!(aimed(&[(Transport, 3)], 2), [Transport; 2]);
        let battle = battle(&[(Transport, 3)], &[(Corvette, 2)]);
        assert_eq!(default_shots(&battle).iter().map(|shot| shot.at.0).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn fr_26_no_third_shot_before_everybody_has_two() {
        let battle = battle(&[(Corvette, 2), (Fighter, 1)], &[(Corvette, 7)]);
        let shots = default_shots(&battle);
        let count = |unit| shots.iter().filter(|shot| shot.at == UnitId(unit)).count();
        assert_eq!([0, 1, 2].map(count), [2, 2, 3]);
    }

    #[test]
    fn fate_7_2_pirate_scouts_and_the_dead_do_not_fire() {
        let mut battle = battle(&[(Corvette, 1)], &[(Scout, 2), (Corvette, 2)]);
        battle.set(UnitId(4), Condition::Destroyed);
        assert_eq!(default_shots(&battle), [Shot { by: UnitId(3), at: UnitId(0) }]);
    }

    #[test]
    fn fate_7_2_pirates_choose_among_alike_ships_alone() {
        let battle = battle(&[(Scout, 1), (Corvette, 2), (Fighter, 1)], &[(Corvette, 2)]);
        let [scout, first, second, fighter, one, two] = [0, 1, 2, 3, 4, 5].map(UnitId);
        let judge = |shots: &[(UnitId, UnitId)]| {
            let shots: Vec<Shot> = shots.iter().map(|&(by, at)| Shot { by, at }).collect();
            judge_shots(&battle, &shots).is_ok()
        };
        assert!(judge(&[(one, fighter), (two, first)]));
        assert!(judge(&[(one, second), (two, fighter)]));
        assert!(!judge(&[(one, fighter), (two, scout)]));
        assert!(!judge(&[(one, first), (two, second)]), "the fighter comes first");
        assert!(!judge(&[(one, fighter), (two, fighter)]), "one each");
        assert!(!judge(&[(one, fighter)]) && !judge(&[]), "all of them fire");
        assert!(!judge(&[(one, fighter), (one, first)]) && !judge(&[(one, fighter), (two, one)]));
        assert!(!judge(&[(one, fighter), (two, UnitId(99))]));
        let groups = alike(&battle, &default_shots(&battle));
        assert_eq!(groups, [AlikeTargets { ships: vec![first, second], guns: vec![two] }]);
    }

    #[test]
    fn fate_7_2_surplus_shots_go_to_any_of_the_alike_ships() {
        let battle = battle(&[(Corvette, 2)], &[(Corvette, 3)]);
        let judge = |targets: [u16; 3]| {
            let shots: Vec<Shot> = (2..)
                .zip(targets)
                .map(|(by, at)| Shot { by: UnitId(by), at: UnitId(at) })
                .collect();
            judge_shots(&battle, &shots).is_ok()
        };
        assert!(judge([0, 1, 0]) && judge([1, 1, 0]));
        assert!(!judge([0, 0, 0]), "no third shot at one ship while the other has none");
    }

    /// Rolls for disengagement after a round with these survivors.
    fn disengage(
        imperial: &[(ShipKind, u32)],
        pirates: &[(ShipKind, u32)],
        die: u32,
    ) -> (Scene, bool) {
        let mut scene = Scene::fate().script([die]);
        scene.ships(captain(), "P18", imperial);
        scene.ships(Fate::pirates(), "P18", pirates);
        scene
            .happen(&Event::Battle(BattleEvent::BattleBegan { battle: battle(imperial, pirates) }));
        let mut left = false;
        resolve(&mut scene, |referee| left = fate_disengage(referee));
        let expected = if left { Fleet::NONE } else { fleet(pirates) };
        assert_eq!(scene.power(Fate::pirates()).fleet_at(place("P18")), expected);
        (scene, left)
    }

    #[test]
    fn ft_18_half_points_are_dropped_from_the_difference() {
        let (imperial, pirates) = ([(Scout, 2), (Corvette, 3)], [(Scout, 1), (Corvette, 2)]);
        assert!(disengage(&imperial, &pirates, 2).1);
        assert!(!disengage(&imperial, &pirates, 3).1);
    }

    #[test]
    fn ft_19_a_lone_scout_counts_nothing() {
        assert!(disengage(&[(Scout, 1)], &[(Corvette, 1)], 1).1);
        assert!(!disengage(&[(Scout, 1)], &[(Corvette, 1)], 2).1);
        assert!(disengage(&[(Scout, 2)], &[(Scout, 1)], 2).1);
        assert!(!disengage(&[(Scout, 2)], &[(Scout, 1)], 3).1);
    }

    #[test]
    fn ft_20_pirates_that_leave_count_nothing() {
        let (scene, left) = disengage(&[(Corvette, 3), (Fighter, 4)], &[(Corvette, 1)], 6);
        assert!(left);
        assert_eq!(scene.fate_state().destroyed, Fleet::NONE);
        assert!(scene.power(captain()).sightings.iter().all(|sighting| sighting.fleet.is_empty()));
        assert!(!scene.game.table().has_ships(Fate::pirates(), place("P18")));
    }

    #[test]
    fn fate_7_6_nobody_rolls_in_an_attack_on_a_planet_or_against_nobody() {
        let mut scene = Scene::fate().script([1]);
        assert!(resolve(&mut scene, |referee| assert!(!fate_disengage(referee))).is_empty());
        let colonies = Subject::Colonies { planets: vec![0] };
        let attack = Battle { subject: colonies, ..battle(&[(Corvette, 1)], &[]) };
        scene.happen(&Event::Battle(BattleEvent::BattleBegan { battle: attack }));
        assert!(resolve(&mut scene, |referee| assert!(!fate_disengage(referee))).is_empty());
    }

    #[test]
    fn fr_8_the_direction_is_rolled_again_while_it_points_off_the_board() {
        let mut scene = Scene::fate().script([1, 6, 3]);
        let at = place("A1");
        scene.happen(&Event::Battle(BattleEvent::BattleBegan {
            battle: Battle { at, ..battle(&[(Scout, 1)], &[(Corvette, 1)]) },
        }));
        let mut refuge = None;
        let told = resolve(&mut scene, |referee| refuge = fate_roll_refuge(referee));
        assert_eq!((refuge, told.len()), (Some(place("B1")), 3));
    }

    #[test]
    fn fate_7_8_destroyed_pirates_score_at_once_and_transports_cost_nothing() {
        let mut scene = Scene::fate();
        resolve(&mut scene, |referee| {
            after_losses(referee, Fate::pirates(), fleet(&[(Scout, 2), (Corvette, 4)]));
            after_losses(referee, captain(), fleet(&[(Transport, 4), (Corvette, 1)]));
        });
        let score = scene.fate_state().score(scene.power(captain()));
        assert_eq!((score.pirates, score.losses), (14, -5));
    }
}
