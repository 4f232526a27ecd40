//! One game in memory: an actor that takes steps one batch at a time, makes them durable, and then publishes them.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::store::v1::{Entry, Step, Ticked, step};
use heliopause_proto::v1::{ErrorReason, Event};
use heliopause_table::{Fault, Listing, Standing, Table, Taken};
use prost::Message as _;
use tokio::sync::{RwLock, broadcast, mpsc, oneshot};
use tokio::time::Instant;

use super::published::Published;
use super::{Host, loading, store_fault};
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
/// How many steps of time one touch may bring: a game that was away for long catches up over several touches.
const TICKS_MAX: usize = 64;

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
    PutAway(oneshot::Sender<()>),
}

type Reply = oneshot::Sender<Result<Done, Fault>>;

/// A step whose caller waits for its answer.
struct Waiting {
    step: Step,
    reply: Reply,
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
        tokio::spawn(Actor { host, live: live.clone(), jobs, idle }.run());
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
                    touched = true;
                    let Some(job) = job else { break };
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
        let (number, snapshot) = {
            let table = self.live.table.read().await;
            (table.entry(), Bytes::from(table.snapshot()))
        };
        if let Err(error) = self.host.store.put_snapshot(&self.live.game_id, number, snapshot).await {
            // Losing a snapshot loses nothing: the journal has everything.
            tracing::warn!(game_id = %self.live.game_id, %error, "no snapshot could be kept");
        }
        metrics::gauge!("heliopause_live_games").decrement(1.0);
    }

    /// Works off a job and what waits behind it; breaks with those who wait for the game to be put away.
    async fn work(&mut self, job: Job) -> ControlFlow<Vec<oneshot::Sender<()>>> {
        let mut batch = Vec::new();
        let mut put_away = Vec::new();
        let mut sort = |job| match job {
            Job::Take(waiting) => batch.push(*waiting),
            Job::PutAway(reply) => put_away.push(reply),
        };
        sort(job);
        for _ in 1..BATCH {
            match self.jobs.try_recv() {
                Ok(job) => sort(job),
                Err(_) => break,
            }
        }
        let usable = batch.is_empty() || self.take_batch(batch).await.is_ok();
        if usable && put_away.is_empty() { ControlFlow::Continue(()) } else { ControlFlow::Break(put_away) }
    }

    /// Takes a batch of steps; an error means that the game cannot stay in memory.
    async fn take_batch(&mut self, mut batch: Vec<Waiting>) -> Result<(), ()> {
        // A lost race is tried once more on the game as the winner left it.
        for attempt in 0..2 {
            let mut table = self.live.table.write().await;
            let before = table.entry();
            let mut round = Round::default();
            round.enter_rules(&mut table);
            round.catch_up_time(&mut table);
            for waiting in batch {
                round.take(&mut table, waiting, &self.host, &self.live.game_id).await;
            }
            if round.taken.is_empty() {
                round.answer_all(&table);
                return Ok(());
            }
            let listing = table.listing();
            let append = append_of(&table, &listing, before, None, &round.taken);
            match self.host.store.append(append).await {
                Ok(()) => {
                    let standings = standings(&table);
                    let wanted = table.wanted();
                    let kind = table.kind().id;
                    drop(table);
                    self.publish(round, &standings, &listing);
                    self.host.automation.wants(&self.live.game_id, kind, &wanted);
                    return Ok(());
                }
                Err(error) => {
                    let lost = matches!(error, StoreError::LostRace { .. });
                    let fault = store_fault(error);
                    let reloaded = loading::load(&*self.host.store, &self.live.game_id).await;
                    let usable = reloaded.map(|fresh| *table = fresh).is_ok();
                    if lost && usable && attempt == 0 {
                        batch = round.into_waiting();
                        continue;
                    }
                    round.fail_all(&fault);
                    return if usable { Ok(()) } else { Err(()) };
                }
            }
        }
        Ok(())
    }

    fn publish(&self, round: Round, standings: &Arc<[Standing]>, listing: &Listing) {
        self.host.clock.heed(listing.due);
        metrics::counter!("heliopause_journal_entries_total").increment(round.taken.len() as u64);
        let mut entries = Vec::with_capacity(round.taken.len());
        for taken in round.taken {
            let entry = Arc::new(taken.entry);
            self.host.notices.note(listing, &entry, &taken.invited);
            // Whoever begins to listen now reads the table first, and this entry is in it.
            if self.live.published.receiver_count() > 0 {
                drop(self.live.published.send(Arc::new(Published::new(&entry, taken.stored.len()))));
            }
            entries.push(entry);
        }
        for (index, reply) in round.replies {
            let done = Done { entry: entries[index].clone(), standings: standings.clone(), first: None };
            drop(reply.send(Ok(done)));
        }
        for (done, reply) in round.retries {
            drop(reply.send(done.map(|done| Done { standings: standings.clone(), ..done })));
        }
    }
}

/// The steps of one batch.
#[derive(Default)]
struct Round {
    taken: Vec<Taken>,
    replies: Vec<(usize, Reply)>,
    /// Requests that were answered before, with their first answers.
    retries: Vec<(Result<Done, Fault>, Reply)>,
}

impl Round {
    /// Notes in the journal, before anything else, that another version of the rules plays the game from here on.
    fn enter_rules(&mut self, table: &mut Table) {
        if let Some(step) = table.rules_changed() {
            match table.take(step, Host::now()) {
                Ok(taken) => self.taken.push(taken),
                Err(fault) => tracing::error!(%fault, "a change of rules cannot be noted"),
            }
        }
    }

    /// Lets whatever fell due happen before the steps that came after it.
    fn catch_up_time(&mut self, table: &mut Table) {
        let now = Host::now();
        for _ in 0..TICKS_MAX {
            if table.due().is_none_or(|due| due > now) {
                return;
            }
            let tick = Step { kind: Some(step::Kind::Ticked(Ticked {})), ..Step::default() };
            match table.take(tick, now) {
                Ok(taken) => self.taken.push(taken),
                Err(fault) => return tracing::error!(%fault, "time cannot pass at a table"),
            }
        }
    }

    async fn take(&mut self, table: &mut Table, waiting: Waiting, host: &Host, game_id: &str) {
        match table.answered(&waiting.step) {
            Ok(None) => {}
            Ok(Some(answered)) => {
                let first = self.first_answer(answered, table, host, game_id).await;
                self.retries.push((first, waiting.reply));
                return;
            }
            Err(fault) => return drop(waiting.reply.send(Err(fault))),
        }
        if matches!(waiting.step.kind, Some(step::Kind::Ticked(_))) && table.due().is_none_or(|due| due > Host::now()) {
            // Time has been caught up with already.
            let fault = Fault::new(ErrorReason::WrongStatus, "Nothing is due.");
            drop(waiting.reply.send(Err(fault)));
            return;
        }
        match table.take(waiting.step, Host::now()) {
            Ok(taken) => {
                self.replies.push((self.taken.len(), waiting.reply));
                self.taken.push(taken);
                // A sandbox clock that was set forward, or a phase without length, may make something due at once.
                self.catch_up_time(table);
            }
            Err(fault) => drop(waiting.reply.send(Err(fault))),
        }
    }

    /// The answer that a request got the first time, from this batch or from the journal.
    async fn first_answer(
        &self,
        answered: heliopause_table::Answered,
        table: &Table,
        host: &Host,
        game_id: &str,
    ) -> Result<Done, Fault> {
        let fresh = self.taken.iter().find(|taken| taken.entry.number == answered.entry);
        let entry = match fresh {
            Some(taken) => taken.entry.clone(),
            None => stored_entry(host, game_id, answered.entry).await?,
        };
        Ok(Done { entry: Arc::new(entry), standings: standings(table), first: Some(answered) })
    }

    fn answer_all(self, table: &Table) {
        let standings = standings(table);
        for (done, reply) in self.retries {
            drop(reply.send(done.map(|done| Done { standings: standings.clone(), ..done })));
        }
    }

    fn fail_all(self, fault: &Fault) {
        let replies = self.replies.into_iter().map(|(_, reply)| reply);
        for reply in replies.chain(self.retries.into_iter().map(|(_, reply)| reply)) {
            drop(reply.send(Err(fault.clone())));
        }
    }

    /// The steps again, to be tried anew. Retries of requests are answered anew too, so they come along.
    fn into_waiting(self) -> Vec<Waiting> {
        let steps: Vec<Step> = self.taken.iter().filter_map(|taken| taken.entry.step.clone()).collect();
        let mut waiting: Vec<Waiting> =
            self.replies.into_iter().map(|(index, reply)| Waiting { step: steps[index].clone(), reply }).collect();
        for (done, reply) in self.retries {
            match done.map(|done| done.entry.step.clone()) {
                Ok(Some(step)) => waiting.push(Waiting { step, reply }),
                Ok(None) => {}
                Err(fault) => drop(reply.send(Err(fault))),
            }
        }
        waiting
    }
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

fn standings(table: &Table) -> Arc<[Standing]> {
    table.standings().into()
}

/// What the store is asked to make durable.
pub(crate) fn append_of(
    table: &Table,
    listing: &Listing,
    expected: u64,
    secret: Option<[u8; 32]>,
    taken: &[Taken],
) -> Append {
    let crosses = table.entry() / SNAPSHOT_EVERY != expected / SNAPSHOT_EVERY;
    Append {
        expected,
        entries: taken.iter().map(|taken| taken.stored.clone()).collect(),
        row: row_of(listing),
        secret,
        snapshot: crosses.then(|| Bytes::from(table.snapshot())),
        ratings: taken.iter().flat_map(|taken| taken.ratings.iter().cloned()).collect(),
    }
}

fn row_of(listing: &Listing) -> GameRow {
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
