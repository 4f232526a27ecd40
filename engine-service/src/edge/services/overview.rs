//! The status of engines, workers and leases, as operators see it.

use std::collections::HashMap;
use std::time::Duration;

use heliopause_proto::v1::{EngineRecord, GetStatusResponse, Player, WorkerRecord};
use prost::Message as _;

use super::player::player;
use crate::edge::Engine;
use crate::edge::web::metrics;
use crate::failure::Result;
use crate::host::timestamp;
use crate::store::Millis;

/// The interval of status reports to the shared store, and the time for which a report is valid.
const REPORT_INTERVAL: Duration = Duration::from_secs(20);
const REPORT_VALIDITY: Duration = Duration::from_mins(1);

pub(crate) struct Process {
    name: String,
    started: Millis,
}

impl Process {
    pub(crate) fn begin(now: Millis) -> Self {
        let machine = rustix::system::uname();
        let machine = machine.nodename().to_string_lossy();
        Self { name: format!("{machine}:{}", std::process::id()), started: now }
    }
}

pub(crate) fn status(engine: &Engine) -> GetStatusResponse {
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

/// Encodes this engine's record, followed by its spectators. Together they are one message, from
/// which readers decode the part that they need.
fn report(engine: &Engine, record: &EngineRecord) -> Vec<u8> {
    [record.encode_to_vec(), engine.chat.watched()].concat()
}

/// Reports this engine to the shared store. Returns all engines that use the store, sorted by name.
pub(crate) async fn engines(engine: &Engine) -> Result<Vec<EngineRecord>> {
    let own = record(engine);
    let mut engines = Vec::new();
    if let Some(shared) = engine.store.shared() {
        let others = shared.report(report(engine, &own), REPORT_VALIDITY).await?;
        engine.chat.note_elsewhere(&others);
        // An engine of another version may report in another format.
        engines.extend(others.iter().filter_map(|told| EngineRecord::decode(&**told).ok()));
    }
    engines.push(EngineRecord { answering: true, ..own });
    engines.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(engines)
}

pub(crate) async fn report_status(engine: Engine) {
    let Some(shared) = engine.store.shared() else { return };
    loop {
        match shared.report(report(&engine, &record(&engine)), REPORT_VALIDITY).await {
            Ok(others) => engine.chat.note_elsewhere(&others),
            Err(error) => {
                tracing::debug!(%error, "the status of this engine could not be reported");
            }
        }
        tokio::select! {
            () = tokio::time::sleep(REPORT_INTERVAL) => {}
            () = engine.drain.closing() => {
                let _ = shared.report(Vec::new(), Duration::ZERO).await;
                return;
            }
        }
    }
}

/// Adds the players to workers, each listed with its account's id.
pub(crate) async fn with_players(
    engine: &Engine,
    listed: Vec<(String, WorkerRecord)>,
) -> Result<Vec<WorkerRecord>> {
    let mut players: HashMap<String, Option<Player>> = HashMap::new();
    let mut workers = Vec::with_capacity(listed.len());
    for (player_id, worker) in listed {
        if !players.contains_key(&player_id) {
            let found = engine.accounts.find_named(&player_id).await?;
            players.insert(player_id.clone(), found.map(player));
        }
        workers.push(WorkerRecord { player: players[&player_id].clone(), ..worker });
    }
    Ok(workers)
}
