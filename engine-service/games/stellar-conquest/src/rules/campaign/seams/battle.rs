//! Where articles replace rules of battles.

use heliopause_kernel::Refusal;

use crate::rules::battle::stages::Step;
use crate::rules::campaign::fate::pirates::fate_disengage;
use crate::rules::campaign::fate::{independents, pirates};
use crate::rules::campaign::outer_space::brief::space_after_limited_round;
use crate::rules::referee::Referee;
use crate::state::battle::{Battle, Shot};
use crate::state::campaign::Campaign;
use crate::state::campaign::fate::Fate;
use crate::state::power::Eyes;

/// Base 12.7 v: the next round. Fate 7.6: pirates may disengage first; says whether they did, so
/// that the battle is over.
pub(crate) fn before_next_round(referee: &mut Referee<'_>) -> bool {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => false,
        Campaign::Fate(_) => fate_disengage(referee),
    }
}

/// Base 12.2, 12.7 ii: without warships on either side the attacker withdraws. Fate 7.7, FR-6:
/// after one roll for disengagement. Says whether the battle is over by that roll.
pub(crate) fn before_unarmed_withdrawal(referee: &mut Referee<'_>) -> bool {
    before_next_round(referee)
}

/// Base: battles have no limit, but one would end them. Space 7.1, 9.1: a round or two.
pub(crate) fn after_limited_round(referee: &mut Referee<'_>) -> Step {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::Fate(_) => Step::Over,
        Campaign::OuterSpace(_) => space_after_limited_round(referee),
    }
}

impl Eyes<'_> {
    /// Base 12.3, 13.4: a defender aims as they like. Fate 7.2, 8.3: pirates and bases of
    /// independents do as the article says, up to the order of alike ships. The shots that are
    /// taken by default; nothing if the seat is free.
    pub(crate) fn prescribed_shots(&self, battle: &Battle) -> Option<Vec<Shot>> {
        self.table.campaign.fate()?;
        match self.seat {
            seat if seat == Fate::pirates() => Some(pirates::default_shots(battle)),
            seat if seat == Fate::independents() => Some(independents::default_shots(battle)),
            _ => None,
        }
    }

    /// The prescribed shots, judged: whether shots differ from the prescribed ones in the order of
    /// alike ships alone.
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
