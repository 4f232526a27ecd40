//! Where articles add to what becomes of a colony.

use heliopause_kernel::Seat;

use crate::rules::campaign::fate::chart::fate_chart;
use crate::rules::referee::Referee;
use crate::state::campaign::Campaign;
use crate::tables::cards::PlanetId;

/// Base 11.5: what becomes of a colony others find out by exploration. Fate 6.2: the
/// Captain-General knows it of independent worlds.
pub(crate) fn after_colony_changed(referee: &mut Referee<'_>, owner: Seat, planet: PlanetId) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => {}
        Campaign::Fate(_) => fate_chart(referee, owner, planet),
    }
}
