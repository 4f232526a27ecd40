//! 6.3 combat: everything happens at once; ownership follows.

use crate::ledger::Orders;
use crate::update::Update;

impl Update<'_> {
    /// The phases of chapter 6.3, in their order.
    pub(crate) fn combat(&mut self, orders: &Orders) {
        self.self_destruct_ships(orders);
        self.fire_guns(orders);
        self.apply_combat_damage();
        self.remove_destroyed_in_combat();
        self.auto_repair_ships();
        self.determine_ownership_after_combat();
    }

    /// 6.3.1: DESTRUCT, and its collateral damage.
    fn self_destruct_ships(&mut self, _orders: &Orders) {
        let _ = &self.game;
    }

    /// 6.3.2: FIRE.
    fn fire_guns(&mut self, _orders: &Orders) {
        let _ = &self.game;
    }

    /// 6.3.3: shots and collateral damage land.
    fn apply_combat_damage(&mut self) {
        let _ = &self.game;
    }

    /// 6.3.4: destroyed ships leave, with their cargo.
    fn remove_destroyed_in_combat(&mut self) {
        let _ = &self.game;
    }

    /// 6.3.5: damaged ships repair themselves.
    fn auto_repair_ships(&mut self) {
        let _ = &self.game;
    }

    /// 6.3.6: who holds each world.
    fn determine_ownership_after_combat(&mut self) {
        let _ = &self.game;
    }
}
