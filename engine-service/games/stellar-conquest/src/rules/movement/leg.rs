//! What a voyage comes to in a turn, and where ships must stop.

use crate::state::power::Eyes;
use crate::tables::board::Place;
use crate::tables::stars::StarId;
use crate::tables::technology::Tech;

/// The longest path that is read: no ship moves farther in a turn (5.1).
pub(crate) const PATH_MAX: usize = 8;

/// What a voyage comes to in this turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Leg {
    /// Where it starts; nowhere if ships wait off the board.
    pub(crate) from: Option<Place>,
    /// The hexes that are entered, as far as nobody stops it (5.4).
    pub(crate) path: Vec<Place>,
    /// The star for which the ships are bound on the way.
    pub(crate) bound: Option<StarId>,
    /// The star for which the ships are bound where it ends.
    pub(crate) destination: Option<StarId>,
    /// Whether they move no more in this turn.
    pub(crate) halted: bool,
    /// The hex of the path, by its place, in which ships that need a command post are lost (7.5).
    pub(crate) lost_at: Option<usize>,
}

impl Leg {
    /// BR-9: the last star that is left behind on the way.
    pub(super) fn departed(&self) -> Option<StarId> {
        let left = self.path.len().saturating_sub(1);
        let passed = self.path[..left].iter().rev().find_map(|&at| StarId::in_hex(at));
        passed.or_else(|| self.from.and_then(StarId::in_hex))
    }
}

impl Eyes<'_> {
    /// 8.6: whether ships move without destinations.
    pub(crate) fn needs_no_destination(&self) -> bool {
        self.power.research.has(Tech::UnlimitedShipCommunication)
    }

    /// 5.4: whether ships must stop in a hex: a star hex with ships of an enemy. That they are
    /// there is public (BR-10).
    pub(crate) fn is_stopped_at(&self, at: Place) -> bool {
        let stops = |other| self.table.campaign.stops(self.seat, other, at);
        StarId::in_hex(at).is_some() && self.table.others_at(self.seat, at).any(stops)
    }
}
