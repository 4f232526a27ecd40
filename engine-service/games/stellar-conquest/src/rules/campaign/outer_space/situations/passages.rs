//! Chapters 2, 5 and 7: claims, where ships go, latecomers, transports.

use super::*;
use crate::state::campaign::CampaignStage;
use crate::state::colony::Colony;
use crate::tables::ships::Fleet;
use crate::tables::technology::Tech;
use ShipKind::{Corvette, Scout, Transport};

#[test]
fn space_2_who_explores_first_claims_and_nobody_else_settles() {
    let mut scene = Scene::space(2).script([6, 6, 6, 6]);
    scene.ships(seat(1), "L18", &[(Corvette, 1), (Transport, 2)]);
    scene.obeyed(seat(1), Order::EndMovement);
    assert_eq!(scene.politics().claimant(star("Alcor")), Some(seat(1)));
    let land =
        |ships: &[ShipNumber]| Order::Land { ships: ships.to_vec(), planet: planet("Alcor", 0) };
    scene.turn(2, seat(2));
    scene.happen(&Event::Table(TableEvent::StageChanged { stage: Stage::Planets }));
    let others = scene.ships(seat(2), "L18", &[(Transport, 1)]);
    let card = scene.game.truth.secrets.card(star("Alcor"));
    scene.happen(&Event::Own(OwnEvent::Explored { seat: seat(2), star: star("Alcor"), card }));
    assert_eq!(scene.refused(seat(2), land(&others)), "not-claimed");
}

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
    scene.obeyed(seat(1), Order::EndMovement);
    assert_eq!(scene.politics().era, Era::Growth);
}

#[test]
fn space_7_1_dr_9_a_neutral_star_is_closed_and_a_limited_war_opens_borders_alone() {
    let mut scene = Scene::space(2);
    scene.claims(seat(1), "Alcor", 25);
    scene.claims(seat(2), "Sadir", 12);
    scene.claims(seat(2), "Lacaille", 57);
    scene.rest_is_claimed(seat(1));
    let ships = scene.ships(seat(1), "L18", &[(Scout, 2)]);
    let go = |star| sail(&ships, &[], star);
    assert_eq!(scene.refused(seat(1), go("Sadir")), "neutral-star");
    scene.war(seat(1), seat(2), WarKind::Limited);
    assert!(scene.politics().is_on_border(star("Lacaille"), seat(1)));
    // Seat 1 keeps only Alcor: Lacaille is far from it.
    for other in StarId::ALL
        .into_iter()
        .filter(|other| ![star("Alcor"), star("Sadir"), star("Lacaille")].contains(other))
    {
        happens(&mut scene, PoliticsEvent::Ceded { star: other, to: seat(2), enslaved: false });
        let card = scene.game.truth.secrets.card(other);
        scene.happen(&Event::Own(OwnEvent::Explored { seat: seat(2), star: other, card }));
    }
    assert_eq!(scene.refused(seat(1), go("Lacaille")), "no-border-star");
    let before = scene.game.clone();
    scene.obeyed(seat(1), go("Sadir"));
    scene.game = before;
    happens(&mut scene, PoliticsEvent::Escalated);
    scene.obeyed(seat(1), go("Lacaille"));
}

#[test]
fn space_8_4_in_a_truce_what_the_enemy_controls_is_closed_and_who_is_there_stays() {
    let mut scene = Scene::space(2);
    scene.claims(seat(1), "Alcor", 25);
    scene.claims(seat(2), "Sadir", 12);
    scene.rest_is_claimed(seat(2));
    scene.war(seat(1), seat(2), WarKind::Total);
    happens(&mut scene, PoliticsEvent::TruceChanged { truce: true });
    scene.ships(seat(2), "O16", &[(Corvette, 1)]);
    let ships = scene.ships(seat(1), "L18", &[(Scout, 1)]);
    let there = scene.ships(seat(1), "O16", &[(Corvette, 1)]);
    assert_eq!(scene.refused(seat(1), sail(&ships, &[], "Sadir")), "truce");
    scene.obeyed(seat(1), Order::EndMovement);
    // Nobody fires, and nobody is sent away.
    assert_eq!(scene.game.table().stage, Stage::Planets);
    assert_eq!(scene.power(seat(1)).ship(there[0]).unwrap().at, Some(place("O16")));
}

#[test]
fn space_7_1_dt_35_a_latecomer_learns_the_card_and_goes_on() {
    let mut scene = Scene::space(2).script([6]);
    scene.claims(seat(2), "Sadir", 12);
    let ships = scene.ships(seat(1), "N16", &[(Scout, 1)]);
    // It was under way when the star was claimed.
    let sailed = Event::Own(OwnEvent::Sailed {
        seat: seat(1),
        ships: ships.clone(),
        to: place("N16"),
        steps: 0,
        halted: false,
        destination: Some(star("Sadir")),
        departed: None,
    });
    scene.happen(&sailed);
    scene.obeyed(seat(1), sail(&ships, &["O16"], "Sadir"));
    scene.obeyed(seat(1), Order::EndMovement);
    assert!(scene.power(seat(1)).has_explored(star("Sadir")));
    assert_eq!(scene.politics().claimant(star("Sadir")), Some(seat(2)));
    assert_eq!(
        scene.game.table().stage,
        Stage::Campaign(CampaignStage::Place { at: place("O16") })
    );
    let put =
        |at: &str, bound: &str| Order::Place { at: place(at), destination: Some(star(bound)) };
    assert_eq!(scene.refused(seat(1), put("P18", "Alcor")), "not-beside");
    assert_eq!(
        scene.refused(seat(1), Order::Place { at: place("O17"), destination: None }),
        "no-destination"
    );
    assert_eq!(scene.refused(seat(2), put("O17", "Alcor")), "not-your-turn");
    scene.obeyed(seat(1), put("O17", "Alcor"));
    let ship = *scene.power(seat(1)).ship(ships[0]).unwrap();
    assert_eq!((ship.at, ship.destination), (Some(place("O17")), Some(star("Alcor"))));
    assert_eq!(scene.game.table().stage, Stage::Planets);
}

#[test]
fn space_7_1_dt_35_a_misunderstanding_is_one_round_of_fire() {
    for (dice, fires) in [([6, 5], true), ([4, 6], false)] {
        let mut scene = Scene::space(2).script(dice);
        scene.claims(seat(2), "Sadir", 12);
        scene.ships(seat(2), "O16", &[(Corvette, 1)]);
        scene.holds_fire(seat(2));
        let ships = scene.ships(seat(1), "O16", &[(Corvette, 1)]);
        let (to, destination) = (place("O16"), None);
        let arrived = Event::Own(OwnEvent::Sailed {
            seat: seat(1),
            ships,
            to,
            steps: 1,
            halted: true,
            destination,
            departed: None,
        });
        scene.happen(&arrived);
        let card = scene.game.truth.secrets.card(star("Sadir"));
        scene.happen(&Event::Own(OwnEvent::Explored { seat: seat(1), star: star("Sadir"), card }));
        scene.obeyed(seat(1), Order::EndMovement);
        assert_eq!(scene.game.table().battle.is_some(), fires, "{dice:?}");
        if fires {
            scene.obeyed(seat(1), aim(&[(0, 1)]));
        }
        assert_eq!(
            scene.game.table().stage,
            Stage::Campaign(CampaignStage::Place { at: place("O16") })
        );
        // DR-20: it is no incident.
        assert!(scene.politics().incidents.is_empty() && scene.politics().war.is_none());
    }
}

#[test]
fn space_7_1_ships_of_neutrals_share_a_hex_in_peace_and_stop_the_move() {
    let mut scene = Scene::space(2);
    scene.claims(seat(1), "Alcor", 25);
    scene.ships(seat(2), "L18", &[(Corvette, 1)]);
    let ships = scene.ships(seat(1), "L18", &[(Corvette, 1)]);
    scene.obeyed(seat(1), Order::EndMovement);
    assert_eq!(scene.game.table().stage, Stage::Planets);
    let eyes = scene.game.eyes(seat(1));
    assert!(eyes.is_stopped_at(place("L18")) && eyes.battle_hexes().is_empty());
    assert!(scene.power(seat(1)).ship(ships[0]).is_some());
}

/// Transports of seat 1 wait at Hydrae, with 4 Hex Speed and range over a post at Alcor.
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
fn space_7_2_dt_36_the_first_rank_in_reach_decides() {
    let (mut scene, ships) = transports(5);
    // ST at 40 percent; T unoccupied.
    scene.claims(seat(1), "Zosca", 4);
    scene.claims(seat(1), "Sadir", 17);
    scene.colony(seat(1), "Sadir", 0, |colony| Colony { population: 16, ..colony });
    assert_eq!(scene.refused(seat(1), sail(&ships, &[], "Zosca")), "transport-policy");
    let before = scene.game.clone();
    scene.obeyed(seat(1), sail(&ships, &[], "Sadir"));
    scene.game = before;
    scene.claims(seat(1), "Aurigae", 29);
    assert_eq!(scene.refused(seat(1), sail(&ships, &[], "Sadir")), "transport-policy");
    scene.obeyed(seat(1), sail(&ships, &[], "Aurigae"));
    // A terran planet that is too far away does not count.
    let (mut scene, ships) = transports(5);
    scene.claims(seat(1), "Zosca", 4);
    scene.claims(seat(1), "Bootis", 29);
    scene.obeyed(seat(1), sail(&ships, &[], "Zosca"));
}

#[test]
fn space_7_2_a_part_of_a_group_may_go_where_all_may() {
    let (mut scene, _) = transports(1);
    // Two rich planets that nobody has settled; the transports stand at one of them.
    scene.claims(seat(1), "Zosca", 9);
    scene.claims(seat(1), "Sadir", 20);
    let ships = scene.ships(seat(1), "O16", &[(Transport, 2)]);
    scene.obeyed(seat(1), sail(&ships[..1], &[], "Zosca"));
}

#[test]
fn space_7_2_a_group_is_split_by_room_and_lands_by_itself_dr_43() {
    let (mut scene, ships) = transports(12);
    scene.claims(seat(1), "Sadir", 22);
    scene.colony(seat(1), "Sadir", 0, |colony| Colony { population: 33, ..colony });
    assert_eq!(scene.refused(seat(1), sail(&ships, &[], "Sadir")), "too-many");
    scene.obeyed(seat(1), sail(&ships[..7], &[], "Sadir"));
    // The rest has nowhere to go: not to somebody else's star, but anywhere else.
    scene.claims(seat(2), "Zosca", 4);
    assert_eq!(scene.refused(seat(1), sail(&ships[7..], &[], "Zosca")), "neutral-star");
    scene.obeyed(seat(1), sail(&ships[7..], &[], "Lupi"));
    scene.turn(2, seat(1));
    for ship in &ships[..7] {
        assert_eq!(scene.power(seat(1)).ship(*ship).unwrap().at, Some(place("O16")));
    }
    scene.obeyed(seat(1), Order::EndMovement);
    scene.obeyed(seat(1), Order::EndTurn);
    let colony = scene.power(seat(1)).colony(planet("Sadir", 0)).unwrap();
    assert_eq!(colony.population, 40);
    assert_eq!(scene.power(seat(1)).fleet_at(place("O16")), Fleet::NONE);
}
