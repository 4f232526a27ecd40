//! The turn report, as people expect of a game that is played by mail.
//!
//! | module | section |
//! | --- | --- |
//! | `battles` | what happened in each sector where shots fell, and what lost ships last saw |
//! | `news` | everything else that happened, by chapter of the turn |
//! | `results` | what became of the orders |
//! | `worlds`, `ships`, `known` | where things stand now |
//! | `master` | the game master's report, of all empires |

use heliopause_proto::star_empires::v1::view::Viewer;
use heliopause_proto::star_empires::v1::{EmpireView, News, Report, Sector, ShipNamed, Standing, View, news};
use heliopause_proto::v1::Game;

use super::atlas::{Atlas, Place, place};
use super::{palette, words};
use crate::document::{Document, Section, Tone, Words};
use crate::text::{count, due, harmless};

mod battles;
mod known;
mod master;
mod news_items;
mod results;
mod ships;
mod worlds;

pub(super) use master::told as told_to_master;
pub(super) use results::checked;

/// What a report is made of.
pub(super) struct Briefing<'a> {
    own: &'a EmpireView,
    report: Report,
    atlas: &'a Atlas,
}

impl Briefing<'_> {
    /// An empire in its colour.
    fn empire(&self, seat: u32) -> Words {
        let name = if seat == self.atlas.seat && seat != 0 { "you".into() } else { self.atlas.name(seat) };
        Words::new(name, Tone::Colored(palette::ink(seat), palette::color(seat)))
    }

    /// A ship by name and class, in its owner's colour; a foreign one with its empire's code.
    fn ship(&self, ship: &ShipNamed) -> Words {
        let handle = if ship.name.is_empty() { &ship.serial } else { &ship.name };
        let tone = Tone::Colored(palette::ink(ship.owner), palette::color(ship.owner));
        let code =
            if ship.owner == self.atlas.seat { String::new() } else { format!("{} ", self.atlas.code(ship.owner)) };
        let class = format!(" ({})", harmless(&ship.ship_class));
        Words::new(format!("{code}{}", harmless(handle)), tone).and(class, Tone::Faint)
    }

    /// A sector by coordinates and the name of what is there.
    fn sector(&self, at: Place) -> Words {
        let name = self.atlas.cell(at).and_then(|cell| {
            let world = cell.world.as_ref().map(|world| &world.name);
            world.or(cell.portals.first().map(|portal| &portal.name)).or(cell.storms.first().map(|storm| &storm.name))
        });
        let name = name.map(|name| format!(" {name}")).unwrap_or_default();
        Words::new(words::sector(at), Tone::Faint).and(name, Tone::Plain)
    }

    /// The ship of an item of the news.
    fn deed(news: &News) -> Option<(&ShipNamed, &heliopause_proto::star_empires::v1::ShipNews)> {
        match &news.kind {
            Some(news::Kind::Ship(item)) => item.ship.as_ref().map(|ship| (ship, item)),
            _ => None,
        }
    }
}

/// Where an item of the news is from.
fn at(sector: Option<&Sector>) -> Option<Place> {
    sector.map(|sector| place(Some(sector)))
}

/// The report of a view; none for a spectator.
pub(super) fn write(view: &View, game: &Game, atlas: &Atlas) -> Option<Document> {
    let own = match view.viewer.as_ref()? {
        Viewer::Empire(own) => own,
        Viewer::Master(all) => return Some(master::write(view, all, game, atlas)),
    };
    let briefing = Briefing { own, report: own.report.clone().unwrap_or_default(), atlas };
    let sections = [
        Section::new("Orders", results::section(&briefing)),
        Section::new("Battles", battles::section(&briefing)),
        Section::new("News", news_items::section(&briefing)),
        Section::new("Your worlds", worlds::own(&briefing)),
        Section::new("Your ships", ships::own(&briefing)),
        Section::new("Foreign ships", ships::foreign(&briefing)),
        Section::new("Other worlds", worlds::others(&briefing)),
        Section::new("Empires", known::empires(&briefing)),
        Section::new("Designs", known::designs(&briefing)),
        Section::new("Portals and storms", known::sky(&briefing)),
        Section::new("Shared scans", known::grants(&briefing)),
        Section::new(format!("Order sheet for turn {}", view.turn + 1), results::sheet(&briefing)),
    ];
    Some(Document {
        title: format!("{}: turn report {}", atlas.title, view.turn),
        lead: lead(&briefing, game),
        sections: sections.into_iter().flatten().collect(),
    })
}

fn lead(briefing: &Briefing<'_>, game: &Game) -> Vec<Words> {
    let status = briefing.own.status.clone().unwrap_or_default();
    let standing = match status.standing() {
        Standing::Homeless => Words::new("homeless", Tone::Bad),
        _ => Words::plain(format!("homeworld {}", harmless(&status.homeworld))),
    };
    let mine = |seat: u32| seat == status.seat;
    let chart = briefing.own.chart.clone().unwrap_or_default();
    let worlds: Vec<_> = chart.worlds.iter().filter(|world| mine(world.owner)).collect();
    let production: u32 = worlds.iter().map(|world| world.production).sum();
    let stockpile: u32 = worlds.iter().filter_map(|world| world.stockpile).sum();
    let tone = Tone::Colored(palette::ink(status.seat), palette::color(status.seat));
    let name = Words::new(briefing.atlas.name(status.seat), tone)
        .and(format!(" [{}], ", briefing.atlas.code(status.seat)), Tone::Faint)
        .with(standing);
    let holdings = format!(
        "{}, {production} RU a turn, {stockpile} RU in stock, {}",
        count(worlds.len(), "world"),
        count(briefing.own.ships.len(), "ship")
    );
    let mut lead = vec![name, Words::plain(holdings)];
    if status.abandoned_turns > 0 {
        lead.push(Words::new("This empire is abandoned: it follows its default orders.", Tone::Notice));
    }
    if !status.shot_by.is_empty() {
        let hit = Words::new("Shot at last turn by ", Tone::Bad);
        let by = status.shot_by.iter().map(|seat| briefing.empire(*seat));
        lead.push(joined(hit, by, ", ").and(".", Tone::Plain));
    }
    if let Some(deadline) = &game.due_time {
        lead.push(Words::plain(format!("Orders are due {}.", due(deadline))));
    }
    lead
}

/// Words in a row, with something between them.
fn joined(start: Words, items: impl Iterator<Item = Words>, between: &str) -> Words {
    let mut words = start;
    for (index, item) in items.enumerate() {
        if index > 0 {
            words = words.and(between, Tone::Plain);
        }
        words = words.with(item);
    }
    words
}
