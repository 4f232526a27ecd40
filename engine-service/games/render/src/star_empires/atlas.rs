//! What a view of Star Empires shows, sorted by sector.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use heliopause_kernel::Seat;
use heliopause_proto::v1::Game;
use heliopause_star_empires::{
    Chart, Code, Coord, EmpireView, Frame, Galaxy, Id as _, Insight, Name, OwnShip, RADIUS_MAX,
    Sector, Status, StormSeen, View, WorldId, WorldSeen, handle,
};

use super::flights::{self, Flight};
use crate::text::harmless;

/// Everything that can be drawn.
#[derive(Clone, Debug)]
pub(super) struct Atlas {
    /// The game's name.
    pub(super) title: String,
    /// The reader's seat; none for the game master and spectators.
    pub(super) seat: Option<Seat>,
    /// Every sector of which anything is known.
    pub(super) cells: BTreeMap<Coord, Cell>,
    /// The empires that the reader has come across, by seat.
    pub(super) empires: BTreeMap<Seat, Empire>,
    /// Known ways from portal to portal.
    pub(super) exits: Vec<(Coord, Coord)>,
    /// What orders and reports call the ships of a sector, by owner. The game master's maps do not
    /// list them.
    pub(super) ships: BTreeMap<(Coord, Seat), Vec<Name>>,
    /// The moves of the last turn that the reader knows of.
    pub(super) flights: Vec<Flight>,
    /// Where the map is centred if nothing else is asked for.
    pub(super) home: Coord,
    /// The view itself.
    pub(super) view: View,
}

/// An empire.
#[derive(Clone, Copy, Debug)]
pub(super) struct Empire {
    pub(super) name: Name,
    /// Its two letters.
    pub(super) code: Code,
}

/// A sector on the map.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    /// How well it is known; none if it is only heard of.
    pub(super) status: Option<Status>,
    /// The last turn in which it was scanned.
    pub(super) scanned: Option<u32>,
    /// Whether a storm or nebula hides it.
    pub(super) obscured: bool,
    /// Whether others' data shows it.
    pub(super) shared: bool,
    pub(super) world: Option<WorldSeen>,
    pub(super) portals: Vec<Portal>,
    /// Its storms and nebulae.
    pub(super) storms: Vec<StormSeen>,
    /// The loose ships there, by owner; those of none are unidentified.
    pub(super) ships: BTreeMap<Option<Seat>, Group>,
}

/// A portal on the map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portal {
    pub(super) name: Name,
    /// Whether it is collapsed, as far as that is known.
    pub(super) collapsed: bool,
    /// Whether its navigation data is held.
    pub(super) navigable: bool,
}

/// Ships of one owner in a sector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    /// How many there are.
    pub(super) ships: u32,
    /// Their tonnage, as far as it is told.
    pub(super) tonnage: u64,
    /// How many wrecks of this turn lie there.
    pub(super) wrecks: u32,
}

/// A name as people read it.
pub(super) fn spoken(name: Name) -> String {
    name.as_str().replace('_', " ")
}

impl Atlas {
    /// What a view shows.
    pub(super) fn new(view: &View, game: &Game) -> Self {
        let mut atlas = Self {
            title: harmless(&game.name),
            seat: view.own().map(|own| own.status.seat),
            cells: BTreeMap::new(),
            empires: BTreeMap::new(),
            exits: Vec::new(),
            ships: BTreeMap::new(),
            flights: Vec::new(),
            home: Coord::default(),
            view: view.clone(),
        };
        match &view.insight {
            Insight::Empire(own) => atlas.read_own(own),
            Insight::Master(all) => atlas.read_all(&all.galaxy),
            Insight::Spectator => {}
        }
        atlas
    }

    /// The cell of a sector.
    pub(super) fn cell(&self, at: Coord) -> Option<&Cell> {
        self.cells.get(&at)
    }

    /// Where something is that has this name: a world, portal, storm or own ship.
    pub(super) fn find(&self, name: &str) -> Option<Coord> {
        let name = Name::new(name)?;
        match &self.view.insight {
            Insight::Empire(own) => {
                let bears = |ship: &&OwnShip| ship.name == name || ship.serial.to_name() == name;
                own.chart.object(name).or_else(|| own.ships.iter().find(bears).map(|ship| ship.at))
            }
            Insight::Master(all) => all.galaxy.object(name).map(galactic),
            Insight::Spectator => None,
        }
    }

    /// The ships of a sector by owner: own ones first, unidentified ones last, the most before the
    /// fewest.
    pub(super) fn groups(&self, cell: &Cell) -> Vec<(Option<Seat>, Group)> {
        let mut groups: Vec<(Option<Seat>, Group)> =
            cell.ships.iter().map(|(owner, group)| (*owner, *group)).collect();
        groups.sort_by_key(|(owner, group)| {
            (*owner != self.seat, owner.is_none(), Reverse(group.ships))
        });
        groups
    }

    /// An empire's two letters.
    pub(super) fn code(&self, seat: Seat) -> String {
        self.empires
            .get(&seat)
            .map_or_else(|| format!("#{}", seat.number()), |empire| empire.code.to_string())
    }

    /// An empire's name in a sentence.
    pub(super) fn name(&self, seat: Seat) -> String {
        self.empires
            .get(&seat)
            .map_or_else(|| format!("empire {}", seat.number()), |empire| spoken(empire.name))
    }

    /// An owner's name in a sentence.
    pub(super) fn owner(&self, owner: Option<Seat>) -> String {
        owner.map_or_else(|| "nobody".into(), |seat| self.name(seat))
    }

    fn read_own(&mut self, own: &EmpireView) {
        self.empires = own
            .empires
            .iter()
            .map(|it| (it.seat, Empire { name: it.name, code: it.code }))
            .collect();
        self.read_chart(&own.chart, own);
        let tonnage: BTreeMap<Name, u32> =
            own.classes.iter().map(|class| (class.name, class.tonnage)).collect();
        for ship in own.ships.iter().filter(|ship| ship.carrier.is_none()) {
            let tonnage = tonnage.get(&ship.class).copied().unwrap_or_default();
            self.add_ships(ship.at, self.seat, 1, tonnage.into());
        }
        for ship in &own.ships {
            self.list_ship(ship.at, own.status.seat, handle(ship.name, ship.serial));
        }
        self.flights = flights::read(&own.report);
        let object = |name: Name| own.chart.object(name);
        let ways = own
            .navigation
            .iter()
            .flat_map(|held| held.exits.iter().map(move |exit| (held.portal, *exit)));
        self.exits = ways.filter_map(|(from, to)| Some((object(from)?, object(to)?))).collect();
        self.home = own.status.homeworld.and_then(object).unwrap_or_default();
    }

    fn read_chart(&mut self, chart: &Chart, own: &EmpireView) {
        for row in &chart.sectors {
            let cell = self.cells.entry(row.at).or_default();
            cell.status = Some(row.status);
            (cell.scanned, cell.obscured, cell.shared) = (row.scanned, row.obscured, row.shared);
        }
        for world in &chart.worlds {
            self.cells.entry(world.at).or_default().world = Some(*world);
        }
        for portal in &chart.portals {
            let navigable = own.navigation.iter().any(|held| held.portal == portal.name);
            let known = Portal {
                name: portal.name,
                collapsed: portal.collapsed.unwrap_or(false),
                navigable,
            };
            self.cells.entry(portal.at).or_default().portals.push(known);
        }
        for storm in &chart.storms {
            self.cells.entry(storm.at).or_default().storms.push(*storm);
        }
        for fleet in &chart.fleets {
            self.add_ships(
                fleet.at,
                fleet.identity.map(|(owner, _)| owner),
                fleet.count,
                fleet.tonnage,
            );
        }
        for ship in &chart.ships {
            if ship.wreck {
                self.group(ship.at, Some(ship.owner)).wrecks += 1;
            } else if Some(ship.owner) != self.seat {
                self.add_ships(ship.at, Some(ship.owner), 1, ship.tonnage.into());
                self.list_ship(ship.at, ship.owner, handle(ship.name, ship.serial));
            }
        }
    }

    fn list_ship(&mut self, at: Coord, owner: Seat, name: Name) {
        self.ships.entry((at, owner)).or_default().push(name);
    }

    fn group(&mut self, at: Coord, owner: Option<Seat>) -> &mut Group {
        self.cells.entry(at).or_default().ships.entry(owner).or_default()
    }

    fn add_ships(&mut self, at: Coord, owner: Option<Seat>, count: u32, tonnage: u64) {
        let group = self.group(at, owner);
        group.ships = group.ships.saturating_add(count);
        group.tonnage = group.tonnage.saturating_add(tonnage);
    }

    /// The game master sees the whole disc, and everything on it.
    fn read_all(&mut self, galaxy: &Galaxy) {
        let empires = galaxy.seats().zip(&galaxy.empires);
        self.empires =
            empires.map(|(seat, it)| (seat, Empire { name: it.name, code: it.code })).collect();
        for (id, world) in (0..).map(WorldId::at).zip(&galaxy.worlds) {
            let at = galactic(world.at);
            let known = WorldSeen {
                at,
                name: world.name,
                production: world.production,
                owner: world.owner,
                stockpile: Some(world.stockpile),
                homeworld: galaxy.is_homeworld(id),
                siege: Some(world.siege),
            };
            self.cells.entry(at).or_default().world = Some(known);
        }
        for portal in &galaxy.portals {
            let at = galactic(portal.at);
            let known = Portal { name: portal.name, collapsed: portal.collapsed, navigable: true };
            self.cells.entry(at).or_default().portals.push(known);
            self.exits
                .extend(portal.exits.iter().map(|exit| (at, galactic(galaxy.portal(*exit).at))));
        }
        for storm in &galaxy.storms {
            let at = galactic(storm.at);
            let known = StormSeen { at, name: storm.name, rating: storm.rating };
            self.cells.entry(at).or_default().storms.push(known);
        }
        for ship in galaxy.ships.iter().filter(|ship| ship.is_loose()) {
            self.add_ships(
                galactic(ship.at),
                Some(ship.owner),
                1,
                galaxy.class_of(ship).tonnage.into(),
            );
        }
        self.fill_disc();
    }

    fn fill_disc(&mut self) {
        let told = self.view.options.generator.radius.unwrap_or_default();
        let farthest =
            self.cells.keys().map(|at| at.distance(Coord::default())).max().unwrap_or_default();
        let farthest = u16::try_from(farthest).unwrap_or(RADIUS_MAX).min(RADIUS_MAX);
        for at in Sector::CENTRE.within(told.max(farthest)) {
            self.cells.entry(galactic(at)).or_default().status = Some(Status::Visible);
        }
    }
}

/// A sector as the game master sees it.
pub(super) fn galactic(at: Sector) -> Coord {
    Frame::GALACTIC.local(at)
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn loaded_ships_and_wrecks_are_not_among_the_ships() {
        let atlas = sample::atlas();
        let seat = |number| Seat::numbered(number);
        let home = atlas.cell(Coord::new(0, 0)).map(|cell| cell.ships.clone()).unwrap_or_default();
        assert_eq!(home.get(&seat(1)).map(|group| (group.ships, group.wrecks)), Some((3, 0)));
        let battle =
            atlas.cell(Coord::new(1, 1)).map(|cell| cell.ships.clone()).unwrap_or_default();
        assert_eq!(battle.get(&seat(2)).map(|group| (group.ships, group.wrecks)), Some((1, 1)));
    }

    #[test]
    fn places_go_by_the_names_of_what_is_there() {
        let atlas = sample::atlas();
        assert_eq!(atlas.find("ember"), Some(Coord::new(1, 1)));
        assert_eq!(atlas.find("Charon"), Some(Coord::new(-1, 1)));
        assert_eq!(atlas.find("LION"), Some(Coord::new(1, 1)));
        assert_eq!(atlas.find("nowhere"), None);
    }
}
