//! The queue of appends, and their group commit: what comes while a batch is being written makes the next one.

use std::collections::HashSet;
use std::sync::Arc;

use deadpool_postgres::{ClientWrapper as Client, Pool};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio_postgres::error::SqlState;

use super::{PATIENCE, in_time, journal};
use crate::store::{Append, StoreError};

/// How many appends wait before callers wait themselves.
const QUEUE_MAX: usize = 4_096;
/// How many appends are written together.
const BATCH_MAX: usize = 256;
/// How many batches are under way at once: while one waits for the disk the next is read.
const LANES: usize = 2;
/// How often a batch is tried again that the database gave up for the sake of another.
const ATTEMPTS: usize = 5;

/// An append whose caller waits for its answer.
struct Waiting {
    append: Append,
    reply: oneshot::Sender<Result<(), StoreError>>,
}

/// The queue of appends.
pub(super) struct Appender {
    queue: mpsc::Sender<Waiting>,
}

impl Appender {
    pub(super) fn start(pool: &Pool) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE_MAX);
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..LANES {
            tokio::spawn(lane(pool.clone(), waiting.clone()));
        }
        Self { queue }
    }

    /// Appends, and answers when that is durable.
    pub(super) async fn append(&self, append: Append) -> Result<(), StoreError> {
        if let Some(text) = texts(&append).find(|text| text.contains('\0')) {
            return Err(StoreError::Damaged(format!("{text:?} holds a NUL, which the database cannot keep")));
        }
        let stopped = || StoreError::Unavailable("the journal's writer has stopped".to_owned());
        let (reply, answer) = oneshot::channel();
        self.queue.send(Waiting { append, reply }).await.map_err(|_| stopped())?;
        answer.await.map_err(|_| stopped())?
    }
}

/// The texts that are kept as such. One that the database refuses would spoil the appends beside it.
fn texts(append: &Append) -> impl Iterator<Item = &str> {
    let row = &append.row;
    let members = row.members.iter().map(|member| &member.player_id);
    let rated = append.ratings.iter().map(|(player_id, _)| player_id);
    [&row.game_id, &row.kind, &row.name, &row.progress].into_iter().chain(members).chain(rated).map(String::as_str)
}

/// Writes one batch after the other, until nobody can append any more.
async fn lane(pool: Pool, queue: Arc<Mutex<mpsc::Receiver<Waiting>>>) {
    loop {
        let mut batch = Vec::new();
        if queue.lock().await.recv_many(&mut batch, BATCH_MAX).await == 0 {
            return;
        }
        // Of two appends to one game the second waits for the first: they cannot both be what comes next.
        while !batch.is_empty() {
            let mut games = HashSet::new();
            let (now, later): (Vec<Waiting>, Vec<Waiting>) =
                batch.into_iter().partition(|waiting| games.insert(waiting.append.row.game_id.clone()));
            write(&pool, now).await;
            batch = later;
        }
    }
}

async fn write(pool: &Pool, batch: Vec<Waiting>) {
    let results = in_time(PATIENCE, try_to_write(pool, &batch)).await;
    match results {
        Ok(results) => {
            metrics::counter!("heliopause_journal_commits_total").increment(1);
            metrics::histogram!("heliopause_journal_batch_writes").record(f64::from(batch.len() as u32));
            for (waiting, result) in batch.into_iter().zip(results) {
                // Whoever asked may have gone; the append stands all the same.
                let _ = waiting.reply.send(result);
            }
        }
        Err(error) => {
            metrics::counter!("heliopause_journal_failed_commits_total").increment(1);
            let text = error.to_string();
            for waiting in batch {
                let _ = waiting.reply.send(Err(StoreError::Unavailable(text.clone())));
            }
        }
    }
}

async fn try_to_write(pool: &Pool, batch: &[Waiting]) -> Result<Vec<Result<(), StoreError>>, StoreError> {
    let appends: Vec<&Append> = batch.iter().map(|waiting| &waiting.append).collect();
    let mut attempt = 1;
    loop {
        let client = pool.get().await?;
        match journal::append(&client, &appends).await {
            Ok(results) => return Ok(results),
            Err(error) if attempt < ATTEMPTS && is_passing(&error) => attempt += 1,
            // The database refused something of it, so nothing is written: whatever it was, the others are not to suffer.
            Err(error) if appends.len() > 1 && error.code().is_some() => return Ok(one_by_one(&client, &appends).await),
            Err(error) => return Err(error.into()),
        }
    }
}

async fn one_by_one(client: &Client, appends: &[&Append]) -> Vec<Result<(), StoreError>> {
    let mut results = Vec::with_capacity(appends.len());
    for append in appends {
        let written = journal::append(client, &[append]).await;
        results.push(written.map_err(StoreError::from).and_then(|mut results| results.remove(0)));
    }
    results
}

/// Whether the database gave a batch up for the sake of another: nothing of it is written, and it may be tried again.
fn is_passing(error: &tokio_postgres::Error) -> bool {
    matches!(error.code(), Some(&SqlState::T_R_DEADLOCK_DETECTED | &SqlState::T_R_SERIALIZATION_FAILURE))
}
