//! Indices that an update reads often: ships and objects by sector, and objects by name.
//!
//! Sector lookups use sorted lists. Name lookups use hash maps, which are never iterated, so no
//! result depends on the order of a hash map.

use std::collections::HashMap;

use heliopause_kernel::{Seat, SeatSet};

use crate::galaxy::Galaxy;
use crate::geometry::{Sector, sort_by_sector};
use crate::ids::{ClassId, Id, PortalId, ShipId, StormId, WorldId};
use crate::name::Name;
use crate::ship::{Serial, Ship};

/// A hash map with a per-process seed. Clients choose names and could otherwise force collisions.
pub(crate) type Map<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

/// A snapshot of loose ships by sector and cargo by carrier. Phases that change ships rebuild it
/// ([`Update::index_ships`](crate::update::Update::index_ships)).
#[derive(Default)]
pub(crate) struct ShipIndex {
    loose: Vec<(Sector, ShipId)>,
    present: Vec<(Sector, SeatSet)>,
    /// Pairs of a carrier and a ship that it carries, sorted by carrier.
    cargo: Vec<(ShipId, ShipId)>,
}

impl ShipIndex {
    pub(crate) fn build(galaxy: &Galaxy) -> Self {
        let ships = galaxy.ships.iter().enumerate().map(|(index, ship)| (ShipId::at(index), ship));
        let live = ships.filter(|(_, ship)| ship.is_live());
        let (mut loose, mut cargo) = (Vec::with_capacity(galaxy.ships.len()), Vec::new());
        for (id, ship) in live {
            match ship.carrier {
                None => loose.push((ship.at, id)),
                Some(carrier) => cargo.push((carrier.id(), id)),
            }
        }
        // The stable sort keeps the order by id.
        let loose = sort_by_sector(loose, |(at, _)| (at.o, at.y));
        cargo.sort_unstable();
        let mut present: Vec<(Sector, SeatSet)> = Vec::new();
        for &(at, id) in &loose {
            let owner = galaxy.ship(id).owner;
            match present.last_mut() {
                Some((last, seats)) if *last == at => *seats = seats.with(owner),
                _ => present.push((at, SeatSet::one(owner))),
            }
        }
        Self { loose, present, cargo }
    }

    /// Returns the loose ships in a sector, by empire. Ships built in this update are last.
    pub(crate) fn in_sector(
        &self,
        at: Sector,
    ) -> impl ExactSizeIterator<Item = ShipId> + Clone + '_ {
        let start = self.loose.partition_point(|&(other, _)| other < at);
        let count = self.loose[start..].partition_point(|&(other, _)| other == at);
        self.loose[start..start + count].iter().map(|&(_, id)| id)
    }

    pub(crate) fn loose(&self) -> &[(Sector, ShipId)] {
        &self.loose
    }

    pub(crate) fn sectors(&self) -> impl Iterator<Item = (Sector, &[(Sector, ShipId)])> {
        self.loose.chunk_by(|one, other| one.0 == other.0).map(|ships| (ships[0].0, ships))
    }

    pub(crate) fn cargo_of(
        &self,
        carrier: ShipId,
    ) -> impl ExactSizeIterator<Item = ShipId> + Clone + '_ {
        let start = self.cargo.partition_point(|&(other, _)| other < carrier);
        let count = self.cargo[start..].partition_point(|&(other, _)| other == carrier);
        self.cargo[start..start + count].iter().map(|&(_, id)| id)
    }

    pub(crate) fn cargo(&self) -> &[(ShipId, ShipId)] {
        &self.cargo
    }

    pub(crate) fn present(&self, at: Sector) -> SeatSet {
        let place = self.present.binary_search_by_key(&at, |&(other, _)| other);
        place.map_or(SeatSet::EMPTY, |place| self.present[place].1)
    }
}

/// Worlds, portals and storms by sector. Objects do not move after 6.1.3.
#[derive(Default)]
pub(crate) struct ObjectIndex {
    worlds: Vec<(Sector, WorldId)>,
    portals: Vec<(Sector, PortalId)>,
    storms: Vec<(Sector, StormId)>,
}

impl ObjectIndex {
    pub(crate) fn build(galaxy: &Galaxy) -> Self {
        Self {
            worlds: sorted(galaxy.worlds.iter().map(|world| world.at)),
            portals: sorted(galaxy.portals.iter().map(|portal| portal.at)),
            storms: sorted(galaxy.storms.iter().map(|storm| storm.at)),
        }
    }

    #[expect(clippy::type_complexity, reason = "one list for each kind of object")]
    pub(crate) fn sorted(
        &self,
    ) -> (&[(Sector, WorldId)], &[(Sector, PortalId)], &[(Sector, StormId)]) {
        (&self.worlds, &self.portals, &self.storms)
    }

    pub(crate) fn world(&self, at: Sector) -> Option<WorldId> {
        self.worlds
            .binary_search_by_key(&at, |entry| entry.0)
            .ok()
            .map(|place| self.worlds[place].1)
    }

    pub(crate) fn storm_ratings(&self, galaxy: &Galaxy) -> Vec<(Sector, u32)> {
        let sectors = self.storms.chunk_by(|one, other| one.0 == other.0);
        let rating = |storms: &[(Sector, StormId)]| {
            let ratings = storms.iter().map(|&(_, id)| galaxy.storm(id).rating);
            (storms[0].0, ratings.fold(0, u32::saturating_add))
        };
        sectors.map(rating).collect()
    }
}

fn sorted<I: Id>(places: impl Iterator<Item = Sector>) -> Vec<(Sector, I)> {
    let mut list: Vec<(Sector, I)> =
        places.enumerate().map(|(index, at)| (at, I::at(index))).collect();
    list.sort_unstable();
    list
}

fn named<I: Id>(names: impl Iterator<Item = Name>) -> Map<Name, I> {
    names.enumerate().map(|(index, name)| (name, I::at(index))).collect()
}

#[derive(Default)]
pub(crate) struct Directory {
    ships: Map<(Seat, Name), ShipId>,
    /// Serial numbers at the start of the update, sorted. A number's index is the id of its ship.
    initial_ships: Vec<(Seat, Serial)>,
    added_ships: Map<(Seat, Serial), ShipId>,
    worlds: Map<Name, WorldId>,
    portals: Map<Name, PortalId>,
    storms: Map<Name, StormId>,
    classes: Map<Name, ClassId>,
    empires: Map<Name, Seat>,
}

impl Directory {
    pub(crate) fn build(galaxy: &Galaxy) -> Self {
        let mut directory = Self::default();
        directory.ships.reserve(galaxy.ships.len());
        directory.initial_ships = galaxy.ships.iter().map(Ship::sort_key).collect();
        for (index, ship) in galaxy.ships.iter().enumerate() {
            directory.add_name(ShipId::at(index), ship);
        }
        for seat in galaxy.seats() {
            let empire = galaxy.empire(seat);
            directory.empires.insert(empire.name, seat);
            directory
                .empires
                .entry(Name::new(empire.code.as_str()).unwrap_or_default())
                .or_insert(seat);
        }
        for (index, class) in galaxy.classes.iter().enumerate() {
            directory.add_class(ClassId::at(index), class.name);
        }
        directory.read_objects(galaxy);
        directory
    }

    /// Rebuilds the index of object names. Ids shift when the game master removes an object.
    pub(crate) fn read_objects(&mut self, galaxy: &Galaxy) {
        self.worlds = named(galaxy.worlds.iter().map(|world| world.name));
        self.portals = named(galaxy.portals.iter().map(|portal| portal.name));
        self.storms = named(galaxy.storms.iter().map(|storm| storm.name));
    }

    pub(crate) fn add_ship(&mut self, id: ShipId, ship: &Ship) {
        self.add_name(id, ship);
        self.added_ships.insert(ship.sort_key(), id);
    }

    fn add_name(&mut self, id: ShipId, ship: &Ship) {
        if !ship.name.is_none() {
            self.ships.insert((ship.owner, ship.name), id);
        }
    }

    pub(crate) fn add_class(&mut self, id: ClassId, name: Name) {
        self.classes.insert(name, id);
    }

    /// Finds a live or lost ship by its handle. A name takes precedence over a serial number.
    pub(crate) fn ship(&self, owner: Seat, handle: Name) -> Option<ShipId> {
        self.ships
            .get(&(owner, handle))
            .copied()
            .or_else(|| self.ship_numbered(owner, handle.as_str().parse::<Serial>().ok()?))
    }

    fn ship_numbered(&self, owner: Seat, serial: Serial) -> Option<ShipId> {
        let place = self.initial_ships.binary_search(&(owner, serial));
        let added = || self.added_ships.get(&(owner, serial)).copied();
        place.ok().map(ShipId::at).or_else(added)
    }

    pub(crate) fn world(&self, name: Name) -> Option<WorldId> {
        self.worlds.get(&name).copied()
    }

    pub(crate) fn portal(&self, name: Name) -> Option<PortalId> {
        self.portals.get(&name).copied()
    }

    pub(crate) fn storm(&self, name: Name) -> Option<StormId> {
        self.storms.get(&name).copied()
    }

    pub(crate) fn class(&self, name: Name) -> Option<ClassId> {
        self.classes.get(&name).copied()
    }

    pub(crate) fn empire(&self, name: Name) -> Option<Seat> {
        self.empires.get(&name).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use heliopause_kernel::Dice;

    #[test]
    fn indices_find_ships_objects_and_names() {
        let galaxy = crate::generator::generate(&Options::default(), 6, &mut Dice::new([4; 32]));
        let (ships, objects, names) =
            (ShipIndex::build(&galaxy), ObjectIndex::build(&galaxy), Directory::build(&galaxy));
        for (index, ship) in galaxy.ships.iter().enumerate() {
            assert_eq!(ships.in_sector(ship.at).collect::<Vec<_>>(), [ShipId::at(index)]);
            assert_eq!(ships.present(ship.at), SeatSet::one(ship.owner));
            assert_eq!(names.ship(ship.owner, ship.handle()), Some(ShipId::at(index)));
        }
        assert_eq!(ships.sectors().count(), 6);
        for (index, world) in galaxy.worlds.iter().enumerate() {
            assert_eq!(objects.world(world.at), Some(WorldId::at(index)));
            assert_eq!(names.world(world.name), Some(WorldId::at(index)));
        }
        for (index, storm) in galaxy.storms.iter().enumerate() {
            assert!(objects.sorted().2.contains(&(storm.at, StormId::at(index))));
        }
        for seat in galaxy.seats() {
            let empire = galaxy.empire(seat);
            assert_eq!(names.empire(empire.name), Some(seat));
            assert_eq!(names.empire(Name::new(empire.code.as_str()).unwrap()), Some(seat));
        }
    }
}
