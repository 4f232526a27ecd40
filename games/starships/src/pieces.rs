//! Rules 2 and 4: the pieces on the board, and the targets of attacks.

use std::fmt;

use heliopause_kernel::Seat;
use heliopause_kernel::wire::Wire;
use heliopause_proto::starships_at_large::v1 as proto;

use crate::board::Place;

/// Returns the letter of a player's seat: A, B, C, ...
pub fn letter(seat: Seat) -> char {
    char::from(b'A' + (seat.index() % 26) as u8)
}

/// The serial number of a starship among its owner's starships, from 1. Serials are never reused.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(transparent)]
pub struct Serial(pub u16);

/// The name of a starship: its owner and its serial, written `A1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ShipId {
    pub owner: Seat,
    pub serial: Serial,
}

impl fmt::Display for ShipId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", letter(self.owner), self.serial.0)
    }
}

/// The number of a player's base. Only a solitaire player has a second one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum BaseNumber {
    #[default]
    First,
    Second,
}

impl BaseNumber {
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    pub fn number(self) -> u8 {
        match self {
            Self::First => 1,
            Self::Second => 2,
        }
    }
}

/// The name of a base.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BaseId {
    pub owner: Seat,
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
    Ship(ShipId),
    Base(BaseId),
}

impl Piece {
    pub fn owner(self) -> Seat {
        match self {
            Self::Ship(id) => id.owner,
            Self::Base(id) => id.owner,
        }
    }

    /// Returns a number that identifies the piece in dice rolls.
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

/// A target of an attack.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(kinds = proto::target::Kind, message = proto::Target)]
pub enum Target {
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

/// The Disruption of a starship (rule 4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Condition {
    Fit,
    /// Disrupted during the current turn of its owner. The Disruption lasts until the end of the
    /// owner's next turn.
    JustDisrupted,
    Disrupted,
}

impl Condition {
    pub fn is_disrupted(self) -> bool {
        self != Self::Fit
    }
}

/// The actions of a piece in the current turn (R3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Done {
    /// The hex from which the piece moved; `None` if it has not moved.
    pub moved_from: Option<Place>,
    /// Whether the piece withdrew from a battle and cannot act again this turn (3.4).
    pub withdrew: bool,
}

/// A starship on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ship {
    pub id: ShipId,
    pub at: Place,
    pub condition: Condition,
    pub done: Done,
}

impl Ship {
    pub(crate) fn new(id: ShipId, at: Place) -> Self {
        Self { id, at, condition: Condition::Fit, done: Done::default() }
    }
}

/// The state of a base (4.4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Station {
    Settled,
    /// The base is not settled. It was out at the end of this many consecutive turns of its owner
    /// (R32).
    Out(u8),
}

/// A base on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Base {
    pub id: BaseId,
    pub at: Place,
    pub station: Station,
    pub done: Done,
}

impl Base {
    pub(crate) fn on_earth(id: BaseId) -> Self {
        Self { id, at: Place::EARTH, station: Station::Settled, done: Done::default() }
    }

    pub fn is_out(&self) -> bool {
        self.station != Station::Settled
    }
}
