//! Diplomacy and "...It Came From Outer Space!": the map, phases and completion of orders.
//!
//! Provinces, borders and legal orders come from `heliopause_diplomacy`.
#![deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

use heliopause_diplomacy::{Diplomacy, Event, Options, Province, View};
use heliopause_kernel::Seat;
use heliopause_proto::v1::Game;

use super::document::Document;
use super::{Chronicle, Drawing, Lexicon, Renderer};
use crate::aim::{MapRequest, Part};
use crate::board::Board;
use crate::scene::{Scene, screen};
use crate::style::Style;

mod atlas;
mod chronicle;
mod geography;
mod interchange;
mod lexicon;
mod notation;
mod panels;
mod paths;
mod places;
mod recent_orders;
#[cfg(test)]
mod sample;
mod scene;
mod standing;
#[cfg(test)]
mod tests;

use atlas::Atlas;
use geography::ROWS_AROUND;
use notation::{NOTATION, NOTATION_IN_SPACE};

/// The drawing of a view, or of only a part of its map.
#[derive(Clone, Debug)]
pub struct Map {
    atlas: Atlas,
    part: Option<Part<Province>>,
}

impl Map {
    /// Prepares the map of a view. `told` contains the latest events, for the results of orders.
    pub fn new(view: &View, game: &Game, told: &[Event]) -> Self {
        Self { atlas: Atlas::new(view, game, told), part: None }
    }
}

impl Drawing for Map {
    fn scene(&self) -> Scene {
        scene::build(&self.atlas)
    }

    fn text(&self, style: &Style) -> String {
        let scene = self.scene();
        match self.part {
            Some(Part { around, radius }) => {
                let radius = radius.unwrap_or(ROWS_AROUND);
                screen::draw_part(&scene, style, screen::Part { around: around.as_str(), radius })
            }
            None => screen::draw(&scene, style),
        }
    }

    fn for_request(&self, aim: &MapRequest) -> Result<Box<dyn Drawing>, String> {
        let is_named = |at: &Province, name: &str| {
            at.as_str().eq_ignore_ascii_case(name) || at.name().eq_ignore_ascii_case(name)
        };
        let part = aim.part(|name| Province::ALL.into_iter().find(|at| is_named(at, name)))?;
        Ok(Box::new(Self { part: Some(part), ..self.clone() }))
    }

    fn report(&self) -> Document {
        standing::report(&self.atlas, &self.scene())
    }

    fn bulletin(&self) -> Option<Document> {
        standing::orders(&self.atlas)
    }

    fn redraw_key(&self) -> Option<String> {
        // The key ignores orders, so clients draw the map again only when a phase starts.
        Some(format!("{} {}", self.atlas.table().number, self.atlas.table().date()))
    }
}

impl Renderer for Diplomacy {
    // Enough for a movement phase and a few changes of the viewer's orders per unit.
    const RECENT_EVENTS: u64 = 400;

    fn drawing(view: &View, game: &Game, told: &[Event]) -> Box<dyn Drawing> {
        Box::new(Map::new(view, game, told))
    }

    fn board(options: &Options) -> Board {
        places::board(options.variant)
    }

    fn visible_board(view: &View) -> Board {
        places::board(view.table.options.variant)
    }

    fn notation(kind: &str) -> &'static str {
        if kind == "diplomacy" { NOTATION } else { NOTATION_IN_SPACE }
    }

    fn saved_game(id: &str, view: &View, told: &[Event]) -> Option<serde_json::Value> {
        interchange::saved_game(id, view, told)
    }

    fn chronicle(view: &View, game: &Game) -> Option<Box<dyn Chronicle<Event>>> {
        let powers = atlas::powers(&view.table, game);
        let seats = atlas::seats(view.table.options.variant, &powers);
        let seats = Scene { seats, ..Scene::default() };
        Some(Box::new(chronicle::Chronicle { seats, powers }))
    }

    fn help(word: &str) -> Option<String> {
        notation::help(word)
    }

    fn lexicon(view: &View) -> Option<Box<dyn Lexicon>> {
        Some(Box::new(lexicon::Orders::new(view)))
    }

    /// Returns true for orders, because they are listed below the map.
    fn is_redundant(event: &Event) -> bool {
        matches!(event, Event::Ordered { .. })
    }

    fn seat_named(view: &View, name: &str) -> Option<Seat> {
        let powers = view.table.options.powers(view.table.players);
        let is = |text: &str| text.eq_ignore_ascii_case(name.trim());
        powers.iter().position(|(name, code)| is(name) || is(&code.to_string())).map(Seat::at)
    }
}
