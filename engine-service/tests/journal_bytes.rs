//! The bytes written per entry, and the time to read a whole game.

use std::sync::Arc;
use std::time::Instant;

use heliopause_engine::store::sqlite::SqliteStore;
use heliopause_engine::store::{Append, Store};

use crate::support;

const GAMES: u64 = 64;
const STEPS: u64 = 150;
const ENTRY_BYTES: usize = 294;
/// The limit on written bytes per entry: a page of the entry table, a page of the table's index,
/// and a margin.
const BYTES_AN_ENTRY: u64 = 9_000;

fn append(game: u64, expected: u64) -> Append {
    support::append(support::row(&format!("g{game:011}")), expected, vec![game as u8; ENTRY_BYTES])
}

fn written() -> u64 {
    let told = std::fs::read_to_string("/proc/self/io").unwrap();
    let line = told.lines().find_map(|line| line.strip_prefix("wchar: ")).unwrap();
    line.parse().unwrap()
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn an_entry_writes_few_pages() {
    let directory = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::open(directory.path(), None).unwrap());
    for game in 0..GAMES {
        store.append(append(game, 0)).await.unwrap();
    }
    let before = written();
    let players = (0..GAMES).map(|game| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            for number in 1..=STEPS {
                store.append(append(game, number)).await.unwrap();
            }
        })
    });
    for player in players.collect::<Vec<_>>() {
        player.await.unwrap();
    }
    let an_entry = (written() - before) / (GAMES * STEPS);
    println!("{an_entry} bytes written for an entry of {ENTRY_BYTES}");
    let begun = Instant::now();
    let entries = store.entries("g00000000007", 0, 100_000, usize::MAX).await.unwrap();
    println!("{} entries of a game read in {:?}", entries.len(), begun.elapsed());
    assert!(an_entry <= BYTES_AN_ENTRY, "{an_entry} bytes written for an entry");
}
