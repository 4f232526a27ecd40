//! Starships at Large: the map.
//!
//! Places, names and sentences are those of the rules crate, so that what is shown cannot differ
//! from what is judged.
#![deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

use heliopause_proto::v1::Game;
use heliopause_starships::{Event, Place, Starships, View};

use super::{Drawing, Renderer};
use crate::aim::{Aim, Part};
use crate::style::Style;
use crate::svg::{Picture, Theme};

mod board;
mod list;
mod panel;
mod picture;
mod screen;
#[cfg(test)]
mod tests;

use board::Board;

/// A view of Starships at Large, ready to be drawn.
#[derive(Clone, Debug)]
pub struct Map {
    board: Board,
    part: Option<Part<Place>>,
}

impl Map {
    /// The map of a view; names and progress come from the table around it, and the moves of the
    /// last turn from the events that came last.
    pub fn new(view: &View, game: &Game, told: &[Event]) -> Self {
        Self { board: Board::new(view, game, told), part: None }
    }
}

impl Drawing for Map {
    fn text(&self, style: &Style) -> String {
        match self.part {
            Some(part) => screen::part(&self.board, style, part),
            None => screen::draw(&self.board, style),
        }
    }

    fn aimed(&self, aim: &Aim) -> Result<Box<dyn Drawing>, String> {
        let part = aim.part(|name| self.board.find(name))?;
        Ok(Box::new(Self { part: Some(part), ..self.clone() }))
    }

    fn list(&self) -> Vec<String> {
        list::lines(&self.board)
    }

    fn picture(&self, theme: Theme) -> Picture {
        picture::draw(&self.board, theme)
    }
}

impl Renderer for Starships {
    // A turn has some moves, each with rolls and what was found.
    const REMEMBERED: u64 = 80;

    fn drawing(view: &View, game: &Game, told: &[Event]) -> Box<dyn Drawing> {
        Box::new(Map::new(view, game, told))
    }

    fn notation(_kind: &str) -> &'static str {
        NOTATION
    }
}

/// How orders are written, with examples.
const NOTATION: &str = "  build 2                               move A1 to (2,-1)
  warp A1 via (1,0) to (2,0)            base to (1,0), settle
  diplomacy A1, force A1                attack A1 B2, attack A1 base of B
  again, withdraw, fire, hold fire      face up (1,0), take up (1,0)
  mark (1,0), colonize (1,0)            give (1,0) to C
  exile B, unexile B                    offer peace B, accept partnership B
  pledge no-attack to B until 9         pledge planet (1,0) to B until 9
  pledge keep-out (1,0) to B until 9    sacrifice A3, choose B2
  end";
