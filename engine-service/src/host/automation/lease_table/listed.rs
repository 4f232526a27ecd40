//! The operator's view of workers and leases.

use heliopause_kernel::Seat;

use super::{LeaseTable, Profile};
use crate::store::Millis;
use crate::time::Moment;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WorkerListed {
    pub(crate) number: u64,
    pub(crate) player_id: String,
    pub(crate) profiles: Vec<Profile>,
    pub(crate) capacity: u32,
    pub(crate) leases: u32,
    pub(crate) since: Millis,
    /// The time at which the worker's pause ends or ended, or `None` if it has never paused.
    pub(crate) rests_until: Option<Moment>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LeaseListed {
    pub(crate) game_id: String,
    pub(crate) seat: Seat,
    pub(crate) vote: u64,
    pub(crate) profile: Option<Profile>,
    pub(crate) worker: u64,
    pub(crate) expires: Moment,
    pub(crate) ends: Moment,
}

impl LeaseTable {
    pub(crate) fn listed_workers(&self) -> Vec<WorkerListed> {
        let listed = self.workers.iter().map(|(id, worker)| WorkerListed {
            number: id.0,
            player_id: worker.player_id.clone(),
            profiles: worker.profiles.iter().cloned().collect(),
            capacity: worker.capacity,
            leases: worker.leases.len() as u32,
            since: worker.since,
            rests_until: Some(worker.rests_until).filter(|&until| until > Moment::FIRST),
        });
        listed.collect()
    }

    pub(crate) fn leased(&self) -> Vec<LeaseListed> {
        let mut leases: Vec<_> = self.leases.values().collect();
        leases.sort_by(|one, other| one.key.cmp(&other.key));
        let listed = leases.into_iter().map(|open| LeaseListed {
            game_id: open.key.game_id.clone(),
            seat: open.key.seat,
            vote: open.key.vote,
            profile: self.demands.get(&open.key).map(|want| want.place.profile.clone()),
            worker: open.worker.0,
            expires: open.expires,
            ends: open.ends,
        });
        listed.collect()
    }
}
