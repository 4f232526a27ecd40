//! Tests of the rules of Starships at Large.

mod contract;
mod rulings;
mod sheet;
mod situations;
mod warnings;
