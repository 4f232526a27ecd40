//! The orders of a seat, with the steps in which they are legal.

use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::battle::{Shot, UnitId};
use crate::state::colony::Watch;
use crate::state::sheet::{DecreeSheet, Outfit, ProductionSheet};
use crate::state::ship::{Marker, ShipNumber};
use crate::state::standing::StandingOrders;
use crate::tables::{Place, PlanetId, StarId};

/// A movement of ships that are in one hex or wait off the board (rules 5 to 8).
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::MoveShips)]
pub struct Voyage {
    pub ships: Vec<ShipNumber>,
    /// The hexes to enter, in order. If empty, the ships take the fastest direct route.
    pub path: Vec<Place>,
    /// The destination. Required if the path ends outside a star hex (rule 8.1).
    pub destination: Option<StarId>,
    pub avoiding: Vec<StarId>,
    pub round_clouds: bool,
    /// Whether ships may be lost out of range (rule 7.5).
    pub accept_loss: bool,
}

impl Voyage {
    /// Creates a voyage without hexes or a destination.
    pub const fn new(ships: Vec<ShipNumber>) -> Self {
        Self {
            ships,
            path: Vec::new(),
            destination: None,
            avoiding: Vec::new(),
            round_clouds: false,
            accept_loss: false,
        }
    }
}

/// Ships with the same destination that withdraw from a battle (rule 12.8).
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::WithdrawGroup)]
pub struct Withdrawal {
    pub units: Vec<UnitId>,
    /// The new destination. `None` if the ships need none.
    pub destination: Option<StarId>,
}

/// A raid on a star (space 9.1).
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::LaunchRaid)]
pub struct RaidOrder {
    /// Up to five ships of one star.
    pub ships: Vec<ShipNumber>,
    pub target: StarId,
    pub rounds: u8,
    /// The hexes to enter. If empty, the fastest route in range without forced stops is taken.
    pub path: Vec<Place>,
}

/// Factories to destroy (rules 13.5, 15.8).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Factories)]
pub struct Factories {
    pub planet: PlanetId,
    #[wire(name = factories)]
    pub count: u32,
}

/// An order of one seat.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(kinds = proto::order::Kind, message = proto::Order)]
pub enum Order {
    /// Chooses the starting forces (rule 3.4).
    #[wire(nested)]
    Outfit(Outfit),
    /// Sets the standing orders for this seat's automatic answers (at any time).
    #[wire(name = StandingOrders)]
    Standing(StandingOrders),
    /// Changes a colony's setting for passing ships (rule 10; at any time).
    #[wire(name = SetWatch)]
    Watch { planet: PlanetId, watch: Watch },
    /// Inspects ships that passed a colony, or drops the chance (rule 10; at any time).
    Inspect { glimpse: u32, look: bool },
    /// Chooses ships to withdraw to the Empire (fate 4.4).
    Recall { ships: Vec<ShipNumber> },
    /// Moves ships (step 1).
    #[wire(name = MoveShips)]
    Move(Voyage),
    /// Puts ships of one hex into a task force, or removes them from theirs (rule 9; step 1).
    #[wire(name = FormTaskForce)]
    Form {
        ships: Vec<ShipNumber>,
        /// The task force. `None` for loose ships.
        #[wire(name = task_force)]
        marker: Option<Marker>,
    },
    /// Sets up or removes a command post (rule 7.2; steps 1 to 5).
    #[wire(name = SetPost)]
    Post { star: StarId, up: bool },
    /// Ends step 1. Exploration and battles follow.
    EndMovement,
    /// Chooses the hex of the next battle (step 3).
    Fight { at: Place },
    /// Assigns targets to ships or bases of this seat. All others hold fire (rule 12.3).
    Aim { shots: Vec<Shot> },
    /// Withdraws ships, or none (rule 12.7). The destinations are part of the order (12.8).
    Withdraw { groups: Vec<Withdrawal> },
    /// Chooses the hex of withdrawing enemies (rule 12.8).
    SendTo { at: Place },
    /// Attacks colonies of one star, or fights another round against them (rule 13; step 4).
    #[wire(name = AttackColonies)]
    Attack { planets: Vec<PlanetId> },
    /// Breaks off an attack on colonies (rule 13.4).
    BreakOff,
    /// Destroys factories of attacked colonies, or none (rule 13.5).
    Scuttle {
        #[wire(name = colonies)]
        factories: Vec<Factories>,
    },
    /// Destroys factories of a conquered colony (rule 15.8; steps 1 to 5).
    Raze { factories: Factories },
    /// Kills people of a conquered colony (rule 15.9; step 4).
    #[wire(name = KillPeople)]
    Kill { planet: PlanetId, millions: u16 },
    /// Lands transports (step 5).
    Land { ships: Vec<ShipNumber>, planet: PlanetId },
    /// Ends the player-turn, from step 4 on.
    EndTurn,
    /// Raids a star (space 9.1; step 1).
    #[wire(name = LaunchRaid)]
    Raid(RaidOrder),
    /// Places ships that may not stay at a star (space 7.1, 9.1).
    #[wire(name = PlaceShips)]
    Place {
        /// The hex, which must be adjacent to the star.
        at: Place,
        destination: Option<StarId>,
    },
    /// Fills in the sheet of a production turn by decree (space 6.2).
    Decree(DecreeSheet),
    /// Fills in the sheet of a production turn (rule 17).
    Produce(ProductionSheet),
}

impl Order {
    pub fn withdraw(units: Vec<UnitId>, destination: Option<StarId>) -> Self {
        let groups =
            if units.is_empty() { Vec::new() } else { vec![Withdrawal { units, destination }] };
        Self::Withdraw { groups }
    }

    /// Returns whether the order ends the pending decision. The next decision then gets a new
    /// deadline, so a player does not lose time while an opponent answers in a battle.
    pub const fn ends_decision(&self) -> bool {
        matches!(
            self,
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
                | Self::EndTurn
        )
    }
}
