//! Sample positions for tests: the base game, The Fate of Empire, and Alone in Outer Space. In the
//! last, Ann is at war with the second power and has an incident with the third.

use heliopause_kernel::{Game as _, Seat, Viewer, Wire as _};
use heliopause_proto::v1::{Game, GameEvent};
use heliopause_stellar_conquest::StellarConquest;
use serde_json::{Value, json};

use super::atlas::Atlas;
use crate::samples;

const FILE: &str = include_str!("sample.json");

pub(super) fn map(position: &StellarConquest) -> Atlas {
    Atlas::new(position.view(Viewer::Seat(Seat::at(0))), &game())
}

pub(super) fn game() -> Game {
    samples::read(FILE, "game")
}

pub(super) fn event(name: &str) -> GameEvent {
    samples::read(FILE, name)
}

pub(super) fn space() -> StellarConquest {
    StellarConquest::read_position(&samples::read(FILE, "space")).expect("the position is sound")
}

/// Returns a base game at a stage such as `{"movement": {}}`.
pub(super) fn conquest(turn: u32, stage: &Value) -> StellarConquest {
    position("conquest", turn, stage)
}

pub(super) fn fate(turn: u32, stage: &Value) -> StellarConquest {
    position("fate", turn, stage)
}

fn position(name: &str, turn: u32, stage: &Value) -> StellarConquest {
    let mut file: Value = serde_json::from_str(FILE).expect("the samples are JSON");
    file[name]["table"]["turn"] = json!(turn);
    file[name]["table"]["stage"] = stage.clone();
    let position = samples::read(&file.to_string(), name);
    StellarConquest::read_position(&position).expect("the position is sound")
}
