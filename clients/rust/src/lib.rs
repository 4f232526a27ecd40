//! The common parts of Rust clients: a connection with the caller's token, safe retries of calls,
//! failures with advice, and a seat's view and orders.

pub mod connect;
pub mod engine;
pub mod envelope;
pub mod failure;
pub mod follow;
pub mod input;
pub mod line;
pub mod menu;
pub mod perspective;
pub mod table;
