//! Slingshot: a small example game to copy for a new game. It has a secret die roll, a phase in
//! which all players plan simultaneously, and a decision that takes effect immediately.
//!
//! 1. Two to six probes race to the heliopause. At the start of each round each probe rolls a
//!    secret wind of 1 to 6.
//! 2. Every player plans a burn of 0 to 3 units of fuel, from a supply of 12.
//! 3. Each probe then moves by its wind plus its burn.
//! 4. A probe ahead of all others may hold one of them back by 2.
//! 5. When a probe has covered the whole distance, the farthest probe wins. Probes equally far
//!    share a draw.
//!
//! | module | concern |
//! | --- | --- |
//! | [`mod@table`] | options, public state, secrets, orders and events, and their encoding |
//! | `rules` | the rules by number, as an implementation of [`heliopause_kernel::Game`] |
//! | `words` | orders and events as text |

mod rules;
pub mod table;
mod words;

pub use rules::Slingshot;
pub use table::{Event, Options, Order, View};
