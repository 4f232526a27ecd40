//! Automation sleeps after a period without human activity and wakes at the next activity.
//!
//! Only the service can observe activity. It applies a step when automation falls asleep and
//! another when automation wakes, so replays and other engines reach the same state. While
//! automation sleeps, no worker gets its decisions, and the clock stops if no other seat owes a
//! decision. When automation wakes, it gets the full time of its phase. Deadlines of people pass as
//! usual, with default orders for sleeping seats.
//!
//! A game without present players sleeps immediately, even with viewers, until a player takes a seat
//! or plays on.

use heliopause_proto::store::v1::{SeatState, StandInReason, Step, seat_state, step};
use heliopause_proto::v1::{DeadlineReason, GameStatus};
use prost_types::Timestamp;

use crate::effects::Effects;
use crate::time::{Millis, at, stamp};
use crate::{Fault, Table};

impl Table {
    pub fn asleep_since(&self) -> Option<Millis> {
        let in_play = matches!(self.status(), GameStatus::Running | GameStatus::Paused);
        at(self.state.automation_suspended_at.as_ref()).filter(|_| in_play)
    }

    pub(crate) fn fall_asleep(&mut self, effects: &mut Effects) -> Result<(), Fault> {
        // This also covers automation that sleeps already, because `wanted` is then empty.
        if self.wanted().is_empty() {
            return Err(self.wrong_status("Automation has no pending decision in this game."));
        }
        self.state.automation_suspended_at = Some(stamp(effects.now));
        Ok(())
    }

    /// Returns whether every player has left a seat or missed deadlines until automation took it.
    /// Returns `false` for sandboxes, for games with a game master, and for games that only
    /// automation has played.
    pub fn is_left(&self) -> bool {
        let is_absent = |seat: &SeatState| seat.stand_in_reason() == StandInReason::Missed;
        let is_played = |seat: &SeatState| {
            matches!(seat.occupant, Some(seat_state::Occupant::Player(_))) && !is_absent(seat)
        };
        let mut seats = self.state.seats.iter();
        !self.is_sandbox()
            && self.created().game_master.is_none()
            && seats.clone().any(|seat| seat.vacant || is_absent(seat))
            && !seats.any(is_played)
    }

    pub(crate) fn sleep_if_left(&mut self, now: Millis) {
        if self.is_left() {
            self.state.automation_suspended_at.get_or_insert(stamp(now));
        }
    }

    pub(crate) fn wake(&mut self, effects: &mut Effects) -> Result<(), Fault> {
        if self.asleep_since().is_none() {
            return Err(self.wrong_status("Automation is already awake."));
        }
        if self.is_left() {
            let text = "All players are absent. Automation wakes when a player takes over a seat or \
                gives orders.";
            return Err(self.wrong_status(text));
        }
        self.wake_up(effects);
        Ok(())
    }

    /// Wakes automation because a player of a game without present players is back. Must be called
    /// before the player's stand-in is removed, so that the phase gets its full time.
    pub(crate) fn wake_if_left(&mut self, effects: &mut Effects) {
        if self.is_left() {
            self.wake_up(effects);
        }
    }

    fn wake_up(&mut self, effects: &mut Effects) {
        let stood = self.is_clock_stopped();
        self.state.automation_suspended_at = None;
        if stood && self.state.deadline.is_some() {
            let kind = self.pending().first().map_or("", |decision| decision.kind);
            let due = self.falls_due(kind, effects.now);
            self.move_deadline(due, DeadlineReason::AutomationResumed, effects);
        }
    }

    fn is_clock_stopped(&self) -> bool {
        let is_automated = |seat| self.automation_of(seat).is_some();
        self.asleep_since().is_some()
            && self.pending().iter().all(|decision| is_automated(decision.seat))
    }

    pub(crate) fn running_deadline(&self) -> Option<Timestamp> {
        self.state
            .deadline
            .filter(|_| self.status() == GameStatus::Running && !self.is_clock_stopped())
    }
}

/// Returns whether a step shows that a person is active in the game.
pub fn is_look(step: &Step) -> bool {
    match &step.kind {
        Some(step::Kind::AutomationResumed(_)) => true,
        Some(step::Kind::OrdersGiven(given)) => given.automation.is_empty(),
        Some(step::Kind::VoteCast(cast)) => cast.automation.is_empty(),
        _ => !step.by.is_empty(),
    }
}
