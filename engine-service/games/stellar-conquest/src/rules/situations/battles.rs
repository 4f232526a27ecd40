//! Chapter 12.

use heliopause_kernel::SeatSet;

use super::*;
use crate::rules::deadline::take_defaults;
use crate::state::battle::{Battle, BattleStage, Side, Volley};
use crate::state::options::Options;
use crate::state::order::Withdrawal;
use crate::state::standing::{RefugePolicy, StayPolicy};
use crate::state::table::Stage;
use crate::tables::technology::Tech;
use crate::testing::seat;
use ShipKind::{Corvette, Fighter, Scout, Transport};

/// Seat 1 attacks seat 2 at Sadir.
fn at_sadir(attacker: &[(ShipKind, u32)], defender: &[(ShipKind, u32)], dice: &[u32]) -> Scene {
    let mut scene = Scene::conquest(3).script(dice.iter().copied());
    scene.explored(seat(1), "Sadir", 15);
    scene.ships(seat(1), "O16", attacker);
    scene.ships(seat(2), "O16", defender);
    scene.obeyed(seat(1), Order::EndMovement);
    scene
}

fn stage(scene: &Scene) -> BattleStage {
    scene.game.table().battle.as_ref().expect("a battle is fought").stage
}

fn volleys(told: &Emitted<Event>) -> Vec<Volley> {
    let volleys = all(told).into_iter().filter_map(|event| match event {
        Event::Battle(BattleEvent::RoundFought { volleys, .. }) => Some(volleys.clone()),
        _ => None,
    });
    volleys.flatten().collect()
}

#[test]
fn bt_15_a_shot_at_a_target_that_is_hit_already_is_wasted() {
    let mut scene = at_sadir(&[(Corvette, 2)], &[(Scout, 1)], &[5, 4]);
    let told = scene.obeyed(seat(1), aim(&[(0, 2), (1, 2)]));
    assert_eq!(volleys(&told).iter().map(|volley| volley.hit).collect::<Vec<_>>(), [false, true]);
    assert!(scene.power(seat(2)).ships.is_empty());
    assert_eq!(scene.game.table().stage, Stage::Planets);

    let mut scene = at_sadir(&[(Corvette, 2)], &[(Scout, 1)], &[3, 6]);
    let told = scene.obeyed(seat(1), aim(&[(0, 2), (1, 2)]));
    let [first, second] = volleys(&told)[..] else { panic!("two shots") };
    assert!(first.hit && !second.hit && second.dice == [0, 0]);
    assert_eq!(scene.dice.script().count(), 1);
}

#[test]
fn bt_16_a_corvette_needs_a_sum_of_ten_against_a_fighter() {
    for (dice, left) in [([4, 6], 0), ([4, 5], 1), ([5, 6], 1), ([6, 6], 1)] {
        let mut scene = at_sadir(&[(Corvette, 1)], &[(Fighter, 1)], &dice);
        scene.holds_fire(seat(2));
        scene.obeyed(seat(1), aim(&[(0, 1)]));
        assert_eq!(scene.power(seat(2)).ships.len(), left, "{dice:?}");
    }
}

#[test]
fn bt_17_those_who_are_hit_still_fire() {
    let mut scene = at_sadir(&[(Corvette, 1)], &[(Corvette, 1)], &[1, 1]);
    scene.obeyed(seat(1), aim(&[(0, 1)]));
    assert!(matches!(stage(&scene), BattleStage::DefendersAim { .. }));
    // 12.3: the attacker's targets are shown before the defender aims.
    assert_eq!(scene.game.table().battle.as_ref().unwrap().shots.len(), 1);
    assert_eq!(scene.refused(seat(1), aim(&[(0, 1)])), "nothing-asked");
    scene.obeyed(seat(2), aim(&[(1, 0)]));
    assert!(scene.power(seat(1)).ships.is_empty() && scene.power(seat(2)).ships.is_empty());
    assert_eq!(scene.game.table().stage, Stage::Planets);
}

#[test]
fn bt_18_improved_ship_weaponry_fires_once_more_after_a_miss() {
    for (dice, left, used) in [([4, 2], 0, 2), ([4, 5], 1, 2), ([1, 6], 0, 1)] {
        let mut scene = at_sadir(&[(Fighter, 1)], &[(Corvette, 1)], &dice);
        scene.owns(seat(1), &[Tech::ImprovedShipWeaponry]);
        scene.holds_fire(seat(2));
        scene.obeyed(seat(1), aim(&[(0, 1)]));
        assert_eq!(
            (scene.power(seat(2)).ships.len(), 2 - scene.dice.script().count()),
            (left, used),
            "{dice:?}"
        );
    }
}

#[test]
fn bt_19_without_a_warship_the_attacker_withdraws() {
    let mut scene = at_sadir(&[(Scout, 2)], &[(Transport, 1)], &[]);
    assert_eq!(stage(&scene), BattleStage::AttackerLeaves { forced: true });
    assert_eq!(scene.refused(seat(1), withdraw(&[0], "Lupi")), "all-must-leave");
    assert_eq!(scene.refused(seat(1), withdraw(&[0, 1], "")), "no-destination");
    assert_eq!(scene.refused(seat(1), withdraw(&[0, 1], "Sadir")), "back-again");
    scene.obeyed(seat(1), withdraw(&[0, 1], "Lupi"));
    assert_eq!(scene.refused(seat(1), Order::SendTo { at: place("O15") }), "nothing-asked");
    assert_eq!(scene.refused(seat(2), Order::SendTo { at: place("O14") }), "not-adjacent");
    scene.obeyed(seat(2), Order::SendTo { at: place("O17") });
    for ship in &scene.power(seat(1)).ships {
        assert_eq!((ship.at, ship.destination), (Some(place("O17")), Some(star("Lupi"))));
        assert_eq!(ship.departed, Some(star("Sadir")));
    }
    assert_eq!(scene.game.table().stage, Stage::Planets);
}

#[test]
fn rule_12_8_each_of_those_driven_off_together_has_a_destination_of_its_own() {
    let mut scene = at_sadir(&[(Scout, 3)], &[(Transport, 1)], &[]);
    let group = |units: &[u16], bound| {
        let units = units.iter().map(|&unit| UnitId(unit)).collect();
        Withdrawal { units, destination: Some(star(bound)) }
    };
    let twice = vec![group(&[0, 1], "Lupi"), group(&[1, 2], "Hydrae")];
    assert_eq!(scene.refused(seat(1), Order::Withdraw { groups: twice }), "named-twice");
    let back = vec![group(&[0, 1], "Lupi"), group(&[2], "Sadir")];
    assert_eq!(scene.refused(seat(1), Order::Withdraw { groups: back }), "back-again");
    let some = vec![group(&[0], "Lupi"), group(&[2], "Hydrae")];
    assert_eq!(scene.refused(seat(1), Order::Withdraw { groups: some }), "all-must-leave");
    let empty = vec![group(&[0, 1, 2], "Lupi"), group(&[], "Hydrae")];
    assert_eq!(scene.refused(seat(1), Order::Withdraw { groups: empty }), "no-ships");
    scene.obeyed(
        seat(1),
        Order::Withdraw { groups: vec![group(&[0, 2], "Lupi"), group(&[1], "Hydrae")] },
    );
    scene.obeyed(seat(2), Order::SendTo { at: place("O17") });
    let ships = &scene.power(seat(1)).ships;
    assert!(
        ships
            .iter()
            .all(|ship| ship.at == Some(place("O17")) && ship.departed == Some(star("Sadir")))
    );
    let bound: Vec<_> = ships.iter().map(|ship| ship.destination).collect();
    assert_eq!(bound, [Some(star("Lupi")), Some(star("Hydrae")), Some(star("Lupi"))]);
}

#[test]
fn bt_20_the_defender_may_withdraw_if_attackers_stay() {
    let mut scene = at_sadir(&[(Corvette, 3)], &[(Fighter, 1)], &[1, 1, 1, 1, 1, 1, 6]);
    scene.obeyed(seat(1), aim(&[(0, 3), (1, 3), (2, 3)]));
    // 12.7: nobody withdraws before the first round.
    assert_eq!(scene.refused(seat(2), withdraw(&[3], "Lupi")), "wrong-step");
    scene.obeyed(seat(2), aim(&[(3, 0)]));
    assert_eq!(stage(&scene), BattleStage::AttackerLeaves { forced: false });
    scene.obeyed(seat(1), withdraw(&[0], "Lupi"));
    scene.obeyed(seat(2), Order::SendTo { at: place("O17") });
    assert!(matches!(stage(&scene), BattleStage::DefenderLeaves { .. }));
    scene.obeyed(seat(2), withdraw(&[], ""));
    assert_eq!(stage(&scene), BattleStage::AttackerAims);
    assert_eq!(scene.refused(seat(1), aim(&[(0, 3)])), "not-in-battle");
    // BR-12: whoever withdraws later goes to the same hex, without a question.
    scene.holds_fire(seat(2));
    scene.obeyed(seat(1), aim(&[]));
    scene.obeyed(seat(1), withdraw(&[1], "Scheat"));
    assert_eq!(scene.power(seat(1)).fleet_at(place("O17")).total(), 2);
    assert!(matches!(stage(&scene), BattleStage::DefenderLeaves { .. }));
    scene.obeyed(seat(2), withdraw(&[3], "Lupi"));
    assert_eq!(stage(&scene), BattleStage::Refuge { leaving: Side::Defender });
    scene.obeyed(seat(1), Order::SendTo { at: place("O15") });
    assert_eq!(scene.power(seat(2)).ships[0].at, Some(place("O15")));
    assert_eq!(scene.game.table().stage, Stage::Planets);
}

#[test]
fn rule_12_1_the_attacker_chooses_the_order_of_battles() {
    let mut scene = Scene::conquest(2);
    for (name, at) in [("Sadir", "O16"), ("Hydrae", "P18")] {
        scene.explored(seat(1), name, if name == "Sadir" { 15 } else { 49 });
        scene.ships(seat(1), at, &[(Corvette, 1)]);
        scene.ships(seat(2), at, &[(Scout, 1)]);
    }
    scene.obeyed(seat(1), Order::EndMovement);
    assert_eq!(scene.game.table().stage, Stage::Combat);
    assert_eq!(scene.refused(seat(1), Order::Fight { at: place("L18") }), "no-battle-there");
    scene.obeyed(seat(1), Order::Fight { at: place("P18") });
    assert_eq!(scene.game.table().battle.as_ref().unwrap().at, place("P18"));
}

#[test]
fn rule_12_3_orders_of_fire_that_are_refused() {
    let mut scene = at_sadir(&[(Scout, 1), (Corvette, 1)], &[(Corvette, 1)], &[]);
    assert_eq!(scene.refused(seat(1), aim(&[(0, 2)])), "unarmed");
    assert_eq!(scene.refused(seat(1), aim(&[(1, 0)])), "own-side");
    assert_eq!(scene.refused(seat(1), aim(&[(2, 0)])), "not-yours");
    assert_eq!(scene.refused(seat(1), aim(&[(1, 3)])), "not-in-battle");
    assert_eq!(scene.refused(seat(1), aim(&[(1, 2), (1, 2)])), "fires-twice");
    assert_eq!(scene.refused(seat(1), withdraw(&[0], "Lupi")), "wrong-step");
    assert_eq!(scene.refused(seat(1), Order::BreakOff), "wrong-step");
}

#[test]
fn rule_10_both_sides_see_each_other() {
    let scene = at_sadir(&[(Scout, 1), (Corvette, 2)], &[(Corvette, 1)], &[]);
    let seen = |number: u32| scene.power(seat(number)).sightings[0].fleet;
    assert_eq!(seen(1), fleet(&[(Corvette, 1)]));
    assert_eq!(seen(2), fleet(&[(Scout, 1), (Corvette, 2)]));
    assert!(scene.power(seat(3)).sightings.is_empty());
}

#[test]
fn br_11_who_withdraws_into_a_star_hex_attacks_there() {
    let mut scene = Scene::conquest(3);
    scene.explored(seat(1), "Draconis", 25);
    scene.ships(seat(1), "Q11", &[(Scout, 1)]);
    scene.ships(seat(2), "Q11", &[(Transport, 1)]);
    scene.ships(seat(3), "P10", &[(Corvette, 1)]);
    scene.obeyed(seat(1), Order::EndMovement);
    scene.obeyed(seat(1), withdraw(&[0], "Lupi"));
    scene.obeyed(seat(2), Order::SendTo { at: place("P10") });
    let battle: &Battle = scene.game.table().battle.as_ref().unwrap();
    assert_eq!((battle.at, battle.attacker), (place("P10"), seat(1)));
    assert!(battle.waits_for().contains(seat(3)));
    // A star hex: the ship carries no destination there.
    assert_eq!(scene.power(seat(1)).ships[0].destination, None);
    assert!(!scene.power(seat(1)).has_explored(star("Canopus")));
}

#[test]
fn br_11_an_attack_that_waits_for_another_battle_is_not_forgotten() {
    let mut scene = Scene::conquest(3);
    scene.turn(1, seat(2));
    scene.explored(seat(2), "Draconis", 25);
    scene.ships(seat(2), "Q11", &[(Corvette, 1)]);
    scene.ships(seat(3), "Q11", &[(Scout, 1)]);
    scene.ships(seat(2), "P10", &[(Corvette, 1)]);
    scene.ships(seat(1), "P10", &[(Corvette, 1)]);
    let fought = |scene: &Scene| {
        let battle = scene.game.table().battle.as_ref().unwrap();
        (battle.at, battle.attacker, battle.participants())
    };
    let both = |one: u32, other: u32| SeatSet::one(seat(one)).with(seat(other));
    scene.obeyed(seat(2), Order::EndMovement);
    scene.obeyed(seat(2), Order::Fight { at: place("Q11") });
    scene.obeyed(seat(2), aim(&[]));
    scene.obeyed(seat(2), withdraw(&[], ""));
    scene.obeyed(seat(3), withdraw(&[1], "Lupi"));
    // Seat 3 withdraws to Canopus, among seats 1 and 2: it attacks one of them, then the other.
    scene.obeyed(seat(2), Order::SendTo { at: place("P10") });
    assert_eq!(fought(&scene), (place("P10"), seat(3), both(1, 3)));
    scene.obeyed(seat(1), aim(&[]));
    scene.obeyed(seat(3), withdraw(&[], ""));
    scene.obeyed(seat(1), withdraw(&[1], "Lupi"));
    // Seat 1 withdraws to Draconis, and attacks seat 2 there before that.
    scene.obeyed(seat(3), Order::SendTo { at: place("Q11") });
    assert_eq!(fought(&scene), (place("Q11"), seat(1), both(1, 2)));
    scene.obeyed(seat(1), aim(&[]));
    scene.obeyed(seat(2), aim(&[]));
    scene.obeyed(seat(1), withdraw(&[0], "Lupi"));
    scene.obeyed(seat(2), Order::SendTo { at: place("R11") });
    assert_eq!(fought(&scene), (place("P10"), seat(3), both(2, 3)));
}

#[test]
fn br_13_an_unarmed_attacker_is_fired_at_before_they_withdraw() {
    let mut scene = at_sadir(&[(Scout, 1)], &[(Corvette, 1)], &[5]);
    assert!(matches!(stage(&scene), BattleStage::DefendersAim { .. }));
    scene.obeyed(seat(2), aim(&[(1, 0)]));
    assert_eq!(stage(&scene), BattleStage::AttackerLeaves { forced: false });
    assert_eq!(scene.power(seat(1)).ships.len(), 1);
}

#[test]
fn rule_20_standing_orders_answer_for_the_defender() {
    let mut scene = at_sadir(&[(Corvette, 2)], &[(Scout, 1), (Corvette, 1)], &[6, 6, 6]);
    let standing = StandingOrders {
        fire: FirePolicy::Spread,
        stay: StayPolicy::WhileNoFewerWarships,
        refuge: RefugePolicy::Away,
        ..StandingOrders::default()
    };
    scene.obeyed(seat(2), Order::Standing(standing));
    scene.obeyed(seat(1), aim(&[(0, 2), (1, 3)]));
    assert_eq!(stage(&scene), BattleStage::AttackerLeaves { forced: false });
    scene.obeyed(seat(1), withdraw(&[], ""));
    // Fewer warships: all of the defender's ships leave, and the attacker is asked where to.
    assert_eq!(stage(&scene), BattleStage::Refuge { leaving: Side::Defender });
    scene.obeyed(seat(1), Order::SendTo { at: place("O15") });
    assert_eq!(scene.power(seat(2)).fleet_at(place("O15")).total(), 2);
}

#[test]
fn rule_20_deadlines_end_every_battle() {
    let mut scene = at_sadir(&[(Corvette, 1)], &[(Corvette, 3)], &[6, 6, 6, 6]);
    for _ in 0..8 {
        if scene.game.table().stage != Stage::Battle {
            break;
        }
        take_defaults(&mut Referee::new(&mut scene.game, &mut scene.dice));
    }
    // The attacker has fewer warships, and so leaves after the first round.
    assert_eq!(scene.game.table().stage, Stage::Planets);
    assert_eq!(scene.power(seat(1)).fleet_at(place("O16")).total(), 0);
    assert_eq!(scene.power(seat(1)).ships.len(), 1);
}

#[test]
fn rule_10_private_battles_are_told_to_those_who_fight() {
    let options = Options { private_battles: true, ..Options::default() };
    let mut scene = Scene::new(options, 3);
    scene.explored(seat(1), "Sadir", 15);
    scene.ships(seat(1), "O16", &[(Corvette, 1)]);
    scene.ships(seat(2), "O16", &[(Scout, 1)]);
    let told = scene.obeyed(seat(1), Order::EndMovement);
    let battles = |number: u32| {
        let events = told.to(heliopause_kernel::Viewer::Seat(seat(number)));
        events
            .filter(|event| matches!(event, Event::Battle(BattleEvent::BattleBegan { .. })))
            .count()
    };
    assert_eq!([1, 2, 3].map(battles), [1, 1, 0]);
}
