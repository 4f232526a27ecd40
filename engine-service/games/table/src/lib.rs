//! A table: one game with everything around it, as a pure state machine. Seats, pace, votes,
//! messages, absences, and the journal entries that they make.
//!
//! | module | holds |
//! | --- | --- |
//! | [`registry`] | the playable games, each behind the envelope's types |
//! | [`table`] | the [`Table`] and how a step is taken |
//! | `lobby`, `play`, `pace`, `press`, `votes`, `absence`, `master`, `operator`, `asleep`, `sandbox` | the steps, by chapter |
//! | `lots` | choosing seats, and drawing lots for the others |
//! | `status` | the status, and how its changes are told |
//! | `clocks`, `dedication` | the time that a decision has left, and the effect of a turn on its player's rating |
//! | `history` | the phases of a game, and where its past begins in the journal |
//! | `settings` | the possible options of a game, over the wire |
//! | [`offers`] | the possible orders of a seat, over the wire |
//! | `waiting` | for whom everybody knows that the game waits |
//! | `project` | a reader's view of a table |
//! | `result` | how a game ended, and how far the seats have come, in numbers |
//! | [`rehearsal`] | faults that a simulation plants, and marks of what it met |
//! | [`chain`], [`verify`] | the hash chain over entries, and the proof of a journal |
//!
//! **Invariant.** No I/O, no clock: every step is given its time. State, step, time and secret
//! decide everything, so the same journal makes the same table in any process.
//!
//! **Invariant.** A refused step has changed nothing.
//!
//! **Invariant.** The table's state is the stored message itself
//! ([`TableState`](heliopause_proto::store::v1::TableState)), so a snapshot cannot forget a field.
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
//! let (mut table, laid) = Table::lay(created, secret, "ann", 0).unwrap();
//! let kind = Some(step::Kind::StartCalled(StartCalled { fill: None }));
//! let start = Step { by: "ann".to_owned(), kind, ..Step::default() };
//! let started = table.take(start, 1_000).unwrap();
//! assert_eq!(table.status(), GameStatus::Running);
//!
//! // Whoever has the secret can prove the journal.
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
mod asleep;
pub mod chain;
mod clocks;
mod dedication;
mod fault;
mod history;
pub mod lists;
mod lobby;
mod lots;
mod master;
pub mod offers;
mod operator;
mod pace;
mod play;
mod press;
mod project;
pub mod registry;
pub mod rehearsal;
mod requests;
mod result;
mod sandbox;
mod settings;
mod status;
pub mod table;
mod telling;
mod time;
mod unanswered;
pub mod unhashed;
mod upgrade;
pub mod verify;
mod votes;
mod waiting;
mod warnings;

pub use asleep::is_look;
pub use fault::Fault;
pub use history::Stretch;
pub use lobby::invited;
pub use lots::Subscriber;
pub use play::Answered;
pub use project::{Asked, Listing, ListingMember, Reader, Standing, Wanted};
pub use result::goals;
pub use table::{Table, Taken};
pub use time::Millis;
