//! Fate 6.2: the Captain-General's knowledge of independent worlds.

use heliopause_kernel::Seat;

use crate::rules::referee::Referee;
use crate::state::{ColonySeen, Fate, OwnEvent};
use crate::tables::PlanetId;

/// Updates the Captain-General's chart at every change of an independent world, because the
/// Captain-General sees everything on these worlds (6.2). Exploration alone would update the chart
/// only once per turn.
pub(crate) fn update_fate_chart(referee: &mut Referee<'_>, owner: Seat, planet: PlanetId) {
    if owner != Fate::independents() {
        return;
    }
    let (seat, star, turn) = (Fate::captain(), planet.star, referee.table().turn);
    let mut colonies = referee.power(seat).chart(star).colonies;
    let place = &mut colonies[usize::from(planet.nth)];
    let seen =
        referee.power(owner).colony(planet).map(|colony| ColonySeen::independent(colony, turn));
    let same = |before: ColonySeen| seen.is_some_and(|seen| seen == ColonySeen { turn, ..before });
    if !place.map_or(seen.is_none(), same) {
        *place = seen;
        referee.publish_to_owner(OwnEvent::Surveyed { seat, star, colonies });
    }
}
