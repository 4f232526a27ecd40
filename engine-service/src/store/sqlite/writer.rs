//! The one thread that writes, and its group commit.
//!
//! The disk's flush is what a write costs. So whatever waits when the writer is free is written in
//! one transaction and flushed once; while it flushes, the next batch gathers by itself.

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::heads::{Moves, Slots};
use super::known::KnownGames;
use crate::store::StoreError;

/// How many jobs may wait before those who bring more have to wait themselves.
const QUEUE_JOBS_MAX: usize = 4_096;
/// How many jobs share a commit at most, so that the first of them does not wait for ever.
const BATCH_JOBS_MAX: usize = 512;
/// Under load the writer waits a moment for more jobs: on a quick disk it would otherwise flush for
/// a few jobs at a time, and flushing costs the processor more than writing. It counts as load if
/// so many jobs came together before.
const LOAD_JOBS: usize = 4;
const LOAD_WAIT: Duration = Duration::from_micros(400);
/// How much of the database the writer keeps in memory: the pages at which some thousand games go
/// on.
const CACHE_KIB: i32 = 8_192;
/// How many page changes are left in the write-ahead log before they are moved into the database.
const CHECKPOINT_PAGES: u32 = 4_000;

/// How long the writer rests after a batch that failed, and at most after many: a disk that is full
/// does not become empty by being written to. What waits meanwhile is tried together.
const REST: Duration = Duration::from_millis(50);
const REST_MAX: Duration = Duration::from_secs(1);

/// What a job works with: the connection inside the batch's transaction, what is known of games,
/// and what the batch moves.
pub(super) struct Session {
    pub(super) connection: Connection,
    pub(super) games: KnownGames,
    pub(super) heads: Moves,
}

/// A write that waits for its turn.
trait Job: Send {
    /// Does the work inside the batch's transaction. A refusal is kept for the answer: it has
    /// written nothing, because every job checks before it writes; so is the damage of what a job
    /// read, which is not the others'. An error is a fault of the store, and ends the batch.
    fn run(&mut self, session: &mut Session) -> Result<(), StoreError>;

    /// Answers, once the batch is durable (`None`), or has failed.
    fn answer(self: Box<Self>, fault: Option<&str>);
}

struct Task<T, F> {
    work: Option<F>,
    done: Option<Result<T, StoreError>>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F> Job for Task<T, F>
where
    T: Send,
    F: FnOnce(&mut Session) -> Result<T, StoreError> + Send,
{
    fn run(&mut self, session: &mut Session) -> Result<(), StoreError> {
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
        // Whoever asked may have gone; the write stands all the same.
        let _ = self.reply.send(answer);
    }
}

/// The queue to the writing thread.
pub(super) struct Writer {
    queue: Option<mpsc::Sender<Box<dyn Job>>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(super) fn start(connection: Connection, slots: Arc<Slots>) -> Result<Self, io::Error> {
        connection.set_prepared_statement_cache_capacity(64);
        let prepared = connection
            .pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)
            .and_then(|()| connection.pragma_update(None, "cache_size", -CACHE_KIB));
        prepared.map_err(io::Error::other)?;
        let (queue, jobs) = mpsc::channel(QUEUE_JOBS_MAX);
        let session = Session {
            connection,
            games: KnownGames::new(Arc::clone(&slots)),
            heads: Moves::default(),
        };
        let thread = std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(move || Batches { session, slots, jobs, failures: 0 }.run())?;
        Ok(Self { queue: Some(queue), thread: Some(thread) })
    }

    /// Does a write and answers when it is durable.
    pub(super) async fn run<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&mut Session) -> Result<T, StoreError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job = Box::new(Task { work: Some(work), done: None, reply });
        let stopped = || StoreError::Unavailable("the journal's writer has stopped".to_owned());
        let queue = self.queue.as_ref().ok_or_else(stopped)?;
        queue.send(job).await.map_err(|_| stopped())?;
        answer.await.map_err(|_| stopped())?
    }
}

impl Drop for Writer {
    /// Waits for what is queued, so that whoever drops the store may open its files again.
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Batches {
    session: Session,
    slots: Arc<Slots>,
    jobs: mpsc::Receiver<Box<dyn Job>>,
    /// How many batches failed since the last one that did not.
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
            let fault = self.write(&mut batch).err().map(|error| error.to_string());
            self.report(fault.as_deref(), batch.len());
            for job in batch.drain(..) {
                job.answer(fault.as_deref());
            }
            if self.failures > 0 {
                std::thread::sleep(rest(self.failures));
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

    fn write(&mut self, batch: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
        let written = self.transaction(batch);
        if written.is_err() {
            self.session.games.forget_all();
            self.session.heads = Moves::default();
            // A fault may have rolled the transaction back already.
            if !self.session.connection.is_autocommit() {
                self.session.connection.execute_batch("ROLLBACK")?;
            }
        }
        written
    }

    fn transaction(&mut self, batch: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
        self.session.connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        for job in batch {
            job.run(&mut self.session)?;
        }
        self.session.heads.begin(&self.slots);
        self.session.connection.prepare_cached("COMMIT")?.execute([])?;
        self.session.heads.finish(&self.slots);
        Ok(())
    }

    /// Says once that the store fails and once that it works again, however many writes are refused
    /// in between.
    fn report(&mut self, fault: Option<&str>, jobs: usize) {
        match fault {
            Some(fault) if self.failures == 0 => tracing::error!(
                fault,
                writes = jobs,
                "the journal cannot be written: every order is refused until it can. Is the disk \
                 full?"
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

/// How long the writer rests after so many failures.
fn rest(failures: u32) -> Duration {
    REST.saturating_mul(1 << failures.min(10)).min(REST_MAX)
}
