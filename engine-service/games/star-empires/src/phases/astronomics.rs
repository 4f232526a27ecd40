//! 6.1 astronomics: what the game master changes, then portals and storms.

use crate::index::ObjectIndex;
use crate::master::Astronomics;
use crate::update::{Update, WorldTurn};

impl Update<'_> {
    /// The phases of chapter 6.1, in their order.
    pub(crate) fn astronomics(&mut self, waiting: &[Astronomics]) {
        self.master_changes(waiting);
        self.stabilize_portals();
        self.collapse_portals();
        self.fluctuate_storms();
    }

    /// 6.1.1 to 6.1.6: what the game master changes; also outside an update (notes 12.2). Afterwards objects stay where
    /// they are and keep their ids, so what depends on that is made anew here.
    pub(crate) fn master_changes(&mut self, waiting: &[Astronomics]) {
        self.remove_objects(waiting);
        self.move_objects(waiting);
        self.add_objects(waiting);
        self.modify_objects(waiting);
        self.remove_known(waiting);
        self.add_known(waiting);
        self.objects = ObjectIndex::build(self.galaxy());
        self.worlds = vec![WorldTurn::default(); self.galaxy().worlds.len()];
        self.index_ships();
    }

    /// 6.1.1: connections, objects and ships leave the game.
    fn remove_objects(&mut self, _waiting: &[Astronomics]) {
        let _ = &self.game;
    }

    /// 6.1.2: objects and ships are moved.
    fn move_objects(&mut self, _waiting: &[Astronomics]) {
        let _ = &self.game;
    }

    /// 6.1.3: classes, portals, storms, worlds, connections and ships are added.
    fn add_objects(&mut self, _waiting: &[Astronomics]) {
        let _ = &self.game;
    }

    /// 6.1.4: worlds, storms and ships are changed, collapses scheduled.
    fn modify_objects(&mut self, _waiting: &[Astronomics]) {
        let _ = &self.game;
    }

    /// 6.1.5: knowledge is taken away.
    fn remove_known(&mut self, _waiting: &[Astronomics]) {
        let _ = &self.game;
    }

    /// 6.1.6: knowledge is given.
    fn add_known(&mut self, _waiting: &[Astronomics]) {
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
