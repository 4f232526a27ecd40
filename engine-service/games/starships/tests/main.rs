//! Tests of the rules of Starships at Large.

mod properties;
mod rulings;
mod sheet;
mod situations;
mod warnings;
