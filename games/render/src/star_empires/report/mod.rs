//! The turn report, in the style of play-by-mail games.
//!
//! | module | section |
//! | --- | --- |
//! | `battles` | battles by sector, and the last scans of lost ships |
//! | `news_items` | all other events, by part of the turn |
//! | `results` | the results of orders |
//! | `worlds`, `ships`, `known` | the current state |
//! | `master` | the game master's report on all empires |

use heliopause_kernel::Seat;
use heliopause_proto::v1::Game;
use heliopause_star_empires::{Coord, EmpireView, Insight, Report, ShipNamed, WorldSeen, handle};

use super::atlas::Atlas;
use super::{palette, panels};
use crate::document::{Document, Section, Tone, Words};
use crate::scene::report::section as panel;
use crate::text::{count, due};

mod battles;
mod known;
mod master;
mod news_items;
mod results;
mod ships;
mod worlds;

pub(super) use master::told as master_events;
pub(super) use results::{checked, line_verdicts};

pub(super) struct ReportContext<'a> {
    own: &'a EmpireView,
    report: &'a Report,
    atlas: &'a Atlas,
}

impl<'a> ReportContext<'a> {
    fn empire(&self, seat: Seat) -> Words {
        self.owner(Some(seat))
    }

    fn owner(&self, owner: Option<Seat>) -> Words {
        let is_reader = owner.is_some() && owner == self.atlas.seat;
        let name = if is_reader { "you".into() } else { self.atlas.owner(owner) };
        Words::new(name, palette::tone(owner))
    }

    fn ship(&self, ship: ShipNamed) -> Words {
        let ShipNamed { owner, serial, name, class } = ship;
        let is_own = Some(owner) == self.atlas.seat;
        let code = if is_own { String::new() } else { format!("{} ", self.atlas.code(owner)) };
        Words::new(format!("{code}{}", handle(name, serial)), palette::tone(Some(owner)))
            .and(format!(" ({class})"), Tone::Faint)
    }

    fn sector(&self, at: Coord) -> Words {
        let name = self.atlas.cell(at).and_then(|cell| {
            let world = cell.world.map(|world| world.name);
            world
                .or(cell.portals.first().map(|portal| portal.name))
                .or(cell.storms.first().map(|storm| storm.name))
        });
        let name = name.map(|name| format!(" {name}")).unwrap_or_default();
        Words::new(at.to_string(), Tone::Faint).and(name, Tone::Plain)
    }

    fn own_worlds(&self) -> impl Iterator<Item = &'a WorldSeen> {
        let seat = self.atlas.seat;
        self.own.chart.worlds.iter().filter(move |world| world.owner == seat)
    }
}

pub(super) fn write(atlas: &Atlas, game: &Game) -> Option<Document> {
    let view = &atlas.view;
    let own = match &view.insight {
        Insight::Empire(own) => own,
        Insight::Master(all) => return Some(master::write(view, all, game, atlas)),
        Insight::Spectator => return None,
    };
    let briefing = ReportContext { own, report: &own.report, atlas };
    let sections = [
        Section::new("Orders", results::section(&briefing)),
        Section::new("Battles", battles::section(&briefing)),
        Section::new("News", news_items::section(&briefing)),
        panel(&panels::treasury(atlas, own)),
        Section::new("Your ships", ships::own(&briefing)),
        Section::new("Foreign ships", ships::foreign(&briefing)),
        Section::new("Other worlds", worlds::others(&briefing)),
        panel(&panels::empires(atlas)),
        panel(&panels::known_classes(own)),
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

fn lead(briefing: &ReportContext<'_>, game: &Game) -> Vec<Words> {
    let status = &briefing.own.status;
    let standing = match status.homeworld {
        None => Words::new("homeless", Tone::Bad),
        Some(homeworld) => Words::plain(format!("homeworld {homeworld}")),
    };
    let production: u32 = briefing.own_worlds().map(|world| world.production).sum();
    let stockpile: u32 = briefing.own_worlds().filter_map(|world| world.stockpile).sum();
    let name = Words::new(briefing.atlas.name(status.seat), palette::tone(Some(status.seat)))
        .and(format!(" [{}], ", briefing.atlas.code(status.seat)), Tone::Faint)
        .with(standing);
    let holdings = format!(
        "{}, {production} RU a turn, {stockpile} RU in stock, {}",
        count(briefing.own_worlds().count(), "world"),
        count(briefing.own.ships.len(), "ship")
    );
    let mut lead = vec![name, Words::plain(holdings)];
    if status.abandoned_turns > 0 {
        lead.push(Words::new(
            "This empire is abandoned: it follows its default orders.",
            Tone::Notice,
        ));
    }
    if !status.attacked_by.is_empty() {
        let hit = Words::new("Shot at last turn by ", Tone::Bad);
        let by = status.attacked_by.iter().map(|seat| briefing.empire(seat));
        lead.push(joined(hit, by, ", ").and(".", Tone::Plain));
    }
    if let Some(deadline) = &game.due_time {
        lead.push(Words::plain(format!("Orders are due {}.", due(deadline))));
    }
    lead
}

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
