//! Look-ahead: tries each order of a short list in the same sampled worlds with the same dice, and
//! drops the worse half until one order is left (successive halving).

use heliopause_kernel::{Actor, CloseCause, Dice, Game as _, Seat, Viewer};
use heliopause_starships::{Order, Starships, View};

use super::proposals::proposals;
use super::survey::Survey;
use super::{death_star, worth};
use crate::bot::Question;
use crate::chance::Rng;

/// Limits of the look-ahead. Counts, unlike times, give the same results on every machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    pub(super) orders: usize,
    /// Number of worlds in which orders are compared before each halving.
    pub(super) worlds: usize,
    /// Number of worlds for the comparison of the last order with the usual one.
    pub(super) proof: usize,
    pub(super) rounds: u8,
}

const MAX_ORDERS: usize = 600;
/// Random noise in merits, so that the simulated games differ.
const MERIT_NOISE: usize = 12;

/// Square of the number of standard errors required for a different order.
const CERTAINTY_SQUARED: i64 = 2;

pub(super) type Worth = fn(&Starships, Seat) -> i32;

/// Returns the first order unless another one proves better in new samples, because the best of
/// many tries is partly lucky.
pub(super) fn best(
    question: &Question<'_, Starships>,
    orders: &[Order],
    budget: Budget,
    worth: Worth,
) -> Order {
    let (Some(seat), Some((&usual, others))) = (question.view.seat(), orders.split_first()) else {
        return Order::End;
    };
    let mut field: Vec<Entry> =
        others.iter().take(budget.orders).map(|&order| Entry::new(order)).collect();
    let mut worlds = Worlds::new(question, seat, budget, worth);
    while field.len() > 1 && !question.stop.stopped() {
        worlds.compare(&mut field, usual, budget.worlds);
        field.sort_by_key(|entry| std::cmp::Reverse(entry.total));
        field.truncate(field.len() / 2);
        field.retain(|entry| entry.total > 0);
    }
    // Discard the finalist's results, because they are partly luck.
    let mut finalist: Vec<Entry> =
        field.first().map(|entry| Entry::new(entry.order)).into_iter().collect();
    worlds.compare(&mut finalist, usual, budget.proof);
    finalist.first().filter(|entry| entry.is_better()).map_or(usual, |entry| entry.order)
}

struct Entry {
    order: Order,
    total: i64,
    squares: i64,
    tries: i64,
}

impl Entry {
    fn new(order: Order) -> Self {
        Self { order, total: 0, squares: 0, tries: 0 }
    }

    fn compare(&mut self, difference: i64) {
        self.total += difference;
        self.squares += difference * difference;
        self.tries += 1;
    }

    fn is_better(&self) -> bool {
        let spread = self.tries * self.squares - self.total * self.total;
        self.total > 0 && self.total * self.total * (self.tries - 1) >= CERTAINTY_SQUARED * spread
    }
}

struct Worlds<'a> {
    view: &'a View,
    seat: Seat,
    last_round: u8,
    worth: Worth,
    chance: Rng,
    world: Starships,
    dice: [u8; 32],
}

impl<'a> Worlds<'a> {
    fn new(question: &Question<'a, Starships>, seat: Seat, budget: Budget, worth: Worth) -> Self {
        let mut chance = Rng::new(question.seed, "look-ahead");
        let world = Starships::sample(question.view, &mut || chance.number());
        let last_round = question.view.table.round.saturating_add(budget.rounds);
        Self { view: question.view, seat, last_round, worth, chance, world, dice: [0; 32] }
    }

    fn compare(&mut self, field: &mut [Entry], usual: Order, worlds: usize) {
        if field.is_empty() {
            return;
        }
        for _ in 0..worlds {
            self.next();
            let yardstick = self.try_out(usual);
            for entry in &mut *field {
                entry.compare(self.try_out(entry.order) - yardstick);
            }
        }
    }

    fn next(&mut self) {
        self.world = Starships::sample(self.view, &mut || self.chance.number());
        self.dice = self.chance.seed();
    }

    fn try_out(&self, order: Order) -> i64 {
        let (mut game, mut dice) = (self.world.clone(), Dice::new(self.dice));
        if game.submit(Actor::Seat(self.seat), order, &mut dice).is_err() {
            return i64::from(worth::WORST);
        }
        let mut chance = Rng::new(&self.dice, "play on");
        play_on(&mut game, &mut dice, &mut chance, self.last_round);
        i64::from((self.worth)(&game, self.seat))
    }
}

fn play_on(game: &mut Starships, dice: &mut Dice, chance: &mut Rng, last_round: u8) {
    for _ in 0..MAX_ORDERS {
        let Some(seat) = game.decider() else { return };
        let view = game.view(Viewer::Seat(seat));
        if view.table.round > last_round {
            return;
        }
        let taken = thumb(&view, seat, chance)
            .is_some_and(|order| game.submit(Actor::Seat(seat), order, dice).is_ok());
        if !taken {
            game.close(CloseCause::Deadline, dice);
        }
        dice.forget_rolled();
    }
}

fn thumb(view: &View, seat: Seat, chance: &mut Rng) -> Option<Order> {
    if seat == view.table.death_star_seat() {
        return death_star::thumb(view);
    }
    let best = proposals(&Survey::new(view)?);
    best.into_iter()
        .max_by_key(|proposal| proposal.merit + chance.below(MERIT_NOISE) as i32)
        .map(|proposal| proposal.order)
}
