//! What a seat can order.

use heliopause_kernel::Seat;

use crate::board::Place;
use crate::pieces::{BaseNumber, Piece, ShipId, Target};

/// The two ways to take a planet (4.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Means {
    /// 50%.
    Diplomacy,
    /// 75%, and the attacker is destroyed on failure.
    Force,
}

/// What two players can agree on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Agreement {
    /// Peace between two players at war (R7).
    Peace,
    /// A partnership of two Independents (R41).
    Partnership,
}

/// What a member gives their word on (R13).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Promise {
    /// Not to attack the receiver.
    NoAttack,
    /// To give the receiver this planet.
    GivePlanet(Place),
    /// To keep starships out of this hex.
    KeepOut(Place),
    /// Not to vote for the receiver's exile.
    NoExileVote,
}

/// An order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// Build starships (3.1).
    Build {
        /// How many.
        count: u8,
        /// On which base.
        base: BaseNumber,
    },
    /// Move a starship one hex (4).
    Move {
        /// Which.
        ship: ShipId,
        /// Where to.
        to: Place,
    },
    /// Warp a starship two hexes (4).
    Warp {
        /// Which.
        ship: ShipId,
        /// The first hex.
        via: Place,
        /// The second hex.
        to: Place,
    },
    /// Move a base one or two hexes (4.4).
    MoveBase {
        /// Which.
        base: BaseNumber,
        /// The first of two hexes.
        via: Option<Place>,
        /// Where to.
        to: Place,
    },
    /// Settle a base on the planet in its hex (4.4).
    Settle {
        /// Which.
        base: BaseNumber,
    },
    /// Try to take the planet in the piece's hex (4.2).
    Attempt {
        /// Who tries.
        piece: Piece,
        /// How.
        means: Means,
    },
    /// Attack something in the piece's hex (6).
    Attack {
        /// Who attacks.
        piece: Piece,
        /// What.
        target: Target,
    },
    /// Fight another round (6).
    FightOn,
    /// Break the battle off (6).
    Withdraw,
    /// Fire at the Death Star just met (8).
    Fire,
    /// Do not fire at it (8).
    HoldFire,
    /// Turn a marker face up (3.2).
    FaceUp {
        /// Where.
        at: Place,
    },
    /// Put an ownership marker: colonizes, or is a sign (3.7).
    Mark {
        /// Where.
        at: Place,
    },
    /// Take up an ownership marker that is only a sign (3.7).
    Unmark {
        /// Where.
        at: Place,
    },
    /// Give a planet away (9).
    Give {
        /// Its hex.
        at: Place,
        /// To whom.
        to: Seat,
    },
    /// End the turn (3.3).
    End,
    /// Set (or withdraw) a vote for exile (R36).
    Vote {
        /// Against whom.
        against: Seat,
        /// Takes an earlier vote back.
        withdrawn: bool,
    },
    /// Offer an agreement.
    Offer {
        /// To whom.
        to: Seat,
        /// Which.
        agreement: Agreement,
    },
    /// Accept an agreement that was offered.
    Accept {
        /// Whose offer.
        from: Seat,
        /// Which.
        agreement: Agreement,
    },
    /// Take an offer back.
    Retract {
        /// To whom it was made.
        to: Seat,
        /// Which.
        agreement: Agreement,
    },
    /// End one's partnership (R41).
    EndPartnership,
    /// Give one's word (7).
    Pledge {
        /// To whom.
        to: Seat,
        /// What is promised.
        promise: Promise,
        /// Until the end of this round.
        until: u8,
    },
    /// Remove a starship above the sponsor limit (5).
    Sacrifice {
        /// Which.
        ship: ShipId,
    },
    /// Choose the starship that a broken word transfers (R13).
    ChooseShip {
        /// Which.
        ship: ShipId,
    },
    /// Choose the planet that a broken word transfers (R13).
    ChoosePlanet {
        /// Its hex.
        at: Place,
    },
    /// The Death Star puts one of its first two zones (8).
    Zone {
        /// Where.
        at: Place,
    },
    /// The Death Star lets one source grow (8).
    Grow {
        /// The source.
        from: Place,
        /// The hex it enters.
        to: Place,
    },
    /// The Death Star puts or grows no more now (8).
    Stop,
}
