//! Tests of production and research (chapters 17 and 18).

use heliopause_kernel::{CloseCause, Game};

use super::*;
use crate::rules::turn::begin_production;
use crate::state::{
    Colony, ColonyPlan, Payment, Post, PostPlan, Power, ProductionSheet, Spending, Stage,
};
use crate::tables::{Item, Tech};
use crate::testing::seat;

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

fn close(scene: &mut Scene) {
    scene.game.close(CloseCause::AllReady, &mut scene.dice);
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
fn br_27_a_colony_without_people_is_abandoned() {
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
    scene.accepted_order(seat(1), Order::Produce(leave));
    close(&mut scene);
    assert!(scene.power(seat(1)).colonies.is_empty());
    assert_eq!((scene.power(seat(1)).ships.len(), scene.game.table().posts.len()), (5, 0));
}

#[test]
fn rule_17_5_illegal_purchases_are_rejected() {
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
    scene.accepted_order(seat(1), one(build(Item::PlanetShield, 1)));
    close(&mut scene);
    assert!(first(scene.power(seat(1))).shield);
}

#[test]
fn rule_17_the_default_sheet_builds_factories_and_researches() {
    let mut scene = colony_of(25, 0, |colony| Colony { population: 20, factories: 18, ..colony });
    scene.owns(seat(1), &[Tech::IndustrialTechnology]);
    produce(&mut scene);
    close(&mut scene);
    let power = scene.power(seat(1));
    // 24M and 18 factories produce 42 i.p.: 24 for 6 factories, the rest for research.
    assert_eq!((first(power).factories, first(power).population), (24, 24));
    assert!(power.research.has(Tech::Speed3));
    assert_eq!(power.research.payments().map(|(_, points)| points).sum::<u32>(), 3);
}
