//! The rules, one module per chapter of the rulebook.
//!
//! `orders` and `deadline` are the entry points. `turn` calls the chapters step by step. All of
//! them use `referee` and `judge`.

pub(crate) mod arrivals;
pub(crate) mod battle;
pub(crate) mod campaign;
pub(crate) mod colonies;
pub(crate) mod colonisation;
pub(crate) mod conquest;
pub(crate) mod deadline;
pub(crate) mod exploration;
pub(crate) mod goals;
pub(crate) mod inspection;
pub(crate) mod integrity;
pub(crate) mod judge;
pub(crate) mod ledger;
pub(crate) mod most;
pub(crate) mod movement;
pub(crate) mod orders;
pub(crate) mod production;
pub(crate) mod referee;
pub(crate) mod research;
pub(crate) mod setup;
#[cfg(test)]
mod situations;
pub(crate) mod turn;
pub(crate) mod victory;
