//! The sentences of `events.tsv`, and helpers for their wording. A key is the name of an event,
//! some with a case of the event after a dot.

use std::sync::LazyLock;

use heliopause_kernel::{Seat, listed};

use crate::state::ShipNumber;
use crate::tables::texts::Sentences;

pub(crate) type Names<'a> = &'a dyn Fn(Seat) -> String;

/// A sentence and the rule that decided it.
pub(crate) type Description = (String, &'static str);

pub(super) static EVENTS: LazyLock<Sentences> =
    LazyLock::new(|| Sentences::read(include_str!("events.tsv")));

/// Describes an event, such as by `say!("Claimed", who, star)`.
macro_rules! say {
    ($key:expr $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::client::describe::words::EVENTS
            .fill($key, $crate::tables::texts::values![$(, $name $(= $value)?)*])
    };
}
pub(super) use say;

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
