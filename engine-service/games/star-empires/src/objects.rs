//! 2.1, 2.3 to 2.5: worlds, portals, storms and nebulae.

use heliopause_kernel::Seat;
use heliopause_kernel::wire::Wire;
use heliopause_proto::star_empires::v1 as proto;

use crate::geometry::Sector;
use crate::ids::PortalId;
use crate::name::Name;
use crate::wire;

/// A world (2.1).
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::World, with(Seat = wire::seat))]
pub struct World {
    pub name: Name,
    /// Where it is. No two worlds share a sector.
    pub at: Sector,
    /// RU a turn.
    pub production: u32,
    /// RU there.
    pub stockpile: u32,
    pub owner: Option<Seat>,
    /// Whether its traffic is hindered; never without an owner.
    #[wire(or_default)]
    pub siege: Siege,
}

/// The most RU that a world can produce or that an order can give it; stockpiles stop at
/// `u32::MAX`.
pub const RU_MAX: u32 = 1_000_000;

/// Whether a world's traffic is hindered (6.4.9, 6.4.10). Interdicted implies blockaded.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(words = proto::Siege)]
pub enum Siege {
    /// Free.
    #[default]
    None,
    /// No RU leave it.
    Blockaded,
    /// No RU leave it, and nothing is designed, built or repaired there.
    Interdicted,
}

/// A wormhole portal (2.3).
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Portal, without(exits))]
pub struct Portal {
    pub name: Name,
    pub at: Sector,
    /// Where whoever enters can leave, sorted. Empty: an exit only.
    #[wire(skip)]
    pub exits: Vec<PortalId>,
    /// Whether it is collapsed on this map.
    pub collapsed: bool,
    /// For how many updates more it collapses.
    pub collapse_turns: u32,
}

/// The most updates for which a portal can be told to collapse.
pub const COLLAPSE_MAX: u32 = 10_000;

/// A storm or nebula (2.4, 2.5). A nebula is a storm of rating 0 that does not fluctuate.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Storm)]
pub struct Storm {
    pub name: Name,
    pub at: Sector,
    /// The damage it does a turn.
    pub rating: u32,
    /// What a random storm stays within.
    #[wire(name = initial_rating)]
    pub initial: u32,
    /// How its rating changes (6.1.9).
    #[wire(part(pattern, steps))]
    pub pattern: Pattern,
}

/// The most that a storm or a step of one can be rated.
pub const STORM_MAX: u32 = 1_000_000;

/// The most steps of a cyclic storm.
pub const STEPS_MAX: usize = 100;

/// How a storm's rating changes (notes 10).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Pattern {
    /// It does not.
    #[default]
    Constant,
    /// It takes these steps in turn, never below 0. There is at least one.
    Cyclic(Box<[i32]>),
    /// It is drawn anew in every update, from 0 to the initial rating.
    Random,
}
