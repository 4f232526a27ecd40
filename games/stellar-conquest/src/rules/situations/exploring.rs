//! Tests of exploration (chapter 11).

use super::*;
use crate::tables::Place;
use crate::testing::seat;

const PROCYON: &str = "V19";

fn rolled(told: &Emitted<Event>) -> usize {
    all(told)
        .iter()
        .filter(|event| matches!(event, Event::Own(OwnEvent::RiskRolled { .. })))
        .count()
}

#[test]
fn bt_12_a_roll_of_1_destroys_unarmed_explorers() {
    let mut scene = Scene::conquest(2).script([1, 4, 6, 1, 2]);
    scene.ships(seat(1), PROCYON, &[(ShipKind::Scout, 2), (ShipKind::Transport, 3)]);
    let told = scene.accepted_order(seat(1), Order::EndMovement);
    assert_eq!(rolled(&told), 1);
    let left = fleet(&[(ShipKind::Scout, 1), (ShipKind::Transport, 2)]);
    assert_eq!(scene.power(seat(1)).fleet_at(place(PROCYON)), left);
    assert!(scene.power(seat(1)).has_explored(star("Procyon")));
    assert_eq!(scene.game.truth().secrets.decks.iter().map(Vec::len).sum::<usize>(), 77);
}

#[test]
fn rule_11_3_explored_stars_are_never_rolled_for_again() {
    let mut scene = Scene::conquest(2).script([1]);
    scene.explored(seat(1), "Procyon", 12);
    scene.ships(seat(1), PROCYON, &[(ShipKind::Scout, 1)]);
    assert_eq!(rolled(&scene.accepted_order(seat(1), Order::EndMovement)), 0);
}

#[test]
fn rule_11_4_later_explorers_read_the_same_card() {
    let mut scene = Scene::conquest(2).script([6]);
    scene.explored(seat(2), "Procyon", 12);
    scene.ships(seat(1), PROCYON, &[(ShipKind::Scout, 1)]);
    scene.accepted_order(seat(1), Order::EndMovement);
    let card = |number| scene.power(seat(number)).chart(star("Procyon")).card;
    assert!(card(1).is_some() && card(1) == card(2));
}

#[test]
fn rule_11_1_passing_through_explores_nothing() {
    let mut scene = Scene::conquest(2);
    scene.owns(seat(1), &[crate::tables::technology::Tech::Speed8]);
    let ships = scene.ships(seat(1), "P18", &[(ShipKind::Scout, 1)]);
    scene.accepted_order(seat(1), sail(&ships, &["P17", "P16", "O16", "O15"], "Lacaille"));
    scene.accepted_order(seat(1), Order::EndMovement);
    assert!(!scene.power(seat(1)).has_explored(star("Sadir")));
    assert_eq!(scene.power(seat(1)).ships[0].at, Some(place("O15")));
    assert!(
        Place::all().all(|at| scene.game.table().groups[0].at(at) == u8::from(at == place("O15")))
    );
}
