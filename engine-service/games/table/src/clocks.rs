//! The clocks of decisions: how much time each has left.
//!
//! The clock of a decision runs while the decision is open. It stops while another seat must answer
//! first, and then continues with the time left: no player loses time while they cannot act. A
//! player's own question within their turn does not stop it, and falls due with the turn at the
//! latest. Decisions of the same kind and number are one, so a secret question within a turn shares
//! its clock, and nothing shows.

use heliopause_kernel::Decision;
use heliopause_proto::store::v1::{DecisionClock, DecisionKey};
use heliopause_proto::v1::{DeadlineReason, GameStatus};

use crate::telling::Telling;
use crate::time::{Millis, length, millis, span, stamp};
use crate::{Table, table};

impl Table {
    /// Brings the clocks and the deadline up to date when decisions opened or closed.
    pub(crate) fn open_deadline(
        &mut self,
        pending: &[Decision],
        opened: &[Decision],
        telling: &mut Telling,
    ) {
        if self.status() != GameStatus::Running {
            return;
        }
        let interrupted = self.still_running(pending);
        let running: Vec<Decision> = pending.iter().chain(&interrupted).cloned().collect();
        self.stop_clocks(&running, telling.now);
        let new: Vec<&Decision> =
            opened.iter().filter(|decision| self.clock(decision).is_none()).collect();
        if let Some(first) = new.first() {
            self.start_clocks(first.kind, &new, telling.now);
        }
        self.resume_clocks(&interrupted, false, telling.now);
        let goes_on = self.resume_clocks(pending, new.is_empty(), telling.now);
        let reason =
            if goes_on { DeadlineReason::ClockGoesOn } else { DeadlineReason::PhaseOpened };
        self.change_deadline(self.due_of(pending, &interrupted), reason, telling);
    }

    /// The interrupted decisions whose clocks go on: those of a seat that only itself is asked.
    fn still_running(&self, pending: &[Decision]) -> Vec<Decision> {
        let mut interrupted = self.game.as_ref().map(|game| game.interrupted()).unwrap_or_default();
        interrupted.retain(|decision| pending.iter().all(|open| open.seat == decision.seat));
        interrupted
    }

    fn clock(&self, decision: &Decision) -> Option<&DecisionClock> {
        self.state.seats[decision.seat.index()].clocks.iter().find(|clock| is_of(clock, decision))
    }

    /// When all open decisions have fallen due: nothing closes before every player's own time is
    /// over. An interrupted turn whose clock goes on ends their time, too.
    fn due_of(&self, pending: &[Decision], interrupted: &[Decision]) -> Option<Millis> {
        let due = |decision| table::at(self.clock(decision)?.deadline.as_ref());
        let open = pending.iter().map(due).collect::<Option<Vec<_>>>();
        let open = open.and_then(|dues| dues.into_iter().max());
        open.into_iter().chain(interrupted.iter().filter_map(due)).min()
    }

    /// Stops the clocks of decisions that are no longer open. Most are answered for good; some open
    /// again.
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

    /// Starts the clocks of a phase that opens now.
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
            // Numbers only grow: the last decision of this kind will not open again.
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

    /// Restarts the clocks of decisions that are open again; says whether there were any.
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

    /// Moves the deadline of all decisions that are open.
    pub(crate) fn move_deadline(
        &mut self,
        due: Option<Millis>,
        reason: DeadlineReason,
        telling: &mut Telling,
    ) {
        let pending = self.pending();
        let interrupted = self.still_running(&pending);
        for decision in pending.into_iter().chain(interrupted) {
            let clocks = &mut self.state.seats[decision.seat.index()].clocks;
            if let Some(clock) = clocks.iter_mut().find(|clock| is_of(clock, &decision)) {
                clock.deadline = due.map(stamp);
            }
        }
        self.change_deadline(due, reason, telling);
    }
}

/// The question does not count: one clock serves all questions of a turn.
fn key(decision: &Decision) -> DecisionKey {
    DecisionKey { kind: decision.kind.to_owned(), number: decision.number, prompt: String::new() }
}

fn is_of(clock: &DecisionClock, decision: &Decision) -> bool {
    clock
        .decision
        .as_ref()
        .is_some_and(|key| key.kind == decision.kind && key.number == decision.number)
}
