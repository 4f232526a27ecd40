//! The only writing thread and its group commit.
//!
//! The main cost of a write is the disk flush. So all jobs that are waiting when the writer is free
//! share a transaction and a flush. Meanwhile the next batch accumulates.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::directory;
use super::heads::{PendingEnds, Slots, check_end};
use crate::bounded::Generations;
use crate::store::{GameRow, Result, StoreError};

const CACHED_MIN: usize = 4_096;
const QUEUE_JOBS_MAX: usize = 4_096;
/// Limits the time that the first job of a commit waits.
const BATCH_JOBS_MAX: usize = 512;
/// The size of a batch that indicates load, and how long the writer then waits for more jobs.
/// Without the wait, on a fast disk, the writer would flush for a few jobs at a time, and flushing
/// takes more processor time than writing.
const LOAD_JOBS: usize = 4;
const LOAD_WAIT: Duration = Duration::from_micros(400);
const CACHE_KIB: i32 = 8_192;
const CHECKPOINT_PAGES: u32 = 4_000;

/// The minimum and maximum pause after failed batches. Jobs that arrive during a pause are tried
/// together.
const PAUSE_MIN: Duration = Duration::from_millis(50);
const PAUSE_MAX: Duration = Duration::from_secs(1);

pub(super) struct Session {
    pub(super) connection: Connection,
    pub(super) games: GameCache,
    pub(super) heads: PendingEnds,
    slots: Arc<Slots>,
}

impl Session {
    pub(super) fn new(connection: Connection, slots: Arc<Slots>) -> rusqlite::Result<Self> {
        connection.set_prepared_statement_cache_capacity(64);
        connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
        connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
        let games = GameCache::new(Arc::clone(&slots));
        Ok(Self { connection, games, heads: PendingEnds::default(), slots })
    }

    /// Runs jobs in one transaction and answers them. Returns the reason of a failure.
    fn work(&mut self, batch: &mut Vec<Box<dyn Job>>) -> Option<String> {
        let fault = self.write(batch).err().map(|error| error.to_string());
        for job in batch.drain(..) {
            job.answer(fault.as_deref());
        }
        fault
    }

    fn write(&mut self, batch: &mut [Box<dyn Job>]) -> Result<()> {
        let written = self.transaction(batch);
        if written.is_err() {
            self.games.forget_all();
            self.heads = PendingEnds::default();
            // A fault may already have rolled the transaction back.
            if !self.connection.is_autocommit() {
                self.connection.execute_batch("ROLLBACK")?;
            }
        }
        written
    }

    fn transaction(&mut self, batch: &mut [Box<dyn Job>]) -> Result<()> {
        self.connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        for job in batch {
            job.run(self)?;
        }
        self.heads.before_commit(&self.slots);
        self.connection.prepare_cached("COMMIT")?.execute([])?;
        self.heads.after_commit(&self.slots);
        Ok(())
    }
}

pub(super) struct CachedGame {
    pub(super) key: i64,
    pub(super) last: u64,
    pub(super) row: GameRow,
}

/// Games that the writer used recently. There is only one writing thread, so the cache is never
/// stale. But the cache is ahead of the commit, so it must be cleared if a batch fails.
pub(super) struct GameCache {
    games: Generations<String, CachedGame>,
    slots: Arc<Slots>,
}

impl GameCache {
    fn new(slots: Arc<Slots>) -> Self {
        Self { games: Generations::new(CACHED_MIN), slots }
    }

    pub(super) fn get(
        &mut self,
        connection: &Connection,
        game_id: &str,
    ) -> Result<Option<&mut CachedGame>> {
        if self.games.get_mut(game_id).is_none() {
            let Some(known) = read_game(connection, &self.slots, game_id)? else { return Ok(None) };
            self.games.insert(game_id.to_owned(), known);
        }
        Ok(self.games.get_mut(game_id))
    }

    pub(super) fn remember(&mut self, known: CachedGame) {
        self.games.insert(known.row.game_id.clone(), known);
    }

    pub(super) fn forget(&mut self, game_id: &str) {
        self.games.remove(game_id);
    }

    pub(super) fn forget_all(&mut self) {
        self.games.clear();
    }
}

fn read_game(connection: &Connection, slots: &Slots, game_id: &str) -> Result<Option<CachedGame>> {
    let (key, row) = match directory::game(connection, game_id) {
        Ok(found) => found,
        Err(StoreError::NotFound) => return Ok(None),
        Err(error) => return Err(error),
    };
    let last = directory::last(connection, key)?;
    check_end(game_id, last, slots.recorded(key, game_id).unwrap_or(0))?;
    Ok(Some(CachedGame { key, last, row }))
}

trait Job: Send {
    /// Runs the job in the batch's transaction. Every job checks before it writes. A rejected job
    /// has therefore written nothing, and its result is the rejection. The same applies to damage
    /// found before the first write. Any other error is a fault of the store and ends the batch.
    fn run(&mut self, session: &mut Session) -> Result<()>;

    /// Replies to the caller. `fault` is the reason why the batch failed, or `None` if the batch is
    /// durable.
    fn answer(self: Box<Self>, fault: Option<&str>);
}

struct Task<T, F> {
    work: Option<F>,
    done: Option<Result<T>>,
    reply: oneshot::Sender<Result<T>>,
}

impl<T, F> Job for Task<T, F>
where
    T: Send,
    F: FnOnce(&mut Session) -> Result<T> + Send,
{
    fn run(&mut self, session: &mut Session) -> Result<()> {
        let work = self.work.take().expect("a job runs once");
        let before = session.connection.total_changes();
        match work(session) {
            Err(fault @ StoreError::Unavailable(_)) => Err(fault),
            Err(fault @ StoreError::Damaged(_)) if session.connection.total_changes() > before => {
                Err(fault)
            }
            done => {
                self.done = Some(done);
                Ok(())
            }
        }
    }

    fn answer(self: Box<Self>, fault: Option<&str>) {
        let answer = match (fault, self.done) {
            (None, Some(done)) => done,
            (Some(fault), _) => Err(StoreError::Unavailable(fault.to_owned())),
            (None, None) => unreachable!("a batch is committed only when all its jobs ran"),
        };
        // The caller may be gone, but the write is committed anyway.
        let _ = self.reply.send(answer);
    }
}

pub(super) enum Writer {
    Thread(WriterThread),
    /// A database in memory. Its callers write, because there is no flush to share.
    Memory(Arc<Mutex<Session>>),
}

pub(super) struct WriterThread {
    queue: Option<mpsc::Sender<Box<dyn Job>>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(super) fn start(session: Session) -> io::Result<Self> {
        let (queue, jobs) = mpsc::channel(QUEUE_JOBS_MAX);
        let thread = std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(move || Batches { session, jobs, failures: 0 }.run())?;
        Ok(Self::Thread(WriterThread { queue: Some(queue), thread: Some(thread) }))
    }

    pub(super) async fn run<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Session) -> Result<T> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job: Box<dyn Job> = Box::new(Task { work: Some(work), done: None, reply });
        let stopped = || StoreError::Unavailable("the journal's writer has stopped".to_owned());
        match self {
            Self::Thread(WriterThread { queue, .. }) => {
                let queue = queue.as_ref().ok_or_else(stopped)?;
                queue.send(job).await.map_err(|_| stopped())?;
            }
            Self::Memory(session) => drop(locked(session).work(&mut vec![job])),
        }
        answer.await.map_err(|_| stopped())?
    }
}

/// Locks the connection of a database in memory.
pub(super) fn locked(session: &Mutex<Session>) -> MutexGuard<'_, Session> {
    session.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for WriterThread {
    /// Waits until the queued jobs are done, so that the files can be reopened afterwards.
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Batches {
    session: Session,
    jobs: mpsc::Receiver<Box<dyn Job>>,
    failures: u32,
}

impl Batches {
    fn run(mut self) {
        let mut batch = Vec::with_capacity(BATCH_JOBS_MAX);
        let mut before = 0;
        while self.jobs.blocking_recv_many(&mut batch, BATCH_JOBS_MAX) > 0 {
            if before >= LOAD_JOBS {
                self.gather(&mut batch);
            }
            before = batch.len();
            let fault = self.session.work(&mut batch);
            self.report(fault.as_deref(), before);
            if self.failures > 0 {
                std::thread::sleep(pause(self.failures));
            }
        }
    }

    fn gather(&mut self, batch: &mut Vec<Box<dyn Job>>) {
        std::thread::sleep(LOAD_WAIT);
        while batch.len() < BATCH_JOBS_MAX
            && let Ok(job) = self.jobs.try_recv()
        {
            batch.push(job);
        }
    }

    fn report(&mut self, fault: Option<&str>, jobs: usize) {
        match fault {
            Some(fault) if self.failures == 0 => tracing::error!(
                fault,
                writes = jobs,
                "the journal cannot be written, so every order is rejected; check whether the disk \
                 is full"
            ),
            None if self.failures > 0 => tracing::info!("the journal can be written again"),
            _ => {}
        }
        self.failures = if fault.is_some() { self.failures.saturating_add(1) } else { 0 };
        if fault.is_some() {
            metrics::counter!("heliopause_journal_failed_commits_total").increment(1);
        } else {
            metrics::counter!("heliopause_journal_commits_total").increment(1);
            metrics::histogram!("heliopause_journal_batch_writes").record(f64::from(jobs as u32));
        }
    }
}

fn pause(failures: u32) -> Duration {
    PAUSE_MIN.saturating_mul(1 << failures.min(10)).min(PAUSE_MAX)
}
