//! Battle rules that variants replace.

use heliopause_kernel::Refusal;

use crate::rules::battle::stages::Step;
use crate::rules::campaign::fate::pirates::fate_disengage;
use crate::rules::campaign::fate::{independents, pirates};
use crate::rules::campaign::outer_space::limited_battles::space_after_limited_round;
use crate::rules::referee::Referee;
use crate::state::{Battle, Campaign, Fate, SeatView, Shot};

/// Runs before the next round (base 12.7 v). In The Fate of Empire, pirates may disengage (fate
/// 7.6). Returns whether this ended the battle.
pub(crate) fn before_next_round(referee: &mut Referee<'_>) -> bool {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => false,
        Campaign::Fate(_) => fate_disengage(referee),
    }
}

/// Runs before a withdrawal if neither side has a warship (base 12.2, 12.7 ii). In The Fate of
/// Empire, pirates roll once for disengagement (fate 7.7, FR-6). Returns whether this ended the
/// battle.
pub(crate) fn before_unarmed_withdrawal(referee: &mut Referee<'_>) -> bool {
    before_next_round(referee)
}

/// Returns the step after a round of a limited battle. Only Alone in Outer Space has such battles,
/// of one or two rounds (space 7.1, 9.1).
pub(crate) fn after_limited_round(referee: &mut Referee<'_>) -> Step {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::Fate(_) => Step::Over,
        Campaign::OuterSpace(_) => space_after_limited_round(referee),
    }
}

impl SeatView<'_> {
    /// Returns the prescribed shots of pirates and independent bases, whose identical targets may
    /// be exchanged (fate 7.2, 8.3). `None` for players, who choose their shots (base 12.3, 13.4).
    pub(crate) fn prescribed_shots(&self, battle: &Battle) -> Option<Vec<Shot>> {
        self.table.campaign.fate()?;
        match self.seat {
            seat if seat == Fate::pirates() => Some(pirates::default_shots(battle)),
            seat if seat == Fate::independents() => Some(independents::default_shots(battle)),
            _ => None,
        }
    }

    pub(crate) fn judge_prescribed(&self, battle: &Battle, shots: &[Shot]) -> Result<(), Refusal> {
        match self.table.campaign.fate() {
            Some(_) if self.seat == Fate::pirates() => pirates::judge_shots(battle, shots),
            Some(_) if self.seat == Fate::independents() => {
                independents::judge_shots(battle, shots)
            }
            _ => Ok(()),
        }
    }
}
