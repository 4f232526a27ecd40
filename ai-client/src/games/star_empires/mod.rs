//! Star Empires: the bots of whole empires, and of empires that their players abandoned.

#![expect(clippy::cast_precision_loss, reason = "production is counted here: far below 2^52")]

mod abandoned;
mod emperor;
mod lines;
mod routes;
#[cfg(test)]
mod samples;
mod strength;
mod survey;
mod volley;

use heliopause_kernel::{Edition, Emitted, Outcome, Seat};
use heliopause_star_empires::{Coord, Event, Options, Order, Sheet, StarEmpires, Verdict, View};

use super::playable::Playable;
use crate::bot::Bot;

const TURNS: u32 = 40;

impl Playable for StarEmpires {
    fn profiles(_offer: &Edition<Options>) -> &'static [&'static str] {
        &["emperor", "abandoned"]
    }

    fn score(_offer: &Edition<Options>) -> &'static str {
        "Score: share of the production of all worlds, unowned ones included, on the last map."
    }

    fn bot(profile: &str) -> Option<&'static dyn Bot<Self>> {
        match profile {
            "emperor" => Some(&emperor::EmpireBot::ByLevel),
            "abandoned" => Some(&abandoned::AbandonedBot),
            _ => None,
        }
    }

    fn rusher() -> Option<&'static dyn Bot<Self>> {
        Some(&emperor::EmpireBot::Rusher)
    }

    const PROPOSALS: &'static str = "peace?\nalliance?\nshare scans?";

    /// Returns an empty sheet. Grants, automatic repairs and garrisons continue without orders.
    fn fallbacks(_view: &View) -> Vec<Order> {
        vec![Order::Sheet(Sheet::default())]
    }

    fn tournament_options(_offer: &Edition<Options>, turns: Option<u32>) -> Options {
        Options {
            automatic_victory: Some(true),
            last_turn: Some(turns.unwrap_or(TURNS).max(1)),
            ..Options::default()
        }
    }

    fn rejected(emitted: &Emitted<Event>) -> u64 {
        let checks = emitted.iter().flat_map(|addressed| match &addressed.event {
            Event::SheetStored { checks, .. } => checks.as_slice(),
            _ => &[],
        });
        checks.filter(|check| check.verdict == Verdict::Rejected).count() as u64
    }

    fn scores(&self, _outcome: &Outcome) -> Vec<f64> {
        let galaxy = self.galaxy();
        let total: u64 = galaxy.worlds.iter().map(|world| u64::from(world.production)).sum();
        galaxy.seats().map(|seat| self.standing(seat) / total.max(1) as f64).collect()
    }

    fn standing(&self, seat: Seat) -> f64 {
        let own = self.galaxy().worlds_of(seat).map(|(_, world)| u64::from(world.production));
        own.sum::<u64>() as f64
    }

    const PATIENCE: u32 = 12;

    fn holdings(view: &View) -> (u32, Vec<(usize, Option<Seat>)>) {
        let worlds = view.own().into_iter().flat_map(|own| &own.chart.worlds);
        let place = |at: Coord| usize::from(at.o as u16) << 16 | usize::from(at.y as u16);
        (view.turn, worlds.map(|world| (place(world.at), world.owner)).collect())
    }
}
