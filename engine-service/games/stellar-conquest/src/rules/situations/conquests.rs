//! Chapters 14 to 16.

use super::*;
use crate::state::colony::{Colony, Hold, Occupation};
use crate::state::order::Factories;
use crate::state::ship::Load;
use crate::state::table::{Grouping, Stage};
use crate::tables::technology::Tech;
use crate::testing::seat;
use ShipKind::{Corvette, DeathStar, Fighter, Scout, Transport};

/// Seat 1 holds a colony of seat 2 on the first planet of Sadir, at its step 4.
fn held(ships: &[(ShipKind, u32)], population: u16) -> Scene {
    let mut scene = Scene::conquest(3);
    scene.explored(seat(1), "Sadir", 15);
    scene.colony(seat(2), "Sadir", 0, |colony| Colony { population, factories: 6, ..colony });
    scene.ships(seat(1), "O16", ships);
    scene.obeyed(seat(1), Order::EndMovement);
    scene.obeyed(seat(1), Order::Attack { planets: vec![planet("Sadir", 0)] });
    scene
}

fn hold_of(scene: &Scene) -> Hold {
    scene.power(seat(2)).colonies[0].hold
}

#[test]
fn bt_25_a_colony_without_its_guard_is_free_at_once() {
    let mut scene = held(&[(Corvette, 1), (Scout, 1)], 10);
    assert_eq!(hold_of(&scene), Hold::Occupied(Occupation { by: seat(1), waits: true }));
    let ships: Vec<ShipNumber> =
        scene.power(seat(1)).ships.iter().map(|ship| ship.number).collect();
    scene.happen(&Event::Table(TableEvent::StageChanged { stage: Stage::Movement }));
    scene.turn(9, seat(1));
    // A scout is no guard.
    scene.obeyed(seat(1), accepting_loss(sail(&ships[1..], &["O15"], "Lacaille")));
    assert_eq!(hold_of(&scene), Hold::Free);
    assert!(scene.power(seat(1)).prizes.is_empty());
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
    scene.obeyed(seat(3), Order::EndMovement);
    assert_eq!(hold_of(&scene), Hold::Occupied(Occupation { by: seat(1), waits: true }));
    scene.obeyed(seat(3), aim(&[(0, 1)]));
    assert_eq!(hold_of(&scene), Hold::Occupied(Occupation { by: seat(3), waits: true }));
    assert_eq!((scene.power(seat(1)).prizes.len(), scene.power(seat(3)).prizes.len()), (0, 1));
}

#[test]
fn rule_15_7_the_owner_who_displaces_the_guard_frees_their_colony() {
    let mut scene = held(&[(Corvette, 1)], 10);
    scene.happen(&Event::Table(TableEvent::StageChanged { stage: Stage::Movement }));
    scene.turn(1, seat(2));
    scene.ships(seat(2), "O16", &[(Fighter, 1)]);
    scene.dice = scene.dice.clone().scripted([1]);
    scene.holds_fire(seat(1));
    scene.obeyed(seat(2), Order::EndMovement);
    scene.obeyed(seat(2), aim(&[(0, 1)]));
    assert_eq!(hold_of(&scene), Hold::Free);
}

#[test]
fn rule_14_a_warship_besieges_and_an_unarmed_ship_does_not() {
    for (kind, hold) in [(Scout, Hold::Free), (Corvette, Hold::Besieged)] {
        let mut scene = Scene::conquest(2);
        scene.explored(seat(1), "Sadir", 15);
        scene.colony(seat(2), "Sadir", 0, |colony| colony);
        scene.ships(seat(1), "O16", &[(kind, 1)]);
        scene.obeyed(seat(1), Order::EndMovement);
        assert_eq!(hold_of(&scene), hold);
    }
}

#[test]
fn bt_34_what_the_warships_in_the_hex_can_kill() {
    let mut scene = held(&[(Corvette, 2), (Fighter, 1), (DeathStar, 1)], 20);
    let kill = |millions| Order::Kill { planet: planet("Sadir", 0), millions };
    assert_eq!(scene.refused(seat(1), kill(11)), "too-many");
    scene.obeyed(seat(1), kill(4));
    assert_eq!(scene.refused(seat(1), kill(7)), "too-many");
    scene.obeyed(seat(1), kill(6));
    assert_eq!(scene.refused(seat(1), kill(1)), "too-many");
    assert_eq!(scene.power(seat(2)).colonies[0].population, 10);
}

#[test]
fn rule_15_10_a_colony_without_people_is_abandoned() {
    let mut scene = held(&[(DeathStar, 1), (Transport, 2)], 5);
    scene.obeyed(seat(1), Order::Kill { planet: planet("Sadir", 0), millions: 5 });
    assert!(scene.power(seat(2)).colonies.is_empty() && scene.power(seat(1)).prizes.is_empty());
    // Anybody may settle there now.
    let transports: Vec<ShipNumber> = scene
        .power(seat(1))
        .ships
        .iter()
        .filter(|ship| ship.load().is_some())
        .map(|ship| ship.number)
        .collect();
    scene.obeyed(seat(1), Order::Land { ships: transports, planet: planet("Sadir", 0) });
    assert_eq!(scene.power(seat(1)).colonies[0].population, 2);
    assert_eq!(scene.power(seat(1)).colonies[0].factories, 0);
}

#[test]
fn rule_15_8_the_conqueror_destroys_factories() {
    let mut scene = held(&[(Corvette, 1)], 10);
    let raze = |factories| Order::Raze {
        factories: Factories { planet: planet("Sadir", 0), count: factories },
    };
    assert_eq!(scene.refused(seat(1), raze(7)), "no-such-factories");
    assert_eq!(scene.refused(seat(2), raze(1)), "not-your-turn");
    scene.obeyed(seat(1), raze(4));
    assert_eq!(scene.power(seat(2)).colonies[0].factories, 2);
}

#[test]
fn rule_15_4_captives_land_with_their_own_and_return_without_a_guard_br_20() {
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
    scene.obeyed(seat(1), land(&[number], 1));
    let settled = *scene.power(seat(2)).colony(planet("Sadir", 1)).unwrap();
    assert_eq!(settled.hold, Hold::Occupied(Occupation { by: seat(1), waits: false }));
    assert_eq!(scene.refused(seat(1), land(&[own], 1)), "conquered");
    // The other one has no guard: it is its owner's again when the turn ends.
    scene.obeyed(seat(1), Order::EndTurn);
    assert!(scene.power(seat(1)).ship(other.number).is_none());
    let back = scene.power(seat(2)).ships[0];
    assert_eq!(
        (back.at, back.load()),
        (Some(place("L18")), Some(Load { captives_of: None, ..captive }))
    );
}

#[test]
fn bt_33_barren_planets_need_equipped_transports() {
    let mut scene = Scene::conquest(2);
    scene.explored(seat(1), "Procyon", 12);
    let plain = scene.ships(seat(1), "V19", &[(Transport, 1)]);
    scene.owns(seat(1), &[Tech::ControlledEnvironment]);
    let equipped = scene.ships(seat(1), "V19", &[(Transport, 1)]);
    scene.obeyed(seat(1), Order::EndMovement);
    let land = |ships: &[ShipNumber], nth| Order::Land {
        ships: ships.to_vec(),
        planet: planet("Procyon", nth),
    };
    assert_eq!(scene.refused(seat(1), land(&plain, 2)), "needs-cet");
    scene.obeyed(seat(1), land(&equipped, 2));
    scene.obeyed(seat(1), land(&plain, 1));
    assert_eq!(scene.power(seat(1)).colonies.len(), 2);
}

#[test]
fn rule_16_2_one_colony_a_planet_and_rule_16_7_nobody_returns() {
    let mut scene = Scene::conquest(2);
    scene.explored(seat(1), "Procyon", 12);
    scene.colony(seat(2), "Procyon", 0, |colony| colony);
    let ships = scene.ships(seat(1), "V19", &[(Transport, 1)]);
    let from = Some(planet("Procyon", 1));
    let emigrant = crate::state::ship::Hull::Transport(Load { from, ..Load::default() });
    let number = scene.power(seat(1)).next_ship;
    let ship = crate::state::ship::Ship::new(number, emigrant, Some(place("V19")));
    scene.happen(&Event::Own(OwnEvent::ShipsCame {
        seat: seat(1),
        ships: vec![ship],
        source: Source::Built,
    }));
    scene.obeyed(seat(1), Order::EndMovement);
    let land = |ships: &[ShipNumber], nth| Order::Land {
        ships: ships.to_vec(),
        planet: planet("Procyon", nth),
    };
    assert_eq!(scene.refused(seat(1), land(&ships, 0)), "enemy-colony");
    assert_eq!(scene.refused(seat(1), land(&[number], 1)), "came-from-there");
    scene.obeyed(seat(1), land(&ships, 1));
    // 4: who has begun to land attacks no more.
    let attack = Order::Attack { planets: vec![planet("Procyon", 0)] };
    assert_eq!(scene.refused(seat(1), attack), "landing-began");
}

#[test]
fn rule_16_6_people_above_capacity_die_when_the_turn_ends() {
    let mut scene = Scene::conquest(2);
    scene.explored(seat(1), "Procyon", 12);
    scene.colony(seat(1), "Procyon", 1, |colony| Colony { population: 9, ..colony });
    let ships = scene.ships(seat(1), "V19", &[(Transport, 4)]);
    scene.obeyed(seat(1), Order::EndMovement);
    scene.obeyed(seat(1), Order::Land { ships, planet: planet("Procyon", 1) });
    assert_eq!(scene.power(seat(1)).colonies[0].population, 13);
    scene.obeyed(seat(1), Order::EndTurn);
    assert_eq!(scene.power(seat(1)).colonies[0].population, 10);
    assert_eq!((scene.game.table().active, scene.game.table().stage), (seat(2), Stage::Movement));
}
