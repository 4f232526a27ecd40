//! Conversion of types whose messages have another structure.

// Functions that read and write a field receive a reference, whatever the type of the field.
#![allow(clippy::trivially_copy_pass_by_ref, clippy::ref_option)]

mod names;
mod options;
mod passage;
mod state;

pub(crate) use names::{dice, die, player, seat};
pub(crate) use state::death_star;
