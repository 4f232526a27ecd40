//! The profile of the players, at its three levels.

use heliopause_starships::{Order, Starships, View};

use super::proposals::{Proposal, proposals};
use super::search::{self, Budget};
use super::survey::Survey;
use super::worth::for_player;
use crate::bot::{Answer, Bot, Level, Question};
use crate::chance::Rng;

/// On average, one of this number of random decisions ends the turn, so that the game advances.
const RANDOM_PATIENCE: usize = 4;
const BUDGET: Budget = Budget { orders: 8, worlds: 8, proof: 64, rounds: 24 };

pub(super) struct PlayerBot;

impl Bot<Starships> for PlayerBot {
    fn decide(&self, question: &Question<'_, Starships>) -> Answer<Starships> {
        let order = match question.level {
            Level::Random => random(question.view, &mut Rng::new(question.seed, "random captain")),
            Level::Standard => standard(question.view),
            Level::Strong => strong(question),
        };
        Answer::order(order)
    }
}

fn random(view: &View, chance: &mut Rng) -> Order {
    let orders = Starships::choices_of(view).list;
    if orders.contains(&Order::End) && chance.below(RANDOM_PATIENCE) == 0 {
        return Order::End;
    }
    chance.pick(&orders).copied().unwrap_or(Order::End)
}

fn standard(view: &View) -> Order {
    let thought = short_list(view).first().map(|proposal| proposal.order);
    let any = || Starships::choices_of(view).list.first().copied();
    thought.or_else(any).unwrap_or(Order::End)
}

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

fn short_list(view: &View) -> Vec<Proposal> {
    let mut list = Survey::new(view).map(|survey| proposals(&survey)).unwrap_or_default();
    list.retain(|proposal| Starships::judge_view(view, &proposal.order).is_ok());
    list.sort_by_key(|proposal| std::cmp::Reverse(proposal.merit));
    list
}
