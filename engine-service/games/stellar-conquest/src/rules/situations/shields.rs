//! Space 1: the variations that every game can be played with.

use super::*;
use crate::rules::turn::begin_production;
use crate::state::battle::BattleStage;
use crate::state::colony::{Bases, Colony};
use crate::state::options::Options;
use crate::state::order::Factories;
use crate::state::table::Stage;
use crate::tables::attack_table::Arm;
use crate::testing::seat;
use ShipKind::{Corvette, DeathStar, Fighter, Scout, Transport};

const SHIELDS: Options = Options {
    variant: crate::state::options::Variant::Conquest,
    hidden_posts: false,
    private_battles: false,
    bases_use_improved_weaponry: false,
    attackable_shields: true,
    armed_scouts: false,
    fractional_growth: false,
};

const SCOUTS: Options = Options { attackable_shields: false, armed_scouts: true, ..SHIELDS };

/// Seat 1's ships attack seat 2's colony at Sadir, which has a shield and so many missile bases
/// that hold their fire.
fn assault(ships: &[(ShipKind, u32)], missile: u32, dice: &[u32]) -> Scene {
    let mut scene = Scene::new(SHIELDS, 2).script(dice.iter().copied());
    scene.explored(seat(1), "Sadir", 15);
    let bases = Bases { missile, advanced: 0 };
    scene.colony(seat(2), "Sadir", 1, |colony| Colony {
        bases,
        shield: true,
        factories: 2,
        ..colony
    });
    scene.holds_fire(seat(2));
    scene.ships(seat(1), "O16", ships);
    scene.obeyed(seat(1), Order::EndMovement);
    scene.obeyed(seat(1), attack());
    scene
}

fn attack() -> Order {
    Order::Attack { planets: vec![planet("Sadir", 1)] }
}

fn stage(scene: &Scene) -> BattleStage {
    scene.game.table().battle.as_ref().expect("an attack is under way").stage
}

/// Every ship fires at one unit; the owner keeps the factories if asked.
fn volley(scene: &mut Scene, guns: u16, at: u16) {
    scene.obeyed(seat(1), aim(&(0..guns).map(|gun| (gun, at)).collect::<Vec<_>>()));
    if matches!(
        scene.game.table().battle.as_ref().map(|battle| battle.stage),
        Some(BattleStage::Scuttle { .. })
    ) {
        scene.obeyed(seat(2), Order::Scuttle { factories: Vec::new() });
    }
}

fn colony(scene: &Scene) -> Colony {
    *scene.power(seat(2)).colony(planet("Sadir", 1)).unwrap()
}

#[test]
fn space_1_1_dt_02_five_hits_destroy_a_shield_and_bases_can_be_hit_in_the_next_round() {
    let mut scene = assault(&[(DeathStar, 6)], 1, &[1, 2, 3, 3, 2, 6]);
    // Units 0 to 5 attack, 6 is the base, 7 the shield.
    assert_eq!(scene.refused(seat(1), aim(&[(0, 6)])), "shielded");
    volley(&mut scene, 6, 7);
    assert!(!colony(&scene).shield && colony(&scene).bases.missile == 1);
    scene.obeyed(seat(1), attack());
    assert!(scene.order(seat(1), aim(&[(0, 6)])).is_ok());
}

#[test]
fn space_1_1_dt_03_the_fourth_damage_point_destroys_a_shield() {
    let rounds = [[1, 1, 1, 6, 6], [1, 1, 1, 1, 6], [1, 1, 6, 6, 6], [1, 1, 1, 6, 6]];
    let mut scene = assault(&[(DeathStar, 5)], 1, &[rounds.concat(), vec![1, 1, 1, 6, 6]].concat());
    for _ in rounds {
        volley(&mut scene, 5, 6);
        assert!(colony(&scene).shield);
        scene.obeyed(seat(1), attack());
    }
    volley(&mut scene, 5, 6);
    assert!(!colony(&scene).shield);
}

#[test]
fn space_1_1_a_colony_without_bases_falls_with_its_shield_once_factories_are_burnt() {
    let mut scene = assault(&[(DeathStar, 5)], 0, &[1, 1, 1, 1, 1]);
    scene.obeyed(seat(1), aim(&[(0, 5), (1, 5), (2, 5), (3, 5), (4, 5)]));
    assert!(matches!(stage(&scene), BattleStage::Scuttle { .. }));
    assert!(colony(&scene).is_free());
    scene.obeyed(
        seat(2),
        Order::Scuttle { factories: vec![Factories { planet: planet("Sadir", 1), count: 2 }] },
    );
    assert_eq!((colony(&scene).conqueror(), colony(&scene).factories), (Some(seat(1)), 0));
    assert_eq!(scene.game.table().stage, Stage::Planets);
}

#[test]
fn space_1_1_dt_04_two_rounds_without_a_hit_end_the_attack_after_a_last_beam() {
    let mut scene = assault(&[(Fighter, 2)], 0, &[6, 6, 3, 6, 6, 6]);
    let asks = StandingOrders::default();
    scene.happen(&Event::Own(OwnEvent::StandingChanged { seat: seat(2), standing: asks }));
    volley(&mut scene, 2, 2);
    assert!(matches!(stage(&scene), BattleStage::Beams { .. }));
    assert_eq!(scene.refused(seat(2), aim(&[(2, 2)])), "no-prey");
    assert_eq!(scene.refused(seat(1), aim(&[])), "nothing-asked");
    // A 3 destroys a fighter, as the shot of a death star would.
    scene.obeyed(seat(2), aim(&[(2, 0)]));
    scene.obeyed(seat(2), Order::Scuttle { factories: Vec::new() });
    assert_eq!(scene.power(seat(1)).fleet_at(place("O16")), fleet(&[(Fighter, 1)]));
    scene.obeyed(seat(1), attack());
    scene.obeyed(seat(1), aim(&[(1, 2)]));
    assert!(matches!(stage(&scene), BattleStage::Beams { .. }));
    scene.obeyed(seat(2), aim(&[(2, 1)]));
    scene.obeyed(seat(2), Order::Scuttle { factories: Vec::new() });
    assert_eq!(scene.game.table().stage, Stage::Planets);
    assert_eq!(scene.refused(seat(1), attack()), "repelled");
    scene.turn(2, seat(1));
    assert!(scene.power(seat(1)).repelled.is_empty());
}

#[test]
fn space_1_1_dt_05_a_hit_between_lets_the_attack_go_on() {
    let mut scene = assault(&[(Fighter, 1)], 0, &[6, 1, 6]);
    for _ in 0..3 {
        volley(&mut scene, 1, 1);
        assert_eq!(stage(&scene), BattleStage::GoesOn);
        if scene.game.table().battle.as_ref().unwrap().rounds < 3 {
            scene.obeyed(seat(1), attack());
        }
    }
}

#[test]
fn space_1_1_dt_06_after_the_battle_a_shield_is_whole() {
    let mut scene = assault(&[(DeathStar, 4)], 0, &[1; 12]);
    for round in 0..3 {
        volley(&mut scene, 4, 4);
        assert!(colony(&scene).shield);
        if round < 2 {
            scene.obeyed(seat(1), attack());
        }
    }
    scene.obeyed(seat(1), Order::BreakOff);
    scene.obeyed(seat(1), attack());
    let battle = scene.game.table().battle.as_ref().unwrap();
    assert_eq!(battle.shields, [crate::state::shields::ShieldState::new(1)]);
    assert!(battle.units.iter().any(|unit| unit.arm == Arm::Shield));
}

#[test]
fn space_1_2_dt_07_scouts_fight_and_cannot_hit_fighters() {
    let mut scene = Scene::new(SCOUTS, 2).script([4, 6]);
    scene.ships(seat(1), "O16", &[(Scout, 1)]);
    scene.ships(seat(2), "O16", &[(Corvette, 1)]);
    scene.holds_fire(seat(2));
    scene.explored(seat(1), "Sadir", 15);
    scene.obeyed(seat(1), Order::EndMovement);
    scene.obeyed(seat(1), aim(&[(0, 1)]));
    assert!(scene.power(seat(2)).ships.is_empty());
    let mut scene = Scene::new(SCOUTS, 2);
    scene.ships(seat(1), "O16", &[(Scout, 1)]);
    scene.ships(seat(2), "O16", &[(Fighter, 1)]);
    scene.explored(seat(1), "Sadir", 15);
    scene.obeyed(seat(1), Order::EndMovement);
    // There is nothing that the scout could hit: the fighter's owner is asked at once.
    assert!(matches!(stage(&scene), BattleStage::DefendersAim { .. }));
}

#[test]
fn space_1_2_dt_08_a_lone_scout_besieges_and_conquers() {
    for (options, armed) in [(SCOUTS, true), (Options::default(), false)] {
        let mut scene = Scene::new(options, 2);
        scene.explored(seat(1), "Sadir", 15);
        scene.colony(seat(2), "Sadir", 1, |colony| colony);
        scene.ships(seat(1), "O16", &[(Scout, 1)]);
        scene.obeyed(seat(1), Order::EndMovement);
        assert_eq!(colony(&scene).is_besieged(), armed);
        if armed {
            scene.obeyed(seat(1), attack());
            assert_eq!(colony(&scene).conqueror(), Some(seat(1)));
            let kill = Order::Kill { planet: planet("Sadir", 1), millions: 1 };
            assert_eq!(scene.refused(seat(1), kill), "too-many");
        } else {
            assert_eq!(scene.refused(seat(1), attack()), "no-warship");
        }
    }
}

#[test]
fn space_1_2_dt_09_dr_2_armed_scouts_still_risk_exploration_and_escort_nobody() {
    let mut scene = Scene::new(SCOUTS, 2).script([1, 1]);
    scene.ships(seat(1), "O16", &[(Scout, 1), (Transport, 1)]);
    scene.obeyed(seat(1), Order::EndMovement);
    assert!(scene.power(seat(1)).ships.is_empty());
}

#[test]
fn space_1_3_dt_01_what_remains_may_grow() {
    let options = Options { fractional_growth: true, ..Options::default() };
    for (dice, grown) in [([3, 4], 3), ([4, 4], 2)] {
        let mut scene = Scene::new(options, 2).script(dice);
        scene.explored(seat(1), "Sadir", 15);
        scene.colony(seat(1), "Sadir", 0, |colony| Colony { population: 27, ..colony });
        let mut referee = Referee::new(&mut scene.game, &mut scene.dice);
        begin_production(&mut referee);
        assert_eq!(scene.power(seat(1)).colonies[0].grown, grown, "{dice:?}");
    }
}
