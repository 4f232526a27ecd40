//! The views of players, spectators and game masters. Only orders are secret.

use heliopause_kernel::Seat;

use crate::command::Sheet;
use crate::conditional::Conditional;
use crate::event::Event;
use crate::table::{Phase, Table};

/// The state as one viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    pub table: Table,
    pub insight: Insight,
}

/// The orders that are visible to a viewer.
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
        match &mut self.insight {
            Insight::Spectator => {}
            Insight::Seat(_, sheet) => sheet.apply(event),
            Insight::GameMaster(sheets) => sheets.iter_mut().for_each(|sheet| sheet.apply(event)),
        }
        if let Event::Ordered { seat, command } = event
            && let Some(sheet) = self.insight.sheet_of(*seat)
        {
            sheet.take(command.clone());
        }
    }
}

impl Sheet {
    /// Drops the orders that an event makes obsolete. Adjustments are kept through the retreats of
    /// fall.
    pub(crate) fn apply(&mut self, event: &Event) {
        match event {
            Event::PhaseBegan { phase, .. } => {
                self.orders.clear();
                let is_kept = |one: &Conditional| !matches!(one, Conditional::Dislodged { .. });
                self.conditionals.retain(|one| *phase == Phase::FallRetreat && is_kept(one));
            }
            Event::Ended { .. } => *self = Self::default(),
            Event::Ordered { .. }
            | Event::Moved { .. }
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
