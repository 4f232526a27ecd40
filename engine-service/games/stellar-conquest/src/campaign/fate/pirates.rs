//! Fate 7: combat with pirates.

use crate::battle::{Battle, Shot};
use crate::judge::Verdict;
use crate::referee::Referee;

/// 7.2: at what pirate corvettes fire, the first unit of a type first.
pub(crate) fn default_shots(_battle: &Battle) -> Vec<Shot> {
    todo!("fate 7.2")
}

/// 7.2, 12: whether shots differ from the prescribed ones in the order of ships of one type alone.
pub(crate) fn judge_shots(_battle: &Battle, _shots: &[Shot]) -> Verdict {
    todo!("fate 7.2")
}

impl Referee<'_> {
    /// 7.6: rolls for disengagement; says whether the pirates left, which ends the battle. Nothing in attacks on planets.
    pub(crate) fn fate_disengage(&mut self) -> bool {
        todo!("fate 7.6")
    }
}
