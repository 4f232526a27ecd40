//! The task of one game in memory: it takes steps one batch at a time, makes them durable, and then
//! publishes them.
//!
//! Readers see only durable states. A process with its own store takes a round on the table itself,
//! locked until the round is durable, which takes no time worth a copy. A shared store may keep a
//! round waiting, so there the actor takes it on a copy, and readers still see the last durable
//! state.

use std::ops::{ControlFlow, Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use heliopause_proto::store::v1::Entry;
use heliopause_table::rehearsal::{self, Planted, mark, on};
use heliopause_table::{Fault, Standing, Table, Wanted};
use prost::Message as _;
use tokio::sync::{RwLockWriteGuard, broadcast, mpsc, oneshot};
use tokio::time::Instant;

use super::append::{append_of, row_of};
use super::live::{
    Astray, Done, EVENTS_PAGE, EVENTS_PAGE_BYTES, Job, Live, end_of, history_lost, standings,
};
use super::published::Published;
use super::round::{self, Answering, Round, Waiting};
use super::{Host, loading, store_fault};
use crate::fresh;
use crate::seldom::seldom;
use crate::store::{Append, End, GameRow, StoreError};

/// How many steps are made durable together.
const BATCH: usize = 64;
/// How long a batch races other processes for its game, well within the time that a call may take.
const RACING: Duration = Duration::from_secs(20);

/// The task that alone changes a table.
pub(super) struct Actor {
    pub(super) host: Arc<Host>,
    pub(super) live: Arc<Live>,
    pub(super) jobs: mpsc::Receiver<Job>,
    pub(super) published: broadcast::Sender<Arc<Published>>,
    pub(super) idle: Duration,
}

impl Actor {
    pub(super) async fn run(mut self) {
        let mut put_away = Vec::new();
        // Looks at intervals whether the game was touched in between; a timer set anew at every
        // touch would cost more.
        let idle = self.idle.max(Duration::from_millis(1));
        let mut looks = tokio::time::interval_at(Instant::now() + idle, idle);
        let mut touched = false;
        loop {
            tokio::select! {
                biased;
                job = self.jobs.recv() => {
                    let Some(job) = job else { break };
                    // The acts of other processes keep a table in memory only there.
                    touched |= !matches!(job, Job::CatchUp(_, None));
                    if let ControlFlow::Break(replies) = self.work(job).await {
                        put_away = replies;
                        break;
                    }
                }
                _ = looks.tick() => {
                    let listened_to = self.published.receiver_count() > 0;
                    // Whoever thinks about a decision would lose it, and begin anew for ever.
                    let thought_about = !on(Planted::ThoughtIsIdle)
                        && self.host.automation.is_leased(self.live.game_id());
                    let used = std::mem::take(&mut touched) || listened_to || thought_about;
                    // A reader may still hold the table, and reads what is durable.
                    if !used && self.jobs.is_empty() {
                        break;
                    }
                }
            }
        }
        self.end().await;
        for reply in put_away {
            // Whoever waited may be gone.
            let _ = reply.send(());
        }
    }

    async fn end(self) {
        let Self { host, live, mut jobs, published, .. } = self;
        // While nobody can load the game anew and say what it wants then.
        host.automation.put_away(live.game_id());
        // No step can slip in between: what is still in the mailbox is dropped unanswered, and its
        // callers try again.
        jobs.close();
        host.forget(&live);
        // Whoever listens learns that nothing more comes from here, and goes on with the game as it
        // is loaded anew.
        drop(published);
        if !live.is_astray() {
            keep_snapshot(&host, &live).await;
        }
        metrics::gauge!("heliopause_live_games").decrement(1.0);
    }

    /// Works off a job and those that wait behind it; breaks with those who wait for the game to be
    /// put away.
    async fn work(&mut self, job: Job) -> ControlFlow<Vec<oneshot::Sender<()>>> {
        let mut batch = Vec::new();
        let mut put_away = Vec::new();
        let (mut until, mut readers) = (0, Vec::new());
        let mut sort = |job| match job {
            Job::Take(waiting) => batch.push(*waiting),
            Job::CatchUp(entry, reader) => {
                until = until.max(entry);
                readers.extend(reader);
            }
            Job::PutAway(reply) => put_away.push(reply),
        };
        sort(job);
        for _ in 1..BATCH {
            match self.jobs.try_recv() {
                Ok(job) => sort(job),
                Err(_) => break,
            }
        }
        let mut usable = !self.live.is_astray() && self.catch_up(until).await.is_ok();
        for reader in readers {
            // Whoever waited may be gone.
            let _ = reader.send(());
        }
        if self.live.is_history_lost() {
            // They were judged by what never happened.
            refuse_all(std::mem::take(&mut batch), &history_lost());
        }
        // Other steps that cannot be taken here are dropped unanswered, and their callers try again.
        usable = usable && (batch.is_empty() || self.take_batch(batch).await.is_ok());
        if usable && put_away.is_empty() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(put_away)
        }
    }

    /// Takes a batch of steps, again each time another process comes first. An error means that the
    /// game cannot stay in memory.
    async fn take_batch(&self, mut batch: Vec<Waiting>) -> Result<(), Astray> {
        let begun = Instant::now();
        while let Some(Lost { round, head }) = self.attempt(batch).await? {
            if begun.elapsed() >= RACING {
                round.fail_all(&store_fault(StoreError::LostRace {
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

    /// Takes a batch of steps at the table as this process knows it. Answers it, unless another
    /// process was first.
    async fn attempt(&self, batch: Vec<Waiting>) -> Result<Option<Lost>, Astray> {
        let begun = Instant::now();
        let known = match self.host.away() {
            Some(fault) => Err(fault),
            None => self.host.know_time().await,
        };
        if let Err(fault) = known {
            refuse_all(batch, &fault);
            return Ok(None);
        }
        let shared = self.host.store.shared().is_some();
        // A step that a quota may forbid is tried on a copy, too: nothing needs undoing.
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
        let now = Now::of(&draft);
        let append = append_of(&draft, now.row.clone(), known, None, &round.taken);
        let notices = self.host.outgoing(&now.row, round.taken.iter().map(|taken| &taken.entry));
        let append = Append { quotas: round.quotas(), notices, ..append };
        if on(Planted::AnswerBeforeDurable) {
            let host = Arc::clone(&self.host);
            drop(crate::lasting::spawn(async move { host.append(append).await }));
            draft.keep(&self.live).await;
            self.publish(round, &now);
            return Ok(None);
        }
        match self.host.append(append).await {
            Ok(()) => {
                if on(Planted::SecretDelays) && round.has_an_odd_letter() {
                    pause().await;
                }
                draft.keep(&self.live).await;
                self.publish(round, &now);
                Ok(None)
            }
            Err(error) if shared && is_loss(&error) => Err(self.lose(round, error, known)),
            Err(StoreError::LostRace { actual, .. }) if shared => {
                mark("an append lost to another engine");
                Ok(Some(Lost { round, head: actual }))
            }
            Err(StoreError::OverQuota(excess)) if round.refuse_over(&excess) => {
                Ok(Some(Lost { round, head: before }))
            }
            Err(error) if on(Planted::KeepUndone) => {
                draft.keep(&self.live).await;
                round.fail_all(&store_fault(error));
                Ok(None)
            }
            Err(error) => {
                mark("an append failed");
                let undone = draft.undo(&self.host, &self.live, before).await;
                round.fail_all(&store_fault(error));
                undone.map(|()| None)
            }
        }
    }

    /// Refuses a round that follows entries which the shared store lost.
    fn lose(&self, round: Round, error: StoreError, known: End) -> Astray {
        match error {
            StoreError::LostRace { actual, .. } => {
                let lost = self.host.lose_history(&self.live, known, Some(actual));
                round.fail_all(&history_lost());
                lost
            }
            error => {
                let lost = self.host.lose_game(&self.live);
                round.fail_all(&store_fault(error));
                lost
            }
        }
    }

    /// Answers a round that took nothing. A refusal stands only if nothing came in between; for
    /// appended steps the append itself says so.
    async fn answer_unchanged(
        &self,
        round: Round,
        table: &Table,
        begun: Instant,
    ) -> Result<Option<Lost>, Astray> {
        let known = end_of(table);
        let before = known.last;
        if let Some(shared) =
            self.host.store.shared().filter(|_| round.has_refusals() && !on(Planted::RefusalIsOld))
        {
            match shared.head(self.live.game_id()).await {
                Ok(head) if head.last > before => {
                    mark("a refusal was judged anew");
                    return Ok(Some(Lost { round, head: head.last }));
                }
                Ok(head) if known.is_lost(head) && !on(Planted::LossNotSeen) => {
                    let lost = self.host.lose_history(&self.live, known, Some(head.last));
                    round.fail_all(&history_lost());
                    return Err(lost);
                }
                Ok(_) => {}
                Err(error) => {
                    let is_gone = matches!(error, StoreError::NotFound);
                    round.fail_all(&store_fault(error));
                    return if is_gone { Err(self.host.lose_game(&self.live)) } else { Ok(None) };
                }
            }
        }
        if round.has_refusals() {
            rehearsal::refused(self.live.game_id(), before, begun.into_std());
        }
        round.answer_all(table);
        Ok(None)
    }

    /// Takes other processes' entries, up to an entry at least if it is there.
    async fn catch_up(&self, until: u64) -> Result<(), Astray> {
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
                    seldom!(warn, game_id, %error, "what others did cannot be read; it is read \
                        later");
                    return Ok(());
                }
            };
            let mut others = decoded(&page);
            let known = live.end();
            let mut table = live.table.write().await;
            for (entry, _) in &others {
                if let Err(why) = table.replay(entry) {
                    let game_id = live.game_id();
                    // Before the lock ends: nobody reads what was replayed in part.
                    let astray = live.go_astray();
                    drop(table);
                    if self.host.is_continued(game_id, known).await == Some(false) {
                        return Err(self.host.lose_history(live, known, Some(known.last)));
                    }
                    tracing::warn!(
                        game_id,
                        why,
                        "what others did cannot be followed; loading anew"
                    );
                    return Err(astray);
                }
            }
            live.moved_to(end_of(&table));
            let now = Now::of(&table);
            drop(table);
            if on(Planted::OthersNotTold) || on(Planted::GapNotSeen) {
                others.drain(..others.len() - 1);
            }
            self.tell(others, &now);
        }
        Ok(())
    }

    /// Tells listeners of a round, then answers it.
    fn publish(&self, round: Round, now: &Now) {
        let Round { taken, replies, retries, refused } = round;
        metrics::counter!("heliopause_journal_entries_total").increment(taken.len() as u64);
        let entries: Vec<_> =
            taken.into_iter().map(|taken| (Arc::new(taken.entry), taken.stored.len())).collect();
        self.tell(entries.clone(), now);
        for Answering { index, reply, .. } in replies {
            let done = Done {
                entry: entries[index].0.clone(),
                standings: now.standings.clone(),
                first: None,
            };
            drop(reply.send(Ok(done)));
        }
        round::answer(retries, refused, &now.standings);
    }

    /// Tells listeners of durable entries.
    fn tell(&self, entries: Vec<(Arc<Entry>, usize)>, now: &Now) {
        if entries.is_empty() {
            return;
        }
        self.host.clock.heed(now.row.due);
        let is_look = |(entry, _): &(Arc<Entry>, usize)| {
            entry.step.as_ref().is_some_and(heliopause_table::is_look)
        };
        if entries.iter().any(is_look) {
            self.host.looks.note(self.live.game_id());
        }
        for (entry, bytes) in entries {
            self.host.notices.note(&now.row, &entry);
            // Whoever begins to listen now reads the table first, and this entry is in it.
            if self.published.receiver_count() > 0 {
                drop(self.published.send(Arc::new(Published::new(&entry, bytes))));
            }
        }
        if now.row.asleep_since.is_some() && !self.host.looks.is_unwatched(self.live.game_id()) {
            // Somebody looks here, though nobody does where it was put to sleep.
            self.host.saw(self.live.game_id(), true);
        }
        self.host.automation.wants(self.live.game_id(), &now.led_by, now.kind, &now.wanted);
    }
}

/// Whether an append failed because the shared store lost the entry that it follows.
fn is_loss(error: &StoreError) -> bool {
    match error {
        StoreError::LostRace { expected, actual } => {
            actual <= expected && !on(Planted::LossNotSeen)
        }
        error => matches!(error, StoreError::NotFound),
    }
}

/// A round at a table that another process had moved on, to this entry at least.
struct Lost {
    round: Round,
    head: u64,
}

/// The table on which a round is taken.
enum Draft<'a> {
    /// The table that readers see, which nobody can read meanwhile.
    InPlace(RwLockWriteGuard<'a, Table>),
    /// A copy, which takes its place when the round is durable.
    Copy(Box<Table>),
}

impl<'a> Draft<'a> {
    async fn of(live: &'a Live, shared: bool) -> Self {
        if shared {
            return Self::Copy(Box::new(live.table.read().await.clone()));
        }
        Self::InPlace(live.table.write().await)
    }

    /// Shows what has become durable.
    async fn keep(self, live: &Live) {
        let end = end_of(&self);
        if let Self::Copy(table) = self {
            let mut shown = live.table.write().await;
            *shown = *table;
            shown.settle_copy();
        }
        live.moved_to(end);
    }

    /// Takes back what has not become durable.
    async fn undo(self, host: &Host, live: &Live, before: u64) -> Result<(), Astray> {
        let Self::InPlace(mut table) = self else { return Ok(()) };
        match loading::load(host, live.game_id()).await {
            Ok(loaded) if loaded.entry() == before => {
                *table = loaded;
                Ok(())
            }
            // Whoever waits for the table must not read what was not kept.
            _ => Err(live.go_astray()),
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

/// The news of a table after entries.
struct Now {
    row: GameRow,
    standings: Arc<[Standing]>,
    wanted: Vec<Wanted>,
    led_by: String,
    kind: &'static str,
}

impl Now {
    fn of(table: &Table) -> Self {
        Self {
            row: row_of(table.listing()),
            standings: standings(table),
            wanted: table.wanted(),
            led_by: table.led_by().to_owned(),
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
        // A game that was removed, or that another process continued, needs none.
        Ok(()) | Err(StoreError::NotFound | StoreError::LostRace { .. }) => {}
        // Losing a snapshot loses nothing: the journal has everything.
        Err(error) => seldom!(warn, game_id = live.game_id(), %error, "no snapshot could be kept"),
    }
}

/// Entries as they are stored, with their sizes, without unreadable ones: loading the game has
/// reported those.
fn decoded(stored: &[Bytes]) -> Vec<(Arc<Entry>, usize)> {
    let read = |stored: &Bytes| Some((Arc::new(Entry::decode(stored.clone()).ok()?), stored.len()));
    stored.iter().filter_map(read).collect()
}

fn refuse_all(batch: Vec<Waiting>, fault: &Fault) {
    for waiting in batch {
        drop(waiting.reply.send(Err(fault.clone())));
    }
}

/// Waits for a short random time, so that processes that race for a game do not go on racing in
/// step.
async fn pause() {
    tokio::time::sleep(Duration::from_millis(u64::from(fresh::byte()) / 32)).await;
}
