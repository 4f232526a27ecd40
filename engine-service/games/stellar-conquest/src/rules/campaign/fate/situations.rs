//! Situations of the article's page that take more than one chapter, played by orders.

use heliopause_kernel::{Actor, Game};

use super::scenes::captain;
use crate::state::battle::{BattleStage, Shot, Side, UnitId};
use crate::state::campaign::Grade;
use crate::state::campaign::fate::{Fate, Level};
use crate::state::colony::{Bases, Colony};
use crate::state::event::{Event, TableEvent};
use crate::state::order::Order;
use crate::state::table::Stage;
use crate::tables::ships::ShipKind::{Corvette, DeathStar, Fighter, Scout, Transport};
use crate::tables::ships::{Fleet, ShipKind};
use crate::testing::{Scene, place, star};

/// Ships of the Captain-General, whose movement it is, and pirates at Hydrae, which is explored.
/// With these dice.
fn hydrae(imperial: &[(ShipKind, u32)], pirates: &[(ShipKind, u32)], dice: &[u32]) -> Scene {
    let mut scene = Scene::fate();
    scene.explored(captain(), "Hydrae", 49);
    scene.ships(captain(), "P18", imperial);
    scene.ships(Fate::pirates(), "P18", pirates);
    scene.script(dice.iter().copied())
}

fn give(scene: &mut Scene, order: Order) {
    scene.order(captain(), order).expect("the order is legal");
}

fn aim(shots: &[(u16, u16)]) -> Order {
    Order::Aim {
        shots: shots.iter().map(|&(by, at)| Shot { by: UnitId(by), at: UnitId(at) }).collect(),
    }
}

fn stays() -> Order {
    Order::withdraw(Vec::new(), None)
}

fn stage(scene: &Scene) -> Option<BattleStage> {
    scene.game.table().battle.as_deref().map(|battle| battle.stage)
}

fn at_hydrae(scene: &Scene) -> [Fleet; 2] {
    [Fate::captain(), Fate::pirates()].map(|seat| scene.power(seat).fleet_at(place("P18")))
}

#[test]
fn fate_7_1_combat_is_compulsory_also_for_ships_that_did_not_move_fr_24() {
    let mut scene = hydrae(&[(Corvette, 1)], &[(Corvette, 1)], &[1, 6]);
    give(&mut scene, Order::EndMovement);
    assert_eq!(stage(&scene), Some(BattleStage::AttackerAims));
    give(&mut scene, aim(&[(0, 1)]));
    assert_eq!(scene.game.table().stage, Stage::Planets, "7.4: no pirates are left");
    assert_eq!(at_hydrae(&scene), [Fleet::new([0, 0, 1, 0, 0]), Fleet::NONE]);
    assert_eq!(scene.fate_state().score(scene.power(captain())).pirates, 3);
}

#[test]
fn fate_7_4_pirates_stay_when_no_imperial_ships_are_left() {
    let mut scene = hydrae(&[(Corvette, 1)], &[(Corvette, 1)], &[6, 1]);
    give(&mut scene, Order::EndMovement);
    give(&mut scene, aim(&[(0, 1)]));
    assert_eq!(at_hydrae(&scene), [Fleet::NONE, Fleet::new([0, 0, 1, 0, 0])]);
    assert_eq!(scene.fate_state().score(scene.power(captain())).losses, -5);
}

#[test]
fn ft_19_without_warships_there_is_one_roll_and_then_a_withdrawal_fr_6() {
    let mut scene = hydrae(&[(Scout, 2)], &[(Scout, 1)], &[3]);
    give(&mut scene, Order::EndMovement);
    assert_eq!(stage(&scene), Some(BattleStage::AttackerLeaves { forced: true }));
    let leave = |units: &[u16]| {
        Order::withdraw(units.iter().copied().map(UnitId).collect(), Some(star("Sadir")))
    };
    assert!(scene.order(captain(), leave(&[0])).is_err(), "all must leave");
    give(&mut scene, leave(&[0, 1]));
    assert_eq!(stage(&scene), Some(BattleStage::Refuge { leaving: Side::Attacker }));
    assert!(scene.order(Fate::pirates(), Order::SendTo { at: place("P18") }).is_err());
    assert!(scene.order(Fate::pirates(), Order::SendTo { at: place("Q19") }).is_ok());
    assert_eq!(at_hydrae(&scene), [Fleet::NONE, Fleet::new([1, 0, 0, 0, 0])], "the pirates stay");
    assert_eq!(scene.power(captain()).fleet_at(place("Q19")), Fleet::new([2, 0, 0, 0, 0]));
}

/// A corvette and a scout against a corvette and a scout, of which both corvettes hit each other.
fn without_warships_after_a_round(die: &[u32]) -> Scene {
    let dice: Vec<u32> = [1, 1].iter().chain(die).copied().collect();
    let mut scene = hydrae(&[(Scout, 1), (Corvette, 1)], &[(Scout, 1), (Corvette, 1)], &dice);
    give(&mut scene, Order::EndMovement);
    give(&mut scene, aim(&[(1, 3)]));
    scene
}

#[test]
fn fate_7_5_a_round_that_leaves_no_warship_asks_first_whether_to_withdraw() {
    let mut scene = without_warships_after_a_round(&[]);
    assert_eq!(at_hydrae(&scene), [Fleet::new([1, 0, 0, 0, 0]), Fleet::new([1, 0, 0, 0, 0])]);
    assert_eq!(
        stage(&scene),
        Some(BattleStage::AttackerLeaves { forced: false }),
        "no die was rolled"
    );
    give(&mut scene, Order::withdraw(vec![UnitId(0)], Some(star("Sadir"))));
    assert!(scene.order(Fate::pirates(), Order::SendTo { at: place("Q19") }).is_ok());
    assert_eq!(at_hydrae(&scene), [Fleet::NONE, Fleet::new([1, 0, 0, 0, 0])]);
}

#[test]
fn fr_6_after_a_round_that_leaves_no_warship_one_die_is_rolled_and_then_all_must_leave() {
    let mut scene = without_warships_after_a_round(&[6]);
    scene.dice.take_rolled();
    give(&mut scene, stays());
    assert_eq!(scene.dice.take_rolled().len(), 1, "one die, not two");
    assert_eq!(stage(&scene), Some(BattleStage::AttackerLeaves { forced: true }));
    let mut scene = without_warships_after_a_round(&[1]);
    give(&mut scene, stays());
    assert_eq!(
        at_hydrae(&scene),
        [Fleet::new([1, 0, 0, 0, 0]), Fleet::NONE],
        "they disengage on 1"
    );
}

#[test]
fn ft_19_a_roll_without_warships_may_make_pirates_leave() {
    let mut scene = hydrae(&[(Scout, 2)], &[(Scout, 1)], &[2]);
    give(&mut scene, Order::EndMovement);
    assert_eq!(scene.game.table().stage, Stage::Planets);
    assert_eq!(at_hydrae(&scene), [Fleet::new([2, 0, 0, 0, 0]), Fleet::NONE]);
    assert_eq!(scene.fate_state().destroyed, Fleet::NONE);
}

#[test]
fn ft_20_who_destroys_one_pirate_scores_for_it_and_not_for_those_that_leave() {
    // Both corvettes are aimed at, one is hit; two shots answer and miss; 11 − 1 points make the
    // other leave.
    let mut scene =
        hydrae(&[(Corvette, 3), (Fighter, 4)], &[(Corvette, 2)], &[1, 6, 1, 1, 1, 1, 6]);
    give(&mut scene, Order::EndMovement);
    give(&mut scene, aim(&[(3, 7), (4, 8)]));
    assert!(
        matches!(stage(&scene), Some(BattleStage::DefendersAim { .. })),
        "they choose among the fighters"
    );
    let wrong = scene.order(Fate::pirates(), aim(&[(7, 3), (8, 0)]));
    assert_eq!(wrong.expect_err("fighters come first").reason, "not-prescribed");
    assert!(scene.order(Fate::pirates(), aim(&[(7, 6), (8, 4)])).is_ok());
    give(&mut scene, stays());
    assert_eq!(scene.game.table().stage, Stage::Planets);
    assert_eq!(at_hydrae(&scene), [Fleet::new([0, 0, 3, 4, 0]), Fleet::NONE]);
    assert_eq!(scene.fate_state().score(scene.power(captain())).pirates, 3);
}

#[test]
fn fate_7_5_who_withdraws_some_ships_goes_on_with_the_others_fr_9() {
    let mut scene = hydrae(&[(Scout, 1), (Corvette, 1)], &[(Corvette, 1)], &[6, 6, 2]);
    give(&mut scene, Order::EndMovement);
    give(&mut scene, aim(&[(1, 2)]));
    give(&mut scene, Order::withdraw(vec![UnitId(0)], Some(star("Sadir"))));
    assert!(scene.order(Fate::pirates(), Order::SendTo { at: place("O18") }).is_ok());
    // The corvette alone is worth 1, the pirates 1: they leave on 1, and this die shows 2.
    assert_eq!(stage(&scene), Some(BattleStage::AttackerAims));
    assert_eq!(at_hydrae(&scene), [Fleet::new([0, 0, 1, 0, 0]), Fleet::new([0, 0, 1, 0, 0])]);
}

#[test]
fn ft_16_a_lone_scout_that_discovers_pirates_is_fired_at_by_all() {
    // Risk die, planet dice for 3 C, three shots of which the last hits.
    let mut scene = Scene::fate().script([2, 1, 6, 5, 6, 4]);
    let decks = &mut scene.game.truth.secrets.decks;
    let deck = &mut decks[star("Eridani").colour() as usize];
    let place_of = deck
        .iter()
        .position(|card| card.number() == 23)
        .expect("a green card with one barren planet");
    let card = deck.remove(place_of);
    deck.push(card);
    scene.ships(captain(), "H12", &[(Scout, 1)]);
    give(&mut scene, Order::EndMovement);
    assert!(scene.power(captain()).ships.is_empty());
    let seen = scene.power(captain()).sightings.iter().any(|seen| seen.of == Fate::pirates());
    assert!(seen, "6.2: what is found is known at once");
    assert_eq!(scene.power(Fate::pirates()).fleet_at(place("H12")), Fleet::new([0, 0, 3, 0, 0]));
    assert_eq!(scene.fate_state().score(scene.power(captain())).losses, -2);
}

/// The Captain-General's ships at Alcor beside independents with these people and bases; the
/// movement ends.
fn alcor(ships: &[(ShipKind, u32)], people: u16, bases: Bases, dice: &[u32]) -> Scene {
    let mut scene = Scene::fate();
    scene.explored(captain(), "Alcor", 25);
    scene.ships(captain(), "L18", ships);
    scene.colony(Fate::independents(), "Alcor", 0, |colony| Colony {
        population: people,
        factories: 4,
        bases,
        ..colony
    });
    let mut scene = scene.script(dice.iter().copied());
    give(&mut scene, Order::EndMovement);
    scene
}

fn attack(scene: &mut Scene) {
    let planets = vec![scene.power(Fate::independents()).colonies[0].planet];
    give(scene, Order::Attack { planets });
}

#[test]
fn fate_8_2_from_discovery_to_a_dominion() {
    let mut scene = alcor(&[(Corvette, 1), (Transport, 5)], 30, Bases::NONE, &[]);
    attack(&mut scene);
    let planet = scene.power(captain()).prizes[0].colony.planet;
    let transports = |scene: &Scene| {
        let ships = scene.power(captain()).ships.iter().filter(|ship| ship.kind() == Transport);
        ships.map(|ship| ship.number).collect::<Vec<_>>()
    };
    let ships = transports(&scene);
    assert!(scene.order(captain(), Order::Land { ships: ships[..4].to_vec(), planet }).is_err());
    give(&mut scene, Order::Land { ships, planet });
    assert!(scene.power(captain()).colony(planet).is_some_and(Colony::is_dominion));
    assert_eq!(scene.fate_state().score(scene.power(captain())).planets, 15);
}

#[test]
fn ft_21_bases_fire_as_their_kind_prescribes_and_factories_stay_fr_25() {
    let bases = Bases { missile: 3, advanced: 1 };
    // Ours holds fire; missile bases: at the fighter two dice, the corvette one, the fighter two;
    // the advanced one two dice.
    let mut scene =
        alcor(&[(Corvette, 1), (Fighter, 1), (DeathStar, 1)], 10, bases, &[1, 1, 6, 1, 1, 1, 1]);
    attack(&mut scene);
    give(&mut scene, aim(&[]));
    assert_eq!(
        scene.dice.script().count(),
        0,
        "seven dice for four shots, as nothing is left to choose"
    );
    assert_eq!(stage(&scene), Some(BattleStage::GoesOn));
    give(&mut scene, Order::BreakOff);
    assert_eq!(scene.power(captain()).ships.len(), 3);
    assert_eq!(scene.game.table().stage, Stage::Planets);
    assert_eq!(scene.power(Fate::independents()).colonies[0].factories, 4);
}

#[test]
fn ft_22_missile_bases_cannot_answer_a_death_star() {
    let bases = Bases { missile: 1, advanced: 0 };
    let mut scene = alcor(&[(DeathStar, 1)], 10, bases, &[4]);
    attack(&mut scene);
    give(&mut scene, aim(&[(0, 1)]));
    assert_eq!(scene.power(captain()).prizes.len(), 1, "the last base is gone");
    assert!(scene.power(captain()).prizes[0].colony.bases == Bases::NONE);
}

#[test]
fn fr_21_after_turn_44_points_are_counted_and_nothing_is_produced() {
    let mut scene = Scene::fate();
    scene.explored(captain(), "Alcor", 25);
    scene.colony(captain(), "Alcor", 0, |colony| colony);
    scene.turn(44, captain());
    scene.happen(&Event::Table(TableEvent::StageChanged { stage: Stage::Planets }));
    give(&mut scene, Order::EndTurn);
    assert_eq!(scene.game.table().stage, Stage::Over);
    let ending = scene.game.table().ending.as_ref().expect("the game is over");
    assert_eq!((&ending.points[..], ending.grade), (&[15][..], Some(Grade::Fate(Level::Defeat))));
    assert!(ending.winners.is_empty());
}

#[test]
fn fate_12_nobody_but_the_captain_is_asked_in_their_turn() {
    let scene = hydrae(&[(Corvette, 1)], &[], &[]);
    let asked: Vec<_> = scene.game.pending().iter().map(|decision| decision.seat).collect();
    assert_eq!(asked, [captain()]);
    let orders = [Order::EndMovement, Order::EndTurn, aim(&[]), Order::BreakOff];
    for seat in [Fate::pirates(), Fate::independents()] {
        assert!(orders.iter().all(|order| scene.game.judge(Actor::Seat(seat), order).is_err()));
    }
}
