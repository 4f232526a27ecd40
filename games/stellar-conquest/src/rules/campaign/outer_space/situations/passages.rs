//! Tests of claims, destinations, encounters and transports (chapters 2, 5 and 7).

use super::*;
use crate::state::Colony;
use crate::tables::{Fleet, Tech};
use ShipKind::{Corvette, Transport};

#[test]
fn space_5_1_the_last_claim_ends_the_first_stage() {
    let mut scene = Scene::space(2).script([6]);
    for star in StarId::ALL.into_iter().filter(|&other| other != star("Alcor")) {
        let card = scene.game.truth.secrets.card(star);
        scene.happen(&Event::Own(OwnEvent::Explored { seat: seat(2), star, card }));
        happens(&mut scene, PoliticsEvent::Claimed { seat: seat(2), star });
    }
    scene.ships(seat(1), "L18", &[(Corvette, 1)]);
    assert_eq!(scene.politics().era, Era::Expansion);
    scene.accepted_order(seat(1), Order::EndMovement);
    assert_eq!(scene.politics().era, Era::Growth);
}

fn transports(count: u32) -> (Scene, Vec<ShipNumber>) {
    let mut scene = Scene::space(2);
    scene.claims(seat(1), "Hydrae", 51);
    scene.claims(seat(1), "Alcor", 25);
    scene.colony(seat(1), "Alcor", 0, |colony| Colony { population: 70, ..colony });
    scene.has_post(seat(1), "Alcor");
    scene.owns(seat(1), &[Tech::Speed4]);
    let ships = scene.ships(seat(1), "P18", &[(Transport, count)]);
    (scene, ships)
}

#[test]
fn space_7_2_part_of_a_group_may_go_where_all_may() {
    let (mut scene, _) = transports(1);
    // There are two rich unsettled planets. The transports are at one of them.
    scene.claims(seat(1), "Zosca", 9);
    scene.claims(seat(1), "Sadir", 20);
    let ships = scene.ships(seat(1), "O16", &[(Transport, 2)]);
    scene.accepted_order(seat(1), sail(&ships[..1], &[], "Zosca"));
}

#[test]
fn space_7_2_groups_split_by_capacity_and_land_automatically_dr_43() {
    let (mut scene, ships) = transports(12);
    scene.claims(seat(1), "Sadir", 22);
    scene.colony(seat(1), "Sadir", 0, |colony| Colony { population: 33, ..colony });
    assert_eq!(scene.refused(seat(1), sail(&ships, &[], "Sadir")), "too-many");
    scene.accepted_order(seat(1), sail(&ships[..7], &[], "Sadir"));
    // Transports without a policy destination may go anywhere except another power's star.
    scene.claims(seat(2), "Zosca", 4);
    assert_eq!(scene.refused(seat(1), sail(&ships[7..], &[], "Zosca")), "neutral-star");
    scene.accepted_order(seat(1), sail(&ships[7..], &[], "Lupi"));
    scene.turn(2, seat(1));
    for ship in &ships[..7] {
        assert_eq!(scene.power(seat(1)).ship(*ship).unwrap().at, Some(place("O16")));
    }
    scene.accepted_order(seat(1), Order::EndMovement);
    scene.accepted_order(seat(1), Order::EndTurn);
    let colony = scene.power(seat(1)).colony(planet("Sadir", 0)).unwrap();
    assert_eq!(colony.population, 40);
    assert_eq!(scene.power(seat(1)).fleet_at(place("O16")), Fleet::NONE);
}
