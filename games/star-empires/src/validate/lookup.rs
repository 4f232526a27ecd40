//! Lookup of ships, worlds, classes and portals by name, among those visible to one empire.

use heliopause_kernel::Seat;

use crate::chart::{Chart, WorldSeen};
use crate::class::Class;
use crate::empire::Empire;
use crate::geometry::Coord;
use crate::ids::{ClassId, Id, PortalId};
use crate::name::Name;
use crate::order::Spot;
use crate::position::StarEmpires;
use crate::reason::Reason;
use crate::ship::Ship;

pub(crate) struct EmpireLookup<'a> {
    pub(crate) game: &'a StarEmpires,
    pub(crate) seat: Seat,
    pub(crate) empire: &'a Empire,
    pub(crate) chart: &'a Chart,
    pub(crate) ships: &'a [Ship],
    /// Index of the empire's first ship in the galaxy's array.
    first: usize,
    handles: Vec<(Name, usize)>,
    loose: Vec<(Coord, usize)>,
    /// Tonnage of cargo, by index in `ships`.
    pub(crate) cargo: Vec<u32>,
    classes: Vec<(Name, ClassId)>,
    /// Worlds on the empire's map, the latest scan first.
    worlds: Vec<(Name, &'a WorldSeen)>,
    objects: Vec<Name>,
    portals: Vec<Name>,
    foreign: Vec<Name>,
    empires: Vec<(Name, Seat)>,
}

fn find<T: Copy>(list: &[(Name, T)], name: Name) -> Option<T> {
    let place = list.partition_point(|(other, _)| *other < name);
    list.get(place).filter(|(other, _)| *other == name).map(|&(_, value)| value)
}

impl<'a> EmpireLookup<'a> {
    pub(crate) fn of(game: &'a StarEmpires, seat: Seat) -> Self {
        let (galaxy, empire) = (&game.galaxy, game.galaxy.empire(seat));
        let (chart, ships) = (&game.knowledge[seat.index()].chart, galaxy.ships_of(seat));
        let first = galaxy.ships.partition_point(|ship| ship.owner < seat);
        let named = ships.iter().enumerate().filter(|(_, ship)| !ship.name.is_none());
        let mut handles: Vec<(Name, usize)> =
            named.map(|(index, ship)| (ship.name, index)).collect();
        handles
            .extend(ships.iter().enumerate().map(|(index, ship)| (ship.serial.to_name(), index)));
        handles.sort_by_key(|&(name, _)| name);
        let mut classes: Vec<(Name, ClassId)> =
            empire.classes.iter().map(|id| (galaxy.class(id).name, id)).collect();
        classes.sort_unstable();
        let mut worlds: Vec<(Name, &WorldSeen)> =
            chart.worlds.iter().map(|row| (row.name, row)).collect();
        let scanned = |row: &WorldSeen| chart.sector(row.at).and_then(|sector| sector.scanned);
        worlds.sort_by_key(|&(name, row)| (name, std::cmp::Reverse((scanned(row), row.at))));
        let navigation = empire.navigation.iter().map(|id| galaxy.portal(id).name);
        let mut portals: Vec<Name> =
            chart.portals.iter().map(|row| row.name).chain(navigation).collect();
        portals.sort_unstable();
        let seen =
            chart.worlds.iter().map(|row| row.name).chain(chart.portals.iter().map(|row| row.name));
        let mut objects: Vec<Name> = seen.chain(chart.storms.iter().map(|row| row.name)).collect();
        objects.sort_unstable();
        let mut foreign: Vec<Name> =
            chart.ships.iter().flat_map(|row| [row.name, row.serial.to_name()]).collect();
        foreign.sort_unstable();
        let heard_of = empire.known_empires.union(empire.contacts).with(seat);
        let known = heard_of.iter().filter(|other| other.index() < galaxy.empires.len());
        let mut empires: Vec<(Name, Seat)> = Vec::new();
        for other in known {
            let code = Name::new(galaxy.empire(other).code.as_str()).unwrap_or_default();
            empires.extend([(galaxy.empire(other).name, other), (code, other)]);
        }
        empires.sort_by_key(|&(name, _)| name);
        let mut own = Self {
            game,
            seat,
            empire,
            chart,
            ships,
            first,
            handles,
            loose: Vec::new(),
            cargo: vec![0; ships.len()],
            classes,
            worlds,
            objects,
            portals,
            foreign,
            empires,
        };
        own.place_ships();
        own
    }

    fn place_ships(&mut self) {
        for (index, ship) in self.ships.iter().enumerate() {
            match self.carrier(ship) {
                None => self.loose.push((self.empire.frame.local(ship.at), index)),
                Some(carrier) => self.cargo[carrier] += self.class(ship).tonnage,
            }
        }
        self.loose.sort_unstable();
    }

    pub(super) fn carrier(&self, ship: &Ship) -> Option<usize> {
        ship.carrier.map(|carrier| carrier.id().index() - self.first)
    }

    pub(crate) fn class(&self, ship: &Ship) -> &'a Class {
        self.game.galaxy.class(ship.class)
    }

    pub(crate) fn at(&self, ship: &Ship) -> Coord {
        self.empire.frame.local(ship.at)
    }

    pub(crate) fn loose_at(&self, at: Coord) -> impl Iterator<Item = usize> + '_ {
        let start = self.loose.partition_point(|&(other, _)| other < at);
        self.loose[start..]
            .iter()
            .take_while(move |&&(other, _)| other == at)
            .map(|&(_, index)| index)
    }

    pub(crate) fn ship(&self, handle: Name) -> Option<usize> {
        find(&self.handles, handle)
    }

    pub(super) fn class_named(&self, name: Name) -> Option<&'a Class> {
        find(&self.classes, name).map(|id| self.game.galaxy.class(id))
    }

    pub(crate) fn known_classes(&self) -> impl Iterator<Item = &'a Class> + '_ {
        self.classes.iter().map(|&(_, id)| self.game.galaxy.class(id))
    }

    pub(crate) fn has_seen_class(&self, name: Name) -> bool {
        let fleets = self.chart.fleets.iter().filter_map(|row| row.identity);
        self.class_named(name).is_some()
            || self.chart.ships.iter().any(|row| row.class == name)
            || fleets.into_iter().any(|(_, class)| class == name)
    }

    pub(crate) fn world(&self, name: Name) -> Option<&'a WorldSeen> {
        find(&self.worlds, name)
    }

    pub(crate) fn own_worlds(&self) -> impl Iterator<Item = &'a WorldSeen> + '_ {
        self.chart.worlds.iter().filter(|row| row.owner == Some(self.seat))
    }

    pub(super) fn knows_portal(&self, name: Name) -> bool {
        self.portals.binary_search(&name).is_ok()
    }

    pub(crate) fn navigation(&self, name: Name) -> Option<PortalId> {
        self.empire.navigation.iter().find(|&id| self.game.galaxy.portal(id).name == name)
    }

    pub(super) fn spot(&self, spot: Spot) -> Option<Coord> {
        match spot {
            Spot::At(at) => Some(at),
            Spot::Object(name) if self.objects.binary_search(&name).is_ok() => {
                self.chart.object(name)
            }
            Spot::Object(_) => None,
        }
    }

    pub(crate) fn empire_named(&self, name: Name) -> Option<Seat> {
        find(&self.empires, name)
    }

    /// Returns why a handle is not of an own ship: the map shows a foreign ship with this handle,
    /// or the handle is unknown.
    pub(super) fn no_ship(&self, name: Name) -> Reason {
        if self.foreign.binary_search(&name).is_ok() {
            Reason::NotYours
        } else {
            Reason::UnknownName
        }
    }

    /// Returns the operational engines after the automatic repair (6.3.5), assuming that the ship
    /// is not damaged in combat.
    pub(crate) fn engines_after_repair(&self, ship: &Ship) -> u16 {
        let class = self.class(ship);
        let dp = ship.dp.saturating_add(class.auto_repair()).min(class.ratings.dp);
        class.damage(dp).operational(class.ratings.engines)
    }
}
