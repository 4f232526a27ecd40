//! One game in memory: an actor that takes steps one batch at a time, makes them durable, and then publishes them.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::store::v1::{Entry, Step};
use heliopause_proto::v1::{ErrorReason, Event};
use heliopause_table::{Fault, Listing, Standing, Table, Taken, Wanted};
use prost::Message as _;
use tokio::sync::{RwLock, broadcast, mpsc, oneshot};
use tokio::time::Instant;

use super::published::Published;
use super::round::{self, Round, Waiting};
use super::{Host, loading, store_fault};
use crate::fresh;
use crate::store::{Append, GameRow, Member, StoreError};

/// How many steps wait for one game before callers wait themselves.
const MAILBOX: usize = 256;
/// How many steps are made durable together.
const BATCH: usize = 64;
/// How many entries a subscriber may lag behind before it is caught up from the journal.
const PUBLISHED_KEPT: usize = 64;
/// A snapshot is kept every so many entries.
const SNAPSHOT_EVERY: u64 = 256;
/// How much of the journal is read at once for a page of events.
const EVENTS_PAGE: usize = 256;
const EVENTS_PAGE_BYTES: usize = 1 << 20;
/// How often a batch is tried that loses races or whose append failed.
const ATTEMPTS: u32 = 10;
/// How long a shared store that went away in the midst of an append is waited for.
const PATIENCE: Duration = Duration::from_secs(6);

/// A step that was taken and is durable.
#[derive(Clone, Debug)]
pub struct Done {
    /// The entry that it made, now or, for a retry, the first time.
    pub entry: Arc<Entry>,
    /// Where each seat stands after it.
    pub standings: Arc<[Standing]>,
    /// Where the request's seat stood after it; for retries of requests.
    pub first: Option<heliopause_table::Answered>,
}

impl Done {
    /// Where a seat stands after the step.
    pub fn standing(&self, seat: Seat) -> Standing {
        self.standings.get(seat.index()).cloned().unwrap_or_default()
    }
}

/// One game in memory.
pub(crate) struct Live {
    game_id: String,
    pub(crate) table: RwLock<Table>,
    mailbox: mpsc::Sender<Job>,
    published: broadcast::Sender<Arc<Published>>,
}

enum Job {
    /// Boxed, because the mailbox of every live game has room for many.
    Take(Box<Waiting>),
    /// Other processes' entries are there, up to this one at least. Whoever waits for them is a reader here.
    CatchUp(u64, Option<oneshot::Sender<()>>),
    PutAway(oneshot::Sender<()>),
}

impl Live {
    pub(crate) fn spawn(host: Arc<Host>, game_id: &str, table: Table, idle: Duration) -> Arc<Self> {
        let (mailbox, jobs) = mpsc::channel(MAILBOX);
        let live = Arc::new(Self {
            game_id: game_id.to_owned(),
            table: RwLock::new(table),
            mailbox,
            published: broadcast::Sender::new(PUBLISHED_KEPT),
        });
        metrics::gauge!("heliopause_live_games").increment(1.0);
        tokio::spawn(Actor { host, live: live.clone(), jobs, idle, astray: false }.run());
        live
    }

    pub(crate) fn game_id(&self) -> &str {
        &self.game_id
    }

    /// Takes a step; `None` if the game was put away before.
    pub(crate) async fn take(&self, step: Step) -> Option<Result<Done, Fault>> {
        let (reply, answer) = oneshot::channel();
        self.mailbox.send(Job::Take(Box::new(Waiting { step, reply }))).await.ok()?;
        answer.await.ok()
    }

    /// Catches up with what other processes appended, up to an entry at least; returns when that is done or cannot be.
    pub(crate) async fn catch_up(&self, until: u64) {
        let (reply, done) = oneshot::channel();
        if self.mailbox.send(Job::CatchUp(until, Some(reply))).await.is_ok() {
            drop(done.await);
        }
    }

    /// Says that other processes appended something. If the game is too busy to hear it, it will be said again.
    pub(crate) fn hint(&self, until: u64) {
        drop(self.mailbox.try_send(Job::CatchUp(until, None)));
    }

    /// The number of the last entry.
    pub(crate) async fn entry(&self) -> u64 {
        self.table.read().await.entry()
    }

    /// Puts the game away with a snapshot.
    pub(crate) async fn put_away(&self) {
        let (reply, done) = oneshot::channel();
        if self.mailbox.send(Job::PutAway(reply)).await.is_ok() {
            // An actor that ended on its own has put the game away too.
            drop(done.await);
        }
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Arc<Published>> {
        self.published.subscribe()
    }

    /// What the maker of a table is answered.
    pub(crate) async fn opened(&self, taken: Taken) -> Done {
        let table = self.table.read().await;
        Done { entry: Arc::new(taken.entry), standings: standings(&table), first: None }
    }
}

/// The task that alone changes a table.
struct Actor {
    host: Arc<Host>,
    live: Arc<Live>,
    jobs: mpsc::Receiver<Job>,
    idle: Duration,
    /// The table in memory is not what the journal says; it must not be kept.
    astray: bool,
}

impl Actor {
    async fn run(mut self) {
        self.begin().await;
        let mut put_away = Vec::new();
        // Looks at intervals whether the game was touched in between; a timer set anew at every touch would cost more.
        let idle = self.idle.max(Duration::from_millis(1));
        let mut looks = tokio::time::interval_at(Instant::now() + idle, idle);
        let mut touched = false;
        loop {
            tokio::select! {
                biased;
                job = self.jobs.recv() => {
                    let Some(job) = job else { break };
                    // What others do at a table keeps it in memory nowhere but with them.
                    touched |= !matches!(job, Job::CatchUp(_, None));
                    if let ControlFlow::Break(replies) = self.work(job).await {
                        put_away = replies;
                        break;
                    }
                }
                _ = looks.tick() => {
                    let listened_to = self.live.published.receiver_count() > 0;
                    // A reader may still hold the table: he reads what is durable.
                    if !std::mem::take(&mut touched) && !listened_to && self.jobs.is_empty() {
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

    /// A game that comes into memory says what automation it waits for.
    async fn begin(&mut self) {
        let (wanted, kind) = {
            let table = self.live.table.read().await;
            (table.wanted(), table.kind().id)
        };
        self.host.automation.wants(&self.live.game_id, kind, &wanted);
    }

    async fn end(&mut self) {
        // No step can slip in between: what is still in the mailbox is dropped unanswered, and its callers try again.
        self.jobs.close();
        self.host.forget(&self.live);
        self.host.automation.put_away(&self.live.game_id);
        if !self.astray {
            self.keep_snapshot().await;
        }
        metrics::gauge!("heliopause_live_games").decrement(1.0);
    }

    async fn keep_snapshot(&self) {
        let (number, snapshot) = {
            let table = self.live.table.read().await;
            (table.entry(), Bytes::from(table.snapshot()))
        };
        match self.host.store.put_snapshot(&self.live.game_id, number, snapshot).await {
            // A game that was removed needs none.
            Ok(()) | Err(StoreError::NotFound) => {}
            // Losing a snapshot loses nothing: the journal has everything.
            Err(error) => tracing::warn!(game_id = %self.live.game_id, %error, "no snapshot could be kept"),
        }
    }

    /// Works off a job and what waits behind it; breaks with those who wait for the game to be put away.
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
        let mut usable = self.catch_up(until).await.is_ok();
        for reader in readers {
            // Whoever waited may be gone.
            let _ = reader.send(());
        }
        // Steps that cannot be taken here are dropped unanswered, and their callers try again.
        usable = usable && (batch.is_empty() || self.take_batch(batch).await.is_ok());
        self.astray |= !usable;
        if usable && put_away.is_empty() { ControlFlow::Continue(()) } else { ControlFlow::Break(put_away) }
    }

    /// Takes a batch of steps; an error means that the game cannot stay in memory.
    async fn take_batch(&mut self, mut batch: Vec<Waiting>) -> Result<(), Astray> {
        for attempt in 1.. {
            if let Some(fault) = self.away() {
                refuse_all(batch, &fault);
                return Ok(());
            }
            let live = self.live.clone();
            let mut table = live.table.write().await;
            let before = table.entry();
            let mut round = Round::default();
            round.enter_rules(&mut table);
            round.catch_up_time(&mut table);
            for waiting in batch {
                round.take(&mut table, waiting, &self.host, &self.live.game_id).await;
            }
            if round.taken.is_empty() {
                let head = match self.head_beyond(before, &round).await {
                    Ok(None) => {
                        round.answer_all(&table);
                        return Ok(());
                    }
                    Ok(Some(head)) if attempt < ATTEMPTS => head,
                    undecided => {
                        let lost = |actual: Option<u64>| StoreError::LostRace {
                            expected: before,
                            actual: actual.unwrap_or(before),
                        };
                        round.fail_all(&store_fault(undecided.map_or_else(|error| error, lost)));
                        return Ok(());
                    }
                };
                drop(table);
                self.catch_up(head).await?;
                batch = round.into_waiting();
                continue;
            }
            let now = Now::of(&table);
            let append = append_of(&table, now.row.clone(), before, None, &round.taken);
            let Err(error) = self.host.store.append(append).await else {
                drop(table);
                self.publish(round, &now);
                return Ok(());
            };
            match self.recover(&mut table, before, round, error, attempt).await? {
                None => return Ok(()),
                Some(again) => batch = again,
            }
            drop(table);
            pause(attempt).await;
        }
        Ok(())
    }

    /// Why nothing can be taken at the moment: the store is known to be away. Nothing of the game is touched then, so that
    /// it can go on being read.
    fn away(&self) -> Option<Fault> {
        let away = self.host.store.shared().is_some_and(|shared| !shared.is_available());
        away.then(|| store_fault(StoreError::Unavailable("it does not answer".to_owned())))
    }

    /// Where the journal ends, if that is beyond what a round's refusals were judged by. A refusal stands only if nothing
    /// came in between; of what is appended the append itself says so.
    async fn head_beyond(&self, before: u64, round: &Round) -> Result<Option<u64>, StoreError> {
        let Some(shared) = self.host.store.shared().filter(|_| round.has_refusals()) else { return Ok(None) };
        let head = shared.head(&self.live.game_id).await?;
        Ok((head > before).then_some(head))
    }

    /// After an append that failed: makes the table what the journal says. Answers the steps to try anew, if any.
    async fn recover(
        &mut self,
        table: &mut Table,
        before: u64,
        round: Round,
        error: StoreError,
        attempt: u32,
    ) -> Result<Option<Vec<Waiting>>, Astray> {
        let lost = matches!(error, StoreError::LostRace { .. });
        let fault = store_fault(error);
        let Ok((fresh, entries)) = self.reload(before).await else {
            round.fail_all(&fault);
            return Err(Astray);
        };
        *table = fresh;
        metrics::counter!("heliopause_appends_repeated_total").increment(1);
        let now = Now::of(table);
        let count = round.taken.len();
        let ours = round.taken.iter().map(|taken| &taken.stored).eq(entries.iter().take(count));
        if ours {
            // The append came through after all; only its answer was lost.
            let others = decoded(&entries[count..]);
            self.publish(round, &now);
            self.tell(others, &now);
            return Ok(None);
        }
        self.tell(decoded(&entries), &now);
        let shared = self.host.store.shared().is_some();
        if (lost || shared) && attempt < ATTEMPTS {
            return Ok(Some(round.into_waiting()));
        }
        round.fail_all(&fault);
        Ok(None)
    }

    /// The table as the journal has it, and the entries after a number. A shared store that went away is waited for.
    async fn reload(&self, after: u64) -> Result<(Table, Vec<Bytes>), Fault> {
        let (store, game_id) = (&*self.host.store, &self.live.game_id);
        let patience = if store.shared().is_some() { PATIENCE } else { Duration::ZERO };
        let begun = Instant::now();
        loop {
            let reloaded = async {
                let table = loading::load(store, game_id).await?;
                let entries = loading::entries(store, game_id, after, table.entry()).await?;
                Ok((table, entries))
            };
            match reloaded.await {
                Err(Fault { reason: ErrorReason::JournalUnavailable, .. }) if begun.elapsed() < patience => {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
                reloaded => return reloaded,
            }
        }
    }

    /// Takes what other processes appended, up to an entry at least if it is there.
    async fn catch_up(&mut self, until: u64) -> Result<(), Astray> {
        let live = self.live.clone();
        loop {
            let after = live.entry().await;
            if after >= until {
                return Ok(());
            }
            let page = match self.host.store.entries(&live.game_id, after, EVENTS_PAGE, EVENTS_PAGE_BYTES).await {
                Ok(page) if page.is_empty() => return Ok(()),
                Ok(page) => page,
                Err(StoreError::NotFound) => return Err(Astray),
                Err(error) => {
                    tracing::warn!(game_id = %live.game_id, %error, "what others did cannot be read; it is read later");
                    return Ok(());
                }
            };
            let others = decoded(&page);
            let mut table = live.table.write().await;
            for (entry, _) in &others {
                if let Err(why) = table.replay(entry) {
                    tracing::warn!(game_id = %live.game_id, why, "what others did cannot be followed; loading anew");
                    return Err(Astray);
                }
            }
            let now = Now::of(&table);
            drop(table);
            self.tell(others, &now);
        }
    }

    /// Answers a round, after telling of it whoever listens.
    fn publish(&self, round: Round, now: &Now) {
        let Round { taken, replies, retries, refused } = round;
        metrics::counter!("heliopause_journal_entries_total").increment(taken.len() as u64);
        let entries: Vec<_> = taken.into_iter().map(|taken| (Arc::new(taken.entry), taken.stored.len())).collect();
        self.tell(entries.clone(), now);
        for (index, reply) in replies {
            let done = Done { entry: entries[index].0.clone(), standings: now.standings.clone(), first: None };
            drop(reply.send(Ok(done)));
        }
        round::answer(retries, refused, &now.standings);
    }

    /// Tells whoever listens of entries that are durable.
    fn tell(&self, entries: Vec<(Arc<Entry>, usize)>, now: &Now) {
        if entries.is_empty() {
            return;
        }
        self.host.clock.heed(now.row.due);
        for (entry, bytes) in entries {
            self.host.notices.note(&now.row, &entry);
            // Whoever begins to listen now reads the table first, and this entry is in it.
            if self.live.published.receiver_count() > 0 {
                drop(self.live.published.send(Arc::new(Published::new(&entry, bytes))));
            }
        }
        self.host.automation.wants(&self.live.game_id, now.kind, &now.wanted);
    }
}

/// A table in memory is not what the journal says.
struct Astray;

/// What is told of a table after entries.
struct Now {
    row: GameRow,
    standings: Arc<[Standing]>,
    wanted: Vec<Wanted>,
    kind: &'static str,
}

impl Now {
    fn of(table: &Table) -> Self {
        Self {
            row: row_of(&table.listing()),
            standings: standings(table),
            wanted: table.wanted(),
            kind: table.kind().id,
        }
    }
}

/// Entries as they are stored, with their sizes. Those that cannot be read are left out: loading the game has said so.
fn decoded(stored: &[Bytes]) -> Vec<(Arc<Entry>, usize)> {
    let read = |stored: &Bytes| Some((Arc::new(Entry::decode(stored.clone()).ok()?), stored.len()));
    stored.iter().filter_map(read).collect()
}

fn refuse_all(batch: Vec<Waiting>, fault: &Fault) {
    for waiting in batch {
        drop(waiting.reply.send(Err(fault.clone())));
    }
}

/// Waits a little, by chance, so that processes that race for a game do not go on racing in step.
async fn pause(attempt: u32) {
    let millis = u64::from(attempt) * u64::from(fresh::byte()) / 32;
    tokio::time::sleep(Duration::from_millis(millis)).await;
}

/// One entry of a game's journal.
pub(crate) async fn stored_entry(host: &Host, game_id: &str, number: u64) -> Result<Entry, Fault> {
    let page = host.store.entries(game_id, number - 1, 1, 0).await.map_err(store_fault)?;
    let entry = page.into_iter().next().and_then(|encoded| Entry::decode(encoded).ok());
    entry.ok_or_else(|| Fault::new(ErrorReason::Internal, "An entry of the journal cannot be read."))
}

/// The events of one audience after a number, from the journal after an entry.
pub(crate) async fn events_after(
    host: &Host,
    game_id: &str,
    viewer: Viewer,
    mut entry: u64,
    after: u64,
    limit: usize,
) -> Result<Vec<Event>, Fault> {
    let mut events = Vec::new();
    while events.len() < limit {
        let page = host.store.entries(game_id, entry, EVENTS_PAGE, EVENTS_PAGE_BYTES).await.map_err(store_fault)?;
        if page.is_empty() {
            break;
        }
        for encoded in page {
            let read = Entry::decode(encoded)
                .map_err(|_| Fault::new(ErrorReason::Internal, "An entry of the journal cannot be read."))?;
            entry = read.number;
            events.extend(Table::events_for(&read, viewer).filter(|event| event.number > after));
        }
    }
    events.truncate(limit);
    Ok(events)
}

pub(super) fn standings(table: &Table) -> Arc<[Standing]> {
    table.standings().into()
}

/// What the store is asked to make durable.
pub(crate) fn append_of(
    table: &Table,
    row: GameRow,
    expected: u64,
    secret: Option<[u8; 32]>,
    taken: &[Taken],
) -> Append {
    let crosses = table.entry() / SNAPSHOT_EVERY != expected / SNAPSHOT_EVERY;
    Append {
        expected,
        entries: taken.iter().map(|taken| taken.stored.clone()).collect(),
        row,
        secret,
        snapshot: crosses.then(|| Bytes::from(table.snapshot())),
        ratings: taken.iter().flat_map(|taken| taken.ratings.iter().cloned()).collect(),
    }
}

pub(crate) fn row_of(listing: &Listing) -> GameRow {
    let members = listing.members.iter().map(|member| Member {
        player_id: member.player_id.clone(),
        seat: member.seat,
        invited: member.invited,
        your_decision: member.your_decision,
        deadline: member.deadline,
    });
    GameRow {
        game_id: listing.game_id.clone(),
        kind: listing.kind.to_owned(),
        name: listing.name.clone(),
        status: listing.status.into(),
        private: listing.private,
        sandbox: listing.sandbox,
        seats: listing.seats,
        open_seats: listing.open_seats,
        created: listing.created,
        due: listing.due,
        wants_automation: listing.wants_automation,
        progress: listing.progress.clone(),
        members: members.collect(),
    }
}
