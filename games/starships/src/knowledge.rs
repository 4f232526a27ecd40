//! Rule 3.6: hidden information. The [`Own`] of a seat changes only through events published to the
//! seat, so it contains exactly what the seat has received.

use heliopause_kernel::sentence::Facts;
use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::starships_at_large::v1 as proto;

use crate::board::{PLACES, Place, Places};
use crate::markers::Marker;
use crate::order::{Agreement, Promise};
use crate::pieces::Piece;
use crate::table::{HiddenRoll, Note, Table};
use crate::wire;

/// A pledge from one player to another (R13).
#[derive(Wire, Facts, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Pledge, with(Seat = wire::player))]
pub struct Pledge {
    pub giver: Seat,
    pub receiver: Seat,
    pub promise: Promise,
    /// The last round in which the pledge is binding.
    #[wire(name = until_round)]
    pub until: u8,
    /// Whether the promised planet was given to a third player.
    pub planet_given: bool,
}

impl Pledge {
    pub(crate) fn is_same(self, other: Self) -> bool {
        Self { planet_given: false, ..self } == Self { planet_given: false, ..other }
    }
}

/// A decision of a seat outside its normal turn, visible only to the seat.
#[derive(Facts, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owed {
    /// Fire at the undisturbed Death Star in the hex of this piece, or hold fire (8).
    Fire(Piece),
    Sacrifice(u8),
    /// Choose one of this breaker's starships (R13).
    ChooseShip(Seat),
    /// Choose one of this breaker's planets (R13).
    ChoosePlanet(Seat),
    /// Choose one of the seat's own planets for this offended player (R13).
    CedePlanet(Seat),
    Zones {
        left: u8,
        /// The hex that the first zone entered. The second must enter another one (R52).
        entered: Option<Place>,
    },
    Growth {
        /// The sources that have not grown yet.
        sources: Places,
        entered: Places,
        /// The hexes that a Disrupted starship keeps zones out of, as failed growth has shown
        /// (R51).
        barred: Places,
    },
}

/// An offer that one seat made to another.
#[derive(Wire, Facts, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(message = proto::OpenOffer, with(Seat = wire::player))]
pub struct Offer {
    #[wire(name = from_seat)]
    pub from: Seat,
    #[wire(name = to_seat)]
    pub to: Seat,
    pub agreement: Agreement,
}

/// The open offers of one kind between this seat and others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Offers {
    pub made: SeatSet,
    pub got: SeatSet,
}

/// The private information of a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Own {
    /// The face-down hexes as the seat last saw them (R20). Face-up hexes are in the table.
    pub notes: [Option<Note>; PLACES],
    pub planets: Places,
    /// The planets that the seat has gained since its last Arrivals and still owns (R23).
    pub gained: Places,
    /// The number of starships that the seat can still build. `None` unless Arrivals are open.
    pub arrivals: Option<u8>,
    /// The pieces that tried to take a planet this turn (R3), in order.
    pub attempted: Vec<Piece>,
    pub peace: Offers,
    pub partnership: Offers,
    pub pledges: Vec<Pledge>,
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

/// The hidden information, with the true contents of all hexes and the private information of all
/// seats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Secrets {
    pub markers: [Marker; PLACES],
    pub owners: [Option<Seat>; PLACES],
    /// The private information of each seat. The Death Star's seat is last.
    pub own: Vec<Own>,
    /// The hidden rolls (R25), oldest first. Empty after they are revealed.
    pub rolls: Vec<HiddenRoll>,
}

impl Secrets {
    pub fn note(&self, at: Place) -> Note {
        Note { marker: self.markers[at.index()], owner: self.owners[at.index()] }
    }
}

/// Everything visible to a seat: the public table and the seat's private information.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeatView<'a> {
    pub(crate) seat: Seat,
    pub(crate) table: &'a Table,
    pub(crate) own: &'a Own,
}

impl SeatView<'_> {
    pub(crate) fn note(&self, at: Place) -> Option<Note> {
        self.table.shown[at.index()].or(self.own.notes[at.index()])
    }

    pub(crate) fn marker(&self, at: Place) -> Option<Marker> {
        self.note(at).map(|note| note.marker)
    }

    pub(crate) fn owner(&self, at: Place) -> Option<Seat> {
        self.note(at).and_then(|note| note.owner)
    }
}
