//! 6.2 logistics: cargo.

use crate::ledger::Orders;
use crate::update::Update;

impl Update<'_> {
    /// The phases of chapter 6.2, in their order.
    pub(crate) fn logistics(&mut self, orders: &Orders) {
        self.unload_ships(orders);
        self.load_ships(orders);
    }

    /// 6.2.1: UNLOAD, then loaded missiles that FIRE lines name.
    fn unload_ships(&mut self, _orders: &Orders) {
        let _ = &self.game;
    }

    /// 6.2.2: LOAD.
    fn load_ships(&mut self, _orders: &Orders) {
        let _ = &self.game;
    }
}
