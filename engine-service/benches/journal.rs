//! Append throughput of the journal, compared with plain SQLite with group commit and the same
//! bytes: `cargo bench --bench journal`.
//!
//! Both benchmarks keep 64 appends in flight over 256 games. They run in one process, one after the
//! other, on the same disk.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use heliopause_engine::store::sqlite::SqliteStore;
use heliopause_engine::store::{Append, GameQuery, GameRow, Member, Store};
use rusqlite::{Connection, params};
use tokio::sync::{mpsc, oneshot};

const IN_FLIGHT: u64 = 64;
const GAMES: u64 = 256;
const ENTRY_BYTES: usize = 512;
const TIME: Duration = Duration::from_secs(3);
const ROUNDS: usize = 3;

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    println!("{IN_FLIGHT} appends of {ENTRY_BYTES} bytes in flight over {GAMES} games");
    for round in 1..=ROUNDS {
        let raw = runtime.block_on(raw_appends());
        let store = runtime.block_on(store_appends(false));
        let moving = runtime.block_on(store_appends(true));
        println!(
            "round {round}: raw {raw:.0}/s, store {store:.0}/s ({:.0} %), store with a changing \
             directory {moving:.0}/s \
             ({:.0} %)",
            100.0 * store / raw,
            100.0 * moving / raw
        );
    }
    runtime.block_on(cold_start());
}

/// Runs `IN_FLIGHT` loops of `append(game, number)` on separate games. Returns appends per second.
async fn measure<F, A>(append: F) -> f64
where
    F: Fn(u64, u64) -> A + Clone + Send + 'static,
    A: Future<Output = ()> + Send,
{
    let done = Arc::new(AtomicU32::new(0));
    let begin = Instant::now();
    let loops: Vec<_> = (0..IN_FLIGHT)
        .map(|first| {
            let (append, done) = (append.clone(), Arc::clone(&done));
            tokio::spawn(async move {
                for number in 1.. {
                    for game in (first..GAMES).step_by(IN_FLIGHT as usize) {
                        append(game, number).await;
                        done.fetch_add(1, Ordering::Relaxed);
                        if begin.elapsed() > TIME {
                            return;
                        }
                    }
                }
            })
        })
        .collect();
    for one in loops {
        one.await.unwrap();
    }
    f64::from(done.load(Ordering::Relaxed)) / begin.elapsed().as_secs_f64()
}

async fn raw_appends() -> f64 {
    let directory = tempfile::tempdir().unwrap();
    let (sender, receiver) = mpsc::channel(4_096);
    let path = directory.path().join("raw.db");
    let writer = std::thread::spawn(move || raw_writer(&path, receiver));
    let entry = Bytes::from(vec![7; ENTRY_BYTES]);
    let rate = measure(move |game, number| {
        let (sender, entry) = (sender.clone(), entry.clone());
        async move {
            let (reply, answer) = oneshot::channel();
            sender.send((game, number, entry, reply)).await.unwrap();
            answer.await.unwrap();
        }
    })
    .await;
    writer.join().unwrap();
    rate
}

type RawAppend = (u64, u64, Bytes, oneshot::Sender<()>);

fn raw_writer(path: &Path, mut receiver: mpsc::Receiver<RawAppend>) {
    let connection = Connection::open(path).unwrap();
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000;
             CREATE TABLE entry (game INTEGER, number INTEGER, body BLOB, PRIMARY KEY (game, number)) WITHOUT ROWID",
        )
        .unwrap();
    let mut batch = Vec::new();
    while receiver.blocking_recv_many(&mut batch, 512) > 0 {
        connection.prepare_cached("BEGIN IMMEDIATE").unwrap().execute([]).unwrap();
        for (game, number, entry, _) in &batch {
            let mut insert =
                connection.prepare_cached("INSERT INTO entry VALUES (?1, ?2, ?3)").unwrap();
            insert.execute(params![game.cast_signed(), number.cast_signed(), &entry[..]]).unwrap();
        }
        connection.prepare_cached("COMMIT").unwrap().execute([]).unwrap();
        for (.., reply) in batch.drain(..) {
            reply.send(()).unwrap();
        }
    }
}

fn row(game: u64) -> GameRow {
    let member = |seat| Member {
        player_id: format!("p-{game}-{seat}"),
        seat,
        invited: false,
        your_decision: false,
        deadline: None,
    };
    GameRow {
        game_id: format!("game-{game:05}"),
        kind: "starships-at-large".to_owned(),
        name: "A game".to_owned(),
        status: 3,
        created: game.cast_signed(),
        progress: "round 1 of 12".to_owned(),
        members: vec![member(1), member(2)],
        ..GameRow::default()
    }
}

fn creation(game: u64) -> Append {
    let entries = vec![Bytes::from(vec![7; ENTRY_BYTES])];
    Append { entries, row: row(game), secret: Some([1; 32]), ..Append::default() }
}

async fn store_appends(moving: bool) -> f64 {
    let directory = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::open(directory.path(), None).unwrap());
    for game in 0..GAMES {
        store.append(creation(game)).await.unwrap();
    }
    let entry = Bytes::from(vec![7; ENTRY_BYTES]);
    measure(move |game, number| {
        let mut row = row(game);
        if moving {
            row.members[(number % 2) as usize].your_decision = true;
        }
        let entries = vec![entry.clone()];
        let append = Append { expected: number, entries, row, ..Append::default() };
        let store = Arc::clone(&store);
        async move { store.append(append).await.unwrap() }
    })
    .await
}

async fn cold_start() {
    let directory = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::open(directory.path(), None).unwrap());
    let creations: Vec<_> = (0..10_000)
        .map(|game| {
            let store = Arc::clone(&store);
            tokio::spawn(async move { store.append(creation(game)).await.unwrap() })
        })
        .collect();
    for created in creations {
        created.await.unwrap();
    }
    drop(store);
    let begin = Instant::now();
    let store = SqliteStore::open(directory.path(), None).unwrap();
    store.due(100).await.unwrap();
    store.waiting_for_automation("", 100).await.unwrap();
    store.games(GameQuery { limit: 50, ..GameQuery::default() }).await.unwrap();
    println!("cold start with 10,000 games: {:.1} ms", begin.elapsed().as_secs_f64() * 1_000.0);
}
