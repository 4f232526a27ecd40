//! Automated players of Heliopause, as a process of their own.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`bot`] | the interface between a game's bots and whoever asks them |
//! | [`games`] | the bots, one module a game, and the registry of them |
//! | [`worker`] | the stream to an engine: leases in, answers out |
//! | [`tournament`] | bots against bots in one process, with statistics |
//! | [`chance`] | random numbers that are the same on every machine |
//!
//! **Invariant.** A bot is a function of view, seed, memo and level. It reads no clock, no hash-map
//! order and no state of its own, so the same question gets the same answer on any machine, and any
//! worker can take over from another.
//!
//! **Invariant.** A bot is given a seat's view and never a game: what the seat may not know cannot
//! reach it. Look-ahead plays on states that are sampled from that view.

pub mod bot;
pub mod chance;
pub mod cli;
pub mod games;
pub mod tournament;
pub mod worker;
