//! The append queue and its group commit: appends that arrive while a batch is written form the
//! next batch.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use deadpool_postgres::{ClientWrapper as Client, Pool};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio_postgres::error::SqlState;

use super::connect::with;
use super::{TIMEOUT, journal, with_timeout};
use crate::store::{Append, Result, StoreError};

const QUEUE_MAX: usize = 4_096;
const BATCH_MAX: usize = 256;
/// Limits the time to write a batch. A single larger append is a batch of its own.
const BATCH_BYTES: usize = 8 << 20;
/// The number of concurrent batches. Blocked batches must leave connections for readers.
const EXECUTORS: usize = 2;
/// The maximum time that a batch delays the next one. Batches that run in sequence are larger and
/// therefore cheaper, but a slow batch must not delay the others.
const DELAYS_NEXT_FOR: Duration = Duration::from_millis(20);
const ATTEMPTS_MAX: usize = 5;

/// The minimum and maximum pause after failed batches. Retrying faster would not help the database
/// recover.
const PAUSE_MIN: Duration = Duration::from_millis(50);
const PAUSE_MAX: Duration = Duration::from_secs(1);

struct QueuedAppend {
    append: Arc<Append>,
    reply: oneshot::Sender<Result<()>>,
}

impl QueuedAppend {
    fn bytes(&self) -> usize {
        self.append.entries.iter().chain(&self.append.snapshot).map(bytes::Bytes::len).sum()
    }
}

pub(super) struct Appender {
    queue: mpsc::Sender<QueuedAppend>,
    failures: Arc<AtomicU32>,
}

impl Appender {
    pub(super) fn start(pool: &Pool) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE_MAX);
        let waiting = Arc::new(Mutex::new(waiting));
        let failures = Arc::new(AtomicU32::new(0));
        for _ in 0..EXECUTORS {
            tokio::spawn(executor(pool.clone(), waiting.clone(), failures.clone()));
        }
        Self { queue, failures }
    }

    pub(super) fn failures(&self) -> Arc<AtomicU32> {
        self.failures.clone()
    }

    pub(super) async fn append(&self, append: Append) -> Result<()> {
        if let Some(text) = texts(&append).find(|text| text.contains('\0')) {
            return Err(StoreError::Damaged(format!(
                "{text:?} contains a NUL, which the database cannot store"
            )));
        }
        let stopped = || StoreError::Unavailable("the journal's writer has stopped".to_owned());
        let (reply, answer) = oneshot::channel();
        self.queue
            .send(QueuedAppend { append: Arc::new(append), reply })
            .await
            .map_err(|_| stopped())?;
        answer.await.map_err(|_| stopped())?
    }
}

/// Returns the strings of an append's row, members and ratings. The database would reject a batch
/// with a NUL in one of them.
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

async fn executor(
    pool: Pool,
    queue: Arc<Mutex<mpsc::Receiver<QueuedAppend>>>,
    failures: Arc<AtomicU32>,
) {
    loop {
        let mut first = queue.lock().await;
        let mut batch = Vec::new();
        if first.recv_many(&mut batch, BATCH_MAX).await == 0 {
            return;
        }
        let mut writing = std::pin::pin!(write_all(&pool, batch, &failures));
        if tokio::time::timeout(DELAYS_NEXT_FOR, &mut writing).await.is_err() {
            drop(first);
            writing.await;
        }
        let failed = failures.load(Ordering::Relaxed);
        if failed > 0 {
            tokio::time::sleep(PAUSE_MIN.saturating_mul(1 << failed.min(10)).min(PAUSE_MAX)).await;
        }
    }
}

async fn write_all(pool: &Pool, mut batch: Vec<QueuedAppend>, failures: &AtomicU32) {
    while !batch.is_empty() {
        let (now, later) = split_batch(batch);
        write(pool, now, failures).await;
        batch = later;
    }
}

/// Returns the next batch and the remaining appends. An append must wait for an earlier append to
/// the same game, because its expected number depends on the earlier append. An append that counts
/// towards a quota must also wait for an earlier append that counts towards the same account,
/// because its count must include the earlier append.
fn split_batch(batch: Vec<QueuedAppend>) -> (Vec<QueuedAppend>, Vec<QueuedAppend>) {
    let (mut games, mut accounts, mut bytes) = (HashSet::new(), HashSet::new(), 0);
    batch.into_iter().partition(|waiting| {
        let append = &waiting.append;
        let fits = bytes == 0 || bytes + waiting.bytes() <= BATCH_BYTES;
        let counts_alone =
            journal::counted_accounts(append).all(|account| !accounts.contains(account));
        let is_next = games.insert(append.row.game_id.clone()) && fits && counts_alone;
        accounts.extend(journal::counted_accounts(append).map(str::to_owned));
        bytes += if is_next { waiting.bytes() } else { 0 };
        is_next
    })
}

async fn write(pool: &Pool, batch: Vec<QueuedAppend>, failures: &AtomicU32) {
    let results = with_timeout(TIMEOUT, try_to_write(pool, &batch)).await;
    match results {
        Ok(results) => {
            failures.store(0, Ordering::Relaxed);
            metrics::counter!("heliopause_journal_commits_total").increment(1);
            metrics::histogram!("heliopause_journal_batch_writes")
                .record(f64::from(batch.len() as u32));
            for (waiting, result) in batch.into_iter().zip(results) {
                // The caller may be gone, but the append is committed anyway.
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

type Results = Vec<Result<()>>;

async fn try_to_write(pool: &Pool, batch: &[QueuedAppend]) -> Result<Results> {
    let appends: Vec<Arc<Append>> = batch.iter().map(|waiting| waiting.append.clone()).collect();
    with(pool, move |client| Box::pin(async move { persist(client, &appends).await })).await
}

async fn persist(client: &Client, appends: &[Arc<Append>]) -> Result<Results> {
    let appends: Vec<&Append> = appends.iter().map(AsRef::as_ref).collect();
    let mut attempt = 1;
    loop {
        match journal::append(client, &appends).await {
            Ok(results) => return Ok(results),
            Err(error) if attempt < ATTEMPTS_MAX && is_retryable(&error) => {
                tokio::time::sleep(Duration::from_millis(
                    u64::from(crate::random::byte() % 16) << attempt,
                ))
                .await;
                attempt += 1;
            }
            // Nothing was written. Append separately, so that only the rejected append fails.
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

/// Returns whether a retry may succeed. This includes errors from concurrent creations of a game.
/// On retry, the loser finds the winner's game.
fn is_retryable(error: &tokio_postgres::Error) -> bool {
    let code = error.code();
    [
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::UNIQUE_VIOLATION,
    ]
    .iter()
    .any(|passing| code == Some(passing))
}
