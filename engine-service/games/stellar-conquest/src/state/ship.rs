//! Rules 0, 5, 8, 9: ships, where they are and where they go.

use std::fmt;

use heliopause_kernel::Seat;
use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::tables::board::Place;
use crate::tables::cards::PlanetId;
use crate::tables::ships::ShipKind;
use crate::tables::stars::StarId;

/// Which of its owner's ships it is, from 1. Numbers are never used again, and no other seat is
/// told them: they would give away how many were built.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ShipNumber(pub u32);

impl fmt::Display for ShipNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// What a colony transport carries: always one million people.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(message = proto::Load, or_default, with(Seat = crate::wire::numbers::seat))]
pub struct Load {
    /// Whether it is equipped for barren planets (16.3).
    pub cet: bool,
    /// The colony that its people left, where they never land again (16.7); none for those of the
    /// start.
    #[wire(name = origin)]
    pub from: Option<PlanetId>,
    /// The seat to which its people stay loyal, if they come from a conquered colony (15.4).
    pub captives_of: Option<Seat>,
}

/// A kind of ship with what belongs to that kind alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Hull {
    Scout,
    /// A colony transport and its people.
    Transport(Load),
    Corvette,
    Fighter,
    DeathStar,
}

impl Hull {
    /// Its kind.
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

/// A task-force marker (9), 1 to 15.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Marker(u8);

impl Marker {
    /// How many a player has.
    pub const COUNT: u8 = 15;

    /// The marker with a number from 1.
    pub fn numbered(number: u32) -> Option<Self> {
        (1..=u32::from(Self::COUNT)).contains(&number).then_some(Self(number as u8))
    }

    /// Its number, from 1.
    pub const fn number(self) -> u32 {
        self.0 as u32
    }
}

/// A ship.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Ship)]
pub struct Ship {
    pub number: ShipNumber,
    #[wire(part(kind, load))]
    pub hull: Hull,
    /// Where it is; nowhere while it waits off the board at the entry hex (5.2).
    pub at: Option<Place>,
    /// The task force in which it is (9).
    #[wire(name = task_force)]
    pub marker: Option<Marker>,
    /// The star for which it is bound (8.1). A ship in a star hex has none.
    pub destination: Option<StarId>,
    /// The last star in which it stopped or through which it passed before its present hex (BR-9).
    pub departed: Option<StarId>,
    /// Hexes that it has moved in this player-turn (5.1).
    pub steps: u8,
    /// Whether it moves no more in this player-turn: it entered a cloud (6.1), or met an enemy
    /// (5.4).
    pub halted: bool,
}

impl Ship {
    /// A ship that was just built, or that just arrived off the board.
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

    /// Its kind.
    pub const fn kind(&self) -> ShipKind {
        self.hull.kind()
    }

    /// What it carries, if it is a transport.
    pub const fn load(&self) -> Option<Load> {
        match self.hull {
            Hull::Transport(load) => Some(load),
            Hull::Scout | Hull::Corvette | Hull::Fighter | Hull::DeathStar => None,
        }
    }

    /// Whether it moved in this player-turn.
    pub const fn has_moved(&self) -> bool {
        self.steps > 0
    }

    /// The star in whose hex it stands.
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
