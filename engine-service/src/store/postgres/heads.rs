//! Lookups of the ends of journals. Every read of a game needs a lookup, so concurrent lookups are
//! batched.

use std::collections::HashMap;
use std::sync::Arc;

use deadpool_postgres::{ClientWrapper as Client, Pool};
use tokio::sync::{Mutex, mpsc, oneshot};

use super::connect::with;
use super::{TIMEOUT, rows, to_u64, with_timeout};
use crate::store::{ENDED_STATUSES, End, Result, StoreError};

const QUEUE_MAX: usize = 4_096;
/// With more than one executor, a slow batch does not delay all lookups.
const EXECUTORS: usize = 2;
const BATCH_MAX: usize = 1_024;

type Lookup = (String, oneshot::Sender<Result<End>>);

pub(super) struct Heads {
    queue: mpsc::Sender<Lookup>,
}

impl Heads {
    pub(super) fn start(pool: &Pool) -> Self {
        let (queue, questions) = mpsc::channel(QUEUE_MAX);
        let questions = Arc::new(Mutex::new(questions));
        for _ in 0..EXECUTORS {
            tokio::spawn(executor(pool.clone(), questions.clone()));
        }
        Self { queue }
    }

    pub(super) async fn head(&self, game_id: String) -> Result<End> {
        if game_id.contains('\0') {
            // PostgreSQL cannot store NUL, and one such id would make the whole batch fail.
            return Err(StoreError::NotFound);
        }
        let stopped = || StoreError::Unavailable("the store has stopped".to_owned());
        let (reply, answer) = oneshot::channel();
        self.queue.send((game_id, reply)).await.map_err(|_| stopped())?;
        answer.await.map_err(|_| stopped())?
    }
}

async fn executor(pool: Pool, questions: Arc<Mutex<mpsc::Receiver<Lookup>>>) {
    let mut together = Vec::new();
    while questions.lock().await.recv_many(&mut together, BATCH_MAX).await > 0 {
        answer(&pool, std::mem::take(&mut together)).await;
    }
}

async fn answer(pool: &Pool, questions: Vec<Lookup>) {
    let games: Vec<String> = questions.iter().map(|(game_id, _)| game_id.clone()).collect();
    let asked = with_timeout(
        TIMEOUT,
        with(pool, move |client| Box::pin(async move { of_games(client, &games).await })),
    )
    .await;
    for (game_id, reply) in questions {
        let answer = match &asked {
            Ok(heads) => heads.get(&game_id).copied().ok_or(StoreError::NotFound),
            Err(error) => Err(StoreError::Unavailable(error.to_string())),
        };
        let _ = reply.send(answer);
    }
}

async fn of_games(client: &Client, games: &[String]) -> Result<HashMap<String, End>> {
    let sql = "SELECT game_id, last, tag FROM game WHERE game_id = ANY ($1)";
    let rows = rows(client, sql, &[&games]).await?;
    Ok(rows.iter().map(|row| (row.get(0), end(row))).collect())
}

fn end(row: &tokio_postgres::Row) -> End {
    End { last: to_u64(row.get(1)), tag: row.get(2) }
}

pub(super) async fn of(
    client: &Client,
    games: &[String],
    players: &[String],
) -> Result<Vec<(String, End)>> {
    let [ended, canceled] = ENDED_STATUSES;
    let sql = format!(
        "SELECT game_id, last, tag FROM game WHERE game_id = ANY ($1)
         UNION
         SELECT g.game_id, g.last, g.tag FROM member m JOIN game g ON g.game_id = m.game_id
         WHERE m.player_id = ANY ($2) AND g.status NOT IN ({ended}, {canceled})"
    );
    let rows = rows(client, &sql, &[&games, &players]).await?;
    Ok(rows.iter().map(|row| (row.get(0), end(row))).collect())
}

pub(super) async fn among(
    client: &Client,
    games: &[String],
    players: &[String],
) -> Result<Vec<(String, End)>> {
    let sql = "SELECT g.game_id, g.last, g.tag FROM game g WHERE g.game_id = ANY ($1) AND EXISTS (
                   SELECT 1 FROM member m WHERE m.game_id = g.game_id AND m.player_id = ANY ($2))";
    let rows = rows(client, sql, &[&games, &players]).await?;
    Ok(rows.iter().map(|row| (row.get(0), end(row))).collect())
}
