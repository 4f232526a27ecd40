//! Indices that an update builds once and asks often: who is where, and what bears which name.
//!
//! Sectors are found in sorted lists, names in hash maps that are only asked and never walked, so
//! nothing depends on the order of a map.

use std::collections::HashMap;

use heliopause_kernel::{Seat, SeatSet};

use crate::galaxy::Galaxy;
use crate::geometry::{Sector, sort_by_sector};
use crate::ids::{ClassId, Id, PortalId, ShipId, StormId, WorldId};
use crate::name::Name;
use crate::ship::{Serial, Ship};

/// Names are chosen by clients: the seed differs from process to process, so that nobody can choose
/// them to collide.
pub(crate) type Map<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

/// Which loose ships are in which sector, and what is loaded on which ship.
///
/// It tells of the moment at which it was built: whoever moves, loads, builds or removes ships
/// builds it anew afterwards ([`Update::index_ships`](crate::update::Update::index_ships)).
#[derive(Default)]
pub(crate) struct ShipIndex {
    /// Loose ships by sector, and within one by id.
    loose: Vec<(Sector, ShipId)>,
    /// Who is present, by sector.
    present: Vec<(Sector, SeatSet)>,
    /// Loaded ships by carrier.
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
        // They are by id already.
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

    /// The loose ships in a sector. Those of one empire follow each other, but for ships that were
    /// built or added in this update, which come last.
    pub(crate) fn in_sector(
        &self,
        at: Sector,
    ) -> impl ExactSizeIterator<Item = ShipId> + Clone + '_ {
        let start = self.loose.partition_point(|&(other, _)| other < at);
        let count = self.loose[start..].partition_point(|&(other, _)| other == at);
        self.loose[start..start + count].iter().map(|&(_, id)| id)
    }

    /// All loose ships by sector, and within one by id.
    pub(crate) fn loose(&self) -> &[(Sector, ShipId)] {
        &self.loose
    }

    /// Every sector that has loose ships, with them, by sector.
    pub(crate) fn sectors(&self) -> impl Iterator<Item = (Sector, &[(Sector, ShipId)])> {
        self.loose.chunk_by(|one, other| one.0 == other.0).map(|ships| (ships[0].0, ships))
    }

    /// The ships that are loaded on a ship.
    pub(crate) fn cargo_of(
        &self,
        carrier: ShipId,
    ) -> impl ExactSizeIterator<Item = ShipId> + Clone + '_ {
        let start = self.cargo.partition_point(|&(other, _)| other < carrier);
        let count = self.cargo[start..].partition_point(|&(other, _)| other == carrier);
        self.cargo[start..start + count].iter().map(|&(_, id)| id)
    }

    /// All carriers with what is loaded on them, one pair for each loaded ship.
    pub(crate) fn cargo(&self) -> &[(ShipId, ShipId)] {
        &self.cargo
    }

    /// The empires that are present in a sector: that have a loose ship there.
    pub(crate) fn present(&self, at: Sector) -> SeatSet {
        let place = self.present.binary_search_by_key(&at, |&(other, _)| other);
        place.map_or(SeatSet::EMPTY, |place| self.present[place].1)
    }
}

/// What lies in which sector. Objects stay where they are after 6.1.3.
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

    /// The worlds, the portals and the storms, each by sector and within one by id.
    #[expect(clippy::type_complexity, reason = "it is three lists of one kind")]
    pub(crate) fn sorted(
        &self,
    ) -> (&[(Sector, WorldId)], &[(Sector, PortalId)], &[(Sector, StormId)]) {
        (&self.worlds, &self.portals, &self.storms)
    }

    /// The world in a sector.
    pub(crate) fn world(&self, at: Sector) -> Option<WorldId> {
        self.worlds
            .binary_search_by_key(&at, |entry| entry.0)
            .ok()
            .map(|place| self.worlds[place].1)
    }

    /// Every sector with storms or nebulae, and what they do together.
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

/// What bears which name.
#[derive(Default)]
pub(crate) struct Directory {
    ships: Map<(Seat, Name), ShipId>,
    /// The ships of the start by serial number, in the order of their ids, which is sorted.
    numbered: Vec<(Seat, Serial)>,
    /// Ships that came later.
    later: Map<(Seat, Serial), ShipId>,
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
        directory.numbered = galaxy.ships.iter().map(Ship::sort_key).collect();
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

    /// Reads the names of worlds, portals and storms anew: their ids shift when the game master
    /// removes one.
    pub(crate) fn read_objects(&mut self, galaxy: &Galaxy) {
        self.worlds = galaxy
            .worlds
            .iter()
            .enumerate()
            .map(|(index, world)| (world.name, WorldId::at(index)))
            .collect();
        let portals = galaxy.portals.iter().enumerate();
        self.portals = portals.map(|(index, portal)| (portal.name, PortalId::at(index))).collect();
        self.storms = galaxy
            .storms
            .iter()
            .enumerate()
            .map(|(index, storm)| (storm.name, StormId::at(index)))
            .collect();
    }

    /// A ship came into the game.
    pub(crate) fn add_ship(&mut self, id: ShipId, ship: &Ship) {
        self.add_name(id, ship);
        self.later.insert(ship.sort_key(), id);
    }

    fn add_name(&mut self, id: ShipId, ship: &Ship) {
        if !ship.name.is_none() {
            self.ships.insert((ship.owner, ship.name), id);
        }
    }

    /// A class came into the session.
    pub(crate) fn add_class(&mut self, id: ClassId, name: Name) {
        self.classes.insert(name, id);
    }

    /// An empire's ship by its handle, also if it was lost in this update. A name goes before a
    /// serial number that looks like it.
    pub(crate) fn ship(&self, owner: Seat, handle: Name) -> Option<ShipId> {
        self.ships
            .get(&(owner, handle))
            .copied()
            .or_else(|| self.ship_numbered(owner, handle.as_str().parse::<Serial>().ok()?))
    }

    fn ship_numbered(&self, owner: Seat, serial: Serial) -> Option<ShipId> {
        let place = self.numbered.binary_search(&(owner, serial));
        place.map_or_else(
            |_| self.later.get(&(owner, serial)).copied(),
            |place| Some(ShipId::at(place)),
        )
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
    fn the_indices_find_what_there_is() {
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
