//! 6.3 combat: self-destruction, damage and repairs. Firing is in `fire`.

use heliopause_kernel::SeatSet;

use crate::ids::{Id, ShipId};
use crate::ledger::Orders;
use crate::order::{Line, Phase};
use crate::reason::Reason;
use crate::report::Deed;
use crate::section::Section;
use crate::update::{Update, Wreck};

impl Update<'_> {
    pub(crate) fn combat(&mut self, orders: &Orders) {
        self.self_destruct_ships(orders);
        let collateral = self.collateral();
        let hits = self.fire_guns(orders);
        self.apply_combat_damage(&hits, &collateral);
        self.remove_destroyed(Section::of("6.3.4"), Deed::Destroyed);
        self.auto_repair_ships();
        self.determine_ownership(Section::of("6.3.6"));
    }

    /// 6.3.1: runs the DESTRUCT lines, which only mark ships and their cargo.
    fn self_destruct_ships(&mut self, orders: &Orders) {
        for (line, seat, it) in orders.of(Phase::Destruct) {
            let Line::Destruct { ships } = it else { continue };
            let selected = self.select_live(line, seat, ships);
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

    /// 6.3.1, R26: returns the collateral damage of each ship. Self-destructing ships damage every
    /// other loose ship in their sector by one point per five tonnes of their total, rounded up.
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
                    self.add_ship_news(section, id, deed, amount);
                }
            }
        }
    }

    /// Subtracts damage points. A ship with no points left is removed in the following phase.
    pub(crate) fn damage(&mut self, id: ShipId, amount: u32) {
        let ship = self.game.galaxy.ship_mut(id);
        ship.dp = ship.dp.saturating_sub(u16::try_from(amount).unwrap_or(u16::MAX));
    }

    /// 6.3.4, 6.4.6: removes ships without damage points, self-destructed ships and fired missiles,
    /// with their cargo. First records the last view that the ships' owners have of the sector.
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
            // R27: cargo of a self-destructed ship counts as self-destructed.
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
            self.add_ship_news(section, wreck.ship, deed, 0);
        }
        self.wrecks.append(&mut wrecks);
        self.index_ships();
    }

    /// 6.3.5, R28: repairs damaged ships automatically, including loaded ones.
    fn auto_repair_ships(&mut self) {
        let section = Section::of("6.3.5");
        for id in (0..self.galaxy().ships.len()).map(ShipId::at) {
            let ship = *self.galaxy().ship(id);
            let class = self.galaxy().class_of(&ship);
            let repaired = class.auto_repair().min(class.ratings.dp.saturating_sub(ship.dp));
            if ship.is_live() && repaired > 0 {
                self.game.galaxy.ship_mut(id).dp += repaired;
                self.add_repair_news(section, id, Deed::AutoRepaired, repaired);
            }
        }
    }

    pub(crate) fn conquerors(&self, at: crate::geometry::Sector) -> SeatSet {
        let ships = self.index.in_sector(at).map(|id| self.galaxy().ship(id));
        ships.filter(|ship| self.galaxy().is_conquering(ship)).map(|ship| ship.owner).collect()
    }
}
