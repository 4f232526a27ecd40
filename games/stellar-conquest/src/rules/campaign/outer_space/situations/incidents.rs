//! Tests of clashes, raids and disputes (chapter 9).

use super::*;
use crate::state::{Bases, CampaignStage, Colony, Incident, Quarrel, RaidOrder};
use crate::tables::{Fleet, Tech};
use ShipKind::{Corvette, Fighter, Scout};

fn clash(dice: &[u32]) -> Scene {
    let mut scene = Scene::space(2).script(dice.iter().copied());
    scene.claims(seat(1), "Alcor", 25);
    scene.claims(seat(2), "Sadir", 12);
    scene.claims(seat(2), "Lupi", 51);
    scene.claim_rest(seat(1));
    scene.owns(seat(1), &[Tech::Speed4]);
    scene.colony(seat(1), "Alcor", 0, |colony| colony);
    scene.has_post(seat(1), "Alcor");
    let incident = Incident { pair: [seat(1), seat(2)], quarrel: Quarrel::Clash { tension: 0 } };
    happens(&mut scene, PoliticsEvent::IncidentBegan(incident));
    scene.holds_fire(seat(2));
    scene
}

fn raid(ships: &[ShipNumber], target: &str, rounds: u8) -> Order {
    Order::Raid(RaidOrder { ships: ships.to_vec(), target: star(target), rounds, path: Vec::new() })
}

fn tension(scene: &Scene) -> u32 {
    match scene.politics().incidents[0].quarrel {
        Quarrel::Clash { tension } => tension,
        Quarrel::Dispute { .. } => panic!("it is a clash"),
    }
}

#[test]
fn space_8_1_8_5_9_1_9_2_politics_decide_who_can_be_attacked() {
    let mut scene = Scene::space(4);
    for (nth, name) in [(1, "Alcor"), (2, "Sadir"), (3, "Lupi"), (4, "Mira")] {
        scene.claims(seat(nth), name, [25, 12, 51, 58][nth as usize - 1]);
        scene.ships(seat(nth), "L18", &[(Corvette, 1)]);
    }
    scene.turn(2, seat(1));
    scene.game.table.stage = Stage::Combat;
    let fights = |scene: &mut Scene| scene.refused(seat(1), Order::Fight { at: place("L18") });
    assert_eq!(fights(&mut scene), "neutral-power");
    let quarrel =
        |quarrel| PoliticsEvent::IncidentBegan(Incident { pair: [seat(1), seat(2)], quarrel });
    let over = PoliticsEvent::IncidentEnded { pair: [seat(1), seat(2)] };
    happens(&mut scene, quarrel(Quarrel::Clash { tension: 0 }));
    assert_eq!(fights(&mut scene), "raids-only");
    happens(&mut scene, over.clone());
    happens(&mut scene, quarrel(Quarrel::Dispute { star: star("Sadir") }));
    assert_eq!(fights(&mut scene), "not-disputed");
    happens(&mut scene, over);
    // Alcor borders Sadir, but borders no star of seat 3.
    scene.war(seat(1), seat(3), WarKind::Limited);
    happens(&mut scene, PoliticsEvent::Joined { seat: seat(2), against: seat(3) });
    assert_eq!(fights(&mut scene), "ally");
}

#[test]
fn space_9_1_dr_27_bases_under_a_shield_are_not_hit_in_a_raid() {
    let mut scene = clash(&[1, 1, 6, 6]);
    let bases = Bases { missile: 1, advanced: 0 };
    scene.colony(seat(2), "Sadir", 0, |colony| Colony { bases, shield: true, ..colony });
    let ships = scene.ships(seat(1), "L18", &[(Fighter, 2)]);
    let card = scene.game.truth.secrets.card(star("Sadir"));
    scene.happen(&Event::Own(OwnEvent::Explored { seat: seat(1), star: star("Sadir"), card }));
    scene.accepted_order(seat(1), raid(&ships, "Sadir", 1));
    scene.accepted_order(seat(1), Order::EndMovement);
    assert_eq!(scene.refused(seat(1), aim(&[(0, 2)])), "shielded");
    scene.accepted_order(seat(1), aim(&[(0, 3), (1, 3)]));
    assert_eq!(tension(&scene), 1);
    assert!(matches!(scene.game.table().stage, Stage::Campaign(_)));
}

fn dispute(ships: u32, dice: &[u32]) -> Scene {
    let mut scene = Scene::space(3).script(dice.iter().copied());
    scene.claims(seat(1), "Alcor", 25);
    scene.claims(seat(2), "Sadir", 12);
    scene.claims(seat(2), "Lupi", 51);
    scene.claim_rest(seat(3));
    let incident =
        Incident { pair: [seat(1), seat(2)], quarrel: Quarrel::Dispute { star: star("Sadir") } };
    happens(&mut scene, PoliticsEvent::IncidentBegan(incident));
    scene.colony(seat(2), "Sadir", 0, |colony| colony);
    if ships > 0 {
        scene.ships(seat(1), "O16", &[(Corvette, ships)]);
        let card = scene.game.truth.secrets.card(star("Sadir"));
        scene.happen(&Event::Own(OwnEvent::Explored { seat: seat(1), star: star("Sadir"), card }));
    }
    scene
}

#[test]
fn space_9_2_the_claimant_can_attack_only_the_disputed_star() {
    let mut scene = dispute(1, &[]);
    let ships = scene.ships(seat(1), "L18", &[(Scout, 1)]);
    assert_eq!(scene.refused(seat(1), sail(&ships, &[], "Lupi")), "neutral-star");
    scene.accepted_order(seat(1), sail(&ships, &[], "Sadir"));
    scene.accepted_order(seat(1), Order::EndMovement);
    scene.accepted_order(seat(1), Order::Attack { planets: vec![planet("Sadir", 0)] });
    let colony = scene.power(seat(2)).colony(planet("Sadir", 0)).unwrap();
    assert_eq!(colony.conqueror(), Some(seat(1)));
}

#[test]
fn space_9_1_a_raid_fights_ships_then_bases_and_returns() {
    let mut scene = clash(&[1, 6, 1, 6]);
    scene.ships(seat(2), "O16", &[(Corvette, 1)]);
    let bases = Bases { missile: 1, advanced: 0 };
    scene.colony(seat(2), "Sadir", 0, |colony| Colony { bases, factories: 3, ..colony });
    let ships = scene.ships(seat(1), "L18", &[(Corvette, 2)]);
    let card = scene.game.truth.secrets.card(star("Sadir"));
    scene.happen(&Event::Own(OwnEvent::Explored { seat: seat(1), star: star("Sadir"), card }));
    scene.accepted_order(seat(1), raid(&ships, "Sadir", 2));
    scene.accepted_order(seat(1), Order::EndMovement);
    // The line of battle: two raiders, the corvette, then the base.
    scene.accepted_order(seat(1), aim(&[(0, 2), (1, 2)]));
    assert_eq!(tension(&scene), 2);
    scene.accepted_order(seat(1), aim(&[(0, 3), (1, 3)]));
    assert_eq!(tension(&scene), 3);
    let colony = scene.power(seat(2)).colony(planet("Sadir", 0)).unwrap();
    assert!(colony.is_free() && colony.bases == Bases::NONE && colony.factories == 3);
    assert_eq!(
        scene.game.table().stage,
        Stage::Campaign(CampaignStage::Place { at: place("O16") })
    );
    let astray = Order::Place { at: place("O17"), destination: Some(star("Hydrae")) };
    assert_eq!(scene.refused(seat(1), astray), "not-open");
    scene.accepted_order(
        seat(1),
        Order::Place { at: place("O17"), destination: Some(star("Alcor")) },
    );
    assert_eq!(scene.power(seat(1)).fleet_at(place("O17")), Fleet::new([0, 0, 2, 0, 0]));
    assert_eq!(scene.game.table().stage, Stage::Planets);
    assert!(scene.politics().raids.is_empty() && scene.politics().raided.contains(seat(2)));
}
