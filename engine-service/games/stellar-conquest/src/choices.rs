//! What a seat can order now. Orders that can be listed are; the rest is told per ship, unit and colony.

use heliopause_kernel::Listed;

use crate::battle::{Shot, UnitId};
use crate::board::Place;
use crate::cards::PlanetId;
use crate::order::Order;
use crate::power::Eyes;
use crate::prices::Item;
use crate::sheet::Payment;
use crate::ship::ShipNumber;
use crate::stars::StarId;
use crate::technology::Tech;

/// The choices of a seat. Every order that is made of them is accepted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Choices {
    /// Orders that are legal as they stand.
    pub listed: Vec<Listed<Order>>,
    /// At setup: i.p. or half ship points, and the technologies.
    pub setup: Option<(u32, Vec<Tech>)>,
    /// In movement: ships that can move, alike ones together.
    pub voyages: Vec<VoyageChoices>,
    /// Stars where a command post can be set up.
    pub posts: Vec<StarId>,
    /// In a battle: units that can fire, each with its targets and how many of 36 throws hit.
    pub aims: Vec<(UnitId, Vec<(UnitId, u8)>)>,
    /// In a battle: who can withdraw.
    pub withdraw: Option<WithdrawChoices>,
    /// Colonies that can be attacked.
    pub attacks: Vec<PlanetId>,
    /// Own colonies under attack, with their factories.
    pub scuttle: Vec<(PlanetId, u32)>,
    /// Conquered colonies, with their factories.
    pub raze: Vec<(PlanetId, u32)>,
    /// Conquered colonies, with how many millions can be killed.
    pub kill: Vec<(PlanetId, u16)>,
    /// Landings.
    pub landings: Vec<LandingChoices>,
    /// In a production turn.
    pub production: Option<ProductionChoices>,
    /// Ships that can be withdrawn to the Empire, and what the chosen ones are worth together, in half ship points.
    pub recall: Option<(Vec<ShipNumber>, u32)>,
    /// Shots that an article prescribes, and groups of alike targets with those who fire at them.
    pub prescribed: Option<(Vec<Shot>, Vec<(Vec<UnitId>, Vec<UnitId>)>)>,
}

/// Where alike ships of one hex can go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VoyageChoices {
    /// The ships.
    pub ships: Vec<ShipNumber>,
    /// Where they stand; nowhere off the board.
    pub at: Option<Place>,
    /// A way to each destination.
    pub routes: Vec<RouteChoice>,
    /// With Unlimited Ship Communication: every hex in reach.
    pub reach: Vec<Place>,
}

/// A way to a destination.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RouteChoice {
    /// The star.
    pub destination: Option<StarId>,
    /// The hexes of the fastest direct route this turn; every first part of it is legal too.
    pub path: Vec<Place>,
    /// How many turns it takes in all.
    pub turns: u16,
    /// How many of these hexes lie within command range, if not all do.
    pub safe: Option<usize>,
}

/// Who can withdraw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WithdrawChoices {
    /// The units.
    pub units: Vec<UnitId>,
    /// Whether all must.
    pub forced: bool,
    /// The stars for which they can be bound; none if none is needed.
    pub destinations: Vec<StarId>,
}

/// Where alike transports can land.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LandingChoices {
    /// The transports.
    pub ships: Vec<ShipNumber>,
    /// The planet.
    pub planet: PlanetId,
    /// The fewest that can land together.
    pub fewest: u32,
    /// The most.
    pub most: u32,
    /// How many find room.
    pub room: u32,
}

/// What a player can do in a production turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProductionChoices {
    /// The colonies.
    pub colonies: Vec<ColonyChoices>,
    /// Technologies that are open, with what is missing.
    pub research: Vec<Payment>,
    /// Stars where command posts can stand.
    pub posts: Vec<StarId>,
    /// i.p. for research alone.
    pub grant: u32,
}

/// What a colony can do in a production turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColonyChoices {
    /// The colony.
    pub planet: PlanetId,
    /// Its i.p.
    pub output: u32,
    /// The most emigrants.
    pub emigrants: u16,
    /// How many emigrants get the most bonus.
    pub bonus_limit: u16,
    /// What it can build, with the most that its i.p. pay for.
    pub items: Vec<(Item, u32)>,
    /// Whether its garrison can leave it.
    pub evacuate: bool,
}

impl Eyes<'_> {
    /// What this seat can order now.
    pub(crate) fn choices(&self) -> Choices {
        todo!("choices")
    }
}
