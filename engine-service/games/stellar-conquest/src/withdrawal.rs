//! Rule 12.7, 12.8: after a round: who withdraws, and where to.

use heliopause_kernel::Seat;

use crate::battle::UnitId;
use crate::board::Place;
use crate::judge::Verdict;
use crate::power::Eyes;
use crate::referee::Referee;
use crate::stars::StarId;

impl Eyes<'_> {
    pub(crate) fn judge_withdraw(&self, _units: &[UnitId], _destination: Option<StarId>) -> Verdict {
        todo!("12.7, 12.8")
    }

    pub(crate) fn judge_send_to(&self, _at: Place) -> Verdict {
        todo!("12.8")
    }

    /// `RefugePolicy::Away`: the neighbour farthest from the entry hex of those who leave, no star hex if there is another;
    /// the first direction among equals. Public knowledge.
    pub(crate) fn default_refuge(&self) -> Place {
        todo!("12.8")
    }
}

impl Referee<'_> {
    /// 12.7: what comes after a round, in order (i) to (v).
    pub(crate) fn after_round(&mut self) {
        todo!("12.7")
    }

    pub(crate) fn withdraw(&mut self, _seat: Seat, _units: Vec<UnitId>, _destination: Option<StarId>) {
        todo!("12.7")
    }

    /// 12.8: moves those who leave; BR-11: into a star hex with others, where they attack.
    pub(crate) fn send_to(&mut self, _at: Place) {
        todo!("12.8")
    }

    /// Ends a battle, tells what is left, and goes on with the turn.
    pub(crate) fn end_battle(&mut self) {
        todo!("12.7")
    }
}
