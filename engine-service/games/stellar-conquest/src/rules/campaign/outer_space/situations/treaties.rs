//! Chapters 10 and 11: peace, annexation, slaves, total conquest.

use super::*;
use crate::rules::campaign::outer_space::conquest::eliminate;
use crate::rules::campaign::outer_space::peace::{conqueror_of, make_peace};
use crate::rules::campaign::outer_space::stages::space_politics;
use crate::state::colony::{Bases, Colony, Hold, Occupation};
use crate::tables::outer_space::Terms;
use crate::tables::ships::Fleet;
use crate::tables::technology::Tech;
use ShipKind::{Corvette, Fighter, Transport};

/// Seat 1 at Alcor has conquered stars of seat 2 with a corvette each.
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
    Colony { hold: Hold::Occupied(Occupation { by: seat(1), waits: false }), ..colony }
}

fn score(scene: &mut Scene, of: u32, half_points: u32) {
    happens(scene, PoliticsEvent::Scored { seat: seat(of), half_points });
}

#[test]
fn space_10_2_dt_32_success_points() {
    let mut scene = conquests(&[("Aurigae", 39, "T16"), ("Lupi", 51, "R14")]);
    // A death star, three corvettes, a scout.
    score(&mut scene, 1, 8 + 6 + 1);
    score(&mut scene, 2, 16);
    let mut referee = scene.referee();
    make_peace(&mut referee);
    let told = referee.told;
    let peace = told.iter().find_map(|told| match &told.event {
        Event::Politics(PoliticsEvent::PeaceMade { half_points, terms, winner, .. }) => {
            Some((*half_points, *terms, *winner))
        }
        _ => None,
    });
    assert_eq!(peace, Some(([47, 16], Terms::Marginal, Some(0))));
    assert!(scene.politics().war.is_none());
    // Lupi is nearer to Alcor than Aurigae is; the other one stays with its owner.
    assert_eq!(scene.politics().claimant(star("Lupi")), Some(seat(1)));
    assert_eq!(scene.politics().claimant(star("Aurigae")), Some(seat(2)));
}

#[test]
fn space_10_3_after_a_stalemate_everybody_leaves() {
    let mut scene = conquests(&[("Sadir", 22, "O16")]);
    scene.colony(seat(2), "Sadir", 0, held);
    make_peace(&mut scene.referee());
    let colony = *scene.power(seat(2)).colony(planet("Sadir", 0)).unwrap();
    assert!(colony.is_free() && !colony.is_besieged());
    assert_eq!(scene.politics().claimant(star("Sadir")), Some(seat(2)));
    scene.obeyed(seat(1), Order::EndMovement);
    assert!(matches!(scene.game.table().stage, Stage::Campaign(_)));
}

#[test]
fn space_10_4_dt_34_the_people_of_an_annexed_star_leave() {
    let mut scene = conquests(&[("Sadir", 15, "O16")]);
    scene.colony(seat(2), "Sadir", 1, |colony| {
        held(Colony { population: 20, factories: 6, ..colony })
    });
    score(&mut scene, 1, 20);
    make_peace(&mut scene.referee());
    assert_eq!(scene.politics().claimant(star("Sadir")), Some(seat(1)));
    assert!(scene.power(seat(2)).colonies.is_empty() && scene.power(seat(1)).prizes.is_empty());
    let fleet = scene.power(seat(2)).fleet_at(place("O16"));
    assert_eq!(fleet, Fleet::new([0, 20, 0, 0, 0]));
    assert_eq!(scene.politics().vacated, [planet("Sadir", 1)]);
    assert_eq!(scene.game.integrity(), Ok(()));
}

#[test]
fn space_10_5_dt_33_after_a_decisive_victory_people_are_slaves() {
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
    // They need no guard.
    let ships: Vec<ShipNumber> =
        scene.power(seat(1)).ships_at(place("O16")).map(|ship| ship.number).collect();
    scene.owns(seat(1), &[Tech::Speed4, Tech::UnlimitedShipRange]);
    scene.obeyed(seat(1), sail(&ships, &[], "Alcor"));
    assert_eq!(scene.power(seat(2)).colony(planet("Sadir", 1)).unwrap().conqueror(), Some(seat(1)));
    // DR-16: and score without one: the terran planets of Alcor and Sadir, and what is empty and
    // claimed.
    assert!(scene.game.points(seat(1)) >= 6);
}

#[test]
fn space_10_3_with_one_conquered_star_the_two_nearest_others_follow() {
    let mut scene = conquests(&[("Sadir", 15, "O16")]);
    for (name, card) in [("Hydrae", 50), ("Mira", 58), ("Bootis", 26)] {
        scene.claims(seat(2), name, card);
    }
    score(&mut scene, 1, 120);
    make_peace(&mut scene.referee());
    for (name, number) in [("Sadir", 1), ("Hydrae", 1), ("Mira", 1), ("Bootis", 2)] {
        assert_eq!(scene.politics().claimant(star(name)), Some(seat(number)), "{name}");
    }
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

#[test]
fn space_10_2_what_a_war_destroys_is_counted() {
    let mut scene = conquests(&[("Sadir", 15, "O16")]).script([1, 1]);
    scene.ships(seat(2), "O16", &[(Corvette, 1)]);
    scene.holds_fire(seat(2));
    scene.obeyed(seat(1), Order::EndMovement);
    scene.obeyed(seat(1), aim(&[(0, 1)]));
    assert_eq!(scene.politics().war.as_ref().unwrap().success, [2, 0]);
}

#[test]
fn space_10_2_a_war_counts_the_success_of_each_power_of_the_game() {
    for powers in 2..=4 {
        let mut scene = Scene::space(powers);
        let told = scene.befalls(Happening::TotalWar, seat(1), seat(2));
        let began = told.iter().find_map(|told| match &told.event {
            Event::Politics(PoliticsEvent::WarBegan(war)) => Some(war.success.len()),
            _ => None,
        });
        assert_eq!(began, Some(powers));
    }
}

#[test]
fn space_11_a_power_without_free_people_is_no_more() {
    let mut scene = Scene::space(3);
    scene.claims(seat(1), "Alcor", 25);
    scene.claims(seat(2), "Sadir", 15);
    scene.claims(seat(2), "Lupi", 51);
    scene.claims(seat(3), "Mira", 58);
    scene.colony(seat(1), "Alcor", 0, |colony| colony);
    scene.colony(seat(3), "Mira", 0, |colony| colony);
    scene.colony(seat(2), "Sadir", 1, held);
    scene.ships(seat(1), "O16", &[(Corvette, 1)]);
    scene.ships(seat(2), "R14", &[(Fighter, 2)]);
    scene.war(seat(1), seat(2), WarKind::Total);
    // DR-21: people in transports are free people.
    let before = scene.game.clone();
    scene.ships(seat(2), "R14", &[(Transport, 1)]);
    eliminate(&mut scene.referee());
    assert!(!scene.politics().is_fallen(seat(2)));
    scene.game = before;
    eliminate(&mut scene.referee());
    let politics = scene.politics();
    assert!(politics.is_fallen(seat(2)) && politics.war.is_none());
    assert_eq!(politics.claims_of(seat(1)).count(), 3);
    assert_eq!(scene.power(seat(1)).fleet_at(place("R14")), Fleet::new([0, 0, 0, 2, 0]));
    assert!(scene.power(seat(2)).ships.is_empty());
    assert_eq!(scene.power(seat(2)).colonies[0].conqueror(), Some(seat(1)));
    assert_eq!(scene.game.integrity(), Ok(()));
    // DR-42: its turns are left out.
    scene.obeyed(seat(1), Order::EndMovement);
    scene.obeyed(seat(1), Order::EndTurn);
    assert_eq!(scene.game.table().active, seat(3));
}

#[test]
fn space_11_the_last_power_wins() {
    let mut scene = conquests(&[("Sadir", 15, "O16")]);
    scene.colony(seat(1), "Alcor", 0, |colony| colony);
    scene.colony(seat(2), "Sadir", 1, held);
    assert!(!space_politics(&mut scene.referee()));
    let ending = scene.game.table().ending.as_ref().unwrap();
    assert_eq!(ending.winners, heliopause_kernel::SeatSet::one(seat(1)));
}
