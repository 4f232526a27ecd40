//! Sandbox games: scripted dice and a clock that can be set forward.

use heliopause_kernel::{Dice, Unfit};
use heliopause_proto::store::v1::{ClockAdvanced, DiceScripted};
use heliopause_proto::v1::{ErrorReason, SandboxChanged, SandboxRating, event};

use crate::chain::Hash;
use crate::project::is;
use crate::telling::Telling;
use crate::time::{DAY, span};
use crate::{Fault, Table};

/// How many dice may wait.
const DICE_MAX: usize = 10_000;
/// How far a clock may run ahead: ten years.
const AHEAD_SECONDS_MAX: i64 = 3_650 * DAY / 1000;

impl Table {
    pub(crate) fn is_sandbox_owner(&self, by: &str) -> bool {
        let sandbox = self.state.created.as_ref().and_then(|created| created.sandbox.as_ref());
        is(sandbox.and_then(|sandbox| sandbox.owner.as_ref()), by)
    }

    fn require_sandbox(&self, by: &str) -> Result<(), Fault> {
        if !self.is_sandbox() {
            return Err(Fault::new(
                ErrorReason::NotSandbox,
                "This is no sandbox game: its dice and clock are its own.",
            ));
        }
        if self.is_sandbox_owner(by) {
            return Ok(());
        }
        // A caller who may not know the game has been refused before this.
        Err(Fault::role("game-master", "Only the owner of a sandbox game may do this."))
    }

    /// Whether the taker of a step may have its dice refused: the owner, who scripted them.
    pub(crate) fn answers_for_dice(&self, by: &str) -> bool {
        self.state.created.is_some()
            && self.is_sandbox_owner(by)
            && self.dice.script().next().is_some()
    }

    /// Refuses a step whose script holds a value that the die has no side for, if its taker can be
    /// refused; else tells everybody.
    pub(crate) fn check_dice(
        &mut self,
        refusable: bool,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        let Some(unfit) = self.dice.take_unfit() else { return Ok(()) };
        let Unfit { value, sides, draw } = unfit;
        let text = format!(
            "The scripted {value} is no side of the die for {}: it has {sides} sides",
            draw.purpose()
        );
        if refusable {
            return Err(Fault::field(
                "dice",
                format!("{text}. Script another one with `replace`."),
            ));
        }
        self.tell_sandbox(format!("{text}; it fell by the seed."), telling);
        Ok(())
    }

    /// The changes that ratings would have had, by seat.
    pub fn sandbox_ratings(&self) -> &[SandboxRating] {
        &self.state.sandbox_ratings
    }

    /// Checks that somebody may use the sandbox calls on this game.
    pub fn check_sandbox(&self, by: &str) -> Result<(), Fault> {
        self.require_sandbox(by)
    }

    pub(crate) fn script_dice(
        &mut self,
        by: &str,
        scripted: &DiceScripted,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        self.require_sandbox(by)?;
        let kept: Vec<u32> =
            if scripted.replace { Vec::new() } else { self.dice.script().collect() };
        if kept.len() + scripted.dice.len() > DICE_MAX {
            return Err(Fault::field("dice", format!("At most {DICE_MAX} dice may wait.")));
        }
        if scripted.dice.contains(&0) {
            return Err(Fault::field("dice", "Dice show 1 or more."));
        }
        let seed = <Hash>::try_from(self.state.dice_seed.as_ref()).unwrap_or(self.secret);
        self.dice = Dice::new(seed).scripted(kept.into_iter().chain(scripted.dice.iter().copied()));
        self.tell_sandbox("Dice were scripted.", telling);
        Ok(())
    }

    /// How many scripted dice are waiting, and which.
    pub fn scripted_dice(&self) -> Vec<u32> {
        self.dice.script().collect()
    }

    pub(crate) fn advance_clock(
        &mut self,
        by: &str,
        set: &ClockAdvanced,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        self.require_sandbox(by)?;
        let seconds = set.by.as_ref().map_or(0, span) / 1000;
        let ahead = self.state.clock_ahead_seconds.saturating_add(seconds);
        if seconds < 1 || ahead > AHEAD_SECONDS_MAX {
            let text = "A clock is set forward by a second or more, and not by more than ten years \
                in all.";
            return Err(Fault::field("by", text));
        }
        self.state.clock_ahead_seconds = ahead;
        self.tell_sandbox("The clock was set forward.", telling);
        Ok(())
    }

    fn tell_sandbox(&self, text: impl Into<String>, telling: &mut Telling) {
        let scripted_dice = self.dice.script().count() as u32;
        let clock_ahead_seconds = self.state.clock_ahead_seconds;
        let body = SandboxChanged { scripted_dice, clock_ahead_seconds };
        telling.everyone(text, event::Body::SandboxChanged(body));
    }
}
