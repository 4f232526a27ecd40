//! Chapter 13.

use super::*;
use crate::rules::inspection::survey;
use crate::state::battle::BattleStage;
use crate::state::colony::{Bases, Colony};
use crate::state::options::Options;
use crate::state::order::Factories;
use crate::state::standing::ScuttlePolicy;
use crate::state::table::Stage;
use crate::testing::seat;
use ShipKind::{Corvette, Scout, Transport};

/// Seat 1 has ships at Sadir (card 15: ST 20, T 40), where seat 2 has a colony on each planet; seat
/// 1 is about to attack.
fn siege(
    options: Options,
    ships: &[(ShipKind, u32)],
    change: impl Fn(Colony) -> Colony,
    dice: &[u32],
) -> Scene {
    let mut scene = Scene::new(options, 3).script(dice.iter().copied());
    scene.explored(seat(1), "Sadir", 15);
    scene.colony(seat(2), "Sadir", 0, &change);
    scene.colony(seat(2), "Sadir", 1, &change);
    scene.ships(seat(1), "O16", ships);
    scene.obeyed(seat(1), Order::EndMovement);
    scene
}

fn with_bases(missile: u32) -> impl Fn(Colony) -> Colony {
    move |colony| Colony { bases: Bases { missile, advanced: 0 }, factories: 5, ..colony }
}

fn attack(places: &[u8]) -> Order {
    Order::Attack { planets: places.iter().map(|&nth| planet("Sadir", nth)).collect() }
}

fn stage(scene: &Scene) -> BattleStage {
    scene.game.table().battle.as_ref().expect("an attack is under way").stage
}

#[test]
fn bt_21_a_round_is_compulsory_then_the_attack_may_be_broken_off() {
    let mut scene = siege(Options::default(), &[(Corvette, 1)], with_bases(2), &[1]);
    scene.holds_fire(seat(2));
    scene.obeyed(seat(1), attack(&[0]));
    assert_eq!(stage(&scene), BattleStage::AttackerAims);
    assert_eq!(scene.refused(seat(1), Order::BreakOff), "wrong-step");
    scene.obeyed(seat(1), aim(&[(0, 1)]));
    // 13.5: the owner may destroy factories of the colony that was attacked, and of no other.
    assert!(matches!(stage(&scene), BattleStage::Scuttle { .. }));
    let burn = |nth, count| Order::Scuttle {
        factories: vec![Factories { planet: planet("Sadir", nth), count }],
    };
    assert_eq!(scene.refused(seat(2), burn(1, 1)), "not-attacked");
    assert_eq!(scene.refused(seat(2), burn(0, 6)), "no-such-factories");
    scene.obeyed(seat(2), burn(0, 3));
    assert_eq!(stage(&scene), BattleStage::GoesOn);
    scene.obeyed(seat(1), Order::BreakOff);
    let colony = *scene.power(seat(2)).colony(planet("Sadir", 0)).unwrap();
    assert_eq!((colony.bases.missile, colony.factories, colony.is_besieged()), (1, 2, true));
    let seen = scene.power(seat(1)).chart(star("Sadir")).colonies[0];
    assert_eq!(seen.and_then(|seen| seen.bases), Some(Bases { missile: 1, advanced: 0 }));
    assert_eq!(scene.game.table().stage, Stage::Planets);
}

#[test]
fn bt_22_a_colony_without_bases_is_conquered_at_once() {
    let mut scene = siege(
        Options::default(),
        &[(Corvette, 1)],
        |colony| Colony { factories: 4, ..colony },
        &[],
    );
    let told = scene.obeyed(seat(1), attack(&[1]));
    let conquered = Event::Battle(BattleEvent::Conquered {
        planet: planet("Sadir", 1),
        owner: seat(2),
        by: seat(1),
    });
    assert!(all(&told).contains(&&conquered));
    assert_eq!(scene.game.table().stage, Stage::Planets);
    let prize = scene.power(seat(1)).prizes[0];
    assert_eq!((prize.owner, prize.colony.factories), (seat(2), 4));
    assert_eq!(scene.refused(seat(2), Order::Scuttle { factories: vec![] }), "nothing-asked");
    assert_eq!(scene.refused(seat(1), attack(&[1])), "held-already");
}

#[test]
fn bt_23_a_shield_protects_from_attacks() {
    let mut scene = siege(
        Options::default(),
        &[(Corvette, 1)],
        |colony| Colony { shield: true, ..colony },
        &[],
    );
    assert_eq!(scene.refused(seat(1), attack(&[0])), "shielded");
}

#[test]
fn rule_13_1_an_attack_needs_a_warship_and_a_known_colony() {
    let mut scene = siege(Options::default(), &[(Scout, 1)], |colony| colony, &[]);
    assert_eq!(scene.refused(seat(1), attack(&[0])), "no-warship");
    assert_eq!(scene.refused(seat(1), attack(&[])), "no-colonies");
    let mut scene = siege(Options::default(), &[(Corvette, 1)], |colony| colony, &[]);
    assert_eq!(scene.refused(seat(1), attack(&[2])), "no-such-colony");
    assert_eq!(scene.refused(seat(1), attack(&[0, 0])), "named-twice");
}

#[test]
fn rule_13_4_bases_fire_at_any_ship_and_the_last_warship_ends_the_attack() {
    let ships = [(Transport, 1), (Corvette, 1)];
    let mut scene = siege(Options::default(), &ships, with_bases(2), &[6, 4, 1]);
    scene.obeyed(seat(1), attack(&[0]));
    scene.obeyed(seat(1), aim(&[(1, 2)]));
    scene.obeyed(seat(2), aim(&[(2, 0), (3, 1)]));
    assert!(scene.power(seat(1)).ships.is_empty());
    scene.obeyed(seat(2), Order::Scuttle { factories: vec![] });
    assert_eq!(scene.game.table().stage, Stage::Planets);
    assert!(scene.power(seat(2)).colonies.iter().all(|colony| !colony.is_besieged()));
}

#[test]
fn rule_13_1_br_31_several_colonies_are_attacked_together_or_in_turns() {
    let mut scene = siege(Options::default(), &[(Corvette, 2)], with_bases(1), &[1, 6, 1]);
    scene.holds_fire(seat(2));
    scene.obeyed(seat(1), attack(&[0, 1]));
    // Units 2 and 3 are the bases of the two colonies.
    scene.obeyed(seat(1), aim(&[(0, 2), (1, 3)]));
    assert!(scene.power(seat(1)).prize(planet("Sadir", 0)).is_some());
    scene.obeyed(seat(2), Order::Scuttle { factories: vec![] });
    scene.obeyed(seat(1), attack(&[1]));
    assert_eq!(scene.refused(seat(1), aim(&[(0, 2)])), "not-in-battle");
    scene.obeyed(seat(1), aim(&[(0, 3)]));
    assert_eq!(scene.power(seat(1)).prizes.len(), 2);
    assert_eq!(scene.game.table().stage, Stage::Planets);
}

#[test]
fn rule_13_4_only_the_bases_of_colonies_that_are_attacked_fight() {
    let mut scene = siege(Options::default(), &[(Corvette, 1)], with_bases(1), &[6, 6, 6, 6]);
    scene.obeyed(seat(1), attack(&[0]));
    scene.obeyed(seat(1), aim(&[]));
    scene.obeyed(seat(2), aim(&[]));
    scene.obeyed(seat(2), Order::Scuttle { factories: vec![] });
    scene.obeyed(seat(1), attack(&[1]));
    assert_eq!(scene.refused(seat(1), aim(&[(0, 1)])), "not-in-battle");
    scene.obeyed(seat(1), aim(&[(0, 2)]));
    assert_eq!(scene.refused(seat(2), aim(&[(1, 0)])), "not-in-battle");
    scene.obeyed(seat(2), aim(&[(2, 0)]));
}

#[test]
fn br_26_an_attack_is_resumed_only_before_the_next_star() {
    let mut scene = siege(Options::default(), &[(Corvette, 1)], with_bases(1), &[6, 6, 6, 6]);
    scene.holds_fire(seat(2));
    scene.explored(seat(1), "Alcor", 24);
    scene.colony(seat(3), "Alcor", 0, |colony| colony);
    scene.ships(seat(1), "L18", &[(Corvette, 1)]);
    survey(&mut Referee::new(&mut scene.game, &mut scene.dice), seat(1), star("Alcor"), &[]);
    for _ in 0..2 {
        scene.obeyed(seat(1), attack(&[0]));
        scene.obeyed(seat(1), aim(&[]));
        scene.obeyed(seat(2), Order::Scuttle { factories: vec![] });
        scene.obeyed(seat(1), Order::BreakOff);
    }
    scene.obeyed(seat(1), Order::Attack { planets: vec![planet("Alcor", 0)] });
    assert_eq!(scene.refused(seat(1), attack(&[0])), "attack-over");
}

#[test]
fn rule_13_5_standing_orders_destroy_factories_once_the_colony_is_lost() {
    let mut scene = siege(Options::default(), &[(Corvette, 2)], with_bases(2), &[6, 6]);
    let standing = StandingOrders {
        fire: FirePolicy::Hold,
        scuttle: ScuttlePolicy::WhenLost,
        ..StandingOrders::default()
    };
    scene.obeyed(seat(2), Order::Standing(standing));
    scene.obeyed(seat(1), attack(&[0]));
    scene.obeyed(seat(1), aim(&[(0, 2), (1, 3)]));
    assert_eq!(stage(&scene), BattleStage::GoesOn);
    let factories = |nth| scene.power(seat(2)).colony(planet("Sadir", nth)).unwrap().factories;
    assert_eq!((factories(0), factories(1)), (0, 5));
}

#[test]
fn rule_10_a_private_attack_is_told_to_an_owner_from_their_first_round_on() {
    let options = Options { private_battles: true, ..Options::default() };
    let mut scene = Scene::new(options, 3).script([6, 6]);
    scene.explored(seat(1), "Sadir", 15);
    scene.colony(seat(2), "Sadir", 0, with_bases(1));
    scene.colony(seat(3), "Sadir", 1, with_bases(1));
    scene.ships(seat(1), "O16", &[(Corvette, 1)]);
    scene.obeyed(seat(1), Order::EndMovement);
    let told_to = |told: &Emitted<Event>, number: u32| {
        let events = told.to(heliopause_kernel::Viewer::Seat(seat(number)));
        events
            .filter(|event| matches!(event, Event::Battle(BattleEvent::BattleBegan { .. })))
            .count()
    };
    let told = scene.obeyed(seat(1), attack(&[0]));
    assert_eq!([1, 2, 3].map(|number| told_to(&told, number)), [1, 1, 0]);
    scene.obeyed(seat(1), aim(&[]));
    scene.obeyed(seat(2), aim(&[]));
    scene.obeyed(seat(2), Order::Scuttle { factories: vec![] });
    let told = scene.obeyed(seat(1), attack(&[1]));
    assert_eq!([1, 2, 3].map(|number| told_to(&told, number)), [0, 0, 1]);
}
