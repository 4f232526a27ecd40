//! 6.4 movement: ships, portals, storms; then worlds change hands.

use crate::ledger::Orders;
use crate::update::Update;

impl Update<'_> {
    /// The phases of chapter 6.4, in their order.
    pub(crate) fn movement(&mut self, orders: &Orders) {
        self.transmit_navigation_data(orders);
        self.move_ships(orders);
        self.traverse_portals(orders);
        self.acquire_navigation_data();
        self.weather_ion_storms();
        self.remove_destroyed_by_storms();
        self.determine_ownership_after_movement();
        self.relocate_homeworlds();
        self.establish_interdictions_and_blockades();
    }

    /// 6.4.1: TRANSMIT.
    fn transmit_navigation_data(&mut self, _orders: &Orders) {
        let _ = &self.game;
    }

    /// 6.4.2: MOVE.
    fn move_ships(&mut self, _orders: &Orders) {
        let _ = &self.game;
    }

    /// 6.4.3: TRAVERSE.
    fn traverse_portals(&mut self, _orders: &Orders) {
        let _ = &self.game;
    }

    /// 6.4.4: who traversed knows the way.
    fn acquire_navigation_data(&mut self) {
        let _ = &self.game;
    }

    /// 6.4.5: storms damage ships.
    fn weather_ion_storms(&mut self) {
        let _ = &self.game;
    }

    /// 6.4.6: destroyed ships leave, with their cargo.
    fn remove_destroyed_by_storms(&mut self) {
        let _ = &self.game;
    }

    /// 6.4.7: who holds each world.
    fn determine_ownership_after_movement(&mut self) {
        let _ = &self.game;
    }

    /// 6.4.8: who lost his homeworld gets the safest world.
    fn relocate_homeworlds(&mut self) {
        let _ = &self.game;
    }

    /// 6.4.9, 6.4.10: which worlds are hindered.
    fn establish_interdictions_and_blockades(&mut self) {
        let _ = &self.game;
    }
}
