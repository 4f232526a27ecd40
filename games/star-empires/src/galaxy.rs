//! 2.0: the true state of the game in galactic coordinates, independent of what each empire sees.

use heliopause_kernel::Seat;

use crate::class::{Class, STARBASE};
use crate::empire::Empire;
use crate::geometry::Sector;
use crate::ids::{ClassId, Id, PortalId, ShipId, StormId, WorldId};
use crate::name::Name;
use crate::objects::{Portal, Storm, World};
use crate::operational::Damage;
use crate::ship::{Serial, Ship};

/// The complete contents of the galaxy. An id is an index into one of these arrays.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Galaxy {
    pub empires: Vec<Empire>,
    pub classes: Vec<Class>,
    pub worlds: Vec<World>,
    pub portals: Vec<Portal>,
    pub storms: Vec<Storm>,
    /// Between updates, all ships are live, and sorted by owner and serial number. During an
    /// update, built ships are appended and lost ships stay, which keeps ids stable.
    pub ships: Vec<Ship>,
}

impl Galaxy {
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + use<> {
        Seat::first(self.empires.len())
    }

    /// Returns an empire. Panics if the seat is not in this game.
    pub fn empire(&self, seat: Seat) -> &Empire {
        &self.empires[seat.index()]
    }

    pub(crate) fn empire_mut(&mut self, seat: Seat) -> &mut Empire {
        &mut self.empires[seat.index()]
    }

    pub fn ship(&self, id: ShipId) -> &Ship {
        &self.ships[id.index()]
    }

    pub(crate) fn ship_mut(&mut self, id: ShipId) -> &mut Ship {
        &mut self.ships[id.index()]
    }

    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    pub fn world(&self, id: WorldId) -> &World {
        &self.worlds[id.index()]
    }

    pub(crate) fn world_mut(&mut self, id: WorldId) -> &mut World {
        &mut self.worlds[id.index()]
    }

    pub fn portal(&self, id: PortalId) -> &Portal {
        &self.portals[id.index()]
    }

    pub fn storm(&self, id: StormId) -> &Storm {
        &self.storms[id.index()]
    }

    pub fn class_of(&self, ship: &Ship) -> &Class {
        self.class(ship.class)
    }

    pub fn damage(&self, ship: &Ship) -> Damage {
        self.class_of(ship).damage(ship.dp)
    }

    pub fn guns(&self, ship: &Ship) -> u16 {
        self.damage(ship).operational(self.class_of(ship).ratings.guns)
    }

    pub fn engines(&self, ship: &Ship) -> u16 {
        self.damage(ship).operational(self.class_of(ship).ratings.engines)
    }

    pub fn scan(&self, ship: &Ship) -> u16 {
        self.damage(ship).operational(self.class_of(ship).ratings.scan)
    }

    /// R8: returns whether the ship can hold a world.
    pub fn is_conquering(&self, ship: &Ship) -> bool {
        ship.is_loose() && !self.class_of(ship).is_missile() && self.guns(ship) > 0
    }

    pub fn is_starbase(&self, ship: &Ship) -> bool {
        ship.class == STARBASE
    }

    /// Returns an empire's ships. Valid only between updates, when ships are sorted.
    pub fn ships_of(&self, seat: Seat) -> &[Ship] {
        let start = self.ships.partition_point(|ship| ship.owner < seat);
        let end = self.ships.partition_point(|ship| ship.owner <= seat);
        &self.ships[start..end]
    }

    /// Finds a ship by serial number. Valid only between updates, when ships are sorted.
    pub fn ship_numbered(&self, owner: Seat, serial: Serial) -> Option<ShipId> {
        self.ships.binary_search_by_key(&(owner, serial), Ship::sort_key).ok().map(ShipId::at)
    }

    pub fn worlds_of(&self, seat: Seat) -> impl Iterator<Item = (WorldId, &World)> {
        let worlds =
            self.worlds.iter().enumerate().map(|(index, world)| (WorldId::at(index), world));
        worlds.filter(move |(_, world)| world.owner == Some(seat))
    }

    /// Finds a world by name. This and the other `..._named` methods take linear time. Updates use
    /// an index instead.
    pub fn world_named(&self, name: Name) -> Option<WorldId> {
        self.worlds.iter().position(|world| world.name == name).map(WorldId::at)
    }

    pub fn portal_named(&self, name: Name) -> Option<PortalId> {
        self.portals.iter().position(|portal| portal.name == name).map(PortalId::at)
    }

    pub fn storm_named(&self, name: Name) -> Option<StormId> {
        self.storms.iter().position(|storm| storm.name == name).map(StormId::at)
    }

    pub fn class_named(&self, name: Name) -> Option<ClassId> {
        self.classes.iter().position(|class| class.name == name).map(ClassId::at)
    }

    /// Returns the names and sectors of worlds, portals and storms.
    pub(crate) fn objects(&self) -> impl Iterator<Item = (Name, Sector)> {
        let worlds = self.worlds.iter().map(|world| (world.name, world.at));
        let portals = self.portals.iter().map(|portal| (portal.name, portal.at));
        worlds.chain(portals).chain(self.storms.iter().map(|storm| (storm.name, storm.at)))
    }

    /// Returns whether no world, portal or storm has this name. Orders refer to places by name,
    /// which must be unique among all of them.
    pub fn is_free(&self, name: Name) -> bool {
        self.object(name).is_none()
    }

    pub fn object(&self, name: Name) -> Option<Sector> {
        self.objects().find(|&(other, _)| other == name).map(|(_, at)| at)
    }

    pub fn is_homeworld(&self, id: WorldId) -> bool {
        self.world(id).owner.is_some_and(|owner| self.empire(owner).homeworld == Some(id))
    }

    pub fn empire_named(&self, name: Name) -> Option<Seat> {
        let is_it = |empire: &Empire| {
            empire.name == name || empire.code.as_str().eq_ignore_ascii_case(name.as_str())
        };
        self.empires.iter().position(is_it).map(Seat::at)
    }

    pub fn world_at(&self, at: Sector) -> Option<WorldId> {
        self.worlds.iter().position(|world| world.at == at).map(WorldId::at)
    }

    pub(crate) fn deal_serial(&mut self, seat: Seat, in_use: impl Fn(Serial) -> bool) -> Serial {
        let empire = self.empire_mut(seat);
        loop {
            let serial = Serial::new(empire.code, empire.serials.deal());
            if !in_use(serial) {
                return serial;
            }
        }
    }

    pub(crate) fn number<'a>(&mut self, ships: impl Iterator<Item = &'a mut Ship>) {
        let (mut without, given): (Vec<&mut Ship>, Vec<&mut Ship>) =
            ships.partition(|ship| ship.serial == Serial::default());
        let mut given: Vec<Serial> = given.into_iter().map(|ship| ship.serial).collect();
        given.sort_unstable();
        for ship in &mut without {
            ship.serial =
                self.deal_serial(ship.owner, |serial| given.binary_search(&serial).is_ok());
        }
    }

    pub(crate) fn owner_of(&self, serial: Serial) -> Option<Seat> {
        self.seats().find(|&seat| self.empire(seat).code == serial.code())
    }

    pub(crate) fn compact_ships(&mut self) {
        let mut order: Vec<ShipId> = (0..self.ships.len()).map(ShipId::at).collect();
        order.retain(|&id| self.ship(id).is_live());
        order.sort_by_key(|&id| self.ship(id).sort_key());
        let mut moved_to = vec![None; self.ships.len()];
        for (index, id) in order.iter().enumerate() {
            moved_to[id.index()] = Some(ShipId::at(index));
        }
        let carried = |ship: Ship| {
            let carrier = ship.carrier.and_then(|carrier| moved_to[carrier.id().index()]);
            Ship { carrier: carrier.map(crate::ship::Carrier::new), ..ship }
        };
        self.ships = order.iter().map(|&id| carried(*self.ship(id))).collect();
    }

    /// 6.1.1: removes a world. If it was a homeworld, its empire is homeless until 6.4.8.
    pub(crate) fn remove_world(&mut self, gone: WorldId) {
        self.worlds.remove(gone.index());
        for empire in &mut self.empires {
            empire.homeworld = match empire.homeworld {
                Some(id) if id == gone => None,
                Some(id) if id > gone => Some(WorldId::at(id.index() - 1)),
                other => other,
            };
        }
    }

    pub(crate) fn remove_portal(&mut self, gone: PortalId) {
        self.portals.remove(gone.index());
        for portal in &mut self.portals {
            portal.exits.retain(|&exit| exit != gone);
            for exit in &mut portal.exits {
                if *exit > gone {
                    *exit = PortalId::at(exit.index() - 1);
                }
            }
        }
        for empire in &mut self.empires {
            empire.navigation.close_gap(gone);
        }
    }

    pub(crate) fn remove_storm(&mut self, gone: StormId) {
        self.storms.remove(gone.index());
    }
}
