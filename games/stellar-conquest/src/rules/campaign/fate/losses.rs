//! Fate 7.8, 11: destroyed ships that count towards victory points.

use heliopause_kernel::Seat;

use crate::rules::referee::Referee;
use crate::state::{Event, FateEvent};
use crate::tables::{Fleet, ShipKind};

/// Counts destroyed pirates, and Imperial ships lost by any cause (7.8, 11).
pub(crate) fn fate_count_losses(referee: &mut Referee<'_>, of: Seat, lost: Fleet) {
    for kind in ShipKind::ALL.into_iter().filter(|&kind| lost.count(kind) > 0) {
        let count = lost.count(kind);
        referee.publish_to_all(Event::Fate(FateEvent::Counted { of, kind, count }));
    }
}
