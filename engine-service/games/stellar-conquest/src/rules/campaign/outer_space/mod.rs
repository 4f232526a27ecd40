//! Alone in Outer Space: politicians rule. Dice say who fights whom, and for what; decrees say what
//! colonies do with their people and their i.p. Whoever plays a power makes the choices that are
//! left.
//!
//! | chapter | module |
//! | --- | --- |
//! | 1 general variations | options of all games: `battle::shields`, `tables::attack_table` |
//! | 2, 3 claims, border stars | `claims`, `tables::borders` |
//! | 4 setup, 6.3 research | `research` |
//! | 5 stages, 6 the production turn | `stages` |
//! | 6.1 emigration | `emigration` |
//! | 6.2 economic priority | `decree`, `market` |
//! | 7.1 where ships go, latecomers | `passage`, `latecomers`, `brief` (short battles) |
//! | 7.2 transport policy | `transports`, `landings` |
//! | 8 diplomacy | `diplomacy`, `lots` |
//! | 9 incidents | `incidents`, `raids`, `tolls`, `partings` |
//! | 10 peace | `peace`, `annexation` |
//! | 11 total conquest | `conquest` |
//!
//! The state is `state::campaign`: all of `Politics` is public, but for the dice of priority. It
//! changes by `PoliticsEvent` alone.

pub(crate) mod annexation;
pub(crate) mod brief;
pub(crate) mod claims;
pub(crate) mod conquest;
pub(crate) mod decree;
pub(crate) mod diplomacy;
pub(crate) mod emigration;
pub(crate) mod incidents;
pub(crate) mod integrity;
pub(crate) mod landings;
pub(crate) mod latecomers;
pub(crate) mod lots;
pub(crate) mod market;
pub(crate) mod partings;
pub(crate) mod passage;
pub(crate) mod peace;
pub(crate) mod raids;
pub(crate) mod research;
#[cfg(test)]
pub(crate) mod situations;
pub(crate) mod stages;
pub(crate) mod tolls;
pub(crate) mod transports;

pub use crate::rules::campaign::outer_space::raids::RAIDERS_MAX;
pub use crate::state::campaign::politics::{
    Departure, Era, Incident, Politics, Quarrel, Raid, Relation,
};
pub use crate::state::campaign::politics_event::PoliticsEvent;
pub use crate::state::campaign::war::War;
pub use crate::state::campaign::war::WarKind;
pub use crate::state::sheet::{DecreeColony, DecreePlan, DecreeSheet};
pub use crate::tables::borders::borders;
pub use crate::tables::outer_space as tables;
pub use crate::tables::outer_space::POWERS_MAX;
pub use crate::tables::outer_space::{Area, Happening, Terms};
