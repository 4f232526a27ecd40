//! Stellar Conquest: the bots of its powers, and of all seats of The Fate of Empire.
//!
//! | module | what it is |
//! | --- | --- |
//! | `power` | the profile of the players of the base game |
//! | `outer_space` | the same for Alone in Outer Space, where politicians rule |
//! | `captain` | the profile of the Captain-General |
//! | `automata` | the profiles of pirates and independent planets |
//! | `survey` | what a bot makes of its view |
//! | `moves` | step 1 in the making: voyages |
//! | `strike` | where warships go |
//! | `settle` | where transports go |
//! | `explore` | where scouts go |
//! | `works` | production turns |
//! | `battle` | decisions of battles |
//! | `forecast` | battles fought in advance |
//! | `recall` | ships that leave for the Empire |
//! | `turn` | steps that all players take alike |
//! | `random` | the baseline |

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
mod random;
mod recall;
mod settle;
mod strike;
mod survey;
mod turn;
mod works;

use heliopause_kernel::{Edition, Game as _, Outcome, Seat, Viewer};
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
            "power" => Some(&power::PowerBot),
            "captain-general" => Some(&captain::CaptainGeneral),
            "pirates" | "independents" => Some(&automata::Automaton),
            _ => None,
        }
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

    /// Victory points, as they are counted at the end, and as many for the fleet that all begin
    /// with as the best planet counts: before much is settled nobody has lost.
    fn standing(&self, seat: Seat) -> f64 {
        let points = self.declared(self.alive()).points;
        points.get(seat.index()).map_or(0.0, |&points| points.max(0) as f64) + 3.0
    }

    const PATIENCE: u32 = 8;

    /// The own colonies, and those of others that the power holds.
    fn holdings(view: &View) -> (u32, Vec<(usize, Option<Seat>)>) {
        let power = view.power().into_iter();
        let held = power.flat_map(|power| {
            let own = power.colonies.iter().filter(|colony| colony.is_free());
            own.chain(power.prizes.iter().map(|prize| &prize.colony))
        });
        let place =
            |colony: &Colony| colony.planet.star.index() * 16 + usize::from(colony.planet.nth);
        (view.table.turn.into(), held.map(|colony| (place(colony), None)).collect())
    }

    fn rounds(&self) -> u32 {
        u32::from(self.view(Viewer::Spectator).table.turn)
    }

    fn automaton_won(&self) -> bool {
        false
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

/// Each player's points, less the mean of the others'.
fn relative(points: &[i64]) -> Vec<f64> {
    let total: i64 = points.iter().sum();
    let others = points.len().saturating_sub(1).max(1) as f64;
    points.iter().map(|&own| own as f64 - (total - own) as f64 / others).collect()
}
