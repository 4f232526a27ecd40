//! The game master's report: the standings of all empires, the sectors, and the results of orders.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::v1::{Game, seat};
use heliopause_star_empires::{Empire, Event, Galaxy, MasterView, Name, Sector, World};

use super::{joined, sections_of_panels};
use crate::document::{Block, Document, Section, Tone, Words};
use crate::star_empires::atlas::{Atlas, galactic};
use crate::text::{count, due, harmless};

struct MasterContext<'a> {
    galaxy: &'a Galaxy,
    atlas: &'a Atlas,
    game: &'a Game,
}

pub(super) fn write(all: &MasterView, game: &Game, atlas: &Atlas) -> Document {
    let context = MasterContext { galaxy: &all.galaxy, atlas, game };
    let alliances = all.alliances.iter().map(|alliance| context.alliance(*alliance));
    let sections = [
        Section::new("Standings", context.standings()),
        Section::new("Alliances", Block::list(alliances.collect())),
        Section::new("Ships", context.ships()),
    ];
    let panels = sections_of_panels(atlas, |key| key == "sectors");
    Document {
        title: format!("{}: the game master's report {}", atlas.title, atlas.view.turn),
        lead: context.lead(),
        sections: sections.into_iter().flatten().chain(panels).collect(),
    }
}

/// Returns the results of the game master's orders since the last update, and pending orders.
/// `events` are recent events with their sentences, oldest first.
pub(in crate::star_empires) fn told(events: &[(Event, &str)]) -> Vec<Section> {
    let last = events.iter().rposition(|(event, _)| matches!(event, Event::Updated { .. }));
    let since = &events[last.unwrap_or(0)..];
    let latest = |wanted: fn(&Event) -> bool| {
        since.iter().rev().find(|(event, _)| wanted(event)).map_or("", |(_, text)| *text)
    };
    let lines = |text: &str| {
        let lines = text.lines().skip(1).map(|line| Words::plain(harmless(line)));
        Block::list(lines.collect())
    };
    let half = latest(|event| matches!(event, Event::HalfReached { .. }));
    let results = latest(|event| matches!(event, Event::MasterResults { .. }));
    let pending = latest(|event| matches!(event, Event::MasterOrders { .. }));
    let half =
        Some(Block::Text(Words::new(harmless(half), Tone::Good))).filter(|_| !half.is_empty());
    let sections = [
        Section::new("Victory", half.into_iter().collect()),
        Section::new("Your orders", lines(results)),
        Section::new("Pending orders", lines(pending)),
    ];
    sections.into_iter().flatten().collect()
}

fn production<'a>(worlds: impl IntoIterator<Item = &'a World>) -> u64 {
    worlds.into_iter().map(|world| u64::from(world.production)).sum()
}

impl<'a> MasterContext<'a> {
    fn empire(&self, seat: Seat) -> Words {
        Words::new(self.atlas.name(seat), Tone::Owner(Some(seat)))
    }

    fn worlds_of(&self, seat: Seat) -> impl Iterator<Item = &'a World> {
        self.galaxy.worlds_of(seat).map(|(_, world)| world)
    }

    fn lead(&self) -> Vec<Words> {
        let there = format!(
            "{}, {}, {}, {} RU a turn in all.",
            count(self.galaxy.empires.len(), "empire"),
            count(self.galaxy.worlds.len(), "world"),
            count(self.galaxy.ships.len(), "ship"),
            production(&self.galaxy.worlds),
        );
        let deadline = self.game.due_time.as_ref();
        let deadline = deadline.map(|time| format!("Orders are due {}.", due(time)));
        std::iter::once(there).chain(deadline).map(Words::plain).collect()
    }

    fn standings(&self) -> Vec<Block> {
        let total = production(&self.galaxy.worlds);
        let mut seats: Vec<Seat> = self.galaxy.seats().collect();
        seats.sort_by_key(|seat| (Reverse(production(self.worlds_of(*seat))), *seat));
        let row = |&seat: &Seat| {
            let (empire, output) = (self.galaxy.empire(seat), production(self.worlds_of(seat)));
            let stock: u64 = self.worlds_of(seat).map(|world| u64::from(world.stockpile)).sum();
            // `share` is in tenths of a percent.
            let share = (output * 1000).checked_div(total).unwrap_or(0);
            let numbers = [
                self.worlds_of(seat).count().to_string(),
                output.to_string(),
                format!("{}.{}%", share / 10, share % 10),
                stock.to_string(),
                self.galaxy.ships_of(seat).len().to_string(),
                empire.contacts.len().to_string(),
            ];
            let names = [
                Words::new(empire.code.as_str(), Tone::Strong),
                self.empire(seat),
                Words::new(self.player(seat), Tone::Faint),
                self.standing(empire),
            ];
            names.into_iter().chain(numbers.map(Words::plain)).collect()
        };
        let headings = "code|empire|seat||worlds|RU a turn|share|RU in stock|ships|contacts";
        Block::table(headings, seats.iter().map(row).collect())
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

    fn alliance(&self, alliance: SeatSet) -> Words {
        let members = alliance.iter().map(|seat| self.empire(seat));
        let output: u64 = alliance.iter().map(|seat| production(self.worlds_of(seat))).sum();
        joined(Words::default(), members, ", ").and(format!(", {output} RU a turn"), Tone::Faint)
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
            let world = self.atlas.cell(galactic(*at)).and_then(|cell| cell.world);
            let world = world.map_or_else(String::new, |world| format!(" {}", world.name));
            let sector = Words::plain(at.to_string()).and(world, Tone::Faint);
            vec![self.empire(*owner), sector, Words::plain(classes.join(", "))]
        };
        Block::table("empire|sector|ships", fleets.iter().map(row).collect())
    }
}
