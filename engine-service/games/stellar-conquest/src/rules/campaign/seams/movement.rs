//! Where articles replace rules of movement.

use heliopause_kernel::Refusal;

use crate::rules::movement::leg::Leg;
use crate::state::campaign::Campaign;
use crate::state::order::Voyage;
use crate::state::power::Eyes;

impl Eyes<'_> {
    /// Base 5 to 8: any way within the rules. Space 7: politics say where ships go, and transports.
    pub(crate) fn judge_politics_of(&self, voyage: &Voyage, leg: &Leg) -> Result<(), Refusal> {
        match self.table.campaign {
            Campaign::Conquest | Campaign::Fate(_) => Ok(()),
            Campaign::OuterSpace(_) => self.judge_course(voyage, leg),
        }
    }
}
