//! Property tests for games: random play, and the contract of every game.
//!
//! A game implements [`Player`] for a test type and calls [`contract!`], which defines a test for
//! each property of the contract.

mod cases;
mod chance;
pub mod contract;
pub mod damage;
pub mod player;
mod watched;

pub use cases::{cases, explore};
pub use chance::{Rng, seed};
pub use player::{Player, Tested};
pub use watched::Watched;
