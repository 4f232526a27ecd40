//! What operators see of the whole: engines, workers and leases.

use std::collections::HashMap;
use std::time::Duration;

use heliopause_proto::v1::{
    EngineRecord, GetStatusResponse, LeaseRecord, PlayedProfile, Player, WorkerRecord,
};
use prost::Message as _;

use super::errors::Failure;
use super::player::player;
use super::{Engine, metrics, timestamp};
use crate::Time;
use crate::host::{LeaseListed, WorkerListed};
use crate::store::shared::Profile;
use crate::store::{Millis, StoreError};

/// How often an engine tells those that share its store how it is, and how long that is believed.
const TOLD_EVERY: Duration = Duration::from_secs(20);
const BELIEVED: Duration = Duration::from_mins(1);

/// This process, among those that share a store.
pub(crate) struct Process {
    name: String,
    started: Millis,
}

impl Process {
    /// A process that begins.
    pub(super) fn begin(now: Millis) -> Self {
        let machine = rustix::system::uname();
        let machine = machine.nodename().to_string_lossy();
        Self { name: format!("{machine}:{}", std::process::id()), started: now }
    }
}

/// How this engine is doing, without the counts of the store, which are not its own.
pub(super) fn status(engine: &Engine) -> GetStatusResponse {
    let host = engine.host.status();
    GetStatusResponse {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        live_games: host.live_games,
        streams: host.streams,
        workers: host.workers,
        leases: host.leases,
        resident_bytes: metrics::resident_bytes().unwrap_or(0),
        draining: engine.drain.has_begun(),
        parked_decisions: host.parked,
        games: 0,
        players: 0,
    }
}

fn record(engine: &Engine) -> EngineRecord {
    EngineRecord {
        name: engine.process.name.clone(),
        answering: false,
        start_time: Some(timestamp(engine.process.started)),
        report_time: Some(timestamp(engine.host.now())),
        status: Some(status(engine)),
    }
}

/// All engines on the store, by their names.
pub(super) async fn engines(engine: &Engine) -> Result<Vec<EngineRecord>, Failure> {
    let own = record(engine);
    let mut engines = Vec::new();
    if let Some(shared) = engine.store.shared() {
        let others = shared.report(own.encode_to_vec(), BELIEVED).await?;
        // One of another version may tell it in another way.
        engines.extend(others.iter().filter_map(|told| EngineRecord::decode(&**told).ok()));
    }
    engines.push(EngineRecord { answering: true, ..own });
    engines.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(engines)
}

/// Tells those that share the store how this engine is, as long as it serves.
pub(super) async fn tell_others(engine: Engine) {
    let Some(shared) = engine.store.shared() else { return };
    loop {
        if let Err(error) = shared.report(record(&engine).encode_to_vec(), BELIEVED).await {
            tracing::debug!(%error, "others could not be told how this engine is");
        }
        tokio::select! {
            () = tokio::time::sleep(TOLD_EVERY) => {}
            () = engine.drain.closing() => {
                let _ = shared.report(Vec::new(), Duration::ZERO).await;
                return;
            }
        }
    }
}

/// Workers with their accounts.
pub(super) async fn workers(
    engine: &Engine,
    listed: Vec<WorkerListed>,
) -> Result<Vec<WorkerRecord>, Failure> {
    let time = engine.host.time();
    let mut players: HashMap<String, Option<Player>> = HashMap::new();
    let mut workers = Vec::with_capacity(listed.len());
    for worker in listed {
        if !players.contains_key(&worker.player_id) {
            let found = match engine.store.account(&worker.player_id).await {
                Ok(account) => Some(player(account)).filter(|player| !player.name.is_empty()),
                Err(StoreError::NotFound) => None,
                Err(error) => return Err(error.into()),
            };
            players.insert(worker.player_id.clone(), found);
        }
        workers.push(WorkerRecord {
            number: worker.number,
            player: players.get(&worker.player_id).cloned().flatten(),
            profiles: worker.profiles.into_iter().map(profile).collect(),
            capacity: worker.capacity,
            leases: worker.leases,
            rest_time: worker.rests_until.map(|until| timestamp(time.at(until))),
            connect_time: Some(timestamp(worker.since)),
        });
    }
    Ok(workers)
}

/// A lease, of which none lasts longer than `longest`.
pub(super) fn lease(time: &Time, lease: LeaseListed, longest: Duration) -> LeaseRecord {
    let ends = time.at(lease.ends);
    LeaseRecord {
        game_id: lease.game_id,
        seat: lease.seat.number(),
        vote: Some(lease.vote).filter(|&vote| vote > 0),
        profile: lease.profile.map(profile),
        worker: lease.worker,
        expire_time: Some(timestamp(time.at(lease.expires))),
        end_time: Some(timestamp(ends)),
        lease_time: Some(timestamp(ends - longest.as_millis() as Millis)),
    }
}

fn profile(profile: Profile) -> PlayedProfile {
    let Profile { kind, name, level } = profile;
    PlayedProfile { kind, profile: name, level }
}
