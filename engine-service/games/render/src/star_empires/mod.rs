//! Star Empires: the map, the turn report, and help with order sheets.
//!
//! | module | concern |
//! | --- | --- |
//! | `atlas` | what a view shows, sorted by sector |
//! | `window` | which part of the map, and which layer of it |
//! | `screen`, `gazetteer` | the map in a terminal, and the list of what is there |
//! | `picture`, `flights` | the map as SVG, with the moves of the last turn |
//! | `report`, `past` | the turn report, of this turn and of earlier ones |
//! | `grammar`, `lexicon` | orders as text: help, completion |
//! | `tale` | turns as parts of a story |
//! | `words`, `palette` | words for tables, and the colours of empires |
//!
//! Places, names and sentences are those of the rules crate, so that what is shown cannot differ
//! from what is judged.
#![deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

use heliopause_kernel::Seat;
use heliopause_proto::v1::{Game, LineVerdict};
use heliopause_star_empires::{
    EmpireSeen, Event, Insight, Name, Order, Sheet, StarEmpires, Verdict, View,
};

use super::aim::Aim;
use super::document::{Document, Section};
use super::{Checked, Drawing, Lexicon, Renderer};
use crate::style::Style;
use crate::svg::{Picture, Theme};

mod atlas;
mod flights;
mod gazetteer;
mod grammar;
mod lexicon;
mod list;
mod palette;
mod picture;
mod report;
#[cfg(test)]
mod sample;
mod screen;
mod tale;
#[cfg(test)]
mod tests;
mod window;
mod words;

use atlas::Atlas;
use window::Window;

/// The sections of the report that tell what happened; the others tell how things stand.
const HAPPENED: [&str; 3] = ["Orders", "Battles", "News"];

/// A view of Star Empires, ready to be drawn.
#[derive(Clone, Debug)]
pub struct Map {
    atlas: Atlas,
    window: Window,
    /// The table around it. Reports tell of it; they are written only for whoever reads them, for
    /// that takes as long as a picture.
    game: Game,
}

impl Map {
    /// The map of a view; names and deadlines come from the table around it.
    pub fn new(view: &View, game: &Game) -> Self {
        let atlas = Atlas::new(view, game);
        Self { atlas, window: Window::default(), game: game.clone() }
    }
}

impl Drawing for Map {
    fn text(&self, style: &Style) -> String {
        screen::draw(&self.atlas, &self.window, style)
    }

    fn list(&self) -> Vec<String> {
        list::lines(&self.atlas, &self.window)
    }

    fn picture(&self, theme: Theme) -> Picture {
        picture::draw(&self.atlas, &self.window, theme)
    }

    fn aimed(&self, aim: &Aim) -> Result<Box<dyn Drawing>, String> {
        let window = Window::aimed(&self.atlas, aim)?;
        Ok(Box::new(Self { window, ..self.clone() }))
    }

    fn cuts_pictures(&self) -> bool {
        true
    }

    fn report(&self) -> Option<Document> {
        report::write(&self.atlas, &self.game)
    }

    fn bulletin(&self) -> Option<Document> {
        let mut report = self.report().filter(|_| self.atlas.view.turn > 0)?;
        report.sections.retain(|section| HAPPENED.contains(&section.title.as_str()));
        Some(report)
    }
}

impl Renderer for StarEmpires {
    fn drawing(view: &View, game: &Game, _told: &[Event]) -> Box<dyn Drawing> {
        Box::new(Map::new(view, game))
    }

    fn notation(_kind: &str) -> &'static str {
        grammar::NOTATION
    }

    fn help(word: &str) -> Option<String> {
        grammar::help(word)
    }

    fn lexicon(view: &View) -> Option<Box<dyn Lexicon>> {
        Some(Box::new(lexicon::Names::new(view.own()?)))
    }

    fn sheet(view: &View) -> Option<Vec<String>> {
        let lines = view.own()?.sheet.iter().flat_map(|sheet| &sheet.lines);
        Some(lines.map(ToString::to_string).collect())
    }

    fn empty_sheet(_view: &View) -> Option<Order> {
        Some(Order::Sheet(Sheet::default()))
    }

    fn checked(event: &Event, lines: &[String]) -> Option<Checked> {
        let Event::SheetStored { checks, .. } = event else { return None };
        let count =
            |verdict: Verdict| checks.iter().filter(|check| check.verdict == verdict).count();
        let rejected = checks.iter().filter(|check| check.verdict == Verdict::Rejected);
        Some(Checked {
            headings: vec!["#", "check", "order", "why"],
            rows: report::checked(lines, checks),
            rejected: rejected.map(|check| check.line as usize).collect(),
            warned: count(Verdict::Warned),
            accepted: count(Verdict::Accepted),
        })
    }

    fn lines(order: &Order, event: &Event) -> Vec<LineVerdict> {
        match (order, event) {
            (Order::Sheet(sheet), Event::SheetStored { checks, .. }) => {
                report::line_verdicts(sheet, checks)
            }
            _ => Vec::new(),
        }
    }

    fn is_told_elsewhere(event: &Event) -> bool {
        matches!(event, Event::Reported { .. } | Event::SheetStored { .. })
    }

    fn tale(before: &View, event: &Event) -> Option<Vec<String>> {
        tale::lines(before, event)
    }

    fn told_to_master(view: &View, told: &[(Event, &str)]) -> Vec<Section> {
        if Self::is_masters(view) { report::told_to_master(told) } else { Vec::new() }
    }

    fn is_masters(view: &View) -> bool {
        matches!(view.insight, Insight::Master(_))
    }

    /// An empire that the viewer has come across, by its name or code.
    fn seat_named(view: &View, name: &str) -> Option<Seat> {
        let name = Name::new(name)?;
        let bears = |empire: &&EmpireSeen| {
            empire.name == name || Name::new(empire.code.as_str()) == Some(name)
        };
        view.own()?.empires.iter().find(bears).map(|empire| empire.seat)
    }
}
