//! Integration tests of the engine.

mod accounts;
mod analysis;
mod backup;
mod chat;
mod clock;
mod damage;
mod database;
mod directory;
mod edge;
mod journal_bytes;
mod limits;
mod messages;
mod postgres;
mod program;
mod quick_play;
mod ratings;
mod refusals;
mod search;
mod share;
mod sign_in;
mod sqlite;
mod stores;
mod support;
mod tls;
mod tournaments;
mod unreliable_store;
