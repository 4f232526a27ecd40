//! Rules 9, 10.3: who leaves whose stars when their relation is another one.

use heliopause_kernel::SeatSet;

use crate::rules::colonies::change_colony;
use crate::rules::conquest::settle_holds;
use crate::rules::referee::Referee;
use crate::state::campaign::politics::{Incident, Quarrel, Relation};
use crate::state::campaign::politics_event::PoliticsEvent;
use crate::state::colony::{Colony, Hold};
use crate::state::event::Change;

/// 10.3: colonies that these two hold of each other are free at once; slaves stay what they are.
pub(crate) fn free_conquests(referee: &mut Referee<'_>, one: SeatSet, other: SeatSet) {
    for owner in one.union(other).iter() {
        let enemies = if one.contains(owner) { other } else { one };
        for colony in referee.power(owner).colonies.clone() {
            let held = colony.conqueror().is_some_and(|by| enemies.contains(by));
            let slaves = referee.politics().claimant(colony.planet.star) != Some(owner);
            if held && !slaves {
                change_colony(referee, owner, Colony { hold: Hold::Free, ..colony }, Change::Freed);
            }
        }
    }
    settle_holds(referee);
}

/// 9: incidents of those who are enemies or allies now, or no more, are over; so is a dispute about
/// a star that its owner has lost.
pub(crate) fn drop_incidents(referee: &mut Referee<'_>) {
    let politics = referee.politics();
    let is_over = |incident: &&Incident| {
        let [one, other] = incident.pair;
        let sides = matches!(politics.relation(one, other), Relation::Enemies | Relation::Allies);
        let lost = matches!(incident.quarrel, Quarrel::Dispute { star } if politics.claimant(star) != Some(other));
        sides || lost || politics.is_fallen(one) || politics.is_fallen(other)
    };
    let over: Vec<Incident> = politics.incidents.iter().filter(is_over).copied().collect();
    for incident in over {
        referee.announce_politics(PoliticsEvent::IncidentEnded { pair: incident.pair });
        part(referee, incident);
    }
}

/// 9.2: the forces of the claimant leave a star that was disputed, unless the two are enemies now.
pub(crate) fn part(referee: &mut Referee<'_>, incident: Incident) {
    let [claimant, owner] = incident.pair;
    let disputed = matches!(incident.quarrel, Quarrel::Dispute { .. });
    if disputed && referee.politics().relation(claimant, owner) != Relation::Enemies {
        free_conquests(referee, SeatSet::one(claimant), SeatSet::one(owner));
    }
}
