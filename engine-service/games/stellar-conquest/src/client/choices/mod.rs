//! What a seat can order now, for automation and as what offers are made of. Orders that can be listed are; the rest is told per
//! ship, unit and colony.
//!
//! Whatever is offered was judged, each kind of order by the function that refuses it: the two cannot differ.

mod battle;
mod movement;
mod planets;
mod politics;
mod production;
#[cfg(test)]
mod tests;

use crate::rules::campaign::fate::commission;
use crate::rules::campaign::fate::pirates::AlikeTargets;
use crate::rules::setup::BONUS;
use crate::state::battle::{Shot, UnitId};
use crate::state::campaign::{Campaign, CampaignStage};
use crate::state::colony::Watch;
use crate::state::order::{Factories, Order, Voyage};
use crate::state::power::Eyes;
use crate::state::sheet::{DecreeColony, Outfit, Payment, ProductionSheet};
use crate::state::ship::ShipNumber;
use crate::state::table::Stage;
use crate::tables::board::Place;
use crate::tables::cards::PlanetId;
use crate::tables::prices::Item;
use crate::tables::stars::StarId;
use crate::tables::technology::Tech;

/// An order that is legal as it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Listed {
    /// The order.
    pub order: Order,
    /// What it does, for people.
    pub label: String,
    /// The rule that allows it.
    pub rule: &'static str,
}

/// The choices of a seat, for automation; offers are made of them. Each one by itself makes orders that are accepted; what is made of several together, like a sheet whose
/// colonies pay into one technology, is judged when it is given.
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
    /// Landings.
    pub landings: Vec<LandingChoices>,
    /// In a production turn.
    pub production: Option<ProductionChoices>,
    /// Ships that can be withdrawn to the Empire, and what the chosen ones are worth together, in half ship points.
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
    /// The hexes of the fastest legal route this turn; every first part of it is legal too.
    pub path: Vec<Place>,
    /// Whether it goes round clouds (8.4 b); the order must say so.
    pub round_clouds: bool,
    /// How many turns it takes in all.
    pub turns: u16,
    /// How many of these hexes lie within command range, if not all do.
    pub safe: Option<usize>,
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

/// Who can withdraw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WithdrawChoices {
    /// The units.
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
        let mut choices = Choices::default();
        match self.table.stage {
            Stage::Setup => self.offer_setup(&mut choices),
            Stage::Campaign(CampaignStage::Recall { half_points, .. }) => self.offer_recall(&mut choices, half_points),
            Stage::Campaign(CampaignStage::Place { at }) => self.offer_places(&mut choices, at),
            Stage::Movement => self.offer_movement(&mut choices),
            Stage::Combat => self.offer_battles(&mut choices),
            Stage::Battle => self.offer_battle(&mut choices),
            Stage::Planets => self.offer_planets(&mut choices),
            Stage::Production => self.offer_production(&mut choices),
            Stage::Over => {}
        }
        self.offer_posts(&mut choices);
        self.offer_conquests(&mut choices);
        self.offer_any_time(&mut choices);
        choices
    }

    /// Lists an order if it is legal.
    fn offer(&self, choices: &mut Choices, order: Order, label: impl Into<String>, rule: &'static str) {
        if self.judge(&order).is_ok() {
            choices.listed.push(Listed { order, label: label.into(), rule });
        }
    }

    /// 3.4, fate 2: what can be bought, and a choice that is always good.
    fn offer_setup(&self, choices: &mut Choices) {
        if self.seat.index() >= self.table.players {
            return;
        }
        let (points, technologies, rule) = match self.table.campaign {
            Campaign::Conquest | Campaign::OuterSpace(_) => {
                (BONUS, Tech::ALL.into_iter().filter(|tech| tech.title().level == 1).collect(), "3.4")
            }
            Campaign::Fate(_) => (commission::HALF_POINTS, commission::TECHNOLOGIES.to_vec(), "fate-2.3"),
        };
        choices.setup = Some((points, technologies));
        let usual = self.table.campaign.default_outfit().unwrap_or_else(|| Outfit::Bonus {
            scouts: 2,
            corvettes: 0,
            research: vec![
                Payment { tech: Tech::Speed3, points: 15 },
                Payment { tech: Tech::IndustrialTechnology, points: 5 },
            ],
        });
        self.offer(choices, Order::Outfit(usual), "The usual start.", rule);
    }

    /// Fate 4.4: which ships can go, and what those that go are worth.
    fn offer_recall(&self, choices: &mut Choices, owed: u32) {
        if self.table.active != self.seat {
            return;
        }
        let ships = self.recallable();
        choices.recall = Some((ships, self.recall_sum(owed)));
        let weakest = Order::Recall { ships: self.weakest_worth(owed) };
        self.offer(choices, weakest, "The weakest ships that are worth it go.", "fate-4.4");
    }

    /// 10: what can be ordered at any time.
    fn offer_any_time(&self, choices: &mut Choices) {
        for glimpse in &self.power.glimpses {
            let (number, star) = (glimpse.number, glimpse.star);
            let look = Order::Inspect { glimpse: number, look: true };
            self.offer(choices, look, format!("Look at the ships that passed {star}."), "10");
            let pass = Order::Inspect { glimpse: number, look: false };
            self.offer(choices, pass, format!("Let the ships at {star} go unseen."), "10");
        }
        for colony in &self.power.colonies {
            let at = colony.planet;
            for watch in [Watch::Never, Watch::Always, Watch::Ask].into_iter().filter(|&watch| watch != colony.watch) {
                let what = match watch {
                    Watch::Never => "stays hidden",
                    Watch::Always => "inspects all ships",
                    Watch::Ask => "asks about passing ships",
                };
                let label = format!("The colony on planet {} of {} {what}.", at.nth + 1, at.star);
                self.offer(choices, Order::Watch { planet: at, watch }, label, "10");
            }
        }
    }

    /// 7.2: posts that can be set up, and those that can be taken away.
    fn offer_posts(&self, choices: &mut Choices) {
        if self.is_on_turn("7.2").is_err() {
            return;
        }
        let posts = self.post_stars().into_iter().filter(|&star| self.judge_post(star, true).is_ok());
        choices.posts = posts.collect();
        for star in self.table.posts_of(self.seat) {
            let label = format!("Take the command post at {star} away.");
            self.offer(choices, Order::Post { star, up: false }, label, "7.2");
        }
    }

    /// 7.2: stars with a free colony of this seat.
    fn post_stars(&self) -> Vec<StarId> {
        let mut stars: Vec<StarId> = self.power.colonies.iter().map(|colony| colony.planet.star).collect();
        stars.dedup();
        stars.retain(|&star| self.power.may_post(star));
        stars
    }
}
