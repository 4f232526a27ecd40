//! The knowledge of one viewer: a seat, a spectator or the game master.

use heliopause_kernel::{Seat, Viewer};

use crate::state::power::{Power, SeatView};
use crate::state::secrets::Secrets;
use crate::state::table::Table;

/// The part of a viewer's knowledge that is not in the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Insight {
    Seat(Seat, Box<Power>),
    Spectator,
    GameMaster(Box<Truth>),
}

/// The part of the complete state that is not in the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Truth {
    pub powers: Vec<Power>,
    pub secrets: Secrets,
}

/// Everything visible to one viewer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    pub table: Table,
    pub insight: Insight,
}

impl View {
    pub fn viewer(&self) -> Viewer {
        match self.insight {
            Insight::Seat(seat, _) => Viewer::Seat(seat),
            Insight::Spectator => Viewer::Spectator,
            Insight::GameMaster(_) => Viewer::GameMaster,
        }
    }

    pub fn power(&self) -> Option<&Power> {
        match &self.insight {
            Insight::Seat(_, power) => Some(power),
            Insight::Spectator | Insight::GameMaster(_) => None,
        }
    }

    pub(crate) fn seat_view(&self) -> Option<SeatView<'_>> {
        match &self.insight {
            Insight::Seat(seat, power) => Some(SeatView { seat: *seat, table: &self.table, power }),
            Insight::Spectator | Insight::GameMaster(_) => None,
        }
    }
}
