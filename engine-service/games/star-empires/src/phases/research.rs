//! 6.5 research: classes become known.

use crate::ledger::Orders;
use crate::update::Update;

impl Update<'_> {
    /// The phases of chapter 6.5, in their order.
    pub(crate) fn research(&mut self, orders: &Orders) {
        self.salvage_designs();
        self.create_designs(orders);
        self.give_designs(orders);
    }

    /// 6.5.1: classes of wrecks are salvaged.
    fn salvage_designs(&mut self) {
        let _ = &self.game;
    }

    /// 6.5.2: DESIGN.
    fn create_designs(&mut self, _orders: &Orders) {
        let _ = &self.game;
    }

    /// 6.5.3: GIVE.
    fn give_designs(&mut self, _orders: &Orders) {
        let _ = &self.game;
    }
}
