//! The common parts of all games: the [`Game`] trait, seats, dice, hexes and rejections of orders.
//!
//! **Invariant.** This crate, and the games based on it, do no I/O, read no clock, spawn no
//! threads, and do not depend on the order of hash maps. State, orders and dice determine
//! everything, so a journal replays to the same state on every machine.
//!
//! **Invariant.** Everything that leaves a game is already redacted for its audience: an event is
//! an [`AddressedEvent`], and a view is made for one [`Viewer`]. Nothing is redacted afterwards.
//!
//! ```
//! use heliopause_kernel::{Audience, Dice, Draw, Emitted, Seat, Viewer};
//!
//! // A roll depends on the seed and its purpose, not on when it is rolled.
//! let mut dice = Dice::new([7; 32]);
//! let shot = dice.d6(Draw::new("battle").at(3));
//! assert_eq!(dice.d6(Draw::new("battle").at(3)), shot);
//!
//! // An event is visible only to its audience.
//! let (ann, bob) = (Seat::at(0), Seat::at(1));
//! let mut emitted = Emitted::new();
//! emitted.publish(Audience::seat(ann), shot);
//! assert_eq!(emitted.to(Viewer::Seat(ann)).count(), 1);
//! assert_eq!(emitted.to(Viewer::Seat(bob)).count(), 0);
//! ```

// The derive refers to this crate by its external name.
extern crate self as heliopause_kernel;

mod dice;
mod game;
mod hex;
pub mod offer;
mod refusal;
mod rulebook;
mod score;
mod seat;
pub mod sentence;
pub mod setting;
mod vocabulary;
pub mod warning;
pub mod wire;

pub use dice::{Dice, Draw, Roll, UnusableRoll};
pub use game::{
    Actor, AddressedEvent, Audience, Cast, CloseCause, CoordinateTransform, Decision, Edition,
    Emitted, Game, Outcome, Press, Role, SeatChange, Setup, Viewer, Wire,
};
pub use hex::{DIRECTIONS, Hex, Spiral};
pub use refusal::{Malformed, Refusal, quoted};
pub use rulebook::{Rule, Rulebook, rows};
pub use score::{FinalScore, Goal, ScoreLine, count, listed, named};
pub use seat::{Seat, SeatSet};
pub use vocabulary::NoSuchWord;
pub use warning::Warning;
