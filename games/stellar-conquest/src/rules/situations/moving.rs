//! Tests of movement, range, destinations and task forces (chapters 5 to 9).

use super::*;
use crate::rules::deadline::apply_defaults;
use crate::testing::seat;

const SCOUT: [(ShipKind, u32); 1] = [(ShipKind::Scout, 1)];
const CORVETTE: [(ShipKind, u32); 1] = [(ShipKind::Corvette, 1)];

#[test]
fn rule_5_2_waiting_ships_enter_by_order_or_by_default() {
    let mut scene = Scene::conquest(2);
    let ships = scene.waiting(seat(1), &SCOUT);
    assert_eq!(scene.refused(seat(1), sail(&ships, &[], "")), "no-destination");
    scene.accepted_order(seat(1), sail(&ships, &[], "Scorpii"));
    let ship = scene.power(seat(1)).ships[0];
    assert_eq!((ship.steps, ship.at.map(|at| at.distance(place("FF20")))), (2, Some(1)));
    scene.waiting(seat(1), &CORVETTE);
    apply_defaults(&mut Referee::new(&mut scene.game, &mut scene.dice));
    assert_eq!(scene.power(seat(1)).ships[1].at, Some(place("FF20")));
    assert!(scene.power(seat(1)).ships[1].destination.is_some());
}

fn beside(name: &str, from: &str, steps: u8) -> String {
    let at = star(name).at();
    at.neighbors()
        .find(|near| near.distance(place(from)) == steps && !near.is_cloud())
        .unwrap()
        .to_string()
}

#[test]
fn rule_9_ships_that_leave_a_task_force_lose_its_marker() {
    let mut scene = Scene::conquest(2);
    let ships = scene.ships(seat(1), "P18", &[(ShipKind::Scout, 3)]);
    let marker = crate::state::ship::Marker::numbered(2);
    scene.accepted_order(seat(1), Order::Form { ships: ships.clone(), marker });
    scene.accepted_order(seat(1), sail(&ships[..1], &["P17"], "Sadir"));
    let markers: Vec<_> = scene.power(seat(1)).ships.iter().map(|ship| ship.marker).collect();
    assert_eq!(markers, [None, marker, marker]);
    scene.accepted_order(seat(1), sail(&ships[1..], &["P17"], "Sadir"));
    assert_eq!(scene.power(seat(1)).ships[2].marker, marker);
}

#[test]
fn br_7_stranded_ships_can_only_approach_a_post() {
    let mut scene = Scene::conquest(2);
    let ships = scene.ships(seat(1), "P16", &CORVETTE);
    assert_eq!(scene.refused(seat(1), sail(&ships, &["O16"], "Sadir")), "out-of-range");
    scene.accepted_order(seat(1), sail(&ships, &["Q17"], "Procyon"));
    assert_eq!(scene.power(seat(1)).ships.len(), 1);
}

#[test]
fn rule_7_7_with_hidden_posts_every_free_colony_gives_range() {
    let options = crate::state::options::Options { hidden_posts: true, ..Default::default() };
    let mut scene = Scene::new(options, 2);
    scene.turn(1, seat(2));
    let ships = scene.ships(seat(2), &beside("Canis", "A21", 18), &CORVETTE);
    assert_eq!(scene.refused(seat(2), sail(&ships, &["G5"], "Canis")), "out-of-range");
    scene.explored(seat(2), "Canis", 25);
    scene.colony(seat(2), "Canis", 0, |colony| colony);
    assert_eq!(scene.refused(seat(2), Order::Post { star: star("Canis"), up: true }), "no-posts");
    scene.accepted_order(seat(2), sail(&ships, &["G5"], "Canis"));
    assert!(scene.game.table().posts.is_empty());
}
