//! A table: one game with everything around it, as a pure state machine. Seats, pace, votes,
//! messages, absences, and the journal entries that they make.
//!
//! | module | holds |
//! | --- | --- |
//! | [`registry`] | the playable games, each behind the envelope's types |
//! | [`table`] | the [`Table`] and how a step is taken |
//! | `lobby`, `play`, `pace`, `press`, `votes`, `absence`, `master`, `operator`, `asleep`, `sandbox` | the steps, by chapter |
//! | `status` | the status, and how its changes are told |
//! | `clocks`, `dedication` | the time that a decision has left, and the effect of a turn on its player's rating |
//! | `history` | the phases of a game, and where its past begins in the journal |
//! | `settings` | the possible options of a game, over the wire |
//! | [`offers`] | the possible orders of a seat, over the wire |
//! | `project` | a reader's view of a table |
//! | [`chain`], [`verify`] | the hash chain over entries, and the proof of a journal |
//!
//! **Invariant.** No I/O, no clock: every step is given its time. State, step, time and secret
//! decide everything, so the same journal makes the same table in any process.
//!
//! **Invariant.** A refused step has changed nothing.
//!
//! **Invariant.** The table's state is the stored message itself
//! ([`TableState`](heliopause_proto::store::v1::TableState)), so a snapshot cannot forget a field.

#![allow(
    clippy::clone_on_copy,
    clippy::trivially_copy_pass_by_ref,
    reason = "whether a generated message is Copy changes with its fields"
)]

mod absence;
mod asleep;
pub mod chain;
mod clocks;
mod dedication;
mod fault;
mod history;
pub mod lists;
mod lobby;
mod master;
pub mod offers;
mod operator;
mod pace;
mod play;
mod press;
mod project;
pub mod registry;
mod requests;
mod sandbox;
mod settings;
mod status;
pub mod table;
mod telling;
mod time;
mod unanswered;
mod upgrade;
pub mod verify;
mod votes;

pub use asleep::is_look;
pub use fault::Fault;
pub use history::Stretch;
pub use lobby::invited;
pub use play::Answered;
pub use project::{Asked, Listing, ListingMember, Reader, Standing, Wanted};
pub use table::{Table, Taken};
pub use time::Millis;
