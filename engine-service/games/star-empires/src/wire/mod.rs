//! Passage over the wire, where it is not said on the types: messages that have another shape.
// What reads and writes a field gets a reference to it as it is.
#![allow(clippy::trivially_copy_pass_by_ref, clippy::ref_option)]

mod galaxy;
mod lists;
mod numbers;
mod options;
mod parts;
mod position;
#[cfg(test)]
mod tests;
mod texts;

pub(crate) use lists::{LIST_MAX, alliances, sectors, table};
pub(crate) use numbers::{
    at_least_1, coordinate, count_of_empires, few_items, in_bounds, lines, orders, permille,
    rotation, seat, seats, sentence,
};
pub(crate) use parts::identity;
pub(crate) use texts::{names, some_names};
