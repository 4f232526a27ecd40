//! Rule 2 and 4: what stands on the board. Starships, bases, and what can be attacked.

use std::fmt;

use heliopause_kernel::Seat;
use heliopause_kernel::wire::Wire;
use heliopause_proto::starships_at_large::v1 as proto;

use crate::board::Place;

/// The letter of a player's seat: A, B, C, ...
pub fn letter(seat: Seat) -> char {
    char::from(b'A' + (seat.index() % 26) as u8)
}

/// A starship's serial number among its owner's, from 1; never used twice.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(transparent)]
pub struct Serial(pub u16);

/// A starship's name: its owner and its serial, written `A1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ShipId {
    pub owner: Seat,
    /// Which of the owner's it is.
    pub serial: Serial,
}

impl fmt::Display for ShipId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", letter(self.owner), self.serial.0)
    }
}

/// Which of a player's bases: only a solitaire player has a second one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum BaseNumber {
    /// The first, and in company the only one.
    #[default]
    First,
    Second,
}

impl BaseNumber {
    /// Both, in order.
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    /// The number for people, 1 or 2.
    pub fn number(self) -> u8 {
        match self {
            Self::First => 1,
            Self::Second => 2,
        }
    }
}

/// A base's name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BaseId {
    pub owner: Seat,
    /// Which of the owner's it is.
    pub number: BaseNumber,
}

impl fmt::Display for BaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number {
            BaseNumber::First => write!(f, "base of {}", letter(self.owner)),
            BaseNumber::Second => write!(f, "base 2 of {}", letter(self.owner)),
        }
    }
}

/// A starship or a base.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Piece {
    /// A starship.
    Ship(ShipId),
    Base(BaseId),
}

impl Piece {
    /// Whose it is.
    pub fn owner(self) -> Seat {
        match self {
            Self::Ship(id) => id.owner,
            Self::Base(id) => id.owner,
        }
    }

    /// A number that names it among all pieces, for dice.
    pub(crate) fn key(self) -> u64 {
        let owner = u64::from(self.owner().number()) << 32;
        match self {
            Self::Ship(id) => owner | u64::from(id.serial.0),
            Self::Base(id) => owner | 1 << 24 | u64::from(id.number.number()),
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ship(id) => id.fmt(f),
            Self::Base(id) => id.fmt(f),
        }
    }
}

/// What can be attacked.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(kinds = proto::target::Kind, message = proto::Target)]
pub enum Target {
    /// Another player's starship or base.
    Piece(Piece),
    #[wire(message = proto::DeathStarTarget)]
    DeathStar,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Piece(piece) => piece.fmt(f),
            Self::DeathStar => f.write_str("death star"),
        }
    }
}

/// Whether a starship is Disrupted (4), which it is from the roll to the end of its owner's next
/// turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Condition {
    /// It is not.
    Fit,
    /// Since this very turn, so not only to its end.
    JustDisrupted,
    /// Until the end of its owner's turn.
    Disrupted,
}

impl Condition {
    /// Whether it is Disrupted at all.
    pub fn is_disrupted(self) -> bool {
        self != Self::Fit
    }
}

/// What a piece has done in the turn being played (R3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Done {
    /// The hex its move began in, once it has moved.
    pub moved_from: Option<Place>,
    /// It withdrew from a battle and does nothing more (3.4).
    pub withdrew: bool,
}

/// A starship.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ship {
    /// Its name.
    pub id: ShipId,
    pub at: Place,
    /// Whether it is Disrupted.
    pub condition: Condition,
    /// What it has done this turn.
    pub done: Done,
}

impl Ship {
    pub(crate) fn new(id: ShipId, at: Place) -> Self {
        Self { id, at, condition: Condition::Fit, done: Done::default() }
    }
}

/// Where a base stands (4.4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Station {
    /// On the planet of its hex.
    Settled,
    /// On no planet, and so many of its owner's turns in a row have ended so (R32).
    Out(u8),
}

/// A base.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Base {
    /// Its name.
    pub id: BaseId,
    pub at: Place,
    /// Settled or out.
    pub station: Station,
    /// What it has done this turn.
    pub done: Done,
}

impl Base {
    pub(crate) fn on_earth(id: BaseId) -> Self {
        Self { id, at: Place::EARTH, station: Station::Settled, done: Done::default() }
    }

    /// Whether it is out, on no planet.
    pub fn is_out(&self) -> bool {
        self.station != Station::Settled
    }
}
