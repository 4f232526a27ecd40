//! Views of the game.

use heliopause_kernel::{Seat, Viewer};

use crate::board::Place;
use crate::knowledge::{Owed, Own, SeatView, Secrets};
use crate::markers::Marker;
use crate::table::{Note, Stage, Table};

/// The viewer, and the information that only this viewer has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Insight {
    Seat(Seat, Box<Own>),
    Spectator,
    GameMaster(Box<Secrets>),
}

/// Everything visible to one viewer, which is the public table and private information.
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

    pub fn seat(&self) -> Option<Seat> {
        match self.insight {
            Insight::Seat(seat, _) => Some(seat),
            Insight::Spectator | Insight::GameMaster(_) => None,
        }
    }

    pub fn own(&self) -> Option<&Own> {
        match &self.insight {
            Insight::Seat(_, own) => Some(own),
            Insight::Spectator | Insight::GameMaster(_) => None,
        }
    }

    pub fn note(&self, at: Place) -> Option<Note> {
        self.table.shown[at.index()].or_else(|| match &self.insight {
            Insight::Seat(_, own) => own.notes[at.index()],
            Insight::Spectator => None,
            Insight::GameMaster(secrets) => Some(secrets.note(at)),
        })
    }

    pub fn marker(&self, at: Place) -> Option<Marker> {
        self.note(at).map(|note| note.marker)
    }

    pub fn owes(&self) -> Option<Owed> {
        self.own().and_then(|own| own.owes)
    }

    pub fn is_asked(&self) -> bool {
        match self.seat() {
            Some(seat) => {
                let on_turn = self.table.active == seat
                    && matches!(self.table.stage, Stage::Turn | Stage::Battle(_));
                self.owes().is_some() || on_turn
            }
            None => false,
        }
    }

    pub(crate) fn seat_view(&self) -> Option<SeatView<'_>> {
        match &self.insight {
            Insight::Seat(seat, own) => Some(SeatView { seat: *seat, table: &self.table, own }),
            Insight::Spectator | Insight::GameMaster(_) => None,
        }
    }
}
