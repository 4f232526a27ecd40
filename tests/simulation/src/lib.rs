//! The whole product in one thread, in a world determined by a seed.
//!
//! Everything runs under tokio's paused clock, which advances when all tasks are idle. Two
//! functions of the C library are replaced in this program alone, so that all clocks, hash seeds,
//! ids and choices are derived from the seed.
//!
//! turmoil was considered: it advances time in ticks for each host and leaves the standard
//! library's clocks and randomness alone. madsim was considered: it replaces tokio and tonic with
//! its own versions, so the code under test would not be the real one.
//!
//! A crashed process is frozen, not dropped: its connections break, its store never responds, and
//! nothing that it still does is visible. A killed process runs no destructors either.

pub mod chance;
pub mod command;
pub mod engines;
pub mod environment;
pub mod faults;
pub mod ledger;
pub mod masters;
pub mod net;
pub mod oracles;
pub mod plan;
pub mod players;
pub mod queue;
pub mod rare;
pub mod run;
pub mod store;
pub mod tournament;
pub mod trace;
pub mod workers;
