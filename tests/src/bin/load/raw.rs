//! The baseline for appends of the same size: raw SQLite with group commit, or plain inserts into
//! PostgreSQL.

use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use bytes::Bytes;
use rusqlite::{Connection, OpenFlags, params};
use tempfile::TempDir;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio_postgres::{Client, NoTls};

use crate::figures::IN_FLIGHT;
use crate::measure::calls_per_second;

/// The number of connections to PostgreSQL.
const CONNECTIONS: usize = 2;

type Append = (u64, u64, Bytes, oneshot::Sender<()>);

pub(crate) struct RawJournal {
    sender: Option<mpsc::Sender<Append>>,
    /// The thread that writes to SQLite, and its directory.
    sqlite: Option<(JoinHandle<()>, TempDir)>,
}

impl RawJournal {
    /// Opens a journal in a new directory on this disk, or in the database at this address.
    pub(crate) async fn open(place: &str) -> Self {
        let (sender, receiver) = mpsc::channel(4_096);
        let sender = Some(sender);
        if place.starts_with("postgres://") {
            let sql = "CREATE TABLE IF NOT EXISTS entry (game bigint, number bigint, body bytea, \
                PRIMARY KEY (game, number))";
            connect(place).await.batch_execute(sql).await.expect("a table can be made");
            let receiver = Arc::new(Mutex::new(receiver));
            for _ in 0..CONNECTIONS {
                tokio::spawn(insert(connect(place).await, receiver.clone()));
            }
            return Self { sender, sqlite: None };
        }
        let directory = tempfile::tempdir_in(place).expect("a temporary directory");
        let path = directory.path().join("raw.db");
        let writer = std::thread::spawn(move || write(&path, receiver).expect("SQLite works"));
        Self { sender, sqlite: Some((writer, directory)) }
    }

    pub(crate) async fn append(&self, game: u64, number: u64, entry: Bytes) {
        let (reply, answer) = oneshot::channel();
        let sender = self.sender.as_ref().expect("open until it is dropped");
        sender.send((game, number, entry, reply)).await.expect("the writer runs");
        answer.await.expect("the writer answers");
    }

    /// Measures appends per second to games with numbers from `first` on.
    pub(crate) async fn appends_per_second(
        place: &str,
        first: u64,
        bytes: usize,
        time: Duration,
    ) -> f64 {
        let journal = Arc::new(Self::open(place).await);
        let entry = Bytes::from(vec![7; bytes]);
        let places = (0..IN_FLIGHT as u64).map(|game| (first + game, 1)).collect();
        let append = move |(game, number): (u64, u64)| {
            let (journal, entry) = (journal.clone(), entry.clone());
            async move {
                journal.append(game, number, entry).await;
                (game, number + 1)
            }
        };
        calls_per_second(places, time, append).await.0
    }
}

impl Drop for RawJournal {
    fn drop(&mut self) {
        self.sender = None;
        if let Some((writer, _)) = self.sqlite.take() {
            writer.join().expect("the writer ends");
        }
    }
}

fn write(path: &Path, mut receiver: mpsc::Receiver<Append>) -> rusqlite::Result<()> {
    let connection = Connection::open(path)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000;
         CREATE TABLE entry (game INTEGER, number INTEGER, body BLOB, PRIMARY KEY (game, number)) WITHOUT ROWID",
    )?;
    let mut batch = Vec::new();
    while receiver.blocking_recv_many(&mut batch, 512) > 0 {
        connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        for (game, number, entry, _) in &batch {
            let mut insert = connection.prepare_cached("INSERT INTO entry VALUES (?1, ?2, ?3)")?;
            insert.execute(params![game.cast_signed(), number.cast_signed(), &entry[..]])?;
        }
        connection.prepare_cached("COMMIT")?.execute([])?;
        answer_all(&mut batch);
    }
    Ok(())
}

async fn connect(address: &str) -> Client {
    let (client, connection) =
        tokio_postgres::connect(address, NoTls).await.expect("the database is there");
    tokio::spawn(connection);
    client
}

async fn insert(client: Client, receiver: Arc<Mutex<mpsc::Receiver<Append>>>) {
    let sql = "INSERT INTO entry SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[])";
    let statement = client.prepare(sql).await.expect("a good statement");
    let mut batch = Vec::new();
    while receiver.lock().await.recv_many(&mut batch, 256).await > 0 {
        let games: Vec<i64> = batch.iter().map(|append: &Append| append.0.cast_signed()).collect();
        let numbers: Vec<i64> = batch.iter().map(|append| append.1.cast_signed()).collect();
        let bodies: Vec<&[u8]> = batch.iter().map(|append| &append.2[..]).collect();
        let inserted = client.execute(&statement, &[&games, &numbers, &bodies]).await;
        inserted.expect("rows can be inserted");
        answer_all(&mut batch);
    }
}

fn answer_all(batch: &mut Vec<Append>) {
    for (.., reply) in batch.drain(..) {
        reply.send(()).expect("whoever appends waits");
    }
}

/// Returns the average size of entries, without the first eight of each game.
pub(crate) fn entry_bytes(data: &Path) -> usize {
    let file = data.join("heliopause.db");
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .expect("the engine's database");
    let sql = "SELECT avg(length(body)) FROM entry WHERE number > 8";
    let average: f64 = connection.query_row(sql, [], |row| row.get(0)).expect("entries");
    average.round() as usize
}
