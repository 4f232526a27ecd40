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
        match event {
            Event::Ordered { seat, command } => {
                if let Some(sheet) = self.insight.sheet_of(*seat) {
                    take(sheet, *command);
                }
            }
            Event::PhaseBegan { .. } | Event::Ended { .. } => match &mut self.insight {
                Insight::Spectator => {}
                Insight::Seat(_, sheet) => sheet.clear(),
                Insight::GameMaster(sheets) => sheets.iter_mut().for_each(Sheet::clear),
            },
            Event::Moved { .. }
            | Event::Retreated { .. }
            | Event::TurnEnded { .. }
            | Event::Adjusted { .. }
            | Event::Eliminated { .. } => {}
        }
    }
}

impl Insight {
    /// The orders of a seat, if the viewer sees them.
    fn sheet_of(&mut self, seat: Seat) -> Option<&mut Sheet> {
        match self {
            Self::Spectator => None,
            Self::Seat(own, sheet) => (*own == seat).then_some(sheet),
            Self::GameMaster(sheets) => sheets.get_mut(seat.index()),
        }
    }
}
