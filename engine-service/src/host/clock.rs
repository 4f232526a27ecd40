//! Time, and deadlines: one task that touches each game when something falls due in it.
//!
//! An engine on a shared store compares its clock with the store's, as [`Time`] says.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use heliopause_proto::store::v1::{Step, Ticked, step};
use heliopause_proto::v1::ErrorReason;
use heliopause_table::Fault;
use heliopause_table::rehearsal::{Planted, mark, on};
use tokio::sync::Notify;
use tokio::task::{JoinError, JoinSet};

use super::Host;
use super::live::Done;
use crate::Time;
use crate::seldom::seldom;
use crate::store::shared::Shared;
use crate::store::{Millis, StoreError};
use crate::time::Moment;

/// How many due games are asked for at once.
const PAGE: usize = 256;
/// How many games are touched at once.
const TOGETHER: usize = 64;
/// How long to wait for other touched games, before the search for those that are due.
const GATHER: Millis = 20;
/// When to look again at games that another process has claimed.
const CLAIMED_ELSEWHERE: Millis = 1_000;
/// How long a game that could not be touched is left alone.
const RETRY: Millis = 5_000;
/// How long to leave a due game to the process that claimed it, in a shared store.
const CLAIM: Duration = Duration::from_secs(5);
/// The clock looks again at least this often, for deadlines that another process has set.
const LOOK_AGAIN: Duration = Duration::from_secs(10);

/// How far the clocks of the store and of this machine may differ before it is worth a warning.
const NOTABLE: Millis = 1_000;

/// A difference between a clock and the time passed that shows that the clock was set; worth a
/// warning.
const JUMP: Millis = 60_000;

/// Looks at the clock of a shared store.
pub(super) async fn compare(time: &Time, shared: &dyn Shared) -> Result<(), StoreError> {
    if on(Planted::ClockNotCompared) {
        return Ok(());
    }
    let begun = Instant::now();
    let there = shared.time().await?;
    // It showed that somewhere between the question and the answer. Of all times that it may show by
    // now this is the earliest: nothing falls due before its time, however slow the answer was.
    let latest = there + begun.elapsed().as_millis() as Millis + 1;
    if time.reckoned().is_none_or(|reckoned| !(there..=latest).contains(&reckoned)) {
        let before = time.now();
        time.set(there);
        if (there - before).abs() >= NOTABLE {
            tracing::warn!(
                milliseconds = there - before,
                "the database's clock, which is gone by, shows another time than this engine thought"
            );
        }
    }
    let ahead = time.now() - time.machine();
    metrics::gauge!("heliopause_clock_offset_seconds").set(f64::from(ahead as i32) / 1000.0);
    Ok(())
}

/// Watches whether the clock is set: otherwise it runs as time does.
#[derive(Default)]
struct Jumps(Option<(Instant, Millis)>);

impl Jumps {
    /// By how much the clock was set since it was looked at last, if that is worth a warning.
    fn since_last(&mut self, passed: Instant, time: Millis) -> Option<Millis> {
        let (looked, before) = self.0.replace((passed, time))?;
        let jump = time - before - passed.duration_since(looked).as_millis() as Millis;
        (jump.abs() >= JUMP).then_some(jump)
    }
}

/// Says how a changed clock affects deadlines.
fn warn_of(jump: Millis) {
    let seconds = jump / 1000;
    if jump > 0 {
        tracing::warn!(
            seconds,
            "the clock jumped forward: deadlines that lay in between pass now; if the clock is \
             wrong, set it right and \
             restart, and let the hosts or game masters of the games that went on meanwhile set \
             their deadlines"
        );
    } else {
        tracing::warn!(
            seconds,
            "the clock jumped back: games whose last step lies in its future stand still until it \
             comes there, unless \
             their hosts or game masters set their deadlines"
        );
    }
}

/// Says that a game was played by a clock that was ahead.
pub(super) fn warn_if_ahead(game_id: &str, ahead: Millis) {
    if ahead > 0 {
        let seconds = ahead / 1000;
        tracing::warn!(
            game_id,
            seconds,
            "this game's last step lies in the future: its deadlines wait for the clock to come \
             there, unless its host or \
             game master sets its deadline"
        );
    }
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
        if on(Planted::WakeUpLost) {
            return;
        }
        if due.is_some_and(|due| due < self.wakes.load(Ordering::Acquire)) {
            self.earlier.notify_one();
        }
    }
}

pub(crate) fn start(host: &Arc<Host>) {
    tokio::spawn(Deadlines::default().keep(Arc::downgrade(host)));
}

/// The games in which something is due.
#[derive(Default)]
struct Deadlines {
    /// The games being touched. A slow one holds up nobody.
    touches: JoinSet<(String, Result<Done, Fault>)>,
    under_way: HashSet<String>,
    /// Those that could not be touched, and until when they are left alone.
    resting: HashMap<String, Moment>,
}

impl Deadlines {
    async fn keep(mut self, host: Weak<Host>) {
        let (mut next, mut compared) = (Millis::MIN, None);
        let mut jumps = Jumps::default();
        loop {
            let Some(host) = host.upgrade() else { return };
            if let Some(jump) = jumps.since_last(Instant::now(), host.time().machine()) {
                mark("a clock was set");
                warn_of(jump);
                // If the store tells the time, a change of this machine's clock lets nothing fall
                // due.
                (next, compared) = (Millis::MIN, None);
            }
            if compared.is_none_or(|compared: Instant| compared.elapsed() >= LOOK_AGAIN) {
                let looked = match host.store.shared() {
                    Some(shared) => compare(host.time(), shared).await,
                    None => Ok(()),
                };
                compared = looked.is_ok().then(Instant::now);
            }
            if next <= host.now() {
                host.clock.wakes.store(Millis::MIN, Ordering::Release);
                next = self.look(&host).await;
                host.clock.wakes.store(next, Ordering::Release);
            }
            let wait = next.saturating_sub(host.now()).clamp(0, 1 << 40) as u64;
            let wait = Duration::from_millis(wait);
            // What was made due between the look and the store above has notified already: a
            // notification is kept.
            tokio::select! {
                Some(touched) = self.touches.join_next() => next = next.min(self.touched(touched, &host)),
                () = tokio::time::sleep(wait.min(LOOK_AGAIN)) => next = Millis::MIN,
                () = host.clock.earlier.notified() => next = Millis::MIN,
                () = host.drained() => return,
            }
        }
    }

    /// Touches games in which something is due; answers when to look next.
    async fn look(&mut self, host: &Arc<Host>) -> Millis {
        remove_old_sandboxes(host).await;
        let (now, moment) = (host.now(), host.moment());
        self.resting.retain(|_, until| *until > moment);
        let mut due = match host.store.due(PAGE + self.resting.len() + self.under_way.len()).await {
            Ok(due) => due,
            Err(error) => {
                seldom!(error, %error, "deadlines cannot be read");
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
        while !due.is_empty() && self.under_way.len() < TOGETHER {
            let (together, others) = due.split_at(due.len().min(TOGETHER - self.under_way.len()));
            let mine = claim(host, together).await;
            if mine.len() < together.len() {
                mark("a deadline was claimed by another engine");
                // Another process sees to the others; if that dies, its claims pass.
                next = next.min(now + CLAIMED_ELSEWHERE);
            }
            for game_id in mine {
                self.touch(host.clone(), game_id);
            }
            due = others;
        }
        // Games without room now come later.
        next
    }

    fn touch(&mut self, host: Arc<Host>, game_id: String) {
        self.under_way.insert(game_id.clone());
        let tick = Step { kind: Some(step::Kind::Ticked(Ticked {})), ..Step::default() };
        self.touches.spawn(async move {
            let done = host.take(&game_id, tick).await;
            (game_id, done)
        });
    }

    /// A game was touched; answers when to look again on its account.
    fn touched(
        &mut self,
        touched: Result<(String, Result<Done, Fault>), JoinError>,
        host: &Host,
    ) -> Millis {
        let now = host.now();
        let Ok((game_id, done)) = touched else {
            // The game is not known; touching one twice does no harm.
            self.under_way.clear();
            return now + RETRY;
        };
        if !on(Planted::UnderWayForEver) {
            self.under_way.remove(&game_id);
        }
        match done {
            // More may be due in it already, and in games for which there was no room.
            Ok(_) => now + GATHER,
            // Whatever was due has been done by a step that came just before.
            Err(fault) if fault.reason == ErrorReason::WrongStatus => now + GATHER,
            Err(fault) => {
                seldom!(warn, %game_id, %fault, "a deadline could not be carried out; it is tried \
                    again");
                mark("a deadline could not be carried out");
                let retry = host.moment() + RETRY;
                let until = if on(Planted::RestsForEver) { Moment::NEVER } else { retry };
                self.resting.insert(game_id, until);
                host.time().at(until)
            }
        }
    }
}

/// The due games that are this process's to touch.
async fn claim(host: &Host, due: &[(String, Millis)]) -> Vec<String> {
    let Some(shared) = host.store.shared() else {
        return due.iter().map(|(game_id, _)| game_id.clone()).collect();
    };
    shared.claim(due.to_vec(), CLAIM).await.unwrap_or_else(|error| {
        seldom!(warn, %error, "what is due cannot be claimed");
        Vec::new()
    })
}

async fn remove_old_sandboxes(host: &Host) {
    let lifetime = host.settings.sandbox_lifetime.as_millis() as Millis;
    let old = match host.store.sandboxes_before(host.now() - lifetime, PAGE).await {
        Ok(old) if !old.is_empty() => old,
        Ok(_) => return,
        Err(error) => return seldom!(warn, %error, "old sandbox games cannot be listed"),
    };
    // Removed first: whoever follows one of them looks for it when it leaves memory, and is to find
    // that it is gone.
    if let Err(error) = host.store.remove_games(old.clone()).await {
        return seldom!(warn, %error, "old sandbox games cannot be removed");
    }
    for game_id in &old {
        let live = host.games_in_memory().get(game_id).and_then(|cell| cell.get().cloned());
        if let Some(live) = live {
            live.put_away().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_set_is_noticed_and_one_that_goes_on_is_not() {
        const YEARS: Millis = 110 * 365 * 24 * 60 * 60 * 1000;
        let begun = Instant::now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        let mut jumps = Jumps::default();
        assert_eq!(jumps.since_last(at(0), 1_000), None, "there is nothing to compare with yet");
        assert_eq!(jumps.since_last(at(10), 11_000), None);
        assert_eq!(
            jumps.since_last(at(4_000), 4_001_500),
            None,
            "a clock that is corrected by half a second"
        );
        assert_eq!(jumps.since_last(at(4_001), 4_001_500 + 1_000 + YEARS), Some(YEARS));
        assert_eq!(jumps.since_last(at(4_002), 4_003_500), Some(-YEARS));
        assert_eq!(jumps.since_last(at(4_003), 4_004_500), None);
    }
}
