//! Fate 6.2: what the Captain-General knows of independent worlds.

use heliopause_kernel::Seat;

use crate::rules::referee::Referee;
use crate::state::campaign::fate::Fate;
use crate::state::event::OwnEvent;
use crate::state::power::ColonySeen;
use crate::tables::cards::PlanetId;

/// 6.2: everything about independent worlds is known to the Captain-General, whose chart changes
/// whenever one does. Exploration charts too, but only where ships are, and only once a turn.
pub(crate) fn fate_chart(referee: &mut Referee<'_>, owner: Seat, planet: PlanetId) {
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
        referee.whisper(OwnEvent::Surveyed { seat, star, colonies });
    }
}
