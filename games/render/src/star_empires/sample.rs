//! Sample views for tests. The empire's view has a battle, a storm, portals, and shared and
//! outdated sectors.

use heliopause_kernel::Wire as _;
use heliopause_proto::v1::{Game, GameEvent};
use heliopause_star_empires::{StarEmpires, View};

use super::Map;
use super::atlas::Atlas;
use crate::samples;

const FILE: &str = include_str!("sample.json");

pub(super) fn atlas() -> Atlas {
    Atlas::new(&view(), &game())
}

pub(super) fn map() -> Map {
    map_of("empire")
}

pub(super) fn map_of(viewer: &str) -> Map {
    Map::new(&view_of(viewer), &game())
}

pub(super) fn game() -> Game {
    samples::read(FILE, "game")
}

pub(super) fn view() -> View {
    view_of("empire")
}

pub(super) fn view_of(viewer: &str) -> View {
    StarEmpires::read_view(&samples::read(FILE, viewer)).expect("the view is sound")
}

pub(super) fn checks() -> GameEvent {
    samples::read(FILE, "checks")
}
