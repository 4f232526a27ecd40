//! Starships at Large: the map.
//!
//! Places, names and sentences are those of the rules crate, so that what is shown cannot differ
//! from what is judged.
#![deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

use heliopause_proto::v1::Game;
use heliopause_starships::{Event, Starships, TurnEvent, View};

use super::{Drawing, Renderer};
use crate::style::Style;

mod board;
mod picture;
mod screen;
#[cfg(test)]
mod tests;

use board::Board;

/// A view of Starships at Large, ready to be drawn.
#[derive(Debug)]
pub struct Map {
    board: Board,
}

impl Map {
    /// The map of a view; names and progress come from the table around it.
    pub fn new(view: &View, game: &Game) -> Self {
        Self { board: Board::new(view, game) }
    }
}

impl Drawing for Map {
    fn text(&self, style: &Style) -> String {
        screen::draw(&self.board, style)
    }

    fn svg(&self) -> String {
        picture::draw(&self.board)
    }
}

impl Renderer for Starships {
    fn drawing(view: &View, game: &Game, _told: &[Event]) -> Box<dyn Drawing> {
        Box::new(Map::new(view, game))
    }

    fn notation(_kind: &str) -> &'static str {
        NOTATION
    }

    fn opens(event: &Event) -> Option<String> {
        let Event::Turn(TurnEvent::TurnBegan { round, seat }) = event else { return None };
        Some(format!("Round {round}, turn of {seat}"))
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
