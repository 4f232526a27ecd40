//! Rules 0, 5, 8, 9: ships, their positions and destinations.

use std::fmt;

use heliopause_kernel::Seat;
use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::tables::{Place, PlanetId, ShipKind, StarId};

/// A ship's number, unique per owner, from 1. Numbers are never reused. They are hidden from other
/// seats because they would reveal how many ships were built.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ShipNumber(pub u32);

impl fmt::Display for ShipNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// The load of a colony transport, always one million people.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(message = proto::Load, or_default, with(Seat = crate::tables::numbers::seat))]
pub struct Load {
    /// Whether the load is equipped for barren planets (rule 16.3).
    pub cet: bool,
    /// The colony of origin, where the people never land again (rule 16.7). `None` at the start.
    #[wire(name = origin)]
    pub from: Option<PlanetId>,
    /// The seat to which the people are loyal, if they come from a conquered colony (rule 15.4).
    pub captives_of: Option<Seat>,
}

/// A kind of ship with its specific data.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Hull {
    Scout,
    Transport(Load),
    Corvette,
    Fighter,
    DeathStar,
}

impl Hull {
    pub const fn kind(self) -> ShipKind {
        match self {
            Self::Scout => ShipKind::Scout,
            Self::Transport(_) => ShipKind::Transport,
            Self::Corvette => ShipKind::Corvette,
            Self::Fighter => ShipKind::Fighter,
            Self::DeathStar => ShipKind::DeathStar,
        }
    }
}

/// A task-force marker, 1 to 15 (rule 9).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Marker(u8);

impl Marker {
    pub const COUNT: u8 = 15;

    pub fn numbered(number: u32) -> Option<Self> {
        (1..=u32::from(Self::COUNT)).contains(&number).then_some(Self(number as u8))
    }

    pub const fn number(self) -> u32 {
        self.0 as u32
    }
}

/// A ship of one seat.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Ship)]
pub struct Ship {
    pub number: ShipNumber,
    #[wire(part(kind, load))]
    pub hull: Hull,
    /// The ship's hex, or `None` while it waits off the board at the entry hex (rule 5.2).
    pub at: Option<Place>,
    #[wire(name = task_force)]
    pub marker: Option<Marker>,
    /// The ship's destination (rule 8.1). A ship in a star hex has none.
    pub destination: Option<StarId>,
    /// The last star that the ship left or passed before its current hex (BR-9).
    pub departed: Option<StarId>,
    /// Hexes moved in this player-turn (rule 5.1).
    pub steps: u8,
    /// Whether the ship cannot move again this turn, after a cloud (rule 6.1) or an enemy (5.4).
    pub halted: bool,
}

impl Ship {
    pub const fn new(number: ShipNumber, hull: Hull, at: Option<Place>) -> Self {
        Self {
            number,
            hull,
            at,
            marker: None,
            destination: None,
            departed: None,
            steps: 0,
            halted: false,
        }
    }

    pub const fn kind(&self) -> ShipKind {
        self.hull.kind()
    }

    pub const fn load(&self) -> Option<Load> {
        match self.hull {
            Hull::Transport(load) => Some(load),
            Hull::Scout | Hull::Corvette | Hull::Fighter | Hull::DeathStar => None,
        }
    }

    pub const fn has_moved(&self) -> bool {
        self.steps > 0
    }

    pub(crate) fn star(&self) -> Option<StarId> {
        self.at.and_then(StarId::in_hex)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_9_there_are_fifteen_markers() {
        assert_eq!((0..20).filter_map(Marker::numbered).count(), 15);
    }
}
