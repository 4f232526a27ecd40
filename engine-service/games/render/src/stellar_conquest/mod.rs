//! Stellar Conquest and The Fate of Empire: map, record sheet, and battles.
//!
//! Stars, clouds, prices and tables are those of the rules crate, so that what is shown cannot
//! differ from what is judged.
#![deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

use heliopause_kernel::{Game as _, Seat, Viewer};
use heliopause_proto::v1::Game;
use heliopause_stellar_conquest::{
    BattleEvent, Event, Order, OwnEvent, Place, Stage, StarId, StellarConquest, TableEvent, View,
};

use super::document::{Document, Tone};
use super::{Chronicle, Drawing, Lexicon, Renderer};
use crate::aim::{Aim, Part};
use crate::style::Style;
use crate::svg::{Picture, Theme};
use crate::text::harmless;
use crate::wording;

mod atlas;
mod campaign;
mod chronicle;
mod grid;
mod labels;
mod lexicon;
mod list;
mod notation;
mod palette;
mod panel;
mod picture;
mod politics;
mod record;
#[cfg(test)]
mod sample;
mod screen;
mod sectors;
mod standing;
mod symbols;
mod tale;
#[cfg(test)]
mod tests;
mod words;

use atlas::Atlas;

/// A view, ready to be drawn.
#[derive(Clone, Debug)]
pub struct Map {
    atlas: Atlas,
    part: Option<Part<Place>>,
}

impl Map {
    /// The map of a view; names and progress come from the table around it.
    pub fn new(view: &View, game: &Game) -> Self {
        Self { atlas: Atlas::new(view.clone(), game), part: None }
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
        let star = |name: &str| name.parse::<StarId>().ok().map(StarId::at);
        let part = aim.part(|name| star(name).or_else(|| name.parse().ok()))?;
        Ok(Box::new(Self { part: Some(part), ..self.clone() }))
    }

    fn list(&self) -> Vec<String> {
        list::lines(&self.atlas)
    }

    fn picture(&self, theme: Theme) -> Picture {
        picture::draw(&self.atlas, theme)
    }

    fn report(&self) -> Option<Document> {
        record::document(&self.atlas)
    }

    fn scene(&self) -> Option<String> {
        let table = &self.atlas.view.table;
        let act = match table.stage {
            Stage::Setup => "setup",
            Stage::Production => "production",
            Stage::Over => "over",
            // Movements and answers of one turn belong together: the map is drawn again when it is
            // asked for.
            Stage::Campaign(_)
            | Stage::Movement
            | Stage::Combat
            | Stage::Battle
            | Stage::Planets => "turn",
        };
        Some(format!("{act} {} {}", table.turn, table.active.number()))
    }
}

/// What the seats are called, by [`Seat::index`].
fn names(view: &View, game: &Game) -> Vec<String> {
    Seat::first(view.table.seats()).map(|seat| name(game, seat.number())).collect()
}

/// What a seat is called: its player, or its role if automation plays it.
fn name(game: &Game, number: u32) -> String {
    let automated = game.seats.iter().find(|seat| {
        seat.number == number
            && matches!(seat.occupant, Some(heliopause_proto::v1::seat::Occupant::Automated(_)))
    });
    harmless(&automated.map_or_else(|| wording::seat_name(game, number), |seat| seat.role.clone()))
}

impl Renderer for StellarConquest {
    fn drawing(view: &View, game: &Game, _told: &[Event]) -> Box<dyn Drawing> {
        Box::new(Map::new(view, game))
    }

    fn notation(_kind: &str) -> &'static str {
        notation::NOTATION
    }

    fn weighs(event: &Event) -> Option<Tone> {
        tale::weighs(event)
    }

    fn chronicle(view: &View, game: &Game) -> Option<Box<dyn Chronicle<Event>>> {
        Some(Box::new(chronicle::Chronicle::new(view, names(view, game))))
    }

    fn awaited(view: &View) -> Option<Seat> {
        let battle = view.table.battle.as_deref()?;
        battle.waits_for().iter().find(|seat| view.viewer() != Viewer::Seat(*seat))
    }

    fn help(word: &str) -> Option<String> {
        notation::help(word)
    }

    fn lexicon(view: &View) -> Option<Box<dyn Lexicon>> {
        Some(Box::new(lexicon::Names::new(view)))
    }

    /// In a production turn.
    fn sheet(view: &View) -> Option<Vec<String>> {
        notation::sheet(view)
    }

    fn empty_sheet(view: &View) -> Option<Order> {
        Self::parse(view, notation::sheet_verb(view)?).ok()?.into_iter().next()
    }

    /// It only keeps clients up to date, or repeats what another event tells.
    fn is_told_elsewhere(event: &Event) -> bool {
        use {BattleEvent as Battle, OwnEvent as Own, TableEvent as Table};
        matches!(
            event,
            Event::Table(Table::StageChanged { .. } | Table::Grouped { .. } | Table::Passed { .. })
                | Event::Battle(Battle::BattleStageChanged { .. } | Battle::Aimed { .. })
                | Event::Own(
                    Own::Engaged { .. } | Own::SheetStored { .. } | Own::LandingBegan { .. }
                )
                | Event::GlimpseKept { .. }
        )
    }
}
