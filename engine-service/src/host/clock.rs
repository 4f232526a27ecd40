//! Time, and deadlines: one task that touches each game when something falls due in it.
//!
//! Machines' clocks differ. Where several processes share a store, all go by its clock, or the one that is ahead would let
//! everybody's deadlines pass too early.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant, SystemTime};

use heliopause_proto::store::v1::{Step, Ticked, step};
use heliopause_proto::v1::ErrorReason;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::Host;
use crate::store::Millis;
use crate::store::shared::Shared;

/// How many due games are asked for at once.
const PAGE: usize = 256;
/// How many of them are claimed and touched together.
const TOGETHER: usize = 32;
/// How long a game that could not be touched is left alone.
const RETRY: Millis = 5_000;
/// How long a due game is left to the process that claimed it, where several share the store.
const CLAIM: Duration = Duration::from_secs(5);
/// The clock looks again at least this often, for what another process made due.
const LOOK_AGAIN: Duration = Duration::from_secs(10);

/// How far the clocks of the store and of this machine may differ before it is worth a warning.
const NOTABLE: Millis = 1_000;

/// How far the store's clock is ahead of this machine's. Both are the same for the whole process.
static AHEAD: AtomicI64 = AtomicI64::new(0);

/// The time by which everything is judged.
pub(super) fn now() -> Millis {
    machine_time().saturating_add(AHEAD.load(Ordering::Relaxed))
}

fn machine_time() -> Millis {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX))
}

/// Compares this machine's clock with that of a shared store.
async fn compare(shared: &dyn Shared) {
    let (begun, here) = (Instant::now(), machine_time());
    let Ok(there) = shared.time().await else { return };
    // It was asked somewhere between the question and the answer, and no closer can it be told.
    let unsure = begun.elapsed().as_millis() as Millis / 2 + 1;
    let ahead = there - (here + unsure);
    let before = AHEAD.load(Ordering::Relaxed);
    if (ahead - before).abs() > unsure {
        AHEAD.store(ahead, Ordering::Relaxed);
        if (ahead - before).abs() >= NOTABLE {
            tracing::warn!(milliseconds = ahead, "the database's clock is ahead of this machine's; theirs is gone by");
        }
    }
    metrics::gauge!("heliopause_clock_offset_seconds").set(AHEAD.load(Ordering::Relaxed) as f64 / 1000.0);
}

/// When the clock wakes next, and how to wake it earlier.
pub(crate) struct Clock {
    wakes: AtomicI64,
    earlier: Notify,
}

impl Default for Clock {
    fn default() -> Self {
        Self { wakes: AtomicI64::new(Millis::MAX), earlier: Notify::new() }
    }
}

impl Clock {
    /// Something falls due then.
    pub(crate) fn heed(&self, due: Option<Millis>) {
        if due.is_some_and(|due| due < self.wakes.load(Ordering::Acquire)) {
            self.earlier.notify_one();
        }
    }
}

pub(crate) fn start(host: &Arc<Host>) {
    let host = Arc::downgrade(host);
    tokio::spawn(async move {
        let (mut resting, mut compared) = (HashMap::new(), None);
        loop {
            if compared.is_none_or(|compared: Instant| compared.elapsed() >= LOOK_AGAIN) {
                let Some(host) = host.upgrade() else { return };
                if let Some(shared) = host.store.shared() {
                    compare(shared).await;
                }
                compared = Some(Instant::now());
            }
            let Some(next) = look(&host, &mut resting).await else { return };
            let Some(host) = host.upgrade() else { return };
            host.clock.wakes.store(next, Ordering::Release);
            let wait = Duration::from_millis(next.saturating_sub(Host::now()).clamp(0, 1 << 40) as u64);
            // What was made due between the look and the store above has notified already: a notification is kept.
            tokio::select! {
                () = tokio::time::sleep(wait.min(LOOK_AGAIN)) => {}
                () = host.clock.earlier.notified() => {}
                () = host.drained() => return,
            }
        }
    });
}

/// Touches every game in which something is due; answers when to look next, or `None` when the host is gone.
async fn look(host: &Weak<Host>, resting: &mut HashMap<String, Millis>) -> Option<Millis> {
    let host = host.upgrade()?;
    host.clock.wakes.store(Millis::MIN, Ordering::Release);
    remove_old_sandboxes(&host).await;
    let now = Host::now();
    resting.retain(|_, until| *until > now);
    let due = match host.store.due(PAGE + resting.len()).await {
        Ok(due) => due,
        Err(error) => {
            tracing::error!(%error, "deadlines cannot be read");
            return Some(now + RETRY);
        }
    };
    let mut next = resting.values().copied().min().unwrap_or(Millis::MAX);
    let later = due.iter().map(|(_, time)| *time).find(|time| *time > now);
    next = next.min(later.unwrap_or(Millis::MAX));
    let due: Vec<_> = due.into_iter().filter(|(id, time)| *time <= now && !resting.contains_key(id)).collect();
    for together in due.chunks(TOGETHER) {
        let mine = claim(&host, together).await;
        if mine.len() < together.len() {
            // Another process sees to the others; if that dies, its claims pass.
            next = next.min(now + 1_000);
        }
        next = next.min(touch(&host, mine, resting).await);
    }
    Some(next)
}

/// Touches games in which something is due, all at once; answers when to look next on their account. One that takes too
/// long is left to itself.
async fn touch(host: &Arc<Host>, games: Vec<String>, resting: &mut HashMap<String, Millis>) -> Millis {
    let mut next = Millis::MAX;
    let mut under_way: HashSet<String> = games.iter().cloned().collect();
    let mut touches = JoinSet::new();
    for game_id in games {
        let host = host.clone();
        let tick = Step { kind: Some(step::Kind::Ticked(Ticked {})), ..Step::default() };
        touches.spawn(async move { (host.take(&game_id, tick).await, game_id) });
    }
    while let Ok(Some(touched)) = timeout(CLAIM, touches.join_next()).await {
        let Ok((done, game_id)) = touched else { continue };
        let now = Host::now();
        match done {
            // More may be due in it already, and in games that did not come with the others.
            Ok(_) => next = next.min(now),
            // Whatever was due has been done by a step that came just before.
            Err(fault) if fault.reason == ErrorReason::WrongStatus => next = next.min(now + 50),
            Err(fault) => {
                tracing::warn!(%game_id, %fault, "a deadline could not be carried out; it is tried again");
                continue;
            }
        }
        under_way.remove(&game_id);
    }
    touches.detach_all();
    let again = Host::now() + RETRY;
    if !under_way.is_empty() {
        next = next.min(again);
    }
    resting.extend(under_way.into_iter().map(|game_id| (game_id, again)));
    next
}

/// The due games that are this process's to touch.
async fn claim(host: &Host, due: &[(String, Millis)]) -> Vec<String> {
    let Some(shared) = host.store.shared() else { return due.iter().map(|(game_id, _)| game_id.clone()).collect() };
    shared.claim(due.to_vec(), CLAIM).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "what is due cannot be claimed");
        Vec::new()
    })
}

async fn remove_old_sandboxes(host: &Host) {
    let lifetime = host.settings.sandbox_lifetime.as_millis() as Millis;
    let old = match host.store.sandboxes_before(Host::now() - lifetime, PAGE).await {
        Ok(old) if !old.is_empty() => old,
        Ok(_) => return,
        Err(error) => return tracing::warn!(%error, "old sandbox games cannot be listed"),
    };
    // Removed first: whoever follows one of them looks for it when it leaves memory, and is to find that it is gone.
    if let Err(error) = host.store.remove_games(old.clone()).await {
        return tracing::warn!(%error, "old sandbox games cannot be removed");
    }
    for game_id in &old {
        let live = host.games_in_memory().get(game_id).and_then(|cell| cell.get().cloned());
        if let Some(live) = live {
            live.put_away().await;
        }
    }
}
