//! What a power can order (D3, 2, 3).

use crate::board::{Node, Province};
use crate::position::{Code, Kind, Unit};

/// Where a unit is or goes: on the map, or the own spacecraft.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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

/// A unit as an order names it. Only where it is matters; a wrong or missing letter or coast does not (D3.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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

/// An order for one unit, or one line of a winter's adjustments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// Stay (D3).
    Hold {
        /// Who.
        unit: Named,
    },
    /// Go to a province (D3.2), beam down or beam up (2).
    Move {
        /// Who.
        unit: Named,
        /// Where to.
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
        /// Whose army in orbit is supported; without it, the own one (R4). On the map nationality does not matter.
        of: Option<Code>,
        /// Where it goes.
        to: Place,
    },
    /// Carry an army across the sea (D3.5).
    Convoy {
        /// The fleet.
        unit: Named,
        /// The army.
        army: Named,
        /// Where it goes.
        to: Node,
    },
    /// Make a colony of the own province, or of one in reach (3).
    Colonize {
        /// Who.
        unit: Named,
        /// Which province; without it, the one in which the unit stands.
        target: Option<Province>,
    },
    /// A dislodged unit goes elsewhere (D7, 5).
    Retreat {
        /// Who.
        unit: Named,
        /// Where to.
        to: Place,
    },
    /// A dislodged unit is taken off (D7).
    Disband {
        /// Who.
        unit: Named,
    },
    /// A new unit (D8, 6).
    Build {
        /// The letter, if it was written (4.C.3).
        kind: Option<Kind>,
        /// Where.
        at: Node,
    },
    /// A unit too many is taken off (D8, 6).
    Remove {
        /// Who.
        unit: Named,
    },
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
}
