//! Chapters 17 and 18.

use heliopause_kernel::{Game, Why};

use super::*;
use crate::rules::turn::begin_production;
use crate::state::colony::{Colony, Hold, Occupation};
use crate::state::power::Power;
use crate::state::research::Research;
use crate::state::sheet::{ColonyPlan, Payment, PostPlan, ProductionSheet, Spending};
use crate::state::table::{Post, Stage};
use crate::tables::prices::Item;
use crate::tables::technology::{Tech, TechSet};
use crate::testing::seat;

/// Two players after turn 4; seat 1 has a colony on a planet of this card of Alcor.
fn colony_of(card: u32, nth: u8, change: impl Fn(Colony) -> Colony) -> Scene {
    let mut scene = Scene::conquest(2);
    scene.explored(seat(1), "Alcor", card);
    scene.colony(seat(1), "Alcor", nth, change);
    scene.turn(4, seat(2));
    scene
}

fn produce(scene: &mut Scene) {
    begin_production(&mut Referee::new(&mut scene.game, &mut scene.dice));
    assert_eq!(scene.game.table().stage, Stage::Production);
}

/// Both are ready.
fn close(scene: &mut Scene) {
    scene.game.close(Why::AllReady, &mut scene.dice);
    assert_eq!(scene.game.check(), Ok(()));
}

fn plan(nth: u8, emigrants: u16, bonus: u16, spending: &[Spending]) -> ColonyPlan {
    ColonyPlan {
        planet: planet("Alcor", nth),
        emigrants,
        bonus,
        evacuate: false,
        spending: spending.to_vec(),
    }
}

fn sheet(plans: &[ColonyPlan]) -> Order {
    Order::Produce(ProductionSheet { colonies: plans.to_vec(), ..ProductionSheet::default() })
}

const fn build(item: Item, count: u32) -> Spending {
    Spending::Build { item, count }
}

const fn pay(tech: Tech, points: u32) -> Spending {
    Spending::Research(Payment { tech, points })
}

fn first(power: &Power) -> Colony {
    power.colonies[0]
}

#[test]
fn bt_26_a_terran_colony_sends_emigrants_with_a_bonus() {
    let mut scene = colony_of(25, 0, |colony| Colony { population: 27, ..colony });
    produce(&mut scene);
    assert_eq!(
        (first(scene.power(seat(1))).population, first(scene.power(seat(1))).grown),
        (32, 5)
    );
    assert_eq!(scene.refused(seat(1), sheet(&[plan(0, 8, 3, &[])])), "too-much-bonus");
    assert_eq!(scene.refused(seat(1), sheet(&[plan(0, 33, 0, &[])])), "too-many");
    // 32 i.p.: 10 for transports leave 22.
    let rest = |points| sheet(&[plan(0, 8, 2, &[pay(Tech::Fighter, points)])]);
    assert_eq!(scene.refused(seat(1), rest(23)), "too-expensive");
    scene.obeyed(seat(1), rest(22));
    close(&mut scene);
    let power = scene.power(seat(1));
    assert_eq!((first(power).population, power.fleet_at(place("L18")).total()), (24, 10));
    assert_eq!(power.ships[0].load().and_then(|load| load.from), Some(planet("Alcor", 0)));
    assert_eq!(power.research.paid(Tech::Fighter), 22);
    assert_eq!((scene.game.table().turn, scene.game.table().stage), (5, Stage::Movement));
}

#[test]
fn bt_27_people_above_capacity_die_at_the_end_of_the_production_turn() {
    for (emigrants, bonus, left) in [(6, 2, 36), (0, 0, 40)] {
        let mut scene = colony_of(24, 1, |colony| Colony { population: 39, ..colony });
        produce(&mut scene);
        assert_eq!(
            (first(scene.power(seat(1))).population, first(scene.power(seat(1))).grown),
            (42, 3)
        );
        scene.obeyed(seat(1), sheet(&[plan(1, emigrants, bonus, &[])]));
        close(&mut scene);
        assert_eq!(first(scene.power(seat(1))).population, left);
    }
}

#[test]
fn bt_29_emigrants_leave_factories_idle() {
    let mut scene = colony_of(31, 0, |colony| Colony { population: 20, factories: 20, ..colony });
    scene.owns(seat(1), &[Tech::IndustrialTechnology]);
    produce(&mut scene);
    let order = |spending: &[Spending]| sheet(&[plan(0, 6, 1, spending)]);
    assert_eq!(scene.refused(seat(1), order(&[build(Item::Factory, 1)])), "factory-limit");
    assert_eq!(scene.refused(seat(1), order(&[pay(Tech::Fighter, 34)])), "too-expensive");
    scene.obeyed(seat(1), order(&[pay(Tech::Fighter, 33)]));
    close(&mut scene);
    let power = scene.power(seat(1));
    assert_eq!((first(power).population, first(power).output(power.research.owned)), (14, 28));
}

#[test]
fn bt_30_a_technology_is_usable_as_soon_as_it_is_paid() {
    let mut scene = colony_of(25, 0, |colony| Colony { population: 60, ..colony });
    let owned: TechSet = [Tech::Fighter].into_iter().collect();
    let research = Research::restore(owned, [(Tech::DeathStar, 60)]).unwrap();
    scene.happen(&Event::Own(OwnEvent::Researched { seat: seat(1), research, acquired: owned }));
    produce(&mut scene);
    let ship = build(Item::DeathStar, 1);
    assert_eq!(scene.refused(seat(1), sheet(&[plan(0, 0, 0, &[ship])])), "technology-missing");
    assert_eq!(
        scene.refused(seat(1), sheet(&[plan(0, 0, 0, &[ship, pay(Tech::DeathStar, 15)])])),
        "technology-missing"
    );
    scene.obeyed(seat(1), sheet(&[plan(0, 0, 0, &[pay(Tech::DeathStar, 15), ship])]));
    close(&mut scene);
    assert_eq!(scene.power(seat(1)).fleet_at(place("L18")).count(ShipKind::DeathStar), 1);
}

#[test]
fn bt_36_scouts_are_paired_at_each_colony() {
    let mut scene = colony_of(24, 0, |colony| Colony { population: 5, ..colony });
    scene.colony(seat(1), "Alcor", 1, |colony| Colony { population: 9, ..colony });
    produce(&mut scene);
    // 6 i.p. (5M and growth) and 9 i.p.
    let scouts = |count| [build(Item::Scout, count)];
    assert_eq!(scene.refused(seat(1), sheet(&[plan(1, 0, 0, &scouts(4))])), "too-expensive");
    scene.obeyed(seat(1), sheet(&[plan(1, 0, 0, &scouts(3))]));
    // In two lines as well as in one: 5 and 3, and not 5 and 5.
    let lines = [build(Item::Scout, 2), build(Item::Scout, 1), pay(Tech::Fighter, 1)];
    scene.obeyed(seat(1), sheet(&[plan(1, 0, 0, &lines)]));
    let two =
        [plan(0, 0, 0, &[build(Item::Scout, 1), pay(Tech::Fighter, 4)]), plan(1, 0, 0, &scouts(1))];
    assert_eq!(scene.refused(seat(1), sheet(&two)), "too-expensive");
}

#[test]
fn bt_24_a_conquered_colony_yields_from_its_second_production_turn_on() {
    let mut scene = colony_of(24, 1, |colony| colony);
    let hold = Hold::Occupied(Occupation { by: seat(1), waits: true });
    scene.colony(seat(2), "Alcor", 0, |colony| Colony { population: 30, hold, ..colony });
    scene.ships(seat(1), "L18", &[(ShipKind::Corvette, 1)]);
    produce(&mut scene);
    let order = sheet(&[plan(0, 0, 0, &[build(Item::Scout, 1)])]);
    assert_eq!(scene.refused(seat(1), order.clone()), "too-expensive");
    assert_eq!(scene.refused(seat(2), order.clone()), "not-yours");
    close(&mut scene);
    scene.turn(8, seat(2));
    produce(&mut scene);
    // 15.3: it did not grow, gives no bonus, and builds no bases.
    assert_eq!(scene.power(seat(1)).prizes[0].colony.population, 30);
    assert_eq!(scene.refused(seat(1), sheet(&[plan(0, 3, 1, &[])])), "too-much-bonus");
    scene.owns(seat(1), &[Tech::MissileBase]);
    assert_eq!(
        scene.refused(seat(1), sheet(&[plan(0, 0, 0, &[build(Item::MissileBase, 1)])])),
        "conquered"
    );
    scene.obeyed(seat(1), sheet(&[plan(0, 2, 0, &[build(Item::Corvette, 3)])]));
    close(&mut scene);
    let power = scene.power(seat(1));
    let captives = power
        .ships
        .iter()
        .filter(|ship| ship.load().is_some_and(|load| load.captives_of == Some(seat(2))));
    assert_eq!((captives.count(), power.prizes[0].colony.population), (2, 28));
    assert_eq!(power.fleet_at(place("L18")).count(ShipKind::Corvette), 4);
}

#[test]
fn br_15_a_besieged_colony_builds_no_ships_but_bases() {
    let mut scene =
        colony_of(25, 0, |colony| Colony { population: 20, hold: Hold::Besieged, ..colony });
    scene.ships(seat(2), "L18", &[(ShipKind::Corvette, 1)]);
    scene.owns(seat(1), &[Tech::MissileBase]);
    produce(&mut scene);
    assert_eq!(scene.refused(seat(1), sheet(&[plan(0, 1, 0, &[])])), "besieged");
    assert_eq!(
        scene.refused(seat(1), sheet(&[plan(0, 0, 0, &[build(Item::Scout, 1)])])),
        "besieged"
    );
    scene.obeyed(seat(1), sheet(&[plan(0, 0, 0, &[build(Item::MissileBase, 6)])]));
    close(&mut scene);
    assert_eq!(
        (first(scene.power(seat(1))).population, first(scene.power(seat(1))).bases.missile),
        (24, 6)
    );
}

#[test]
fn br_27_a_colony_that_everybody_leaves_is_abandoned() {
    let mut scene = colony_of(31, 0, |colony| Colony { population: 4, factories: 4, ..colony });
    scene.owns(seat(1), &[Tech::IndustrialTechnology]);
    scene.happen(&Event::Table(TableEvent::PostChanged {
        post: Post { seat: seat(1), star: star("Alcor") },
        up: true,
    }));
    produce(&mut scene);
    let leave =
        ProductionSheet { colonies: vec![plan(0, 4, 1, &[])], ..ProductionSheet::default() };
    let staying =
        ProductionSheet { posts: Some(PostPlan { stars: vec![star("Alcor")] }), ..leave.clone() };
    assert_eq!(scene.refused(seat(1), Order::Produce(staying)), "no-free-colony");
    scene.obeyed(seat(1), Order::Produce(leave));
    close(&mut scene);
    assert!(scene.power(seat(1)).colonies.is_empty());
    assert_eq!((scene.power(seat(1)).ships.len(), scene.game.table().posts.len()), (5, 0));
}

#[test]
fn bt_33_transports_of_the_production_turn_that_completes_cet_are_equipped() {
    let mut scene = colony_of(25, 0, |colony| Colony { population: 40, ..colony });
    produce(&mut scene);
    scene.obeyed(seat(1), sheet(&[plan(0, 3, 0, &[pay(Tech::ControlledEnvironment, 25)])]));
    close(&mut scene);
    let power = scene.power(seat(1));
    assert_eq!(power.ships.len(), 3);
    assert!(power.ships.iter().all(|ship| ship.load().is_some_and(|load| load.cet)));
}

#[test]
fn rule_17_5_purchases_that_are_refused() {
    let mut scene = colony_of(25, 0, |colony| Colony { population: 80, ..colony });
    scene.owns(seat(1), &[Tech::PlanetShield]);
    produce(&mut scene);
    let one = |spending| sheet(&[plan(0, 0, 0, &[spending])]);
    assert_eq!(scene.refused(seat(1), one(build(Item::ColonyTransport, 1))), "emigrate-instead");
    assert_eq!(scene.refused(seat(1), one(build(Item::Scout, 0))), "nothing-built");
    assert_eq!(scene.refused(seat(1), one(build(Item::Factory, 1))), "technology-missing");
    assert_eq!(scene.refused(seat(1), one(build(Item::PlanetShield, 2))), "one-shield");
    assert_eq!(scene.refused(seat(1), one(build(Item::Corvette, u32::MAX))), "too-expensive");
    assert_eq!(scene.refused(seat(1), one(pay(Tech::Speed5, 1))), "level-closed");
    assert_eq!(
        scene.refused(seat(1), sheet(&[plan(0, 0, 0, &[]), plan(0, 0, 0, &[])])),
        "named-twice"
    );
    assert_eq!(scene.refused(seat(1), sheet(&[plan(1, 0, 0, &[])])), "not-yours");
    scene.obeyed(seat(1), one(build(Item::PlanetShield, 1)));
    close(&mut scene);
    assert!(first(scene.power(seat(1))).shield);
}

#[test]
fn rule_17_who_hands_nothing_in_builds_factories_and_does_research() {
    let mut scene = colony_of(25, 0, |colony| Colony { population: 20, factories: 18, ..colony });
    scene.owns(seat(1), &[Tech::IndustrialTechnology]);
    produce(&mut scene);
    close(&mut scene);
    let power = scene.power(seat(1));
    // 24M and 18 factories yield 42 i.p.: 6 factories for 24, the rest goes where least is missing.
    assert_eq!((first(power).factories, first(power).population), (24, 24));
    assert!(power.research.has(Tech::Speed3));
    assert_eq!(power.research.payments().map(|(_, points)| points).sum::<u32>(), 3);
}

#[test]
fn rule_17_1_only_the_players_colonies_grow() {
    let mut scene = Scene::fate();
    scene.explored(seat(1), "Alcor", 24);
    scene.colony(seat(3), "Alcor", 0, |colony| Colony { population: 50, ..colony });
    scene.colony(seat(1), "Alcor", 1, |colony| Colony { population: 20, ..colony });
    produce(&mut scene);
    assert_eq!(first(scene.power(seat(3))).population, 50);
    assert_eq!(first(scene.power(seat(1))).population, 22);
}

#[test]
fn rule_14_br_50_a_warship_built_beside_another_s_free_colony_besieges_it_at_once() {
    let mut scene = Scene::conquest(2);
    scene.explored(seat(1), "Alcor", 24);
    scene.colony(seat(1), "Alcor", 0, |colony| Colony { population: 20, ..colony });
    scene.colony(seat(2), "Alcor", 1, |colony| Colony { population: 20, ..colony });
    scene.turn(4, seat(2));
    produce(&mut scene);
    scene.obeyed(seat(1), sheet(&[plan(0, 0, 0, &[build(Item::Corvette, 1)])]));
    close(&mut scene);
    assert!(scene.power(seat(2)).colonies[0].is_besieged());
    assert!(!scene.power(seat(1)).colonies[0].is_besieged());
}
