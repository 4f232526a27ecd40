//! Tests of the rules of Starships at Large.

mod contract;
mod rulings;
mod script;
