//! Raw SQLite with group commit: the baseline for appends of the same size.

use std::path::Path;
use std::thread::JoinHandle;

use bytes::Bytes;
use rusqlite::{Connection, OpenFlags, params};
use tempfile::TempDir;
use tokio::sync::{mpsc, oneshot};

type Append = (u64, u64, Bytes, oneshot::Sender<()>);

pub(crate) struct RawJournal {
    sender: Option<mpsc::Sender<Append>>,
    writer: Option<JoinHandle<()>>,
    _directory: TempDir,
}

impl RawJournal {
    pub(crate) fn open(disk: &Path) -> Self {
        let directory = tempfile::tempdir_in(disk).expect("a temporary directory");
        let (sender, receiver) = mpsc::channel(4_096);
        let path = directory.path().join("raw.db");
        let writer = std::thread::spawn(move || write(&path, receiver).expect("SQLite works"));
        Self { sender: Some(sender), writer: Some(writer), _directory: directory }
    }

    pub(crate) async fn append(&self, game: u64, number: u64, entry: Bytes) {
        let (reply, answer) = oneshot::channel();
        let sender = self.sender.as_ref().expect("open until it is dropped");
        sender.send((game, number, entry, reply)).await.expect("the writer runs");
        answer.await.expect("the writer answers");
    }
}

impl Drop for RawJournal {
    fn drop(&mut self) {
        self.sender = None;
        if let Some(writer) = self.writer.take() {
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
        for (.., reply) in batch.drain(..) {
            reply.send(()).expect("whoever appends waits");
        }
    }
    Ok(())
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
