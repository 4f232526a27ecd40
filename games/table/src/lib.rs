//! A table: one game with its seats, pace, votes, messages, absences and journal entries, as a pure
//! state machine.
//!
//! **Invariant.** The table has no I/O and no clock: the caller passes the time. State, step, time
//! and secret determine everything, so the same journal makes the same table in any process.
//!
//! **Invariant.** A refused step changes nothing.
//!
//! **Invariant.** The table's state is the stored message itself
//! ([`TableState`](heliopause_proto::store::v1::TableState)), so a snapshot cannot omit a field.
//!
//! ```
//! use heliopause_proto::store::v1::{Created, Person, PlannedSeat, StartCalled, Step};
//! use heliopause_proto::store::v1::{planned_seat::Plan, step};
//! use heliopause_proto::v1::{AutomatedSeat, GameStatus};
//! use heliopause_table::{Table, chain, verify::Verifier};
//!
//! let secret = [7; 32];
//! let automated = PlannedSeat { plan: Some(Plan::Automated(AutomatedSeat::default())) };
//! let created = Created {
//!     kind: "star-empires".to_owned(),
//!     seats: vec![automated; 2],
//!     host: Some(Person { player_id: "ann".to_owned(), name: "Ann".to_owned() }),
//!     seed_commitment: chain::commitment(&secret).to_vec().into(),
//!     game_id: "g".to_owned(),
//!     ..Created::default()
//! };
//! let (mut table, laid) = Table::create(created, secret, "ann", 0).unwrap();
//! let kind = Some(step::Kind::StartCalled(StartCalled { fill: None }));
//! let start = Step { by: "ann".to_owned(), kind, ..Step::default() };
//! let started = table.apply(start, 1_000).unwrap();
//! assert_eq!(table.status(), GameStatus::Running);
//!
//! // The secret is enough to prove the journal.
//! let mut verifier = Verifier::new(secret);
//! [laid, started].iter().for_each(|taken| verifier.entry(&taken.stored));
//! let report = verifier.finish();
//! assert_eq!((report.fault, report.replayed), (None, 2));
//! ```

#![allow(
    clippy::clone_on_copy,
    clippy::trivially_copy_pass_by_ref,
    reason = "whether a generated message is Copy changes with its fields"
)]

mod absence;
mod analysis;
mod asleep;
pub mod chain;
mod chat;
mod clocks;
mod dedication;
mod effects;
mod fault;
mod history;
pub mod lists;
mod lobby;
mod lots;
mod master;
pub mod offers;
mod operator;
mod pace;
mod phases;
mod play;
mod press;
mod project;
pub mod registry;
mod rematch;
mod requests;
mod result;
#[cfg(test)]
mod sample;
mod sandbox;
mod settings;
mod status;
pub mod table;
mod time;
mod unanswered;
pub mod unhashed;
pub mod verify;
mod votes;
mod waiting;
mod warnings;

pub use asleep::is_look;
pub use chat::ChatPlace;
pub use fault::Fault;
pub use history::JournalRange;
pub use lobby::invited;
pub use lots::Subscriber;
pub use play::Answered;
pub use project::{AutomationTask, DecisionState, Listing, ListingMember, Reader, TaskKind};
pub use result::{SeatResult, goals};
pub use table::{AppliedStep, Table};
pub use time::Millis;
