//! Rule 16: landings, and people above capacity.

use heliopause_kernel::Seat;

use crate::cards::PlanetId;
use crate::judge::Verdict;
use crate::power::Eyes;
use crate::referee::Referee;
use crate::ship::ShipNumber;

impl Eyes<'_> {
    /// 16.1 to 16.3, 16.7, 15.4; garrisons: fate 8.5.
    pub(crate) fn judge_land(&self, _ships: &[ShipNumber], _planet: PlanetId) -> Verdict {
        todo!("16")
    }
}

impl Referee<'_> {
    /// 16.1: lands transports. The first landing ends the attacks of the turn (4): `Event::LandingBegan`.
    pub(crate) fn land(&mut self, _seat: Seat, _ships: &[ShipNumber], _planet: PlanetId) {
        todo!("16")
    }

    /// 16.6: people above capacity die, on the colonies that a seat commands.
    pub(crate) fn cull(&mut self, _seat: Seat) {
        todo!("16.6")
    }
}
