//! Notes 5.9: the turn report: what an empire is told of an update.

use heliopause_kernel::Seat;
use heliopause_kernel::wire::Wire;
use heliopause_proto::star_empires::v1 as proto;

use crate::chart::Chart;
use crate::geometry::Coord;
use crate::name::Name;
use crate::objects::Siege;
use crate::order::{LINES_MAX, Line};
use crate::reason::{Fate, Remark};
use crate::section::Section;
use crate::ship::Serial;
use crate::wire;

/// The turn report of one empire.
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::Report, most = wire::LIST_MAX)]
pub struct Report {
    /// The number of the map that the update made.
    pub turn: u32,
    /// What became of each line, in the order of the sheet.
    #[wire(most = LINES_MAX)]
    pub results: Vec<LineResult>,
    /// The news, by phase.
    pub news: Vec<News>,
    /// What lost ships last saw (notes 8.6).
    pub pictures: Vec<Picture>,
}

/// What became of one line.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::LineResult, most = wire::LIST_MAX)]
pub struct LineResult {
    pub line: Line,
    /// Done, partly, refused.
    #[wire(name = status)]
    pub fate: Fate,
    /// What failed, and notes.
    pub remarks: Vec<Remark>,
}

/// What a lost ship last saw of its sector.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Picture)]
pub struct Picture {
    /// 6.3.4 or 6.4.6.
    #[wire(name = phase)]
    pub section: Section,
    /// The sector's rows at that moment.
    pub seen: Chart,
}

/// One item of the news.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::News)]
pub struct News {
    /// The phase.
    #[wire(name = phase)]
    pub section: Section,
    /// Where; `None` if it is nowhere on the map.
    pub at: Option<Coord>,
    #[wire(oneof, name = kind)]
    pub item: Item,
}

/// What there is news of.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(kinds = proto::news::Kind, with(Seat = wire::seat))]
pub enum Item {
    /// A ship's part.
    #[wire(message = proto::ShipNews)]
    Ship {
        ship: ShipNamed,
        /// What happened.
        deed: Deed,
        /// How much, if the deed has an amount and the reader may know it.
        amount: Option<u32>,
        /// Its operational rating afterwards, in thousandths.
        #[wire(name = rating_permille, check = wire::permille)]
        permille: u16,
    },
    /// A world changed hands (6.3.6, 6.4.7).
    #[wire(message = proto::OwnerNews)]
    Owner {
        world: Name,
        /// Its former owner.
        #[wire(name = former_owner)]
        from: Option<Seat>,
        /// Its owner now.
        #[wire(name = new_owner)]
        to: Option<Seat>,
    },
    /// A world's traffic (6.4.9, 6.4.10).
    #[wire(message = proto::SiegeNews)]
    Siege {
        world: Name,
        /// How it is now.
        siege: Siege,
    },
    /// A portal collapsed or reformed (6.1.7, 6.1.8).
    #[wire(message = proto::PortalNews)]
    Portal {
        portal: Name,
        /// Whether it is collapsed now.
        collapsed: bool,
    },
    /// The homeworld was relocated (6.4.8).
    #[wire(message = proto::HomeworldNews)]
    Homeworld {
        /// The new one; `None` if the empire is homeless now.
        world: Option<Name>,
    },
    /// Navigation data came in (6.4.1, 6.4.4).
    #[wire(message = proto::NavigationNews)]
    Navigation {
        portal: Name,
        /// Who transmitted it; `None` if own ships acquired it.
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
    /// RU came from another empire (6.7.3).
    #[wire(message = proto::DeliveryNews)]
    Delivery {
        #[wire(name = from_empire)]
        from: Seat,
        world: Name,
        amount: u32,
    },
    /// Own worlds produced (6.7.1).
    #[wire(message = proto::ProductionNews)]
    Production {
        /// RU altogether.
        amount: u64,
    },
    /// An empire is a contact now (6.8.5).
    #[wire(message = proto::ContactNews)]
    Contact { empire: Seat },
}

/// A ship in the news.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::ShipNamed, with(Seat = wire::seat))]
pub struct ShipNamed {
    pub owner: Seat,
    /// Its serial number.
    pub serial: Serial,
    /// Its name, or none.
    #[wire(or_default)]
    pub name: Name,
    #[wire(name = ship_class)]
    pub class: Name,
}

/// How a class became known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// 6.5.1.
    Salvaged,
    /// 6.5.2.
    Designed,
    /// 6.5.3, by whom.
    Given(Seat),
    /// 6.1.6.
    Master,
}

/// What happened to a ship, or what it did (notes 8.5).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::Deed)]
pub enum Deed {
    /// 6.2.1.
    Unloaded,
    /// 6.2.1: its cargo was unloaded.
    UnloadedCargo,
    /// 6.2.2.
    Loaded,
    /// 6.2.2: cargo was loaded onto it.
    LoadedCargo,
    /// 6.3.2: so many guns.
    Fired,
    /// 6.3.3: so much damage.
    Hit,
    /// 6.3.3: so much damage by self-destructions.
    Collateral,
    /// 6.3.4.
    Destroyed,
    /// 6.3.4.
    SelfDestructed,
    /// 6.3.5: so many damage points.
    AutoRepaired,
    /// 6.4.2: it left the sector.
    Departed,
    /// 6.4.2: it came into the sector.
    Arrived,
    /// 6.4.3: it entered a portal.
    EnteredPortal,
    /// 6.4.3: it came out of a portal.
    LeftPortal,
    /// 6.4.5: so much damage.
    StormDamage,
    /// 6.4.6.
    DestroyedByStorm,
    /// 6.6.1.
    Built,
    /// 6.6.2: so many damage points.
    Repaired,
    /// 6.6.3: own ships only.
    Toggled,
    /// 6.1.1: own ships only.
    Removed,
    /// 6.1.3: own ships only.
    Added,
}

impl Deed {
    /// Whether it has an amount.
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
