//! The Fate of Empire: one Captain-General against pirates, independent planets and the Swarms.
//!
//! Pirates and independents have their own seats, so that the chapters on battles, attacks and
//! conquest handle them like players. The pirates' seat has ships and no colonies. The
//! independents' seat has colonies and no ships. Everything here is public, except that the two
//! automated seats do not see the types and destinations of the Captain-General's ships.
//!
//! | section of the article | module |
//! | --- | --- |
//! | 2 setup | `commission` |
//! | 4 random events, 4.4 withdrawals | `events`, `recall` |
//! | 5 Swarms | `swarms` |
//! | 6 exploration | `discovery`, `chart` |
//! | 7 pirates | `pirates`, `losses` |
//! | 8 independent planets, dominions | `independents` |
//! | 9, 11 sectors, victory points | `score` |
//! | all tables | `tables` |

pub(crate) mod chart;
pub mod commission;
pub mod discovery;
pub mod events;
pub mod independents;
pub(crate) mod losses;
pub mod pirates;
pub mod recall;
pub mod score;
pub mod swarms;

pub use crate::state::campaign::fate::{Fate, FateEvent, Found, Level, RecallStep};
pub use crate::tables::fate as tables;
