//! Random legal choices, the baseline of every profile.

use heliopause_stellar_conquest::outer_space::{DecreeColony, DecreePlan, DecreeSheet};
use heliopause_stellar_conquest::{
    Choices, ColonyPlan, Order, Payment, Place, ProductionSheet, RaidOrder, Shot, Spending, StarId,
    StellarConquest, UnitId, View, Withdrawal,
};

use crate::chance::Rng;

/// On average, one of this number of random decisions ends the step, so that the game advances.
const PATIENCE: usize = 3;

pub(super) fn order(view: &View, chance: &mut Rng) -> Option<Order> {
    let choices = StellarConquest::choices_of(view);
    let listed: Vec<Order> = choices.listed.iter().map(|choice| choice.order.clone()).collect();
    let ends = |order: &&Order| matches!(order, Order::EndMovement | Order::EndTurn);
    if let Some(end) = listed.iter().find(ends).filter(|_| chance.below(PATIENCE) == 0) {
        return Some(end.clone());
    }
    // Orders that are always possible cannot advance the game.
    let moves_on =
        |order: &&Order| !matches!(order, Order::Watch { .. } | Order::Post { up: false, .. });
    let mut orders: Vec<Order> = listed.iter().filter(moves_on).cloned().collect();
    orders.extend(movement(&choices, chance));
    orders.extend(battle(&choices, chance));
    orders.extend(planets(&choices, chance));
    orders.extend(production(&choices, chance));
    orders.extend(politics(&choices, chance));
    if let Some((ships, sum)) = &choices.recall {
        orders.extend(super::recall::chosen(view, ships, *sum, chance));
    }
    chance.pick(&orders).cloned()
}

fn some<T: Clone>(items: &[T], chance: &mut Rng) -> Vec<T> {
    let mut chosen: Vec<T> = items.iter().filter(|_| chance.below(2) == 0).cloned().collect();
    if chosen.is_empty() {
        chosen.extend(items.first().cloned());
    }
    chosen
}

fn politics(choices: &Choices, chance: &mut Rng) -> Vec<Order> {
    let mut orders = Vec::new();
    for raid in &choices.raids {
        if let Some(&target) = chance.pick(&raid.targets) {
            let count = 1 + chance.below(raid.ships.len());
            let rounds = 1 + chance.below(2) as u8;
            let ships = raid.ships[..count].to_vec();
            orders.push(Order::Raid(RaidOrder { ships, target, rounds, path: Vec::new() }));
        }
    }
    if let Some(places) = &choices.places
        && let Some(&at) = chance.pick(&places.places)
    {
        orders.push(Order::Place { at, destination: chance.pick(&places.destinations).copied() });
    }
    if let Some(decree) = &choices.decree {
        let plan = |colony: &DecreeColony| {
            let budget =
                colony.least + chance.below((colony.most - colony.least) as usize + 1) as u32;
            DecreePlan { planet: colony.planet, budget: Some(budget), weapons: Vec::new() }
        };
        let plans = decree.colonies.iter().map(plan).collect();
        orders.push(Order::Decree(DecreeSheet { plans, posts: None }));
    }
    orders
}

/// Returns the number of steps to a hex where ships may stop (space 7.1): at least `wanted` if
/// possible, and at most `safe`. Returns `None` if there is no such hex.
fn part(path: &[Place], wanted: usize, safe: usize) -> Option<usize> {
    let stops =
        |&length: &usize| length == path.len() || StarId::in_hex(path[length - 1]).is_none();
    (wanted..=safe).find(stops).or_else(|| (1..wanted).rev().find(stops))
}

fn movement(choices: &Choices, chance: &mut Rng) -> Vec<Order> {
    let mut orders = Vec::new();
    for voyage in &choices.voyages {
        let Some(route) = chance.pick(&voyage.routes) else { continue };
        let safe = route.safe.unwrap_or(route.path.len());
        if safe == 0 {
            continue;
        }
        let Some(length) = part(&route.path, 1 + chance.below(safe), safe) else { continue };
        orders.push(Order::Move(route.voyage(some(&voyage.ships, chance), length)));
    }
    orders.extend(choices.posts.iter().map(|&star| Order::Post { star, up: true }));
    orders
}

fn battle(choices: &Choices, chance: &mut Rng) -> Vec<Order> {
    let mut orders = Vec::new();
    if !choices.aims.is_empty() {
        let shot = |(by, targets): &(UnitId, Vec<(UnitId, u8)>)| {
            chance.pick(targets).map(|&(at, _)| Shot { by: *by, at })
        };
        orders.push(Order::Aim { shots: choices.aims.iter().filter_map(shot).collect() });
    }
    if let Some(withdraw) = &choices.withdraw {
        let units =
            if withdraw.forced { withdraw.units.clone() } else { some(&withdraw.units, chance) };
        let mut apart = |units: &[UnitId]| Withdrawal {
            units: units.to_vec(),
            destination: chance.pick(&withdraw.destinations).copied(),
        };
        let groups = units.chunks(units.len().div_ceil(2).max(1)).map(&mut apart).collect();
        orders.push(Order::Withdraw { groups });
    }
    orders
}

fn planets(choices: &Choices, chance: &mut Rng) -> Vec<Order> {
    let landing = |landing: &heliopause_stellar_conquest::LandingChoices| {
        let count =
            landing.fewest as usize + chance.below((landing.most - landing.fewest) as usize + 1);
        Order::Land { ships: landing.ships[..count].to_vec(), planet: landing.planet }
    };
    choices.landings.iter().map(landing).collect()
}

fn production(choices: &Choices, chance: &mut Rng) -> Option<Order> {
    let production = choices.production.as_ref()?;
    let mut colonies = Vec::new();
    let mut paid = false;
    for colony in &production.colonies {
        let mut plan = ColonyPlan {
            planet: colony.planet,
            emigrants: 0,
            bonus: 0,
            evacuate: false,
            spending: Vec::new(),
        };
        match chance.below(3) {
            0 => plan.emigrants = chance.below(usize::from(colony.emigrants) + 1) as u16,
            1 => {
                if let Some(&(item, most)) = chance.pick(&colony.items) {
                    let count = 1 + chance.below(most as usize) as u32;
                    plan.spending.push(Spending::Build { item, count });
                }
            }
            // A second payment could exceed the missing amount.
            _ => {
                let open = chance.pick(&production.research).filter(|_| !paid && colony.output > 0);
                if let Some(&Payment { tech, points }) = open {
                    let points = 1 + chance.below(points.min(colony.output) as usize) as u32;
                    plan.spending.push(Spending::Research(Payment { tech, points }));
                    paid = true;
                }
            }
        }
        colonies.push(plan);
    }
    Some(Order::Produce(ProductionSheet { colonies, posts: None, grant: Vec::new() }))
}
