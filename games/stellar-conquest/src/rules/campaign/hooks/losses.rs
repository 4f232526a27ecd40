//! Effects that variants add to losses.

use heliopause_kernel::Seat;

use crate::rules::campaign::fate::losses::fate_count_losses;
use crate::rules::campaign::outer_space::battle_losses::space_count_destroyed_units;
use crate::rules::referee::Referee;
use crate::state::{Battle, Campaign, UnitId, Volley};
use crate::tables::Fleet;

/// Runs after losses. In The Fate of Empire, counts destroyed ships for victory points (fate 7.8,
/// 11).
pub(crate) fn after_losses(referee: &mut Referee<'_>, of: Seat, lost: Fleet) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => {}
        Campaign::Fate(_) => fate_count_losses(referee, of, lost),
    }
}

/// Runs after units are destroyed. In Alone in Outer Space, raises the tension of a clash and the
/// success of powers at war (space 9.1, 10.2).
pub(crate) fn count_destroyed(
    referee: &mut Referee<'_>,
    battle: &Battle,
    volleys: &[Volley],
    destroyed: &[UnitId],
) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::Fate(_) => {}
        Campaign::OuterSpace(_) => space_count_destroyed_units(referee, battle, volleys, destroyed),
    }
}
