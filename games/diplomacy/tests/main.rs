//! Tests of the rules of Diplomacy.

mod adjudicated;
mod conditional;
mod contract;
mod events;
mod explained;
mod recorded;
mod wire;
