//! The orders of a power (D3, 2, 3).

use std::str::FromStr;

use heliopause_kernel::NoSuchWord;
use heliopause_kernel::wire::Wire;
use heliopause_proto::diplomacy::v1 as proto;

use crate::board::{Node, Province};
use crate::position::{Code, Kind, Unit};

/// The place of a unit: on the map, or in its empire's spacecraft.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(text)]
pub enum Place {
    Earth(Node),
    Orbit,
}

impl Place {
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

/// A unit named in an order. The place identifies the unit. A wrong or missing letter or coast is
/// ignored (D3.1).
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(message = proto::Unit)]
pub struct Named {
    pub kind: Option<Kind>,
    pub at: Place,
}

impl Named {
    pub const ORBITING: Self = Self { kind: Some(Kind::Army), at: Place::Orbit };
}

impl From<Unit> for Named {
    fn from(unit: Unit) -> Self {
        Self { kind: Some(unit.kind), at: Place::Earth(unit.at) }
    }
}

/// A unit to be built.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(message = proto::Unit)]
pub struct Site {
    /// The unit letter, if given (4.C.3).
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
    /// Hold (D3).
    Hold { unit: Named },
    /// Move to a province (D3.2), beam down or beam up (2).
    Move {
        unit: Named,
        to: Place,
        /// Whether the order says `via convoy`, which excludes a land route (4.A.3).
        via_convoy: bool,
    },
    /// Support a unit that stays (D3.3).
    SupportHold { unit: Named, other: Named },
    /// Support a unit that moves (D3.4) or beams down (2).
    SupportMove {
        unit: Named,
        other: Named,
        /// The empire whose army in orbit is supported. The default is the supporter's own empire
        /// (R4). Ignored for units on the map.
        of: Option<Code>,
        to: Place,
    },
    /// Carry an army across the sea (D3.5).
    Convoy { unit: Named, army: Named, to: Node },
    /// Colonize the unit's own province or an adjacent one (3).
    Colonize {
        unit: Named,
        /// The default is the unit's own province.
        target: Option<Province>,
    },
    /// Retreat a dislodged unit (D7, 5).
    Retreat { unit: Named, to: Place },
    /// Remove a dislodged unit (D7).
    Disband { unit: Named },
    /// Build a unit (D8, 6).
    Build { unit: Site },
    /// Remove an excess unit (D8, 6).
    Remove { unit: Named },
    /// Leave a build unused (D8).
    Waive,
}

impl Order {
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

    pub fn site(&self) -> Option<Site> {
        if let Self::Build { unit } = *self { Some(unit) } else { None }
    }
}
