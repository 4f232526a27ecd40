//! What one viewer may know.

use heliopause_kernel::{Seat, Viewer};

use crate::state::power::{Eyes, Power};
use crate::state::secrets::Secrets;
use crate::state::table::Table;

/// What a viewer knows beside the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Insight {
    /// A seat knows its own part.
    Seat(Seat, Box<Power>),
    /// A spectator knows nothing more.
    Spectator,
    /// The game master knows all.
    GameMaster(Box<Truth>),
}

/// What the game master sees beside the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Truth {
    /// What every seat has and knows, in seat order.
    pub powers: Vec<Power>,
    /// What nobody who plays may know.
    pub secrets: Secrets,
}

/// All that one viewer may know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// What is public; without a private battle of others.
    pub table: Table,
    /// What is not.
    pub insight: Insight,
}

impl View {
    /// Whose view it is.
    pub fn viewer(&self) -> Viewer {
        match self.insight {
            Insight::Seat(seat, _) => Viewer::Seat(seat),
            Insight::Spectator => Viewer::Spectator,
            Insight::GameMaster(_) => Viewer::GameMaster,
        }
    }

    /// What only the viewer's seat knows.
    pub fn power(&self) -> Option<&Power> {
        match &self.insight {
            Insight::Seat(_, power) => Some(power),
            Insight::Spectator | Insight::GameMaster(_) => None,
        }
    }

    /// The eyes of the viewer's seat.
    pub(crate) fn eyes(&self) -> Option<Eyes<'_>> {
        match &self.insight {
            Insight::Seat(seat, power) => Some(Eyes { seat: *seat, table: &self.table, power }),
            Insight::Spectator | Insight::GameMaster(_) => None,
        }
    }
}
