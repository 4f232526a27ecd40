//! Chapter 11.

use super::*;
use crate::state::colony::Colony;
use crate::state::power::ColonySeen;
use crate::tables::board::Place;
use crate::testing::seat;

const PROCYON: &str = "V19";

fn rolled(told: &Emitted<Event>) -> usize {
    all(told)
        .iter()
        .filter(|event| matches!(event, Event::Own(OwnEvent::RiskRolled { .. })))
        .count()
}

#[test]
fn bt_12_a_one_destroys_unarmed_explorers_with_their_people() {
    let mut scene = Scene::conquest(2).script([1, 4, 6, 1, 2]);
    scene.ships(seat(1), PROCYON, &[(ShipKind::Scout, 2), (ShipKind::Transport, 3)]);
    let told = scene.obeyed(seat(1), Order::EndMovement);
    assert_eq!(rolled(&told), 1);
    let left = fleet(&[(ShipKind::Scout, 1), (ShipKind::Transport, 2)]);
    assert_eq!(scene.power(seat(1)).fleet_at(place(PROCYON)), left);
    assert!(scene.power(seat(1)).has_explored(star("Procyon")));
    assert_eq!(scene.game.truth().secrets.decks.iter().map(Vec::len).sum::<usize>(), 77);
}

#[test]
fn bt_13_where_a_warship_is_nobody_rolls() {
    let mut scene = Scene::conquest(2).script([1, 1, 1, 1, 1, 1]);
    scene.ships(
        seat(1),
        PROCYON,
        &[(ShipKind::Scout, 2), (ShipKind::Transport, 3), (ShipKind::Corvette, 1)],
    );
    let told = scene.obeyed(seat(1), Order::EndMovement);
    assert_eq!((rolled(&told), scene.power(seat(1)).ships.len()), (0, 6));
    assert!(scene.power(seat(1)).has_explored(star("Procyon")));
}

#[test]
fn bt_14_who_dies_alone_learns_nothing() {
    let mut scene = Scene::conquest(2).script([1]);
    scene.ships(seat(1), PROCYON, &[(ShipKind::Scout, 1)]);
    scene.obeyed(seat(1), Order::EndMovement);
    assert!(scene.power(seat(1)).ships.is_empty());
    assert!(!scene.power(seat(1)).has_explored(star("Procyon")));
    assert_eq!(scene.game.truth().secrets.cards[star("Procyon").index()], None);
    assert_eq!(scene.game.table().groups[0].at(place(PROCYON)), 0);
}

#[test]
fn rule_11_3_who_has_explored_a_star_never_rolls_there_again() {
    let mut scene = Scene::conquest(2).script([1]);
    scene.explored(seat(1), "Procyon", 12);
    scene.ships(seat(1), PROCYON, &[(ShipKind::Scout, 1)]);
    assert_eq!(rolled(&scene.obeyed(seat(1), Order::EndMovement)), 0);
}

#[test]
fn rule_11_4_later_explorers_read_the_same_card() {
    let mut scene = Scene::conquest(2).script([6]);
    scene.explored(seat(2), "Procyon", 12);
    scene.ships(seat(1), PROCYON, &[(ShipKind::Scout, 1)]);
    scene.obeyed(seat(1), Order::EndMovement);
    let card = |number| scene.power(seat(number)).chart(star("Procyon")).card;
    assert!(card(1).is_some() && card(1) == card(2));
}

#[test]
fn rule_11_5_colonies_with_their_shields_are_found() {
    let mut scene = Scene::conquest(2);
    scene.explored(seat(2), "Procyon", 12);
    scene.colony(seat(2), "Procyon", 1, |colony| Colony { shield: true, factories: 7, ..colony });
    scene.ships(seat(1), PROCYON, &[(ShipKind::Corvette, 1)]);
    scene.obeyed(seat(1), Order::EndMovement);
    let seen = scene.power(seat(1)).chart(star("Procyon")).colonies;
    let found = ColonySeen {
        owner: seat(2),
        conqueror: None,
        shield: true,
        bases: None,
        people: None,
        turn: 1,
    };
    assert_eq!(seen, [None, Some(found), None]);
    // And its owner learns of the siege, but not of whose ships it is made.
    assert!(scene.power(seat(2)).colonies[0].is_besieged());
    assert!(scene.power(seat(2)).sightings.is_empty());
}

#[test]
fn rule_11_1_passing_through_explores_nothing() {
    let mut scene = Scene::conquest(2);
    scene.owns(seat(1), &[crate::tables::technology::Tech::Speed8]);
    let ships = scene.ships(seat(1), "P18", &[(ShipKind::Scout, 1)]);
    scene.obeyed(seat(1), sail(&ships, &["P17", "P16", "O16", "O15"], "Lacaille"));
    scene.obeyed(seat(1), Order::EndMovement);
    assert!(!scene.power(seat(1)).has_explored(star("Sadir")));
    assert_eq!(scene.power(seat(1)).ships[0].at, Some(place("O15")));
    assert!(
        Place::all().all(|at| scene.game.table().groups[0].at(at) == u8::from(at == place("O15")))
    );
}
