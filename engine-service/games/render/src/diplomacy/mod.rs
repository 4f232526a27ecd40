//! Diplomacy and "...It Came From Outer Space!": the map, the phases in the traditional style,
//! orders with completion.
//!
//! Provinces, borders and legal orders are those of the rules crate, so that what is shown and
//! offered cannot differ from what is judged.
#![deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

use heliopause_diplomacy::{Diplomacy, Event, Province, View};
use heliopause_kernel::Seat;
use heliopause_proto::v1::Game;

use super::document::Document;
use super::{Chronicle, Drawing, Lexicon, Renderer};
use crate::aim::{Aim, Part};
use crate::style::Style;
use crate::svg::{Picture, Theme};

mod arrows;
mod atlas;
mod chronicle;
mod geography;
mod interchange;
mod lately;
mod lexicon;
mod list;
mod notation;
mod palette;
mod panel;
mod picture;
#[cfg(test)]
mod sample;
mod screen;
mod standing;
#[cfg(test)]
mod tests;

use atlas::Atlas;
use notation::{NOTATION, NOTATION_IN_SPACE};

/// A view, ready to be drawn.
#[derive(Clone, Debug)]
pub struct Map {
    atlas: Atlas,
    part: Option<Part<Province>>,
}

impl Map {
    /// The map of a view; `told` are the last events, for what became of orders.
    pub fn new(view: &View, game: &Game, told: &[Event]) -> Self {
        Self { atlas: Atlas::new(view, game, told), part: None }
    }
}

impl Drawing for Map {
    fn text(&self, style: &Style) -> String {
        match self.part {
            Some(part) => screen::part(&self.atlas, style, part),
            None => screen::draw(&self.atlas, style),
        }
    }

    fn aimed(&self, aim: &Aim) -> Result<Box<dyn Drawing>, String> {
        let is_named = |at: &Province, name: &str| {
            at.as_str().eq_ignore_ascii_case(name) || at.name().eq_ignore_ascii_case(name)
        };
        let part = aim.part(|name| Province::ALL.into_iter().find(|at| is_named(at, name)))?;
        Ok(Box::new(Self { part: Some(part), ..self.clone() }))
    }

    fn list(&self) -> Vec<String> {
        list::lines(&self.atlas)
    }

    fn picture(&self, theme: Theme) -> Picture {
        picture::draw(&self.atlas, theme)
    }

    fn report(&self) -> Option<Document> {
        Some(standing::report(&self.atlas))
    }

    fn bulletin(&self) -> Option<Document> {
        standing::orders(&self.atlas)
    }

    fn scene(&self) -> Option<String> {
        // Orders change nothing on the map: it is drawn again when a phase begins.
        Some(format!("{} {}", self.atlas.table().number, self.atlas.table().date()))
    }
}

impl Renderer for Diplomacy {
    // Own orders are events too, a few for each unit if they are changed; and the movement may lie
    // behind those of a winter and of retreats.
    const REMEMBERED: u64 = 400;

    fn drawing(view: &View, game: &Game, told: &[Event]) -> Box<dyn Drawing> {
        Box::new(Map::new(view, game, told))
    }

    fn notation(kind: &str) -> &'static str {
        if kind == "diplomacy" { NOTATION } else { NOTATION_IN_SPACE }
    }

    fn saved_game(id: &str, view: &View, told: &[Event]) -> Option<serde_json::Value> {
        interchange::saved_game(id, view, told)
    }

    fn chronicle(view: &View, game: &Game) -> Option<Box<dyn Chronicle<Event>>> {
        let powers = atlas::powers(&view.table, game);
        Some(Box::new(chronicle::Chronicle { variant: view.table.options.variant, powers }))
    }

    fn help(word: &str) -> Option<String> {
        notation::help(word)
    }

    fn lexicon(view: &View) -> Option<Box<dyn Lexicon>> {
        Some(Box::new(lexicon::Orders::new(view)))
    }

    /// Their orders stand below the map.
    fn is_told_elsewhere(event: &Event) -> bool {
        matches!(event, Event::Ordered { .. })
    }

    /// A power, by its name or its code.
    fn seat_named(view: &View, name: &str) -> Option<Seat> {
        let powers = view.table.options.powers(view.table.players);
        let is = |text: &str| text.eq_ignore_ascii_case(name.trim());
        powers.iter().position(|(name, code)| is(name) || is(&code.to_string())).map(Seat::at)
    }
}
