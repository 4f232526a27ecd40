//! 6.8 scanning: what each empire gets to know.

use heliopause_kernel::Emitted;

use crate::event::Event;
use crate::galaxy::Galaxy;
use crate::ledger::Orders;
use crate::master::Astronomics;
use crate::position::StarEmpires;
use crate::section::Section;
use crate::update::{Update, Wreck};

/// Notes 11.2, step 7: makes map 0: 6.8.3 and 6.8.5 once, before anybody has ordered anything.
pub(crate) fn first_map(_game: &mut StarEmpires) {}

impl Update<'_> {
    /// The phases of chapter 6.8, in their order.
    pub(crate) fn knowledge(&mut self, orders: &Orders) {
        self.deny_access(orders);
        self.authorize_access(orders);
        self.collect_scans();
        self.share_scans();
        self.record_objects();
    }

    /// 6.8.3: what own ships see.
    fn collect_scans(&mut self) {
        let _ = &self.game;
    }

    /// 6.8.4: what others let one see.
    fn share_scans(&mut self) {
        let _ = &self.game;
    }

    /// 6.8.5: what was found enters the map, and who was met the list of contacts.
    fn record_objects(&mut self) {
        let _ = &self.game;
    }

    /// Notes 8.6: freezes what the owners of ships that are being lost see of their sectors. Called by 6.3.4 and 6.4.6 once
    /// damage is applied and before the ships leave, with the wrecks of that phase; cargo sees nothing.
    pub(crate) fn take_pictures(&mut self, _section: Section, _wrecks: &[Wreck]) {
        let _ = &self.game;
    }

    /// Ends the update: lost ships leave the arrays, ships are sorted, reports and changes are made for every reader, and
    /// the ending is looked for (1.0).
    pub(crate) fn finish(self, orders: Orders, _waiting: Vec<Astronomics>, before: &Galaxy) -> Emitted<Event> {
        let empires = before.empires.len();
        let _ = orders.results(self.ledger, empires);
        self.game.galaxy.settle_ships();
        Emitted::new()
    }
}
