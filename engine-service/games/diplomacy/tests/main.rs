//! Tests of the rules of Diplomacy.

mod adjudicated;
mod common;
mod datc;
mod explained;
mod played;
mod properties;
mod recorded;
mod reference;
mod scenarios;
mod told;
mod wire;
mod worked;
