//! Automation sleeps if no person has looked for a while, and wakes at the next look.
//!
//! Only the service knows who looks: it takes a step when automation falls asleep and one when it
//! wakes, so replays and other engines know it too. During sleep the table asks automated seats
//! nothing, and the clock stands if it awaits nobody else. When automation wakes, it has the whole
//! time of its phase. A person's deadline passes as always, with the defaults for sleeping seats.
//!
//! A game that its last player has left sleeps at once, whoever looks, until somebody takes a seat
//! over: nobody is there to end it.

use heliopause_proto::store::v1::{SeatState, Step, seat_state, step};
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

    /// Whether its last player has left the game: each seat is automation's, and one may be taken
    /// over. A game master stays.
    pub fn is_left(&self) -> bool {
        let is_played =
            |seat: &SeatState| matches!(seat.occupant, Some(seat_state::Occupant::Player(_)));
        let mut seats = self.state.seats.iter();
        !self.is_sandbox()
            && self.created().game_master.is_none()
            && seats.clone().any(|seat| seat.vacant)
            && !seats.any(is_played)
    }

    /// Puts automation to sleep if the last player has left.
    pub(crate) fn sleep_if_left(&mut self, now: Millis) {
        if self.is_left() {
            self.state.asleep_since.get_or_insert(stamp(now));
        }
    }

    pub(crate) fn wake(&mut self, telling: &mut Telling) -> Result<(), Fault> {
        if self.asleep_since().is_none() {
            return Err(self.wrong_status("Automation is awake."));
        }
        if self.is_left() {
            let text = "All players have left. Automation wakes when somebody takes a seat over.";
            return Err(self.wrong_status(text));
        }
        self.wake_up(telling);
        Ok(())
    }

    /// Wakes automation, if it sleeps.
    pub(crate) fn wake_up(&mut self, telling: &mut Telling) {
        let stood = self.clock_stands();
        self.state.asleep_since = None;
        if stood && self.state.deadline.is_some() {
            let kind = self.pending().first().map_or("", |decision| decision.kind);
            let due = self.falls_due(kind, telling.now);
            self.move_deadline(due, DeadlineReason::Awake, telling);
        }
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
