//! Differences between variants. Where a variant changes a rule, the rule calls a function in
//! `facts` or `hooks`. The function's comment describes the base game and each variant's change.
//!
//! Additions are in `fate` for The Fate of Empire and `outer_space` for Alone in Outer Space.

pub(crate) mod facts;
pub mod fate;
pub(crate) mod hooks;
pub mod outer_space;
