//! The orders that seats can give.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, vocabulary};
use heliopause_proto::starships_at_large::v1 as proto;

use crate::board::Place;
use crate::pieces::{BaseNumber, Piece, ShipId, Target};
use crate::wire;

/// A way to take a planet (4.2).
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(words = proto::Means)]
pub enum Means {
    /// Succeeds with a probability of 50%. The piece survives a failure.
    Diplomacy,
    /// Succeeds with a probability of 75%. The piece is destroyed on failure.
    Force,
}

vocabulary! {
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[wire(words = proto::Agreement)]
    pub enum Agreement {
        Peace = "peace",
        Partnership = "partnership",
    }
}

/// The content of a pledge (R13).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(kinds = proto::promise::Kind, message = proto::Promise)]
pub enum Promise {
    NoAttack,
    GivePlanet(Place),
    KeepOut(Place),
    NoExileVote,
}

/// An order of a seat.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(kinds = proto::order::Kind, message = proto::Order, with(Seat = wire::player))]
pub enum Order {
    Build {
        count: u8,
        base: BaseNumber,
    },
    #[wire(name = MoveStarship)]
    Move {
        #[wire(name = starship)]
        ship: ShipId,
        to: Place,
    },
    #[wire(name = WarpStarship)]
    Warp {
        #[wire(name = starship)]
        ship: ShipId,
        via: Place,
        to: Place,
    },
    /// Move a base one or two hexes (4.4).
    MoveBase {
        base: BaseNumber,
        via: Option<Place>,
        to: Place,
    },
    #[wire(name = SettleBase)]
    Settle {
        base: BaseNumber,
    },
    /// Try to take the planet in the piece's hex by diplomacy or force (4.2).
    #[wire(name = AttemptPlanet)]
    Attempt {
        piece: Piece,
        means: Means,
    },
    Attack {
        piece: Piece,
        target: Target,
    },
    FightOn,
    Withdraw,
    /// Fire at the undisturbed Death Star that the starship has met (8).
    Fire,
    /// Do not fire at the undisturbed Death Star that the starship has met (8).
    HoldFire,
    #[wire(name = TurnFaceUp)]
    FaceUp {
        at: Place,
    },
    /// Place an ownership marker. It colonizes an open planet or has no effect (3.7).
    #[wire(name = PutMarker)]
    Mark {
        at: Place,
    },
    /// Remove an ownership marker that has no effect (3.7).
    #[wire(name = TakeUpMarker)]
    Unmark {
        at: Place,
    },
    #[wire(name = GivePlanet)]
    Give {
        at: Place,
        to: Seat,
    },
    #[wire(name = EndTurn)]
    End,
    #[wire(name = ExileVote)]
    Vote {
        against: Seat,
        withdrawn: bool,
    },
    Offer {
        #[wire(name = to_seat)]
        to: Seat,
        agreement: Agreement,
    },
    Accept {
        #[wire(name = from_seat)]
        from: Seat,
        agreement: Agreement,
    },
    Retract {
        #[wire(name = to_seat)]
        to: Seat,
        agreement: Agreement,
    },
    EndPartnership,
    #[wire(name = GivePledge)]
    Pledge {
        #[wire(name = to_seat)]
        to: Seat,
        promise: Promise,
        #[wire(name = until_round)]
        until: u8,
    },
    Sacrifice {
        #[wire(name = starship)]
        ship: ShipId,
    },
    /// Choose the starship that changes owner as the penalty for a broken pledge (R13).
    #[wire(name = ChooseStarship)]
    ChooseShip {
        #[wire(name = starship)]
        ship: ShipId,
    },
    /// Choose the planet that changes owner as the penalty for a broken pledge (R13).
    ChoosePlanet {
        at: Place,
    },
    /// Place one of the Death Star's first two zones (8).
    #[wire(name = PutZone)]
    Zone {
        at: Place,
    },
    #[wire(name = GrowZone)]
    Grow {
        #[wire(name = source)]
        from: Place,
        to: Place,
    },
    /// Stop placing or growing zones (8).
    #[wire(name = StopZones)]
    Stop,
}
