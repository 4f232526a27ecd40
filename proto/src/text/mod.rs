//! Text written by users, and how to display it.
//!
//! **Invariant.** Text is checked only on input. The checks depend on Unicode's tables, which
//! change, so the replay of a game never repeats them.

mod hidden;
mod names;
mod profile;
mod show;

pub use self::hidden::{Hidden, is_hidden};
pub use self::names::{composed, looks};
pub use self::profile::{Flaw, FlawReason, Profile};
pub use self::show::{shown, shown_below, shown_with_lines};
