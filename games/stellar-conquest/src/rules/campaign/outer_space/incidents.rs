//! Chapter 9: resolution of incidents at a production turn.

use heliopause_kernel::SeatSet;

use crate::rules::campaign::outer_space::annexation::annex;
use crate::rules::campaign::outer_space::diplomacy::happen;
use crate::rules::campaign::outer_space::lots::roll_two;
use crate::rules::campaign::outer_space::partings::{drop_incidents, part};
use crate::rules::campaign::outer_space::peace::conqueror_of;
use crate::rules::referee::Referee;
use crate::state::{Incident, PoliticsEvent, Quarrel};
use crate::tables::outer_space::{Happening, Verdict};

pub(super) fn settle_incidents(referee: &mut Referee<'_>) {
    for (nth, incident) in referee.politics().incidents.clone().into_iter().enumerate() {
        let [one, other] = incident.pair;
        // Resolving an earlier incident may have ended this one.
        if referee.politics().incident(one, other) == Some(&incident) {
            settle_incident(referee, incident, nth as u64);
        }
    }
}

fn settle_incident(referee: &mut Referee<'_>, incident: Incident, nth: u64) {
    let [one, other] = incident.pair;
    let dice = roll_two(referee, "incident", nth);
    let sum = dice[0] + dice[1];
    let (modifier, verdict) = match incident.quarrel {
        Quarrel::Clash { tension } => (0, Verdict::of_clash(sum, tension)),
        Quarrel::Dispute { star } => {
            let conquered =
                conqueror_of(referee, star, SeatSet::one(one), SeatSet::one(other)).is_some();
            let modifier = if conquered { 2 } else { 0 };
            (modifier, Verdict::of_dispute(sum + modifier))
        }
    };
    referee.publish_politics(PoliticsEvent::IncidentRolled { incident, dice, modifier, verdict });
    match verdict {
        Verdict::GoesOn => {}
        Verdict::War => {
            referee.publish_politics(PoliticsEvent::IncidentEnded { pair: incident.pair });
            happen(referee, Happening::LimitedWar, one, other);
            // The claimant keeps its conquests if the two are enemies now.
            free_disputed(referee, incident, false);
        }
        Verdict::Ends => {
            referee.publish_politics(PoliticsEvent::IncidentEnded { pair: incident.pair });
            free_disputed(referee, incident, modifier > 0);
            // The star may be the subject of another dispute.
            drop_incidents(referee);
        }
    }
}

/// Resolves conquests of a disputed star (9.2): arbitration gives a conquered star to the claimant.
/// Otherwise the claimant's forces leave, even if the two are now on the same side of a war.
fn free_disputed(referee: &mut Referee<'_>, incident: Incident, annexed: bool) {
    if let Quarrel::Dispute { star } = incident.quarrel
        && annexed
    {
        annex(referee, star, incident.pair[0]);
    }
    part(referee, incident);
}
