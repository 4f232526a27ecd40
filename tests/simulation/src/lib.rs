//! The whole product in one thread, in a world that a seed decides.
//!
//! | module | holds |
//! | --- | --- |
//! | [`ground`] | time and chance, in place of the system's: the only unsafe code |
//! | [`chance`] | random numbers by name |
//! | [`trace`] | what happened, as one hash |
//! | [`net`] | connections that delay, stall and break |
//! | [`store`] | a store that does what a database may do |
//! | [`engines`] | engines that start, crash and drain |
//! | [`workers`] | AI workers: the real ones |
//! | [`players`] | players by the real client, some of them clumsy |
//! | [`masters`] | game masters |
//! | [`plan`] | what a seed decides: who is there, and what goes wrong when |
//! | [`ledger`] | what players were told, to be compared with the journals |
//! | [`oracles`] | what must hold while it runs and afterwards |
//! | [`run`] | one run |
//! | [`command`] | many runs, each in a process of its own |
//!
//! Everything runs on one thread under tokio's paused clock, which moves on when nothing is left to
//! do. Two functions of the C library are replaced in this program alone, so the standard library's
//! clocks and hash seeds, tokio's choices and all fresh ids follow from the seed. turmoil was
//! weighed: it moves time by ticks for each host and leaves the standard library's clocks and
//! chance alone. madsim was weighed: it replaces tokio and tonic by versions of its own, so the
//! code under test would not be the real one.
//!
//! A process that crashes is frozen, not dropped: its connections break, its store never answers,
//! and nothing that it still does is seen. A killed process runs no destructors either.
#![cfg(feature = "simulated")]

pub mod chance;
pub mod command;
pub mod engines;
pub mod ground;
pub mod ledger;
pub mod masters;
pub mod net;
pub mod oracles;
pub mod plan;
pub mod players;
pub mod run;
pub mod store;
pub mod trace;
pub mod workers;
