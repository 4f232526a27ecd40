//! Steps of a turn that every player handles alike.

use heliopause_stellar_conquest::{
    Order, Place, PlanetId, Post, Ship, ShipNumber, StarId, StellarConquest, View,
};

use super::random;
use super::settle::{self, Demand};
use super::survey::{Survey, numbers};
use crate::bot::{Answer, Level, Question};
use crate::chance::Rng;

/// Answers with random orders at level `random`, and with the orders of `doctrine` at other levels.
/// `label` gives each profile its own random numbers.
pub(super) fn by_level(
    question: &Question<'_, StellarConquest>,
    label: &str,
    doctrine: impl FnOnce(&Survey<'_>, &mut Rng) -> Vec<Order>,
) -> Answer<StellarConquest> {
    let view = question.view;
    let mut chance = Rng::new(question.seed, label);
    let orders = match (question.level, Survey::new(view)) {
        (Level::Standard | Level::Strong, Some(survey)) => doctrine(&survey, &mut chance),
        _ => random::order(view, &mut chance).into_iter().collect(),
    };
    answer(view, orders)
}

/// Converts orders to an answer. Without orders, answers with the least harmful legal order.
pub(super) fn answer(view: &View, mut orders: Vec<Order>) -> Answer<StellarConquest> {
    if orders.is_empty() {
        orders.extend(harmless(view));
    }
    Answer { orders, ready: view.table.stage.is_simultaneous(), memo: None }
}

pub(super) const fn harm(order: &Order) -> u8 {
    match order {
        Order::EndMovement
        | Order::EndTurn
        | Order::BreakOff
        | Order::Aim { .. }
        | Order::SendTo { .. } => 0,
        Order::Produce(_)
        | Order::Decree(_)
        | Order::Place { .. }
        | Order::Outfit(_)
        | Order::Recall { .. }
        | Order::Scuttle { .. } => 1,
        Order::Withdraw { .. } | Order::Fight { .. } | Order::Move(_) => 2,
        _ => 3,
    }
}

fn harmless(view: &View) -> Option<Order> {
    let orders = StellarConquest::choices_of(view).listed.into_iter().map(|choice| choice.order);
    orders.min_by_key(harm)
}

pub(super) fn first_battle(survey: &Survey<'_>) -> Vec<Order> {
    let fight = |at: Place| Order::Fight { at };
    let legal = |order: &Order| StellarConquest::judge_view(survey.view, order).is_ok();
    StarId::ALL.into_iter().map(StarId::at).map(fight).find(legal).into_iter().collect()
}

/// Sets up posts at free colonies at this distance from all other posts (7.2).
pub(super) fn posts(survey: &Survey<'_>, apart: u8) -> Vec<Order> {
    let mut standing: Vec<StarId> = survey.table.posts_of(survey.me).collect();
    let mut colonies: Vec<_> =
        survey.free_colonies().filter(|colony| !colony.is_besieged()).collect();
    colonies.sort_by_key(|colony| std::cmp::Reverse(colony.population));
    let mut orders = Vec::new();
    for colony in colonies {
        let star = colony.planet.star;
        let order = Order::Post { star, up: true };
        let near = standing.iter().any(|post| post.at().distance(star.at()) < apart);
        let taken = survey.table.posts.contains(&Post { seat: survey.me, star });
        if !near && !taken && StellarConquest::judge_view(survey.view, &order).is_ok() {
            standing.push(star);
            orders.push(order);
        }
    }
    orders
}

pub(super) fn landings(survey: &Survey<'_>, demands: Vec<Demand>) -> Vec<Order> {
    let mut landings: Vec<(PlanetId, Vec<Ship>)> = Vec::new();
    for placing in settle::place(survey, demands, |_, _, _| true)
        .into_iter()
        .filter(settle::Assignment::is_here)
    {
        let Some(planet) = placing.planet else { continue };
        match landings.iter_mut().find(|(other, _)| *other == planet) {
            Some((_, ships)) => ships.extend(placing.ships),
            None => landings.push((planet, placing.ships)),
        }
    }
    let land = |(planet, ships): (PlanetId, Vec<Ship>)| {
        let ships: Vec<ShipNumber> = numbers(&ships);
        Order::Land { ships, planet }
    };
    let legal = |order: &Order| StellarConquest::judge_view(survey.view, order).is_ok();
    let mut orders: Vec<Order> = landings.into_iter().map(land).filter(legal).collect();
    orders.push(Order::EndTurn);
    orders
}
