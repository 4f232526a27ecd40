//! Production rules that variants replace.

use crate::rules::referee::Referee;
use crate::state::{DecreeSheet, PoliticsEvent, ProductionSheet, SeatView, Sheet};

/// Runs after the sheets (base 17). In Alone in Outer Space, clears the dice of the production turn
/// (space 6).
pub(crate) fn after_sheets(referee: &mut Referee<'_>) {
    if referee.table().campaign.politics().is_some() {
        referee.publish_politics(PoliticsEvent::ProductionEnded);
    }
}

impl SeatView<'_> {
    /// Returns the sheet to carry out, submitted or default (base 17). In Alone in Outer Space, the
    /// sheet results from the decree (space 6.2).
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
