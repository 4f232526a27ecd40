//! Passage over the wire, where it is not said on the types: messages that have another shape.

// What reads and writes a field gets a reference, whatever the field is.
#![allow(clippy::trivially_copy_pass_by_ref, clippy::ref_option)]

mod names;
mod options;
mod passage;
mod state;

pub(crate) use names::{dice, die, player, seat};
pub(crate) use state::death_star;
