//! Rule 13: attacks on colonies.

use heliopause_kernel::Seat;

use crate::cards::PlanetId;
use crate::judge::Verdict;
use crate::power::Eyes;
use crate::referee::Referee;

impl Eyes<'_> {
    /// 13.1, 13.2: a warship in the hex, no enemy ships, no shield, colonies that are known and not held by this seat.
    pub(crate) fn judge_attack(&self, _planets: &[PlanetId]) -> Verdict {
        todo!("13.1, 13.2, BR-26")
    }

    pub(crate) fn judge_break_off(&self) -> Verdict {
        todo!("13.4")
    }

    pub(crate) fn judge_scuttle(&self, _factories: &[(PlanetId, u32)]) -> Verdict {
        todo!("13.5")
    }
}

impl Referee<'_> {
    /// 13.3: begins an attack, or its next round; a colony without bases is conquered at once.
    pub(crate) fn attack(&mut self, _seat: Seat, _planets: &[PlanetId]) {
        todo!("13.3")
    }

    pub(crate) fn break_off(&mut self) {
        todo!("13.4")
    }

    pub(crate) fn scuttle(&mut self, _seat: Seat, _factories: &[(PlanetId, u32)]) {
        todo!("13.5")
    }
}
