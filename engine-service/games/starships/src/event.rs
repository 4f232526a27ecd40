//! What happened, as one audience is told.

use heliopause_kernel::Seat;
use heliopause_kernel::wire::Wire;
use heliopause_proto::starships_at_large::v1 as proto;

use crate::board::Place;
use crate::knowledge::{Offer, Owed, Pledge};
use crate::markers::Marker;
use crate::order::Means;
use crate::pieces::{BaseId, Piece, ShipId, Target};
use crate::table::{Die, Ending, HiddenRoll, Stage, Status};
use crate::wire;

/// Why a piece was lost. Where a face-down marker is the reason, only the owner is told (R25).
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(words = proto::Cause)]
pub enum Cause {
    /// Destroyed in battle.
    Battle,
    /// Shot by the Death Star.
    DeathStar,
    /// Warped through or into Asteroids.
    Asteroids,
    /// Warped through or into a Death Zone.
    DeathZone,
    /// Failed to take a planet by force.
    Repelled,
    /// Surrounded by Death Zones.
    Surrounded,
    /// No planet sponsors it.
    Unsponsored,
    /// Destroyed together with a planet.
    PlanetDestroyed,
    /// A base that was out too long.
    TooLongOut,
}

/// Something that happened, by the chapter of the rulebook. Each one changes what its audience
/// knows in a way that
/// [`Game::update`] can repeat.
///
/// [`Game::update`]: heliopause_kernel::Game::update
#[derive(Wire, Clone, Copy, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, message = proto::Event)]
pub enum Event {
    /// Turns, what is asked, and the end (2, 3, 9).
    #[wire(nested)]
    Turn(TurnEvent),
    /// Movement and losses (4).
    #[wire(nested)]
    Move(MoveEvent),
    /// Planets and markers (3.6, 3.7, 4.1, 4.2).
    #[wire(nested)]
    Planet(PlanetEvent),
    /// Combat, war and peace (6, R7).
    #[wire(nested)]
    Battle(BattleEvent),
    /// The Death Star and its zones (8).
    #[wire(nested)]
    DeathStar(DeathStarEvent),
    /// Standing and agreements (7, R41).
    #[wire(nested)]
    Standing(StandingEvent),
    /// Words given, broken and made good (R13).
    #[wire(nested)]
    Word(WordEvent),
}

/// Turns, what is asked, and the end (2, 3, 9).
#[derive(Wire, Clone, Copy, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Seat = wire::player, Die = wire::die))]
pub enum TurnEvent {
    /// A die for the first player was rolled (2).
    OrderRolled {
        seat: Seat,
        /// What it showed.
        die: Die,
    },
    /// A player-turn began.
    TurnBegan { round: u8, seat: Seat },
    /// Starships may be built (3.1).
    ArrivalsOpened {
        seat: Seat,
        /// How many at most.
        allowance: u8,
    },
    /// No more starships may be built this turn.
    ArrivalsClosed { seat: Seat },
    /// A starship was built.
    #[wire(name = StarshipBuilt)]
    Built {
        /// Its name.
        #[wire(name = starship)]
        ship: ShipId,
        at: Place,
    },
    /// The game waits for something else.
    StageChanged { stage: Stage },
    /// A player-turn ended (3.3).
    TurnEnded { seat: Seat },
    /// A seat is asked for a decision beside its turn, or owes none any more; told to the seat.
    Asked {
        #[wire(with = wire::seat)]
        seat: Seat,
        owes: Option<Owed>,
    },
    /// The game is over (9).
    #[wire(name = GameEnded)]
    Ended { ending: Ending },
    /// The game is over, and everybody learns of a roll that was hidden (R25).
    RollRevealed { roll: HiddenRoll },
}

impl From<TurnEvent> for Event {
    fn from(event: TurnEvent) -> Self {
        Self::Turn(event)
    }
}

/// Movement and losses (4).
#[derive(Wire, Clone, Copy, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Die = wire::die))]
pub enum MoveEvent {
    /// A piece moved (4).
    Moved {
        piece: Piece,
        /// Where its move began.
        #[wire(name = from_hex)]
        from: Place,
        /// The hex it passed through.
        via: Option<Place>,
        /// Where it is now.
        #[wire(name = to_hex)]
        to: Place,
        /// At warp speed.
        warp: bool,
    },
    /// A starship destroyed a Death Zone by entering it (8).
    ZoneCleared { at: Place },
    /// A roll for entering Asteroids; told to the mover (R25).
    AsteroidsRolled {
        /// By which starship.
        #[wire(name = starship)]
        ship: ShipId,
        /// 1 to 3 disrupts.
        die: Die,
    },
    /// A roll for warp.
    WarpRolled {
        /// By which starship.
        #[wire(name = starship)]
        ship: ShipId,
        /// 1 to 3 disrupts.
        die: Die,
    },
    /// A starship is Disrupted.
    Disrupted {
        #[wire(name = starship)]
        ship: ShipId,
    },
    /// A piece was lost.
    Lost {
        piece: Piece,
        at: Place,
        /// Why, if this audience may know.
        cause: Option<Cause>,
    },
    /// A base settled on a planet (4.4).
    #[wire(name = BaseSettled)]
    Settled { base: BaseId, at: Place },
}

impl From<MoveEvent> for Event {
    fn from(event: MoveEvent) -> Self {
        Self::Move(event)
    }
}

/// Planets and markers (3.6, 3.7, 4.1, 4.2).
#[derive(Wire, Clone, Copy, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Seat = wire::player))]
pub enum PlanetEvent {
    /// A seat learned what a hex holds and whose it is.
    Noted {
        seat: Seat,
        /// The hex.
        at: Place,
        /// What it holds.
        marker: Marker,
        owner: Option<Seat>,
    },
    /// A marker was turned face up.
    FacedUp {
        at: Place,
        marker: Marker,
        owner: Option<Seat>,
        /// Who turned it; nobody if the game did.
        by: Option<Seat>,
    },
    /// A planet has a new owner; told to everybody if it lies face up, else to the game master.
    Owned {
        at: Place,
        /// Whose it is now.
        owner: Option<Seat>,
    },
    /// A seat gained a planet.
    Gained {
        seat: Seat,
        /// The planet.
        at: Place,
    },
    /// A seat lost a planet.
    Forfeited {
        seat: Seat,
        /// The planet.
        at: Place,
    },
    /// An ownership marker was put (3.7).
    Marked { seat: Seat, at: Place },
    /// An ownership marker was taken up or removed.
    Unmarked { seat: Seat, at: Place },
    /// A planet was given away (9).
    Given {
        giver: Seat,
        receiver: Seat,
        /// Its hex.
        at: Place,
    },
    /// A planet was attempted (4.2); told to the mover and the planet's owner.
    Attempted {
        piece: Piece,
        at: Place,
        means: Means,
        /// Whose planet it was.
        owner: Option<Seat>,
        /// The dice; diplomacy has one.
        #[wire(with = wire::dice)]
        dice: (Die, Option<Die>),
        /// Whether it was taken.
        taken: bool,
    },
}

impl From<PlanetEvent> for Event {
    fn from(event: PlanetEvent) -> Self {
        Self::Planet(event)
    }
}

/// Combat, war and peace (6, R7).
#[derive(Wire, Clone, Copy, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Seat = wire::player, Die = wire::die))]
pub enum BattleEvent {
    /// A round of battle was rolled (6).
    BattleRolled {
        /// Who attacks.
        attacker: Piece,
        foe: Target,
        /// The attacker's die, if it rolled.
        #[wire(name = attacker_die)]
        attack: Option<Die>,
        /// The defender's die, if it rolled.
        #[wire(name = defender_die)]
        defence: Option<Die>,
    },
    /// A piece withdrew (R9).
    Withdrew {
        piece: Piece,
        /// Where it is now.
        to: Place,
    },
    /// A player attacked another (R7).
    ActOfWar {
        /// Who attacked.
        attacker: Seat,
        defender: Seat,
    },
    /// Peace was made.
    PeaceMade {
        /// Who had offered it.
        first: Seat,
        /// Who accepted it.
        second: Seat,
    },
    /// The Alliance became the Aggressor Axis (R2).
    AxisNamed {
        /// By whose attack.
        seat: Seat,
    },
}

impl From<BattleEvent> for Event {
    fn from(event: BattleEvent) -> Self {
        Self::Battle(event)
    }
}

/// The Death Star and its zones (8).
#[derive(Wire, Clone, Copy, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Seat = wire::player, Die = wire::die))]
pub enum DeathStarEvent {
    /// The undisturbed Death Star shot at a piece; told to the mover (R25).
    Ambushed {
        piece: Piece,
        /// 1 to 3 destroys it.
        die: Die,
    },
    /// A piece fired at the Death Star it had just met, or held its fire; told to the mover.
    FiredAtDeathStar {
        piece: Piece,
        /// The die, if it fired.
        die: Option<Die>,
    },
    /// The Death Star was activated (8).
    DeathStarActivated { at: Place, provoker: Seat },
    /// The Death Star was destroyed (8).
    DeathStarDestroyed { at: Place, seat: Seat },
    /// A Death Zone was put (8).
    ZonePlaced { at: Place },
    /// A Death Zone entered a planet's hex: 1 to 3 destroys the planet and the zone stays, else the
    /// zone dies (8).
    ZoneStruck { at: Place, die: Die },
    /// A Death Zone could not enter: the growth failed and cost nothing; told to the Death Star
    /// (R39, R51).
    ZoneBlocked { at: Place },
    /// A source has grown; told to the Death Star (R15).
    SourceSpent {
        #[wire(name = source)]
        from: Place,
        /// Into which hex.
        to: Place,
    },
}

impl From<DeathStarEvent> for Event {
    fn from(event: DeathStarEvent) -> Self {
        Self::DeathStar(event)
    }
}

/// Standing and agreements (7, R41).
#[derive(Wire, Clone, Copy, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Seat = wire::player))]
pub enum StandingEvent {
    /// A player's standing changed.
    StatusChanged {
        /// The player.
        seat: Seat,
        /// The new standing.
        #[wire(part(status, round))]
        status: Status,
    },
    /// A player is out (R22): what they had on the board is removed, their planets are nobody's.
    Eliminated {
        /// The player.
        seat: Seat,
    },
    /// A vote for exile was set or withdrawn (R36).
    Voted { seat: Seat, against: Seat, withdrawn: bool },
    /// An offer was made or taken back; told to the two.
    Offered {
        offer: Offer,
        /// It was taken back.
        retracted: bool,
    },
    /// A partnership was made (R41).
    PartnershipMade {
        /// Who had offered it.
        first: Seat,
        /// Who accepted it.
        second: Seat,
    },
    /// A partnership ended (R41).
    PartnershipEnded {
        /// Who ended it.
        first: Seat,
        second: Seat,
    },
}

impl From<StandingEvent> for Event {
    fn from(event: StandingEvent) -> Self {
        Self::Standing(event)
    }
}

/// Words given, broken and made good (R13).
#[derive(Wire, Clone, Copy, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Seat = wire::player))]
pub enum WordEvent {
    /// A word was given (7); told to the two.
    Pledged {
        /// The word.
        pledge: Pledge,
    },
    /// A word binds no longer: kept or lapsed; told to the two.
    PledgeEnded {
        /// The word.
        pledge: Pledge,
    },
    /// A promised planet was given to somebody else; told to the two.
    PledgeStrayed {
        /// The word, before it strayed.
        pledge: Pledge,
    },
    /// A word was broken (R13).
    PledgeBroken {
        /// The word.
        pledge: Pledge,
    },
    /// A broken word was made good.
    BreachSettled {
        /// Who broke it.
        breaker: Seat,
        /// To whom it was given.
        offended: Seat,
    },
    /// A starship has a new owner (R13).
    #[wire(name = StarshipTransferred)]
    Transferred {
        /// What it was called.
        #[wire(name = old_piece)]
        from: ShipId,
        /// What it is called now.
        #[wire(name = new_piece)]
        to: ShipId,
    },
}

impl From<WordEvent> for Event {
    fn from(event: WordEvent) -> Self {
        Self::Word(event)
    }
}
