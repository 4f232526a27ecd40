//! The engine service: hosts games over gRPC.

pub mod accounts;
mod analyses;
#[cfg(test)]
#[path = "../tests/support/authenticator.rs"]
#[allow(unreachable_pub, reason = "the tests over the wire use it, too")]
mod authenticator;
mod background;
pub mod backup;
mod bounded;
pub mod caller;
pub mod channels;
mod chat;
pub mod config;
pub mod edge;
pub mod failure;
pub mod host;
mod ledger;
mod log_throttle;
mod maps;
pub mod migrate;
pub mod quick_play;
mod random;
pub mod ratings;
pub(crate) mod sign_in;
pub mod store;
mod time;
pub mod tournaments;
pub mod verify;

pub use time::Time;
