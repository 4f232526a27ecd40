//! Tests of the rules of Star Empires.

mod foretell;
mod names;
mod offers;
mod play;
mod properties;
mod secrets;
mod turns;
