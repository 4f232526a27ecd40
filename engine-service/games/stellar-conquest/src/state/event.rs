//! What happened, as one audience is told.
//!
//! Public facts and private ones are separate events, so that no event has to be cut: everybody is
//! told that a group of ships stands in another hex, its owner alone which ships they are.

use heliopause_kernel::Seat;
use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::battle::{Battle, BattleStage, Shot, Side, Unit, UnitId, Volley};
use crate::state::campaign::fate::FateEvent;
use crate::state::campaign::politics_event::PoliticsEvent;
use crate::state::colony::Colony;
use crate::state::power::{ColonySeen, Glimpse, Killed, Sighting};
use crate::state::research::Research;
use crate::state::sheet::Sheet;
use crate::state::ship::{Marker, Ship, ShipNumber};
use crate::state::standing::StandingOrders;
use crate::state::table::{Ending, Grouping, Post, Stage};
use crate::tables::board::Place;
use crate::tables::cards::{CardId, PlanetId};
use crate::tables::ships::Fleet;
use crate::tables::stars::{PLANETS_MAX, StarId};
use crate::tables::technology::{Tech, TechSet};

/// Why ships are there that were not there before.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::ShipSource)]
pub enum Source {
    /// The forces of the start (3.3, 3.4).
    Start,
    /// Built in a production turn (17.8).
    Built,
    /// Transports whose conqueror left them (15.5).
    Returned,
    /// From the Empire (fate 4.2).
    Empire,
    /// Pirates that were found, or that came (fate 6).
    Pirates,
    /// Those of a power that is no more (space 11).
    Surrendered,
}

/// Why ships are gone.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::LossCause)]
pub enum Cause {
    /// Destroyed in battle (12, 13).
    Battle,
    /// Lost while exploring (11.2).
    Exploration,
    /// Moved out of command range (7.5).
    OutOfRange,
    /// Landed (16.1).
    Landed,
    /// Left by their conqueror (15.5); their owner has them again.
    Returned,
    /// Withdrawn to the Empire (fate 4.4).
    Recalled,
    /// Pirates that left (fate 7.6).
    Disengaged,
    /// Taken over, since their power is no more (space 11).
    Surrendered,
}

/// Why a colony is as it is now.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::ColonyChange)]
pub enum Change {
    /// People landed (16).
    Landed,
    /// It grew (17.1).
    Grew,
    /// It produced: emigrated, built, paid (17).
    Produced,
    /// People above its capacity died (16.6).
    Overcrowded,
    /// A siege began or ended (14).
    Siege,
    /// It was conquered, or its conqueror changed (15).
    Conquered,
    /// It is free again (15.5, 15.7).
    Freed,
    /// Its first production turn under a conqueror is over (15.2).
    Settled,
    /// Bases were destroyed (13).
    Bombarded,
    /// Its owner destroyed factories (13.5).
    Scuttled,
    /// Its conqueror destroyed factories (15.8).
    Razed,
    /// Its conqueror killed people (15.9).
    Killed,
    /// Its owner changed what it does about passing ships (10).
    Watch,
    /// It was found (fate 6.2).
    Found,
    /// It became a dominion (fate 8.5).
    Garrisoned,
    /// Swarms fell upon it (fate 5).
    Swarms,
    /// Its people are slaves (space 10.5, 11).
    Enslaved,
}

/// Why a colony is no more.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::ColonyEnd)]
pub enum Gone {
    /// Nobody lives there any more (15.10).
    Abandoned,
    /// It became a dominion of its conqueror (fate 8.5).
    Garrisoned,
    /// Its garrison left it (fate 8.7): it is independent.
    Evacuated,
    /// Its people left it, as its star was annexed (space 10.4).
    Annexed,
}

/// A ship's die against the risk of a star (11.2).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::RiskRoll)]
pub struct RiskRoll {
    pub ship: ShipNumber,
    /// What the die showed; 1 destroys the ship.
    #[wire(check = crate::wire::numbers::die)]
    pub die: u8,
}

/// Something that happened. Each one changes what its audience knows in a way that [`Game::update`]
/// can repeat. The chapters differ in who is told.
///
/// [`Game::update`]: heliopause_kernel::Game::update
#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, message = proto::Event, with(Seat = crate::wire::numbers::seat))]
pub enum Event {
    /// Everybody is told.
    #[wire(nested)]
    Table(TableEvent),
    /// One seat is told.
    #[wire(nested)]
    Own(OwnEvent),
    /// Who has or holds a colony is told.
    #[wire(nested)]
    Colony(ColonyEvent),
    /// Who may see a battle is told.
    #[wire(nested)]
    Battle(BattleEvent),
    /// To nobody but the game master: what there is to see, should the seat look.
    GlimpseKept {
        /// Who may look.
        seat: Seat,
        /// The chance.
        number: u32,
        /// The ships.
        sighting: Sighting,
    },
    /// Public: something of The Fate of Empire.
    Fate(FateEvent),
    /// Public: something of Alone in Outer Space.
    Politics(PoliticsEvent),
}

/// Something that everybody is told.
#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Seat = crate::wire::numbers::seat))]
pub enum TableEvent {
    /// The seating order and the entry hexes (3.2, 2.7).
    Seated {
        /// The order of play.
        #[wire(with = crate::wire::numbers::order_of_play)]
        order: Vec<Seat>,
        /// Entry hexes, in seat order.
        entries: Vec<Place>,
    },
    /// A player-turn began.
    TurnBegan { turn: u8, seat: Seat },
    /// The game waits for something else.
    StageChanged { stage: Stage },
    /// The game is over (19).
    Ended { ending: Ending },
    /// How many groups of ships a hex shows of a seat (BR-30).
    Grouped { groups: Grouping },
    /// A group of ships moved along these hexes, the first one included.
    Passed {
        seat: Seat,
        /// The hexes.
        path: Vec<Place>,
    },
    /// A command post was set up or taken away (7).
    PostChanged {
        post: Post,
        /// Whether it stands now.
        up: bool,
    },
    /// The owner of a colony looked at passing ships, so that everybody knows of it (10).
    ColonyShown {
        /// Its owner and its star.
        colony: Post,
    },
}

/// Something that one seat alone is told; [`OwnEvent::seat`] says which.
#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Seat = crate::wire::numbers::seat))]
pub enum OwnEvent {
    /// To their owner: ships are there that were not there before.
    ShipsCame {
        seat: Seat,
        /// Which; their numbers rise from the owner's next one on.
        ships: Vec<Ship>,
        source: Source,
    },
    /// To their owner: ships moved (5).
    Sailed {
        seat: Seat,
        ships: Vec<ShipNumber>,
        /// Where they are now.
        to: Place,
        /// How many more hexes they have moved this turn.
        steps: u8,
        /// Whether they move no more this turn.
        halted: bool,
        /// The star for which they are bound.
        destination: Option<StarId>,
        /// The last star that they left behind (BR-9).
        departed: Option<StarId>,
    },
    /// To their owner: ships joined or left a task force (9).
    Formed {
        seat: Seat,
        ships: Vec<ShipNumber>,
        /// The task force.
        #[wire(name = task_force)]
        marker: Option<Marker>,
    },
    /// To their owner: ships are gone.
    ShipsLost { seat: Seat, ships: Vec<ShipNumber>, cause: Cause },
    /// To the explorer: dice against the risk of a star (11.2).
    RiskRolled {
        /// Who explores.
        seat: Seat,
        star: StarId,
        /// Every ship that rolled.
        rolls: Vec<RiskRoll>,
    },
    /// To the explorer: the star's card (11.4). The first explorer of a star drew it.
    Explored {
        /// Who explored.
        seat: Seat,
        star: StarId,
        card: CardId,
    },
    /// To the explorer: colonies of others at a star (11.5), by their place on the card.
    Surveyed {
        /// Who looked.
        seat: Seat,
        star: StarId,
        /// What there is now.
        #[wire(with = crate::wire::power::survey)]
        colonies: [Option<ColonySeen>; PLANETS_MAX],
    },
    /// To who saw it: somebody else's ships in a hex.
    Sighted {
        /// Who saw them.
        seat: Seat,
        /// What was seen.
        sighting: Sighting,
    },
    /// To the owner of a colony: a chance to look at ships that passed it (10).
    Glimpsed {
        /// Who may look.
        seat: Seat,
        /// The chance.
        glimpse: Glimpse,
    },
    /// To the owner of a colony: a chance to look is gone or used.
    GlimpseEnded {
        /// Whose chance.
        seat: Seat,
        number: u32,
    },
    /// To the researcher: its research, as it is now (18).
    Researched {
        seat: Seat,
        /// What it is now.
        research: Research,
        acquired: TechSet,
    },
    /// To the receiver: i.p. from the Empire for research (fate 4.2 A), as they are now.
    GrantChanged { seat: Seat, points: u32 },
    /// To the seat: its standing orders.
    StandingChanged {
        seat: Seat,
        /// What they are now.
        #[wire(name = standing_orders)]
        standing: StandingOrders,
    },
    /// To the seat: what it handed in for the open phase.
    SheetStored { seat: Seat, sheet: Sheet },
    /// To the player on turn: they land, and attack no more in this player-turn (4).
    LandingBegan { seat: Seat },
    /// To the conqueror: millions that their ships killed at a star in this player-turn (15.9).
    Slain {
        /// Who killed.
        seat: Seat,
        /// Where, and how many more.
        killed: Killed,
    },
    /// To its owner: which of its ships the units of a battle are, in order.
    Engaged { seat: Seat, ships: Vec<ShipNumber> },
    /// To the attacker: a shield held out, so that they attack this colony no more in this
    /// player-turn (space 1.1).
    Repelled {
        /// Rounds without a hit, one after the other: two end the attack, fewer count if it is
        /// resumed.
        rounds: u8,
        /// Who attacked.
        seat: Seat,
        /// The colony.
        planet: PlanetId,
    },
    /// To the power: the technologies into which its colonies pay in this production turn (space
    /// 6.3).
    AgendaSet {
        seat: Seat,
        /// One after the other.
        #[wire(most = Tech::COUNT)]
        titles: Vec<Tech>,
    },
}

/// Something about a colony: told to its owner, and to whoever held it before or holds it now.
#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Seat = crate::wire::numbers::seat))]
pub enum ColonyEvent {
    /// A colony, as it is now.
    ColonyChanged { owner: Seat, colony: Colony, change: Change },
    /// A colony is no more.
    ColonyGone {
        /// Who owned it.
        owner: Seat,
        planet: PlanetId,
        #[wire(name = end)]
        gone: Gone,
    },
}

/// Something of a battle: told to whoever may see it (10).
#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(kinds = proto::event::Kind, with(Seat = crate::wire::numbers::seat))]
pub enum BattleEvent {
    /// It began (12, 13).
    BattleBegan { battle: Battle },
    /// A round against these colonies begins, and shows their bases (13.3).
    ColoniesAttacked {
        /// The colonies, by their place on the star's card.
        #[wire(with = crate::wire::numbers::nths)]
        planets: Vec<u8>,
        /// Bases that were not shown before.
        bases: Vec<Unit>,
        /// Those whose shield no shot hit in the last round of an attack that was broken off in
        /// this turn.
        #[wire(with = crate::wire::numbers::nths)]
        faltered: Vec<u8>,
    },
    /// A seat's shots (12.3).
    Aimed { seat: Seat, shots: Vec<Shot> },
    /// The dice of a round, and what they destroyed (12.3 c, d).
    RoundFought {
        /// The shots in the order in which they were rolled.
        volleys: Vec<Volley>,
        destroyed: Vec<UnitId>,
    },
    /// Tractor beams were used after a round (space 1.1).
    Seized {
        /// The beams.
        volleys: Vec<Volley>,
        destroyed: Vec<UnitId>,
    },
    /// It waits for something else.
    BattleStageChanged {
        #[wire(part(stage, waiting))]
        stage: BattleStage,
    },
    /// Units withdraw (12.7).
    Withdrawing { units: Vec<UnitId> },
    /// Where the ships of a side withdraw to (12.8).
    RefugeChosen {
        /// The side that withdraws.
        side: Side,
        at: Place,
    },
    /// A colony was conquered (13.6).
    Conquered {
        /// The colony.
        planet: PlanetId,
        /// To whom its people are loyal.
        owner: Seat,
        /// The conqueror.
        by: Seat,
    },
    /// It is over.
    BattleEnded {
        at: Place,
        /// Ships of each side that are left there, by [`Side::index`].
        #[wire(each(attacker, defender))]
        left: [Fleet; 2],
    },
}

impl OwnEvent {
    /// Who is told.
    pub const fn seat(&self) -> Seat {
        match self {
            Self::ShipsCame { seat, .. }
            | Self::Sailed { seat, .. }
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
            | Self::Slain { seat, .. }
            | Self::Engaged { seat, .. }
            | Self::Repelled { seat, .. }
            | Self::AgendaSet { seat, .. } => *seat,
        }
    }
}
