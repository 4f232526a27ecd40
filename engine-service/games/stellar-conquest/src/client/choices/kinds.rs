//! What choices there are.

use crate::rules::campaign::fate::pirates::AlikeTargets;
use crate::state::battle::{Shot, UnitId};
use crate::state::order::{Factories, Order, Voyage};
use crate::state::power::Eyes;
use crate::state::sheet::{DecreeColony, Payment, ProductionSheet};
use crate::state::ship::ShipNumber;
use crate::tables::board::Place;
use crate::tables::cards::PlanetId;
use crate::tables::prices::Item;
use crate::tables::stars::StarId;
use crate::tables::technology::Tech;

/// An order that is legal as it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Listed {
    pub order: Order,
    /// What it does, for people.
    pub label: String,
    /// The rule that allows it.
    pub rule: &'static str,
}

/// The choices of a seat, for automation; offers are made of them. Each one by itself makes orders
/// that are accepted; what is made of several together, like a sheet whose colonies pay into one
/// technology, is judged when it is given.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Choices {
    /// Some orders that are legal as they stand. They are not all.
    pub listed: Vec<Listed>,
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
    pub scuttle: Vec<Factories>,
    /// Conquered colonies, with their factories.
    pub raze: Vec<(PlanetId, u32)>,
    /// Conquered colonies, with how many millions can be killed.
    pub kill: Vec<(PlanetId, u16)>,
    pub landings: Vec<LandingChoices>,
    /// In a production turn.
    pub production: Option<ProductionChoices>,
    /// Ships that can be withdrawn to the Empire, and what the chosen ones are worth together, in
    /// half ship points.
    pub recall: Option<(Vec<ShipNumber>, u32)>,
    /// Shots that an article prescribes, and groups of alike targets with those who fire at them.
    pub prescribed: Option<PrescribedChoices>,
    /// Raids that can set out (space 9.1), by the star of the ships.
    pub raids: Vec<RaidChoices>,
    /// Where ships can be placed that may not stay at a star (space 7.1, 9.1).
    pub places: Option<PlaceChoices>,
    /// In a production turn by decree (space 6.2).
    pub decree: Option<DecreeChoices>,
}

/// Ships of one star that can raid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RaidChoices {
    /// Where they are.
    pub from: StarId,
    /// Up to five, a warship first; any first part of the list can go.
    pub ships: Vec<ShipNumber>,
    /// The stars that they can raid.
    pub targets: Vec<StarId>,
}

/// Where ships can be placed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaceChoices {
    /// The hexes.
    pub places: Vec<Place>,
    /// The stars for which they can be bound; none if none is needed.
    pub destinations: Vec<StarId>,
}

/// What a player can choose in a production turn by decree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DecreeChoices {
    /// The colonies, in the order in which they are handled.
    pub colonies: Vec<DecreeColony>,
    /// What the colonies do if nothing is chosen.
    pub usual: ProductionSheet,
    /// Stars where command posts can stand.
    pub posts: Vec<StarId>,
}

/// Shots that an article prescribes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrescribedChoices {
    /// The shots as they are fired by default.
    pub shots: Vec<Shot>,
    /// What may be exchanged in them.
    pub alike: Vec<AlikeTargets>,
}

/// Where alike ships of one hex can go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VoyageChoices {
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
    pub destination: Option<StarId>,
    /// The hexes of the fastest legal route this turn; every first part of it is legal too.
    pub path: Vec<Place>,
    /// Whether it goes round clouds (8.4 b); the order must say so.
    pub round_clouds: bool,
    /// How many turns it takes in all.
    pub turns: u16,
    /// How many of these hexes lie within command range, if not all do.
    pub safe: Option<usize>,
}

/// Who can withdraw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WithdrawChoices {
    pub units: Vec<UnitId>,
    /// Whether all must.
    pub forced: bool,
    /// The stars for which they can be bound, each for one of its own; none if none is needed.
    pub destinations: Vec<StarId>,
}

/// Where alike transports can land.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LandingChoices {
    /// The transports.
    pub ships: Vec<ShipNumber>,
    pub planet: PlanetId,
    /// The fewest that can land together.
    pub fewest: u32,
    pub most: u32,
    /// How many find room.
    pub room: u32,
}

/// What a player can do in a production turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProductionChoices {
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

impl RouteChoice {
    /// The order of ships that take so many steps of it.
    pub fn voyage(&self, ships: Vec<ShipNumber>, steps: usize) -> Voyage {
        Voyage {
            ships,
            path: self.path[..steps.min(self.path.len())].to_vec(),
            destination: self.destination,
            avoiding: Vec::new(),
            round_clouds: self.round_clouds,
            accept_loss: false,
        }
    }
}

impl Eyes<'_> {
    /// Lists an order if it is legal.
    pub(crate) fn offer(
        &self,
        choices: &mut Choices,
        order: Order,
        label: impl Into<String>,
        rule: &'static str,
    ) {
        if self.judge(&order).is_ok() {
            choices.listed.push(Listed { order, label: label.into(), rule });
        }
    }

    /// 7.2: stars with a free colony of this seat.
    pub(crate) fn post_stars(&self) -> Vec<StarId> {
        let mut stars: Vec<StarId> =
            self.power.colonies.iter().map(|colony| colony.planet.star).collect();
        stars.dedup();
        stars.retain(|&star| self.power.may_post(star));
        stars
    }
}
