//! Automation sleeps if no person has looked for a while, and wakes at the next look.
//!
//! Only the service knows who looks: it takes a step when automation falls asleep and one when it
//! wakes, so replays and other engines know it too. During sleep the table asks automated seats
//! nothing, and the clock stands if it awaits nobody else. When automation wakes, it has the whole
//! time of its phase. A person's deadline passes as always, with the defaults for sleeping seats.

use heliopause_proto::store::v1::{Step, step};
use heliopause_proto::v1::{DeadlineReason, GameStatus};
use prost_types::Timestamp;

use crate::telling::Telling;
use crate::time::{Millis, stamp};
use crate::{Fault, Table, table};

impl Table {
    /// Since when automation sleeps, if it does.
    pub fn asleep_since(&self) -> Option<Millis> {
        let in_play = matches!(self.status(), GameStatus::Running | GameStatus::Paused);
        table::at(self.state.asleep_since.as_ref()).filter(|_| in_play)
    }

    pub(crate) fn fall_asleep(&mut self, telling: &mut Telling) -> Result<(), Fault> {
        // While it sleeps it is asked nothing either.
        if self.wanted().is_empty() {
            return Err(self.wrong_status("Automation is asked nothing here."));
        }
        self.state.asleep_since = Some(stamp(telling.now));
        Ok(())
    }

    pub(crate) fn wake(&mut self, telling: &mut Telling) -> Result<(), Fault> {
        let stood = self.clock_stands();
        if self.state.asleep_since.take().is_none() {
            return Err(self.wrong_status("Automation is awake."));
        }
        if stood && self.state.deadline.is_some() {
            let kind = self.pending().first().map_or("", |decision| decision.kind);
            let due = self.falls_due(kind, telling.now);
            self.move_deadline(due, DeadlineReason::Awake, telling);
        }
        Ok(())
    }

    /// Whether only automation is awaited, and sleeps.
    fn clock_stands(&self) -> bool {
        let is_automated = |seat| self.automation_of(seat).is_some();
        self.asleep_since().is_some()
            && self.pending().iter().all(|decision| is_automated(decision.seat))
    }

    /// The deadline of the open phase, while its clock runs.
    pub(crate) fn running_deadline(&self) -> Option<Timestamp> {
        self.state.deadline.filter(|_| self.status() == GameStatus::Running && !self.clock_stands())
    }
}

/// Whether a step shows that a person looks at the game, wherever they take it.
pub fn is_look(step: &Step) -> bool {
    match &step.kind {
        Some(step::Kind::AutomationWoken(_)) => true,
        Some(step::Kind::OrdersGiven(given)) => given.automation.is_empty(),
        Some(step::Kind::VoteCast(cast)) => cast.automation.is_empty(),
        _ => !step.by.is_empty(),
    }
}
