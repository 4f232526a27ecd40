//! The only writing thread and its group commit.
//!
//! The main cost of a write is the disk flush. So all jobs that are waiting when the writer is free
//! share a transaction and a flush. Meanwhile the next batch accumulates.

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::heads::{PendingEnds, Slots};
use super::known::GameCache;
use crate::store::{Result, StoreError};

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
            games: GameCache::new(Arc::clone(&slots)),
            heads: PendingEnds::default(),
        };
        let thread = std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(move || Batches { session, slots, jobs, failures: 0 }.run())?;
        Ok(Self { queue: Some(queue), thread: Some(thread) })
    }

    pub(super) async fn run<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Session) -> Result<T> + Send + 'static,
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
    slots: Arc<Slots>,
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
            let fault = self.write(&mut batch).err().map(|error| error.to_string());
            self.report(fault.as_deref(), batch.len());
            for job in batch.drain(..) {
                job.answer(fault.as_deref());
            }
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

    fn write(&mut self, batch: &mut [Box<dyn Job>]) -> Result<()> {
        let written = self.transaction(batch);
        if written.is_err() {
            self.session.games.forget_all();
            self.session.heads = PendingEnds::default();
            // A fault may already have rolled the transaction back.
            if !self.session.connection.is_autocommit() {
                self.session.connection.execute_batch("ROLLBACK")?;
            }
        }
        written
    }

    fn transaction(&mut self, batch: &mut [Box<dyn Job>]) -> Result<()> {
        self.session.connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        for job in batch {
            job.run(&mut self.session)?;
        }
        self.session.heads.before_commit(&self.slots);
        self.session.connection.prepare_cached("COMMIT")?.execute([])?;
        self.session.heads.after_commit(&self.slots);
        Ok(())
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
