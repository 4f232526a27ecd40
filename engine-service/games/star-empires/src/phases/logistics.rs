//! 6.2 logistics: cargo.

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
    /// The phases of chapter 6.2, in their order.
    pub(crate) fn logistics(&mut self, orders: &Orders) {
        self.unload_ships(orders);
        self.load_ships(orders);
    }

    /// 6.2.1: UNLOAD, then loaded missiles that FIRE lines name.
    fn unload_ships(&mut self, orders: &Orders) {
        let section = Section::from(Phase::Unload);
        for (line, seat, it) in orders.of(Phase::Unload) {
            let Line::Unload { ships } = it else { continue };
            for id in self.muster_named(line, seat, ships) {
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
        self.tell_of_ship(section, carrier.id(), Deed::UnloadedCargo, 0);
        self.tell_of_ship(section, id, Deed::Unloaded, 0);
    }

    /// 6.2.2: LOAD.
    fn load_ships(&mut self, orders: &Orders) {
        // The tonnage that each ship carries, kept up to date while ships are loaded.
        let mut carried = vec![0_u32; self.galaxy().ships.len()];
        for &(carrier, cargo) in self.index.cargo() {
            carried[carrier.index()] += self.galaxy().class_of(self.galaxy().ship(cargo)).tonnage;
        }
        let mut loaded = false;
        for (line, seat, it) in orders.of(Phase::Load) {
            let Line::Load { ships, carrier } = it else { continue };
            let Some(carrier) = self.carrier(line, seat, *carrier) else { continue };
            for id in self.muster_named(line, seat, ships) {
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

    /// The carrier of a LOAD line, without which nothing of the line can be done.
    fn carrier(&mut self, line: LineId, seat: Seat, name: Name) -> Option<ShipId> {
        let id = self.names.ship(seat, name);
        let loss = id.map_or(Some(Reason::Vanished), |id| self.loss(id));
        if let Some(reason) = loss {
            self.ledger.failed(line, name, reason);
            return None;
        }
        id
    }

    /// Damage never reduces racks, so only tonnage counts. R16: neither onto a loaded carrier nor
    /// with cargo of its own.
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
        self.tell_of_ship(section, carrier, Deed::LoadedCargo, 0);
        self.tell_of_ship(section, id, Deed::Loaded, 0);
        self.game.galaxy.ship_mut(id).carrier = Some(Carrier::new(carrier));
    }
}

#[cfg(test)]
mod tests {
    use crate::reason::Fate;
    use crate::report::Deed;
    use crate::testing::{Site, line};

    fn site() -> Site {
        let mut site = Site::new(2);
        site.ships("A", "M M2", "carrier", (0, 0));
        site.ships("A", "F1 F2 F3", "fighter", (0, 0));
        site
    }

    #[test]
    fn situation_16_racks_are_filled_in_the_order_of_the_list() {
        let mut site = site();
        let played = site.orders("A", [line::load("F1 F2 F3", "M")]).play();
        assert_eq!(
            (played.fate("A", 0), played.said("A", 0).as_str()),
            (Fate::Partly, "F3 no-racks")
        );
        assert_eq!((site.carrier("A", "F1"), site.carrier("A", "F3")), ("M".into(), String::new()));
        assert_eq!(played.deeds(Deed::Loaded).len(), 2);
    }

    #[test]
    fn situation_17_r16_nothing_is_nested() {
        let mut site = site();
        site.class("dock", crate::Hull::Orbital, [30, 40, 0, 1, 20], "A");
        site.ships("A", "S", "dock", (0, 0));
        site.load("A", "F1", "M");
        let played = site
            .orders("A", [line::load("M", "S"), line::load("M2", "S"), line::load("F2", "M2")])
            .play();
        assert_eq!(played.said("A", 0), "M nested-load");
        assert_eq!(played.fate("A", 1), Fate::Done);
        assert_eq!(played.said("A", 2), "F2 nested-load");
    }

    #[test]
    fn situation_18_r17_a_ship_changes_carriers_in_one_turn() {
        let mut site = site();
        site.load("A", "F1", "M");
        let played = site.orders("A", [line::load("F1", "M2"), line::unload("F1 F2")]).play();
        assert_eq!(played.fate("A", 0), Fate::Done);
        assert_eq!(played.said("A", 1), "F2 not-loaded");
        assert_eq!(site.carrier("A", "F1"), "M2");
        assert_eq!(played.deeds(Deed::UnloadedCargo)[0].0, "M");
    }

    #[test]
    fn situation_19_damage_does_not_reduce_racks() {
        let mut site = site();
        site.damaged("A", "M9", "carrier", (0, 0), 1);
        assert_eq!(site.orders("A", [line::load("F1 F2", "M9")]).play().fate("A", 0), Fate::Done);
    }

    #[test]
    fn situation_20_a_missile_that_was_not_needed_floats_loose() {
        let mut site = site();
        site.ships("A", "N1", "nuke", (0, 0));
        site.load("A", "N1", "M");
        site.ships("A", "L", "battleship", (0, 0));
        site.ships("B", "P", "probe", (0, 0));
        let played = site.orders("A", [line::fire("L N1", "B")]).play();
        assert_eq!(
            (played.fate("A", 0), played.said("A", 0).as_str()),
            (Fate::Done, "N1 not-needed")
        );
        assert_eq!(played.deeds(Deed::Fired), [("L".to_owned(), 1)]);
        assert_eq!(site.carrier("A", "N1"), "");
        assert!(site.find("B", "P").is_none());
    }

    #[test]
    fn loading_names_every_reason() {
        let mut site = site();
        site.ships("A", "Far", "fighter", (3, 0));
        site.load("A", "F1", "M2");
        let orders = [line::load("M Far F1 Ghost", "M"), line::load("F2", "Ghost")];
        let played = site.orders("A", orders).play();
        assert_eq!(
            played.said("A", 0),
            "Ghost vanished, M self-load, Far wrong-sector, F1 already-loaded"
        );
        assert_eq!(
            (played.fate("A", 1), played.said("A", 1).as_str()),
            (Fate::Refused, "Ghost vanished")
        );
    }

    #[test]
    fn r18_only_a_missile_that_is_aboard_is_unloaded_to_be_fired() {
        let mut site = site();
        site.ships("A", "N1 N2", "nuke", (0, 0));
        site.load("A", "N1", "M");
        site.ships("B", "L", "battleship", (0, 0));
        let played = site.orders("A", [line::fire("N1 N2", "B")]).play();
        assert_eq!(played.said("A", 0), "N2 missile-not-ready");
        let unloaded = played.deeds(Deed::Unloaded);
        assert_eq!(unloaded.into_iter().map(|(ship, _)| ship).collect::<Vec<_>>(), ["N1"]);
    }
}
