//! Starships at Large: the map.
//!
//! Places, names and sentences come from `heliopause_starships`, so they always match the rules.
#![deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

use heliopause_proto::v1::Game;
use heliopause_starships::{Event, Options, Place, Starships, View};

use super::{Drawing, Renderer};
use crate::aim::{MapRequest, Part};
use crate::board as fixed;
use crate::scene::{Scene, screen};
use crate::style::Style;

mod board;
mod places;
mod scene;
#[cfg(test)]
mod tests;

use board::Board;

/// The drawing of a view, or of only a part of its map.
#[derive(Clone, Debug)]
pub struct Map {
    board: Board,
    part: Option<Part<Place>>,
}

impl Map {
    /// Prepares the map of a view. `told` provides the latest moves.
    pub fn new(view: &View, game: &Game, told: &[Event]) -> Self {
        Self { board: Board::new(view, game, told), part: None }
    }
}

impl Drawing for Map {
    fn scene(&self) -> Scene {
        scene::build(&self.board)
    }

    fn text(&self, style: &Style) -> String {
        let scene = self.scene();
        match self.part {
            Some(Part { around, radius }) => {
                let around = around.to_string();
                let part = screen::Part { around: &around, radius: radius.unwrap_or(1) };
                screen::draw_part(&scene, style, part)
            }
            None => screen::draw(&scene, style),
        }
    }

    fn for_request(&self, aim: &MapRequest) -> Result<Box<dyn Drawing>, String> {
        let part = aim.part(|name| self.board.find(name))?;
        Ok(Box::new(Self { part: Some(part), ..self.clone() }))
    }
}

impl Renderer for Starships {
    // Enough for a turn with several moves, each with rolls and discoveries.
    const RECENT_EVENTS: u64 = 80;

    fn drawing(view: &View, game: &Game, told: &[Event]) -> Box<dyn Drawing> {
        Box::new(Map::new(view, game, told))
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

const NOTATION: &str = "  build 2                               move A1 to (2,-1)
  warp A1 via (1,0) to (2,0)            base to (1,0), settle
  diplomacy A1, force A1                attack A1 B2, attack A1 base of B
  again, withdraw, fire, hold fire      face up (1,0), take up (1,0)
  mark (1,0), colonize (1,0)            give (1,0) to C
  exile B, unexile B                    offer peace B, accept partnership B
  pledge no-attack to B until 9         pledge planet (1,0) to B until 9
  pledge keep-out (1,0) to B until 9    sacrifice A3, choose B2
  end";
