//! Publication of changes of colonies to the seats that can see them.

use heliopause_kernel::{Seat, SeatSet};

use crate::rules::campaign::hooks::colonies::after_colony_changed;
use crate::rules::movement::posts::drop_posts;
use crate::rules::referee::Referee;
use crate::state::{Change, Colony, ColonyEvent, Event, Gone};
use crate::tables::PlanetId;

/// Publishes the state of a colony to its owner and to its former and current conquerors.
pub(crate) fn change_colony(
    referee: &mut Referee<'_>,
    owner: Seat,
    colony: Colony,
    change: Change,
) {
    let held = |colony: &Colony| colony.conqueror().map_or(SeatSet::EMPTY, SeatSet::one);
    let before = referee.power(owner).colony(colony.planet).map_or(SeatSet::EMPTY, held);
    let seats = before.union(held(&colony)).with(owner);
    referee.publish_to_seats(
        seats,
        Event::Colony(ColonyEvent::ColonyChanged { owner, colony, change }),
    );
    after_colony_changed(referee, owner, colony.planet);
    drop_posts(referee, owner);
}

pub(crate) fn end_colony(referee: &mut Referee<'_>, owner: Seat, planet: PlanetId, gone: Gone) {
    let holder = referee.power(owner).colony(planet).and_then(Colony::conqueror);
    let seats = holder.map_or(SeatSet::EMPTY, SeatSet::one).with(owner);
    referee.publish_to_seats(seats, Event::Colony(ColonyEvent::ColonyGone { owner, planet, gone }));
    after_colony_changed(referee, owner, planet);
    drop_posts(referee, owner);
}
