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
use heliopause_proto::star_empires::v1::{Event, Order, Sheet, View, event, order};
use heliopause_proto::v1::Game;

use super::aim::Aim;
use super::document::{Document, Section};
use super::{Checked, Drawing};
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

pub use grammar::NOTATION;
pub use past::past;

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

/// Help on one order.
pub fn help(word: &str) -> Option<String> {
    grammar::help(word)
}

/// What the Tab key completes for the viewer of this view.
pub fn lexicon(view: &View) -> Option<Box<dyn super::Lexicon>> {
    match &view.viewer {
        Some(Viewer::Empire(own)) => Some(Box::new(lexicon::Names::new(own))),
        _ => None,
    }
}

/// The lines of the stored sheet; none for a viewer without one.
pub fn sheet(view: &View) -> Option<Vec<String>> {
    match &view.viewer {
        Some(Viewer::Empire(own)) => {
            Some(own.sheet.iter().flat_map(|sheet| &sheet.lines).map(notation::line).collect())
        }
        _ => None,
    }
}

/// The seat of an empire that the viewer has come across, by its name or code.
pub fn seat_named(view: &View, name: &str) -> Option<u32> {
    let Some(Viewer::Empire(own)) = &view.viewer else { return None };
    let is = |text: &str| text.replace(' ', "_").eq_ignore_ascii_case(name);
    own.empires.iter().find(|empire| is(&empire.name) || is(&empire.code)).map(|empire| empire.seat)
}

/// A sheet without lines.
pub fn empty_sheet() -> Order {
    Order { kind: Some(order::Kind::Sheet(Sheet::default())) }
}

/// What the game master was told lately, as sections of their report; none for other viewers. The events come with their
/// sentences, first told first.
pub fn told_to_master(view: &View, events: &[(&Event, &str)]) -> Vec<Section> {
    match &view.viewer {
        Some(Viewer::Master(_)) => report::told_to_master(events),
        _ => Vec::new(),
    }
}

/// Whether the report or a check of the sheet tells what this event tells.
pub fn is_told_elsewhere(event: &Event) -> bool {
    matches!(event.kind, Some(event::Kind::Reported(_) | event::Kind::SheetStored(_)))
}

/// What an event tells of each line of a sheet that was sent; none if it tells of something else.
pub fn checked(event: &Event, lines: &[String]) -> Option<Checked> {
    use heliopause_proto::star_empires::v1::LineStatus;
    let Some(event::Kind::SheetStored(stored)) = &event.kind else { return None };
    let count = |status: LineStatus| stored.checks.iter().filter(|check| check.status() == status).count();
    Some(Checked {
        headings: vec!["#", "check", "order", "why"],
        rows: report::checked(lines, &stored.checks),
        rejected: stored.checks.iter().filter(|check| check.status() == LineStatus::Rejected).map(place_of).collect(),
        warned: count(LineStatus::Warned),
        accepted: count(LineStatus::Accepted),
    })
}

fn place_of(check: &heliopause_proto::star_empires::v1::Check) -> usize {
    (check.line as usize).saturating_sub(1)
}
