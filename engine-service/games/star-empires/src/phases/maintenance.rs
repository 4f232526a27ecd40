//! 6.6 maintenance: ships are built, repaired, and their transponders set.

use crate::ledger::Orders;
use crate::update::Update;

impl Update<'_> {
    /// The phases of chapter 6.6, in their order.
    pub(crate) fn maintenance(&mut self, orders: &Orders) {
        self.build_ships(orders);
        self.repair_ships(orders);
        self.toggle_transponders(orders);
        self.conceal_ships(orders);
        self.identify_ships(orders);
    }

    /// 6.6.1: BUILD.
    fn build_ships(&mut self, _orders: &Orders) {
        let _ = &self.game;
    }

    /// 6.6.2: cargo of orbitals, then REPAIR.
    fn repair_ships(&mut self, _orders: &Orders) {
        let _ = &self.game;
    }

    /// 6.6.3: TOGGLE.
    fn toggle_transponders(&mut self, _orders: &Orders) {
        let _ = &self.game;
    }

    /// 6.6.4: CONCEAL.
    fn conceal_ships(&mut self, _orders: &Orders) {
        let _ = &self.game;
    }

    /// 6.6.5: IDENTIFY.
    fn identify_ships(&mut self, _orders: &Orders) {
        let _ = &self.game;
    }
}
