//! 2.1, 2.3 to 2.5: worlds, portals, storms and nebulae.

use heliopause_kernel::Seat;
use heliopause_kernel::sentence::Facts;
use heliopause_kernel::wire::Wire;
use heliopause_proto::star_empires::v1 as proto;

use crate::fields;
use crate::geometry::Sector;
use crate::ids::PortalId;
use crate::name::Name;

/// A world (2.1).
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::World, with(Seat = fields::seat))]
pub struct World {
    pub name: Name,
    /// The sector. A sector has at most one world.
    pub at: Sector,
    /// RU per turn.
    pub production: u32,
    pub stockpile: u32,
    pub owner: Option<Seat>,
    /// Restrictions on the world. Always [`Siege::None`] without an owner.
    #[wire(or_default)]
    pub siege: Siege,
}

/// Maximum production of a world, and maximum stockpile that an order can give a world.
pub const RU_MAX: u32 = 1_000_000;

/// Restrictions on a world (6.4.9, 6.4.10). An interdicted world is also blockaded.
#[derive(Wire, Facts, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(words = proto::Siege)]
pub enum Siege {
    #[default]
    None,
    /// RU cannot leave the world.
    Blockaded,
    /// RU cannot leave the world, and nothing can be designed, built or repaired there.
    Interdicted,
}

/// A wormhole portal (2.3).
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::Portal, without(exits))]
pub struct Portal {
    pub name: Name,
    pub at: Sector,
    /// Portals that can be reached through this one, sorted. Empty for an exit-only portal.
    #[wire(skip)]
    pub exits: Vec<PortalId>,
    pub collapsed: bool,
    /// Remaining number of updates for which the portal stays collapsed.
    pub collapse_turns: u32,
}

/// Maximum number of updates for which an order can collapse a portal.
pub const COLLAPSE_MAX: u32 = 10_000;

/// A storm or nebula (2.4, 2.5). A nebula is a storm of rating 0 that does not fluctuate.
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::Storm)]
pub struct Storm {
    pub name: Name,
    pub at: Sector,
    /// Damage per turn to each ship in the sector.
    pub rating: u32,
    /// The initial rating, which is also the maximum of a random storm.
    #[wire(name = initial_rating)]
    pub initial: u32,
    #[wire(part(pattern, steps))]
    pub pattern: Pattern,
}

/// Maximum rating of a storm, and maximum size of a step.
pub const STORM_MAX: u32 = 1_000_000;

/// Maximum number of steps of a cyclic storm.
pub const STEPS_MAX: usize = 100;

/// The rule by which a storm's rating changes (notes 10).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Pattern {
    #[default]
    Constant,
    /// A repeated sequence of at least one step. The rating does not fall below 0.
    Cyclic(Box<[i32]>),
    /// Drawn from 0 to the initial rating in every update.
    Random,
}
