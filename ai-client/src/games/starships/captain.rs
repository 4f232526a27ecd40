//! The profile of the players.

use heliopause_starships::{Order, Starships, View};

use super::proposals::{Proposal, proposals};
use super::search::{self, Budget};
use super::survey::Survey;
use super::worth::for_player;
use crate::bot::{Answer, Bot, Level, Question};
use crate::chance::Chance;

/// A random player ends their turn with one decision in so many, so that the game goes on.
const RANDOM_PATIENCE: usize = 4;
/// How far `strong` looks ahead, over how many orders.
const BUDGET: Budget = Budget { orders: 8, worlds: 8, proof: 64, rounds: 24 };

/// Plays a player's seat.
pub(super) struct Captain;

impl Bot<Starships> for Captain {
    fn decide(&self, question: &Question<'_, Starships>) -> Answer<Starships> {
        let order = match question.level {
            Level::Random => {
                random(question.view, &mut Chance::new(question.seed, "random captain"))
            }
            Level::Standard => standard(question.view),
            Level::Strong => strong(question),
        };
        Answer::order(order)
    }
}

/// Any legal choice, each as likely as the others; but turns are ended.
fn random(view: &View, chance: &mut Chance) -> Order {
    let orders: Vec<Order> =
        Starships::choices_of(view).list.into_iter().map(|choice| choice.order).collect();
    if orders.contains(&Order::End) && chance.below(RANDOM_PATIENCE) == 0 {
        return Order::End;
    }
    chance.pick(&orders).copied().unwrap_or(Order::End)
}

/// The best of the rules of thumb that is legal; any legal order should they think of none.
fn standard(view: &View) -> Order {
    let thought = short_list(view).first().map(|proposal| proposal.order);
    let any = || Starships::choices_of(view).list.first().map(|choice| choice.order);
    thought.or_else(any).unwrap_or(Order::End)
}

/// The best on average over the worlds that the seat thinks possible.
fn strong(question: &Question<'_, Starships>) -> Order {
    let mut list = short_list(question.view);
    list.retain(|proposal| !proposal.is_hopeless());
    match list.first() {
        Some(best) if !best.is_obvious() => {
            let orders: Vec<Order> = list.iter().map(|proposal| proposal.order).collect();
            search::best(question, &orders, BUDGET, for_player)
        }
        Some(best) => best.order,
        None => standard(question.view),
    }
}

/// The legal proposals, best first; in the order in which they were thought of if equal.
fn short_list(view: &View) -> Vec<Proposal> {
    let mut list = Survey::new(view).map(|survey| proposals(&survey)).unwrap_or_default();
    list.retain(|proposal| Starships::judge_view(view, &proposal.order).is_ok());
    list.sort_by_key(|proposal| std::cmp::Reverse(proposal.merit));
    list
}
