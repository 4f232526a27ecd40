//! Chapters 5 to 9.

use super::*;
use crate::rules::deadline::take_defaults;
use crate::state::colony::{Colony, Watch};
use crate::state::event::Cause;
use crate::state::table::Post;
use crate::tables::stars::StarId;
use crate::tables::technology::Tech;
use crate::testing::seat;

const SCOUT: [(ShipKind, u32); 1] = [(ShipKind::Scout, 1)];
const CORVETTE: [(ShipKind, u32); 1] = [(ShipKind::Corvette, 1)];

#[test]
fn bt_03_ships_enter_at_their_hex_which_is_the_first_of_their_movement() {
    for path in [&["A21"][..], &["A21", "A20"], &["A21", "B20"]] {
        let mut scene = Scene::conquest(2);
        scene.turn(1, seat(2));
        let ships = scene.waiting(seat(2), &CORVETTE);
        assert_eq!(scene.refused(seat(2), Order::EndMovement), "ships-waiting");
        assert_eq!(scene.refused(seat(2), sail(&ships, &["A20"], "Lalande")), "enter-first");
        assert_eq!(
            scene.refused(seat(2), sail(&ships, &["A21", "A20", "A19"], "Lalande")),
            "too-far"
        );
        scene.obeyed(seat(2), sail(&ships, path, "Lalande"));
        let ship = scene.power(seat(2)).ships[0];
        assert_eq!(
            (ship.at, ship.destination),
            (Some(place(path[path.len() - 1])), Some(star("Lalande")))
        );
        assert_eq!(usize::from(ship.steps), path.len());
    }
}

#[test]
fn rule_5_2_ships_that_wait_enter_by_the_fastest_route_or_by_default() {
    let mut scene = Scene::conquest(2);
    let ships = scene.waiting(seat(1), &SCOUT);
    assert_eq!(scene.refused(seat(1), sail(&ships, &[], "")), "no-destination");
    scene.obeyed(seat(1), sail(&ships, &[], "Scorpii"));
    let ship = scene.power(seat(1)).ships[0];
    assert_eq!((ship.steps, ship.at.map(|at| at.distance(place("FF20")))), (2, Some(1)));
    scene.waiting(seat(1), &CORVETTE);
    take_defaults(&mut Referee::new(&mut scene.game, &mut scene.dice));
    assert_eq!(scene.power(seat(1)).ships[1].at, Some(place("FF20")));
    assert!(scene.power(seat(1)).ships[1].destination.is_some());
}

/// A hex beside a star, this far from another hex.
fn beside(name: &str, from: &str, steps: u8) -> String {
    let at = star(name).at();
    at.neighbours()
        .find(|near| near.distance(place(from)) == steps && !near.is_cloud())
        .unwrap()
        .to_string()
}

#[test]
fn bt_04_the_range_of_the_post_off_the_board() {
    let mut scene = Scene::conquest(3);
    scene.turn(1, seat(3));
    let near = scene.ships(seat(3), &beside("Canis", "A1", 6), &CORVETTE);
    let far = scene.ships(seat(3), &beside("Kapetyn", "A1", 7), &CORVETTE);
    let scout = scene.ships(seat(3), &beside("Kapetyn", "A1", 7), &SCOUT);
    scene.obeyed(seat(3), sail(&near, &["G5"], "Canis"));
    let order = sail(&far, &["E7"], "Kapetyn");
    assert_eq!(scene.refused(seat(3), order.clone()), "out-of-range");
    scene.obeyed(seat(3), sail(&scout, &["E7"], "Kapetyn"));
    let told = scene.obeyed(seat(3), accepting_loss(order));
    let lost = Event::Own(OwnEvent::ShipsLost {
        seat: seat(3),
        ships: far.clone(),
        cause: Cause::OutOfRange,
    });
    assert!(all(&told).contains(&&lost));
    assert!(scene.power(seat(3)).ship(far[0]).is_none());
}

#[test]
fn bt_05_a_post_on_the_board_gives_eight_hexes() {
    let mut scene = Scene::conquest(2);
    scene.turn(1, seat(2));
    scene.owns(seat(2), &[Tech::UnlimitedShipCommunication]);
    scene.explored(seat(2), "Lalande", 57);
    scene.colony(seat(2), "Lalande", 0, |colony| colony);
    scene.obeyed(seat(2), Order::Post { star: star("Lalande"), up: true });
    let ships = scene.ships(seat(2), "I18", &CORVETTE);
    assert_eq!(place("I18").distance(place("B18")), 7);
    let step = |from: &str, steps: u8| {
        let open = |near: &crate::tables::board::Place| {
            StarId::in_hex(*near).is_none() && !near.is_cloud()
        };
        let farther =
            place(from).neighbours().filter(open).find(|near| near.distance(place("B18")) == steps);
        farther.unwrap().to_string()
    };
    let eight = step("I18", 8);
    let nine = step(&eight, 9);
    scene.obeyed(seat(2), sail(&ships, &[&eight], ""));
    assert_eq!(scene.refused(seat(2), sail(&ships, &[&nine], "")), "out-of-range");
    scene.obeyed(seat(2), accepting_loss(sail(&ships, &[&nine], "")));
    assert!(scene.power(seat(2)).ships.is_empty());
}

#[test]
fn bt_06_a_star_in_a_cloud_is_entered_on_the_second_turn() {
    let mut scene = Scene::conquest(2);
    scene.owns(seat(1), &[Tech::Speed8]);
    let ships = scene.ships(seat(1), "P18", &SCOUT);
    scene.obeyed(seat(1), sail(&ships, &[], "Zosca"));
    assert_eq!(scene.power(seat(1)).ships[0].at, Some(place("Q19")));
    assert_eq!(scene.refused(seat(1), sail(&ships, &["Q20"], "Zosca")), "cloud");
    scene.turn(2, seat(1));
    scene.obeyed(seat(1), sail(&ships, &[], "Zosca"));
    let ship = scene.power(seat(1)).ships[0];
    assert_eq!((ship.at, ship.destination, ship.halted), (Some(place("Q20")), None, true));
    assert_eq!(scene.refused(seat(1), sail(&ships, &[], "Hydrae")), "halted");
}

#[test]
fn bt_07_a_route_round_a_cloud_needs_the_flag() {
    let mut scene = Scene::conquest(2);
    let ships = scene.ships(seat(1), "L3", &SCOUT);
    assert_eq!(scene.refused(seat(1), sail(&ships, &["L4", "M5"], "Mirfak")), "not-direct");
    let Order::Move(voyage) = sail(&ships, &["L4", "M5"], "Mirfak") else { unreachable!() };
    scene.obeyed(seat(1), Order::Move(Voyage { round_clouds: true, ..voyage }));
    scene.turn(2, seat(1));
    scene.obeyed(seat(1), sail(&ships, &[], "Mirfak"));
    assert_eq!(scene.power(seat(1)).ships[0].at, Some(star("Mirfak").at()));
    // Where it saves nothing it is refused.
    let other = scene.ships(seat(1), "P18", &SCOUT);
    let Order::Move(voyage) = sail(&other, &[], "Sadir") else { unreachable!() };
    assert_eq!(
        scene.refused(seat(1), Order::Move(Voyage { round_clouds: true, ..voyage })),
        "no-gain"
    );
}

#[test]
fn bt_10_a_destination_is_fixed_between_stars() {
    let mut scene = Scene::conquest(2);
    let ships = scene.ships(seat(1), "O16", &SCOUT);
    scene.obeyed(seat(1), sail(&ships, &["O15"], "Lacaille"));
    assert_eq!(scene.refused(seat(1), sail(&ships, &[], "Lupi")), "destination-fixed");
    scene.owns(seat(1), &[Tech::UnlimitedShipCommunication]);
    scene.obeyed(seat(1), sail(&ships, &[], "Lupi"));
    assert_eq!(scene.power(seat(1)).ships[0].destination, None);
}

#[test]
fn bt_11_a_ship_is_bound_anew_in_a_star_but_not_back() {
    let mut scene = Scene::conquest(2);
    scene.owns(seat(1), &[Tech::Speed8]);
    let ships = scene.ships(seat(1), "O16", &SCOUT);
    scene.obeyed(seat(1), sail(&ships, &["O15", "O14", "O13"], "Lacaille"));
    assert_eq!(scene.power(seat(1)).ships[0].departed, Some(star("Sadir")));
    assert_eq!(scene.refused(seat(1), sail(&ships, &[], "Sadir")), "back-again");
    assert_eq!(scene.refused(seat(1), sail(&ships, &[], "Lacaille")), "already-there");
    scene.obeyed(seat(1), sail(&ships, &[], "Lupi"));
    let ship = scene.power(seat(1)).ships[0];
    assert_eq!(
        (ship.at, ship.departed, ship.steps),
        (Some(star("Lupi").at()), Some(star("Lacaille")), 6)
    );
}

#[test]
fn rule_5_4_ships_stop_before_others_in_a_star_hex_br_10() {
    let mut scene = Scene::conquest(2);
    scene.owns(seat(1), &[Tech::Speed8]);
    let ships = scene.ships(seat(1), "P18", &SCOUT);
    scene.ships(seat(2), "O16", &SCOUT);
    let path = ["P17", "P16", "O16", "O15", "O14", "O13"];
    scene.obeyed(seat(1), sail(&ships, &path, "Lacaille"));
    let ship = scene.power(seat(1)).ships[0];
    assert_eq!((ship.at, ship.halted, ship.destination), (Some(place("O16")), true, None));
    // Outside stars nobody is in the way (5.3).
    let others = scene.ships(seat(1), "P18", &SCOUT);
    scene.ships(seat(2), "P17", &SCOUT);
    scene.obeyed(seat(1), sail(&others, &["P17", "P16"], "Lacaille"));
}

#[test]
fn rule_9_who_leaves_a_task_force_behind_leaves_its_marker() {
    let mut scene = Scene::conquest(2);
    let ships = scene.ships(seat(1), "P18", &[(ShipKind::Scout, 3)]);
    let marker = crate::state::ship::Marker::numbered(2);
    scene.obeyed(seat(1), Order::Form { ships: ships.clone(), marker });
    scene.obeyed(seat(1), sail(&ships[..1], &["P17"], "Sadir"));
    let markers: Vec<_> = scene.power(seat(1)).ships.iter().map(|ship| ship.marker).collect();
    assert_eq!(markers, [None, marker, marker]);
    scene.obeyed(seat(1), sail(&ships[1..], &["P17"], "Sadir"));
    assert_eq!(scene.power(seat(1)).ships[2].marker, marker);
}

#[test]
fn rule_10_owners_of_colonies_look_at_ships_that_pass() {
    let mut scene = Scene::conquest(3);
    scene.owns(seat(1), &[Tech::Speed8]);
    scene.explored(seat(2), "Sadir", 15);
    scene.colony(seat(2), "Sadir", 0, |colony| Colony { watch: Watch::Always, ..colony });
    scene.colony(seat(3), "Sadir", 1, |colony| Colony { watch: Watch::Ask, ..colony });
    let ships = scene.ships(seat(1), "P18", &[(ShipKind::Scout, 2)]);
    scene.obeyed(seat(1), sail(&ships, &["P17", "P16", "O16", "O15"], "Lacaille"));
    assert_eq!(scene.game.table().shown, [Post { seat: seat(2), star: star("Sadir") }]);
    let seen = &scene.power(seat(2)).sightings;
    assert_eq!((seen.len(), seen[0].fleet), (1, fleet(&[(ShipKind::Scout, 2)])));
    assert!(scene.power(seat(3)).sightings.is_empty());
    let number = scene.power(seat(3)).glimpses[0].number;
    scene.obeyed(seat(3), Order::Inspect { glimpse: number, look: true });
    assert_eq!(scene.power(seat(3)).sightings.len(), 1);
    assert!(scene.power(seat(3)).glimpses.is_empty());
    assert_eq!(
        scene.refused(seat(3), Order::Inspect { glimpse: number, look: true }),
        "no-such-chance"
    );
}

#[test]
fn rule_8_4_a_a_star_that_is_avoided_is_not_passed() {
    let path = ["R13", "R12", "R11", "Q11"];
    let mut scene = Scene::conquest(2);
    scene.owns(seat(1), &[Tech::Speed8]);
    let ships = scene.ships(seat(1), "R14", &SCOUT);
    let Order::Move(voyage) = sail(&ships, &path, "Crucis") else { unreachable!() };
    let avoiding = vec![star("Draconis")];
    assert_eq!(
        scene.refused(seat(1), Order::Move(Voyage { avoiding, ..voyage.clone() })),
        "not-direct"
    );
    scene.obeyed(seat(1), Order::Move(voyage));
}

#[test]
fn br_7_stranded_ships_come_nearer_and_go_no_farther() {
    let mut scene = Scene::conquest(2);
    let ships = scene.ships(seat(1), "P16", &CORVETTE);
    assert_eq!(scene.refused(seat(1), sail(&ships, &["O16"], "Sadir")), "out-of-range");
    scene.obeyed(seat(1), sail(&ships, &["Q17"], "Procyon"));
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
    scene.obeyed(seat(2), sail(&ships, &["G5"], "Canis"));
    assert!(scene.game.table().posts.is_empty());
}
