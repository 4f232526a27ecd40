//! Movement rules that variants replace.

use heliopause_kernel::Refusal;

use crate::rules::movement::leg::Leg;
use crate::state::{Campaign, SeatView, Voyage};

impl SeatView<'_> {
    /// Judges a voyage by the rules of Alone in Outer Space, where politics and transport policy
    /// restrict destinations (base 5 to 8, space 7).
    pub(crate) fn judge_politics_of(&self, voyage: &Voyage, leg: &Leg) -> Result<(), Refusal> {
        match self.table.campaign {
            Campaign::Conquest | Campaign::Fate(_) => Ok(()),
            Campaign::OuterSpace(_) => self.judge_course(voyage, leg),
        }
    }
}
