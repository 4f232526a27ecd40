//! Notes 12: orders of the game master, in galactic coordinates.

use heliopause_kernel::vocabulary;
use heliopause_kernel::wire::Wire;
use heliopause_proto::star_empires::v1 as proto;

use crate::fields;
use crate::geometry::Sector;
use crate::hull::{Hull, Ratings};
use crate::ids::EMPIRES;
use crate::name::Name;
use crate::objects::Pattern;
use crate::order::{Names, Naming};

#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(kinds = proto::master_order::Kind, message = proto::MasterOrder)]
pub enum MasterOrder {
    /// An order that waits for phase 6.1 of the next update.
    #[wire(nested)]
    Astronomics(Astronomics),
    /// Immediate: withdraws a waiting order.
    Withdraw {
        /// Index of the order among the waiting orders, from 0.
        #[wire(name = number, with = fields::orders)]
        index: usize,
    },
    /// Immediate: executes the waiting orders without an update (notes 12.2).
    ApplyNow,
    /// Immediate: replaces the recorded alliances (R66).
    SetAlliances {
        #[wire(most = *EMPIRES.end())]
        alliances: Vec<AllianceNames>,
    },
}

#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::AllianceNames, with(Names = fields::some_names))]
pub struct AllianceNames {
    /// Names or codes of the members.
    pub empires: Names,
}

/// Maximum number of waiting orders of the game master.
pub const WAITING_MAX: usize = 5_000;

vocabulary! {
    #[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[wire(words = proto::ObjectKind)]
    pub enum ObjectKind in any case {
        World = "world",
        Portal = "portal",
        Storm = "storm",
    }
}

/// A kind of knowledge that the game master can add or remove.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KnownKind {
    Object(ObjectKind),
    Navigation,
    Class,
    Contact,
}

/// A change of a storm's pattern. `None` keeps the current pattern.
pub type Fluctuation = Option<Pattern>;

/// The new owner of a modified world.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NewOwner {
    /// The current owner (R62).
    Unchanged,
    Nobody,
    Empire(Name),
}

/// An order that removes (6.1.1), relocates (6.1.2), adds (6.1.3) or modifies (6.1.4) objects, or
/// removes (6.1.5) or adds (6.1.6) knowledge.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(kinds = proto::master_order::Kind, message = proto::MasterOrder, with(Names = fields::some_names))]
pub enum Astronomics {
    RemoveConnection {
        entry: Name,
        exit: Name,
    },
    RemoveObjects {
        kind: ObjectKind,
        names: Names,
    },
    /// Removes the ships with their cargo.
    RemoveShips {
        empire: Name,
        ships: Names,
    },
    RelocateObject {
        kind: ObjectKind,
        name: Name,
        to: Sector,
    },
    /// Moves the ships with their cargo.
    RelocateShips {
        empire: Name,
        ships: Names,
        to: Sector,
    },
    /// Adds a class. Hull maxima do not apply.
    AddClass {
        name: Name,
        hull: Hull,
        ratings: Ratings,
        /// Computed if `None`.
        tonnage: Option<u32>,
        /// Computed if `None`.
        cost: Option<u32>,
        unbuildable: bool,
    },
    AddPortal {
        at: Sector,
        name: Name,
        /// Number of updates for which the portal is collapsed.
        collapse_turns: u32,
    },
    AddStorm {
        at: Sector,
        name: Name,
        rating: u32,
        #[wire(name = fluctuation, or_default)]
        pattern: Pattern,
    },
    AddWorld {
        at: Sector,
        name: Name,
        production: u32,
        stockpile: u32,
        owner: Option<Name>,
    },
    AddConnection {
        entry: Name,
        exit: Name,
    },
    AddShips {
        at: Sector,
        empire: Name,
        count: u32,
        #[wire(name = ship_class)]
        class: Name,
        dp: u16,
        #[wire(name = public_mode)]
        public: bool,
        #[wire(part(names, base))]
        naming: Naming,
    },
    ModifyWorld {
        name: Name,
        production: u32,
        stockpile: u32,
        owner: NewOwner,
    },
    ModifyStorm {
        name: Name,
        rating: u32,
        #[wire(name = fluctuation)]
        pattern: Fluctuation,
    },
    ModifyShip {
        empire: Name,
        ship: Name,
        dp: u16,
        #[wire(name = public_mode)]
        public: bool,
    },
    CollapsePortal {
        portal: Name,
        turns: u32,
    },
    RemoveKnown {
        kind: KnownKind,
        names: Names,
        empires: Names,
    },
    AddKnown {
        kind: KnownKind,
        names: Names,
        empires: Names,
    },
}
