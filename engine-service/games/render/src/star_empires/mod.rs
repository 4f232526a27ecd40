//! Star Empires: the map, the turn report, and help with order sheets.
//!
//! | module | concern |
//! | --- | --- |
//! | `atlas` | what a view shows, sorted by sector |
//! | `window` | which part of the map, and which layer of it |
//! | `screen`, `gazetteer` | the map in a terminal, and the list of what is there |
//! | `picture` | the map as SVG |
//! | `report`, `past` | the turn report, of this turn and of earlier ones |
//! | `notation`, `grammar`, `lexicon` | orders as text: writing, help, completion |
//! | `words`, `palette` | what things are called, and the colours of empires |

use heliopause_proto::star_empires::v1::view::Viewer;
use heliopause_proto::star_empires::v1::{Check, Event, LineStatus, Order, Sheet, View, event, order};
use heliopause_proto::v1::Game;
use heliopause_star_empires::StarEmpires;

use super::aim::Aim;
use super::document::{Document, Section};
use super::{Checked, Drawing, Lexicon, Renderer};
use crate::style::Style;

mod atlas;
mod gazetteer;
mod grammar;
mod lexicon;
mod notation;
mod palette;
mod past;
mod picture;
mod report;
#[cfg(test)]
mod sample;
mod screen;
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
    report: Option<Document>,
}

impl Map {
    /// Reads a view; names and deadlines come from the table around it.
    pub fn new(view: &View, game: &Game) -> Self {
        let atlas = Atlas::new(view, game);
        let report = report::write(view, game, &atlas);
        Self { atlas, window: Window::default(), report }
    }
}

impl Drawing for Map {
    fn text(&self, style: &Style) -> String {
        screen::draw(&self.atlas, &self.window, style)
    }

    fn svg(&self) -> String {
        picture::draw(&self.atlas, &self.window)
    }

    fn aimed(&self, aim: &Aim) -> Result<Box<dyn Drawing>, String> {
        let window = Window::aimed(&self.atlas, aim)?;
        Ok(Box::new(Self { window, ..self.clone() }))
    }

    fn report(&self) -> Option<Document> {
        self.report.clone()
    }

    fn bulletin(&self) -> Option<Document> {
        let mut report = self.report.clone().filter(|_| self.atlas.turn > 0)?;
        report.sections.retain(|section| HAPPENED.contains(&section.title.as_str()));
        Some(report)
    }
}

impl Renderer for StarEmpires {
    fn drawing(view: &View, game: &Game, _told: &[&Event]) -> Option<Box<dyn Drawing>> {
        Some(Box::new(Map::new(view, game)))
    }

    fn notation(_kind: &str) -> &'static str {
        grammar::NOTATION
    }

    fn opens(event: &Event) -> Option<String> {
        match &event.kind {
            Some(event::Kind::Updated(updated)) => Some(format!("Turn {}", updated.turn)),
            _ => None,
        }
    }

    fn help(word: &str) -> Option<String> {
        grammar::help(word)
    }

    fn lexicon(view: &View) -> Option<Box<dyn Lexicon>> {
        match &view.viewer {
            Some(Viewer::Empire(own)) => Some(Box::new(lexicon::Names::new(own))),
            _ => None,
        }
    }

    fn sheet(view: &View) -> Option<Vec<String>> {
        match &view.viewer {
            Some(Viewer::Empire(own)) => {
                Some(own.sheet.iter().flat_map(|sheet| &sheet.lines).map(notation::line).collect())
            }
            _ => None,
        }
    }

    fn empty_sheet(_view: &View) -> Option<Order> {
        Some(Order { kind: Some(order::Kind::Sheet(Sheet::default())) })
    }

    fn checked(event: &Event, lines: &[String]) -> Option<Checked> {
        let Some(event::Kind::SheetStored(stored)) = &event.kind else { return None };
        let count = |status: LineStatus| stored.checks.iter().filter(|check| check.status() == status).count();
        let is_rejected = |check: &&Check| check.status() == LineStatus::Rejected;
        Some(Checked {
            headings: vec!["#", "check", "order", "why"],
            rows: report::checked(lines, &stored.checks),
            rejected: stored.checks.iter().filter(is_rejected).map(place_of).collect(),
            warned: count(LineStatus::Warned),
            accepted: count(LineStatus::Accepted),
        })
    }

    fn is_told_elsewhere(event: &Event) -> bool {
        matches!(event.kind, Some(event::Kind::Reported(_) | event::Kind::SheetStored(_)))
    }

    fn past(view: &View, told: &[&Event], turn: u32) -> Result<View, String> {
        past::past(view, told, turn)
    }

    fn told_to_master(view: &View, told: &[(&Event, &str)]) -> Vec<Section> {
        if Self::is_masters(view) { report::told_to_master(told) } else { Vec::new() }
    }

    fn is_masters(view: &View) -> bool {
        matches!(view.viewer, Some(Viewer::Master(_)))
    }

    /// An empire that the viewer has come across, by its name or code.
    fn seat_named(view: &View, name: &str) -> Option<u32> {
        let Some(Viewer::Empire(own)) = &view.viewer else { return None };
        let is = |text: &str| text.replace(' ', "_").eq_ignore_ascii_case(name);
        own.empires.iter().find(|empire| is(&empire.name) || is(&empire.code)).map(|empire| empire.seat)
    }
}

fn place_of(check: &Check) -> usize {
    (check.line as usize).saturating_sub(1)
}
