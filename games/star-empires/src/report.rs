//! Notes 5.9: the turn report of an update.

use heliopause_kernel::sentence::Facts;
use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, vocabulary};
use heliopause_proto::star_empires::v1 as proto;

use crate::chart::Chart;
use crate::fields;
use crate::geometry::Coord;
use crate::name::Name;
use crate::objects::Siege;
use crate::order::{LINES_MAX, Line};
use crate::reason::{Fate, Remark};
use crate::section::Section;
use crate::ship::Serial;

#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::Report, most = fields::LIST_MAX)]
pub struct Report {
    pub turn: u32,
    #[wire(most = LINES_MAX)]
    pub results: Vec<LineResult>,
    pub news: Vec<News>,
    /// The last views of lost ships (notes 8.6).
    pub last_scans: Vec<Picture>,
}

#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::LineResult, most = fields::LIST_MAX)]
pub struct LineResult {
    pub line: Line,
    #[wire(name = status)]
    pub fate: Fate,
    pub remarks: Vec<Remark>,
}

/// The last view that a lost ship had of its sector.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::LastScan)]
pub struct Picture {
    /// Section 6.3.4 or 6.4.6.
    #[wire(name = phase)]
    pub section: Section,
    pub seen: Chart,
}

#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::News)]
pub struct News {
    #[wire(name = phase)]
    pub section: Section,
    pub at: Option<Coord>,
    #[wire(oneof, name = kind)]
    pub item: Item,
}

#[derive(Wire, Facts, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(kinds = proto::news::Kind, with(Seat = fields::seat))]
pub enum Item {
    #[wire(message = proto::ShipNews)]
    Ship {
        ship: ShipNamed,
        kind: Deed,
        /// The amount, if the deed has one that the reader may see.
        amount: Option<u32>,
        /// Operational rating after the deed, in thousandths.
        #[wire(name = rating_permille, check = fields::permille)]
        permille: u16,
    },
    /// A world changed hands (6.3.6, 6.4.7).
    #[wire(message = proto::OwnerNews)]
    Owner {
        world: Name,
        #[wire(name = former_owner)]
        from: Option<Seat>,
        #[wire(name = new_owner)]
        to: Option<Seat>,
    },
    /// The siege of a world changed (6.4.9, 6.4.10).
    #[wire(message = proto::SiegeNews)]
    Siege { world: Name, siege: Siege },
    /// A portal collapsed or reformed (6.1.7, 6.1.8).
    #[wire(message = proto::PortalNews)]
    Portal { portal: Name, collapsed: bool },
    /// The homeworld was relocated (6.4.8).
    #[wire(message = proto::HomeworldNews)]
    Homeworld {
        /// `None` if the empire is homeless now.
        world: Option<Name>,
    },
    /// Navigation data was received (6.4.1, 6.4.4).
    #[wire(message = proto::NavigationNews)]
    Navigation {
        portal: Name,
        /// The sender. `None` if the empire's own ships collected the data.
        #[wire(name = from_empire)]
        from: Option<Seat>,
    },
    /// A class became known (6.5).
    #[wire(name = ShipClass, message = proto::ClassNews)]
    Class {
        #[wire(name = ship_class)]
        class: Name,
        #[wire(part(source, from_empire))]
        source: Source,
    },
    /// RU arrived from another empire (6.7.3).
    #[wire(message = proto::DeliveryNews)]
    Delivery {
        #[wire(name = from_empire)]
        from: Seat,
        world: Name,
        amount: u32,
    },
    /// The total production of the empire's worlds (6.7.1).
    #[wire(message = proto::ProductionNews)]
    Production { amount: Ru },
    /// An empire became a contact (6.8.5).
    #[wire(message = proto::ContactNews)]
    Contact { empire: Seat },
}

#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::ShipNamed, with(Seat = fields::seat))]
pub struct ShipNamed {
    pub owner: Seat,
    pub serial: Serial,
    #[wire(or_default)]
    pub name: Name,
    #[wire(name = ship_class)]
    pub class: Name,
}

/// A number of resource units.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(transparent)]
pub struct Ru(pub u64);

impl std::fmt::Display for Ru {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

#[derive(Facts, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    Salvaged,
    Designed,
    /// Received from this empire (6.5.3).
    Given(Seat),
    Master,
}

vocabulary! {
    /// What a ship did or what happened to it (notes 8.5).
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[wire(words = proto::ShipEventKind)]
    pub enum Deed {
        Unloaded = "unloaded",
        UnloadedCargo = "unloaded-cargo",
        Loaded = "loaded",
        LoadedCargo = "loaded-cargo",
        /// The amount is the number of guns fired (6.3.2).
        Fired = "fired",
        /// The amount is the damage (6.3.3).
        Hit = "hit",
        /// Damage by self-destructions (6.3.3).
        Collateral = "collateral",
        Destroyed = "destroyed",
        SelfDestructed = "self-destructed",
        /// The amount is the number of points repaired (6.3.5).
        AutoRepaired = "auto-repaired",
        Departed = "departed",
        Arrived = "arrived",
        EnteredPortal = "entered-portal",
        LeftPortal = "left-portal",
        /// The amount is the damage (6.4.5).
        StormDamage = "storm-damage",
        DestroyedByStorm = "destroyed-by-storm",
        Built = "built",
        /// The amount is the number of points repaired (6.6.2).
        Repaired = "repaired",
        /// Reported only for the reader's own ships (6.6.3).
        Toggled = "toggled",
        /// Reported only for the reader's own ships (6.1.1).
        Removed = "removed",
        /// Reported only for the reader's own ships (6.1.3).
        Added = "added",
    }
}

impl Deed {
    pub const fn has_amount(self) -> bool {
        matches!(
            self,
            Self::Fired
                | Self::Hit
                | Self::Collateral
                | Self::AutoRepaired
                | Self::StormDamage
                | Self::Repaired
        )
    }
}
