//! Effects that variants add to changes of a colony.

use heliopause_kernel::Seat;

use crate::rules::campaign::fate::chart::update_fate_chart;
use crate::rules::referee::Referee;
use crate::state::Campaign;
use crate::tables::PlanetId;

/// Runs after a colony has changed. In the base game, others must explore to see the change (base
/// 11.5). In The Fate of Empire, updates the Captain-General's knowledge of independent worlds
/// (fate 6.2).
pub(crate) fn after_colony_changed(referee: &mut Referee<'_>, owner: Seat, planet: PlanetId) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => {}
        Campaign::Fate(_) => update_fate_chart(referee, owner, planet),
    }
}
