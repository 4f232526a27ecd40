//! Fate 7.8, 11: destroyed ships that count for victory points.

use heliopause_kernel::Seat;

use crate::rules::referee::Referee;
use crate::state::campaign::fate::FateEvent;
use crate::state::event::Event;
use crate::tables::ships::{Fleet, ShipKind};

/// 7.8, 11: ships that count for victory points: pirates destroyed, and Imperial ships destroyed by
/// any cause.
pub(crate) fn fate_count_losses(referee: &mut Referee<'_>, of: Seat, lost: Fleet) {
    for kind in ShipKind::ALL.into_iter().filter(|&kind| lost.count(kind) > 0) {
        let count = lost.count(kind);
        referee.announce(Event::Fate(FateEvent::Counted { of, kind, count }));
    }
}
