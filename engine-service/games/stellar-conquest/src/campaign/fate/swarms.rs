//! Fate 5: Swarms.

use crate::referee::Referee;

impl Referee<'_> {
    /// 5: looks for a target and attacks it. Event I, and H without a war.
    pub(crate) fn fate_swarms(&mut self) {
        todo!("fate 5")
    }
}
