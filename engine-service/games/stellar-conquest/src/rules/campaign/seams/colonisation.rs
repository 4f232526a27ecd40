//! Where articles replace rules of landings.

use heliopause_kernel::Refusal;

use crate::rules::campaign::fate::independents::fate_garrison;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::campaign::Campaign;
use crate::state::power::{Eyes, Prize};
use crate::state::ship::ShipNumber;
use crate::tables::cards::PlanetId;

impl Eyes<'_> {
    /// Base 16: transports may land as soon as the attacks are over. Fate 3, 6b: not before debts
    /// are paid that can be paid.
    pub(crate) fn judge_before_landing(&self) -> Result<(), Refusal> {
        match self.table.campaign {
            Campaign::Conquest | Campaign::OuterSpace(_) => Ok(()),
            Campaign::Fate(_) => self.judge_debt(),
        }
    }

    /// Base 16: any planet that can be settled. Space 2, 7.2: of one's own claim, and by policy.
    pub(crate) fn judge_policy_of(
        &self,
        ships: &[ShipNumber],
        planet: PlanetId,
    ) -> Result<(), Refusal> {
        match self.table.campaign {
            Campaign::Conquest | Campaign::Fate(_) => Ok(()),
            Campaign::OuterSpace(_) => self.judge_settlement(ships, planet),
        }
    }

    /// Base 16.2: nobody lands on a conquered colony. Fate 8.5: a garrison does.
    pub(crate) fn judge_landing_on_prize(&self, ships: &[ShipNumber], prize: &Prize) -> Verdict {
        match self.table.campaign {
            Campaign::Conquest | Campaign::OuterSpace(_) => {
                refuse("conquered", "16.2", "Your own people do not land on a conquered colony.")
            }
            Campaign::Fate(_) => self.judge_garrison(ships, prize),
        }
    }
}

/// Base 16.2: nobody lands there. Fate 8.5: a garrison lands.
pub(crate) fn land_on_prize(referee: &mut Referee<'_>, ships: &[ShipNumber], prize: Prize) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => {}
        Campaign::Fate(_) => fate_garrison(referee, ships, prize),
    }
}
