//! A turn's part of a voyage, and forced stops.

use crate::state::SeatView;
use crate::tables::{Place, StarId, Tech};

/// Maximum length of a path. No ship moves farther in a turn (rule 5.1).
pub(crate) const PATH_MAX: usize = 8;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Leg {
    /// The start hex, or `None` for ships off the board.
    pub(crate) from: Option<Place>,
    /// The hexes to enter, up to a forced stop (rule 5.4).
    pub(crate) path: Vec<Place>,
    /// The destination of the voyage.
    pub(crate) bound: Option<StarId>,
    /// The destination that the ships keep at the end of the path.
    pub(crate) destination: Option<StarId>,
    pub(crate) halted: bool,
    /// Index in the path of the hex where range-bound ships are lost (rule 7.5).
    pub(crate) lost_at: Option<usize>,
}

impl Leg {
    /// Returns the last star that the ships left or passed in this part, if any (BR-9).
    pub(super) fn departed(&self) -> Option<StarId> {
        let left = self.path.len().saturating_sub(1);
        let passed = self.path[..left].iter().rev().find_map(|&at| StarId::in_hex(at));
        passed.or_else(|| self.from.and_then(StarId::in_hex))
    }
}

impl SeatView<'_> {
    pub(crate) fn needs_no_destination(&self) -> bool {
        self.power.research.has(Tech::UnlimitedShipCommunication)
    }

    /// Returns whether other seats' ships stop this seat's ships in a star hex (rule 5.4). The
    /// result depends only on public facts (BR-10).
    pub(crate) fn is_stopped_at(&self, at: Place) -> bool {
        let stops = |other| self.table.campaign.stops(self.seat, other, at);
        StarId::in_hex(at).is_some() && self.table.others_at(self.seat, at).any(stops)
    }
}
