//! 6.7 income: RU.

use crate::ledger::Orders;
use crate::update::Update;

impl Update<'_> {
    /// The phases of chapter 6.7, in their order.
    pub(crate) fn income(&mut self, orders: &Orders) {
        self.produce();
        self.pool(orders);
        self.transfer(orders);
    }

    /// 6.7.1: worlds produce.
    fn produce(&mut self) {
        let _ = &self.game;
    }

    /// 6.7.2: POOL.
    fn pool(&mut self, _orders: &Orders) {
        let _ = &self.game;
    }

    /// 6.7.3: TRANSFER.
    fn transfer(&mut self, _orders: &Orders) {
        let _ = &self.game;
    }
}
