//! Look-ahead: each order of a short list is tried in the same worlds with the same dice, both
//! sides play on by rules of thumb, and the worse half of the list is dropped until one is left
//! (successive halving).
//!
//! A world is a state sampled from the seat's view: it agrees with all that the seat knows, and is
//! made of nothing else.

use heliopause_kernel::{Actor, Dice, Game as _, Seat, Viewer, Why};
use heliopause_starships::{Order, Starships, View};

use super::proposals::proposals;
use super::survey::Survey;
use super::{death_star, worth};
use crate::bot::Question;
use crate::chance::Chance;

/// How much work a decision may take, in counts, so that it is the same on every machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// Orders that are tried at all.
    pub(super) orders: usize,
    /// Worlds in which each is compared with the usual order before the worse half is dropped, each
    /// time.
    pub(super) worlds: usize,
    /// Worlds in which the last one must prove better than the usual order.
    pub(super) proof: usize,
    /// How many rounds are played on before a state is judged as it stands.
    pub(super) rounds: u8,
}

/// No look-ahead is longer than this many orders, whatever its rounds.
const LONGEST: usize = 600;
/// Both sides choose as if merits were so uncertain, lest every look-ahead tell the same story.
const DOUBT: usize = 12;

/// The square of how many standard errors prove that an order is better than the usual one.
const CERTAINTY_SQUARED: i64 = 2;

/// What a state is worth to a seat.
pub(super) type Worth = fn(&Starships, Seat) -> i32;

/// The order that does best. The list is in order of promise: its first order is what rules of
/// thumb would do, and another is taken only if it proves better, because the luckiest of many
/// tries always looks good.
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
        // The sort is stable: the list's own order decides between equals.
        field.sort_by_key(|entry| std::cmp::Reverse(entry.total));
        field.truncate(field.len() / 2);
        field.retain(|entry| entry.total > 0);
    }
    // The proof begins anew: what made the finalist look good so far is partly luck.
    let mut finalist: Vec<Entry> =
        field.first().map(|entry| Entry::new(entry.order)).into_iter().collect();
    worlds.compare(&mut finalist, usual, budget.proof);
    finalist.first().filter(|entry| entry.is_better()).map_or(usual, |entry| entry.order)
}

/// An order, and how much better it did than the usual one in the same worlds.
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

    /// Whether the mean difference is so many standard errors above 0, in whole numbers.
    fn is_better(&self) -> bool {
        let spread = self.tries * self.squares - self.total * self.total;
        self.total > 0 && self.total * self.total * (self.tries - 1) >= CERTAINTY_SQUARED * spread
    }
}

/// The worlds in which orders are tried, one after the other.
struct Worlds<'a> {
    view: &'a View,
    seat: Seat,
    last_round: u8,
    worth: Worth,
    chance: Chance,
    world: Starships,
    dice: [u8; 32],
}

impl<'a> Worlds<'a> {
    fn new(question: &Question<'a, Starships>, seat: Seat, budget: Budget, worth: Worth) -> Self {
        let mut chance = Chance::new(question.seed, "look-ahead");
        let world = Starships::sample(question.view, &mut || chance.number());
        let last_round = question.view.table.round.saturating_add(budget.rounds);
        Self { view: question.view, seat, last_round, worth, chance, world, dice: [0; 32] }
    }

    /// Compares each order with the usual one in so many worlds.
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

    /// Another world, other dice.
    fn next(&mut self) {
        self.world = Starships::sample(self.view, &mut || self.chance.number());
        self.dice = self.chance.seed();
    }

    /// What an order leads to in this world.
    fn try_out(&self, order: Order) -> i64 {
        let (mut game, mut dice) = (self.world.clone(), Dice::new(self.dice));
        if game.submit(Actor::Seat(self.seat), order, &mut dice).is_err() {
            return i64::from(worth::WORST);
        }
        let mut chance = Chance::new(&self.dice, "play on");
        play_on(&mut game, &mut dice, &mut chance, self.last_round);
        i64::from((self.worth)(&game, self.seat))
    }
}

/// Plays on by rules of thumb.
fn play_on(game: &mut Starships, dice: &mut Dice, chance: &mut Chance, last_round: u8) {
    for _ in 0..LONGEST {
        let Some(seat) = game.decider() else { return };
        let view = game.view(Viewer::Seat(seat));
        if view.table.round > last_round {
            return;
        }
        let taken = thumb(&view, seat, chance)
            .is_some_and(|order| game.submit(Actor::Seat(seat), order, dice).is_ok());
        if !taken {
            game.close(Why::Deadline, dice);
        }
        dice.forget_rolled();
    }
}

/// What a seat does by rules of thumb.
fn thumb(view: &View, seat: Seat, chance: &mut Chance) -> Option<Order> {
    if seat == view.table.death_star_seat() {
        return death_star::thumb(view);
    }
    let best = proposals(&Survey::new(view)?);
    best.into_iter()
        .max_by_key(|proposal| proposal.merit + chance.below(DOUBT) as i32)
        .map(|proposal| proposal.order)
}
