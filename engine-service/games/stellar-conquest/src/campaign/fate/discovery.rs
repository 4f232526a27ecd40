//! Fate 6: what is found at newly explored stars, and pirates that come later.

use heliopause_kernel::Seat;

use crate::referee::Referee;
use crate::stars::StarId;

impl Referee<'_> {
    /// 6.2 to 6.4: rolls the Planet Table for each planet of a star whose card was just drawn, in orbit order: independents
    /// become colonies of their seat, pirates ships of theirs.
    pub(crate) fn fate_populate(&mut self, _explorer: Seat, _star: StarId) {
        todo!("fate 6.2")
    }

    /// 6.5: a die for each star with an independent planet that was found in an earlier turn and in which ships ended a
    /// movement of this turn.
    pub(crate) fn fate_pirate_dice(&mut self, _seat: Seat) {
        todo!("fate 6.5")
    }
}
