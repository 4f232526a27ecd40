//! The task of a loaded game. It applies steps in batches, makes them durable, and then publishes
//! them.
//!
//! Readers see only durable states. With an exclusive store, the actor locks the table until the
//! batch is durable, because this takes too little time to justify a copy. A shared store may take
//! longer, so the actor applies the batch to a copy.

use std::ops::{ControlFlow, Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use heliopause_proto::store::v1::Entry;
use heliopause_table::{AutomationTask, DecisionState, Fault, Table};
use prost::Message as _;
use tokio::sync::{RwLockWriteGuard, broadcast, mpsc, oneshot};
use tokio::time::Instant;

use super::append::{append_of, row_of};
use super::live::{
    Diverged, Done, Job, LARGE_SEATS, Live, MemoryShare, QueuedStep, decision_states, end_of,
    history_lost,
};
use super::loading::{self, EVENTS_PAGE, EVENTS_PAGE_BYTES};
use super::published::Published;
use super::round::{self, PendingAnswer, Round};
use super::{Host, RARE};
use crate::log_throttle::throttled;
use crate::random;
use crate::store::{Append, End, GameRow, StoreError};

const BATCH_MAX: usize = 64;
/// The maximum time to retry a batch that loses races against other processes. It is well below the
/// timeout of a call.
const RACE_FOR: Duration = Duration::from_secs(20);

const MAILBOX_MAX: usize = 256;

pub(super) fn start(
    host: Arc<Host>,
    game_id: &str,
    table: Table,
    place: MemoryShare,
    idle: Duration,
) -> Arc<Live> {
    let large = place.is_large() || table.listing().seats as usize >= LARGE_SEATS;
    let threads = host.settings().steps.clone().filter(|_| large);
    let (mailbox, jobs) = mpsc::channel(MAILBOX_MAX);
    let published = broadcast::Sender::new(host.settings().published_buffer);
    let live = Live::new(game_id, table, mailbox, &published, place);
    metrics::gauge!("heliopause_live_games").increment(1.0);
    let steps = Actor { host, live: live.clone(), jobs, published, idle }.run();
    match threads {
        Some(threads) => crate::background::spawn_on(&threads, steps),
        None => crate::background::spawn(steps),
    };
    live
}

struct Actor {
    host: Arc<Host>,
    live: Arc<Live>,
    jobs: mpsc::Receiver<Job>,
    published: broadcast::Sender<Arc<Published>>,
    idle: Duration,
}

impl Actor {
    async fn run(mut self) {
        let mut evict = Vec::new();
        // Check for activity at intervals, because resetting a timer at every step would cost more.
        let idle = self.idle.max(Duration::from_millis(1));
        let mut activity = tokio::time::interval_at(Instant::now() + idle, idle);
        let mut touched = false;
        loop {
            tokio::select! {
                biased;
                job = self.jobs.recv() => {
                    let Some(job) = job else { break };
                    // Hints about other processes' entries do not keep the game loaded here.
                    touched |= !matches!(job, Job::CatchUp(_, None));
                    if let ControlFlow::Break(replies) = self.work(job).await {
                        evict = replies;
                        break;
                    }
                }
                _ = activity.tick() => {
                    let listened_to = self.published.receiver_count() > 0;
                    // If the game were evicted, the worker would lose its lease and start over.
                    let thought_about = self.host.automation.lease_table().is_leased(self.live.game_id());
                    let used = std::mem::take(&mut touched) || listened_to || thought_about;
                    // A reader may still use the table, because the table contains only durable
                    // steps.
                    if !used && self.jobs.is_empty() {
                        break;
                    }
                }
            }
        }
        self.end().await;
        for reply in evict {
            let _ = reply.send(());
        }
    }

    async fn end(self) {
        let Self { host, live, mut jobs, published, .. } = self;
        // Remove the demands before the game can be loaded again, because loading adds its demands.
        host.automation.evict(live.game_id());
        // Steps still in the mailbox are dropped without a reply. Their callers retry.
        jobs.close();
        host.forget(&live);
        // Subscribers see that the channel is closed, and continue with the reloaded game.
        drop(published);
        if !live.is_diverged() {
            keep_snapshot(&host, &live).await;
        }
        metrics::gauge!("heliopause_live_games").decrement(1.0);
    }

    /// Processes a job and the jobs queued behind it. If the game must be evicted, breaks with the
    /// callers that requested the eviction.
    async fn work(&mut self, job: Job) -> ControlFlow<Vec<oneshot::Sender<()>>> {
        let mut batch = Vec::new();
        let mut evict = Vec::new();
        let (mut until, mut readers) = (0, Vec::new());
        let mut sort = |job| match job {
            Job::Take(waiting) => batch.push(*waiting),
            Job::CatchUp(entry, reader) => {
                until = until.max(entry);
                readers.extend(reader);
            }
            Job::Evict(reply) => evict.push(reply),
        };
        sort(job);
        for _ in 1..BATCH_MAX {
            match self.jobs.try_recv() {
                Ok(job) => sort(job),
                Err(_) => break,
            }
        }
        let mut usable = !self.live.is_diverged() && self.catch_up(until).await.is_ok();
        for reader in readers {
            let _ = reader.send(());
        }
        if self.live.is_history_lost() {
            // These steps were based on entries that no longer exist.
            refuse_all(std::mem::take(&mut batch), &history_lost());
        }
        // Steps that cannot be applied here are dropped without a reply. Their callers retry.
        usable = usable && (batch.is_empty() || self.take_batch(batch).await.is_ok());
        if usable && evict.is_empty() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(evict)
        }
    }

    async fn take_batch(&self, mut batch: Vec<QueuedStep>) -> Result<(), Diverged> {
        let begun = Instant::now();
        while let Some(LostRound { round, head }) = self.attempt(batch).await? {
            if begun.elapsed() >= RACE_FOR {
                round.fail_all(&Fault::from(StoreError::LostRace {
                    expected: self.live.last(),
                    actual: head,
                }));
                return Ok(());
            }
            let why = if head > self.live.last() {
                "another engine was first"
            } else {
                "a quota was used up"
            };
            metrics::counter!("heliopause_appends_repeated_total", "why" => why).increment(1);
            pause().await;
            self.catch_up(head).await?;
            batch = round.into_waiting();
        }
        Ok(())
    }

    /// Tries once to apply a batch. Replies to the callers, or returns the round if the batch must
    /// be retried.
    async fn attempt(&self, batch: Vec<QueuedStep>) -> Result<Option<LostRound>, Diverged> {
        let begun = Instant::now();
        let known = match self.host.unavailable_fault() {
            Some(fault) => Err(fault),
            None => self.host.ensure_time().await,
        };
        if let Err(fault) = known {
            refuse_all(batch, &fault);
            return Ok(None);
        }
        let shared = self.host.store.shared().is_some();
        // Also use a copy for steps that may exceed a quota, so that nothing needs to be undone.
        let on_copy = shared || batch.iter().any(|waiting| waiting.quota.is_some());
        let mut draft = Draft::of(&self.live, on_copy).await;
        let known = end_of(&draft);
        let before = known.last;
        let mut round = Round::default();
        round.enter_rules(&mut draft, self.host.now());
        round.catch_up_time(&mut draft, self.host.now());
        for waiting in batch {
            round.take(&mut draft, waiting, &self.host, self.live.game_id()).await;
        }
        if round.taken.is_empty() {
            return self.answer_unchanged(round, &draft, begun).await;
        }
        let now = TableSummary::of(&draft);
        let append = append_of(
            &draft,
            now.row.clone(),
            known,
            None,
            &round.taken,
            self.host.settings.snapshot_every,
        );
        let notices = self.host.outgoing(&now.row, round.taken.iter().map(|taken| &taken.entry));
        let append = Append { quotas: round.quotas(), notices, ..append };
        match self.host.append(append).await {
            Ok(()) => {
                draft.commit(&self.live).await;
                self.publish(round, &now);
                Ok(None)
            }
            Err(error) if shared && is_lost_history(&error) => Err(self.lose(round, error, known)),
            Err(StoreError::LostRace { actual, .. }) if shared => {
                tracing::trace!(target: RARE, "an append lost to another engine");
                Ok(Some(LostRound { round, head: actual }))
            }
            Err(StoreError::OverQuota(excess)) if round.reject_over_quota(&excess) => {
                Ok(Some(LostRound { round, head: before }))
            }
            Err(error) => {
                tracing::trace!(target: RARE, "an append failed");
                let undone = draft.rollback(&self.host, &self.live, before).await;
                round.fail_all(&Fault::from(error));
                undone.map(|()| None)
            }
        }
    }

    fn lose(&self, round: Round, error: StoreError, known: End) -> Diverged {
        match error {
            StoreError::LostRace { actual, .. } => {
                let lost = self.host.lose_history(&self.live, known, Some(actual));
                round.fail_all(&history_lost());
                lost
            }
            error => {
                let lost = self.host.lose_game(&self.live);
                round.fail_all(&Fault::from(error));
                lost
            }
        }
    }

    /// Replies to a round without accepted steps. Returns the round for a retry if it has
    /// rejections and the journal has grown in the meantime.
    async fn answer_unchanged(
        &self,
        round: Round,
        table: &Table,
        begun: Instant,
    ) -> Result<Option<LostRound>, Diverged> {
        let known = end_of(table);
        let before = known.last;
        if let Some(shared) = self.host.store.shared().filter(|_| round.has_refusals()) {
            match shared.head(self.live.game_id()).await {
                Ok(head) if head.last > before => {
                    tracing::trace!(target: RARE, "a refusal was judged again");
                    return Ok(Some(LostRound { round, head: head.last }));
                }
                Ok(head) if known.is_lost(head) => {
                    let lost = self.host.lose_history(&self.live, known, Some(head.last));
                    round.fail_all(&history_lost());
                    return Err(lost);
                }
                Ok(_) => {}
                Err(error) => {
                    let is_gone = matches!(error, StoreError::NotFound);
                    round.fail_all(&Fault::from(error));
                    return if is_gone { Err(self.host.lose_game(&self.live)) } else { Ok(None) };
                }
            }
        }
        if round.has_refusals() {
            tracing::trace!(
                target: RARE,
                game_id = self.live.game_id(),
                entry = before,
                nanos = begun.elapsed().as_nanos() as u64,
                "a refusal was returned"
            );
        }
        round.answer_all(table);
        Ok(None)
    }

    /// Applies other processes' entries up to at least `until`, as far as the journal contains them
    /// and can be read.
    async fn catch_up(&self, until: u64) -> Result<(), Diverged> {
        let live = &self.live;
        while live.last() < until {
            let page = match self
                .host
                .store
                .entries(live.game_id(), live.last(), EVENTS_PAGE, EVENTS_PAGE_BYTES)
                .await
            {
                Ok(page) if page.is_empty() => return Ok(()),
                Ok(page) => page,
                Err(StoreError::NotFound) => return Err(self.host.lose_game(live)),
                Err(error) => {
                    let game_id = live.game_id();
                    throttled!(warn, game_id, %error, "changes of other engines cannot be read; \
                        retrying later");
                    return Ok(());
                }
            };
            let others = decoded(&page);
            let known = live.end();
            let mut table = live.table.write().await;
            for (entry, _) in &others {
                if let Err(why) = table.replay(entry) {
                    let game_id = live.game_id();
                    // Mark the table before releasing the lock, so that no reader sees a partial
                    // replay.
                    let diverged = live.mark_diverged();
                    drop(table);
                    if self.host.is_continued(game_id, known).await == Some(false) {
                        return Err(self.host.lose_history(live, known, Some(known.last)));
                    }
                    tracing::warn!(
                        game_id,
                        why,
                        "changes of other engines cannot be applied; loading the game again"
                    );
                    return Err(diverged);
                }
            }
            live.set_end(end_of(&table));
            let now = TableSummary::of(&table);
            drop(table);
            self.tell(others, &now);
        }
        Ok(())
    }

    fn publish(&self, round: Round, now: &TableSummary) {
        let Round { taken, replies, retries, refused } = round;
        metrics::counter!("heliopause_journal_entries_total").increment(taken.len() as u64);
        let entries: Vec<_> =
            taken.into_iter().map(|taken| (Arc::new(taken.entry), taken.stored.len())).collect();
        self.tell(entries.clone(), now);
        for PendingAnswer { index, reply, .. } in replies {
            let done = Done {
                entry: entries[index].0.clone(),
                decision_states: now.decision_states.clone(),
                first: None,
            };
            drop(reply.send(Ok(done)));
        }
        round::answer(retries, refused, &now.decision_states);
    }

    fn tell(&self, entries: Vec<(Arc<Entry>, usize)>, now: &TableSummary) {
        if entries.is_empty() {
            return;
        }
        self.host.clock.wake_at(now.row.due);
        let is_look = |(entry, _): &(Arc<Entry>, usize)| {
            entry.step.as_ref().is_some_and(heliopause_table::is_look)
        };
        if entries.iter().any(is_look) {
            self.host.activity.note(self.live.game_id());
        }
        for (entry, bytes) in entries {
            self.host.notices.note(&now.row, &entry);
            // Without subscribers, nothing needs to be sent: later subscribers first read the
            // table.
            if self.published.receiver_count() > 0 {
                drop(self.published.send(Arc::new(Published::new(&entry, bytes))));
            }
        }
        if now.row.asleep_since.is_some() && !self.host.activity.is_unwatched(self.live.game_id()) {
            // This process has a viewer, but the process that put automation to sleep has none.
            self.host.record_activity(self.live.game_id(), true);
        }
        self.host.automation.demands(self.live.game_id(), &now.leader_id, now.kind, &now.wanted);
    }
}

fn is_lost_history(error: &StoreError) -> bool {
    match error {
        StoreError::LostRace { expected, actual } => actual <= expected,
        error => matches!(error, StoreError::NotFound),
    }
}

struct LostRound {
    round: Round,
    head: u64,
}

enum Draft<'a> {
    InPlace(RwLockWriteGuard<'a, Table>),
    Copy(Box<Table>),
}

impl<'a> Draft<'a> {
    async fn of(live: &'a Live, shared: bool) -> Self {
        if shared {
            return Self::Copy(Box::new(live.table.read().await.clone()));
        }
        Self::InPlace(live.table.write().await)
    }

    async fn commit(self, live: &Live) {
        let end = end_of(&self);
        if let Self::Copy(table) = self {
            let mut shown = live.table.write().await;
            *shown = *table;
            shown.settle_copy();
        }
        live.set_end(end);
    }

    async fn rollback(self, host: &Host, live: &Live, before: u64) -> Result<(), Diverged> {
        let Self::InPlace(mut table) = self else { return Ok(()) };
        match loading::load(host, live.game_id()).await {
            Ok(loaded) if loaded.entry() == before => {
                *table = loaded;
                Ok(())
            }
            // The table still contains the round. Readers waiting for the lock must not see the
            // round.
            _ => Err(live.mark_diverged()),
        }
    }
}

impl Deref for Draft<'_> {
    type Target = Table;

    fn deref(&self) -> &Table {
        match self {
            Self::InPlace(table) => table,
            Self::Copy(table) => table,
        }
    }
}

impl DerefMut for Draft<'_> {
    fn deref_mut(&mut self) -> &mut Table {
        match self {
            Self::InPlace(table) => table,
            Self::Copy(table) => table,
        }
    }
}

struct TableSummary {
    row: GameRow,
    decision_states: Arc<[DecisionState]>,
    wanted: Vec<AutomationTask>,
    leader_id: String,
    kind: &'static str,
}

impl TableSummary {
    fn of(table: &Table) -> Self {
        Self {
            row: row_of(table.listing()),
            decision_states: decision_states(table),
            wanted: table.wanted(),
            leader_id: table.leader_id().to_owned(),
            kind: table.kind().id,
        }
    }
}

async fn keep_snapshot(host: &Host, live: &Live) {
    let (end, snapshot) = {
        let table = live.table.read().await;
        (end_of(&table), Bytes::from(table.snapshot()))
    };
    match host.store.put_snapshot(live.game_id(), end, snapshot).await {
        // The game was removed, or another process has continued it.
        Ok(()) | Err(StoreError::NotFound | StoreError::LostRace { .. }) => {}
        Err(error) => {
            throttled!(warn, game_id = live.game_id(), %error, "the snapshot could not be stored");
        }
    }
}

/// Decodes entries. An unreadable entry becomes an empty one, whose replay fails.
fn decoded(stored: &[Bytes]) -> Vec<(Arc<Entry>, usize)> {
    let read = |stored: &Bytes| Entry::decode(stored.clone()).unwrap_or_default();
    stored.iter().map(|stored| (Arc::new(read(stored)), stored.len())).collect()
}

fn refuse_all(batch: Vec<QueuedStep>, fault: &Fault) {
    for waiting in batch {
        drop(waiting.reply.send(Err(fault.clone())));
    }
}

/// Sleeps for a short random time, so that racing processes do not stay in lockstep.
async fn pause() {
    tokio::time::sleep(Duration::from_millis(u64::from(random::byte()) / 32)).await;
}
