//! Tests of the variations that every game offers (space 1).

use super::*;
use crate::state::{Bases, BattleStage, Colony, Factories, Options, Stage};
use crate::tables::Arm;
use crate::testing::seat;
use ShipKind::{DeathStar, Fighter};

const SHIELDS: Options = Options {
    variant: crate::state::options::Variant::Conquest,
    hidden_posts: false,
    private_battles: false,
    bases_use_improved_weaponry: false,
    attackable_shields: true,
    armed_scouts: false,
    fractional_growth: false,
};

/// Attacks the shielded colony of seat 2 at Sadir with ships of seat 1. Its bases hold fire.
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
    scene.accepted_order(seat(1), Order::EndMovement);
    scene.accepted_order(seat(1), attack());
    scene
}

fn attack() -> Order {
    Order::Attack { planets: vec![planet("Sadir", 1)] }
}

fn stage(scene: &Scene) -> BattleStage {
    scene.game.table().battle.as_ref().expect("an attack is under way").stage
}

fn volley(scene: &mut Scene, guns: u16, at: u16) {
    scene.accepted_order(seat(1), aim(&(0..guns).map(|gun| (gun, at)).collect::<Vec<_>>()));
    if matches!(
        scene.game.table().battle.as_ref().map(|battle| battle.stage),
        Some(BattleStage::Scuttle { .. })
    ) {
        scene.accepted_order(seat(2), Order::Scuttle { factories: Vec::new() });
    }
}

fn colony(scene: &Scene) -> Colony {
    *scene.power(seat(2)).colony(planet("Sadir", 1)).unwrap()
}

#[test]
fn space_1_1_a_colony_without_bases_falls_with_its_shield() {
    let mut scene = assault(&[(DeathStar, 5)], 0, &[1, 1, 1, 1, 1]);
    scene.accepted_order(seat(1), aim(&[(0, 5), (1, 5), (2, 5), (3, 5), (4, 5)]));
    assert!(matches!(stage(&scene), BattleStage::Scuttle { .. }));
    assert!(colony(&scene).is_free());
    scene.accepted_order(
        seat(2),
        Order::Scuttle { factories: vec![Factories { planet: planet("Sadir", 1), count: 2 }] },
    );
    assert_eq!((colony(&scene).conqueror(), colony(&scene).factories), (Some(seat(1)), 0));
    assert_eq!(scene.game.table().stage, Stage::Planets);
}

#[test]
fn space_1_1_dt_04_two_rounds_without_a_hit_end_the_attack() {
    let mut scene = assault(&[(Fighter, 2)], 0, &[6, 6, 3, 6, 6, 6]);
    let asks = StandingOrders::default();
    scene.happen(&Event::Own(OwnEvent::StandingChanged { seat: seat(2), standing: asks }));
    volley(&mut scene, 2, 2);
    assert!(matches!(stage(&scene), BattleStage::Beams { .. }));
    assert_eq!(scene.refused(seat(2), aim(&[(2, 2)])), "no-prey");
    assert_eq!(scene.refused(seat(1), aim(&[])), "nothing-asked");
    // A 3 destroys a fighter, as a death star's shot would.
    scene.accepted_order(seat(2), aim(&[(2, 0)]));
    scene.accepted_order(seat(2), Order::Scuttle { factories: Vec::new() });
    assert_eq!(scene.power(seat(1)).fleet_at(place("O16")), fleet(&[(Fighter, 1)]));
    scene.accepted_order(seat(1), attack());
    scene.accepted_order(seat(1), aim(&[(1, 2)]));
    assert!(matches!(stage(&scene), BattleStage::Beams { .. }));
    scene.accepted_order(seat(2), aim(&[(2, 1)]));
    scene.accepted_order(seat(2), Order::Scuttle { factories: Vec::new() });
    assert_eq!(scene.game.table().stage, Stage::Planets);
    assert_eq!(scene.refused(seat(1), attack()), "repelled");
    scene.turn(2, seat(1));
    assert!(scene.power(seat(1)).repelled.is_empty());
}

#[test]
fn space_1_1_dt_06_shields_are_repaired_after_the_battle() {
    let mut scene = assault(&[(DeathStar, 4)], 0, &[1; 12]);
    for round in 0..3 {
        volley(&mut scene, 4, 4);
        assert!(colony(&scene).shield);
        if round < 2 {
            scene.accepted_order(seat(1), attack());
        }
    }
    scene.accepted_order(seat(1), Order::BreakOff);
    scene.accepted_order(seat(1), attack());
    let battle = scene.game.table().battle.as_ref().unwrap();
    assert_eq!(battle.shields, [crate::state::shields::ShieldState::new(1)]);
    assert!(battle.units.iter().any(|unit| unit.arm == Arm::Shield));
}
