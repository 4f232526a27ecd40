//! All that one viewer may know: everything but the orders that others have given in this phase.

use heliopause_kernel::Seat;

use crate::command::{Sheet, take};
use crate::event::Event;
use crate::table::Table;

/// What a viewer knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// What is public.
    pub table: Table,
    /// The orders that they may see.
    pub insight: Insight,
}

/// Whose orders of this phase a viewer sees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Insight {
    /// Nobody's.
    Spectator,
    /// A seat's own.
    Seat(Seat, Sheet),
    /// Everybody's, in seat order.
    GameMaster(Vec<Sheet>),
}

impl View {
    pub(crate) fn apply(&mut self, event: &Event) {
        self.table.apply(event);
        match (&mut self.insight, event) {
            (Insight::Seat(own, sheet), Event::Ordered { seat, command }) if own == seat => take(sheet, *command),
            (Insight::GameMaster(sheets), Event::Ordered { seat, command }) => {
                if let Some(sheet) = sheets.get_mut(seat.index()) {
                    take(sheet, *command);
                }
            }
            (Insight::Seat(_, sheet), Event::PhaseBegan { .. } | Event::Ended { .. }) => sheet.clear(),
            (Insight::GameMaster(sheets), Event::PhaseBegan { .. } | Event::Ended { .. }) => {
                sheets.iter_mut().for_each(Sheet::clear);
            }
            _ => {}
        }
    }
}
