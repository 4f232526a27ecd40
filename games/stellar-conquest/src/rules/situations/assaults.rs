//! Tests of attacks on colonies (chapter 13).

use super::*;
use crate::state::{Bases, Colony, Options, Stage};
use crate::testing::seat;
use ShipKind::{Corvette, Transport};

/// Creates a scene before seat 1 attacks seat 2's two colonies at Sadir (card 15: ST 20, T 40).
fn siege(
    options: Options,
    ships: &[(ShipKind, u32)],
    change: impl Fn(Colony) -> Colony,
    dice: &[u32],
) -> Scene {
    let mut scene = Scene::new(options, 3).script(dice.iter().copied());
    scene.explored(seat(1), "Sadir", 15);
    scene.colony(seat(2), "Sadir", 0, &change);
    scene.colony(seat(2), "Sadir", 1, &change);
    scene.ships(seat(1), "O16", ships);
    scene.accepted_order(seat(1), Order::EndMovement);
    scene
}

fn with_bases(missile: u32) -> impl Fn(Colony) -> Colony {
    move |colony| Colony { bases: Bases { missile, advanced: 0 }, factories: 5, ..colony }
}

fn attack(places: &[u8]) -> Order {
    Order::Attack { planets: places.iter().map(|&nth| planet("Sadir", nth)).collect() }
}

#[test]
fn rule_13_4_bases_fire_at_any_ship_and_the_last_warship_ends_the_attack() {
    let ships = [(Transport, 1), (Corvette, 1)];
    let mut scene = siege(Options::default(), &ships, with_bases(2), &[6, 4, 1]);
    scene.accepted_order(seat(1), attack(&[0]));
    scene.accepted_order(seat(1), aim(&[(1, 2)]));
    scene.accepted_order(seat(2), aim(&[(2, 0), (3, 1)]));
    assert!(scene.power(seat(1)).ships.is_empty());
    scene.accepted_order(seat(2), Order::Scuttle { factories: vec![] });
    assert_eq!(scene.game.table().stage, Stage::Planets);
    assert!(scene.power(seat(2)).colonies.iter().all(|colony| !colony.is_besieged()));
}

#[test]
fn rule_10_owners_see_a_private_attack_from_their_first_round() {
    let options = Options { private_battles: true, ..Options::default() };
    let mut scene = Scene::new(options, 3).script([6, 6]);
    scene.explored(seat(1), "Sadir", 15);
    scene.colony(seat(2), "Sadir", 0, with_bases(1));
    scene.colony(seat(3), "Sadir", 1, with_bases(1));
    scene.ships(seat(1), "O16", &[(Corvette, 1)]);
    scene.accepted_order(seat(1), Order::EndMovement);
    let told_to = |told: &Emitted<Event>, number: u32| {
        let events = told.to(heliopause_kernel::Viewer::Seat(seat(number)));
        events
            .filter(|event| matches!(event, Event::Battle(BattleEvent::BattleBegan { .. })))
            .count()
    };
    let told = scene.accepted_order(seat(1), attack(&[0]));
    assert_eq!([1, 2, 3].map(|number| told_to(&told, number)), [1, 1, 0]);
    scene.accepted_order(seat(1), aim(&[]));
    scene.accepted_order(seat(2), aim(&[]));
    scene.accepted_order(seat(2), Order::Scuttle { factories: vec![] });
    let told = scene.accepted_order(seat(1), attack(&[1]));
    assert_eq!([1, 2, 3].map(|number| told_to(&told, number)), [0, 0, 1]);
}
