//! A view of Star Empires by sector, prepared for drawing.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use heliopause_kernel::Seat;
use heliopause_proto::v1::Game;
use heliopause_star_empires::{
    Chart, Class, Code, Coord, EmpireView, Frame, Galaxy, Id as _, Insight, Name, Navigation,
    OwnShip, Pattern, RADIUS_MAX, Sector, Serial, Status, StormSeen, View, WorldId, WorldSeen,
    handle, percent,
};

use super::flights::{self, Flight};
use crate::scene::SceneMember;
use crate::text::{count, harmless};

#[derive(Clone, Debug)]
pub(super) struct Atlas {
    pub(super) title: String,
    /// The viewer's seat. `None` for the game master and spectators.
    pub(super) seat: Option<Seat>,
    pub(super) cells: BTreeMap<Coord, Cell>,
    pub(super) empires: BTreeMap<Seat, Empire>,
    pub(super) exits: Vec<(Coord, Coord)>,
    /// What else the viewer knows of portals and storms.
    pub(super) remarks: BTreeMap<Name, String>,
    /// The ships by sector and owner. Empty for the game master.
    pub(super) ships: BTreeMap<(Coord, Seat), Vec<SceneMember>>,
    pub(super) flights: Vec<Flight>,
    pub(super) home: Coord,
    pub(super) view: View,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Empire {
    pub(super) name: Name,
    pub(super) code: Code,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    /// How well the viewer knows the sector. `None` if only the positions of objects are known.
    pub(super) status: Option<Status>,
    pub(super) scanned: Option<u32>,
    /// Whether a storm or nebula hides the sector.
    pub(super) obscured: bool,
    /// Whether the sector is visible through shared data.
    pub(super) shared: bool,
    pub(super) world: Option<WorldSeen>,
    pub(super) portals: Vec<Portal>,
    pub(super) storms: Vec<StormSeen>,
    /// The ships that are not cargo, by owner. The key of unidentified ships is `None`.
    pub(super) ships: BTreeMap<Option<Seat>, Group>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Portal {
    pub(super) name: Name,
    pub(super) collapsed: bool,
    /// Whether the reader has the portal's navigation data.
    pub(super) navigable: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) ships: u32,
    pub(super) tonnage: u64,
    pub(super) wrecks: u32,
}

pub(super) fn spoken(name: Name) -> String {
    name.as_str().replace('_', " ")
}

impl Atlas {
    pub(super) fn new(view: &View, game: &Game) -> Self {
        let mut atlas = Self {
            title: harmless(&game.name),
            seat: view.own().map(|own| own.status.seat),
            cells: BTreeMap::new(),
            empires: BTreeMap::new(),
            exits: Vec::new(),
            remarks: BTreeMap::new(),
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

    pub(super) fn cell(&self, at: Coord) -> Option<&Cell> {
        self.cells.get(&at)
    }

    /// Returns the name of the first object in a sector.
    pub(super) fn first_object(&self, at: Coord) -> Option<Name> {
        let cell = self.cell(at)?;
        let world = cell.world.map(|world| world.name);
        world
            .or(cell.portals.first().map(|portal| portal.name))
            .or(cell.storms.first().map(|storm| storm.name))
    }

    /// Returns the remark on a portal or storm, to follow its name.
    pub(super) fn remark(&self, name: Name) -> String {
        self.remarks.get(&name).map_or_else(String::new, |remark| format!(", {remark}"))
    }

    /// Returns whether the viewer knows the whole galaxy.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self.view.insight, Insight::Master(_))
    }

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

    /// Returns the ships by owner: the reader's, then foreign groups by size, then unidentified
    /// ships.
    pub(super) fn groups(&self, cell: &Cell) -> Vec<(Option<Seat>, Group)> {
        let mut groups: Vec<(Option<Seat>, Group)> =
            cell.ships.iter().map(|(owner, group)| (*owner, *group)).collect();
        groups.sort_by_key(|(owner, group)| {
            (*owner != self.seat, owner.is_none(), Reverse(group.ships))
        });
        groups
    }

    pub(super) fn code(&self, seat: Seat) -> String {
        self.empires
            .get(&seat)
            .map_or_else(|| format!("#{}", seat.number()), |empire| empire.code.to_string())
    }

    pub(super) fn name(&self, seat: Seat) -> String {
        self.empires
            .get(&seat)
            .map_or_else(|| format!("empire {}", seat.number()), |empire| spoken(empire.name))
    }

    pub(super) fn owner(&self, owner: Option<Seat>) -> String {
        owner.map_or_else(|| "nobody".into(), |seat| self.name(seat))
    }

    fn read_own(&mut self, own: &EmpireView) {
        let empires = own.empires.iter();
        self.empires =
            empires.map(|it| (it.seat, Empire { name: it.name, code: it.code })).collect();
        self.read_chart(&own.chart, own);
        let all = own.classes.iter().chain(&own.unknown_own_classes);
        let classes: BTreeMap<Name, &Class> = all.map(|class| (class.name, class)).collect();
        for ship in own.ships.iter().filter(|ship| ship.carrier.is_none()) {
            let tonnage = classes.get(&ship.class).map_or(0, |class| class.tonnage);
            self.add_ships(ship.at, self.seat, 1, tonnage.into());
        }
        let names: BTreeMap<Serial, Name> =
            own.ships.iter().map(|it| (it.serial, handle(it.name, it.serial))).collect();
        for ship in &own.ships {
            let full = classes.get(&ship.class).map_or(ship.dp, |class| class.ratings.dp);
            let damage = (ship.dp < full).then(|| format!("{} of {full} DP", ship.dp));
            let carrier = ship.carrier.and_then(|carrier| names.get(&carrier));
            let carried = carrier.map(|carrier| format!("loaded on {carrier}"));
            let public = ship.public.then(|| "public".to_owned());
            let parts: Vec<String> = damage.into_iter().chain(carried).chain(public).collect();
            let name = handle(ship.name, ship.serial);
            self.list_ship(ship.at, own.status.seat, name, ship.class, parts.join(", "));
        }
        self.flights = flights::read(&own.report);
        let remark = |held: &Navigation| {
            let exits = leads_to(&held.exits).unwrap_or_else(|| "no exit known".to_owned());
            (held.portal, format!("navigation data held, {exits}"))
        };
        self.remarks = own.navigation.iter().map(remark).collect();
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
            let (name, collapsed) = (portal.name, portal.collapsed.unwrap_or(false));
            let known = Portal { name, collapsed, navigable };
            self.cells.entry(portal.at).or_default().portals.push(known);
        }
        for storm in &chart.storms {
            self.cells.entry(storm.at).or_default().storms.push(*storm);
        }
        for fleet in &chart.fleets {
            let owner = fleet.identity.map(|(owner, _)| owner);
            self.add_ships(fleet.at, owner, fleet.count, fleet.tonnage);
        }
        for ship in &chart.ships {
            if ship.wreck {
                self.group(ship.at, Some(ship.owner)).wrecks += 1;
            } else if Some(ship.owner) != self.seat {
                self.add_ships(ship.at, Some(ship.owner), 1, ship.tonnage.into());
                let is_fit = ship.permille >= 1000;
                let fit =
                    if is_fit { String::new() } else { format!("{} fit", percent(ship.permille)) };
                let name = handle(ship.name, ship.serial);
                self.list_ship(ship.at, ship.owner, name, ship.class, fit);
            }
        }
    }

    fn list_ship(&mut self, at: Coord, owner: Seat, name: Name, class: Name, condition: String) {
        let member = SceneMember { name: name.to_string(), kind: class.to_string(), condition };
        self.ships.entry((at, owner)).or_default().push(member);
    }

    fn group(&mut self, at: Coord, owner: Option<Seat>) -> &mut Group {
        self.cells.entry(at).or_default().ships.entry(owner).or_default()
    }

    fn add_ships(&mut self, at: Coord, owner: Option<Seat>, count: u32, tonnage: u64) {
        let group = self.group(at, owner);
        group.ships = group.ships.saturating_add(count);
        group.tonnage = group.tonnage.saturating_add(tonnage);
    }

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
            let exits: Vec<Name> =
                portal.exits.iter().map(|exit| galaxy.portal(*exit).name).collect();
            let exits = leads_to(&exits).unwrap_or_else(|| "leads nowhere".to_owned());
            let remark = match portal.collapse_turns {
                0 => exits,
                turns => format!("{exits}, for {} more", count(turns as usize, "turn")),
            };
            self.remarks.insert(portal.name, remark);
            self.exits
                .extend(portal.exits.iter().map(|exit| (at, galactic(galaxy.portal(*exit).at))));
        }
        for storm in &galaxy.storms {
            let at = galactic(storm.at);
            let known = StormSeen { at, name: storm.name, rating: storm.rating };
            self.cells.entry(at).or_default().storms.push(known);
            if let Pattern::Cyclic(steps) = &storm.pattern {
                let steps: Vec<String> = steps.iter().map(|step| format!("{step:+}")).collect();
                self.remarks.insert(storm.name, format!("cycle {}", steps.join(" ")));
            }
        }
        for ship in galaxy.ships.iter().filter(|ship| ship.is_loose()) {
            let tonnage = galaxy.class_of(ship).tonnage.into();
            self.add_ships(galactic(ship.at), Some(ship.owner), 1, tonnage);
        }
        self.fill_disc();
    }

    fn fill_disc(&mut self) {
        let told = self.view.options.generator.radius.unwrap_or_default();
        let farthest =
            self.cells.keys().map(|at| at.distance(Coord::default())).max().unwrap_or_default();
        let farthest = u16::try_from(farthest).unwrap_or(RADIUS_MAX).min(RADIUS_MAX);
        for at in Sector::CENTER.within(told.max(farthest)) {
            self.cells.entry(galactic(at)).or_default().status = Some(Status::Visible);
        }
    }
}

/// Describes the known exits of a portal, if there are any.
fn leads_to(exits: &[Name]) -> Option<String> {
    let exits: Vec<&str> = exits.iter().map(Name::as_str).collect();
    (!exits.is_empty()).then(|| format!("leads to {}", exits.join(", ")))
}

pub(super) fn galactic(at: Sector) -> Coord {
    Frame::GALACTIC.local(at)
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn loaded_ships_and_wrecks_are_not_counted_as_ships() {
        let atlas = sample::atlas();
        let seat = |number| Seat::numbered(number);
        let home = atlas.cell(Coord::new(0, 0)).map(|cell| cell.ships.clone()).unwrap_or_default();
        assert_eq!(home.get(&seat(1)).map(|group| (group.ships, group.wrecks)), Some((3, 0)));
        let battle =
            atlas.cell(Coord::new(1, 1)).map(|cell| cell.ships.clone()).unwrap_or_default();
        assert_eq!(battle.get(&seat(2)).map(|group| (group.ships, group.wrecks)), Some((1, 1)));
    }

    #[test]
    fn places_are_found_by_object_names() {
        let atlas = sample::atlas();
        assert_eq!(atlas.find("ember"), Some(Coord::new(1, 1)));
        assert_eq!(atlas.find("Charon"), Some(Coord::new(-1, 1)));
        assert_eq!(atlas.find("LION"), Some(Coord::new(1, 1)));
        assert_eq!(atlas.find("nowhere"), None);
    }
}
