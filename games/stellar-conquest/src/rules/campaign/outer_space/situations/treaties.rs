//! Tests of peace, annexation, slaves and total conquest (chapters 10 and 11).

use super::*;
use crate::rules::campaign::outer_space::peace::{conqueror_of, make_peace};
use crate::state::{Bases, Colony, Hold, Occupation};
use crate::tables::Tech;
use ShipKind::{Corvette, Transport};

fn conquests(stars: &[(&str, u32, &str)]) -> Scene {
    let mut scene = Scene::space(2);
    scene.claims(seat(1), "Alcor", 25);
    for &(name, card, hex) in stars {
        scene.claims(seat(2), name, card);
        scene.ships(seat(1), hex, &[(Corvette, 1)]);
        let card = scene.game.truth.secrets.card(star(name));
        scene.happen(&Event::Own(OwnEvent::Explored { seat: seat(1), star: star(name), card }));
    }
    scene.war(seat(1), seat(2), WarKind::Total);
    scene
}

fn held(colony: Colony) -> Colony {
    Colony { control: Hold::Occupied(Occupation { by: seat(1), waits: false }), ..colony }
}

fn score(scene: &mut Scene, of: u32, half_points: u32) {
    happens(scene, PoliticsEvent::Scored { seat: seat(of), half_points });
}

#[test]
fn space_10_3_a_stalemate_sends_all_forces_home() {
    let mut scene = conquests(&[("Sadir", 22, "O16")]);
    scene.colony(seat(2), "Sadir", 0, held);
    make_peace(&mut scene.referee());
    let colony = *scene.power(seat(2)).colony(planet("Sadir", 0)).unwrap();
    assert!(colony.is_free() && !colony.is_besieged());
    assert_eq!(scene.politics().claimant(star("Sadir")), Some(seat(2)));
    scene.accepted_order(seat(1), Order::EndMovement);
    assert!(matches!(scene.game.table().stage, Stage::Campaign(_)));
}

#[test]
fn space_10_5_dt_33_a_decisive_victory_enslaves_people() {
    let stars =
        [("Sadir", 15, "O16"), ("Lupi", 51, "R14"), ("Aurigae", 39, "T16"), ("Zosca", 3, "Q20")];
    let mut scene = conquests(&stars);
    let bases = Bases { missile: 2, advanced: 0 };
    scene.colony(seat(2), "Sadir", 1, |colony| {
        held(Colony { population: 20, factories: 6, bases, ..colony })
    });
    score(&mut scene, 1, 120);
    make_peace(&mut scene.referee());
    let ceded = stars
        .iter()
        .filter(|(name, ..)| scene.politics().claimant(star(name)) == Some(seat(1)))
        .count();
    assert_eq!(ceded, 3);
    let colony = *scene.power(seat(2)).colony(planet("Sadir", 1)).unwrap();
    assert_eq!(
        (colony.conqueror(), colony.factories, colony.bases),
        (Some(seat(1)), 6, Bases::NONE)
    );
    let ships: Vec<ShipNumber> =
        scene.power(seat(1)).ships_at(place("O16")).map(|ship| ship.number).collect();
    scene.owns(seat(1), &[Tech::Speed4, Tech::UnlimitedShipRange]);
    scene.accepted_order(seat(1), sail(&ships, &[], "Alcor"));
    assert_eq!(scene.power(seat(2)).colony(planet("Sadir", 1)).unwrap().conqueror(), Some(seat(1)));
    // DR-16: without a guard, the points include Alcor, Sadir and empty claimed planets.
    assert!(scene.game.points(seat(1)) >= 6);
}

#[test]
fn space_10_1_a_star_with_an_unconquered_colony_or_ships_is_not_conquered() {
    let mut scene = conquests(&[("Sadir", 15, "O16")]);
    let by = |scene: &mut Scene| {
        let [one, other] = [1, 2].map(|number| heliopause_kernel::SeatSet::one(seat(number)));
        conqueror_of(&scene.referee(), star("Sadir"), one, other)
    };
    assert_eq!(by(&mut scene), Some(seat(1)));
    scene.colony(seat(2), "Sadir", 1, |colony| colony);
    assert_eq!(by(&mut scene), None);
    scene.colony(seat(2), "Sadir", 1, held);
    assert_eq!(by(&mut scene), Some(seat(1)));
    scene.ships(seat(2), "O16", &[(Transport, 1)]);
    assert_eq!(by(&mut scene), None);
}
