//! The places where an article replaces a rule, or adds to it: a module for each chapter. Each
//! function names the base rule first.

pub(crate) mod battle;
pub(crate) mod colonies;
pub(crate) mod colonisation;
pub(crate) mod exploration;
pub(crate) mod losses;
pub(crate) mod movement;
pub(crate) mod production;
pub(crate) mod setup;
pub(crate) mod turn;
