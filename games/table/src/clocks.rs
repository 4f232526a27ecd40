//! The clocks of decisions: the time that each decision has left.
//!
//! A decision's clock runs while the decision is open. It stops while another seat must answer
//! first, and then continues with the time left, so players lose no time while they cannot act. A
//! further decision of the same player within their turn does not stop the turn's clock, and is due
//! no later than the turn. Decisions of the same kind and number share one clock, so that the clock
//! does not reveal a secret decision within a turn.

use heliopause_kernel::Decision;
use heliopause_proto::store::v1::{DecisionClock, DecisionKey};
use heliopause_proto::v1::{DeadlineReason, GameStatus};

use crate::Table;
use crate::effects::Effects;
use crate::time::{Millis, at, length, millis, span, stamp};

impl Table {
    pub(crate) fn open_deadline(
        &mut self,
        pending: &[Decision],
        opened: &[Decision],
        effects: &mut Effects,
    ) {
        if self.status() != GameStatus::Running {
            return;
        }
        let interrupted = self.still_running(pending);
        let running: Vec<Decision> = pending.iter().chain(&interrupted).cloned().collect();
        self.stop_clocks(&running, effects.now);
        let new: Vec<&Decision> =
            opened.iter().filter(|decision| self.clock(decision).is_none()).collect();
        if let Some(first) = new.first() {
            self.start_clocks(first.kind, &new, effects.now);
        }
        self.resume_clocks(&interrupted, false, effects.now);
        let goes_on = self.resume_clocks(pending, new.is_empty(), effects.now);
        let reason =
            if goes_on { DeadlineReason::ClockGoesOn } else { DeadlineReason::PhaseOpened };
        self.change_deadline(self.due_of(pending, &interrupted), reason, effects);
    }

    /// Returns the interrupted decisions whose clocks continue, because no other seat has an open
    /// decision.
    fn still_running(&self, pending: &[Decision]) -> Vec<Decision> {
        let mut interrupted = self.game.as_ref().map(|game| game.interrupted()).unwrap_or_default();
        interrupted.retain(|decision| pending.iter().all(|open| open.seat == decision.seat));
        interrupted
    }

    fn clock(&self, decision: &Decision) -> Option<&DecisionClock> {
        self.state.seats[decision.seat.index()].clocks.iter().find(|clock| is_of(clock, decision))
    }

    /// Returns when the phase is due: with its last open decision, so that every player gets their
    /// full time, or when the clock of an interrupted turn runs out, if that is earlier.
    fn due_of(&self, pending: &[Decision], interrupted: &[Decision]) -> Option<Millis> {
        let due = |decision| at(self.clock(decision)?.deadline.as_ref());
        let open = pending.iter().map(due).collect::<Option<Vec<_>>>();
        let open = open.and_then(|dues| dues.into_iter().max());
        open.into_iter().chain(interrupted.iter().filter_map(due)).min()
    }

    fn stop_clocks(&mut self, pending: &[Decision], now: Millis) {
        let (in_grace, extended) = (self.state.in_grace, self.state.extended);
        for (index, seat) in self.state.seats.iter_mut().enumerate() {
            for clock in &mut seat.clocks {
                let open = pending
                    .iter()
                    .any(|decision| decision.seat.index() == index && is_of(clock, decision));
                if let Some(due) = clock.deadline.take_if(|_| !open) {
                    clock.left = Some(length((millis(&due) - now).max(0)));
                    (clock.in_grace, clock.extended) = (in_grace, extended);
                }
            }
        }
    }

    fn start_clocks(&mut self, kind: &str, new: &[&Decision], now: Millis) {
        let minimum = self.phase_pace(kind).minimum.map(|minimum| stamp(now + span(&minimum)));
        self.state.not_before = minimum;
        let late = self
            .phase_pace(kind)
            .late_delay
            .filter(|_| self.state.late_orders)
            .map_or(0, |delay| span(&delay));
        self.state.in_grace = false;
        self.state.late_orders = false;
        self.state.extended = false;
        for decision in new {
            let due = self.falls_due(decision.kind, now + late).map(stamp);
            let clocks = &mut self.state.seats[decision.seat.index()].clocks;
            // Decision numbers only grow, so the previous decision of this kind cannot reopen.
            clocks.retain(|clock| {
                clock.decision.as_ref().is_some_and(|key| key.kind != decision.kind)
            });
            clocks.push(DecisionClock {
                decision: Some(key(decision)),
                deadline: due,
                ..DecisionClock::default()
            });
        }
    }

    fn resume_clocks(&mut self, pending: &[Decision], alone: bool, now: Millis) -> bool {
        let mut goes_on = false;
        for decision in pending {
            let clocks = &mut self.state.seats[decision.seat.index()].clocks;
            let Some(clock) = clocks.iter_mut().find(|clock| is_of(clock, decision)) else {
                continue;
            };
            let Some(left) = clock.left.take() else { continue };
            clock.deadline = Some(stamp(now + span(&left)));
            if alone {
                (self.state.in_grace, self.state.extended) = (clock.in_grace, clock.extended);
            }
            goes_on = true;
        }
        goes_on
    }

    pub(crate) fn move_deadline(
        &mut self,
        due: Option<Millis>,
        reason: DeadlineReason,
        effects: &mut Effects,
    ) {
        let pending = self.pending();
        let interrupted = self.still_running(&pending);
        for decision in pending.into_iter().chain(interrupted) {
            let clocks = &mut self.state.seats[decision.seat.index()].clocks;
            if let Some(clock) = clocks.iter_mut().find(|clock| is_of(clock, &decision)) {
                clock.deadline = due.map(stamp);
            }
        }
        self.change_deadline(due, reason, effects);
    }
}

/// Returns the key of a decision's clock. The key has no prompt, because all decisions of a turn
/// share one clock.
fn key(decision: &Decision) -> DecisionKey {
    DecisionKey { kind: decision.kind.to_owned(), number: decision.number, prompt: String::new() }
}

fn is_of(clock: &DecisionClock, decision: &Decision) -> bool {
    clock
        .decision
        .as_ref()
        .is_some_and(|key| key.kind == decision.kind && key.number == decision.number)
}
