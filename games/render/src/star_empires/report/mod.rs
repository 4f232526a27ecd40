//! The turn report, in the style of play-by-mail games.
//!
//! | module | section |
//! | --- | --- |
//! | `battles` | battles by sector, and the last scans of lost ships |
//! | `news_items` | all other events, by part of the turn |
//! | `results` | the results of orders |
//! | `foreign` | foreign ships, and grants of visibility |
//! | `master` | the game master's report on all empires |
//!
//! The sections on the current state are the panels of the map.

use heliopause_kernel::Seat;
use heliopause_proto::v1::Game;
use heliopause_star_empires::{Coord, EmpireView, Insight, Report, ShipNamed, WorldSeen, handle};

use super::atlas::Atlas;
use super::panels;
use super::window::Window;
use crate::document::{Document, Section, Tone, Words};
use crate::scene::report::section as panel_section;
use crate::text::{count, due};

mod battles;
mod foreign;
mod master;
mod news_items;
mod results;

pub(super) use master::told as master_events;
pub(super) use results::line_verdicts;

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
        Words::new(name, Tone::Owner(owner))
    }

    fn ship(&self, ship: ShipNamed) -> Words {
        let ShipNamed { owner, serial, name, class } = ship;
        let is_own = Some(owner) == self.atlas.seat;
        let code = if is_own { String::new() } else { format!("{} ", self.atlas.code(owner)) };
        Words::new(format!("{code}{}", handle(name, serial)), Tone::Owner(Some(owner)))
            .and(format!(" ({class})"), Tone::Faint)
    }

    fn sector(&self, at: Coord) -> Words {
        let name = self.atlas.first_object(at).map(|name| format!(" {name}"));
        Words::new(at.to_string(), Tone::Faint).and(name.unwrap_or_default(), Tone::Plain)
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
        Insight::Master(all) => return Some(master::write(all, game, atlas)),
        Insight::Spectator => return None,
    };
    let context = ReportContext { own, report: &own.report, atlas };
    let events = [
        Section::new("Orders", results::section(&context)),
        Section::new("Battles", battles::section(&context)),
        Section::new("News", news_items::section(&context)),
    ];
    let rest = [
        Section::new("Foreign ships", foreign::ships(&context)),
        Section::new("Shared scans", foreign::grants(&context)),
        Section::new(format!("Order sheet for turn {}", view.turn + 1), results::sheet(&context)),
    ];
    let panels = sections_of_panels(atlas, |key| key != "prices");
    Some(Document {
        title: format!("{}: turn report {}", atlas.title, view.turn),
        lead: lead(&context, game),
        sections: events
            .into_iter()
            .flatten()
            .chain(panels)
            .chain(rest.into_iter().flatten())
            .collect(),
    })
}

/// Returns the panels of the whole map whose keys `wants` selects, without limits on their length.
fn sections_of_panels(atlas: &Atlas, wants: impl Fn(&str) -> bool) -> Vec<Section> {
    let window = Window::default();
    let mut panels = panels::build(atlas, &window, &window.places(atlas, None), usize::MAX);
    panels.retain(|panel| wants(&panel.key));
    for panel in panels.iter_mut().filter(|panel| panel.key == "sectors") {
        panel.note.clear();
    }
    panels.iter().filter_map(panel_section).collect()
}

fn lead(context: &ReportContext<'_>, game: &Game) -> Vec<Words> {
    let status = &context.own.status;
    let standing = match status.homeworld {
        None => Words::new("homeless", Tone::Bad),
        Some(homeworld) => Words::plain(format!("homeworld {homeworld}")),
    };
    let production: u32 = context.own_worlds().map(|world| world.production).sum();
    let stockpile: u32 = context.own_worlds().filter_map(|world| world.stockpile).sum();
    let name = Words::new(context.atlas.name(status.seat), Tone::Owner(Some(status.seat)))
        .and(format!(" [{}], ", context.atlas.code(status.seat)), Tone::Faint)
        .with(standing);
    let holdings = format!(
        "{}, {production} RU a turn, {stockpile} RU in stock, {}",
        count(context.own_worlds().count(), "world"),
        count(context.own.ships.len(), "ship")
    );
    let mut lead = vec![name, Words::plain(holdings)];
    if status.abandoned_turns > 0 {
        let told = "This empire is abandoned: it follows its default orders.";
        lead.push(Words::new(told, Tone::Notice));
    }
    if !status.attacked_by.is_empty() {
        let hit = Words::new("Shot at last turn by ", Tone::Bad);
        let by = status.attacked_by.iter().map(|seat| context.empire(seat));
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
