//! Deadlines: one task that touches each game when something falls due in it.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use heliopause_proto::store::v1::{Step, Ticked, step};
use heliopause_proto::v1::ErrorReason;
use tokio::sync::Notify;

use super::Host;
use crate::store::Millis;

/// How many due games are asked for at once.
const PAGE: usize = 256;
/// How long a game that could not be touched is left alone.
const RETRY: Millis = 5_000;
/// How long a due game is left to the process that claimed it, where several share the store.
const CLAIM: Duration = Duration::from_secs(5);
/// The clock looks again at least this often, for what another process made due.
const LOOK_AGAIN: Duration = Duration::from_secs(10);

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
        let mut resting = HashMap::new();
        while let Some(next) = look(&host, &mut resting).await {
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
    let claimed = claim(&host, &due, now).await;
    let mut next = Millis::MAX;
    for (game_id, time) in due {
        if let Some(&until) = resting.get(&game_id) {
            next = next.min(until);
            continue;
        }
        if time > now {
            next = next.min(time);
            break;
        }
        if claimed.as_ref().is_some_and(|claimed| !claimed.contains(&game_id)) {
            // Another process sees to it; if that dies, the claim passes.
            next = next.min(now + 1_000);
            continue;
        }
        let tick = Step { kind: Some(step::Kind::Ticked(Ticked {})), ..Step::default() };
        match host.take(&game_id, tick).await {
            // Whatever was due may have been done by a step that came just before.
            Ok(_) => next = now,
            Err(fault) if fault.reason == ErrorReason::WrongStatus => next = now + 50,
            Err(fault) => {
                tracing::warn!(%game_id, %fault, "a deadline could not be carried out; it is tried again");
                resting.insert(game_id, now + RETRY);
                next = next.min(now + RETRY);
            }
        }
    }
    Some(next)
}

/// The due games that are this process's to touch; `None` if no other could.
async fn claim(host: &Host, due: &[(String, Millis)], now: Millis) -> Option<HashSet<String>> {
    let shared = host.store.shared()?;
    let due: Vec<_> = due.iter().filter(|(_, time)| *time <= now).cloned().collect();
    if due.is_empty() {
        return Some(HashSet::new());
    }
    match shared.claim(due, CLAIM).await {
        Ok(claimed) => Some(claimed.into_iter().collect()),
        Err(error) => {
            tracing::warn!(%error, "what is due cannot be claimed");
            Some(HashSet::new())
        }
    }
}

async fn remove_old_sandboxes(host: &Host) {
    let lifetime = host.settings.sandbox_lifetime.as_millis() as Millis;
    let old = match host.store.sandboxes_before(Host::now() - lifetime, PAGE).await {
        Ok(old) if !old.is_empty() => old,
        Ok(_) => return,
        Err(error) => return tracing::warn!(%error, "old sandbox games cannot be listed"),
    };
    for game_id in &old {
        let live = host.games_in_memory().get(game_id).and_then(|cell| cell.get().cloned());
        if let Some(live) = live {
            live.put_away().await;
        }
    }
    if let Err(error) = host.store.remove_games(old).await {
        tracing::warn!(%error, "old sandbox games cannot be removed");
    }
}
