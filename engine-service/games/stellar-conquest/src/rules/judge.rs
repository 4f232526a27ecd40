//! Whose move it is, and how an order is refused. `orders` says by which chapter each order is
//! judged, all of them by what its seat may know.

use heliopause_kernel::Refusal;

use crate::state::battle::Battle;
use crate::state::power::Eyes;
use crate::state::table::Stage;

/// What judging says.
pub(crate) type Verdict = Result<(), Refusal>;

/// A refusal.
pub(crate) fn refuse<T>(
    reason: &'static str,
    rule: &'static str,
    message: impl Into<String>,
) -> Result<T, Refusal> {
    Err(Refusal::new(reason, rule, message))
}

impl Eyes<'_> {
    /// Whether this seat is on turn and the game waits for it at this stage.
    pub(crate) fn may_act(&self, stage: Stage, rule: &'static str) -> Verdict {
        if self.table.stage.is_simultaneous() {
            return refuse("wrong-phase", rule, "All players are filling in their sheets.");
        }
        if self.table.active != self.seat {
            return refuse("not-your-turn", rule, "It is not your turn.");
        }
        if self.table.stage != stage {
            return refuse("wrong-step", rule, "That belongs to another step of the turn.");
        }
        Ok(())
    }

    /// Whether this seat is on turn, at any step but in the middle of a battle.
    pub(crate) fn is_on_turn(&self, rule: &'static str) -> Verdict {
        let between = matches!(self.table.stage, Stage::Movement | Stage::Combat | Stage::Planets);
        if between && self.table.active == self.seat {
            return Ok(());
        }
        refuse("not-your-turn", rule, "You can do that in your own turn, between battles.")
    }

    /// The battle in which this seat owes a decision.
    pub(crate) fn asked_in_battle(&self, rule: &'static str) -> Result<&Battle, Refusal> {
        match self.table.battle.as_deref() {
            Some(battle) if battle.waits_for().contains(self.seat) => Ok(battle),
            _ => refuse("nothing-asked", rule, "Nobody has asked you for that."),
        }
    }
}
