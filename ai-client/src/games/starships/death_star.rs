//! The profile of the Death Star, at its three levels.

use heliopause_starships::{Marker, Order, Owed, Place, Places, Starships, View};

use super::search::{self, Budget};
use super::worth::for_death_star;
use crate::bot::{Answer, Bot, Level, Question};

const BUDGET: Budget = Budget { orders: 6, worlds: 6, proof: 12, rounds: 3 };

pub(super) struct DeathStarBot;

impl Bot<Starships> for DeathStarBot {
    fn decide(&self, question: &Question<'_, Starships>) -> Answer<Starships> {
        let view = question.view;
        let order = match question.level {
            Level::Random => growths(view).into_iter().min_by_key(|&order| default_order(order)),
            Level::Standard => thumb(view),
            Level::Strong => Some(strong(question)),
        };
        Answer::order(order.unwrap_or(Order::Stop))
    }
}

fn strong(question: &Question<'_, Starships>) -> Order {
    let mut orders = growths(question.view);
    orders.sort_by_key(|&order| std::cmp::Reverse(zone_harm(question.view, order)));
    orders.push(Order::Stop);
    search::best(question, &orders, BUDGET, for_death_star)
}

/// Returns the most harmful growth, because the Death Star never stops while it can grow.
pub(super) fn thumb(view: &View) -> Option<Order> {
    let mut growths = growths(view);
    growths.sort_by_key(|&order| default_order(order));
    growths.into_iter().rev().max_by_key(|&order| zone_harm(view, order))
}

fn growths(view: &View) -> Vec<Order> {
    let Some(Owed::Zones { .. } | Owed::Growth { .. }) = view.owes() else { return Vec::new() };
    let orders = Starships::choices_of(view).list.into_iter();
    orders.filter(|order| matches!(order, Order::Zone { .. } | Order::Grow { .. })).collect()
}

/// Ranks default orders by distance from Earth, then by q and r (R38).
fn default_order(order: Order) -> (u16, Option<Place>, u16, Option<Place>) {
    let rank = |place: Option<Place>| place.map_or(0, Place::rank);
    let (from, to) = match order {
        Order::Grow { from, to } => (Some(from), Some(to)),
        Order::Zone { at } => (None, Some(at)),
        _ => (None, None),
    };
    (rank(from), from, rank(to), to)
}

fn zone_harm(view: &View, order: Order) -> i32 {
    let (Order::Grow { to, .. } | Order::Zone { at: to }) = order else { return i32::MIN };
    let table = &view.table;
    let bases = table.bases.iter().filter(|base| base.at == to).count() as i32;
    let owned = i32::from(table.tokens[to.index()].iter().next().is_some());
    let live = i32::from(view.marker(to).is_some_and(Marker::is_live));
    let caught: i32 = to
        .neighbors()
        .iter()
        .filter(|&at| table.has_ship(at))
        .map(|at| encirclement(at, table.zones))
        .sum();
    100 * bases + 40 * owned + 30 * live + caught + 10 * (3 - i32::from(to.rank()))
}

fn encirclement(at: Place, zones: Places) -> i32 {
    let encirclement = at.neighbors().and(zones).len() as i32;
    if at.neighbors().len() < 6 { 0 } else { encirclement * encirclement }
}
