//! Turn checks and refusals. All orders are judged from the knowledge of the seat that gives them.

use heliopause_kernel::Refusal;

use crate::state::{Battle, SeatView, Stage};

pub(crate) type Verdict = Result<(), Refusal>;

pub(crate) fn refuse<T>(
    reason: &'static str,
    rule: &'static str,
    message: impl Into<String>,
) -> Result<T, Refusal> {
    Err(Refusal::new(reason, rule, message))
}

const fn when(stage: Stage) -> &'static str {
    match stage {
        Stage::Movement => "before you end your movement",
        Stage::Combat => "when you choose your next battle",
        Stage::Planets => "after the ship battles of your turn",
        Stage::Setup | Stage::Campaign(_) | Stage::Battle | Stage::Production | Stage::Over => {
            "in another step of the turn"
        }
    }
}

impl SeatView<'_> {
    /// Requires this seat to be the active player and the game to be at this stage.
    pub(crate) fn may_act(&self, stage: Stage, rule: &'static str) -> Verdict {
        if self.table.stage.is_simultaneous() {
            let message = "This order is allowed only in your own turn; now all players act at the same time.";
            return refuse("wrong-phase", rule, message);
        }
        if self.table.active != self.seat {
            let active = self.table.active.number();
            let message = format!("It is the turn of seat {active}, not yours.");
            return refuse("not-your-turn", rule, message);
        }
        if self.table.stage != stage {
            let message = format!("This order is allowed only {}.", when(stage));
            return refuse("wrong-step", rule, message);
        }
        Ok(())
    }

    /// Requires this seat to be the active player and no battle to be in progress.
    pub(crate) fn is_on_turn(&self, rule: &'static str) -> Verdict {
        let between = matches!(self.table.stage, Stage::Movement | Stage::Combat | Stage::Planets);
        if between && self.table.active == self.seat {
            return Ok(());
        }
        let message = "This order is allowed only in your own turn and not during a battle.";
        refuse("not-your-turn", rule, message)
    }

    pub(crate) fn asked_in_battle(&self, rule: &'static str) -> Result<&Battle, Refusal> {
        match self.table.battle.as_deref() {
            Some(battle) if battle.waits_for().contains(self.seat) => Ok(battle),
            _ => refuse("nothing-asked", rule, "No battle is waiting for your decision."),
        }
    }
}
