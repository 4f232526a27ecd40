//! 6.1 astronomics: what the game master changes, then portals and storms.

use crate::update::Update;

impl Update<'_> {
    /// The phases of chapter 6.1, in their order.
    pub(crate) fn astronomics(&mut self) {
        self.remove_objects();
        self.move_objects();
        self.add_objects();
        self.modify_objects();
        self.remove_known();
        self.add_known();
        self.stabilize_portals();
        self.collapse_portals();
        self.fluctuate_storms();
    }

    /// 6.1.1: connections, objects and ships leave the game.
    fn remove_objects(&mut self) {
        let _ = &self.game;
    }

    /// 6.1.2: objects and ships are moved.
    fn move_objects(&mut self) {
        let _ = &self.game;
    }

    /// 6.1.3: classes, portals, storms, worlds, connections and ships are added.
    fn add_objects(&mut self) {
        let _ = &self.game;
    }

    /// 6.1.4: worlds, storms and ships are changed, collapses scheduled.
    fn modify_objects(&mut self) {
        let _ = &self.game;
    }

    /// 6.1.5: knowledge is taken away.
    fn remove_known(&mut self) {
        let _ = &self.game;
    }

    /// 6.1.6: knowledge is given.
    fn add_known(&mut self) {
        let _ = &self.game;
    }

    /// 6.1.7: collapsed portals reform.
    fn stabilize_portals(&mut self) {
        let _ = &self.game;
    }

    /// 6.1.8: portals collapse.
    fn collapse_portals(&mut self) {
        let _ = &self.game;
    }

    /// 6.1.9: ratings of storms change.
    fn fluctuate_storms(&mut self) {
        let _ = &self.game;
    }
}
