//! Stellar Conquest: the bots of its powers, and of all seats of The Fate of Empire.

#![expect(
    clippy::cast_precision_loss,
    reason = "ships, people and points are counted here: a few thousand at most"
)]

mod automata;
mod battle;
mod captain;
mod explore;
mod forecast;
mod moves;
mod outer_space;
mod power;
mod production_turn;
mod random;
mod recall;
mod settle;
mod strike;
mod survey;
mod turn;

use heliopause_kernel::{Edition, Game as _, Outcome, Seat};
use heliopause_stellar_conquest::{
    Colony, Grade, Level, Options, Order, StellarConquest, Variant, View,
};

use super::playable::Playable;
use crate::bot::Bot;

impl Playable for StellarConquest {
    fn profiles(edition: &Edition<Options>) -> &'static [&'static str] {
        match edition.options.variant {
            Variant::Conquest | Variant::OuterSpace => &["power"],
            Variant::FateOfEmpire => &["captain-general", "pirates", "independents"],
        }
    }

    fn score(edition: &Edition<Options>) -> &'static str {
        match edition.options.variant {
            Variant::Conquest | Variant::OuterSpace => {
                "Score: victory points less the mean of the others'."
            }
            Variant::FateOfEmpire => "Score: victory points.",
        }
    }

    fn bot(profile: &str) -> Option<&'static dyn Bot<Self>> {
        match profile {
            "power" => Some(&power::PowerBot::ByLevel),
            "captain-general" => Some(&captain::CaptainGeneral),
            "pirates" | "independents" => Some(&automata::Automaton),
            _ => None,
        }
    }

    fn rusher() -> Option<&'static dyn Bot<Self>> {
        Some(&power::PowerBot::Rusher)
    }

    fn fallbacks(view: &View) -> Vec<Order> {
        let listed = Self::choices_of(view).listed;
        let mut orders: Vec<Order> = listed.into_iter().map(|listed| listed.order).collect();
        orders.sort_by_key(turn::harm);
        orders
    }

    fn scores(&self, outcome: &Outcome) -> Vec<f64> {
        relative(&outcome.points)
    }

    /// Returns the points plus a constant for the initial fleet, because no player is hopeless
    /// early in the game.
    fn standing(&self, seat: Seat) -> f64 {
        let points = self.declared(self.alive()).points;
        points.get(seat.index()).map_or(0.0, |&points| points.max(0) as f64) + 3.0
    }

    const PATIENCE: u32 = 8;

    fn holdings(view: &View) -> (u32, Vec<(usize, Option<Seat>)>) {
        let power = view.power().into_iter();
        let held = power.flat_map(|power| {
            let own = power.colonies.iter().filter(|colony| colony.is_free());
            own.chain(power.conquered_colonies.iter().map(|prize| &prize.colony))
        });
        let place =
            |colony: &Colony| colony.planet.star.index() * 16 + usize::from(colony.planet.nth);
        (view.table.turn.into(), held.map(|colony| (place(colony), None)).collect())
    }

    fn grade(&self) -> Option<&'static str> {
        let Some(Grade::Fate(level)) = self.table().ending.as_ref()?.grade else { return None };
        Some(match level {
            Level::Defeat => "defeat",
            Level::Marginal => "marginal victory",
            Level::Substantial => "substantial victory",
            Level::Decisive => "decisive victory",
        })
    }
}

fn relative(points: &[i64]) -> Vec<f64> {
    let total: i64 = points.iter().sum();
    let others = points.len().saturating_sub(1).max(1) as f64;
    points.iter().map(|&own| own as f64 - (total - own) as f64 / others).collect()
}
