//! Helpers for the wording of descriptions.

use heliopause_kernel::{Seat, listed};

use crate::state::ShipNumber;

pub(crate) type Names<'a> = &'a dyn Fn(Seat) -> String;

/// A sentence and the rule that decided it.
pub(crate) type Description = (String, &'static str);

pub(crate) fn count(number: usize, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

pub(crate) fn row(items: &[String]) -> String {
    if items.is_empty() { "nothing".to_owned() } else { listed(items) }
}

pub(crate) fn ships_of(numbers: &[ShipNumber]) -> String {
    match numbers {
        [one] => format!("ship {one}"),
        _ => count(numbers.len(), "ship", "ships"),
    }
}

/// Writes a number of half points as points.
pub(crate) fn halves(half_points: u32) -> String {
    let half = if half_points % 2 == 1 { "½" } else { "" };
    format!("{}{half}", half_points / 2)
}
