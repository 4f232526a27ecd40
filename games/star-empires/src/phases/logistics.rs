//! 6.2 logistics: unloading and loading of cargo.

use heliopause_kernel::Seat;

use crate::ids::{Id, ShipId};
use crate::ledger::{LineId, Orders};
use crate::name::Name;
use crate::order::{Line, Phase, Selection};
use crate::reason::Reason;
use crate::report::Deed;
use crate::section::Section;
use crate::ship::Carrier;
use crate::update::Update;

impl Update<'_> {
    pub(crate) fn logistics(&mut self, orders: &Orders) {
        self.unload_ships(orders);
        self.load_ships(orders);
    }

    /// 6.2.1: runs the UNLOAD lines, then unloads missiles named in FIRE lines.
    fn unload_ships(&mut self, orders: &Orders) {
        let section = Section::from(Phase::Unload);
        for (line, seat, it) in orders.of(Phase::Unload) {
            let Line::Unload { ships } = it else { continue };
            for id in self.select_live_named(line, seat, ships) {
                if self.galaxy().ship(id).is_loaded() {
                    self.unload(section, id);
                    self.ledger.done(line);
                } else {
                    self.ship_failed(line, id, Reason::NotLoaded);
                }
            }
        }
        for (_, seat, it) in orders.of(Phase::Fire) {
            let Line::Fire { ships: Selection::Ships(names), .. } = it else { continue };
            for id in self.named(seat, names).0 {
                let ship = self.galaxy().ship(id);
                if ship.is_live() && self.galaxy().class_of(ship).is_missile() {
                    self.unload(section, id);
                }
            }
        }
        if self.ships.iter().any(|turn| turn.unloaded) {
            self.index_ships();
        }
    }

    fn unload(&mut self, section: Section, id: ShipId) {
        let Some(carrier) = self.game.galaxy.ship_mut(id).carrier.take() else { return };
        self.ships[id.index()].unloaded = true;
        self.add_ship_news(section, carrier.id(), Deed::UnloadedCargo, 0);
        self.add_ship_news(section, id, Deed::Unloaded, 0);
    }

    fn load_ships(&mut self, orders: &Orders) {
        // Tonnage of cargo by ship.
        let mut carried = vec![0_u32; self.galaxy().ships.len()];
        for &(carrier, cargo) in self.index.cargo() {
            carried[carrier.index()] += self.galaxy().class_of(self.galaxy().ship(cargo)).tonnage;
        }
        let mut loaded = false;
        for (line, seat, it) in orders.of(Phase::Load) {
            let Line::Load { ships, carrier } = it else { continue };
            let Some(carrier) = self.carrier(line, seat, *carrier) else { continue };
            for id in self.select_live_named(line, seat, ships) {
                if let Some(reason) = self.cannot_load(id, carrier, &carried) {
                    self.ship_failed(line, id, reason);
                    continue;
                }
                carried[carrier.index()] += self.galaxy().class_of(self.galaxy().ship(id)).tonnage;
                self.load(id, carrier);
                self.ledger.done(line);
                loaded = true;
            }
        }
        if loaded {
            self.index_ships();
        }
    }

    fn carrier(&mut self, line: LineId, seat: Seat, name: Name) -> Option<ShipId> {
        let id = self.names.ship(seat, name);
        let loss = id.map_or(Some(Reason::Vanished), |id| self.loss(id));
        if let Some(reason) = loss {
            self.ledger.failed(line, name, reason);
            return None;
        }
        id
    }

    /// Returns why a ship cannot be loaded (R16). Damage does not reduce racks.
    fn cannot_load(&self, id: ShipId, carrier: ShipId, carried: &[u32]) -> Option<Reason> {
        let galaxy = self.galaxy();
        let (ship, onto) = (galaxy.ship(id), galaxy.ship(carrier));
        let (class, racks) =
            (galaxy.class_of(ship), u32::from(galaxy.class_of(onto).ratings.racks));
        if id == carrier {
            Some(Reason::SelfLoad)
        } else if ship.is_loaded() {
            Some(Reason::AlreadyLoaded)
        } else if ship.at != onto.at {
            Some(Reason::WrongSector)
        } else if onto.is_loaded() || carried[id.index()] > 0 {
            Some(Reason::NestedLoad)
        } else if carried[carrier.index()].saturating_add(class.tonnage) > racks {
            Some(Reason::NoRacks)
        } else {
            None
        }
    }

    fn load(&mut self, id: ShipId, carrier: ShipId) {
        let section = Section::from(Phase::Load);
        self.add_ship_news(section, carrier, Deed::LoadedCargo, 0);
        self.add_ship_news(section, id, Deed::Loaded, 0);
        self.game.galaxy.ship_mut(id).carrier = Some(Carrier::new(carrier));
    }
}
