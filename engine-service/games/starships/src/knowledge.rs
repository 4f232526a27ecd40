//! Rule 3.6: what is not public. What one seat alone knows is its [`Own`]; the truth that nobody
//! may know is in
//! [`Secrets`]. A seat's `Own` changes only by events told to that seat, so its knowledge is
//! exactly what it was told.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::starships_at_large::v1 as proto;

use crate::board::{PLACES, Place, Places};
use crate::markers::Marker;
use crate::order::{Agreement, Promise};
use crate::pieces::Piece;
use crate::table::{HiddenRoll, Note, Table};
use crate::wire;

/// A word given (R13).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Pledge, with(Seat = wire::player))]
pub struct Pledge {
    /// Who gave it.
    pub giver: Seat,
    pub receiver: Seat,
    /// What was promised.
    pub promise: Promise,
    /// Until the end of this round.
    #[wire(name = until_round)]
    pub until: u8,
    /// The promised planet was given to somebody else meanwhile.
    pub strayed: bool,
}

impl Pledge {
    /// Whether it is the same word, whatever became of its planet.
    pub(crate) fn is_same(self, other: Self) -> bool {
        Self { strayed: false, ..self } == Self { strayed: false, ..other }
    }
}

/// A decision that a seat owes beside its turn. That it does, and how much, only the seat knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owed {
    /// Fire at the undisturbed Death Star that this piece has met, or not (8).
    Fire(Piece),
    /// Remove so many starships (5).
    Sacrifice(u8),
    /// Choose one of this breaker's starships (R13).
    ChooseShip(Seat),
    /// Choose one of this breaker's planets (R13).
    ChoosePlanet(Seat),
    /// Choose which of one's own planets this offended player gets (R13).
    CedePlanet(Seat),
    /// Put Death Zones (8).
    Zones {
        /// So many.
        left: u8,
        /// The hex that the first one has entered; the second enters another (R52).
        entered: Option<Place>,
    },
    /// Let the zones grow (8).
    Growth {
        /// Sources that have not grown yet.
        sources: Places,
        /// Hexes entered in this growth.
        entered: Places,
        /// Hexes that a Disrupted starship was found to keep zones out of in this growth (R51).
        barred: Places,
    },
}

/// An offer that one seat made to another.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(message = proto::StandingOffer, with(Seat = wire::player))]
pub struct Offer {
    #[wire(name = from_seat)]
    pub from: Seat,
    #[wire(name = to_seat)]
    pub to: Seat,
    pub agreement: Agreement,
}

/// Offers that stand between this seat and others, of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Offers {
    /// To whom this seat made one.
    pub made: SeatSet,
    /// Who made one to this seat.
    pub got: SeatSet,
}

/// What one seat alone knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Own {
    /// Face-down hexes as the seat last saw them (R20). For face-up ones the table decides.
    pub notes: [Option<Note>; PLACES],
    /// The planets it owns.
    pub planets: Places,
    /// The planets gained since its last Arrivals and still its own (R23).
    pub gained: Places,
    /// How many starships it may still build, while Arrivals are open.
    pub arrivals: Option<u8>,
    /// Its pieces that tried to take a planet this turn (R3), in order.
    pub attempted: Vec<Piece>,
    pub peace: Offers,
    pub partnership: Offers,
    /// Pledges that it gave or received, in order.
    pub pledges: Vec<Pledge>,
    /// A decision that it owes beside its turn.
    pub owes: Option<Owed>,
}

impl Own {
    pub(crate) fn new() -> Self {
        Self {
            notes: [None; PLACES],
            planets: Places::NONE,
            gained: Places::NONE,
            arrivals: None,
            attempted: Vec::new(),
            peace: Offers::default(),
            partnership: Offers::default(),
            pledges: Vec::new(),
            owes: None,
        }
    }

    /// The offers of one kind.
    pub fn offers(&self, agreement: Agreement) -> Offers {
        match agreement {
            Agreement::Peace => self.peace,
            Agreement::Partnership => self.partnership,
        }
    }

    pub(crate) fn offers_mut(&mut self, agreement: Agreement) -> &mut Offers {
        match agreement {
            Agreement::Peace => &mut self.peace,
            Agreement::Partnership => &mut self.partnership,
        }
    }
}

/// What the game master sees beside the table: the truth, and what every seat knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Secrets {
    /// What each hex holds.
    pub markers: [Marker; PLACES],
    /// Who owns each planet.
    pub owners: [Option<Seat>; PLACES],
    /// What each seat knows, the Death Star's last.
    pub own: Vec<Own>,
    /// Rolls that not everybody was told of (R25), oldest first; none once everybody is.
    pub rolls: Vec<HiddenRoll>,
}

impl Secrets {
    /// The truth about a hex.
    pub fn note(&self, at: Place) -> Note {
        Note { marker: self.markers[at.index()], owner: self.owners[at.index()] }
    }
}

/// What one seat may know, lent from a view or from the game. Orders are judged, and choices
/// listed, from this alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eyes<'a> {
    pub(crate) seat: Seat,
    pub(crate) table: &'a Table,
    pub(crate) own: &'a Own,
}

impl Eyes<'_> {
    /// What the seat knows of a hex.
    pub(crate) fn note(&self, at: Place) -> Option<Note> {
        self.table.shown[at.index()].or(self.own.notes[at.index()])
    }

    /// The marker of a hex, as far as the seat knows it.
    pub(crate) fn marker(&self, at: Place) -> Option<Marker> {
        self.note(at).map(|note| note.marker)
    }

    /// The owner of a hex's planet, as far as the seat knows.
    pub(crate) fn owner(&self, at: Place) -> Option<Seat> {
        self.note(at).and_then(|note| note.owner)
    }
}
