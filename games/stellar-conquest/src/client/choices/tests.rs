//! Tests of the choices of a seat in minimal scenes.

use heliopause_kernel::{Actor, Dice, Game, Seat, Setup, Viewer};

use crate::client::choices::kinds::Choices;
use crate::rules::most::most;
use crate::state::{BattleStage, Colony, Options, Order, Stage, StellarConquest, Variant};
use crate::tables::{Fleet, Item, ShipKind, Tech};
use crate::testing::{Scene, place, seat, star};

#[test]
fn most_returns_the_largest_passing_number() {
    for limit in [0, 1, 2, 7, 100, u32::MAX] {
        for best in [0, 1, 2, 6, 7, 99, 100] {
            assert_eq!(most(limit, |count| count <= best), limit.min(best), "{limit} {best}");
        }
    }
}

fn at_setup(variant: Variant, players: usize) -> StellarConquest {
    let options = Options { variant, ..Options::default() };
    StellarConquest::new(&Setup { options, players }, &mut Dice::new([3; 32])).unwrap().0
}

#[test]
fn rule_3_4_setup_offers_the_bonus_and_level_1() {
    let game = at_setup(Variant::Conquest, 2);
    let choices = game.choices(seat(1));
    let (points, techs) = choices.setup.clone().unwrap();
    assert_eq!((points, techs.len()), (25, 6));
    assert!(
        choices.listed.iter().all(|listed| game.judge(Actor::Seat(seat(1)), &listed.order).is_ok())
    );
    assert_eq!(choices.listed.len(), 1);
}

#[test]
fn fate_2_setup_offers_fifteen_points_to_the_captain_only() {
    let game = at_setup(Variant::FateOfEmpire, 1);
    let (points, techs) = game.choices(seat(1)).setup.unwrap();
    assert_eq!((points, techs.len()), (30, 4));
    assert_eq!(game.choices(seat(2)), Choices::default());
}

#[test]
fn rule_8_1_only_ships_at_stars_can_choose_a_destination() {
    let mut scene = Scene::conquest(2);
    scene.ships(seat(1), "L18", &[(ShipKind::Scout, 2)]);
    let choices = scene.game.choices(seat(1));
    let [voyage] = &choices.voyages[..] else { panic!("alike ships are together: {choices:?}") };
    assert_eq!((voyage.ships.len(), voyage.routes.len(), voyage.reach.len()), (2, 53, 0));
    let sadir =
        voyage.routes.iter().find(|route| route.destination == Some(star("Sadir"))).unwrap();
    assert_eq!((sadir.path.len(), sadir.turns, sadir.safe), (2, 2, None));
    let voyage = sadir.voyage(voyage.ships.clone(), 1);
    assert!(scene.order(seat(1), Order::Move(voyage)).is_ok());
    let choices = scene.game.choices(seat(1));
    assert_eq!(choices.voyages[0].routes.len(), 1);
}

#[test]
fn rule_7_5_a_route_counts_its_safe_hexes() {
    let mut scene = Scene::conquest(3);
    // Seat 3 enters at A1. E7 is one hex too far.
    scene.turn(1, seat(3));
    scene.ships(seat(3), "G5", &[(ShipKind::Corvette, 1)]);
    let choices = scene.game.choices(seat(3));
    let routes = &choices.voyages[0].routes;
    let unsafe_routes = routes.iter().filter(|route| route.safe.is_some()).count();
    assert!(unsafe_routes > 0 && unsafe_routes < routes.len());
    assert!(routes.iter().all(|route| route.safe.is_none_or(|safe| safe < route.path.len())));
}

#[test]
fn rule_17_production_offers_what_one_colony_can_pay() {
    let mut scene = Scene::conquest(2);
    scene.explored(seat(1), "Alcor", 24);
    let alcor = scene.colony(seat(1), "Alcor", 0, |colony| Colony { population: 20, ..colony });
    scene.owns(seat(1), &[Tech::IndustrialTechnology]);
    scene.happen(&crate::state::event::Event::Table(
        crate::state::event::TableEvent::StageChanged { stage: Stage::Production },
    ));
    let choices = scene.game.choices(seat(1));
    let production = choices.production.as_ref().unwrap();
    let [colony] = &production.colonies[..] else { panic!("one colony") };
    assert_eq!((colony.planet, colony.output, colony.emigrants), (alcor, 20, 20));
    let count =
        |item| colony.items.iter().find(|(other, _)| *other == item).map_or(0, |&(_, count)| count);
    assert_eq!(
        [Item::Scout, Item::Corvette, Item::Fighter, Item::Factory].map(count),
        [8, 2, 0, 5]
    );
    assert!(production.research.iter().all(|payment| payment.tech != Tech::IndustrialTechnology));
    assert_eq!(production.posts, [star("Alcor")]);
    let actor = Actor::Seat(seat(1));
    assert!(choices.listed.iter().all(|listed| scene.game.judge(actor, &listed.order).is_ok()));
    // No message can express buying transports, so no scenario file can order it (rule 17.4).
    let view = scene.game.view(Viewer::Seat(seat(1)));
    let order = StellarConquest::parse(&view, "produce Alcor 1: 1 transport").unwrap().remove(0);
    assert_eq!(scene.refused(seat(1), order), "emigrate-instead");
}

#[test]
fn rule_12_3_targets_come_with_their_chances() {
    let mut scene = Scene::conquest(2);
    scene.ships(seat(1), "P18", &[(ShipKind::Corvette, 2)]);
    scene.ships(seat(2), "P18", &[(ShipKind::Scout, 1), (ShipKind::DeathStar, 1)]);
    scene.order(seat(1), Order::EndMovement).unwrap();
    let battle = scene.game.table().battle.as_deref().expect("they fight");
    assert_eq!(battle.stage, BattleStage::AttackerAims);
    let choices = scene.game.choices(seat(1));
    assert_eq!(choices.aims.len(), 2);
    // A corvette hits a scout with four of the six numbers, and cannot hit a death star.
    assert!(choices.aims.iter().all(|(_, targets)| targets.len() == 1 && targets[0].1 == 24));
    assert!(scene.game.choices(seat(2)).aims.is_empty());
    assert_eq!(scene.game.choices(Seat::at(40)), Choices::default());
    let view = scene.game.view(Viewer::Seat(seat(1)));
    assert_eq!(StellarConquest::choices_of(&view), choices);
    assert_eq!(battle_fleet(&scene), Fleet::new([0, 0, 2, 0, 0]));
}

fn battle_fleet(scene: &Scene) -> Fleet {
    scene.power(seat(1)).fleet_at(place("P18"))
}
