//! Sample positions for tests: one of the standard game, and one with empires. The files of orders
//! have a paragraph for each power.

use heliopause_diplomacy::{Command, Diplomacy, Event, read_orders};
use heliopause_kernel::{Actor, CloseCause, Dice, Game as _, Seat, Viewer, Wire as _};
use heliopause_proto::v1::Game;

use crate::samples;

const FILE: &str = include_str!("sample.json");

pub(super) fn game() -> Game {
    samples::read(FILE, "game")
}

pub(super) fn standard() -> (Diplomacy, Vec<Event>) {
    play("standard", include_str!("sample_standard.txt"))
}

pub(super) fn space() -> (Diplomacy, Vec<Event>) {
    play("space", include_str!("sample_space.txt"))
}

fn play(name: &str, orders: &str) -> (Diplomacy, Vec<Event>) {
    let position = Diplomacy::read_position(&samples::read(FILE, name));
    let mut game = position.expect("the position is sound");
    for (index, text) in orders.split("\n\n").enumerate() {
        for order in read_orders(text).expect("notation") {
            let command = Command::Order(order);
            let given = game.submit(Actor::Seat(Seat::at(index)), command, &mut Dice::new([0; 32]));
            assert!(given.is_ok(), "{order}: {given:?}");
        }
    }
    let told = game.close(CloseCause::AllReady, &mut Dice::new([0; 32]));
    let events = told.to(Viewer::Spectator).cloned().collect();
    (game, events)
}
