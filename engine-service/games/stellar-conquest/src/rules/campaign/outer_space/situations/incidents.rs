//! Chapter 9: clashes, raids, disputes.

use super::*;
use crate::rules::campaign::outer_space::incidents::settle_incidents;
use crate::state::campaign::CampaignStage;
use crate::state::campaign::politics::{Incident, Quarrel};
use crate::state::colony::{Bases, Colony};
use crate::state::order::Sortie;
use crate::tables::outer_space::Verdict;
use crate::tables::ships::Fleet;
use crate::tables::technology::Tech;
use ShipKind::{Corvette, DeathStar, Fighter, Scout};

/// Seat 1 at Alcor clashes with seat 2 at Sadir.
fn clash(dice: &[u32]) -> Scene {
    let mut scene = Scene::space(2).script(dice.iter().copied());
    scene.claims(seat(1), "Alcor", 25);
    scene.claims(seat(2), "Sadir", 12);
    scene.claims(seat(2), "Lupi", 51);
    scene.rest_is_claimed(seat(1));
    scene.owns(seat(1), &[Tech::Speed4]);
    scene.colony(seat(1), "Alcor", 0, |colony| colony);
    scene.has_post(seat(1), "Alcor");
    let incident = Incident { pair: [seat(1), seat(2)], quarrel: Quarrel::Clash { tension: 0 } };
    happens(&mut scene, PoliticsEvent::IncidentBegan(incident));
    scene.holds_fire(seat(2));
    scene
}

fn raid(ships: &[ShipNumber], target: &str, rounds: u8) -> Order {
    Order::Raid(Sortie { ships: ships.to_vec(), target: star(target), rounds, path: Vec::new() })
}

fn tension(scene: &Scene) -> u32 {
    match scene.politics().incidents[0].quarrel {
        Quarrel::Clash { tension } => tension,
        Quarrel::Dispute { .. } => panic!("it is a clash"),
    }
}

#[test]
fn space_9_1_dt_30_what_a_raid_may_be() {
    let mut scene = clash(&[]);
    let corvettes = scene.ships(seat(1), "L18", &[(Corvette, 6)]);
    let heavy = scene.ships(seat(1), "L18", &[(DeathStar, 1)]);
    let far = scene.ships(seat(1), "L13", &[(Scout, 1)]);
    assert_eq!(scene.refused(seat(1), raid(&corvettes, "Sadir", 2)), "too-many");
    assert_eq!(scene.refused(seat(1), raid(&heavy, "Sadir", 2)), "death-star");
    assert_eq!(scene.refused(seat(1), raid(&far, "Lupi", 2)), "out-of-reach");
    assert_eq!(scene.refused(seat(1), raid(&corvettes[..2], "Alcor", 2)), "no-clash");
    assert_eq!(scene.refused(seat(1), raid(&corvettes[..2], "Sadir", 3)), "bad-rounds");
    assert_eq!(scene.refused(seat(1), sail(&corvettes, &[], "Sadir")), "raids-only");
    scene.obeyed(seat(1), raid(&corvettes[..2], "Sadir", 1));
    assert_eq!(tension(&scene), 1);
    assert_eq!(scene.refused(seat(1), raid(&corvettes[2..4], "Sadir", 1)), "raided-already");
}

#[test]
fn space_8_1_8_5_9_1_9_2_who_is_not_to_be_attacked_is_told_by_politics() {
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
    // Alcor borders Sadir, but nothing of seat 3.
    scene.war(seat(1), seat(3), WarKind::Limited);
    happens(&mut scene, PoliticsEvent::Joined { seat: seat(2), against: seat(3) });
    assert_eq!(fights(&mut scene), "ally");
}

#[test]
fn space_9_1_a_raid_fights_ships_then_bases_and_goes_home() {
    // Two hits of corvettes at a corvette and a missile base.
    let mut scene = clash(&[1, 6, 1, 6]);
    scene.ships(seat(2), "O16", &[(Corvette, 1)]);
    let bases = Bases { missile: 1, advanced: 0 };
    scene.colony(seat(2), "Sadir", 0, |colony| Colony { bases, factories: 3, ..colony });
    let ships = scene.ships(seat(1), "L18", &[(Corvette, 2)]);
    let card = scene.game.truth.secrets.card(star("Sadir"));
    scene.happen(&Event::Own(OwnEvent::Explored { seat: seat(1), star: star("Sadir"), card }));
    scene.obeyed(seat(1), raid(&ships, "Sadir", 2));
    scene.obeyed(seat(1), Order::EndMovement);
    // The line: two raiders, the corvette; then the base.
    scene.obeyed(seat(1), aim(&[(0, 2), (1, 2)]));
    assert_eq!(tension(&scene), 2);
    scene.obeyed(seat(1), aim(&[(0, 3), (1, 3)]));
    assert_eq!(tension(&scene), 3);
    let colony = scene.power(seat(2)).colony(planet("Sadir", 0)).unwrap();
    assert!(colony.is_free() && colony.bases == Bases::NONE && colony.factories == 3);
    assert_eq!(
        scene.game.table().stage,
        Stage::Campaign(CampaignStage::Place { at: place("O16") })
    );
    let astray = Order::Place { at: place("O17"), destination: Some(star("Hydrae")) };
    assert_eq!(scene.refused(seat(1), astray), "not-open");
    scene.obeyed(seat(1), Order::Place { at: place("O17"), destination: Some(star("Alcor")) });
    assert_eq!(scene.power(seat(1)).fleet_at(place("O17")), Fleet::new([0, 0, 2, 0, 0]));
    assert_eq!(scene.game.table().stage, Stage::Planets);
    assert!(scene.politics().raids.is_empty() && scene.politics().raided.contains(seat(2)));
}

#[test]
fn space_9_1_dr_27_bases_under_a_shield_are_not_hit_in_a_raid() {
    let mut scene = clash(&[1, 1, 6, 6]);
    let bases = Bases { missile: 1, advanced: 0 };
    scene.colony(seat(2), "Sadir", 0, |colony| Colony { bases, shield: true, ..colony });
    let ships = scene.ships(seat(1), "L18", &[(Fighter, 2)]);
    let card = scene.game.truth.secrets.card(star("Sadir"));
    scene.happen(&Event::Own(OwnEvent::Explored { seat: seat(1), star: star("Sadir"), card }));
    scene.obeyed(seat(1), raid(&ships, "Sadir", 1));
    scene.obeyed(seat(1), Order::EndMovement);
    assert_eq!(scene.refused(seat(1), aim(&[(0, 2)])), "shielded");
    scene.obeyed(seat(1), aim(&[(0, 3), (1, 3)]));
    assert_eq!(tension(&scene), 1);
    assert!(matches!(scene.game.table().stage, Stage::Campaign(_)));
}

#[test]
fn space_9_1_dt_29_a_clash_may_become_a_war_go_on_or_end() {
    for (raised, dice, verdict) in
        [(8, [3, 3], Verdict::War), (8, [3, 4], Verdict::GoesOn), (8, [4, 5], Verdict::Ends)]
    {
        let mut scene = clash(&dice);
        happens(&mut scene, PoliticsEvent::TensionRose { pair: [seat(1), seat(2)], by: raised });
        settle_incidents(&mut scene.referee());
        let politics = scene.politics();
        assert_eq!(politics.war.is_some(), verdict == Verdict::War);
        assert_eq!(politics.incidents.is_empty(), verdict != Verdict::GoesOn);
        assert!(politics.war.as_ref().is_none_or(|war| war.kind == WarKind::Limited));
    }
}

/// Seat 1 claims Sadir, which is seat 2's, and has this many corvettes there.
fn dispute(ships: u32, dice: &[u32]) -> Scene {
    let mut scene = Scene::space(3).script(dice.iter().copied());
    scene.claims(seat(1), "Alcor", 25);
    scene.claims(seat(2), "Sadir", 12);
    scene.claims(seat(2), "Lupi", 51);
    scene.rest_is_claimed(seat(3));
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
fn space_9_2_the_claimant_may_attack_the_disputed_star_and_no_other() {
    let mut scene = dispute(1, &[]);
    let ships = scene.ships(seat(1), "L18", &[(Scout, 1)]);
    assert_eq!(scene.refused(seat(1), sail(&ships, &[], "Lupi")), "neutral-star");
    scene.obeyed(seat(1), sail(&ships, &[], "Sadir"));
    scene.obeyed(seat(1), Order::EndMovement);
    scene.obeyed(seat(1), Order::Attack { planets: vec![planet("Sadir", 0)] });
    let colony = scene.power(seat(2)).colony(planet("Sadir", 0)).unwrap();
    assert_eq!(colony.conqueror(), Some(seat(1)));
}

#[test]
fn space_9_2_dt_31_arbitration_gives_a_conquered_star_to_the_claimant() {
    // Conquered: 4 + 2 is arbitration, 7 + 2 goes on.
    for (dice, claimant, open) in [([2, 2], 1, false), ([3, 4], 2, true)] {
        let mut scene = dispute(1, &dice);
        scene.obeyed(seat(1), Order::EndMovement);
        scene.obeyed(seat(1), Order::Attack { planets: vec![planet("Sadir", 0)] });
        settle_incidents(&mut scene.referee());
        assert_eq!(scene.politics().claimant(star("Sadir")), Some(seat(claimant)), "{dice:?}");
        assert_eq!(scene.politics().incidents.is_empty(), !open);
        assert_eq!(scene.game.integrity(), Ok(()));
    }
}

#[test]
fn space_9_2_dt_31_what_is_not_conquered_stays_with_its_owner() {
    let mut scene = dispute(1, &[4, 4]);
    settle_incidents(&mut scene.referee());
    assert_eq!(scene.politics().claimant(star("Sadir")), Some(seat(2)));
    // The claimant's ships are in the way no longer, and leave with their next movement.
    let colony = scene.power(seat(2)).colony(planet("Sadir", 0)).unwrap();
    assert!(colony.is_free() && !colony.is_besieged());
    scene.obeyed(seat(1), Order::EndMovement);
    assert_eq!(
        scene.game.table().stage,
        Stage::Campaign(CampaignStage::Place { at: place("O16") })
    );
}

#[test]
fn space_9_2_a_dispute_that_becomes_a_war_keeps_what_is_conquered() {
    let mut scene = dispute(1, &[5, 4]);
    scene.obeyed(seat(1), Order::EndMovement);
    scene.obeyed(seat(1), Order::Attack { planets: vec![planet("Sadir", 0)] });
    settle_incidents(&mut scene.referee());
    assert!(scene.politics().war.as_ref().is_some_and(|war| war.are_enemies(seat(1), seat(2))));
    assert_eq!(scene.power(seat(2)).colony(planet("Sadir", 0)).unwrap().conqueror(), Some(seat(1)));
}

#[test]
fn dr_49_a_power_raids_once_a_turn_in_each_clash() {
    let mut scene = Scene::space(3);
    scene.claims(seat(1), "Alcor", 25);
    scene.claims(seat(2), "Sadir", 12);
    scene.claims(seat(3), "Hydrae", 49);
    scene.rest_is_claimed(seat(1));
    scene.owns(seat(1), &[Tech::Speed4]);
    scene.colony(seat(1), "Alcor", 0, |colony| colony);
    scene.has_post(seat(1), "Alcor");
    for other in [2, 3] {
        let incident =
            Incident { pair: [seat(1), seat(other)], quarrel: Quarrel::Clash { tension: 0 } };
        happens(&mut scene, PoliticsEvent::IncidentBegan(incident));
        scene.holds_fire(seat(other));
    }
    scene.ships(seat(2), "O16", &[(Corvette, 1)]);
    scene.ships(seat(3), "P18", &[(Corvette, 1)]);
    let ships = scene.ships(seat(1), "L18", &[(Corvette, 3)]);
    scene.obeyed(seat(1), raid(&ships[..1], "Sadir", 1));
    assert_eq!(scene.refused(seat(1), raid(&ships[2..], "Sadir", 1)), "raided-already");
    scene.obeyed(seat(1), raid(&ships[1..2], "Hydrae", 1));
    scene.obeyed(seat(1), Order::EndMovement);
    // Both are fought, one after the other, and both parties go home.
    let mut fought = Vec::new();
    for _ in 0..2 {
        fought.push(scene.game.table().battle.as_ref().unwrap().at);
        scene.obeyed(seat(1), aim(&[]));
        let Stage::Campaign(CampaignStage::Place { at }) = scene.game.table().stage else {
            continue;
        };
        let home = scene.game.eyes(seat(1)).default_place(at);
        scene.obeyed(seat(1), home);
    }
    while let Stage::Campaign(CampaignStage::Place { at }) = scene.game.table().stage {
        let home = scene.game.eyes(seat(1)).default_place(at);
        scene.obeyed(seat(1), home);
    }
    assert_eq!(fought, [place("O16"), place("P18")]);
    assert_eq!(scene.game.table().stage, Stage::Planets);
    assert!(scene.politics().raids.is_empty());
    assert_eq!([2, 3].map(|other| scene.politics().tension(seat(1), seat(other))), [1, 1]);
}

#[test]
fn dr_49_a_raid_goes_any_legal_route_of_one_turn() {
    let mut scene = clash(&[]);
    scene.owns(seat(1), &[Tech::Speed5]);
    let ships = scene.ships(seat(1), "L18", &[(Corvette, 2)]);
    scene.ships(seat(2), "O16", &[(Corvette, 1)]);
    let by = |path: &[&str]| {
        let path = path.iter().map(|name| place(name)).collect();
        Order::Raid(Sortie { ships: ships[..1].to_vec(), target: star("Sadir"), rounds: 1, path })
    };
    assert_eq!(scene.refused(seat(1), by(&["L17", "M17", "N16"])), "out-of-reach");
    assert_eq!(scene.refused(seat(1), by(&["M18", "O16"])), "not-adjacent");
    assert_eq!(scene.refused(seat(1), by(&["L17", "M17", "M16", "N16", "O16"])), "not-direct");
    assert_eq!(
        scene.refused(seat(1), by(&["L17", "M17", "M16", "L16", "M16", "O16"])),
        "not-adjacent"
    );
    scene.obeyed(seat(1), by(&["M18", "M17", "N16", "O16"]));
    assert_eq!(scene.power(seat(1)).fleet_at(place("O16")).total(), 1);
}

#[test]
fn space_9_1_what_a_misunderstanding_destroys_counts_for_the_tension_of_a_clash() {
    // Encounter dice of 11, and a hit at the corvette that is met.
    let mut scene = clash(&[5, 6, 1]);
    scene.ships(seat(2), "O16", &[(Corvette, 1)]);
    let card = scene.game.truth.secrets.card(star("Sadir"));
    scene.happen(&Event::Own(OwnEvent::Explored { seat: seat(1), star: star("Sadir"), card }));
    let ships = scene.ships(seat(1), "N16", &[(Corvette, 1)]);
    scene.happen(&Event::Own(OwnEvent::Sailed {
        seat: seat(1),
        ships: ships.clone(),
        to: place("N16"),
        steps: 0,
        halted: false,
        destination: Some(star("Sadir")),
        departed: None,
    }));
    scene.obeyed(seat(1), sail(&ships, &[], "Sadir"));
    scene.obeyed(seat(1), Order::EndMovement);
    scene.obeyed(seat(1), aim(&[(0, 1)]));
    assert_eq!(tension(&scene), 1);
}
