//! Starts the real programs and talks gRPC to them.
//!
//! Everything here is what a test needs to say in a line: an engine on a fresh data directory,
//! players with tokens, a game in a given situation. Nothing reaches into the programs.

mod ai_client;
mod client;
mod engine;
mod mail_server;
mod nginx;
mod person;
#[path = "../../engine-service/tests/support/postgres.rs"]
mod postgres;
mod proxy;
mod receiver;
mod sandbox;
mod worker;

pub use ai_client::AiClient;
pub use client::{Player, automated, lines, reason, violation, word};
pub use engine::{Engine, EngineOptions, binary, memory_of};
pub use mail_server::{Mail, MailServer};
pub use nginx::Nginx;
pub use person::Person;
pub use postgres::Postgres;
pub use proxy::Proxy;
pub use receiver::{Answer, Posted, Receiver};
pub use sandbox::Sandbox;
pub use worker::Worker;

/// The kind of game that most tests play.
pub const STARSHIPS: &str = "starships-at-large";
