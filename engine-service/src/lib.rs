//! The engine service: hosts games over gRPC.

pub mod accounts;
mod background;
pub mod backup;
mod bounded;
pub mod caller;
pub mod channels;
pub mod config;
pub mod edge;
pub mod failure;
pub mod host;
mod ledger;
mod log_throttle;
mod maps;
pub mod migrate;
mod random;
pub mod ratings;
pub mod store;
mod time;
pub mod verify;

pub use time::Time;
