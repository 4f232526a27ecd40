//! Diplomacy and "...It Came From Outer Space!": the bots of powers and of galactic empires.

#![expect(
    clippy::cast_precision_loss,
    reason = "units, centers and provinces are counted here: a few hundred at most"
)]

mod conduct;
mod evaluation;
mod policy;
mod random;
mod retreats;
mod ruler;
mod search;
mod survey;
mod task;
mod treaties;
mod values;
mod winter;

use heliopause_diplomacy::{
    Command, Diplomacy, FIRST_YEAR, LAST_YEAR, Options, Order, Variant, View, centers,
};
use heliopause_kernel::{Edition, Game as _, Outcome, Seat};

use super::playable::Playable;
use crate::bot::Bot;

const YEARS: u32 = 15;
const QUIET_YEARS: u8 = 4;

impl Playable for Diplomacy {
    fn profiles(edition: &Edition<Options>) -> &'static [&'static str] {
        match edition.options.variant {
            Variant::Standard => &["power"],
            Variant::OuterSpace => &["empire"],
        }
    }

    fn score(_offer: &Edition<Options>) -> &'static str {
        "Score: share of all supply centers at the end. Won: alone, not by a draw."
    }

    fn bot(profile: &str) -> Option<&'static dyn Bot<Self>> {
        match profile {
            "power" | "empire" => Some(&ruler::DiplomacyBot),
            _ => None,
        }
    }

    fn rusher() -> Option<&'static dyn Bot<Self>> {
        Some(&ruler::Rusher)
    }

    const PROPOSALS: &'static str = "peace?\ndmz Bur Pie Tyr Boh Gal?";

    /// Returns fallback orders. The last one gives no orders and is always accepted.
    fn fallbacks(view: &View) -> Vec<Command> {
        let choices = Self::choices_of(view);
        let orders = choices.groups.iter().flat_map(|group| &group.orders);
        let mut orders: Vec<(u8, Order)> =
            orders.filter_map(|order| Some((harm(order)?, *order))).collect();
        orders.sort_by_key(|(harm, _)| *harm);
        orders.into_iter().map(|(_, order)| Command::Order(order)).chain([Command::Clear]).collect()
    }

    fn tournament_options(edition: &Edition<Options>, turns: Option<u32>) -> Options {
        let years = turns.unwrap_or(YEARS).clamp(1, u32::from(LAST_YEAR - FIRST_YEAR) + 1);
        let last_year = FIRST_YEAR + u16::try_from(years).unwrap_or(1) - 1;
        Options { last_year, stalemate_years: QUIET_YEARS, ..edition.options.clone() }
    }

    fn scores(&self, _outcome: &Outcome) -> Vec<f64> {
        let share = |seat| self.standing(seat) / centers().len() as f64;
        Seat::first(self.setup().players).map(share).collect()
    }

    fn standing(&self, seat: Seat) -> f64 {
        self.table().position.centers_of(seat).len() as f64
    }

    fn has_won(outcome: &Outcome, seat: Seat) -> bool {
        !outcome.draw && outcome.winners.contains(seat)
    }

    const PATIENCE: u32 = 3;

    fn holdings(view: &View) -> (u32, Vec<(usize, Option<Seat>)>) {
        let owners = view.table.position.centers.iter().copied().enumerate();
        (u32::from(view.table.year.saturating_sub(FIRST_YEAR)) + 1, owners.collect())
    }

    fn automaton_won(&self) -> bool {
        let players = self.setup().players;
        self.outcome()
            .is_some_and(|outcome| outcome.winners.iter().all(|seat| seat.index() >= players))
    }
}

/// Ranks fallback orders, least harmful first. Returns `None` for orders that are not fallbacks.
fn harm(order: &Order) -> Option<u8> {
    match order {
        Order::Retreat { .. } | Order::Hold { .. } | Order::Build { .. } => Some(0),
        Order::Waive | Order::Disband { .. } | Order::Remove { .. } => Some(1),
        _ => None,
    }
}
