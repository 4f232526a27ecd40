//! The operator's view of workers and leases.

use std::time::Duration;

use heliopause_proto::v1::{LeaseRecord, PlayedProfile, WorkerRecord};

use super::{LeaseTable, Profile};
use crate::Time;
use crate::host::timestamp;
use crate::store::Millis;
use crate::time::Moment;

impl LeaseTable {
    /// Lists the workers with the ids of their accounts. The records lack the player.
    pub(crate) fn listed_workers(&self, time: &Time) -> Vec<(String, WorkerRecord)> {
        let listed = self.workers.iter().map(|(id, worker)| {
            // A worker that has never paused has no time at which its pause ended.
            let rests_until = Some(worker.rests_until).filter(|&until| until > Moment::FIRST);
            let record = WorkerRecord {
                number: id.0,
                player: None,
                profiles: worker.profiles.iter().cloned().map(played).collect(),
                capacity: worker.capacity,
                leases: worker.leases.len() as u32,
                rest_time: rests_until.map(|until| timestamp(time.at(until))),
                connect_time: Some(timestamp(worker.since)),
            };
            (worker.player_id.clone(), record)
        });
        listed.collect()
    }

    /// Lists the leases. Every lease ends `longest` after its start.
    pub(crate) fn listed_leases(&self, time: &Time, longest: Duration) -> Vec<LeaseRecord> {
        let mut leases: Vec<_> = self.leases.values().collect();
        leases.sort_by(|one, other| one.held.key.cmp(&other.held.key));
        let listed = leases.into_iter().map(|open| {
            let (key, ends) = (&open.held.key, time.at(open.ends));
            LeaseRecord {
                game_id: key.game_id.clone(),
                seat: key.seat.number(),
                vote: Some(key.vote).filter(|&vote| vote > 0),
                profile: self.demands.get(key).map(|want| played(want.place.profile.clone())),
                worker: open.worker.0,
                expire_time: Some(timestamp(time.at(open.expires))),
                end_time: Some(timestamp(ends)),
                lease_time: Some(timestamp(ends - longest.as_millis() as Millis)),
            }
        });
        listed.collect()
    }
}

fn played(profile: Profile) -> PlayedProfile {
    let Profile { kind, name, level } = profile;
    PlayedProfile { kind, profile: name, level }
}
