//! The views of players, spectators and game masters. Only orders of the current phase are secret.

use heliopause_kernel::Seat;

use crate::command::{Sheet, take};
use crate::event::Event;
use crate::table::Table;

/// The state as one viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    pub table: Table,
    pub insight: Insight,
}

/// The orders of this phase that are visible to a viewer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Insight {
    Spectator,
    Seat(Seat, Sheet),
    /// All orders, in seat order.
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
    fn sheet_of(&mut self, seat: Seat) -> Option<&mut Sheet> {
        match self {
            Self::Spectator => None,
            Self::Seat(own, sheet) => (*own == seat).then_some(sheet),
            Self::GameMaster(sheets) => sheets.get_mut(seat.index()),
        }
    }
}
