//! Tests of the rules of Diplomacy.

mod adjudicated;
mod common;
mod contract;
mod datc;
mod events;
mod explained;
mod recorded;
mod wire;
mod worked;
