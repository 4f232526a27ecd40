//! Tests of diplomatic events, talks, allies and sides of a war (chapter 8).

use heliopause_kernel::SeatSet;

use super::*;
use crate::rules::campaign::hooks::production::after_sheets;
use crate::rules::campaign::outer_space::diplomacy::space_diplomacy;
use crate::rules::campaign::outer_space::stages::space_politics;
use crate::state::{BattleStage, Incident, Quarrel, Relation};
use crate::tables::Fleet;
use ShipKind::{Corvette, Fighter};

fn war(dice: &[u32]) -> Scene {
    let mut scene = Scene::space(4).script(dice.iter().copied());
    scene.war(seat(1), seat(2), WarKind::Limited);
    scene
}

fn sides(scene: &Scene) -> [SeatSet; 2] {
    scene.politics().war.as_ref().unwrap().sides
}

fn set(numbers: &[u32]) -> SeatSet {
    numbers.iter().map(|&number| seat(number)).collect()
}

#[test]
fn space_8_4_failure_resumes_a_war_in_truce() {
    let mut scene = war(&[1, 1, 1, 1, 1, 2]);
    happens(&mut scene, PoliticsEvent::Escalated);
    happens(&mut scene, PoliticsEvent::TruceChanged { truce: true });
    happens(&mut scene, PoliticsEvent::EraBegan { era: Era::Growth });
    // In a truce, talks replace the event. A roll of 2 + 2 fails.
    space_diplomacy(&mut scene.referee());
    assert!(scene.politics().war.as_ref().is_some_and(|war| !war.truce));
}

#[test]
fn space_8_2_a_blunder_of_allies_makes_one_of_them_neutral() {
    let mut scene = war(&[2]);
    happens(&mut scene, PoliticsEvent::Joined { seat: seat(3), against: seat(2) });
    scene.apply_happening(Happening::Blunder, seat(1), seat(3));
    assert_eq!(sides(&scene), [set(&[1]), set(&[2])]);
}

#[test]
fn space_8_2_neutrals_clash_dispute_or_go_to_war() {
    for happening in
        [Happening::Blunder, Happening::Dispute, Happening::LimitedWar, Happening::TotalWar]
    {
        let mut scene = Scene::space(4).script([1]);
        scene.claims(seat(1), "Alcor", 25);
        scene.claims(seat(2), "Sadir", 12);
        assert_eq!(scene.politics().relation(seat(1), seat(2)), Relation::AtPeace);
        scene.apply_happening(happening, seat(1), seat(2));
        let politics = scene.politics();
        let incident = politics.incidents.first().copied();
        let of = |quarrel| Some(Incident { pair: [seat(1), seat(2)], quarrel });
        match happening {
            Happening::Blunder => assert_eq!(incident, of(Quarrel::Clash { tension: 0 })),
            Happening::Dispute => {
                assert_eq!(incident, of(Quarrel::Dispute { star: star("Sadir") }));
            }
            _ => assert!(incident.is_none() && politics.war.is_some()),
        }
        scene.apply_happening(Happening::Blunder, seat(2), seat(1));
        assert!(scene.politics().incidents.len() <= 1);
    }
    // Without a common border, a dispute becomes a clash.
    let mut scene = Scene::space(4);
    scene.apply_happening(Happening::Dispute, seat(1), seat(2));
    assert!(matches!(scene.politics().incidents[0].quarrel, Quarrel::Clash { .. }));
}

#[test]
fn space_9_an_incident_ends_with_a_war_of_the_two() {
    let mut scene = Scene::space(4);
    scene.apply_happening(Happening::Blunder, seat(1), seat(2));
    scene.apply_happening(Happening::LimitedWar, seat(1), seat(2));
    assert!(scene.politics().incidents.is_empty());
}

#[test]
fn space_8_5_allies_defend_together_and_only_the_mover_attacks() {
    let mut scene = Scene::space(4);
    scene.claims(seat(1), "Alcor", 25);
    scene.claims(seat(2), "Sadir", 12);
    scene.war(seat(1), seat(2), WarKind::Total);
    happens(&mut scene, PoliticsEvent::Joined { seat: seat(3), against: seat(1) });
    happens(&mut scene, PoliticsEvent::Joined { seat: seat(4), against: seat(2) });
    scene.ships(seat(2), "O16", &[(Corvette, 1)]);
    scene.ships(seat(3), "O16", &[(Fighter, 1)]);
    scene.ships(seat(4), "O16", &[(Fighter, 2)]);
    scene.ships(seat(1), "O16", &[(Corvette, 3)]);
    let card = scene.game.truth.secrets.card(star("Sadir"));
    scene.happen(&Event::Own(OwnEvent::Explored { seat: seat(1), star: star("Sadir"), card }));
    scene.accepted_order(seat(1), Order::EndMovement);
    let battle = scene.game.table().battle.as_ref().unwrap();
    assert_eq!(battle.participants(), set(&[1, 2, 3]));
    scene.accepted_order(seat(1), aim(&[]));
    let waiting = set(&[2, 3]);
    assert_eq!(
        scene.game.table().battle.as_ref().unwrap().stage,
        BattleStage::DefendersAim { waiting }
    );
    scene.accepted_order(seat(2), aim(&[]));
    scene.accepted_order(seat(3), aim(&[]));
    scene.accepted_order(seat(1), Order::withdraw(Vec::new(), None));
    // Both powers decide before any ship leaves, and both go to the same hex.
    let leave = |unit| Order::withdraw(vec![UnitId(unit)], Some(star("Lupi")));
    scene.accepted_order(seat(3), leave(4));
    assert!(matches!(
        scene.game.table().battle.as_ref().unwrap().stage,
        BattleStage::DefenderLeaves { .. }
    ));
    scene.accepted_order(seat(2), leave(3));
    assert!(matches!(
        scene.game.table().battle.as_ref().unwrap().stage,
        BattleStage::Refuge { .. }
    ));
    scene.accepted_order(seat(1), Order::SendTo { at: place("O17") });
    assert_eq!(scene.power(seat(2)).fleet_at(place("O17")), Fleet::new([0, 0, 1, 0, 0]));
    assert_eq!(scene.power(seat(3)).fleet_at(place("O17")), Fleet::new([0, 0, 0, 1, 0]));
    assert!(scene.game.table().battle.is_none());
}

#[test]
fn space_8_2_dice_reach_every_branch() {
    let mut reached = std::collections::BTreeMap::new();
    for seed in 0..40 {
        let mut scene = Scene::space(4);
        scene.dice = heliopause_kernel::Dice::new([seed; 32]);
        for (nth, star) in StarId::ALL.into_iter().enumerate() {
            let (seat, card) = (Seat::at(nth % 4), scene.game.truth.secrets.card(star));
            scene.happen(&Event::Own(OwnEvent::Explored { seat, star, card }));
            happens(&mut scene, PoliticsEvent::Claimed { seat, star });
        }
        for number in 1..=4 {
            scene.ships(seat(number), "L18", &[(ShipKind::Transport, 1)]);
        }
        for turn in 1..=44 {
            let era = Era::ALL[1 + usize::from(turn % 3)];
            happens(&mut scene, PoliticsEvent::EraBegan { era });
            scene.turn(turn, seat(1));
            let mut referee = scene.referee();
            assert!(space_politics(&mut referee));
            for told in &referee.told {
                if let Event::Politics(PoliticsEvent::Rolled {
                    diplomatic_event: happening,
                    relation,
                    ..
                }) = &told.event
                {
                    *reached.entry((*happening, *relation)).or_insert(0) += 1;
                }
            }
            after_sheets(&mut scene.referee());
        }
        assert_eq!(scene.game.integrity(), Ok(()));
    }
    println!("{reached:#?}");
    for happening in
        [Happening::Blunder, Happening::Dispute, Happening::LimitedWar, Happening::TotalWar]
    {
        for relation in [
            Relation::Enemies,
            Relation::Allies,
            Relation::OneAtWar,
            Relation::NeutralToAWar,
            Relation::AtPeace,
        ] {
            assert!(
                reached.contains_key(&(happening, Some(relation))),
                "{happening:?} {relation:?}"
            );
        }
    }
}

#[test]
fn space_8_2_changing_sides_makes_old_enemies_leave_each_others_stars() {
    let mut scene = war(&[]);
    happens(&mut scene, PoliticsEvent::Joined { seat: seat(3), against: seat(2) });
    let sadir = star("Sadir");
    for (owner, name, card) in [(1, "Alcor", 25), (2, "Sadir", 12), (3, "Lupi", 51)] {
        scene.claims(seat(owner), name, card);
    }
    scene.ships(seat(3), "O16", &[(Corvette, 1)]);
    let card = scene.game.truth.secrets.card(sadir);
    scene.happen(&Event::Own(OwnEvent::Explored { seat: seat(3), star: sadir, card }));
    scene.apply_happening(Happening::Dispute, seat(1), seat(3));
    // Seat 3 is now seat 2's ally, but the ships of seat 3 at this star must leave.
    assert!(scene.politics().are_allies(seat(2), seat(3)));
    scene.turn(3, seat(3));
    scene.accepted_order(seat(3), Order::EndMovement);
    let at = place("O16");
    assert_eq!(
        scene.game.table().stage,
        Stage::Campaign(crate::state::campaign::CampaignStage::Place { at })
    );
    let home = scene.game.seat_view(seat(3)).default_place(at);
    scene.accepted_order(seat(3), home);
    assert!(!scene.game.table().has_ships(seat(3), at));
    assert!(scene.politics().departures.iter().all(|departure| departure.seat != seat(3)));
    scene.accepted_order(seat(3), Order::EndTurn);
    scene.turn(4, seat(3));
    scene.ships(seat(3), "O16", &[(Corvette, 1)]);
    scene.accepted_order(seat(3), Order::EndMovement);
    assert!(scene.game.table().has_ships(seat(3), at));
}
