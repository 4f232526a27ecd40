//! 6.3 combat: everything happens at once; ownership follows. Firing itself is in `fire`.

use heliopause_kernel::SeatSet;

use crate::ids::{Id, ShipId};
use crate::ledger::Orders;
use crate::order::{Line, Phase};
use crate::reason::Reason;
use crate::report::Deed;
use crate::section::Section;
use crate::update::{Update, Wreck};

impl Update<'_> {
    /// The phases of chapter 6.3, in their order.
    pub(crate) fn combat(&mut self, orders: &Orders) {
        self.self_destruct_ships(orders);
        let collateral = self.collateral();
        let hits = self.fire_guns(orders);
        self.apply_combat_damage(&hits, &collateral);
        self.remove_destroyed(Section::of("6.3.4"), Deed::Destroyed);
        self.auto_repair_ships();
        self.determine_ownership(Section::of("6.3.6"));
    }

    /// 6.3.1: DESTRUCT marks ships and their cargo.
    fn self_destruct_ships(&mut self, orders: &Orders) {
        for (line, seat, it) in orders.of(Phase::Destruct) {
            let Line::Destruct { ships } = it else { continue };
            let selected = self.muster(line, seat, ships);
            for id in selected.ships {
                let ship = self.galaxy().ship(id);
                let reason = if self.galaxy().is_starbase(ship) {
                    if !selected.named {
                        continue;
                    }
                    Some(Reason::IsStarbase)
                } else {
                    ship.is_loaded().then_some(Reason::Loaded)
                };
                if let Some(reason) = reason {
                    self.ship_failed(line, id, reason);
                    continue;
                }
                self.mark_self_destructing(id);
                self.ledger.done(line);
            }
        }
    }

    fn mark_self_destructing(&mut self, id: ShipId) {
        self.ships[id.index()].self_destructing = true;
        for cargo in self.index.cargo_of(id) {
            self.ships[cargo.index()].self_destructing = true;
        }
    }

    /// 6.3.1, R26: what the tonnage that destroys itself in a sector, of all empires together, does
    /// to every other loose ship there: one damage point for every five tonnes begun. By ship.
    fn collateral(&self) -> Vec<u32> {
        let mut collateral = vec![0; self.ships.len()];
        if !self.ships.iter().any(|turn| turn.self_destructing) {
            return collateral;
        }
        let galaxy = self.galaxy();
        let mass = |id: ShipId| u64::from(galaxy.class_of(galaxy.ship(id)).tonnage);
        for (_, there) in self.index.sectors() {
            let doomed = there.iter().filter(|(_, id)| self.ships[id.index()].self_destructing);
            let tonnage: u64 = doomed
                .map(|&(_, id)| mass(id) + self.index.cargo_of(id).map(mass).sum::<u64>())
                .sum();
            if tonnage == 0 {
                continue;
            }
            let damage = u32::try_from(tonnage.div_ceil(5)).unwrap_or(u32::MAX);
            for (_, id) in there.iter().filter(|(_, id)| !self.ships[id.index()].self_destructing) {
                collateral[id.index()] = damage;
            }
        }
        collateral
    }

    /// 6.3.3: shots and collateral damage land.
    fn apply_combat_damage(&mut self, hits: &[u32], collateral: &[u32]) {
        let section = Section::of("6.3.3");
        for (index, (&shots, &blast)) in hits.iter().zip(collateral).enumerate() {
            if shots == 0 && blast == 0 {
                continue;
            }
            let id = ShipId::at(index);
            self.damage(id, shots.saturating_add(blast));
            for (deed, amount) in [(Deed::Hit, shots), (Deed::Collateral, blast)] {
                if amount > 0 {
                    self.tell_of_ship(section, id, deed, amount);
                }
            }
        }
    }

    /// Takes damage points off; a ship that has none left is removed in the phase that follows.
    pub(crate) fn damage(&mut self, id: ShipId, amount: u32) {
        let ship = self.game.galaxy.ship_mut(id);
        ship.dp = ship.dp.saturating_sub(u16::try_from(amount).unwrap_or(u16::MAX));
    }

    /// 6.3.4, 6.4.6: ships without damage points leave, and those that destroyed themselves, and
    /// fired missiles; with their cargo. Their owners see the sector for the last time.
    pub(crate) fn remove_destroyed(&mut self, section: Section, deed: Deed) {
        let mut wrecks = Vec::new();
        for (index, turn) in
            self.ships.iter().enumerate().filter(|(_, turn)| !turn.lost && !turn.removed)
        {
            let (id, ship) = (ShipId::at(index), &self.game.galaxy.ships[index]);
            let is_lost = !ship.is_live() || turn.self_destructing || turn.expended;
            if !is_lost || ship.is_loaded() {
                continue;
            }
            let (self_destructed, expended) = (turn.self_destructing, turn.expended);
            wrecks.push(Wreck { ship: id, self_destructed, expended, cargo: false });
            let cargo = self.index.cargo_of(id);
            // R27: cargo of a ship that destroyed itself did so too.
            wrecks.extend(cargo.map(|ship| Wreck {
                ship,
                self_destructed,
                expended: false,
                cargo: true,
            }));
        }
        if wrecks.is_empty() {
            return;
        }
        self.take_pictures(section, &wrecks);
        for wreck in &wrecks {
            self.ships[wreck.ship.index()].lost = true;
            self.game.galaxy.ship_mut(wreck.ship).dp = 0;
        }
        for wreck in wrecks.iter().filter(|wreck| !wreck.expended) {
            let deed = if wreck.self_destructed { Deed::SelfDestructed } else { deed };
            self.tell_of_ship(section, wreck.ship, deed, 0);
        }
        self.wrecks.append(&mut wrecks);
        self.index_ships();
    }

    /// 6.3.5, R28: damaged ships repair themselves, loaded ones too.
    fn auto_repair_ships(&mut self) {
        let section = Section::of("6.3.5");
        for id in (0..self.galaxy().ships.len()).map(ShipId::at) {
            let ship = *self.galaxy().ship(id);
            let class = self.galaxy().class_of(&ship);
            let repaired = class.auto_repair().min(class.ratings.dp.saturating_sub(ship.dp));
            if ship.is_live() && repaired > 0 {
                self.game.galaxy.ship_mut(id).dp += repaired;
                self.tell_of_repair(section, id, Deed::AutoRepaired, repaired);
            }
        }
    }

    /// The owners of conquering ships in a sector.
    pub(crate) fn conquerors(&self, at: crate::geometry::Sector) -> SeatSet {
        let ships = self.index.in_sector(at).map(|id| self.galaxy().ship(id));
        ships.filter(|ship| self.galaxy().is_conquering(ship)).map(|ship| ship.owner).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::hull::Hull;
    use crate::order::Line;
    use crate::reason::Fate;
    use crate::report::Deed;
    use crate::testing::{Site, line};

    #[test]
    fn situation_31_a_starbase_does_not_destroy_itself_but_takes_collateral_damage() {
        let mut site = Site::new(2);
        site.ships("A", "Base", "starbase", (0, 0));
        site.class("six", Hull::Scout, [1, 1, 6, 3, 1], "A");
        let tonnes = site.game.galaxy.class(site.class_id("six")).tonnage;
        assert_eq!(tonnes, 6, "two damage points");
        site.ships("A", "Six", "six", (0, 0));
        let played = site.orders("A", [line::destruct("Base"), line::destruct("Six")]).play();
        assert_eq!(
            (played.fate("A", 0), played.said("A", 0).as_str()),
            (Fate::Refused, "Base is-starbase")
        );
        assert_eq!(played.deeds(Deed::Collateral), [("Base".to_owned(), 2)]);
        assert_eq!(played.deeds(Deed::AutoRepaired), [("Base".to_owned(), 2)]);
        assert_eq!((site.dp("A", "Base"), site.dp("A", "Six")), (200, 0));
    }

    /// Collateral damage that so many tonnes of A and so many of B do to a bystander.
    fn blast(own: u32, foreign: u32) -> u32 {
        let mut site = Site::new(3);
        for (empire, tonnes) in [("A", own), ("B", foreign)] {
            let ships: Vec<String> = (0..tonnes).map(|number| format!("F{number}")).collect();
            site.ships(empire, &ships.join(" "), "fighter", (0, 0));
            site.orders(
                empire,
                [line::destruct(&ships.join(" "))].into_iter().filter(|_| tonnes > 0),
            );
        }
        site.ships("C", "L", "battleship", (0, 0));
        let played = site.play();
        played.deeds(Deed::Collateral).iter().map(|(_, amount)| amount).sum()
    }

    #[test]
    fn situation_32_r26_every_five_tonnes_begun_of_all_empires_together() {
        assert_eq!(blast(1, 0), 1);
        assert_eq!(blast(5, 0), 1);
        assert_eq!(blast(6, 0), 2);
        assert_eq!(blast(3, 3), 2);
        assert_eq!(blast(10, 1), 3);
    }

    #[test]
    fn situation_33_cargo_goes_down_with_its_carrier() {
        let mut site = Site::new(2);
        site.ships("A", "M", "carrier", (0, 0));
        site.ships("A", "F", "fighter", (0, 0));
        site.load("A", "F", "M");
        site.ships("B", "L", "battleship", (0, 0));
        let played = site.orders("B", [line::fire("L", "A")]).play();
        let lost: Vec<_> = played
            .wrecks
            .iter()
            .map(|(ship, wreck)| (ship.name.to_string(), wreck.cargo))
            .collect();
        assert_eq!(lost, [("M".to_owned(), false), ("F".to_owned(), true)]);
        assert!(played.wrecks.iter().all(|(_, wreck)| !wreck.self_destructed && !wreck.expended));
        assert_eq!(played.deeds(Deed::Destroyed).len(), 2);
        assert_eq!((site.find("A", "M"), site.find("A", "F")), (None, None));
    }

    #[test]
    fn situation_34_wings_that_destroy_themselves_still_draw_the_fire() {
        let mut site = Site::new(2);
        site.ships("A", "W1 W2", "fighter", (0, 0));
        site.ships("A", "L", "battleship", (0, 0));
        site.ships("B", "G", "gunship", (0, 0));
        site.orders("A", [line::destruct("W1 W2")]);
        let played = site.orders("B", [line::fire("G", "A")]).play();
        let hits: Vec<_> =
            [("W1", 5), ("W2", 5), ("L", 10)].map(|(ship, shots)| (ship.to_owned(), shots)).into();
        let mut told = played.deeds(Deed::Hit);
        told.sort_by_key(|(ship, _)| (ship == "L", ship.clone()));
        assert_eq!(told, hits);
        assert!(played.wrecks.iter().all(|(_, wreck)| wreck.self_destructed), "R27");
    }

    #[test]
    fn a_loaded_ship_cannot_destroy_itself_and_one_that_does_cannot_fire() {
        let mut site = Site::new(2);
        site.ships("A", "M L", "carrier", (0, 0));
        site.ships("A", "F", "fighter", (0, 0));
        site.load("A", "F", "M");
        site.ships("B", "P", "probe", (0, 0));
        let orders: Vec<Line> = vec![line::destruct("F L"), line::fire("L", "B")];
        let played = site.orders("A", orders).play();
        assert_eq!((played.fate("A", 0), played.said("A", 0).as_str()), (Fate::Partly, "F loaded"));
        assert_eq!(
            (played.fate("A", 1), played.said("A", 1).as_str()),
            (Fate::Refused, "L self-destructing")
        );
        assert_eq!(site.dp("B", "P"), 0, "15 tonnes are 3 damage points");
    }

    #[test]
    fn a_place_leaves_the_starbase_out_and_keeps_the_exceptions() {
        let mut site = Site::new(2);
        site.ships("A", "Base", "starbase", (0, 0));
        site.ships("A", "P1 P2 P3", "probe", (0, 0));
        let sel = line::all_at((0, 0), "P2");
        let played = site.orders("A", [Line::Destruct { ships: sel }]).play();
        assert_eq!((played.fate("A", 0), played.said("A", 0).as_str()), (Fate::Done, ""));
        assert_eq!((site.dp("A", "P1"), site.dp("A", "P3"), site.dp("A", "Base")), (0, 0, 200));
        assert_eq!(site.dp("A", "P2"), 0, "one damage point of collateral damage is all it has");
    }

    #[test]
    fn situation_36_a_scout_repairs_a_gun_and_takes_the_world() {
        let mut site = Site::new(2);
        site.class("spy", Hull::Scout, [1, 5, 3, 3, 0], "A");
        site.damaged("A", "S", "spy", (0, 0), 1);
        site.world("W", (0, 0), "", 5, 0);
        let played = site.play();
        assert_eq!(played.deeds(Deed::AutoRepaired), [("S".to_owned(), 1)]);
        assert_eq!((site.dp("A", "S"), site.owner("W").as_str()), (2, "A"));
    }

    #[test]
    fn rule_6_3_5_nothing_is_told_of_ships_that_need_no_repair() {
        let mut site = Site::new(2);
        site.ships("A", "L", "battleship", (0, 0));
        site.damaged("A", "M", "battleship", (0, 0), 10);
        let repaired = site.play().deeds(Deed::AutoRepaired);
        assert_eq!(repaired.into_iter().map(|(ship, _)| ship).collect::<Vec<_>>(), ["M"]);
    }
}
