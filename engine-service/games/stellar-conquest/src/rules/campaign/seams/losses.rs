//! Where articles count what is lost.

use heliopause_kernel::Seat;

use crate::rules::campaign::fate::losses::fate_count_losses;
use crate::rules::campaign::outer_space::tolls::space_count_destroyed;
use crate::rules::referee::Referee;
use crate::state::battle::{Battle, UnitId, Volley};
use crate::state::campaign::Campaign;
use crate::tables::ships::Fleet;

/// Base: losses count nothing. Fate 7.8, 11: destroyed ships count for victory points.
pub(crate) fn after_losses(referee: &mut Referee<'_>, of: Seat, lost: Fleet) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => {}
        Campaign::Fate(_) => fate_count_losses(referee, of, lost),
    }
}

/// Base: what battles destroy counts nothing. Space 9.1, 10.2: it makes tension, or success.
pub(crate) fn count_destroyed(
    referee: &mut Referee<'_>,
    battle: &Battle,
    volleys: &[Volley],
    destroyed: &[UnitId],
) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::Fate(_) => {}
        Campaign::OuterSpace(_) => space_count_destroyed(referee, battle, volleys, destroyed),
    }
}
