//! Chapter 9: what becomes of incidents at a production turn.

use heliopause_kernel::SeatSet;

use super::tables::{Happening, Verdict};
use super::{Incident, PoliticsEvent, Quarrel, Relation};
use crate::rules::referee::Referee;

impl Referee<'_> {
    /// P3: pending incidents, oldest first.
    pub(super) fn settle_incidents(&mut self) {
        for (nth, incident) in self.politics().incidents.clone().into_iter().enumerate() {
            let [one, other] = incident.pair;
            // An earlier one may have changed how these two stand.
            if self.politics().incident(one, other) == Some(&incident) {
                self.settle_incident(incident, nth as u64);
            }
        }
    }

    fn settle_incident(&mut self, incident: Incident, nth: u64) {
        let [one, other] = incident.pair;
        let dice = self.throw_two("incident", nth);
        let sum = dice[0] + dice[1];
        let (modifier, verdict) = match incident.quarrel {
            Quarrel::Clash { tension } => (0, Verdict::of_clash(sum, tension)),
            Quarrel::Dispute { star } => {
                let conquered = self.conqueror_of(star, SeatSet::one(one), SeatSet::one(other)).is_some();
                let modifier = if conquered { 2 } else { 0 };
                (modifier, Verdict::of_dispute(sum + modifier))
            }
        };
        self.announce_politics(PoliticsEvent::IncidentRolled { incident, dice, modifier, verdict });
        match verdict {
            Verdict::GoesOn => {}
            Verdict::War => {
                self.announce_politics(PoliticsEvent::IncidentEnded { pair: incident.pair });
                self.happen(Happening::LimitedWar, one, other);
                // What the claimant holds it keeps, if the two are enemies now.
                self.free_disputed(incident, false);
            }
            Verdict::Ends => {
                self.announce_politics(PoliticsEvent::IncidentEnded { pair: incident.pair });
                self.free_disputed(incident, modifier > 0);
                // Somebody else may have disputed the star that is given away.
                self.drop_incidents();
            }
        }
    }

    /// 9.2: arbitration gives a conquered star to the claimant, whose forces leave otherwise, and so they do if the two find
    /// themselves on one side of a war.
    fn free_disputed(&mut self, incident: Incident, annexed: bool) {
        let Quarrel::Dispute { star } = incident.quarrel else { return };
        let [claimant, owner] = incident.pair;
        if annexed {
            self.annex(star, claimant);
        }
        if self.politics().relation(claimant, owner) != Relation::Enemies {
            self.free_conquests(SeatSet::one(claimant), SeatSet::one(owner));
        }
    }

    /// 9: incidents of those who are enemies or allies now, or no more, are over; so is a dispute about a star that its owner
    /// has lost.
    pub(super) fn drop_incidents(&mut self) {
        let politics = self.politics();
        let is_over = |incident: &&Incident| {
            let [one, other] = incident.pair;
            let sides = matches!(politics.relation(one, other), Relation::Enemies | Relation::Allies);
            let lost = matches!(incident.quarrel, Quarrel::Dispute { star } if politics.claimant(star) != Some(other));
            sides || lost || politics.is_fallen(one) || politics.is_fallen(other)
        };
        let over: Vec<Incident> = politics.incidents.iter().filter(is_over).copied().collect();
        for incident in over {
            self.announce_politics(PoliticsEvent::IncidentEnded { pair: incident.pair });
            self.free_disputed(incident, false);
        }
    }
}
