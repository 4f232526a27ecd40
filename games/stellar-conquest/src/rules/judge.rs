//! Turn checks and refusals. All orders are judged from the knowledge of the seat that gives them.

use std::sync::LazyLock;

use heliopause_kernel::Refusal;

use crate::state::{Battle, SeatView, Stage};
use crate::tables::texts::{Sentences, Values};

pub(crate) type Verdict = Result<(), Refusal>;

static REFUSALS: LazyLock<Sentences> =
    LazyLock::new(|| Sentences::read(include_str!("refusals.tsv")));

/// Rejects an order, such as by `refuse!("not-adjacent", at, last)`. The key of a row of
/// `refusals.tsv` is the reason. A word after a slash tells sentences with the same reason apart.
macro_rules! refuse {
    ($key:literal $($values:tt)*) => {
        Err($crate::rules::judge::refusal($key, $crate::tables::texts::values![$($values)*]))
    };
}
pub(crate) use refuse;

/// Returns the refusal of a row. If several rules have the sentence, one of the values is the rule.
pub(crate) fn refusal(key: &'static str, values: Values<'_>) -> Refusal {
    let reason = key.split('/').next().unwrap_or_default();
    let (message, rule) = REFUSALS.fill(key, values);
    let rule = match values.iter().find(|(name, _)| *name == "rule") {
        Some((_, given)) => given.to_string().into(),
        None => rule.into(),
    };
    Refusal { rule, ..Refusal::new(reason, "", message) }
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
            return refuse!("wrong-phase", rule);
        }
        if self.table.active != self.seat {
            let active = self.table.active.number();
            return refuse!("not-your-turn", rule, active);
        }
        if self.table.stage != stage {
            return refuse!("wrong-step", rule, when = when(stage));
        }
        Ok(())
    }

    /// Requires this seat to be the active player and no battle to be in progress.
    pub(crate) fn is_on_turn(&self, rule: &'static str) -> Verdict {
        let between = matches!(self.table.stage, Stage::Movement | Stage::Combat | Stage::Planets);
        if between && self.table.active == self.seat {
            return Ok(());
        }
        refuse!("not-your-turn/battle", rule)
    }

    pub(crate) fn asked_in_battle(&self, rule: &'static str) -> Result<&Battle, Refusal> {
        match self.table.battle.as_deref() {
            Some(battle) if battle.waits_for().contains(self.seat) => Ok(battle),
            _ => refuse!("nothing-asked", rule),
        }
    }
}
