//! Time and deadlines: a task that ticks a game when something in it is due.
//!
//! An engine on a shared store synchronizes its clock with the store's (see [`Time`]).

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use heliopause_proto::store::v1::{Step, Ticked, step};
use heliopause_proto::v1::ErrorReason;
use tokio::sync::Notify;
use tokio::task::{JoinError, JoinSet};

use super::live::Done;
use super::{Host, RARE, Result};
use crate::Time;
use crate::log_throttle::throttled;
use crate::store::shared::Shared;
use crate::store::{Millis, StoreError};
use crate::time::Moment;

const PAGE: usize = 256;
const CONCURRENT_TICKS_MAX: usize = 64;
/// The wait time before due games are queried again, so that more ticks can finish first.
const GATHER: Millis = 20;
const CLAIMED_ELSEWHERE: Millis = 1_000;
const RETRY: Millis = 5_000;
/// The time for which a process's claim to tick a due game is valid.
const CLAIM: Duration = Duration::from_secs(5);
/// The poll interval for deadlines set by other processes, and the interval of clock comparisons.
const POLL_EVERY: Duration = Duration::from_secs(10);

/// The minimum difference from the store's clock that is logged.
const NOTABLE: Millis = 1_000;

/// The minimum change of the system clock that is logged as a warning.
const JUMP: Millis = 60_000;

pub(super) async fn compare(time: &Time, shared: &dyn Shared) -> Result<(), StoreError> {
    let begun = Instant::now();
    let there = shared.time().await?;
    // The store's clock showed `there` during the query, so the store's time is now between `there`
    // and `latest`. Use the earlier time, so that nothing becomes due too early after a slow query.
    let latest = there + begun.elapsed().as_millis() as Millis + 1;
    if time.store_time().is_none_or(|store_time| !(there..=latest).contains(&store_time)) {
        let before = time.now();
        time.set(there);
        if (there - before).abs() >= NOTABLE {
            tracing::warn!(
                milliseconds = there - before,
                "the database's clock, which this engine follows, differs from the engine's \
                 estimate"
            );
        }
    }
    let ahead = time.now() - time.machine();
    metrics::gauge!("heliopause_clock_offset_seconds").set(f64::from(ahead as i32) / 1000.0);
    Ok(())
}

/// A comparison of the system clock with monotonic time.
#[derive(Default)]
struct ClockJumps(Option<(Instant, Millis)>);

impl ClockJumps {
    fn since_last(&mut self, passed: Instant, time: Millis) -> Option<Millis> {
        let (looked, before) = self.0.replace((passed, time))?;
        let jump = time - before - passed.duration_since(looked).as_millis() as Millis;
        (jump.abs() >= JUMP).then_some(jump)
    }
}

fn warn_of_jump(jump: Millis) {
    let seconds = jump / 1000;
    if jump > 0 {
        tracing::warn!(
            seconds,
            "the clock jumped forward, and the deadlines in between pass now. If the clock is \
             wrong, correct it, restart, and have the hosts or game masters of the games that \
             advanced set their deadlines"
        );
    } else {
        tracing::warn!(
            seconds,
            "the clock jumped back: games whose last entry is ahead of it stop until that time, \
             unless their hosts or game masters set their deadlines"
        );
    }
}

pub(super) fn warn_if_ahead(game_id: &str, ahead: Millis) {
    if ahead > 0 {
        let seconds = ahead / 1000;
        tracing::warn!(
            game_id,
            seconds,
            "the last entry of this game is ahead of the clock: its deadlines do not pass until \
             the clock catches up, unless its host or game master sets a new deadline"
        );
    }
}

pub(crate) struct Clock {
    /// The time of the next query for due games, or an earlier deadline set since then.
    wakes: AtomicI64,
    earlier: Notify,
}

impl Default for Clock {
    fn default() -> Self {
        Self { wakes: AtomicI64::new(Millis::MAX), earlier: Notify::new() }
    }
}

impl Clock {
    pub(crate) fn wake_at(&self, due: Option<Millis>) {
        if due.is_some_and(|due| due < self.wakes.fetch_min(due, Ordering::AcqRel)) {
            self.earlier.notify_one();
        }
    }

    /// Notes all deadlines set from now on, because a query for due games may miss them.
    fn begin(&self) {
        self.wakes.store(Millis::MAX, Ordering::Release);
    }

    /// Returns the earlier of `next` and the deadlines set since [`Clock::begin`].
    fn finish(&self, next: Millis) -> Millis {
        self.wakes.fetch_min(next, Ordering::AcqRel).min(next)
    }
}

pub(crate) fn start(host: &Arc<Host>) {
    tokio::spawn(Deadlines::default().keep(Arc::downgrade(host)));
}

#[derive(Default)]
struct Deadlines {
    ticks: JoinSet<(String, Result<Done>)>,
    under_way: HashSet<String>,
    resting: HashMap<String, Moment>,
}

impl Deadlines {
    async fn keep(mut self, host: Weak<Host>) {
        let (mut next, mut compared) = (Millis::MIN, None);
        let mut jumps = ClockJumps::default();
        loop {
            let Some(host) = host.upgrade() else { return };
            if let Some(jump) = jumps.since_last(Instant::now(), host.time().machine()) {
                tracing::trace!(target: RARE, "a clock was set");
                warn_of_jump(jump);
                // Check for due games and compare the clocks again. If the engine follows the
                // store's clock, a change of this machine's clock makes nothing due.
                (next, compared) = (Millis::MIN, None);
            }
            if compared.is_none_or(|compared: Instant| compared.elapsed() >= POLL_EVERY) {
                let looked = match host.store.shared() {
                    Some(shared) => compare(host.time(), shared).await,
                    None => Ok(()),
                };
                compared = looked.is_ok().then(Instant::now);
            }
            if next <= host.now() {
                host.clock.begin();
                next = self.tick_due(&host).await;
                next = host.clock.finish(next);
            }
            let wait = next.saturating_sub(host.now()).clamp(0, 1 << 40) as u64;
            let wait = Duration::from_millis(wait);
            // Notifications are stored, so none is lost between the check above and this wait.
            tokio::select! {
                Some(finished) = self.ticks.join_next() => next = next.min(self.finished(finished, &host)),
                () = tokio::time::sleep(wait.min(POLL_EVERY)) => next = Millis::MIN,
                () = host.clock.earlier.notified() => next = host.clock.finish(next),
                () = host.drained() => return,
            }
        }
    }

    async fn tick_due(&mut self, host: &Arc<Host>) -> Millis {
        remove_old_sandboxes(host).await;
        let (now, moment) = (host.now(), host.moment());
        self.resting.retain(|_, until| *until > moment);
        let mut due = match host.store.due(PAGE + self.resting.len() + self.under_way.len()).await {
            Ok(due) => due,
            Err(error) => {
                throttled!(error, %error, "deadlines cannot be read; retrying later");
                return now + RETRY;
            }
        };
        let later = due.iter().map(|(_, time)| *time).find(|time| *time > now);
        let rested = self.resting.values().min().map(|until| host.time().at(*until));
        let mut next = later.into_iter().chain(rested).min().unwrap_or(Millis::MAX);
        due.retain(|(game_id, time)| {
            *time <= now && !self.resting.contains_key(game_id) && !self.under_way.contains(game_id)
        });
        let mut due = due.as_slice();
        while !due.is_empty() && self.under_way.len() < CONCURRENT_TICKS_MAX {
            let (together, others) =
                due.split_at(due.len().min(CONCURRENT_TICKS_MAX - self.under_way.len()));
            let mine = claim(host, together).await;
            if mine.len() < together.len() {
                tracing::trace!(target: RARE, "a deadline was claimed by another engine");
                // Another process ticks the other games. If it crashes, its claims expire.
                next = next.min(now + CLAIMED_ELSEWHERE);
            }
            for game_id in mine {
                self.tick_game(host.clone(), game_id);
            }
            due = others;
        }
        // The remaining due games are handled when the current ticks finish.
        next
    }

    fn tick_game(&mut self, host: Arc<Host>, game_id: String) {
        self.under_way.insert(game_id.clone());
        let tick = Step { kind: Some(step::Kind::Ticked(Ticked {})), ..Step::default() };
        self.ticks.spawn(async move {
            let done = host.take(&game_id, tick).await;
            (game_id, done)
        });
    }

    fn finished(
        &mut self,
        finished: Result<(String, Result<Done>), JoinError>,
        host: &Host,
    ) -> Millis {
        let now = host.now();
        let Ok((game_id, done)) = finished else {
            // The id of a game whose tick panicked is unknown. Ticking a game twice is harmless.
            self.under_way.clear();
            return now + RETRY;
        };
        self.under_way.remove(&game_id);
        match done {
            // More deadlines may be due in this game, or in games that had to wait.
            Ok(_) => now + GATHER,
            // An earlier step has already applied the due steps.
            Err(fault) if fault.reason == ErrorReason::WrongStatus => now + GATHER,
            Err(fault) => {
                throttled!(warn, %game_id, %fault, "a deadline could not be applied; retrying");
                tracing::trace!(target: RARE, "a deadline could not be applied");
                let retry = host.moment() + RETRY;
                self.resting.insert(game_id, retry);
                host.time().at(retry)
            }
        }
    }
}

async fn claim(host: &Host, due: &[(String, Millis)]) -> Vec<String> {
    let Some(shared) = host.store.shared() else {
        return due.iter().map(|(game_id, _)| game_id.clone()).collect();
    };
    shared.claim(due.to_vec(), CLAIM).await.unwrap_or_else(|error| {
        throttled!(warn, %error, "due deadlines cannot be claimed; retrying later");
        Vec::new()
    })
}

async fn remove_old_sandboxes(host: &Host) {
    let lifetime = host.settings.sandbox_lifetime.as_millis() as Millis;
    let old = match host.store.sandboxes_before(host.now() - lifetime, PAGE).await {
        Ok(old) if !old.is_empty() => old,
        Ok(_) => return,
        Err(error) => {
            return throttled!(warn, %error, "old sandbox games cannot be listed; retrying later");
        }
    };
    if let Err(error) = host.remove_games(old).await {
        throttled!(warn, %error, "old sandbox games cannot be removed; retrying later");
    }
}

impl Host {
    /// Removes games from the store, and evicts them.
    pub(crate) async fn remove_games(&self, game_ids: Vec<String>) -> Result<(), StoreError> {
        // Remove the games before their eviction. Streams look for their game after the eviction,
        // and must find that it is gone.
        self.store.remove_games(game_ids.clone()).await?;
        for game_id in &game_ids {
            let live = self.games_in_memory().get(game_id).and_then(|cell| cell.get().cloned());
            if let Some(live) = live {
                live.evict().await;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_set_during_a_query_is_not_missed() {
        let clock = Clock::default();
        clock.begin();
        clock.wake_at(Some(500));
        clock.wake_at(Some(700));
        clock.wake_at(None);
        assert_eq!(clock.finish(900), 500, "the query found only a game that is due at 900");
        clock.wake_at(Some(400));
        assert_eq!(clock.finish(500), 400);
        clock.begin();
        assert_eq!(clock.finish(900), 900, "the next query finds the deadlines set before it");
    }

    #[test]
    fn only_large_clock_changes_are_detected() {
        const YEARS: Millis = 110 * 365 * 24 * 60 * 60 * 1000;
        let begun = Instant::now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        let mut jumps = ClockJumps::default();
        assert_eq!(jumps.since_last(at(0), 1_000), None, "there is no earlier reading");
        assert_eq!(jumps.since_last(at(10), 11_000), None);
        assert_eq!(
            jumps.since_last(at(4_000), 4_001_500),
            None,
            "a correction by half a second is small"
        );
        assert_eq!(jumps.since_last(at(4_001), 4_001_500 + 1_000 + YEARS), Some(YEARS));
        assert_eq!(jumps.since_last(at(4_002), 4_003_500), Some(-YEARS));
        assert_eq!(jumps.since_last(at(4_003), 4_004_500), None);
    }
}
