//! Recall of ships to the Empire (fate 4.4).

use heliopause_stellar_conquest::fate::tables::half_points;
use heliopause_stellar_conquest::{Order, Ship, ShipNumber, StellarConquest, View};

use crate::chance::Rng;

/// Returns the first indices whose values have exactly this sum, or `None` if there are none.
fn first_worth(values: &[u32], sum: u32) -> Option<Vec<usize>> {
    let sum = sum as usize;
    let mut reached = vec![vec![false; sum + 1]; values.len() + 1];
    reached[values.len()][0] = true;
    for (place, &value) in values.iter().enumerate().rev() {
        for total in 0..=sum {
            let with =
                total.checked_sub(value as usize).is_some_and(|rest| reached[place + 1][rest]);
            reached[place][total] = reached[place + 1][total] || with;
        }
    }
    let mut left = sum;
    let mut chosen = Vec::new();
    for (place, &value) in values.iter().enumerate() {
        if let Some(rest) =
            left.checked_sub(value as usize).filter(|&rest| value > 0 && reached[place + 1][rest])
        {
            chosen.push(place);
            left = rest;
        }
    }
    (left == 0).then_some(chosen)
}

fn recall(view: &View, ships: &[ShipNumber], sum: u32) -> Option<Order> {
    let power = view.power()?;
    let value =
        |&number: &ShipNumber| power.ship(number).map_or(0, |ship| half_points(ship.kind()));
    let values: Vec<u32> = ships.iter().map(value).collect();
    let chosen = first_worth(&values, sum)?;
    Some(Order::Recall { ships: chosen.into_iter().map(|place| ships[place]).collect() })
}

pub(super) fn chosen(
    view: &View,
    ships: &[ShipNumber],
    sum: u32,
    chance: &mut Rng,
) -> Option<Order> {
    let mut ships = ships.to_vec();
    chance.shuffle(&mut ships);
    recall(view, &ships, sum)
}

/// Recalls scouts, then the weakest ships, and among equal ships those that guard nothing.
pub(super) fn weakest(view: &View) -> Option<Order> {
    let choices = StellarConquest::choices_of(view);
    let (mut ships, sum) = choices.recall?;
    let power = view.power()?;
    let guards = |number: ShipNumber| {
        let at = power.ship(number).and_then(|ship| ship.at);
        at.is_some_and(|at| {
            power.conquered_colonies.iter().any(|prize| prize.colony.planet.star.at() == at)
        })
    };
    ships.sort_by_key(|&number| (power.ship(number).map(Ship::kind), guards(number), number));
    recall(view, &ships, sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fate_4_4_the_first_ships_with_the_required_value_leave() {
        assert_eq!(first_worth(&[1, 1, 2, 4, 10], 4), Some(vec![0, 1, 2]));
        assert_eq!(first_worth(&[1, 4, 4], 8), Some(vec![1, 2]));
        assert_eq!(first_worth(&[4, 4], 6), None);
        assert_eq!(first_worth(&[], 0), Some(vec![]));
    }
}
