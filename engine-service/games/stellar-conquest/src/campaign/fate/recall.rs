//! Fate 4.4: ships that are withdrawn to the Empire, and debts.

use crate::judge::{Verdict, refuse};
use crate::power::Eyes;
use crate::referee::Referee;
use crate::ship::ShipNumber;

/// What is asked.
pub(crate) fn prompt(half_points: u32) -> String {
    let half = if half_points % 2 == 1 { "½" } else { "" };
    format!("The Empire withdraws ships worth {}{half} points: choose which.", half_points / 2)
}

/// The least sum of ship values that reaches what is owed: exactly it if possible (FR-12), else the smallest above it;
/// all of them if that is less. In half ship points.
pub(crate) fn least_sum(_values: &[u32], _owed: u32) -> u32 {
    todo!("fate 4.4, FR-12")
}

impl Eyes<'_> {
    /// The ships that can be withdrawn now: those in star hexes; with Unlimited Ship Communication all on the board.
    pub(crate) fn recallable(&self) -> Vec<ShipNumber> {
        todo!("fate 4.4")
    }

    /// 6b: whether a landing has to wait for a debt: one that can be paid, at least in part, and was not asked for in this
    /// player-turn. The player then ends his attacks by `Order::EndTurn`, which asks for it.
    pub(crate) fn judge_debt(&self) -> Verdict {
        let owed = self.table.campaign.fate().is_some_and(|fate| fate.debt > 0);
        if owed && !self.power.landing && !self.recallable().is_empty() {
            return refuse(
                "debt-first",
                "fate-4.4",
                "End your attacks first: the Empire is owed ships, then you land.",
            );
        }
        Ok(())
    }

    pub(crate) fn judge_recall(&self, _ships: &[ShipNumber]) -> Verdict {
        todo!("fate 4.4")
    }
}

impl Referee<'_> {
    /// Withdraws ships that were judged; then the turn goes on with its movement, or with its landings.
    pub(crate) fn recall(&mut self, _ships: &[ShipNumber]) {
        todo!("fate 4.4")
    }

    /// Step 6b: asks for a debt that can be paid, once a player-turn, before the first landing. Says whether it asked. All
    /// ships that can go are taken without asking if they are worth no more than the debt. Ends with
    /// `Event::LandingBegan`, so that it is not asked again.
    pub(crate) fn fate_collect_debt(&mut self) -> bool {
        todo!("fate 4.4, 6b")
    }
}
