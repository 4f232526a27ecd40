//! What happened, as one audience is told.

use heliopause_kernel::Seat;

use crate::board::Place;
use crate::knowledge::{Owed, Pledge};
use crate::markers::Marker;
use crate::order::{Agreement, Means};
use crate::pieces::{BaseId, Piece, ShipId, Target};
use crate::table::{Breach, Ending, HiddenRoll, Stage, Status};

/// Why a piece was lost. Where a face-down marker is the reason, only the owner is told (R25).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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

/// Something that happened. Each one changes what its audience knows in a way that [`Game::update`] can repeat.
///
/// [`Game::update`]: heliopause_kernel::Game::update
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Event {
    /// A die for the first player was rolled (2).
    OrderRolled {
        /// For whom.
        seat: Seat,
        /// What it showed.
        die: u8,
    },
    /// A player-turn began.
    TurnBegan {
        /// The round.
        round: u8,
        /// Whose.
        seat: Seat,
    },
    /// Starships may be built (3.1).
    ArrivalsOpened {
        /// By whom.
        seat: Seat,
        /// How many at most.
        allowance: u8,
    },
    /// No more starships may be built this turn.
    ArrivalsClosed {
        /// By whom.
        seat: Seat,
    },
    /// A starship was built.
    Built {
        /// Its name.
        ship: ShipId,
        /// Where.
        at: Place,
    },
    /// A piece moved (4).
    Moved {
        /// Which.
        piece: Piece,
        /// Where its move began.
        from: Place,
        /// The hex it passed through.
        via: Option<Place>,
        /// Where it is now.
        to: Place,
        /// At warp speed.
        warp: bool,
    },
    /// A starship destroyed a Death Zone by entering it (8).
    ZoneCleared {
        /// Where.
        at: Place,
    },
    /// A roll for entering Asteroids; told to the mover (R25).
    AsteroidsRolled {
        /// By which starship.
        ship: ShipId,
        /// 1 to 3 disrupts.
        die: u8,
    },
    /// A roll for warp.
    WarpRolled {
        /// By which starship.
        ship: ShipId,
        /// 1 to 3 disrupts.
        die: u8,
    },
    /// A starship is Disrupted.
    Disrupted {
        /// Which.
        ship: ShipId,
    },
    /// A piece was lost.
    Lost {
        /// Which.
        piece: Piece,
        /// Where.
        at: Place,
        /// Why, if this audience may know.
        cause: Option<Cause>,
    },
    /// A seat learned what a hex holds and whose it is.
    Noted {
        /// The seat.
        seat: Seat,
        /// The hex.
        at: Place,
        /// What it holds.
        marker: Marker,
        /// Whose it is.
        owner: Option<Seat>,
    },
    /// A marker was turned face up.
    FacedUp {
        /// Where.
        at: Place,
        /// What it is.
        marker: Marker,
        /// Whose it is.
        owner: Option<Seat>,
        /// Who turned it; nobody if the game did.
        by: Option<Seat>,
    },
    /// A planet has a new owner; told to everybody if it lies face up, else to the game master.
    Owned {
        /// Where.
        at: Place,
        /// Whose it is now.
        owner: Option<Seat>,
    },
    /// A seat gained a planet.
    Gained {
        /// The seat.
        seat: Seat,
        /// The planet.
        at: Place,
    },
    /// A seat lost a planet.
    Forfeited {
        /// The seat.
        seat: Seat,
        /// The planet.
        at: Place,
    },
    /// An ownership marker was put (3.7).
    Marked {
        /// Whose.
        seat: Seat,
        /// Where.
        at: Place,
    },
    /// An ownership marker was taken up or removed.
    Unmarked {
        /// Whose.
        seat: Seat,
        /// Where.
        at: Place,
    },
    /// A planet was given away (9).
    Given {
        /// By whom.
        giver: Seat,
        /// To whom.
        receiver: Seat,
        /// Its hex.
        at: Place,
    },
    /// A planet was attempted (4.2); told to the mover and the planet's owner.
    Attempted {
        /// By which piece.
        piece: Piece,
        /// Where.
        at: Place,
        /// How.
        means: Means,
        /// Whose planet it was.
        owner: Option<Seat>,
        /// The dice; diplomacy has one.
        dice: (u8, Option<u8>),
        /// Whether it was taken.
        taken: bool,
    },
    /// A base settled on a planet (4.4).
    Settled {
        /// Which.
        base: BaseId,
        /// Where.
        at: Place,
    },
    /// A player attacked another (R7).
    ActOfWar {
        /// Who attacked.
        attacker: Seat,
        /// Whom.
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
    /// A round of battle was rolled (6).
    BattleRolled {
        /// Who attacks.
        attacker: Piece,
        /// Whom.
        foe: Target,
        /// The attacker's die, if it rolled.
        attack: Option<u8>,
        /// The defender's die, if it rolled.
        defence: Option<u8>,
    },
    /// A piece withdrew (R9).
    Withdrew {
        /// Which.
        piece: Piece,
        /// Where it is now.
        to: Place,
    },
    /// The undisturbed Death Star shot at a piece; told to the mover (R25).
    Ambushed {
        /// At which.
        piece: Piece,
        /// 1 to 3 destroys it.
        die: u8,
    },
    /// A piece fired at the Death Star it had just met, or held its fire; told to the mover.
    FiredAtDeathStar {
        /// Which.
        piece: Piece,
        /// The die, if it fired.
        die: Option<u8>,
    },
    /// The Death Star was activated (8).
    DeathStarActivated {
        /// Where.
        at: Place,
        /// By whom.
        provoker: Seat,
    },
    /// The Death Star was destroyed (8).
    DeathStarDestroyed {
        /// Where.
        at: Place,
        /// By whom.
        seat: Seat,
    },
    /// A Death Zone was put (8).
    ZonePlaced {
        /// Where.
        at: Place,
    },
    /// A Death Zone entered a planet's hex: 1 to 3 destroys the planet and the zone stays, else the zone dies (8).
    ZoneStruck {
        /// Where.
        at: Place,
        /// The die.
        die: u8,
    },
    /// A Death Zone could not enter: the growth failed and cost nothing; told to the Death Star (R39, R51).
    ZoneBlocked {
        /// Where.
        at: Place,
    },
    /// A source has grown; told to the Death Star (R15).
    SourceSpent {
        /// Which.
        from: Place,
        /// Into which hex.
        to: Place,
    },
    /// A player's standing changed.
    StatusChanged {
        /// The player.
        seat: Seat,
        /// The new standing.
        status: Status,
    },
    /// A player is out (R22): what they had on the board is removed, their planets are nobody's.
    Eliminated {
        /// The player.
        seat: Seat,
    },
    /// A vote for exile was set or withdrawn (R36).
    Voted {
        /// By whom.
        seat: Seat,
        /// Against whom.
        against: Seat,
        /// It was withdrawn.
        withdrawn: bool,
    },
    /// An offer was made or taken back; told to the two.
    Offered {
        /// By whom.
        from: Seat,
        /// To whom.
        to: Seat,
        /// Of what.
        agreement: Agreement,
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
        /// With whom.
        second: Seat,
    },
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
        /// Which.
        breach: Breach,
    },
    /// A starship has a new owner (R13).
    Transferred {
        /// What it was called.
        from: ShipId,
        /// What it is called now.
        to: ShipId,
    },
    /// A seat is asked for a decision beside its turn, or owes none any more; told to the seat.
    Asked {
        /// The seat.
        seat: Seat,
        /// What it owes.
        owes: Option<Owed>,
    },
    /// The game waits for something else.
    StageChanged {
        /// For what.
        stage: Stage,
    },
    /// A player-turn ended (3.3).
    TurnEnded {
        /// Whose.
        seat: Seat,
    },
    /// The game is over (9).
    Ended {
        /// How.
        ending: Ending,
    },
    /// The game is over, and everybody learns of a roll that was hidden (R25).
    RollRevealed {
        /// The roll.
        roll: HiddenRoll,
    },
}
