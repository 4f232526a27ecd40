//! Random legal orders, the baseline.

use heliopause_diplomacy::{Diplomacy, Order, Site, View};

use crate::chance::Rng;

pub(super) fn orders(view: &View, chance: &mut Rng) -> Vec<Order> {
    let choices = Diplomacy::choices_of(view);
    let mut orders = Vec::new();
    for group in &choices.groups {
        let lines =
            if group.unit.is_some() { group.count } else { choices.builds.max(choices.removals) };
        let mut left = group.orders.clone();
        for _ in 0..lines {
            let Some(&order) = chance.pick(&left) else { break };
            orders.push(order);
            if group.unit.is_none() && order != Order::Waive {
                left.retain(|other| !is_same_place(other, &order));
            }
        }
    }
    orders
}

/// Returns whether two orders are for the same place. All armies in orbit count as one place,
/// because any of them may be removed.
fn is_same_place(one: &Order, other: &Order) -> bool {
    let place = |order: &Order| match *order {
        Order::Build { unit: Site { at, .. } } => Some(at.province()),
        Order::Remove { unit } => unit.at.province(),
        _ => None,
    };
    place(one).is_some() && place(one) == place(other)
}
