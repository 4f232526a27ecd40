//! 2.0: what there is, in galactic coordinates: the truth of the game, apart from what each empire
//! knows of it.

use heliopause_kernel::Seat;

use crate::class::{Class, STARBASE};
use crate::empire::Empire;
use crate::geometry::Sector;
use crate::ids::{ClassId, Id, PortalId, ShipId, StormId, WorldId};
use crate::name::Name;
use crate::objects::{Portal, Storm, World};
use crate::operational::Damage;
use crate::ship::{Serial, Ship};

/// What there is. Dense arrays; an id is a place in one of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Galaxy {
    /// The empires by seat.
    pub empires: Vec<Empire>,
    /// The classes; the stock classes first.
    pub classes: Vec<Class>,
    pub worlds: Vec<World>,
    pub portals: Vec<Portal>,
    /// The storms and nebulae.
    pub storms: Vec<Storm>,
    /// The ships. Between updates by owner and serial number, and all live; within one, built ships
    /// are appended and lost ones stay, so that ids are stable.
    pub ships: Vec<Ship>,
}

impl Galaxy {
    /// Every empire's seat, in registration order.
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + use<> {
        Seat::first(self.empires.len())
    }

    /// An empire.
    ///
    /// # Panics
    /// If the seat is not one of this game.
    pub fn empire(&self, seat: Seat) -> &Empire {
        &self.empires[seat.index()]
    }

    /// An empire.
    pub(crate) fn empire_mut(&mut self, seat: Seat) -> &mut Empire {
        &mut self.empires[seat.index()]
    }

    /// A ship.
    pub fn ship(&self, id: ShipId) -> &Ship {
        &self.ships[id.index()]
    }

    /// A ship.
    pub(crate) fn ship_mut(&mut self, id: ShipId) -> &mut Ship {
        &mut self.ships[id.index()]
    }

    /// A class.
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    /// A world.
    pub fn world(&self, id: WorldId) -> &World {
        &self.worlds[id.index()]
    }

    /// A world.
    pub(crate) fn world_mut(&mut self, id: WorldId) -> &mut World {
        &mut self.worlds[id.index()]
    }

    /// A portal.
    pub fn portal(&self, id: PortalId) -> &Portal {
        &self.portals[id.index()]
    }

    /// A storm or nebula.
    pub fn storm(&self, id: StormId) -> &Storm {
        &self.storms[id.index()]
    }

    /// The class of a ship.
    pub fn class_of(&self, ship: &Ship) -> &Class {
        self.class(ship.class)
    }

    /// The damage state of a ship.
    pub fn damage(&self, ship: &Ship) -> Damage {
        self.class_of(ship).damage(ship.dp)
    }

    /// The guns that a ship has as it stands.
    pub fn guns(&self, ship: &Ship) -> u16 {
        self.damage(ship).operational(self.class_of(ship).ratings.guns)
    }

    /// The engines that a ship has as it stands.
    pub fn engines(&self, ship: &Ship) -> u16 {
        self.damage(ship).operational(self.class_of(ship).ratings.engines)
    }

    /// The scan that a ship has as it stands.
    pub fn scan(&self, ship: &Ship) -> u16 {
        self.damage(ship).operational(self.class_of(ship).ratings.scan)
    }

    /// R8: whether the ship can hold a world: loose, no missile, with a gun that works.
    pub fn is_conquering(&self, ship: &Ship) -> bool {
        ship.is_loose() && !self.class_of(ship).is_missile() && self.guns(ship) > 0
    }

    /// Whether the ship is a starbase (4.2.4).
    pub fn is_starbase(&self, ship: &Ship) -> bool {
        ship.class == STARBASE
    }

    /// The ships of an empire. Only between updates, when they are sorted.
    pub fn ships_of(&self, seat: Seat) -> &[Ship] {
        let start = self.ships.partition_point(|ship| ship.owner < seat);
        let end = self.ships.partition_point(|ship| ship.owner <= seat);
        &self.ships[start..end]
    }

    /// The ship with a serial number. Only between updates, when they are sorted.
    pub fn ship_numbered(&self, owner: Seat, serial: Serial) -> Option<ShipId> {
        self.ships.binary_search_by_key(&(owner, serial), Ship::sort_key).ok().map(ShipId::at)
    }

    /// The worlds of an empire.
    pub fn worlds_of(&self, seat: Seat) -> impl Iterator<Item = (WorldId, &World)> {
        let worlds =
            self.worlds.iter().enumerate().map(|(index, world)| (WorldId::at(index), world));
        worlds.filter(move |(_, world)| world.owner == Some(seat))
    }

    /// The world with a name. Slow; an update keeps an index.
    pub fn world_named(&self, name: Name) -> Option<WorldId> {
        self.worlds.iter().position(|world| world.name == name).map(WorldId::at)
    }

    /// The portal with a name. Slow; an update keeps an index.
    pub fn portal_named(&self, name: Name) -> Option<PortalId> {
        self.portals.iter().position(|portal| portal.name == name).map(PortalId::at)
    }

    /// The storm or nebula with a name. Slow; an update keeps an index.
    pub fn storm_named(&self, name: Name) -> Option<StormId> {
        self.storms.iter().position(|storm| storm.name == name).map(StormId::at)
    }

    /// The class with a name. Slow; an update keeps an index.
    pub fn class_named(&self, name: Name) -> Option<ClassId> {
        self.classes.iter().position(|class| class.name == name).map(ClassId::at)
    }

    /// Whether no world, portal or storm bears a name: they share their names, because orders name
    /// places by them.
    pub fn is_free(&self, name: Name) -> bool {
        self.world_named(name).is_none()
            && self.portal_named(name).is_none()
            && self.storm_named(name).is_none()
    }

    /// Where the world, portal or storm with a name is. Slow; an update keeps an index.
    pub fn object(&self, name: Name) -> Option<Sector> {
        let world = self.world_named(name).map(|id| self.world(id).at);
        let portal = || self.portal_named(name).map(|id| self.portal(id).at);
        let storm = || self.storm_named(name).map(|id| self.storm(id).at);
        world.or_else(portal).or_else(storm)
    }

    /// Whether a world is its owner's homeworld.
    pub fn is_homeworld(&self, id: WorldId) -> bool {
        self.world(id).owner.is_some_and(|owner| self.empire(owner).homeworld == Some(id))
    }

    /// The empire with a name or code.
    pub fn empire_named(&self, name: Name) -> Option<Seat> {
        let is_it = |empire: &Empire| {
            empire.name == name || empire.code.as_str().eq_ignore_ascii_case(name.as_str())
        };
        self.empires.iter().position(is_it).map(Seat::at)
    }

    /// The world in a sector. Slow; an update keeps an index.
    pub fn world_at(&self, at: Sector) -> Option<WorldId> {
        self.worlds.iter().position(|world| world.at == at).map(WorldId::at)
    }

    /// Deals the next serial number that no live ship bears.
    pub(crate) fn deal_serial(&mut self, seat: Seat, in_use: impl Fn(Serial) -> bool) -> Serial {
        let empire = self.empire_mut(seat);
        loop {
            let serial = Serial::new(empire.code, empire.serials.deal());
            if !in_use(serial) {
                return serial;
            }
        }
    }

    /// Deals serial numbers to the ships that have none.
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

    /// Whose serial number it is: the empire's whose code it begins with.
    pub(crate) fn owner_of(&self, serial: Serial) -> Option<Seat> {
        self.seats().find(|&seat| self.empire(seat).code == serial.code())
    }

    /// Takes the lost ships out and sorts the rest, at the end of an update.
    pub(crate) fn settle_ships(&mut self) {
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

    /// 6.1.1: takes a world out. Empires that had it as their homeworld are homeless until 6.4.8.
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

    /// 6.1.1: takes a portal out, with its connections both ways.
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

    /// 6.1.1: takes a storm or nebula out.
    pub(crate) fn remove_storm(&mut self, gone: StormId) {
        self.storms.remove(gone.index());
    }
}
