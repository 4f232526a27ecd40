//! The events of the game.

use heliopause_kernel::Seat;
use heliopause_kernel::sentence::Facts;
use heliopause_kernel::wire::Wire;
use heliopause_proto::starships_at_large::v1 as proto;

use crate::board::Place;
use crate::knowledge::{Offer, Owed, Pledge};
use crate::markers::Marker;
use crate::order::Means;
use crate::pieces::{BaseId, Piece, ShipId, Target};
use crate::table::{Die, Ending, HiddenRoll, Stage, Status};
use crate::wire;

/// A reason for the loss of a piece. Reasons that could reveal a hidden marker are not public
/// (R25).
#[derive(Wire, Facts, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(words = proto::Cause)]
pub enum Cause {
    Battle,
    DeathStar,
    /// The starship warped through or into Asteroids.
    Asteroids,
    /// The starship warped through or into a Death Zone.
    DeathZone,
    /// The piece failed to take a planet by force.
    Repelled,
    Surrounded,
    /// The player's starships exceeded the sponsor limit.
    Unsponsored,
    PlanetDestroyed,
    TooLongOut,
}

/// A change of the game, grouped by chapter of the rulebook.
#[derive(Wire, Facts, Clone, Copy, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, message = proto::Event)]
pub enum Event {
    #[wire(nested)]
    Turn(TurnEvent),
    #[wire(nested)]
    Move(MoveEvent),
    #[wire(nested)]
    Planet(PlanetEvent),
    #[wire(nested)]
    Battle(BattleEvent),
    #[wire(nested)]
    DeathStar(DeathStarEvent),
    #[wire(nested)]
    Standing(StandingEvent),
    #[wire(nested)]
    Word(WordEvent),
}

macro_rules! groups {
    ($($group:ident($event:ty)),+) => {
        $(impl From<$event> for Event {
            fn from(event: $event) -> Self {
                Self::$group(event)
            }
        })+
    };
}

groups!(
    Turn(TurnEvent),
    Move(MoveEvent),
    Planet(PlanetEvent),
    Battle(BattleEvent),
    DeathStar(DeathStarEvent),
    Standing(StandingEvent),
    Word(WordEvent)
);

/// Events of turns, pending decisions, and the end (2, 3, 9).
#[derive(Wire, Facts, Clone, Copy, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Seat = wire::player, Die = wire::die))]
pub enum TurnEvent {
    /// A player rolled a die for the first turn (2).
    OrderRolled {
        seat: Seat,
        die: Die,
    },
    TurnBegan {
        round: u8,
        seat: Seat,
    },
    ArrivalsOpened {
        seat: Seat,
        allowance: u8,
    },
    ArrivalsClosed {
        seat: Seat,
    },
    #[wire(name = StarshipBuilt)]
    Built {
        #[wire(name = starship)]
        ship: ShipId,
        at: Place,
    },
    StageChanged {
        stage: Stage,
    },
    TurnEnded {
        seat: Seat,
    },
    /// A decision outside the seat's normal turn was opened or closed. Only visible to the seat.
    Asked {
        #[wire(with = wire::seat)]
        seat: Seat,
        pending_decision: Option<Owed>,
    },
    #[wire(name = GameEnded)]
    Ended {
        ending: Ending,
    },
    RollRevealed {
        roll: HiddenRoll,
    },
}

/// Events of movement and losses (4).
#[derive(Wire, Facts, Clone, Copy, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Die = wire::die))]
pub enum MoveEvent {
    Moved {
        piece: Piece,
        #[wire(name = from_hex)]
        from: Place,
        via: Option<Place>,
        #[wire(name = to_hex)]
        to: Place,
        warp: bool,
    },
    /// A starship destroyed a Death Zone by entering it (8).
    ZoneCleared { at: Place },
    /// A starship rolled a die for entering Asteroids. Only visible to the mover (R25).
    AsteroidsRolled {
        #[wire(name = starship)]
        ship: ShipId,
        /// The starship is Disrupted on 1 to 3.
        die: Die,
    },
    WarpRolled {
        #[wire(name = starship)]
        ship: ShipId,
        die: Die,
    },
    Disrupted {
        #[wire(name = starship)]
        ship: ShipId,
    },
    Lost {
        piece: Piece,
        at: Place,
        /// `None` if the cause is not visible to the audience of the event.
        cause: Option<Cause>,
    },
    #[wire(name = BaseSettled)]
    Settled { base: BaseId, at: Place },
}

/// Events of planets and markers (3.6, 3.7, 4.1, 4.2).
#[derive(Wire, Facts, Clone, Copy, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Seat = wire::player))]
pub enum PlanetEvent {
    HexRevealed {
        seat: Seat,
        at: Place,
        marker: Marker,
        owner: Option<Seat>,
    },
    FacedUp {
        at: Place,
        marker: Marker,
        owner: Option<Seat>,
        /// `None` if the game turned the marker face up.
        by: Option<Seat>,
    },
    /// Public if the planet is face up, otherwise visible only to the game master.
    Owned {
        at: Place,
        owner: Option<Seat>,
    },
    Gained {
        seat: Seat,
        at: Place,
    },
    Forfeited {
        seat: Seat,
        at: Place,
    },
    Marked {
        seat: Seat,
        at: Place,
    },
    Unmarked {
        seat: Seat,
        at: Place,
    },
    Given {
        giver: Seat,
        receiver: Seat,
        at: Place,
    },
    /// A player tried to take a planet (4.2). Only visible to that player and the planet's owner.
    Attempted {
        piece: Piece,
        at: Place,
        means: Means,
        owner: Option<Seat>,
        /// The second die is rolled only for force; `None` for diplomacy.
        #[wire(with = wire::dice)]
        dice: (Die, Option<Die>),
        taken: bool,
    },
}

/// Events of combat, war and peace (6, R7).
#[derive(Wire, Facts, Clone, Copy, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Seat = wire::player, Die = wire::die))]
pub enum BattleEvent {
    BattleRolled {
        attacker: Piece,
        target: Target,
        #[wire(name = attacker_die)]
        attack: Option<Die>,
        #[wire(name = defender_die)]
        defense: Option<Die>,
    },
    Withdrew {
        piece: Piece,
        to: Place,
    },
    ActOfWar {
        attacker: Seat,
        defender: Seat,
    },
    PeaceMade {
        first: Seat,
        second: Seat,
    },
    /// The Alliance became the Aggressor Axis (R2).
    AxisNamed {
        seat: Seat,
    },
}

/// Events of the Death Star and its zones (8).
#[derive(Wire, Facts, Clone, Copy, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Seat = wire::player, Die = wire::die))]
pub enum DeathStarEvent {
    /// The undisturbed Death Star fired at a piece. Only visible to the mover (R25).
    Ambushed {
        piece: Piece,
        /// The piece is destroyed on 1 to 3.
        die: Die,
    },
    /// A piece fired at the undisturbed Death Star. `die` is `None` if the piece held fire. Only
    /// visible to the mover (R25).
    FiredAtDeathStar {
        piece: Piece,
        die: Option<Die>,
    },
    DeathStarActivated {
        at: Place,
        provoker: Seat,
    },
    DeathStarDestroyed {
        at: Place,
        seat: Seat,
    },
    ZonePlaced {
        at: Place,
    },
    /// A Death Zone entered a hex with a planet (8). On 1 to 3 the zone destroys the planet and
    /// stays. Otherwise the zone is removed.
    ZoneStruck {
        at: Place,
        die: Die,
    },
    /// A Disrupted starship kept a zone out, so growth failed at no cost. Only visible to the Death
    /// Star (R39, R51).
    ZoneBlocked {
        at: Place,
    },
    /// A source of Death Zones has grown. Only visible to the Death Star (R15).
    SourceSpent {
        #[wire(name = source)]
        from: Place,
        to: Place,
    },
}

/// Events of status and agreements (7, R41).
#[derive(Wire, Facts, Clone, Copy, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Seat = wire::player))]
pub enum StandingEvent {
    StatusChanged {
        seat: Seat,
        #[wire(part(status, round))]
        status: Status,
    },
    /// A player is out (R22). All pieces and markers of the player are removed, and their planets
    /// become unowned.
    Eliminated {
        seat: Seat,
    },
    Voted {
        seat: Seat,
        against: Seat,
        withdrawn: bool,
    },
    /// An offer was made or retracted. Only visible to the two players.
    Offered {
        offer: Offer,
        retracted: bool,
    },
    PartnershipMade {
        first: Seat,
        second: Seat,
    },
    PartnershipEnded {
        first: Seat,
        second: Seat,
    },
}

/// Events of pledges that are made, broken and settled (R13).
#[derive(Wire, Facts, Clone, Copy, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Seat = wire::player))]
pub enum WordEvent {
    /// A pledge was made (7). Only visible to the two players.
    Pledged {
        pledge: Pledge,
    },
    /// A pledge was kept or lapsed. Only visible to the two players.
    PledgeEnded {
        pledge: Pledge,
    },
    /// The giver gave the promised planet to a third player. Only visible to giver and receiver.
    PledgedPlanetGiven {
        pledge: Pledge,
    },
    PledgeBroken {
        pledge: Pledge,
    },
    BreachSettled {
        breaker: Seat,
        /// The receiver of the pledge.
        offended: Seat,
    },
    #[wire(name = StarshipTransferred)]
    Transferred {
        #[wire(name = old_piece)]
        from: ShipId,
        #[wire(name = new_piece)]
        to: ShipId,
    },
}
