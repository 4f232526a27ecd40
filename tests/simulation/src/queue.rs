//! Simulated players who wait in the queue of quick play, and what must hold for the queue.

use std::collections::BTreeMap;

use heliopause_client::engine::{Engine, once};
use heliopause_engine::store::{Millis, Record, RecordQuery, Store as _};
use heliopause_proto::store::v1::{StoredMatch, StoredQueueEntry};
use heliopause_proto::v1::{
    GetQueueRequest, JoinQueueRequest, LeaveQueueRequest, QueueEntry, QueueState, QuickPace,
};
use tokio::time::{Instant, sleep, timeout};
use tonic::Status;

use crate::ledger::Ledger;
use crate::net::Node;
use crate::oracles;
use crate::players::{Person, is_definite, reason};
use crate::store::{SimulatedStore, block_on};

/// A game without growth, so that automation can play it to the end of a run.
const KIND: &str = "starships-at-large";
const GAMES_MAX: u32 = 3;
const BOTS_AFTER: i64 = 15;

/// The time after which two fitting players must be matched, and a match must have its game. All
/// players of a run have the same rating.
const SERVED_AFTER: Millis = 30_000;
/// The time after a call within which a player counts as present. Less than the engine allows.
const PRESENT_FOR: Millis = 30_000;

impl Person {
    /// Plays a few games by the queue, and leaves it now and then.
    pub async fn wait_in_queue(mut self) {
        let engine = self.connect().await;
        for _ in 0..GAMES_MAX {
            sleep(self.chance.millis(500..25_000)).await;
            if Instant::now() >= self.until {
                return;
            }
            let request = self.queue_request();
            if self.enter(&engine, &request).await {
                self.wait_for_match(&engine).await;
            }
        }
    }

    fn queue_request(&mut self) -> JoinQueueRequest {
        let wait = prost_types::Duration { seconds: BOTS_AFTER, nanos: 0 };
        let pace = if self.chance.in_1000(700) { QuickPace::Fast } else { QuickPace::Daily };
        JoinQueueRequest {
            kind: KIND.to_owned(),
            players_min: 2,
            players_max: 2,
            pace: pace.into(),
            bots_after: self.chance.in_1000(300).then_some(wait),
            request_id: self.request_id(),
            ..JoinQueueRequest::default()
        }
    }

    /// Enters the queue. Returns false if the engine refuses. A careless person abandons and
    /// repeats some calls, which must not enter the queue twice.
    async fn enter(&mut self, engine: &Engine, request: &JoinQueueRequest) -> bool {
        *self.ledger.notes().queued.entry(self.node).or_default() += 1;
        let join = async |request: JoinQueueRequest| engine.quick_play().join_queue(request).await;
        loop {
            if self.chance.in_1000(self.careless) {
                let _calling = self.ledger.start_call(format!("{} enters the queue", self.name));
                let patience = self.chance.millis(1..60);
                drop(timeout(patience, join(request.clone())).await);
            }
            let entered = {
                let _calling = self.ledger.start_call(format!("{} enters the queue", self.name));
                once(request.clone(), &join).await
            };
            match entered {
                Ok(_) => return true,
                // The earlier match is being completed.
                Err(status) if reason(&status) == "WRONG_STATUS" => {}
                Err(status) if is_definite(&status) => {
                    let what = format!("{} cannot enter the queue: {status}", self.name);
                    self.ledger.record_violation(what);
                    return false;
                }
                Err(_) => {}
            }
            if Instant::now() >= self.until {
                return false;
            }
            sleep(self.chance.millis(200..2_000)).await;
        }
    }

    async fn wait_for_match(&mut self, engine: &Engine) {
        loop {
            sleep(self.chance.millis(1_000..3_000)).await;
            let ends = Instant::now() >= self.until;
            if ends || self.chance.in_1000(20) {
                match self.leave(engine).await {
                    Ok(()) => return,
                    Err(_) if ends => return,
                    Err(_) => {}
                }
            }
            match self.look(engine).await {
                Ok(Some(entry)) if entry.state() == QueueState::Ready => {
                    return self.check_match(&entry);
                }
                // The engine removes players who were cut off for a minute.
                Ok(None) => return,
                Ok(Some(_)) | Err(_) => {}
            }
        }
    }

    async fn leave(&mut self, engine: &Engine) -> Result<(), Status> {
        let _calling = self.ledger.start_call(format!("{} leaves the queue", self.name));
        let leave =
            async |request: LeaveQueueRequest| engine.quick_play().leave_queue(request).await;
        once(LeaveQueueRequest {}, leave).await.map(drop)
    }

    async fn look(&mut self, engine: &Engine) -> Result<Option<QueueEntry>, Status> {
        let _calling = self.ledger.start_call(format!("{} looks at the queue", self.name));
        let look = async |request: GetQueueRequest| engine.quick_play().get_queue(request).await;
        Ok(once(GetQueueRequest {}, look).await?.entry)
    }

    fn check_match(&self, entry: &QueueEntry) {
        self.ledger.count("players matched");
        if self.world().seat_of(&entry.game_id, self.node).is_none() {
            self.ledger.record_violation(format!(
                "{} is matched, but has no seat in the game {:?}",
                self.name, entry.game_id
            ));
        }
    }
}

/// Returns the records of a space, decoded.
pub fn records<M: prost::Message + Default>(
    world: &SimulatedStore,
    space: &str,
) -> Vec<(Record, M)> {
    let query =
        RecordQuery { space: space.to_owned(), limit: usize::MAX >> 1, ..RecordQuery::default() };
    let found = block_on(world.data().records(query)).unwrap_or_default();
    found
        .into_iter()
        .filter_map(|record| Some((record.clone(), M::decode(record.body).ok()?)))
        .collect()
}

/// Describes the players who fit and still wait, and the matches without a game. The result is
/// valid only if there was no fault recently.
pub fn unserved(world: &SimulatedStore, now: Millis) -> Vec<String> {
    let mut unserved = Vec::new();
    for (record, matched) in records::<StoredMatch>(world, "match") {
        if now - matched.time > SERVED_AFTER {
            unserved.push(format!("the match {} has no game", record.id));
        }
    }
    let mut pools: BTreeMap<i32, Vec<String>> = BTreeMap::new();
    for (record, entry) in records::<StoredQueueEntry>(world, "queue") {
        let Some(request) = &entry.request else { continue };
        let is_present = request.pace() == QuickPace::Daily || now - entry.seen < PRESENT_FOR;
        let is_waiting = entry.game_id.is_empty() && !entry.left;
        if is_waiting && is_present && now - entry.since > SERVED_AFTER {
            pools.entry(request.pace).or_default().push(record.id);
        }
    }
    for players in pools.into_values().filter(|players| players.len() > 1) {
        unserved.push(format!("{} fit, but still wait", players.join(" and ")));
    }
    unserved
}

/// Checks that no player has more games than requests to enter the queue.
pub fn nobody_is_matched_twice(world: &SimulatedStore, ledger: &Ledger) {
    let queued: BTreeMap<Node, u32> = ledger.notes().queued.clone();
    let games = oracles::games(world);
    for (node, requests) in queued {
        let own = games.iter().filter(|game| world.seat_of(game, node).is_some()).count();
        if own > requests as usize {
            ledger.record_violation(format!(
                "p{node} entered the queue {requests} times, but has {own} games"
            ));
        }
    }
}
