//! Tests of sieges, conquest and colonization (chapters 14 to 16).

use super::*;
use crate::state::{Colony, Grouping, Hold, Load, Occupation, Stage};
use crate::testing::seat;
use ShipKind::{Corvette, DeathStar, Fighter, Scout, Transport};

fn held(ships: &[(ShipKind, u32)], population: u16) -> Scene {
    let mut scene = Scene::conquest(3);
    scene.explored(seat(1), "Sadir", 15);
    scene.colony(seat(2), "Sadir", 0, |colony| Colony { population, factories: 6, ..colony });
    scene.ships(seat(1), "O16", ships);
    scene.accepted_order(seat(1), Order::EndMovement);
    scene.accepted_order(seat(1), Order::Attack { planets: vec![planet("Sadir", 0)] });
    scene
}

fn hold_of(scene: &Scene) -> Hold {
    scene.power(seat(2)).colonies[0].control
}

#[test]
fn rule_15_6_a_third_player_who_displaces_the_guard_is_the_new_conqueror() {
    let mut scene = held(&[(Corvette, 1)], 10);
    scene.happen(&Event::Table(TableEvent::StageChanged { stage: Stage::Movement }));
    scene.turn(2, seat(3));
    scene.explored(
        seat(3),
        "Sadir",
        scene.game.truth().secrets.cards[star("Sadir").index()].unwrap().number(),
    );
    scene.ships(seat(3), "O16", &[(Fighter, 1)]);
    scene.dice = scene.dice.clone().scripted([1]);
    scene.holds_fire(seat(1));
    scene.accepted_order(seat(3), Order::EndMovement);
    assert_eq!(hold_of(&scene), Hold::Occupied(Occupation { by: seat(1), waits: true }));
    scene.accepted_order(seat(3), aim(&[(0, 1)]));
    assert_eq!(hold_of(&scene), Hold::Occupied(Occupation { by: seat(3), waits: true }));
    assert_eq!(
        (
            scene.power(seat(1)).conquered_colonies.len(),
            scene.power(seat(3)).conquered_colonies.len()
        ),
        (0, 1)
    );
}

#[test]
fn rule_15_7_the_owner_who_displaces_the_guard_frees_their_colony() {
    let mut scene = held(&[(Corvette, 1)], 10);
    scene.happen(&Event::Table(TableEvent::StageChanged { stage: Stage::Movement }));
    scene.turn(1, seat(2));
    scene.ships(seat(2), "O16", &[(Fighter, 1)]);
    scene.dice = scene.dice.clone().scripted([1]);
    scene.holds_fire(seat(1));
    scene.accepted_order(seat(2), Order::EndMovement);
    scene.accepted_order(seat(2), aim(&[(0, 1)]));
    assert_eq!(hold_of(&scene), Hold::Free);
}

#[test]
fn rule_14_a_warship_besieges_and_an_unarmed_ship_does_not() {
    for (kind, hold) in [(Scout, Hold::Free), (Corvette, Hold::Besieged)] {
        let mut scene = Scene::conquest(2);
        scene.explored(seat(1), "Sadir", 15);
        scene.colony(seat(2), "Sadir", 0, |colony| colony);
        scene.ships(seat(1), "O16", &[(kind, 1)]);
        scene.accepted_order(seat(1), Order::EndMovement);
        assert_eq!(hold_of(&scene), hold);
    }
}

#[test]
fn bt_34_warships_in_the_hex_limit_killings() {
    let mut scene = held(&[(Corvette, 2), (Fighter, 1), (DeathStar, 1)], 20);
    let kill = |millions| Order::Kill { planet: planet("Sadir", 0), millions };
    assert_eq!(scene.refused(seat(1), kill(11)), "too-many");
    scene.accepted_order(seat(1), kill(4));
    assert_eq!(scene.refused(seat(1), kill(7)), "too-many");
    scene.accepted_order(seat(1), kill(6));
    assert_eq!(scene.refused(seat(1), kill(1)), "too-many");
    assert_eq!(scene.power(seat(2)).colonies[0].population, 10);
}

#[test]
fn rule_15_10_a_colony_without_people_is_abandoned() {
    let mut scene = held(&[(DeathStar, 1), (Transport, 2)], 5);
    scene.accepted_order(seat(1), Order::Kill { planet: planet("Sadir", 0), millions: 5 });
    assert!(
        scene.power(seat(2)).colonies.is_empty()
            && scene.power(seat(1)).conquered_colonies.is_empty()
    );
    let transports: Vec<ShipNumber> = scene
        .power(seat(1))
        .ships
        .iter()
        .filter(|ship| ship.load().is_some())
        .map(|ship| ship.number)
        .collect();
    scene.accepted_order(seat(1), Order::Land { ships: transports, planet: planet("Sadir", 0) });
    assert_eq!(scene.power(seat(1)).colonies[0].population, 2);
    assert_eq!(scene.power(seat(1)).colonies[0].factories, 0);
}

#[test]
fn rule_15_4_captives_join_their_own_or_return_unguarded_br_20() {
    let mut scene = held(&[(Corvette, 1), (Transport, 1)], 10);
    let captive = Load { cet: false, from: None, captives_of: Some(seat(2)) };
    let number = scene.power(seat(1)).next_ship;
    let ship = crate::state::ship::Ship::new(
        number,
        crate::state::ship::Hull::Transport(captive),
        Some(place("O16")),
    );
    let other = crate::state::ship::Ship {
        number: ShipNumber(number.0 + 1),
        at: Some(place("L18")),
        ..ship
    };
    scene.happen(&Event::Own(OwnEvent::ShipsCame {
        seat: seat(1),
        ships: vec![ship, other],
        source: Source::Built,
    }));
    scene.happen(&Event::Table(TableEvent::Grouped {
        groups: Grouping { seat: seat(1), at: place("L18"), groups: 1 },
    }));
    let own = scene.power(seat(1)).ships.iter().find(|ship| ship.load().is_some()).unwrap().number;
    let land = |ships: &[ShipNumber], nth| Order::Land {
        ships: ships.to_vec(),
        planet: planet("Sadir", nth),
    };
    assert_eq!(scene.refused(seat(1), land(&[own], 0)), "conquered");
    assert_eq!(scene.refused(seat(1), land(&[own, number], 1)), "peoples-mix");
    scene.accepted_order(seat(1), land(&[number], 1));
    let settled = *scene.power(seat(2)).colony(planet("Sadir", 1)).unwrap();
    assert_eq!(settled.control, Hold::Occupied(Occupation { by: seat(1), waits: false }));
    assert_eq!(scene.refused(seat(1), land(&[own], 1)), "conquered");
    // The other transport has no guard and returns to its owner at the end of the turn.
    scene.accepted_order(seat(1), Order::EndTurn);
    assert!(scene.power(seat(1)).ship(other.number).is_none());
    let back = scene.power(seat(2)).ships[0];
    assert_eq!(
        (back.at, back.load()),
        (Some(place("L18")), Some(Load { captives_of: None, ..captive }))
    );
}
