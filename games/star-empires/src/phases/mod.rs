//! 6.1 to 6.8: the phases of the turn.

mod access;
mod astronomics;
mod combat;
mod fire;
mod income;
mod knowledge;
mod knowledge_edits;
mod logistics;
mod maintenance;
mod movement;
mod ownership;
mod repair;
mod research;
mod wormnet;

pub(crate) use knowledge::{first_map, map_without_history};
