//! Star Empires: the map, the turn report, and help with order sheets.
//!
//! | module | concern |
//! | --- | --- |
//! | `atlas` | a view by sector |
//! | `window` | the part and layer of the map |
//! | `scene`, `flights` | the map, with the moves of the last turn |
//! | `panels` | the tables beside the map |
//! | `report` | the turn report |
//! | `lexicon` | orders as text: help, completion |
//! | `event_story` | turns as parts of a story |
//!
//! Places, names and sentences come from `heliopause_star_empires`, so they always match the rules.
#![deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

use heliopause_kernel::Seat;
use heliopause_proto::v1::{Game, LineVerdict};
use heliopause_star_empires::{
    EmpireSeen, Event, Insight, Name, Options, Order, Sheet, StarEmpires, View,
};

use super::aim::MapRequest;
use super::board::Board;
use super::document::{Document, Section};
use super::{Drawing, Lexicon, Renderer};
use crate::scene::{Scene, picture, report as panel_report, screen, sentences};
use crate::style::Style;
use crate::svg::{Picture, Theme};
use crate::{guess, manual};

mod atlas;
mod event_story;
mod flights;
mod lexicon;
mod panels;
mod places;
mod report;
#[cfg(test)]
mod sample;
mod scene;
#[cfg(test)]
mod tests;
mod window;

use atlas::Atlas;
use window::Window;

/// The sections of the report about events. The other sections are about the current state.
const EVENT_SECTIONS: [&str; 3] = ["Orders", "Battles", "News"];

/// The width of a column of small hexes in a terminal.
const COLUMN: usize = 7;
/// The maximum number of rows of an open panel in a picture. Longer panels are folded.
const PICTURE_ROWS: usize = 24;

/// The drawing of a view, or of only a part of its map.
#[derive(Clone, Debug)]
pub struct Map {
    atlas: Atlas,
    window: Window,
    /// The game, for reports. Reports are written on demand, because writing one takes as long as
    /// drawing a picture.
    game: Game,
}

impl Map {
    pub fn new(view: &View, game: &Game) -> Self {
        let atlas = Atlas::new(view, game);
        Self { atlas, window: Window::default(), game: game.clone() }
    }

    fn build(&self, columns_max: Option<u32>) -> Scene {
        let mut scene = scene::build(&self.atlas, &self.window, columns_max);
        guess::mark(&mut scene, &self.game);
        scene
    }
}

impl Drawing for Map {
    fn scene(&self) -> Scene {
        self.build(None)
    }

    fn text(&self, style: &Style) -> String {
        let columns = style.width.saturating_sub(1) / COLUMN;
        let most = u32::try_from(columns.saturating_sub(1) / 2).unwrap_or(1).max(1);
        let mut scene = self.build(Some(most));
        scene.panels.iter_mut().for_each(|panel| panel.folded = false);
        screen::draw(&scene, style)
    }

    fn list(&self) -> Vec<String> {
        let mut scene = self.scene();
        // The lines of the areas have the contents of this panel.
        scene.panels.retain(|panel| panel.key != "sectors");
        scene.panels.iter_mut().for_each(|panel| panel.folded = false);
        sentences::lines(&scene)
    }

    fn picture(&self, theme: Theme) -> Picture {
        let mut scene = self.scene();
        for panel in &mut scene.panels {
            panel.folded |= panel.key == "classes" || panel.rows.len() > PICTURE_ROWS;
        }
        picture::draw(&scene, theme)
    }

    fn for_request(&self, aim: &MapRequest) -> Result<Box<dyn Drawing>, String> {
        let window = Window::for_request(&self.atlas, aim)?;
        Ok(Box::new(Self { window, ..self.clone() }))
    }

    fn supports_partial_pictures(&self) -> bool {
        true
    }

    fn report(&self) -> Document {
        report::write(&self.atlas, &self.game)
            .unwrap_or_else(|| panel_report::document(&self.scene()))
    }

    fn bulletin(&self) -> Option<Document> {
        let mut report =
            report::write(&self.atlas, &self.game).filter(|_| self.atlas.view.turn > 0)?;
        report.sections.retain(|section| EVENT_SECTIONS.contains(&section.title.as_str()));
        Some(report)
    }
}

impl Renderer for StarEmpires {
    fn drawing(view: &View, game: &Game, _told: &[Event]) -> Box<dyn Drawing> {
        Box::new(Map::new(view, game))
    }

    /// The galaxy is drawn by lot, so options alone determine no place.
    fn board(_options: &Options) -> Board {
        Board { partial: true, ..Board::default() }
    }

    fn visible_board(view: &View) -> Board {
        places::board(&Atlas::new(view, &Game::default()))
    }

    fn notation(_kind: &str) -> &'static str {
        lexicon::NOTATION
    }

    fn help(word: &str) -> Option<String> {
        manual::help(lexicon::ORDERS, word)
    }

    fn lexicon(view: &View) -> Option<Box<dyn Lexicon>> {
        Some(Box::new(lexicon::completion(view.own()?)))
    }

    fn sheet(view: &View) -> Option<Vec<String>> {
        let lines = view.own()?.sheet.iter().flat_map(|sheet| &sheet.lines);
        Some(lines.map(ToString::to_string).collect())
    }

    fn empty_sheet(_view: &View) -> Option<Order> {
        Some(Order::Sheet(Sheet::default()))
    }

    fn lines(order: Option<&Order>, event: &Event) -> Option<Vec<LineVerdict>> {
        let Event::SheetStored { checks, .. } = event else { return None };
        let lines = match order {
            Some(Order::Sheet(sheet)) => sheet.lines.as_slice(),
            Some(_) | None => &[],
        };
        Some(report::line_verdicts(lines, checks))
    }

    fn is_redundant(event: &Event) -> bool {
        matches!(event, Event::Reported { .. } | Event::SheetStored { .. })
    }

    fn event_story(before: &View, event: &Event) -> Option<Vec<String>> {
        event_story::lines(before, event)
    }

    fn master_events(view: &View, told: &[(Event, &str)]) -> Vec<Section> {
        if Self::is_master_view(view) { report::master_events(told) } else { Vec::new() }
    }

    fn is_master_view(view: &View) -> bool {
        matches!(view.insight, Insight::Master(_))
    }

    fn seat_named(view: &View, name: &str) -> Option<Seat> {
        let name = Name::new(name)?;
        let bears = |empire: &&EmpireSeen| {
            empire.name == name || Name::new(empire.code.as_str()) == Some(name)
        };
        view.own()?.empires.iter().find(bears).map(|empire| empire.seat)
    }
}
