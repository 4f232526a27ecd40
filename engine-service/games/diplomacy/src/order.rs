//! What a power can order (D3, 2, 3).

use std::str::FromStr;

use heliopause_kernel::NoSuchWord;
use heliopause_kernel::wire::Wire;
use heliopause_proto::diplomacy::v1 as proto;

use crate::board::{Node, Province};
use crate::position::{Code, Kind, Unit};

/// Where a unit is or goes: on the map, or the own spacecraft.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(text)]
pub enum Place {
    /// On the map.
    Earth(Node),
    /// In the spacecraft.
    Orbit,
}

impl Place {
    /// The province, on the map.
    pub fn province(self) -> Option<Province> {
        match self {
            Self::Earth(node) => Some(node.province()),
            Self::Orbit => None,
        }
    }
}

impl FromStr for Place {
    type Err = NoSuchWord;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.eq_ignore_ascii_case("ORB") {
            Ok(Self::Orbit)
        } else {
            text.parse().map(Self::Earth)
        }
    }
}

/// A unit as an order names it. Only where it is matters; a wrong or missing letter or coast does
/// not (D3.1).
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(message = proto::Unit)]
pub struct Named {
    /// The letter, if it was written.
    pub kind: Option<Kind>,
    /// Where the unit is.
    pub at: Place,
}

impl Named {
    /// Any army in the spacecraft.
    pub const ORBITING: Self = Self { kind: Some(Kind::Army), at: Place::Orbit };
}

impl From<Unit> for Named {
    fn from(unit: Unit) -> Self {
        Self { kind: Some(unit.kind), at: Place::Earth(unit.at) }
    }
}

/// A unit that is to be built.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(message = proto::Unit)]
pub struct Site {
    /// The letter, if it was written (4.C.3).
    pub kind: Option<Kind>,
    pub at: Node,
}

/// An order for one unit, or one line of a winter's adjustments.
///
/// ```
/// use heliopause_diplomacy::{Order, read_orders};
///
/// let orders = read_orders("a par s bur - mun\nF Bre H").unwrap();
/// assert!(matches!(orders[1], Order::Hold { .. }));
/// assert_eq!(orders[0].to_string(), "A Par S Bur - Mun");
/// assert!(read_orders("A Par flies").is_err());
/// ```
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(kinds = proto::order::Kind, message = proto::Order)]
pub enum Order {
    /// Stay (D3).
    Hold { unit: Named },
    /// Go to a province (D3.2), beam down or beam up (2).
    Move {
        unit: Named,
        to: Place,
        /// Whether `via convoy` was written: then there is no way by land (4.A.3).
        via_convoy: bool,
    },
    /// Support a unit that stays (D3.3).
    SupportHold {
        /// Who supports.
        unit: Named,
        /// Who is supported.
        other: Named,
    },
    /// Support a unit that moves (D3.4) or beams down (2).
    SupportMove {
        /// Who supports.
        unit: Named,
        /// Who is supported.
        other: Named,
        /// Whose army in orbit is supported; without it, the own one (R4). On the map nationality
        /// does not matter.
        of: Option<Code>,
        /// Where it goes.
        to: Place,
    },
    /// Carry an army across the sea (D3.5).
    Convoy {
        /// The fleet.
        unit: Named,
        army: Named,
        /// Where it goes.
        to: Node,
    },
    /// Make a colony of the own province, or of one in reach (3).
    Colonize {
        unit: Named,
        /// Which province; without it, the one in which the unit stands.
        target: Option<Province>,
    },
    /// A dislodged unit goes elsewhere (D7, 5).
    Retreat { unit: Named, to: Place },
    /// A dislodged unit is taken off (D7).
    Disband { unit: Named },
    /// A new unit (D8, 6).
    Build { unit: Site },
    /// A unit too many is taken off (D8, 6).
    Remove { unit: Named },
    /// A build is not used (D8).
    Waive,
}

impl Order {
    /// The unit that is ordered; none for a build or a waiver.
    pub fn unit(&self) -> Option<Named> {
        match *self {
            Self::Hold { unit }
            | Self::Move { unit, .. }
            | Self::SupportHold { unit, .. }
            | Self::SupportMove { unit, .. }
            | Self::Convoy { unit, .. }
            | Self::Colonize { unit, .. }
            | Self::Retreat { unit, .. }
            | Self::Disband { unit }
            | Self::Remove { unit } => Some(unit),
            Self::Build { .. } | Self::Waive => None,
        }
    }

    /// What is to be built, and where; none if the order is no build.
    pub fn site(&self) -> Option<Site> {
        if let Self::Build { unit } = *self { Some(unit) } else { None }
    }
}
