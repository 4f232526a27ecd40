//! Alone in Outer Space. Dice decide wars and quarrels, and decrees decide how colonies use their
//! people and i.p. The players make the remaining choices.
//!
//! | chapter | module |
//! | --- | --- |
//! | 1 general variations | options of all games: `battle::shields`, `tables::attack_table` |
//! | 2, 3 claims, border stars | `claims`, `tables::borders` |
//! | 4 setup, 6.3 research | `research` |
//! | 5 stages, 6 the production turn | `stages` |
//! | 6.1 emigration | `emigration` |
//! | 6.2 economic priority | `decree`, `market` |
//! | 7.1 where ships may go | `passage`, `latecomers`, `limited_battles` (short battles) |
//! | 7.2 transport policy | `transports`, `landings` |
//! | 8 diplomacy | `diplomacy`, `lots` |
//! | 9 incidents | `incidents`, `raids`, `battle_losses`, `partings` |
//! | 10 peace | `peace`, `annexation` |
//! | 11 total conquest | `conquest` |
//!
//! The state is in `state::campaign`. All of `Politics` is public, except the priority dice. Only
//! `PoliticsEvent` changes it.

pub(crate) mod annexation;
pub(crate) mod battle_losses;
pub(crate) mod claims;
pub(crate) mod conquest;
pub(crate) mod decree;
pub(crate) mod diplomacy;
pub(crate) mod emigration;
pub(crate) mod incidents;
pub(crate) mod integrity;
pub(crate) mod landings;
pub(crate) mod latecomers;
pub(crate) mod limited_battles;
pub(crate) mod lots;
pub(crate) mod market;
pub(crate) mod partings;
pub(crate) mod passage;
pub(crate) mod peace;
pub(crate) mod raids;
pub(crate) mod research;
#[cfg(test)]
mod situations;
pub(crate) mod stages;
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
