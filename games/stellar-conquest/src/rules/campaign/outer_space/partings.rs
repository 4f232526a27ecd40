//! Rules 9, 10.3: departures from another power's stars after a change of relations.

use heliopause_kernel::SeatSet;

use crate::rules::colonies::change_colony;
use crate::rules::conquest::update_control;
use crate::rules::referee::Referee;
use crate::state::{Change, Colony, Hold, Incident, PoliticsEvent, Quarrel, Relation};

/// Frees the colonies that two sides have taken from each other. Slaves remain slaves (10.3).
pub(crate) fn free_conquests(referee: &mut Referee<'_>, one: SeatSet, other: SeatSet) {
    for owner in one.union(other).iter() {
        let enemies = if one.contains(owner) { other } else { one };
        for colony in referee.power(owner).colonies.clone() {
            let held = colony.conqueror().is_some_and(|by| enemies.contains(by));
            let slaves = referee.politics().claimant(colony.planet.star) != Some(owner);
            if held && !slaves {
                change_colony(
                    referee,
                    owner,
                    Colony { control: Hold::Free, ..colony },
                    Change::Freed,
                );
            }
        }
    }
    update_control(referee);
}

/// Ends incidents of enemies, allies and eliminated powers, and disputes over lost stars (9).
pub(crate) fn drop_incidents(referee: &mut Referee<'_>) {
    let politics = referee.politics();
    let is_over = |incident: &&Incident| {
        let [one, other] = incident.pair;
        let sides = matches!(politics.relation(one, other), Relation::Enemies | Relation::Allies);
        let lost = matches!(incident.quarrel, Quarrel::Dispute { star } if politics.claimant(star) != Some(other));
        sides || lost || politics.is_eliminated(one) || politics.is_eliminated(other)
    };
    let over: Vec<Incident> = politics.incidents.iter().filter(is_over).copied().collect();
    for incident in over {
        referee.publish_politics(PoliticsEvent::IncidentEnded { pair: incident.pair });
        part(referee, incident);
    }
}

pub(crate) fn part(referee: &mut Referee<'_>, incident: Incident) {
    let [claimant, owner] = incident.pair;
    let disputed = matches!(incident.quarrel, Quarrel::Dispute { .. });
    if disputed && referee.politics().relation(claimant, owner) != Relation::Enemies {
        free_conquests(referee, SeatSet::one(claimant), SeatSet::one(owner));
    }
}
