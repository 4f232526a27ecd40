//! Words that sentences share.

use heliopause_kernel::{Seat, listed};

use crate::state::ship::ShipNumber;
use crate::tables::cards::PlanetId;

/// What people are called.
pub(crate) type Names<'a> = &'a dyn Fn(Seat) -> String;

/// A sentence and a rule.
pub(crate) type Told = (String, &'static str);

/// A number and what it counts: `1 ship`, `3 ships`.
pub(crate) fn count(number: usize, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

pub(crate) fn planet(planet: PlanetId) -> String {
    format!("planet {} of {}", planet.nth + 1, planet.star)
}

/// Things in a row: `a, b and c`.
pub(crate) fn row(items: &[String]) -> String {
    if items.is_empty() { "nothing".to_owned() } else { listed(items) }
}

pub(crate) fn ships_of(numbers: &[ShipNumber]) -> String {
    match numbers {
        [one] => format!("ship {one}"),
        _ => count(numbers.len(), "ship", "ships"),
    }
}
