//! What one viewer may know.

use heliopause_kernel::{Seat, Viewer};

use crate::board::Place;
use crate::knowledge::{Eyes, Owed, Own, Secrets};
use crate::markers::Marker;
use crate::table::{Note, Stage, Table};

/// What a viewer knows beside the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Insight {
    /// A seat knows its own part.
    Seat(Seat, Box<Own>),
    /// A spectator knows nothing more.
    Spectator,
    /// The game master knows all.
    GameMaster(Box<Secrets>),
}

/// All that one viewer may know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// What is public.
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

    /// The seat whose view it is.
    pub fn seat(&self) -> Option<Seat> {
        match self.insight {
            Insight::Seat(seat, _) => Some(seat),
            Insight::Spectator | Insight::GameMaster(_) => None,
        }
    }

    /// What only the viewer's seat knows.
    pub fn own(&self) -> Option<&Own> {
        match &self.insight {
            Insight::Seat(_, own) => Some(own),
            Insight::Spectator | Insight::GameMaster(_) => None,
        }
    }

    /// What the viewer knows of a hex.
    pub fn note(&self, at: Place) -> Option<Note> {
        self.table.shown[at.index()].or_else(|| match &self.insight {
            Insight::Seat(_, own) => own.notes[at.index()],
            Insight::Spectator => None,
            Insight::GameMaster(secrets) => Some(secrets.note(at)),
        })
    }

    /// What a hex holds, as far as the viewer knows.
    pub fn marker(&self, at: Place) -> Option<Marker> {
        self.note(at).map(|note| note.marker)
    }

    /// The decision that the viewer's seat owes beside its turn.
    pub fn owes(&self) -> Option<Owed> {
        self.own().and_then(|own| own.owes)
    }

    /// Whether the viewer's seat has a decision to make now.
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

    /// The eyes of the viewer's seat.
    pub(crate) fn eyes(&self) -> Option<Eyes<'_>> {
        match &self.insight {
            Insight::Seat(seat, own) => Some(Eyes { seat: *seat, table: &self.table, own }),
            Insight::Spectator | Insight::GameMaster(_) => None,
        }
    }
}
