//! Where articles replace rules of the production turn.

use crate::rules::referee::Referee;
use crate::state::campaign::politics_event::PoliticsEvent;
use crate::state::power::Eyes;
use crate::state::sheet::{DecreeSheet, ProductionSheet, Sheet};

/// Base 17: nothing is left of a production turn. Space 6: neither are its dice.
pub(crate) fn after_sheets(referee: &mut Referee<'_>) {
    if referee.table().campaign.politics().is_some() {
        referee.announce_politics(PoliticsEvent::ProductionEnded);
    }
}

impl Eyes<'_> {
    /// Base 17: the sheet of the seat, or the default. Space 6.2: what its decree comes to.
    pub(crate) fn final_sheet(&self) -> ProductionSheet {
        match &self.power.sheet {
            Sheet::Production(sheet) => sheet.clone(),
            Sheet::Decree(sheet) => self.draft(sheet).unwrap_or_default(),
            Sheet::None | Sheet::Outfit(_) if self.table.campaign.politics().is_some() => {
                self.draft(&DecreeSheet::default()).unwrap_or_default()
            }
            Sheet::None | Sheet::Outfit(_) => self.default_production(),
        }
    }
}
