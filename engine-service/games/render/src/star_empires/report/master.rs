//! The game master's report: how all empires stand, what there is, and what becomes of the master's own orders.

use std::collections::BTreeMap;

use heliopause_proto::star_empires::v1::{Empire, Event, Galaxy, MasterView, Sector, Ship, View, World, event};
use heliopause_proto::v1::{Game, seat};

use super::{at, joined};
use crate::document::{Block, Document, Section, Tone, Words};
use crate::star_empires::atlas::Atlas;
use crate::star_empires::{palette, words};
use crate::text::{count, due, harmless};

/// What the report is made of.
struct Bench<'a> {
    galaxy: &'a Galaxy,
    all: &'a MasterView,
    atlas: &'a Atlas,
    game: &'a Game,
}

/// The report of the game master's view.
pub(super) fn write(view: &View, all: &MasterView, game: &Game, atlas: &Atlas) -> Document {
    let galaxy = all.galaxy.clone().unwrap_or_default();
    let bench = Bench { galaxy: &galaxy, all, atlas, game };
    let sections = [
        Section::new("Standings", bench.standings()),
        Section::new("Alliances", bench.alliances()),
        Section::new("Worlds", bench.worlds()),
        Section::new("Ships", bench.ships()),
        Section::new("Portals and storms", bench.sky()),
    ];
    Document {
        title: format!("{}: the game master's report {}", atlas.title, view.turn),
        lead: bench.lead(),
        sections: sections.into_iter().flatten().collect(),
    }
}

/// What the game master was told since the last update: what became of their orders, and which wait. Events are all that they
/// were told lately, each with its sentence, first told first.
pub(in crate::star_empires) fn told(events: &[(&Event, &str)]) -> Vec<Section> {
    let last = events.iter().rposition(|(event, _)| matches!(event.kind, Some(event::Kind::Updated(_))));
    let since = &events[last.unwrap_or(0)..];
    let latest = |wanted: fn(&event::Kind) -> bool| {
        since.iter().rev().find(|(event, _)| event.kind.as_ref().is_some_and(wanted)).map(|(_, text)| *text)
    };
    let results = latest(|kind| matches!(kind, event::Kind::MasterReported(_)));
    let waiting = latest(|kind| matches!(kind, event::Kind::MasterOrdersChanged(_)));
    let half = latest(|kind| matches!(kind, event::Kind::HalfReached(_)));
    let sections = [
        Section::new(
            "Victory",
            half.map(|text| Block::Text(Words::new(harmless(text), Tone::Good))).into_iter().collect(),
        ),
        Section::new("Your orders", listed(results)),
        Section::new("Orders that wait", listed(waiting)),
    ];
    sections.into_iter().flatten().collect()
}

/// An empire and a sector of the galaxy.
type Place = (u32, (i32, i32));

/// The lines of a sentence that has a list below its head.
fn listed(text: Option<&str>) -> Vec<Block> {
    let lines: Vec<Words> =
        text.into_iter().flat_map(str::lines).skip(1).map(|line| Words::plain(harmless(line))).collect();
    if lines.is_empty() { Vec::new() } else { vec![Block::List(lines)] }
}

impl Bench<'_> {
    fn empire(&self, seat: u32) -> Words {
        Words::new(self.atlas.name(seat), Tone::Colored(palette::ink(seat), palette::color(seat)))
    }

    fn seats(&self) -> impl Iterator<Item = (u32, &Empire)> {
        (1..).zip(&self.galaxy.empires)
    }

    fn worlds_of(&self, seat: u32) -> impl Iterator<Item = &World> {
        self.galaxy.worlds.iter().filter(move |world| world.owner == seat)
    }

    fn production(&self, seat: u32) -> u64 {
        self.worlds_of(seat).map(|world| u64::from(world.production)).sum()
    }

    fn lead(&self) -> Vec<Words> {
        let total: u64 = self.galaxy.worlds.iter().map(|world| u64::from(world.production)).sum();
        let there = format!(
            "{}, {}, {}, {total} RU a turn in all.",
            count(self.galaxy.empires.len(), "empire"),
            count(self.galaxy.worlds.len(), "world"),
            count(self.galaxy.ships.len(), "ship"),
        );
        let mut lead = vec![Words::plain(there)];
        if let Some(deadline) = &self.game.due_time {
            lead.push(Words::plain(format!("Orders are due {}.", due(deadline))));
        }
        lead
    }

    /// Every empire, the strongest first.
    fn standings(&self) -> Vec<Block> {
        let total: u64 = self.galaxy.worlds.iter().map(|world| u64::from(world.production)).sum();
        let mut seats: Vec<(u32, &Empire)> = self.seats().collect();
        seats.sort_by_key(|(seat, _)| (std::cmp::Reverse(self.production(*seat)), *seat));
        let row = |(seat, empire): &(u32, &Empire)| {
            let production = self.production(*seat);
            let stock: u64 = self.worlds_of(*seat).map(|world| u64::from(world.stockpile)).sum();
            let ships = self.galaxy.ships.iter().filter(|ship| ship.owner == *seat).count();
            // In tenths of a percent.
            let share = (production * 1000).checked_div(total).unwrap_or(0);
            let mut cells = vec![
                Words::new(harmless(&empire.code), Tone::Strong),
                self.empire(*seat),
                Words::new(self.player(*seat), Tone::Faint),
                standing(empire),
            ];
            let share = format!("{}.{} %", share / 10, share % 10);
            let numbers = [self.worlds_of(*seat).count().to_string(), production.to_string(), share];
            cells.extend(numbers.map(Words::plain));
            cells.extend([stock.to_string(), ships.to_string(), empire.contacts.len().to_string()].map(Words::plain));
            cells
        };
        let headings =
            vec!["code", "empire", "seat", "", "worlds", "RU a turn", "share", "RU in stock", "ships", "contacts"];
        vec![Block::Table(headings, seats.iter().map(row).collect())]
    }

    /// Who plays a seat.
    fn player(&self, number: u32) -> String {
        let Some(seat) = self.game.seats.iter().find(|seat| seat.number == number) else {
            return format!("seat {number}");
        };
        let by = match &seat.occupant {
            Some(seat::Occupant::Automated(by)) => format!("{} ({})", by.profile, by.level),
            Some(seat::Occupant::Player(player)) if !player.is_empty() => player.clone(),
            _ => "nobody".to_owned(),
        };
        format!("seat {number}, {}", harmless(&by))
    }

    fn alliances(&self) -> Vec<Block> {
        let item = |alliance: &heliopause_proto::star_empires::v1::Alliance| {
            let members = alliance.members.iter().map(|&seat| self.empire(seat));
            let production: u64 = alliance.members.iter().map(|&seat| self.production(seat)).sum();
            joined(Words::default(), members, ", ").and(format!(", {production} RU a turn"), Tone::Faint)
        };
        let items: Vec<Words> = self.all.alliances.iter().map(item).collect();
        if items.is_empty() { Vec::new() } else { vec![Block::List(items)] }
    }

    /// The worlds, by owner; those that nobody owns come last.
    fn worlds(&self) -> Vec<Block> {
        let mut worlds: Vec<&World> = self.galaxy.worlds.iter().collect();
        worlds.sort_by_key(|world| (world.owner == 0, world.owner, at(world.at.as_ref())));
        let row = |world: &&World| {
            let is_home = self.galaxy.empires.iter().any(|empire| empire.homeworld.eq_ignore_ascii_case(&world.name));
            let mark = if is_home { " homeworld" } else { "" };
            let siege = if world.owner == 0 { "" } else { words::siege(world.siege()) };
            vec![
                Words::new(harmless(&world.name), Tone::Strong).and(mark, Tone::Faint),
                Words::plain(at(world.at.as_ref()).map(words::sector).unwrap_or_default()),
                self.empire(world.owner),
                Words::plain(world.production.to_string()),
                Words::plain(world.stockpile.to_string()),
                Words::plain(siege),
            ]
        };
        if worlds.is_empty() {
            return Vec::new();
        }
        let headings = vec!["world", "sector", "owner", "RU a turn", "RU in stock", ""];
        vec![Block::Table(headings, worlds.iter().map(row).collect())]
    }

    /// The ships of each empire in each sector, by class; what is aboard is counted with its carrier.
    fn ships(&self) -> Vec<Block> {
        let mut fleets: BTreeMap<Place, BTreeMap<&str, usize>> = BTreeMap::new();
        let sector = |ship: &Ship| at(ship.at.as_ref()).unwrap_or_default();
        for ship in &self.galaxy.ships {
            let fleet = fleets.entry((ship.owner, sector(ship))).or_default();
            *fleet.entry(ship.ship_class.as_str()).or_default() += 1;
        }
        let row = |((owner, at), fleet): (&Place, &BTreeMap<&str, usize>)| {
            let classes: Vec<String> =
                fleet.iter().map(|(class, number)| format!("{number} {}", harmless(class))).collect();
            let world = self.atlas.cell(*at).and_then(|cell| cell.world.as_ref()).map(|world| world.name.clone());
            vec![
                self.empire(*owner),
                Words::plain(words::sector(*at))
                    .and(world.map(|name| format!(" {name}")).unwrap_or_default(), Tone::Faint),
                Words::plain(classes.join(", ")),
            ]
        };
        let rows: Vec<Vec<Words>> = fleets.iter().map(row).collect();
        if rows.is_empty() { Vec::new() } else { vec![Block::Table(vec!["empire", "sector", "ships"], rows)] }
    }

    fn sky(&self) -> Vec<Block> {
        let sector = |place: Option<&Sector>| Words::plain(at(place).map(words::sector).unwrap_or_default());
        let portal = |portal: &heliopause_proto::star_empires::v1::Portal| {
            let exits = if portal.exits.is_empty() { "nowhere".to_owned() } else { harmless(&portal.exits.join(", ")) };
            let told = Words::plain(format!("leads to {exits}"));
            let told = if portal.collapsed { told.and(", collapsed", Tone::Bad) } else { told };
            let more = portal.collapse_turns;
            let told = if more > 0 {
                told.and(format!(", for {} more", count(more as usize, "turn")), Tone::Notice)
            } else {
                told
            };
            let name = Words::new(harmless(&portal.name), Tone::Strong);
            vec![name, sector(portal.at.as_ref()), Words::plain("portal"), told]
        };
        let storm = |storm: &heliopause_proto::star_empires::v1::Storm| {
            let what = if storm.rating == 0 { "nebula" } else { "storm" };
            let steps: Vec<String> = storm.steps.iter().map(|step| format!("{step:+}")).collect();
            let told = match (storm.rating, steps.is_empty()) {
                (0, true) => String::new(),
                (rating, true) => format!("rating {rating}"),
                (rating, false) => format!("rating {rating}, cycle {}", steps.join(" ")),
            };
            let name = Words::new(harmless(&storm.name), Tone::Strong);
            vec![name, sector(storm.at.as_ref()), Words::plain(what), Words::plain(told)]
        };
        let rows: Vec<Vec<Words>> =
            self.galaxy.portals.iter().map(portal).chain(self.galaxy.storms.iter().map(storm)).collect();
        if rows.is_empty() { Vec::new() } else { vec![Block::Table(vec!["name", "sector", "", ""], rows)] }
    }
}

fn standing(empire: &Empire) -> Words {
    let place = match empire.homeworld.as_str() {
        "" => Words::new("homeless", Tone::Bad),
        homeworld => Words::plain(harmless(homeworld)),
    };
    match empire.abandoned_turns {
        0 => place,
        turns => place.and(format!(", abandoned, {}", count(turns as usize, "turn")), Tone::Notice),
    }
}
