//! The game master's report: the standings of all empires, the objects, and the results of orders.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::v1::{Game, seat};
use heliopause_star_empires::{
    Empire, Event, Galaxy, Id as _, MasterView, Name, Pattern, Portal, PortalId, Sector, Storm,
    View, World, WorldId,
};

use super::joined;
use super::known::listed;
use crate::document::{Block, Document, Section, Tone, Words};
use crate::star_empires::atlas::{Atlas, galactic};
use crate::star_empires::{palette, words};
use crate::text::{count, due, harmless};

struct MasterContext<'a> {
    galaxy: &'a Galaxy,
    all: &'a MasterView,
    atlas: &'a Atlas,
    game: &'a Game,
}

pub(super) fn write(view: &View, all: &MasterView, game: &Game, atlas: &Atlas) -> Document {
    let bench = MasterContext { galaxy: &all.galaxy, all, atlas, game };
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

/// Returns the results of the game master's orders since the last update, and pending orders.
/// `events` are recent events with their sentences, oldest first.
pub(in crate::star_empires) fn told(events: &[(Event, &str)]) -> Vec<Section> {
    let last = events.iter().rposition(|(event, _)| matches!(event, Event::Updated { .. }));
    let since = &events[last.unwrap_or(0)..];
    let latest = |wanted: fn(&Event) -> bool| {
        since.iter().rev().find(|(event, _)| wanted(event)).map(|(_, text)| *text)
    };
    let results = latest(|event| matches!(event, Event::MasterResults { .. }));
    let waiting = latest(|event| matches!(event, Event::MasterOrders { .. }));
    let half = latest(|event| matches!(event, Event::HalfReached { .. }));
    let sections = [
        Section::new(
            "Victory",
            half.map(|text| Block::Text(Words::new(harmless(text), Tone::Good)))
                .into_iter()
                .collect(),
        ),
        Section::new("Your orders", lines(results)),
        Section::new("Pending orders", lines(waiting)),
    ];
    sections.into_iter().flatten().collect()
}

fn lines(text: Option<&str>) -> Vec<Block> {
    let lines: Vec<Words> = text
        .into_iter()
        .flat_map(str::lines)
        .skip(1)
        .map(|line| Words::plain(harmless(line)))
        .collect();
    if lines.is_empty() { Vec::new() } else { vec![Block::List(lines)] }
}

impl MasterContext<'_> {
    fn empire(&self, seat: Seat) -> Words {
        self.owner(Some(seat))
    }

    fn owner(&self, owner: Option<Seat>) -> Words {
        Words::new(self.atlas.owner(owner), palette::tone(owner))
    }

    fn production(&self, seat: Seat) -> u64 {
        self.galaxy.worlds_of(seat).map(|(_, world)| u64::from(world.production)).sum()
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

    fn standings(&self) -> Vec<Block> {
        let total: u64 = self.galaxy.worlds.iter().map(|world| u64::from(world.production)).sum();
        let mut seats: Vec<Seat> = self.galaxy.seats().collect();
        seats.sort_by_key(|seat| (Reverse(self.production(*seat)), *seat));
        let row = |&seat: &Seat| {
            let (empire, production) = (self.galaxy.empire(seat), self.production(seat));
            let worlds = || self.galaxy.worlds_of(seat).map(|(_, world)| world);
            let stock: u64 = worlds().map(|world| u64::from(world.stockpile)).sum();
            let ships = self.galaxy.ships_of(seat).len();
            // `share` is in tenths of a percent.
            let share = (production * 1000).checked_div(total).unwrap_or(0);
            let mut cells = vec![
                Words::new(empire.code.as_str(), Tone::Strong),
                self.empire(seat),
                Words::new(self.player(seat), Tone::Faint),
                self.standing(empire),
            ];
            let share = format!("{}.{}%", share / 10, share % 10);
            let numbers = [worlds().count().to_string(), production.to_string(), share];
            cells.extend(numbers.map(Words::plain));
            cells.extend(
                [stock.to_string(), ships.to_string(), empire.contacts.len().to_string()]
                    .map(Words::plain),
            );
            cells
        };
        let headings = vec![
            "code",
            "empire",
            "seat",
            "",
            "worlds",
            "RU a turn",
            "share",
            "RU in stock",
            "ships",
            "contacts",
        ];
        vec![Block::table(headings, seats.iter().map(row).collect())]
    }

    fn standing(&self, empire: &Empire) -> Words {
        let place = match empire.homeworld {
            None => Words::new("homeless", Tone::Bad),
            Some(homeworld) => Words::plain(self.galaxy.world(homeworld).name.as_str()),
        };
        match empire.abandoned_turns {
            0 => place,
            turns => {
                place.and(format!(", abandoned, {}", count(turns as usize, "turn")), Tone::Notice)
            }
        }
    }

    fn player(&self, seat: Seat) -> String {
        let Some(chair) = self.game.seats.iter().find(|chair| chair.number == seat.number()) else {
            return seat.to_string();
        };
        let by = match &chair.occupant {
            Some(seat::Occupant::Automated(by)) => format!("{} ({})", by.profile, by.level),
            Some(seat::Occupant::Player(player)) if !player.is_empty() => player.clone(),
            _ => "nobody".to_owned(),
        };
        format!("{seat}, {}", harmless(&by))
    }

    fn alliances(&self) -> Vec<Block> {
        let item = |alliance: &SeatSet| {
            let members = alliance.iter().map(|seat| self.empire(seat));
            let production: u64 = alliance.iter().map(|seat| self.production(seat)).sum();
            joined(Words::default(), members, ", ")
                .and(format!(", {production} RU a turn"), Tone::Faint)
        };
        let items: Vec<Words> = self.all.alliances.iter().map(item).collect();
        if items.is_empty() { Vec::new() } else { vec![Block::List(items)] }
    }

    fn worlds(&self) -> Vec<Block> {
        let mut worlds: Vec<(WorldId, &World)> =
            (0..).map(WorldId::at).zip(&self.galaxy.worlds).collect();
        worlds.sort_by_key(|(_, world)| (world.owner.is_none(), world.owner, world.at));
        let row = |(id, world): &(WorldId, &World)| {
            let mark = if self.galaxy.is_homeworld(*id) { " homeworld" } else { "" };
            let siege = words::siege(world.owner.map(|_| world.siege));
            vec![
                Words::new(world.name.as_str(), Tone::Strong).and(mark, Tone::Faint),
                Words::plain(world.at.to_string()),
                self.owner(world.owner),
                Words::plain(world.production.to_string()),
                Words::plain(world.stockpile.to_string()),
                Words::plain(siege),
            ]
        };
        if worlds.is_empty() {
            return Vec::new();
        }
        let headings = vec!["world", "sector", "owner", "RU a turn", "RU in stock", ""];
        vec![Block::table(headings, worlds.iter().map(row).collect())]
    }

    /// Lists the ships of each empire. Loaded ships are in their carrier's sector.
    fn ships(&self) -> Vec<Block> {
        let mut fleets: BTreeMap<(Seat, Sector), BTreeMap<Name, usize>> = BTreeMap::new();
        for ship in &self.galaxy.ships {
            let fleet = fleets.entry((ship.owner, ship.at)).or_default();
            *fleet.entry(self.galaxy.class_of(ship).name).or_default() += 1;
        }
        let row = |((owner, at), fleet): (&(Seat, Sector), &BTreeMap<Name, usize>)| {
            let classes: Vec<String> =
                fleet.iter().map(|(class, number)| format!("{number} {class}")).collect();
            let world =
                self.atlas.cell(galactic(*at)).and_then(|cell| cell.world).map(|world| world.name);
            vec![
                self.empire(*owner),
                Words::plain(at.to_string())
                    .and(world.map(|name| format!(" {name}")).unwrap_or_default(), Tone::Faint),
                Words::plain(classes.join(", ")),
            ]
        };
        let rows: Vec<Vec<Words>> = fleets.iter().map(row).collect();
        if rows.is_empty() {
            Vec::new()
        } else {
            vec![Block::table(["empire", "sector", "ships"], rows)]
        }
    }

    fn sky(&self) -> Vec<Block> {
        let name = |id: &PortalId| self.galaxy.portal(*id).name;
        let portal = |portal: &Portal| {
            let exits: Vec<Name> = portal.exits.iter().map(name).collect();
            let exits = if exits.is_empty() { "nowhere".to_owned() } else { listed(&exits) };
            let told = Words::plain(format!("leads to {exits}"));
            let told = if portal.collapsed { told.and(", collapsed", Tone::Bad) } else { told };
            let more = portal.collapse_turns;
            let told = if more > 0 {
                told.and(format!(", for {} more", count(more as usize, "turn")), Tone::Notice)
            } else {
                told
            };
            let name = Words::new(portal.name.as_str(), Tone::Strong);
            vec![name, Words::plain(portal.at.to_string()), Words::plain("portal"), told]
        };
        let storm = |storm: &Storm| {
            let what = if storm.rating == 0 { "nebula" } else { "storm" };
            let told = match (storm.rating, &storm.pattern) {
                (rating, Pattern::Cyclic(steps)) => {
                    let steps: Vec<String> = steps.iter().map(|step| format!("{step:+}")).collect();
                    format!("rating {rating}, cycle {}", steps.join(" "))
                }
                (0, Pattern::Constant | Pattern::Random) => String::new(),
                (rating, Pattern::Constant | Pattern::Random) => format!("rating {rating}"),
            };
            let name = Words::new(storm.name.as_str(), Tone::Strong);
            vec![name, Words::plain(storm.at.to_string()), Words::plain(what), Words::plain(told)]
        };
        let rows: Vec<Vec<Words>> = self
            .galaxy
            .portals
            .iter()
            .map(portal)
            .chain(self.galaxy.storms.iter().map(storm))
            .collect();
        if rows.is_empty() {
            Vec::new()
        } else {
            vec![Block::table(["name", "sector", "", ""], rows)]
        }
    }
}
