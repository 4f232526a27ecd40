//! Slingshot: a small game, to copy when you write one. It has what games differ in: a hidden die,
//! a phase in which all plan at the same time, and a decision that is resolved at once.
//!
//! 1. Two to six probes race to the heliopause. At the beginning of each round each feels a wind of
//!    1 to 6 that nobody else knows.
//! 2. All plan a burn of 0 to 3 units of their fuel, of which they have 12.
//! 3. Each probe then moves by its wind and its burn.
//! 4. A probe that is ahead of all others may hold one of them back by 2.
//! 5. Once a probe has come the whole way, those that have come farthest win; several share a draw.
//!
//! | module | concern |
//! | --- | --- |
//! | [`mod@table`] | what there is: the options, the table, secrets, orders, events, and how they travel |
//! | `rules` | the rules by their numbers, as an implementation of [`heliopause_kernel::Game`] |
//! | `words` | orders and events as text |

mod rules;
pub mod table;
mod words;

pub use rules::Slingshot;
pub use table::{Event, Options, Order, View};
