//! Maps, for the terminal and as SVG.
//!
//! A game adds its own in one place: a module beside [`starships`] with a type that is [`Drawing`], and one line in
//! [`drawing`], [`heading`] and [`notation`].

use heliopause_proto::v1::{Game, GameOrder, GameView, game_order, game_view};

use crate::style::Style;

pub mod canvas;
pub mod starships;
pub mod svg;

/// A game as one viewer sees it, ready to be drawn.
pub trait Drawing {
    /// The map with everything that belongs to it, as lines for a terminal.
    fn text(&self, style: &Style) -> String;
    /// The map as a picture.
    fn svg(&self) -> String;
}

/// The drawing of a view; none if this client has no map for the game.
pub fn drawing(view: &GameView, game: &Game) -> Option<Box<dyn Drawing>> {
    match view.game.as_ref()? {
        game_view::Game::StarshipsAtLarge(view) => Some(Box::new(starships::Map::new(view, game))),
        game_view::Game::StarEmpires(_) | game_view::Game::StellarConquest(_) => None,
    }
}

/// The heading under which an order stands in a list of choices: the piece that it moves, or what it is about.
pub fn heading(order: &GameOrder) -> String {
    match &order.game {
        Some(game_order::Game::StarshipsAtLarge(order)) => starships::heading(order),
        Some(game_order::Game::StarEmpires(_) | game_order::Game::StellarConquest(_)) | None => "Orders".into(),
    }
}

/// How orders are written in a kind of game, with examples; none if this client does not know the game.
pub fn notation(kind: &str) -> Option<&'static str> {
    match kind {
        "starships-at-large" => Some(starships::NOTATION),
        _ => None,
    }
}
