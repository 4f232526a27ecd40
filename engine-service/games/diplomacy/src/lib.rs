//! Diplomacy, and "...It Came From Outer Space!", which plays it with spacecraft: one adjudicator for both.

mod adjustment;
mod board;
mod convoy;
mod fault;
mod movement;
mod notation;
mod order;
mod position;
mod retreat;
mod turn_end;

pub use adjustment::{
    Adjusted, Allowance, adjust, allowance, is_owed, judge as judge_adjustment, judge_build, judge_removal, sites,
};
pub use board::{
    Coast, NODES, Node, Nodes, PROVINCES, Province, Provinces, STANDARD_POWERS, Terrain, centers, seas, standard_powers,
};
pub use fault::Fault;
pub use movement::{
    Aftermath, Against, Attempt, Barred, Dislodged, Given, Ground, Helpers, Movement, Origin, Outcome, Report, Task,
};
pub use notation::read_orders;
pub use order::{Named, Order, Place};
pub use position::{Code, Kind, Position, Power, SPACECRAFT, Unit, Variant};
pub use retreat::{Fate, judge as judge_retreat, resolve as resolve_retreats};
pub use turn_end::{Colonizing, colonize, free_colonies, take_centers};
