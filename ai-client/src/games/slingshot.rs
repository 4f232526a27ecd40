//! The bot of Slingshot.

use heliopause_games::slingshot::table::BURN_MAX;
use heliopause_games::slingshot::{Options, Order, Slingshot, View};
use heliopause_kernel::{Edition, Game as _, Outcome, Seat, Viewer};

use super::playable::Playable;
use crate::bot::{Answer, Bot, Level, Question};
use crate::chance::Rng;

impl Playable for Slingshot {
    fn profiles(_edition: &Edition<Options>) -> &'static [&'static str] {
        &["probe"]
    }

    fn score(_edition: &Edition<Options>) -> &'static str {
        "Score: distance that the probe reached."
    }

    fn bot(profile: &str) -> Option<&'static dyn Bot<Self>> {
        if profile == "probe" { Some(&Probe) } else { None }
    }

    fn fallbacks(view: &View) -> Vec<Order> {
        if view.table.leader.is_some() { vec![Order::Coast] } else { vec![Order::Burn { fuel: 0 }] }
    }

    fn scores(&self, _outcome: &Outcome) -> Vec<f64> {
        self.view(Viewer::Spectator).table.distances.into_iter().map(f64::from).collect()
    }

    fn standing(&self, seat: Seat) -> f64 {
        let table = self.view(Viewer::Spectator).table;
        table.distances.get(seat.index()).copied().map_or(0.0, f64::from)
    }

    const PATIENCE: u32 = 5;

    fn holdings(view: &View) -> (u32, Vec<(usize, Option<Seat>)>) {
        let distances = view.table.seats().zip(&view.table.distances);
        let held = distances.map(|(seat, &distance)| (distance.into(), Some(seat)));
        (view.table.round.into(), held.collect())
    }
}

struct Probe;

impl Bot<Slingshot> for Probe {
    fn decide(&self, question: &Question<'_, Slingshot>) -> Answer<Slingshot> {
        let table = &question.view.table;
        let mut chance = Rng::new(question.seed, "slingshot");
        if let Some(leader) = table.leader {
            let others: Vec<Seat> = table.seats().filter(|seat| *seat != leader).collect();
            let next = match question.level {
                Level::Random => chance.pick(&others).copied(),
                Level::Standard | Level::Strong => {
                    others.into_iter().max_by_key(|seat| table.distances[seat.index()])
                }
            };
            return Answer::order(next.map_or(Order::Coast, |seat| Order::Brake { seat }));
        }
        let most = question.view.secrets.first().map_or(0, |own| own.fuel.min(BURN_MAX));
        let fuel = match question.level {
            Level::Random => chance.below(usize::from(most) + 1) as u8,
            Level::Standard | Level::Strong => most,
        };
        Answer { orders: vec![Order::Burn { fuel }], ready: true, memo: None }
    }
}
