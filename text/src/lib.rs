//! What people may write, and how it is shown.
//!
//! | module | holds |
//! | --- | --- |
//! | `hidden` | characters that nobody sees, or that change how others are seen |
//! | `profile` | what a field of the contract may hold: a line, lines, a title, a name |
//! | `names` | which letters a name may have, and which names look the same |
//! | `show` | text of others, made harmless for a terminal or a log |
//!
//! **Invariant.** What is asked here is asked of input alone, where it comes in. It goes by the
//! tables of Unicode, which grow: a game that is replayed never asks again.

mod hidden;
mod names;
mod profile;
mod show;

pub use self::hidden::{Hidden, is_hidden};
pub use self::names::{composed, looks};
pub use self::profile::{Flaw, Profile, Why};
pub use self::show::{shown, shown_as_it_is, shown_below};
