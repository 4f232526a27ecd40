//! Events and their audiences.
//!
//! Public and private facts are separate events, so that no event has to be redacted. For example,
//! the movement of a group of ships is public, but only its owner receives the ship numbers.

use heliopause_kernel::Seat;
use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::battle::{Battle, BattleStage, Shot, Side, Unit, UnitId, Volley};
use crate::state::campaign::fate::FateEvent;
use crate::state::campaign::politics_event::PoliticsEvent;
use crate::state::chart::ColonySeen;
use crate::state::colony::Colony;
use crate::state::groups::Grouping;
use crate::state::power::{Glimpse, Killed, Sighting};
use crate::state::research::Research;
use crate::state::sheet::Sheet;
use crate::state::ship::{Marker, Ship, ShipNumber};
use crate::state::standing::StandingOrders;
use crate::state::table::{Ending, Post, Stage};
use crate::tables::{CardId, Fleet, PLANETS_MAX, Place, PlanetId, StarId, Tech, TechSet};

/// The origin of new ships.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::ShipSource)]
pub enum Source {
    Start,
    Built,
    /// Transports with captives, whose conqueror left them unguarded (rule 15.5).
    Returned,
    Empire,
    Pirates,
    /// Ships taken over from an eliminated power (space 11).
    Surrendered,
}

/// The reason for the loss of ships.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::LossCause)]
pub enum Cause {
    Battle,
    Exploration,
    OutOfRange,
    Landed,
    /// Transports with captives, which returned to the captives' owner (rule 15.5).
    Returned,
    Recalled,
    /// Pirates that left (fate 7.6).
    Disengaged,
    /// Ships of an eliminated power, which another power took over (space 11).
    Surrendered,
}

/// The reason for a change of a colony.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::ColonyChange)]
pub enum Change {
    Landed,
    Grew,
    Produced,
    /// People above the capacity died (rule 16.6).
    Overcrowded,
    Siege,
    Conquered,
    Freed,
    /// The first production turn under a conqueror is over (rule 15.2).
    Settled,
    Bombarded,
    /// The owner destroyed factories (rule 13.5).
    Scuttled,
    /// The conqueror destroyed factories (rule 15.8).
    Razed,
    Killed,
    Watch,
    Found,
    Garrisoned,
    Swarms,
    Enslaved,
}

/// The reason for the end of a colony.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::ColonyEnd)]
pub enum Gone {
    Abandoned,
    /// The colony became a dominion of its conqueror (fate 8.5).
    Garrisoned,
    /// The garrison left, and the planet is independent (fate 8.7).
    Evacuated,
    Annexed,
}

/// The die rolled for a ship at a dangerous star (rule 11.2).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::RiskRoll)]
pub struct RiskRoll {
    pub ship: ShipNumber,
    /// The die, on which a 1 destroys the ship.
    #[wire(check = crate::tables::numbers::die)]
    pub die: u8,
}

/// An event. [`Game::update`] applies an event to the knowledge of its audience. Each variant has
/// its own audience.
///
/// [`Game::update`]: heliopause_kernel::Game::update
#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, message = proto::Event, with(Seat = crate::tables::numbers::seat))]
pub enum Event {
    #[wire(nested)]
    Table(TableEvent),
    #[wire(nested)]
    Own(OwnEvent),
    #[wire(nested)]
    Colony(ColonyEvent),
    #[wire(nested)]
    Battle(BattleEvent),
    /// Ships that a colony's owner may inspect. Published to the game master only.
    GlimpseKept { seat: Seat, number: u32, sighting: Sighting },
    /// An event of The Fate of Empire.
    Fate(FateEvent),
    /// An event of Alone in Outer Space.
    Politics(PoliticsEvent),
}

/// An event published to all viewers.
#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Seat = crate::tables::numbers::seat))]
pub enum TableEvent {
    /// The order of play and the entry hexes are decided (rule 3.2).
    Seated {
        #[wire(with = crate::tables::numbers::order_of_play)]
        order: Vec<Seat>,
        entries: Vec<Place>,
    },
    /// A player-turn starts.
    TurnBegan { turn: u8, seat: Seat },
    /// The next step of a turn starts.
    StageChanged { stage: Stage },
    /// The game is over (rule 19).
    Ended { ending: Ending },
    /// The ship groups of a seat in a hex changed (BR-30).
    Grouped { groups: Grouping },
    /// A group of ships moved along these hexes, starting with the hex that it left.
    Passed { seat: Seat, path: Vec<Place> },
    /// A command post was set up or removed (rule 7.2).
    PostChanged { post: Post, up: bool },
    /// A colony inspected passing ships, which made it public (rule 10).
    ColonyShown { colony: Post },
}

/// An event for one seat, given by [`OwnEvent::seat`].
#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Seat = crate::tables::numbers::seat))]
pub enum OwnEvent {
    /// Ships appeared, on the board or off it.
    ShipsCame {
        seat: Seat,
        /// The ships, numbered from the owner's next free number.
        ships: Vec<Ship>,
        source: Source,
    },
    /// Ships moved to a hex, or got another destination.
    ShipsMoved {
        seat: Seat,
        ships: Vec<ShipNumber>,
        to: Place,
        /// Additional hexes moved this turn.
        steps: u8,
        halted: bool,
        destination: Option<StarId>,
        departed: Option<StarId>,
    },
    /// Ships joined a task force, or left theirs (rule 9).
    Formed {
        seat: Seat,
        ships: Vec<ShipNumber>,
        #[wire(name = task_force)]
        marker: Option<Marker>,
    },
    /// Ships left the game, or changed hands.
    ShipsLost { seat: Seat, ships: Vec<ShipNumber>, cause: Cause },
    /// Dice were rolled for ships at a dangerous star (rule 11.2).
    RiskRolled { seat: Seat, star: StarId, rolls: Vec<RiskRoll> },
    /// The seat explored a star (rule 11.3).
    Explored { seat: Seat, star: StarId, card: CardId },
    /// The seat saw colonies of others at a star, given by their position on the card (rule 11.5).
    Surveyed {
        seat: Seat,
        star: StarId,
        #[wire(with = crate::state::chart::survey)]
        colonies: [Option<ColonySeen>; PLANETS_MAX],
    },
    /// The seat saw ships of another seat, or their absence (rule 10).
    Sighted { seat: Seat, sighting: Sighting },
    /// The seat may inspect ships that passed a colony (rule 10).
    Glimpsed { seat: Seat, glimpse: Glimpse },
    /// A chance to inspect ships is over.
    GlimpseEnded { seat: Seat, number: u32 },
    /// The seat paid for research or received technologies (rule 18).
    Researched { seat: Seat, research: Research, acquired: TechSet },
    /// The amount of i.p. from the Empire for research changed (fate 4.2 A).
    GrantChanged { seat: Seat, points: u32 },
    /// The seat changed its standing orders.
    StandingChanged {
        seat: Seat,
        #[wire(name = standing_orders)]
        standing: StandingOrders,
    },
    /// The seat submitted a sheet, or withdrew it.
    SheetStored { seat: Seat, sheet: Sheet },
    /// The active player started landing, which ends its attacks for the turn (rule 4).
    LandingBegan { seat: Seat },
    /// Millions of people killed by the seat's ships at a star in this player-turn (rule 15.9).
    PeopleKilled { seat: Seat, killed: Killed },
    /// The seat's ships that correspond to the units of a battle, in order.
    Engaged { seat: Seat, ships: Vec<ShipNumber> },
    /// The consecutive rounds without a hit on a shield, published when two of them end the attack
    /// and when the attack is broken off (space 1.1).
    Repelled {
        /// The number of rounds, including those before a resumed attack. After two, the colony
        /// cannot be attacked again this turn.
        rounds: u8,
        seat: Seat,
        planet: PlanetId,
    },
    /// Dice chose the titles for the production turn (space 6.3).
    AgendaSet {
        seat: Seat,
        #[wire(most = Tech::COUNT)]
        titles: Vec<Tech>,
    },
}

/// An event about a colony, published to its owner and its former and current conquerors.
#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Seat = crate::tables::numbers::seat))]
pub enum ColonyEvent {
    /// A colony has a new state.
    ColonyChanged { owner: Seat, colony: Colony, change: Change },
    /// A colony is no longer a colony of its owner.
    ColonyGone {
        owner: Seat,
        planet: PlanetId,
        #[wire(name = end)]
        gone: Gone,
    },
}

/// An event of a battle, published to all seats that may see it (rule 10).
#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Seat = crate::tables::numbers::seat))]
pub enum BattleEvent {
    /// A battle starts.
    BattleBegan { battle: Battle },
    /// A round against these colonies starts and reveals their bases (rule 13.3).
    ColoniesAttacked {
        /// The colonies, given by their position on the star's card.
        #[wire(with = crate::tables::numbers::nths)]
        planets: Vec<u8>,
        /// Bases that were not shown before.
        bases: Vec<Unit>,
        /// Planets whose shields were not hit in the last round of a broken-off attack.
        #[wire(with = crate::tables::numbers::nths)]
        faltered: Vec<u8>,
    },
    /// A seat chose its targets (rule 12.3).
    Aimed { seat: Seat, shots: Vec<Shot> },
    /// A round was fought (rule 12.3).
    RoundFought {
        /// The shots in the order in which they were rolled.
        volleys: Vec<Volley>,
        destroyed: Vec<UnitId>,
    },
    /// Tractor beams seized ships (space 1.1).
    Seized { volleys: Vec<Volley>, destroyed: Vec<UnitId> },
    /// The battle waits for another decision.
    BattleStageChanged {
        #[wire(part(stage, waiting))]
        stage: BattleStage,
    },
    /// Ships withdraw to a hex that is not chosen yet (rule 12.8).
    Withdrawing { units: Vec<UnitId> },
    /// Withdrawing ships of a side went to a hex.
    RefugeChosen { side: Side, at: Place },
    /// A colony was conquered (rule 13.6).
    Conquered {
        planet: PlanetId,
        /// The seat to which the colony's people are loyal.
        owner: Seat,
        by: Seat,
    },
    /// The battle is over.
    BattleEnded {
        at: Place,
        /// The ships that each side has left in the hex, by [`Side::index`].
        #[wire(each(attacker, defender))]
        left: [Fleet; 2],
    },
}

impl OwnEvent {
    pub const fn seat(&self) -> Seat {
        match self {
            Self::ShipsCame { seat, .. }
            | Self::ShipsMoved { seat, .. }
            | Self::Formed { seat, .. }
            | Self::ShipsLost { seat, .. }
            | Self::RiskRolled { seat, .. }
            | Self::Explored { seat, .. }
            | Self::Surveyed { seat, .. }
            | Self::Sighted { seat, .. }
            | Self::Glimpsed { seat, .. }
            | Self::GlimpseEnded { seat, .. }
            | Self::Researched { seat, .. }
            | Self::GrantChanged { seat, .. }
            | Self::StandingChanged { seat, .. }
            | Self::SheetStored { seat, .. }
            | Self::LandingBegan { seat, .. }
            | Self::PeopleKilled { seat, .. }
            | Self::Engaged { seat, .. }
            | Self::Repelled { seat, .. }
            | Self::AgendaSet { seat, .. } => *seat,
        }
    }
}
