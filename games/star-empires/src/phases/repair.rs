//! 6.6.2 repair ships, notes 7.5.

use heliopause_kernel::Seat;

use crate::hull::Hull;
use crate::ids::{Id, ShipId, WorldId};
use crate::ledger::{LineId, Orders};
use crate::name::Name;
use crate::objects::Siege;
use crate::order::{Amount, Line, Phase};
use crate::reason::Reason;
use crate::report::Deed;
use crate::section::Section;
use crate::update::Update;

impl Update<'_> {
    /// 6.6.2: repairs the cargo of orbitals, then runs the REPAIR lines.
    pub(crate) fn repair_ships(&mut self, orders: &Orders) {
        self.repair_cargo_of_orbitals();
        for (line, seat, it) in orders.of(Phase::Repair) {
            let Line::Repair { ship, dp, worlds } = it else { continue };
            for id in self.select_live_named(line, seat, std::slice::from_ref(ship)) {
                self.repair(line, seat, id, *dp, worlds);
            }
        }
    }

    /// Repairs cargo on orbitals completely and free of charge, even in a besieged sector.
    fn repair_cargo_of_orbitals(&mut self) {
        let section = Section::from(Phase::Repair);
        for place in 0..self.index.cargo().len() {
            let (carrier, id) = self.index.cargo()[place];
            let galaxy = self.galaxy();
            let is_orbital = galaxy.class_of(galaxy.ship(carrier)).hull == Hull::Orbital;
            let damage = galaxy.damage(galaxy.ship(id));
            if is_orbital && damage.dp < damage.class_dp {
                self.game.galaxy.ship_mut(id).dp = damage.class_dp;
                self.add_repair_news(section, id, Deed::Repaired, damage.class_dp - damage.dp);
            }
        }
    }

    /// Repairs one ship. Several worlds pay in order, each as much of the remaining cost as it can.
    fn repair(&mut self, line: LineId, seat: Seat, id: ShipId, dp: Amount, worlds: &[Name]) {
        let ship = *self.galaxy().ship(id);
        let damage = self.galaxy().damage(&ship);
        let missing = u32::from(damage.class_dp.saturating_sub(damage.dp));
        let rate = if self.galaxy().class_of(&ship).hull == Hull::Orbital { 3 } else { 2 };
        if missing == 0 {
            return self.ship_failed(line, id, Reason::NoDamage);
        }
        if self.is_interdicted_home(seat, ship.at) {
            return self.ship_failed(line, id, Reason::SectorInterdicted);
        }
        let wanted = match dp {
            Amount::Number(number) => number.min(missing),
            Amount::Max => missing,
        };
        let needed = wanted.div_ceil(rate);
        let (mut paid, mut skipped) = (0, Vec::new());
        for &name in worlds {
            if paid == needed {
                break;
            }
            match self.funds(seat, name, ship.at) {
                Ok(world) => {
                    let stockpile = &mut self.game.galaxy.world_mut(world).stockpile;
                    let share = (needed - paid).min(*stockpile);
                    *stockpile -= share;
                    paid += share;
                    skipped.push((name, Reason::NoFunds));
                }
                Err(reason) => skipped.push((name, reason)),
            }
        }
        // R41: every RU repairs `rate` points, but never more than the damage.
        let repaired = missing.min(rate * paid) as u16;
        if repaired > 0 {
            self.game.galaxy.ship_mut(id).dp += repaired;
            self.ledger.done(line);
            self.add_repair_news(Section::from(Phase::Repair), id, Deed::Repaired, repaired);
        }
        // If the ship is completely repaired, it does not matter that some worlds could not pay.
        if paid < needed {
            for (name, reason) in skipped {
                self.ledger.failed(line, name, reason);
            }
        }
    }

    /// R42: returns whether the ship's empire has an interdicted world in the sector.
    fn is_interdicted_home(&self, seat: Seat, at: crate::geometry::Sector) -> bool {
        let world = self.objects.world(at).map(|world| self.galaxy().world(world));
        world.is_some_and(|world| world.owner == Some(seat) && world.siege == Siege::Interdicted)
    }

    fn funds(
        &self,
        seat: Seat,
        name: Name,
        at: crate::geometry::Sector,
    ) -> Result<WorldId, Reason> {
        let id = self.usable_world(seat, name)?;
        let world = self.galaxy().world(id);
        if world.siege != Siege::None && world.at != at {
            Err(Reason::Blockaded)
        } else if world.stockpile == 0 {
            Err(Reason::NoFunds)
        } else {
            debug_assert!(id.index() < self.worlds.len(), "no world is added after 6.1");
            Ok(id)
        }
    }
}
