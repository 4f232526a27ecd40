//! Notes 12: orders of the game master, in galactic coordinates.

use heliopause_kernel::vocabulary;
use heliopause_kernel::wire::Wire;
use heliopause_proto::star_empires::v1 as proto;

use crate::geometry::Sector;
use crate::hull::{Hull, Ratings};
use crate::name::Name;
use crate::objects::Pattern;
use crate::options::EMPIRES;
use crate::order::{Names, Naming};
use crate::wire;

/// An order of the game master.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(kinds = proto::master_order::Kind, message = proto::MasterOrder)]
pub enum MasterOrder {
    /// Waits for 6.1 of the next update.
    #[wire(nested)]
    Astronomics(Astronomics),
    /// At once: take back an order.
    Withdraw {
        /// Its place, from 0, among those that wait.
        #[wire(name = number, with = wire::orders)]
        index: usize,
    },
    /// At once: carry out what waits, without an update (notes 12.2).
    ApplyNow,
    /// At once: record alliances in place of those recorded (R66).
    SetAlliances {
        #[wire(most = *EMPIRES.end())]
        alliances: Vec<AllianceNames>,
    },
}

/// The members of one alliance.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::AllianceNames, with(Names = wire::some_names))]
pub struct AllianceNames {
    /// Their names or codes.
    pub empires: Names,
}

/// The most orders of the game master that can wait.
pub const WAITING_MAX: usize = 5_000;

vocabulary! {
    /// A kind of things on the map.
    #[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[wire(words = proto::ObjectKind)]
    pub enum ObjectKind in any case {
        World = "world",
        Portal = "portal",
        /// Storms and nebulae.
        Storm = "storm",
    }
}

/// A kind of things that empires know.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KnownKind {
    /// Things on the map.
    Object(ObjectKind),
    /// Navigation data of portals.
    Navigation,
    /// Classes.
    Class,
    /// Empires as contacts.
    Contact,
}

/// How a storm's pattern is changed.
pub type Fluctuation = Option<Pattern>;

/// Who owns a world that is changed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NewOwner {
    /// As before (R62).
    Unchanged,
    Nobody,
    Empire(Name),
}

/// An order of 6.1.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(kinds = proto::master_order::Kind, message = proto::MasterOrder, with(Names = wire::some_names))]
pub enum Astronomics {
    /// 6.1.1: a connection goes, in one direction.
    RemoveConnection {
        /// Where one enters.
        entry: Name,
        /// Where one leaves.
        exit: Name,
    },
    /// 6.1.1: worlds, portals or storms go.
    RemoveObjects { kind: ObjectKind, names: Names },
    /// 6.1.1: ships go, with their cargo.
    RemoveShips { empire: Name, ships: Names },
    /// 6.1.2: a world, portal or storm moves.
    RelocateObject { kind: ObjectKind, name: Name, to: Sector },
    /// 6.1.2: ships move, with their cargo.
    RelocateShips { empire: Name, ships: Names, to: Sector },
    /// 6.1.3: a new class. Hull maxima need not hold.
    AddClass {
        name: Name,
        hull: Hull,
        ratings: Ratings,
        /// Its tonnage; `None` is worked out.
        tonnage: Option<u32>,
        /// Its cost; `None` is worked out.
        cost: Option<u32>,
        /// Whether nobody can build it.
        unbuildable: bool,
    },
    /// 6.1.3: a new portal.
    AddPortal {
        at: Sector,
        name: Name,
        /// For how many updates it collapses.
        collapse_turns: u32,
    },
    /// 6.1.3: a new storm or nebula.
    AddStorm {
        at: Sector,
        name: Name,
        rating: u32,
        /// How it fluctuates.
        #[wire(name = fluctuation, or_default)]
        pattern: Pattern,
    },
    /// 6.1.3: a new world.
    AddWorld {
        at: Sector,
        name: Name,
        /// RU a turn.
        production: u32,
        /// RU there.
        stockpile: u32,
        owner: Option<Name>,
    },
    /// 6.1.3: a new connection, in one direction.
    AddConnection {
        /// Where one enters.
        entry: Name,
        /// Where one leaves.
        exit: Name,
    },
    /// 6.1.3: new ships.
    AddShips {
        at: Sector,
        empire: Name,
        count: u32,
        #[wire(name = ship_class)]
        class: Name,
        /// Their damage points.
        dp: u16,
        /// Whether their transponders are in public mode.
        #[wire(name = public_mode)]
        public: bool,
        /// How they are named.
        #[wire(part(names, base))]
        naming: Naming,
    },
    /// 6.1.4: a world changes.
    ModifyWorld {
        name: Name,
        /// RU a turn.
        production: u32,
        /// RU there.
        stockpile: u32,
        owner: NewOwner,
    },
    /// 6.1.4: a storm changes.
    ModifyStorm {
        name: Name,
        rating: u32,
        /// How it fluctuates; `None` leaves that.
        #[wire(name = fluctuation)]
        pattern: Fluctuation,
    },
    /// 6.1.4: a ship changes.
    ModifyShip {
        empire: Name,
        ship: Name,
        /// Its damage points.
        dp: u16,
        /// Whether its transponder is in public mode.
        #[wire(name = public_mode)]
        public: bool,
    },
    /// 6.1.4: a portal is to collapse.
    CollapsePortal {
        portal: Name,
        /// For how many updates.
        turns: u32,
    },
    /// 6.1.5: knowledge goes.
    RemoveKnown { kind: KnownKind, names: Names, empires: Names },
    /// 6.1.6: knowledge comes.
    AddKnown { kind: KnownKind, names: Names, empires: Names },
}

/// The steps of 6.1 in which game master's orders run, and within a step the order of notes 12.1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "each is the order of its name")]
pub enum AstronomicsStep {
    RemoveConnections,
    RemoveObjects,
    RemoveShips,
    Relocate,
    AddClasses,
    AddPortals,
    AddStorms,
    AddWorlds,
    AddConnections,
    AddShips,
    Modify,
    RemoveKnown,
    AddKnown,
}

impl Astronomics {
    /// When it runs.
    pub const fn step(&self) -> AstronomicsStep {
        match self {
            Self::RemoveConnection { .. } => AstronomicsStep::RemoveConnections,
            Self::RemoveObjects { .. } => AstronomicsStep::RemoveObjects,
            Self::RemoveShips { .. } => AstronomicsStep::RemoveShips,
            Self::RelocateObject { .. } | Self::RelocateShips { .. } => AstronomicsStep::Relocate,
            Self::AddClass { .. } => AstronomicsStep::AddClasses,
            Self::AddPortal { .. } => AstronomicsStep::AddPortals,
            Self::AddStorm { .. } => AstronomicsStep::AddStorms,
            Self::AddWorld { .. } => AstronomicsStep::AddWorlds,
            Self::AddConnection { .. } => AstronomicsStep::AddConnections,
            Self::AddShips { .. } => AstronomicsStep::AddShips,
            Self::ModifyWorld { .. }
            | Self::ModifyStorm { .. }
            | Self::ModifyShip { .. }
            | Self::CollapsePortal { .. } => AstronomicsStep::Modify,
            Self::RemoveKnown { .. } => AstronomicsStep::RemoveKnown,
            Self::AddKnown { .. } => AstronomicsStep::AddKnown,
        }
    }
}
