//! Sandbox games: scripted dice and a clock that can be set forward.
//!
//! The owner has every seat and is the game master. A seat reserved for a guest belongs to the
//! guest once they join, and the owner may still act for that seat. If a scripted value does not
//! fit its die, the table refuses the owner's step and restores a copy from before the step. If the
//! step cannot be refused, the seed decides the die.

use heliopause_kernel::{Dice, UnusableRoll};
use heliopause_proto::store::v1::{ClockAdvanced, DiceScripted};
use heliopause_proto::v1::{ErrorReason, SandboxChanged, SandboxRating, event};

use crate::chain::Hash;
use crate::effects::Effects;
use crate::project::is;
use crate::time::{DAY, span};
use crate::{Fault, Table};

const DICE_MAX: usize = 10_000;
const AHEAD_SECONDS_MAX: i64 = 3_650 * DAY / 1000;

impl Table {
    pub(crate) fn is_sandbox_owner(&self, by: &str) -> bool {
        let sandbox = self.state.created.as_ref().and_then(|created| created.sandbox.as_ref());
        is(sandbox.and_then(|sandbox| sandbox.owner.as_ref()), by)
    }

    fn require_sandbox(&self, by: &str) -> Result<(), Fault> {
        if !self.is_sandbox() {
            let text = "This call is possible only in a sandbox game.";
            return Err(Fault::new(ErrorReason::NotSandbox, text));
        }
        if self.is_sandbox_owner(by) {
            return Ok(());
        }
        // A caller who cannot see the game was rejected earlier.
        Err(Fault::role("game-master", "Only the owner of the sandbox game may make this call."))
    }

    /// Returns whether a step may be refused because of unfit dice: only steps of the owner, who
    /// scripted the dice.
    pub(crate) fn may_refuse_dice(&self, by: &str) -> bool {
        self.state.created.is_some()
            && self.is_sandbox_owner(by)
            && self.dice.script().next().is_some()
    }

    /// Rejects a step whose scripted value does not fit its die, if the step can be refused.
    /// Otherwise publishes that the seed decided the die.
    pub(crate) fn check_dice(
        &mut self,
        refusable: bool,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        let Some(unfit) = self.dice.take_unusable() else { return Ok(()) };
        let UnusableRoll { value, sides, draw } = unfit;
        let text = format!(
            "The scripted value {value} does not fit the die for {}, which has {sides} sides",
            draw.purpose()
        );
        if refusable {
            let text = format!("{text}. Script another value with `replace`.");
            return Err(Fault::field("dice", text));
        }
        self.publish_to_sandbox(format!("{text}; the seed decided instead."), effects);
        Ok(())
    }

    /// Returns the rating changes that a rated game would have caused, by seat.
    pub fn sandbox_ratings(&self) -> &[SandboxRating] {
        &self.state.sandbox_ratings
    }

    /// Checks that the game is a sandbox and the caller its owner.
    pub fn check_sandbox(&self, by: &str) -> Result<(), Fault> {
        self.require_sandbox(by)
    }

    pub(crate) fn script_dice(
        &mut self,
        by: &str,
        scripted: &DiceScripted,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        self.require_sandbox(by)?;
        let kept: Vec<u32> =
            if scripted.replace { Vec::new() } else { self.dice.script().collect() };
        let count = kept.len() + scripted.dice.len();
        if count > DICE_MAX {
            let text = format!("A script can have at most {DICE_MAX} dice, not {count}.");
            return Err(Fault::field("dice", text));
        }
        if scripted.dice.contains(&0) {
            return Err(Fault::field("dice", "0 is not a value of a die; the minimum is 1."));
        }
        let seed = <Hash>::try_from(self.state.dice_seed.as_ref()).unwrap_or(self.secret);
        self.dice = Dice::new(seed).scripted(kept.into_iter().chain(scripted.dice.iter().copied()));
        self.publish_to_sandbox("Dice were scripted.", effects);
        Ok(())
    }

    pub fn scripted_dice(&self) -> Vec<u32> {
        self.dice.script().collect()
    }

    pub(crate) fn advance_clock(
        &mut self,
        by: &str,
        set: &ClockAdvanced,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        self.require_sandbox(by)?;
        let seconds = set.by.as_ref().map_or(0, span) / 1000;
        let ahead = self.state.clock_ahead_seconds.saturating_add(seconds);
        if seconds < 1 || ahead > AHEAD_SECONDS_MAX {
            let text = format!(
                "The clock can be set forward by at least 1 second, and by at most 10 years in \
                 total; it is already {} s ahead.",
                self.state.clock_ahead_seconds
            );
            return Err(Fault::field("by", text));
        }
        self.state.clock_ahead_seconds = ahead;
        self.publish_to_sandbox("The clock was set forward.", effects);
        Ok(())
    }

    fn publish_to_sandbox(&self, text: impl Into<String>, effects: &mut Effects) {
        let scripted_dice = self.dice.script().count() as u32;
        let clock_ahead_seconds = self.state.clock_ahead_seconds;
        let body = SandboxChanged { scripted_dice, clock_ahead_seconds };
        effects.everyone(text, event::Body::SandboxChanged(body));
    }
}
