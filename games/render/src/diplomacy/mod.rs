//! Diplomacy and "...It Came From Outer Space!": the map, phases and completion of orders.
//!
//! Provinces, borders and legal orders come from `heliopause_diplomacy`.
#![deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

use heliopause_diplomacy::{Diplomacy, Event, Insight, Options, Province, View};
use heliopause_kernel::Seat;
use heliopause_proto::v1::Game;

use super::document::Document;
use super::{Chronicle, Drawing, Lexicon, Renderer};
use crate::board::Board;
use crate::manual;
use crate::scene::Scene;

mod atlas;
mod chronicle;
mod geography;
mod interchange;
mod lexicon;
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

impl Drawing for Atlas {
    fn scene(&self) -> Scene {
        scene::build(self)
    }

    fn area(&self, name: &str) -> Option<(String, u32)> {
        let is_named = |at: &Province| {
            at.as_str().eq_ignore_ascii_case(name) || at.name().eq_ignore_ascii_case(name)
        };
        Some((Province::ALL.into_iter().find(is_named)?.to_string(), ROWS_AROUND))
    }

    fn report(&self) -> Document {
        standing::report(self, &self.scene())
    }

    fn bulletin(&self) -> Option<Document> {
        standing::orders(self)
    }

    fn redraw_key(&self) -> Option<String> {
        // The key ignores orders, so clients draw the map again only when a phase starts.
        Some(format!("{} {}", self.table().number, self.table().date()))
    }
}

impl Renderer for Diplomacy {
    // Enough for a movement phase and a few changes of the viewer's orders per unit.
    const RECENT_EVENTS: u64 = 400;

    fn drawing(view: &View, game: &Game, told: &[Event]) -> Box<dyn Drawing> {
        Box::new(Atlas::new(view, game, told))
    }

    fn board(options: &Options) -> Board {
        places::board(options.variant)
    }

    fn visible_board(view: &View) -> Board {
        places::board(view.table.options.variant)
    }

    fn notation(kind: &str) -> &'static str {
        let notation = match kind {
            "diplomacy" => include_str!("notation.txt"),
            _ => include_str!("notation_in_space.txt"),
        };
        notation.trim_ascii_end()
    }

    fn saved_game(id: &str, view: &View, told: &[Event]) -> Option<serde_json::Value> {
        interchange::saved_game(id, view, told)
    }

    fn stored_orders(view: &View) -> Option<Vec<String>> {
        let Insight::Seat(_, sheet) = &view.insight else { return None };
        let orders = sheet.orders.iter().map(ToString::to_string);
        Some(orders.chain(sheet.conditionals.iter().map(ToString::to_string)).collect())
    }

    fn chronicle(view: &View, game: &Game) -> Option<Box<dyn Chronicle<Event>>> {
        let powers = atlas::powers(&view.table, game);
        let seats = atlas::seats(view.table.options.variant, &powers);
        let seats = Scene { seats, ..Scene::default() };
        Some(Box::new(chronicle::Chronicle { seats, powers }))
    }

    fn help(word: &str) -> Option<String> {
        manual::help(include_str!("orders.txt"), word)
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
