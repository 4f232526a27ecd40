//! What a view of Star Empires shows, sorted by sector.

use std::collections::BTreeMap;

use heliopause_proto::star_empires::v1::view::Viewer;
use heliopause_proto::star_empires::v1::{Chart, EmpireView, MasterView, Sector, SectorStatus, Siege, View};
use heliopause_proto::v1::Game;

use crate::text::harmless;

/// A sector: its oblique and its northern coordinate.
pub(super) type Place = (i32, i32);

/// Everything that can be drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct Atlas {
    /// The game's name.
    pub(super) title: String,
    /// The number of the map.
    pub(super) turn: u32,
    /// The reader's seat; 0 for the game master and spectators.
    pub(super) seat: u32,
    /// Every sector of which anything is known.
    pub(super) cells: BTreeMap<Place, Cell>,
    /// The empires that the reader has come across, by seat.
    pub(super) empires: BTreeMap<u32, Empire>,
    /// Known ways from portal to portal.
    pub(super) exits: Vec<(Place, Place)>,
    /// Where the map is centred if nothing else is asked for.
    pub(super) home: Place,
    /// Where own ships are, by their names and serial numbers in small letters.
    pub(super) ships: BTreeMap<String, Place>,
}

/// An empire.
#[derive(Clone, Debug, Default)]
pub(super) struct Empire {
    /// Its name.
    pub(super) name: String,
    /// Its two letters.
    pub(super) code: String,
}

/// A sector on the map.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    /// How well it is known.
    pub(super) status: SectorStatus,
    /// The last turn in which it was scanned.
    pub(super) scanned: Option<u32>,
    /// Whether a storm or nebula hides it.
    pub(super) obscured: bool,
    /// Whether others' data shows it.
    pub(super) shared: bool,
    /// Its world.
    pub(super) world: Option<World>,
    /// Its portals.
    pub(super) portals: Vec<Portal>,
    /// Its storms and nebulae.
    pub(super) storms: Vec<Storm>,
    /// The loose ships there, by owner; 0 is unidentified.
    pub(super) ships: BTreeMap<u32, Group>,
}

/// A world on the map.
#[derive(Clone, Debug)]
pub(super) struct World {
    /// Its name.
    pub(super) name: String,
    /// RU a turn.
    pub(super) production: u32,
    /// RU there, if that is known.
    pub(super) stockpile: Option<u32>,
    /// Its owner; 0 is nobody.
    pub(super) owner: u32,
    /// Whether it is its owner's homeworld.
    pub(super) homeworld: bool,
    /// Whether its traffic is hindered.
    pub(super) siege: Siege,
}

/// A portal on the map.
#[derive(Clone, Debug)]
pub(super) struct Portal {
    /// Its name.
    pub(super) name: String,
    /// Whether it is collapsed, as far as that is known.
    pub(super) collapsed: bool,
    /// Whether its navigation data is held.
    pub(super) navigable: bool,
}

/// A storm or nebula on the map.
#[derive(Clone, Debug)]
pub(super) struct Storm {
    /// Its name.
    pub(super) name: String,
    /// Its rating; 0 is a nebula.
    pub(super) rating: u32,
}

/// Ships of one owner in a sector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    /// How many there are.
    pub(super) ships: u32,
    /// Their tonnage, as far as it is told.
    pub(super) tonnage: u32,
    /// How many wrecks of this turn lie there.
    pub(super) wrecks: u32,
}

/// A sector's coordinates; one that is not given is the centre.
pub(super) fn place(at: Option<&Sector>) -> Place {
    at.map_or((0, 0), |at| (at.oblique, at.y))
}

/// How many sectors lie between two.
pub(super) fn distance((o, y): Place, (p, z): Place) -> i32 {
    let (across, up) = (p.saturating_sub(o), z.saturating_sub(y));
    across.abs().max(up.abs()).max(across.saturating_sub(up).abs())
}

impl Atlas {
    /// Reads a view.
    pub(super) fn new(view: &View, game: &Game) -> Self {
        let mut atlas = Self { title: harmless(&game.name), turn: view.turn, ..Self::default() };
        match &view.viewer {
            Some(Viewer::Empire(own)) => atlas.read_own(own),
            Some(Viewer::Master(all)) => atlas.read_all(all, view),
            None => {}
        }
        atlas
    }

    /// The cell of a sector.
    pub(super) fn cell(&self, at: Place) -> Option<&Cell> {
        self.cells.get(&at)
    }

    /// Where something is that has this name: a world, portal, storm or own ship.
    pub(super) fn find(&self, name: &str) -> Option<Place> {
        let is = |other: &str| other.eq_ignore_ascii_case(name);
        let holds = |cell: &Cell| {
            cell.world.as_ref().is_some_and(|world| is(&world.name))
                || cell.portals.iter().any(|portal| is(&portal.name))
                || cell.storms.iter().any(|storm| is(&storm.name))
        };
        let object = self.cells.iter().find(|(_, cell)| holds(cell)).map(|(at, _)| *at);
        object.or_else(|| self.ships.get(&name.to_lowercase()).copied())
    }

    /// An empire's two letters.
    pub(super) fn code(&self, seat: u32) -> String {
        self.empires.get(&seat).map_or_else(|| format!("#{seat}"), |empire| empire.code.clone())
    }

    /// An empire's name in a sentence.
    pub(super) fn name(&self, seat: u32) -> String {
        match self.empires.get(&seat) {
            _ if seat == 0 => "nobody".into(),
            Some(empire) => empire.name.replace('_', " "),
            None => format!("empire {seat}"),
        }
    }

    fn read_own(&mut self, own: &EmpireView) {
        let status = own.status.clone().unwrap_or_default();
        self.seat = status.seat;
        for empire in &own.empires {
            let known = Empire { name: harmless(&empire.name), code: harmless(&empire.code) };
            self.empires.insert(empire.seat, known);
        }
        self.read_chart(&own.chart.clone().unwrap_or_default());
        let tonnage: BTreeMap<&str, u32> =
            own.classes.iter().map(|class| (class.name.as_str(), class.tonnage)).collect();
        for ship in &own.ships {
            let at = place(ship.at.as_ref());
            self.ships.insert(ship.serial.to_lowercase(), at);
            if !ship.name.is_empty() {
                self.ships.insert(ship.name.to_lowercase(), at);
            }
            if ship.carrier.is_empty() {
                let tonnage = tonnage.get(ship.ship_class.as_str()).copied().unwrap_or_default();
                self.add_ships(at, self.seat, 1, tonnage);
            }
        }
        let navigable = |portal: &str| own.navigation.iter().any(|held| held.portal.eq_ignore_ascii_case(portal));
        for cell in self.cells.values_mut() {
            cell.portals.iter_mut().for_each(|portal| portal.navigable = navigable(&portal.name));
        }
        let ways = own.navigation.iter().flat_map(|held| held.exits.iter().map(move |exit| (&held.portal, exit)));
        self.exits = ways.filter_map(|(from, to)| Some((self.find(from)?, self.find(to)?))).collect();
        self.home = self.find(&status.homeworld).unwrap_or_default();
    }

    fn read_chart(&mut self, chart: &Chart) {
        for sector in &chart.sectors {
            let cell = self.cells.entry(place(sector.at.as_ref())).or_default();
            cell.status = sector.status();
            (cell.scanned, cell.obscured, cell.shared) = (sector.scanned_turn, sector.obscured, sector.shared);
        }
        for world in &chart.worlds {
            let known = World {
                name: harmless(&world.name),
                production: world.production,
                stockpile: world.stockpile,
                owner: world.owner,
                homeworld: world.homeworld,
                siege: world.siege(),
            };
            self.cells.entry(place(world.at.as_ref())).or_default().world = Some(known);
        }
        for portal in &chart.portals {
            let collapsed = portal.collapsed.unwrap_or(false);
            let known = Portal { name: harmless(&portal.name), collapsed, navigable: false };
            self.cells.entry(place(portal.at.as_ref())).or_default().portals.push(known);
        }
        for storm in &chart.storms {
            let known = Storm { name: harmless(&storm.name), rating: storm.rating };
            self.cells.entry(place(storm.at.as_ref())).or_default().storms.push(known);
        }
        for fleet in &chart.fleets {
            self.add_ships(place(fleet.at.as_ref()), fleet.owner, fleet.count, fleet.tonnage);
        }
        for ship in &chart.ships {
            let at = place(ship.at.as_ref());
            if ship.wreck {
                self.cells.entry(at).or_default().ships.entry(ship.owner).or_default().wrecks += 1;
            } else if ship.owner != self.seat {
                self.add_ships(at, ship.owner, 1, ship.tonnage);
            }
        }
    }

    fn add_ships(&mut self, at: Place, owner: u32, count: u32, tonnage: u32) {
        let group = self.cells.entry(at).or_default().ships.entry(owner).or_default();
        group.ships = group.ships.saturating_add(count);
        group.tonnage = group.tonnage.saturating_add(tonnage);
    }

    /// The game master sees the whole disc, and everything on it.
    fn read_all(&mut self, all: &MasterView, view: &View) {
        let galaxy = all.galaxy.clone().unwrap_or_default();
        for (seat, empire) in (1..).zip(&galaxy.empires) {
            let known = Empire { name: harmless(&empire.name), code: harmless(&empire.code) };
            self.empires.insert(seat, known);
        }
        let homes: Vec<&str> = galaxy.empires.iter().map(|empire| empire.homeworld.as_str()).collect();
        for world in &galaxy.worlds {
            let known = World {
                name: harmless(&world.name),
                production: world.production,
                stockpile: Some(world.stockpile),
                owner: world.owner,
                homeworld: homes.iter().any(|home| home.eq_ignore_ascii_case(&world.name)),
                siege: world.siege(),
            };
            self.cells.entry(place(world.at.as_ref())).or_default().world = Some(known);
        }
        for portal in &galaxy.portals {
            let known = Portal { name: harmless(&portal.name), collapsed: portal.collapsed, navigable: true };
            self.cells.entry(place(portal.at.as_ref())).or_default().portals.push(known);
        }
        for storm in &galaxy.storms {
            let known = Storm { name: harmless(&storm.name), rating: storm.rating };
            self.cells.entry(place(storm.at.as_ref())).or_default().storms.push(known);
        }
        let tonnage: BTreeMap<&str, u32> =
            galaxy.classes.iter().map(|class| (class.name.as_str(), class.tonnage)).collect();
        for ship in galaxy.ships.iter().filter(|ship| ship.carrier.is_empty()) {
            let tonnage = tonnage.get(ship.ship_class.as_str()).copied().unwrap_or_default();
            self.add_ships(place(ship.at.as_ref()), ship.owner, 1, tonnage);
        }
        let ways = galaxy.portals.iter().flat_map(|portal| portal.exits.iter().map(move |exit| (&portal.name, exit)));
        self.exits = ways.filter_map(|(from, to)| Some((self.find(from)?, self.find(to)?))).collect();
        self.fill_disc(view);
    }

    fn fill_disc(&mut self, view: &View) {
        let told = view.options.as_ref().and_then(|options| options.radius).unwrap_or_default();
        let farthest = self.cells.keys().map(|at| distance((0, 0), *at)).max().unwrap_or_default();
        let radius = i32::try_from(told).unwrap_or_default().clamp(farthest.min(200), 200);
        for at in disc((0, 0), radius) {
            self.cells.entry(at).or_default().status = SectorStatus::Visible;
        }
    }
}

/// Every sector within a distance of one.
pub(super) fn disc((o, y): Place, radius: i32) -> impl Iterator<Item = Place> {
    let all = (-radius..=radius).flat_map(move |across| (-radius..=radius).map(move |up| (across, up)));
    all.filter(move |at| distance((0, 0), *at) <= radius).map(move |(across, up)| (o + across, y + up))
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn distances_are_those_of_the_rules() {
        assert_eq!(distance((0, 0), (2, -1)), 3);
        assert_eq!(distance((1, 0), (2, 1)), 1);
        assert_eq!(distance((-2, 1), (1, -1)), 5);
        assert_eq!(disc((4, 4), 3).count(), 37);
    }

    #[test]
    fn loaded_ships_and_wrecks_are_not_among_the_ships() {
        let atlas = sample::atlas();
        let home = atlas.cell((0, 0)).map(|cell| cell.ships.clone()).unwrap_or_default();
        assert_eq!(home.get(&1).map(|group| (group.ships, group.wrecks)), Some((3, 0)));
        let battle = atlas.cell((1, 1)).map(|cell| cell.ships.clone()).unwrap_or_default();
        assert_eq!(battle.get(&2).map(|group| (group.ships, group.wrecks)), Some((1, 1)));
    }

    #[test]
    fn places_go_by_the_names_of_what_is_there() {
        let atlas = sample::atlas();
        assert_eq!(atlas.find("ember"), Some((1, 1)));
        assert_eq!(atlas.find("Charon"), Some((-1, 1)));
        assert_eq!(atlas.find("LION"), Some((1, 1)));
        assert_eq!(atlas.find("nowhere"), None);
    }
}
