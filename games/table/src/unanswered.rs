//! Defaults for decisions that automation cannot answer.
//!
//! Only the service notices that no worker can answer. It then applies a step. If a deadline is
//! running, the decision waits for the deadline.

use heliopause_kernel::{CloseCause, Seat};
use heliopause_proto::store::v1::DecisionDefaulted;
use heliopause_proto::v1::{CloseReason, ErrorReason, GameStatus};

use crate::effects::Effects;
use crate::{Fault, Table};

impl Table {
    pub fn has_deadline(&self) -> bool {
        self.running_deadline().is_some()
    }

    /// Applies the defaults for an automated seat. Marks revisable decisions ready and closes final
    /// ones. Fails while a player owes a decision that would be closed too.
    pub(crate) fn default_decision(
        &mut self,
        given: &DecisionDefaulted,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        self.require_status(&[GameStatus::Running], "no decision is open")?;
        let seat = self.seat_numbered(given.seat)?;
        if self.automation_of(seat).is_none() {
            let text = format!("Automation no longer plays {seat}.");
            return Err(Fault::new(ErrorReason::LeaseLost, text));
        }
        self.require_current(seat, given.phase, Some(given.revision))?;
        let pending = self.pending();
        let mine: Vec<bool> =
            pending.iter().filter(|one| one.seat == seat).map(|one| one.revisable).collect();
        if mine.is_empty() {
            return Err(Fault::new(ErrorReason::LeaseLost, "This decision is no longer pending."));
        }
        if mine.iter().all(|&revisable| revisable) {
            self.state.seats[seat.index()].ready = true;
            return Ok(());
        }
        let waits = |other: Seat| other != seat && self.automation_of(other).is_none();
        if pending.iter().any(|decision| waits(decision.seat)) {
            let text = "Other seats have pending decisions; defaults apply after their answers.";
            return Err(self.wrong_status(text));
        }
        self.close_phase(CloseCause::Deadline, CloseReason::Unanswered, effects);
        Ok(())
    }
}
