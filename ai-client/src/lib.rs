//! Automated players of Heliopause, in a separate process.
//!
//! **Invariant.** A bot is a function of view, seed, memo and level. It does not depend on a clock,
//! hash-map order or state of its own. So the same question gets the same answer on any machine,
//! and any worker can take over from another.
//!
//! **Invariant.** A bot gets a seat's view and never a game, so hidden information cannot
//! reach it. Look-ahead uses states sampled from that view.

pub mod bot;
pub mod chance;
pub mod cli;
pub mod games;
pub mod tournament;
pub mod worker;
