//! Types that describe the choices of a seat.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::rules::campaign::fate::pirates::InterchangeableTargets;
use crate::state::{
    DecreeColony, Factories, Order, Payment, ProductionSheet, SeatView, ShipNumber, Shot, UnitId,
    Voyage,
};
use crate::tables::texts::{Values, fill, table};
use crate::tables::{Item, Place, PlanetId, StarId, Tech};

/// A legal order with its description, by a row of `listed.tsv`.
#[derive(Clone, PartialEq, Debug)]
pub struct ListedOrder {
    pub order: Order,
    pub label: String,
    pub rule: &'static str,
    /// The key of the row. A word after a slash tells rows with the same key apart.
    pub(crate) key: &'static str,
    /// The heading of the order's offer. Empty if a slot of another offer has the order.
    pub(crate) heading: &'static str,
    pub(crate) weight: &'static str,
}

/// The rows of `listed.tsv`: heading, weight, rule and label by key.
static LISTED: LazyLock<BTreeMap<&str, [&str; 4]>> =
    LazyLock::new(|| table(include_str!("listed.tsv")));

/// The choices of a seat, for automation and offers. Each choice alone makes a legal order.
/// Combinations, such as several colonies paying into one technology, are judged when submitted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Choices {
    /// Legal orders. The list is not exhaustive.
    pub listed: Vec<ListedOrder>,
    /// The budget at setup, in i.p. or half ship points, and the available technologies.
    pub setup: Option<(u32, Vec<Tech>)>,
    pub voyages: Vec<VoyageChoices>,
    pub posts: Vec<StarId>,
    /// The units that can fire in a battle, their targets, and the number of hits in 36 throws.
    pub aims: Vec<(UnitId, Vec<(UnitId, u8)>)>,
    pub withdraw: Option<WithdrawChoices>,
    pub attacks: Vec<PlanetId>,
    pub scuttle: Vec<Factories>,
    pub raze: Vec<(PlanetId, u32)>,
    /// Conquered colonies, and how many million people can be killed on each.
    pub kill: Vec<(PlanetId, u16)>,
    pub landings: Vec<LandingChoices>,
    pub production: Option<ProductionChoices>,
    /// Ships that can be withdrawn to the Empire, and the required total in half ship points.
    pub recall: Option<(Vec<ShipNumber>, u32)>,
    pub prescribed: Option<PrescribedChoices>,
    pub raids: Vec<RaidChoices>,
    pub places: Option<PlaceChoices>,
    pub decree: Option<DecreeChoices>,
}

/// Ships at one star that can raid (space 9.1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RaidChoices {
    pub from: StarId,
    /// Up to five ships, a warship first. Any prefix of the list can raid.
    pub ships: Vec<ShipNumber>,
    pub targets: Vec<StarId>,
}

/// Hexes for ships that may not stay at a star, and the destinations they can have (space 7.1,
/// 9.1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaceChoices {
    pub places: Vec<Place>,
    /// Empty if the ships need no destination.
    pub destinations: Vec<StarId>,
}

/// Choices of a player in a production turn by decree (space 6.2).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DecreeChoices {
    /// The colonies, in the order in which the decree is carried out.
    pub colonies: Vec<DecreeColony>,
    /// The sheet that applies if the player chooses nothing.
    pub usual: ProductionSheet,
    pub posts: Vec<StarId>,
}

/// The prescribed shots of pirates or independent bases (fate 7.2, 8.3).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrescribedChoices {
    pub shots: Vec<Shot>,
    pub alike: Vec<InterchangeableTargets>,
}

/// Possible moves of identical ships in one hex.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VoyageChoices {
    pub ships: Vec<ShipNumber>,
    /// `None` if the ships are off the board.
    pub at: Option<Place>,
    pub routes: Vec<RouteChoice>,
    /// Hexes that the ships can reach this turn. Empty without Unlimited Ship Communication.
    pub reach: Vec<Place>,
}

/// A route to a destination.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RouteChoice {
    pub destination: Option<StarId>,
    /// The hexes of this turn. Every prefix of the path is legal too.
    pub path: Vec<Place>,
    /// Whether the route avoids clouds. The order must state this (rule 8.4 b).
    pub round_clouds: bool,
    pub turns: u16,
    /// Number of leading hexes within command range, or `None` if all of them are.
    pub safe: Option<usize>,
}

/// The units that can withdraw, and their destinations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WithdrawChoices {
    pub units: Vec<UnitId>,
    pub forced: bool,
    /// Possible destinations. Empty if the ships need none.
    pub destinations: Vec<StarId>,
}

/// A possible landing of identical transports on a planet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LandingChoices {
    pub ships: Vec<ShipNumber>,
    pub planet: PlanetId,
    pub fewest: u32,
    pub most: u32,
    /// Free capacity of the planet in million people.
    pub room: u32,
}

/// Choices of a player in a production turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProductionChoices {
    pub colonies: Vec<ColonyChoices>,
    /// Available technologies, each with the i.p. still needed to complete it.
    pub research: Vec<Payment>,
    pub posts: Vec<StarId>,
    /// i.p. that can only be spent on research.
    pub grant: u32,
}

/// Choices of a colony in a production turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColonyChoices {
    pub planet: PlanetId,
    pub output: u32,
    pub emigrants: u16,
    /// Number of emigrants that earns the maximum bonus.
    pub bonus_limit: u16,
    /// Items that the colony can build, each with the maximum number that the colony can pay for.
    pub items: Vec<(Item, u32)>,
    pub evacuate: bool,
}

impl RouteChoice {
    pub fn voyage(&self, ships: Vec<ShipNumber>, steps: usize) -> Voyage {
        let Self { destination, round_clouds, .. } = *self;
        let path = self.path[..steps.min(self.path.len())].to_vec();
        Voyage { path, destination, round_clouds, ..Voyage::new(ships) }
    }
}

impl SeatView<'_> {
    /// Lists an order if it is legal.
    pub(crate) fn list(
        &self,
        choices: &mut Choices,
        order: Order,
        key: &'static str,
        values: Values<'_>,
    ) {
        if self.judge(&order).is_ok() {
            let [heading, weight, rule, label] = LISTED[key];
            let label = fill(label, values);
            choices.listed.push(ListedOrder { order, label, rule, key, heading, weight });
        }
    }

    pub(crate) fn post_stars(&self) -> Vec<StarId> {
        let mut stars: Vec<StarId> =
            self.power.colonies.iter().map(|colony| colony.planet.star).collect();
        stars.dedup();
        stars.retain(|&star| self.power.can_have_post(star));
        stars
    }
}
