//! Tests of the rules of Star Empires.

mod contract;
mod names;
mod offers;
mod play;
mod secrets;
mod turns;
