//! The parts of every game: the [`Game`] trait, seats, dice, hexes and refusals.
//!
//! **Invariant.** Nothing in this crate, nor in a game built on it, does I/O, reads a clock, spawns
//! a thread or depends on the order of a hash map. State, order and dice decide everything, so a
//! journal replays to the same state on any machine.
//!
//! **Invariant.** Everything that leaves a game is already cut to its audience: an event is a
//! [`Told`], and a view is made for one [`Viewer`]. Nothing is redacted later from something
//! fuller.
//!
//! ```
//! use heliopause_kernel::{Audience, Dice, Draw, Emitted, Seat, Viewer};
//!
//! // A die falls by the seed and by what it is rolled for, whenever it is rolled.
//! let mut dice = Dice::new([7; 32]);
//! let shot = dice.d6(Draw::new("battle").at(3));
//! assert_eq!(dice.d6(Draw::new("battle").at(3)), shot);
//!
//! // What happened leaves a game for its audience alone.
//! let (ann, bob) = (Seat::at(0), Seat::at(1));
//! let mut told = Emitted::new();
//! told.tell(Audience::seat(ann), shot);
//! assert_eq!(told.to(Viewer::Seat(ann)).count(), 1);
//! assert_eq!(told.to(Viewer::Seat(bob)).count(), 0);
//! ```

// The derive names this crate as others do.
extern crate self as heliopause_kernel;

mod dice;
mod game;
mod hex;
pub mod offer;
mod refusal;
mod score;
mod seat;
pub mod setting;
mod vocabulary;
pub mod warning;
pub mod wire;

pub use dice::{Dice, Draw, Roll, Unfit};
pub use game::{
    Actor, Audience, Cast, CoordinateTransform, Decision, Edition, Emitted, Game, Outcome, Press,
    Role, SeatChange, Setup, Told, Viewer, Why, Wire,
};
pub use hex::{DIRECTIONS, Hex, Spiral};
pub use refusal::{Malformed, Refusal, headings, quoted};
pub use score::{Goal, Reckoning, ScoreLine, listed, named};
pub use seat::{Seat, SeatSet};
pub use vocabulary::NoSuchWord;
pub use warning::Warning;
