//! Notes 12: what the game master orders between updates.

use heliopause_kernel::{Dice, Emitted, Refusal};

use crate::event::Event;
use crate::master::MasterOrder;
use crate::position::StarEmpires;

impl StarEmpires {
    /// Judges an order of the game master, who knows everything.
    pub(crate) fn judge_master(&self, _order: &MasterOrder) -> Result<(), Refusal> {
        todo!("notes 12.1: limits and what can never be")
    }

    /// Carries out an order of the game master that was judged, or lets it wait.
    pub(crate) fn obey_master(&mut self, _order: MasterOrder, _dice: &mut Dice) -> Emitted<Event> {
        todo!("notes 12.2")
    }
}
