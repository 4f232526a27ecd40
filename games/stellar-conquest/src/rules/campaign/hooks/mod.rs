//! Functions where variants replace or extend rules. Each comment names the base rule, and the
//! rules of the variants that change it.

pub(crate) mod battle;
pub(crate) mod colonies;
pub(crate) mod colonisation;
pub(crate) mod exploration;
pub(crate) mod losses;
pub(crate) mod movement;
pub(crate) mod production;
pub(crate) mod setup;
pub(crate) mod turn;
