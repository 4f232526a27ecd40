//! What a seat can order.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, vocabulary};
use heliopause_proto::starships_at_large::v1 as proto;

use crate::board::Place;
use crate::pieces::{BaseNumber, Piece, ShipId, Target};
use crate::wire;

/// The two ways to take a planet (4.2).
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(words = proto::Means)]
pub enum Means {
    /// 50%.
    Diplomacy,
    /// 75%, and the attacker is destroyed on failure.
    Force,
}

vocabulary! {
    /// What two players can agree on.
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[wire(words = proto::Agreement)]
    pub enum Agreement {
        /// Peace between two players at war (R7).
        Peace = "peace",
        /// A partnership of two Independents (R41).
        Partnership = "partnership",
    }
}

/// What a member gives their word on (R13).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(kinds = proto::promise::Kind, message = proto::Promise)]
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
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(kinds = proto::order::Kind, message = proto::Order, with(Seat = wire::player))]
pub enum Order {
    /// Build starships (3.1).
    Build { count: u8, base: BaseNumber },
    /// Move a starship one hex (4).
    #[wire(name = MoveStarship)]
    Move {
        #[wire(name = starship)]
        ship: ShipId,
        to: Place,
    },
    /// Warp a starship two hexes (4).
    #[wire(name = WarpStarship)]
    Warp {
        #[wire(name = starship)]
        ship: ShipId,
        /// The first hex.
        via: Place,
        /// The second hex.
        to: Place,
    },
    /// Move a base one or two hexes (4.4).
    MoveBase {
        base: BaseNumber,
        /// The first of two hexes.
        via: Option<Place>,
        to: Place,
    },
    /// Settle a base on the planet in its hex (4.4).
    #[wire(name = SettleBase)]
    Settle { base: BaseNumber },
    /// Try to take the planet in the piece's hex (4.2).
    #[wire(name = AttemptPlanet)]
    Attempt {
        /// Who tries.
        piece: Piece,
        means: Means,
    },
    /// Attack something in the piece's hex (6).
    Attack {
        /// Who attacks.
        piece: Piece,
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
    #[wire(name = TurnFaceUp)]
    FaceUp { at: Place },
    /// Put an ownership marker: colonizes, or is a sign (3.7).
    #[wire(name = PutMarker)]
    Mark { at: Place },
    /// Take up an ownership marker that is only a sign (3.7).
    #[wire(name = TakeUpMarker)]
    Unmark { at: Place },
    /// Give a planet away (9).
    #[wire(name = GivePlanet)]
    Give {
        /// Its hex.
        at: Place,
        to: Seat,
    },
    /// End the turn (3.3).
    #[wire(name = EndTurn)]
    End,
    /// Set (or withdraw) a vote for exile (R36).
    #[wire(name = ExileVote)]
    Vote {
        against: Seat,
        /// Takes an earlier vote back.
        withdrawn: bool,
    },
    /// Offer an agreement.
    Offer {
        #[wire(name = to_seat)]
        to: Seat,
        agreement: Agreement,
    },
    /// Accept an agreement that was offered.
    Accept {
        /// Whose offer.
        #[wire(name = from_seat)]
        from: Seat,
        agreement: Agreement,
    },
    /// Take an offer back.
    Retract {
        /// To whom it was made.
        #[wire(name = to_seat)]
        to: Seat,
        agreement: Agreement,
    },
    /// End one's partnership (R41).
    EndPartnership,
    /// Give one's word (7).
    #[wire(name = GiveWord)]
    Pledge {
        #[wire(name = to_seat)]
        to: Seat,
        /// What is promised.
        promise: Promise,
        /// Until the end of this round.
        #[wire(name = until_round)]
        until: u8,
    },
    /// Remove a starship above the sponsor limit (5).
    Sacrifice {
        #[wire(name = starship)]
        ship: ShipId,
    },
    /// Choose the starship that a broken word transfers (R13).
    #[wire(name = ChooseStarship)]
    ChooseShip {
        #[wire(name = starship)]
        ship: ShipId,
    },
    /// Choose the planet that a broken word transfers (R13).
    ChoosePlanet {
        /// Its hex.
        at: Place,
    },
    /// The Death Star puts one of its first two zones (8).
    #[wire(name = PutZone)]
    Zone { at: Place },
    /// The Death Star lets one source grow (8).
    #[wire(name = GrowZone)]
    Grow {
        /// The source.
        #[wire(name = source)]
        from: Place,
        /// The hex it enters.
        to: Place,
    },
    /// The Death Star puts or grows no more now (8).
    #[wire(name = StopZones)]
    Stop,
}
