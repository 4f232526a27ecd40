//! 6.4 movement: moves, and damage by storms. Portals are in `wormnet`, and worlds in `ownership`.

use heliopause_kernel::SeatSet;

use crate::geometry::Sector;
use crate::ids::{Id, ShipId};
use crate::ledger::Orders;
use crate::order::{Line, Phase};
use crate::reason::Reason;
use crate::report::Deed;
use crate::section::Section;
use crate::update::Update;

impl Update<'_> {
    pub(crate) fn movement(&mut self, orders: &Orders) {
        self.transmit_navigation_data(orders);
        self.move_ships(orders);
        let journeys = self.traverse_portals(orders);
        self.acquire_navigation_data(&journeys);
        self.apply_ion_storms();
        self.remove_destroyed(Section::of("6.4.6"), Deed::DestroyedByStorm);
        self.determine_ownership(Section::of("6.4.7"));
        self.relocate_homeworlds();
        self.establish_interdictions_and_blockades();
    }

    /// 6.4.2: runs the MOVE lines. If some ships of a line cannot move, the others still move.
    fn move_ships(&mut self, orders: &Orders) {
        let section = Section::from(Phase::Move);
        let mut arrived = Vec::new();
        for (line, seat, it) in orders.of(Phase::Move) {
            let Line::Move { ships, to } = it else { continue };
            let Some(to) = self.spot(seat, *to) else {
                self.ledger.refused(line, Reason::Vanished);
                continue;
            };
            let selected = self.select_live(line, seat, ships);
            let Some(&first) = selected.ships.first() else { continue };
            let from = self.galaxy().ship(first).at;
            for id in selected.ships {
                if !selected.named && self.is_immobile(id) {
                    continue;
                }
                if let Some(reason) = self.cannot_move(id, from, to) {
                    self.ship_failed(line, id, reason);
                    continue;
                }
                self.ledger.done(line);
                if from != to {
                    self.add_ship_news(section, id, Deed::Departed, 0);
                    self.move_with_cargo(id, to);
                    self.ships[id.index()].moved = true;
                    arrived.push(id);
                }
            }
        }
        self.arrive(section, arrived, Deed::Arrived);
    }

    pub(crate) fn arrive(&mut self, section: Section, ships: Vec<ShipId>, deed: Deed) {
        if ships.is_empty() {
            return;
        }
        self.index_ships();
        for id in ships {
            self.add_ship_news(section, id, deed, 0);
        }
    }

    /// Notes 4.3: returns whether the ship's class has no engines. A selection by place omits such
    /// ships.
    pub(crate) fn is_immobile(&self, id: ShipId) -> bool {
        let galaxy = self.galaxy();
        galaxy.class_of(galaxy.ship(id)).ratings.engines == 0
    }

    fn cannot_move(&self, id: ShipId, from: Sector, to: Sector) -> Option<Reason> {
        let (ship, turn) = (self.galaxy().ship(id), &self.ships[id.index()]);
        let engines = self.galaxy().engines(ship);
        if ship.is_loaded() {
            Some(Reason::Loaded)
        } else if turn.fired > 0 {
            Some(Reason::Fired)
        } else if turn.moved {
            // R78: only the first order that moves a ship counts.
            Some(Reason::AlreadyMoved)
        } else if ship.at != from {
            Some(Reason::WrongSector)
        } else if engines == 0 {
            Some(Reason::NoEngines)
        } else {
            (ship.at.distance(to) > u32::from(engines)).then_some(Reason::TooFar)
        }
    }

    /// 6.4.5, R31: damages loose ships in storms, except those whose owner has a starbase in the
    /// same sector (R30).
    fn apply_ion_storms(&mut self) {
        let section = Section::of("6.4.5");
        for (at, rating) in self.objects.storm_ratings(self.galaxy()) {
            if rating == 0 {
                continue;
            }
            let there: Vec<ShipId> = self.index.in_sector(at).collect();
            let galaxy = self.galaxy();
            let bases =
                there.iter().map(|&id| galaxy.ship(id)).filter(|ship| galaxy.is_starbase(ship));
            let sheltered: SeatSet = bases.map(|ship| ship.owner).collect();
            for id in there {
                if sheltered.contains(self.galaxy().ship(id).owner) {
                    continue;
                }
                self.damage(id, rating);
                self.add_ship_news(section, id, Deed::StormDamage, rating);
            }
        }
    }
}
