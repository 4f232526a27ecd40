//! The queue of appends, and their group commit: what comes while a batch is being written makes
//! the next one.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use deadpool_postgres::{ClientWrapper as Client, Pool};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio_postgres::error::SqlState;

use super::connect::with;
use super::{PATIENCE, in_time, journal};
use crate::store::{Append, StoreError};

/// How many appends wait before callers wait themselves.
const QUEUE_MAX: usize = 4_096;
/// How many appends are written together.
const BATCH_MAX: usize = 256;
/// How many bytes are written together, unless one append alone is larger: more would take too
/// long.
const BATCH_BYTES: usize = 8 << 20;
/// How many batches are under way at most: whatever holds them up must leave connections to those
/// who read.
const LANES: usize = 2;
/// How long a batch keeps the next one waiting. One after the other they are large, and a large
/// batch costs hardly more than a small one; but what is slow, or waits for another engine, must
/// not hold up all the rest.
const HOLDS_UP: Duration = Duration::from_millis(20);
/// How often a batch is tried again that the database gave up for the sake of another.
const ATTEMPTS: usize = 5;

/// How long a lane rests after a batch that failed, and at most after many: what ails the database
/// does not pass by being asked more often.
const REST: Duration = Duration::from_millis(50);
const REST_MAX: Duration = Duration::from_secs(1);

/// An append whose caller waits for its answer.
struct Waiting {
    append: Arc<Append>,
    reply: oneshot::Sender<Result<(), StoreError>>,
}

impl Waiting {
    fn bytes(&self) -> usize {
        self.append.entries.iter().chain(&self.append.snapshot).map(bytes::Bytes::len).sum()
    }
}

/// The queue of appends.
pub(super) struct Appender {
    queue: mpsc::Sender<Waiting>,
    failures: Arc<AtomicU32>,
}

impl Appender {
    pub(super) fn start(pool: &Pool) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE_MAX);
        let waiting = Arc::new(Mutex::new(waiting));
        let failures = Arc::new(AtomicU32::new(0));
        for _ in 0..LANES {
            tokio::spawn(lane(pool.clone(), waiting.clone(), failures.clone()));
        }
        Self { queue, failures }
    }

    /// How many commits failed since the last one that did not.
    pub(super) fn failures(&self) -> Arc<AtomicU32> {
        self.failures.clone()
    }

    /// Appends, and answers when that is durable.
    pub(super) async fn append(&self, append: Append) -> Result<(), StoreError> {
        if let Some(text) = texts(&append).find(|text| text.contains('\0')) {
            return Err(StoreError::Damaged(format!(
                "{text:?} holds a NUL, which the database cannot keep"
            )));
        }
        let stopped = || StoreError::Unavailable("the journal's writer has stopped".to_owned());
        let (reply, answer) = oneshot::channel();
        self.queue
            .send(Waiting { append: Arc::new(append), reply })
            .await
            .map_err(|_| stopped())?;
        answer.await.map_err(|_| stopped())?
    }
}

/// The texts that are kept as such. One that the database refuses would spoil the appends beside
/// it.
fn texts(append: &Append) -> impl Iterator<Item = &str> {
    let row = &append.row;
    let members = row.members.iter().map(|member| &member.player_id);
    let rated = append.ratings.iter().map(|(player_id, _)| player_id);
    [&row.game_id, &row.kind, &row.name, &row.progress, &row.host]
        .into_iter()
        .chain(members)
        .chain(rated)
        .map(String::as_str)
}

/// Writes one batch after the other, until nobody can append any more.
async fn lane(pool: Pool, queue: Arc<Mutex<mpsc::Receiver<Waiting>>>, failures: Arc<AtomicU32>) {
    loop {
        let mut first = queue.lock().await;
        let mut batch = Vec::new();
        if first.recv_many(&mut batch, BATCH_MAX).await == 0 {
            return;
        }
        let mut writing = std::pin::pin!(write_all(&pool, batch, &failures));
        if tokio::time::timeout(HOLDS_UP, &mut writing).await.is_err() {
            drop(first);
            writing.await;
        }
        let failed = failures.load(Ordering::Relaxed);
        if failed > 0 {
            tokio::time::sleep(REST.saturating_mul(1 << failed.min(10)).min(REST_MAX)).await;
        }
    }
}

async fn write_all(pool: &Pool, mut batch: Vec<Waiting>, failures: &AtomicU32) {
    while !batch.is_empty() {
        let (now, later) = part(batch);
        write(pool, now, failures).await;
        batch = later;
    }
}

/// What is written next, and what comes after it. Of two appends to one game the second waits for
/// the first: they cannot both be what comes next. So does the second of two that count for the
/// same account: it must be counted with the first.
fn part(batch: Vec<Waiting>) -> (Vec<Waiting>, Vec<Waiting>) {
    let (mut games, mut accounts, mut bytes) = (HashSet::new(), HashSet::new(), 0);
    batch.into_iter().partition(|waiting| {
        let append = &waiting.append;
        let fits = bytes == 0 || bytes + waiting.bytes() <= BATCH_BYTES;
        let counts_alone = journal::concerned(append).all(|account| !accounts.contains(account));
        let is_next = games.insert(append.row.game_id.clone()) && fits && counts_alone;
        accounts.extend(journal::concerned(append).map(str::to_owned));
        bytes += if is_next { waiting.bytes() } else { 0 };
        is_next
    })
}

async fn write(pool: &Pool, batch: Vec<Waiting>, failures: &AtomicU32) {
    let results = in_time(PATIENCE, try_to_write(pool, &batch)).await;
    match results {
        Ok(results) => {
            failures.store(0, Ordering::Relaxed);
            metrics::counter!("heliopause_journal_commits_total").increment(1);
            metrics::histogram!("heliopause_journal_batch_writes")
                .record(f64::from(batch.len() as u32));
            for (waiting, result) in batch.into_iter().zip(results) {
                // Whoever asked may have gone; the append stands all the same.
                let _ = waiting.reply.send(result);
            }
        }
        Err(error) => {
            failures.fetch_add(1, Ordering::Relaxed);
            metrics::counter!("heliopause_journal_failed_commits_total").increment(1);
            let text = error.to_string();
            for waiting in batch {
                let _ = waiting.reply.send(Err(StoreError::Unavailable(text.clone())));
            }
        }
    }
}

type Results = Vec<Result<(), StoreError>>;

async fn try_to_write(pool: &Pool, batch: &[Waiting]) -> Result<Results, StoreError> {
    let appends: Vec<Arc<Append>> = batch.iter().map(|waiting| waiting.append.clone()).collect();
    with(pool, move |client| Box::pin(async move { persist(client, &appends).await })).await
}

async fn persist(client: &Client, appends: &[Arc<Append>]) -> Result<Results, StoreError> {
    let appends: Vec<&Append> = appends.iter().map(AsRef::as_ref).collect();
    let mut attempt = 1;
    loop {
        match journal::append(client, &appends).await {
            Ok(results) => return Ok(results),
            Err(error) if attempt < ATTEMPTS && is_passing(&error) => {
                // Not all at once again.
                tokio::time::sleep(Duration::from_millis(
                    u64::from(crate::fresh::byte() % 16) << attempt,
                ))
                .await;
                attempt += 1;
            }
            // The database refused something of it, so nothing is written: whatever it was, the
            // others are not to suffer.
            Err(error) if appends.len() > 1 && error.code().is_some() => {
                return Ok(one_by_one(client, &appends).await);
            }
            Err(error) => return Err(error.into()),
        }
    }
}

async fn one_by_one(client: &Client, appends: &[&Append]) -> Results {
    let mut results = Vec::with_capacity(appends.len());
    for append in appends {
        let written = journal::append(client, &[append]).await;
        results.push(written.map_err(StoreError::from).and_then(|mut results| results.remove(0)));
    }
    results
}

/// Whether the database gave a batch up for the sake of another: nothing of it is written, and it
/// may be tried again. Two that create the same game come to this too; the second time the loser
/// sees it.
fn is_passing(error: &tokio_postgres::Error) -> bool {
    let code = error.code();
    [
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::UNIQUE_VIOLATION,
    ]
    .iter()
    .any(|passing| code == Some(passing))
}
