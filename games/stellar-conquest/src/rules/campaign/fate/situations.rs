//! Tests of rules from several chapters together, played with orders.

use heliopause_kernel::{Actor, Game};

use super::scenes::captain;
use crate::state::{Event, Fate, Grade, Level, Order, Stage, TableEvent};
use crate::tables::ShipKind;
use crate::tables::ships::ShipKind::Corvette;
use crate::testing::{Scene, aim};

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

#[test]
fn fr_21_turn_44_ends_with_scoring_and_no_production() {
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
fn fate_12_automated_seats_have_no_decisions() {
    let scene = hydrae(&[(Corvette, 1)], &[], &[]);
    let asked: Vec<_> = scene.game.pending().iter().map(|decision| decision.seat).collect();
    assert_eq!(asked, [captain()]);
    let orders = [Order::EndMovement, Order::EndTurn, aim(&[]), Order::BreakOff];
    for seat in [Fate::pirates(), Fate::independents()] {
        assert!(orders.iter().all(|order| scene.game.judge(Actor::Seat(seat), order).is_err()));
    }
}
