//! Starships at Large: the bots of its players and of the Death Star.

#![expect(
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    reason = "pieces, planets and merits are counted here: a few thousand at most"
)]

mod captain;
mod course;
mod death_star;
mod proposals;
mod search;
mod survey;
mod worth;

use heliopause_kernel::{Edition, Game as _, Outcome, Seat, Viewer};
use heliopause_starships::{EndReason, Options, Order, Stage, Starships, View};

use super::playable::Playable;
use crate::bot::Bot;

impl Playable for Starships {
    fn profiles(_offer: &Edition<Options>) -> &'static [&'static str] {
        &["captain", "death-star"]
    }

    fn score(_offer: &Edition<Options>) -> &'static str {
        "Score: points, plus a tenth of the standing, capped at 0.49."
    }

    fn bot(profile: &str) -> Option<&'static dyn Bot<Self>> {
        match profile {
            "captain" => Some(&captain::PlayerBot),
            "death-star" => Some(&death_star::DeathStarBot),
            _ => None,
        }
    }

    fn fallbacks(view: &View) -> Vec<Order> {
        let mut orders = Self::choices_of(view).list;
        orders.sort_by_key(harm);
        orders
    }

    fn scores(&self, outcome: &Outcome) -> Vec<f64> {
        let standings = worth::relative_planets(self).into_iter();
        outcome
            .points
            .iter()
            .zip(standings)
            .map(|(&points, standing)| score(points, standing))
            .collect()
    }

    fn standing(&self, seat: Seat) -> f64 {
        f64::from(worth::expected_credits(self, seat).max(0))
    }

    const PATIENCE: u32 = 5;

    fn holdings(view: &View) -> (u32, Vec<(usize, Option<Seat>)>) {
        let tokens = view.table.tokens.iter().enumerate();
        let marked =
            tokens.flat_map(|(at, tokens)| tokens.iter().map(move |seat| (at, Some(seat))));
        let own = view.own().into_iter().flat_map(|own| own.planets.iter());
        let own = own.map(|at| (at.index(), None));
        (view.table.round.into(), marked.chain(own).collect())
    }

    fn automaton_won(&self) -> bool {
        let Stage::Over(ending) = self.view(Viewer::Spectator).table.stage else { return false };
        matches!(ending.reason, EndReason::AllOut | EndReason::DeathStar)
    }
}

const STANDING_WEIGHT: f64 = 0.1;
/// Maximum effect of standing. Below half a point, so that it decides only among equal points.
const STANDING_CAP: f64 = 0.49;

/// Adds the player's standing to the points as a tie-breaker: the planets less the mean of the
/// others'.
fn score(points: i64, standing: f64) -> f64 {
    points as f64 + (STANDING_WEIGHT * standing).clamp(-STANDING_CAP, STANDING_CAP)
}

fn harm(order: &Order) -> u8 {
    match order {
        Order::End | Order::Withdraw | Order::Stop | Order::Fire => 0,
        Order::Build { .. }
        | Order::Sacrifice { .. }
        | Order::ChooseShip { .. }
        | Order::ChoosePlanet { .. } => 1,
        Order::Move { .. }
        | Order::Mark { .. }
        | Order::Settle { .. }
        | Order::Grow { .. }
        | Order::Zone { .. } => 2,
        Order::Give { .. } | Order::Warp { .. } => 4,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standing_never_outweighs_a_point() {
        assert!(score(1, -30.0) > score(0, 30.0));
        assert!(score(1, 2.0) > score(1, 1.0));
    }
}
