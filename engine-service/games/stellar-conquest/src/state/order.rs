//! What a seat can order.

use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::battle::{Shot, UnitId};
use crate::state::colony::Watch;
use crate::state::sheet::{DecreeSheet, Outfit, ProductionSheet};
use crate::state::ship::{Marker, ShipNumber};
use crate::state::standing::StandingOrders;
use crate::tables::board::Place;
use crate::tables::cards::PlanetId;
use crate::tables::stars::StarId;

/// A movement of ships that stand in one hex, or wait off the board (5 to 8).
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::MoveShips)]
pub struct Voyage {
    pub ships: Vec<ShipNumber>,
    /// The hexes that they enter, one after the other. Without any the fastest direct route is
    /// taken, as far as it goes this turn; the first of equal ones in the order of directions.
    pub path: Vec<Place>,
    /// The star for which they are bound; needed wherever they end outside a star hex (8.1).
    pub destination: Option<StarId>,
    /// Stars that the route avoids (8.4 a).
    pub avoiding: Vec<StarId>,
    /// Whether the route goes round clouds (8.4 b).
    pub round_clouds: bool,
    /// Whether ships that go out of range may be lost (7.5).
    pub accept_loss: bool,
}

/// Ships that withdraw from a battle and are bound for one star (12.8).
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::WithdrawGroup)]
pub struct Withdrawal {
    pub units: Vec<UnitId>,
    /// The star for which they are bound from then on; nothing if none is needed.
    pub destination: Option<StarId>,
}

/// A raid as it is ordered (space 9.1).
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::LaunchRaid)]
pub struct Sortie {
    /// Up to five ships of one star.
    pub ships: Vec<ShipNumber>,
    /// The star that is raided.
    pub target: StarId,
    /// One round, or two.
    pub rounds: u8,
    /// The hexes that they enter. Without any the fastest way is taken that nobody stops and that
    /// stays in range.
    pub path: Vec<Place>,
}

/// Factories that are destroyed (13.5, 15.8).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Factories)]
pub struct Factories {
    /// Of which colony.
    pub planet: PlanetId,
    #[wire(name = factories)]
    pub count: u32,
}

/// An order.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(kinds = proto::order::Kind, message = proto::Order)]
pub enum Order {
    /// 3.4: the choices at setup. May be replaced until all are ready.
    #[wire(nested)]
    Outfit(Outfit),
    /// How to answer for this seat from now on. At any time.
    #[wire(name = StandingOrders)]
    Standing(StandingOrders),
    /// 10: what a colony does about passing ships. At any time.
    #[wire(name = SetWatch)]
    Watch {
        /// The colony.
        planet: PlanetId,
        /// What it does.
        watch: Watch,
    },
    /// 10: looks at ships that passed a colony, or lets the chance go. At any time.
    Inspect {
        /// Which chance.
        glimpse: u32,
        /// Whether to look.
        look: bool,
    },
    /// Fate 4.4: the ships that leave for the Empire.
    Recall { ships: Vec<ShipNumber> },
    /// Step 1: moves ships.
    #[wire(name = MoveShips)]
    Move(Voyage),
    /// Step 1, 9: puts ships of one hex into a task force, or out of any.
    #[wire(name = FormTaskForce)]
    Form {
        ships: Vec<ShipNumber>,
        /// The task force.
        #[wire(name = task_force)]
        marker: Option<Marker>,
    },
    /// 7.2: sets a command post up, or takes it away. Steps 1 to 5.
    #[wire(name = SetPost)]
    Post {
        star: StarId,
        /// Whether it stands afterwards.
        up: bool,
    },
    /// Ends step 1; exploration follows, and battles.
    EndMovement,
    /// Step 3: fights in this hex next.
    Fight { at: Place },
    /// 12.3: at what every ship or base of this seat fires; what is not named holds its fire.
    Aim { shots: Vec<Shot> },
    /// 12.7: withdraws these ships; without any, all stay. Each needs a destination at once (12.8).
    Withdraw {
        /// Who leaves, by the stars for which they are bound.
        groups: Vec<Withdrawal>,
    },
    /// 12.8: sends the enemies who withdraw to this hex.
    SendTo { at: Place },
    /// Step 4, 13: attacks colonies of one star, or fights another round against these.
    #[wire(name = AttackColonies)]
    Attack {
        /// The colonies.
        planets: Vec<PlanetId>,
    },
    /// 13.4: breaks an attack off.
    BreakOff,
    /// 13.5: destroys factories of one's own colonies under attack, or none.
    Scuttle {
        /// How many at which colony.
        #[wire(name = colonies)]
        factories: Vec<Factories>,
    },
    /// 15.8: destroys factories of a conquered colony. Steps 1 to 5.
    Raze { factories: Factories },
    /// Step 4, 15.9: kills people of a conquered colony.
    #[wire(name = KillPeople)]
    Kill { planet: PlanetId, millions: u16 },
    /// Step 5: lands transports.
    Land { ships: Vec<ShipNumber>, planet: PlanetId },
    /// Ends the player-turn, from step 4 on.
    EndTurn,
    /// Space 9.1, step 1: raids a star.
    #[wire(name = LaunchRaid)]
    Raid(Sortie),
    /// Space 7.1, 9.1: where ships go that may not stay at a star.
    #[wire(name = PlaceShips)]
    Place {
        /// A hex beside it.
        at: Place,
        /// The star for which they are bound from then on.
        destination: Option<StarId>,
    },
    /// Space 6.2: what is left to choose of a production turn. May be replaced until all are ready.
    Decree(DecreeSheet),
    /// 17: the whole production turn of a player. May be replaced until all are ready.
    Produce(ProductionSheet),
}

impl Order {
    /// 12.7: these ships withdraw, all bound for one star; without any, all stay.
    pub fn withdraw(units: Vec<UnitId>, destination: Option<StarId>) -> Self {
        let groups =
            if units.is_empty() { Vec::new() } else { vec![Withdrawal { units, destination }] };
        Self::Withdraw { groups }
    }

    /// Whether it ends the decision that is open, so that the next one is another and has a
    /// deadline of its own: whoever waited for an answer in a battle must not find that the time
    /// for their turn has passed meanwhile. Sheets and movements do not; neither does what anybody
    /// may order at any time.
    pub const fn ends_decision(&self) -> bool {
        match self {
            Self::Recall { .. }
            | Self::EndMovement
            | Self::Fight { .. }
            | Self::Aim { .. }
            | Self::Withdraw { .. }
            | Self::SendTo { .. }
            | Self::Attack { .. }
            | Self::BreakOff
            | Self::Scuttle { .. }
            | Self::Place { .. }
            | Self::EndTurn => true,
            Self::Outfit(_)
            | Self::Standing(_)
            | Self::Watch { .. }
            | Self::Inspect { .. }
            | Self::Move(_)
            | Self::Form { .. }
            | Self::Post { .. }
            | Self::Raze { .. }
            | Self::Kill { .. }
            | Self::Land { .. }
            | Self::Raid(_)
            | Self::Decree(_)
            | Self::Produce(_) => false,
        }
    }
}
