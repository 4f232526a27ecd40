//! Starships at Large: the map.
//!
//! Places, names and sentences come from `heliopause_starships`, so they always match the rules.
#![deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

use heliopause_proto::v1::Game;
use heliopause_starships::{Event, Options, Starships, View};

use super::{Drawing, Renderer};
use crate::board as fixed;
use crate::guess;
use crate::scene::Scene;

mod board;
mod places;
mod scene;
#[cfg(test)]
mod tests;

use board::Board;

impl Drawing for Board {
    fn scene(&self) -> Scene {
        scene::build(self)
    }

    fn area(&self, name: &str) -> Option<(String, u32)> {
        Some((self.find(name)?.to_string(), 1))
    }
}

impl Renderer for Starships {
    // Enough for a turn with several moves, each with rolls and discoveries.
    const RECENT_EVENTS: u64 = 80;

    fn drawing(view: &View, game: &Game, told: &[Event]) -> Box<dyn Drawing> {
        guess::marked(Box::new(Board::new(view, game, told)), game)
    }

    fn board(_options: &Options) -> fixed::Board {
        places::board()
    }

    fn visible_board(_view: &View) -> fixed::Board {
        places::board()
    }

    fn notation(_kind: &str) -> &'static str {
        NOTATION
    }
}

const NOTATION: &str = include_str!("notation.txt").trim_ascii_end();
