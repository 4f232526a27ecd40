//! A harness that starts the real programs and calls them with gRPC.

mod ai_client;
mod calls;
mod client;
mod engine;
mod mail_server;
mod nginx;
mod pair;
mod person;
mod proxy;
pub mod push_device;
mod receiver;
mod sandbox;
mod wait;
mod worker;

pub use ai_client::AiClient;
pub use calls::{Call, OfGame, end_of, next_notice};
pub use client::{
    Player, automated, lines, open_seat, order_text, orders_at, pace, reason, reserved_seat,
    seconds, short_options, violation, word,
};
pub use engine::{Engine, EngineOptions, binary, certificate, memory_of};
pub use heliopause_test_database::Postgres;
pub use mail_server::{Mail, MailServer};
pub use nginx::Nginx;
pub use pair::Pair;
pub use person::Person;
pub use proxy::Proxy;
pub use receiver::{Answer, Receiver, WebhookRequest};
pub use sandbox::Sandbox;
pub use wait::{Dice, until, until_some, wait_until};
pub use worker::Worker;

/// The kind of game that most tests play.
pub const STARSHIPS: &str = "starships-at-large";
