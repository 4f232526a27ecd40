//! Nobody waits for a decision that automation cannot answer: the rules' defaults stand in for it.
//!
//! Only the service knows that no worker can answer: it takes a step. While a deadline runs,
//! nothing is done before it.

use heliopause_kernel::{Seat, Why};
use heliopause_proto::store::v1::DecisionDefaulted;
use heliopause_proto::v1::{CloseReason, ErrorReason, GameStatus};

use crate::telling::Telling;
use crate::{Fault, Table};

impl Table {
    /// Whether the open decisions are closed by a deadline.
    pub fn has_deadline(&self) -> bool {
        self.running_deadline().is_some()
    }

    /// The defaults decide for an automated seat. A revisable decision counts as ready, so that
    /// nobody waits for it; a final one is closed, unless somebody else is asked at the same time.
    pub(crate) fn default_decision(
        &mut self,
        given: &DecisionDefaulted,
        telling: &mut Telling,
    ) -> Result<(), Fault> {
        self.require_status(&[GameStatus::Running], "nothing is decided in it")?;
        let seat = self.seat_numbered(given.seat)?;
        if self.automation_of(seat).is_none() {
            return Err(Fault::new(
                ErrorReason::LeaseLost,
                "Automation does not play this seat any more.",
            ));
        }
        self.require_current(seat, given.phase, Some(given.revision))?;
        let pending = self.pending();
        let mine: Vec<bool> =
            pending.iter().filter(|one| one.seat == seat).map(|one| one.revisable).collect();
        if mine.is_empty() {
            return Err(Fault::new(ErrorReason::LeaseLost, "This is not asked any more."));
        }
        if mine.iter().all(|&revisable| revisable) {
            self.state.seats[seat.index()].ready = true;
            return Ok(());
        }
        let waits = |other: Seat| other != seat && self.automation_of(other).is_none();
        if pending.iter().any(|decision| waits(decision.seat)) {
            let text =
                "Others are asked at the same time; the defaults decide once they have answered.";
            return Err(self.wrong_status(text));
        }
        self.close_phase(Why::Deadline, CloseReason::Unanswered, telling);
        Ok(())
    }
}
