//! Landing rules that variants replace.

use heliopause_kernel::Refusal;

use crate::rules::campaign::fate::independents::fate_garrison;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::{Campaign, Prize, SeatView, ShipNumber};
use crate::tables::PlanetId;

impl SeatView<'_> {
    /// Judges whether landings may start (base 16). In The Fate of Empire, they may not start while
    /// a debt can be paid (fate 3, 6b).
    pub(crate) fn judge_before_landing(&self) -> Result<(), Refusal> {
        match self.table.campaign {
            Campaign::Conquest | Campaign::OuterSpace(_) => Ok(()),
            Campaign::Fate(_) => self.judge_debt(),
        }
    }

    /// Judges the planet of a landing. The base game allows any planet (base 16). In Alone in Outer
    /// Space, the seat must claim the star, and policy must send transports there (space 2, 7.2).
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

    /// Judges a landing on a conquered colony. Only The Fate of Empire allows one, by a garrison
    /// (fate 8.5). The other games reject it (16.2).
    pub(crate) fn judge_landing_on_prize(&self, ships: &[ShipNumber], prize: &Prize) -> Verdict {
        match self.table.campaign {
            Campaign::Conquest | Campaign::OuterSpace(_) => {
                refuse!("conquered/prize", planet = prize.colony.planet)
            }
            Campaign::Fate(_) => self.judge_garrison(ships, prize),
        }
    }
}

/// Lands a garrison on a conquered colony in The Fate of Empire (fate 8.5). Other variants reject
/// such landings (base 16.2).
pub(crate) fn land_on_prize(referee: &mut Referee<'_>, ships: &[ShipNumber], prize: Prize) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => {}
        Campaign::Fate(_) => fate_garrison(referee, ships, prize),
    }
}
