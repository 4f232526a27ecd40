//! A conformance suite for implementations of [`Store`].
//!
//! ```
//! # use std::sync::Arc;
//! # use heliopause_engine::store::{conformance, sqlite::SqliteStore};
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! conformance::conformance(|| Arc::new(SqliteStore::in_memory())).await;
//! # });
//! ```

mod accounts;
mod directory;
mod journal;
mod outgoing;
mod records;

use std::fmt::Debug;
use std::sync::Arc;

use bytes::Bytes;

use super::{Append, GameRow, Member, Store, StoreError};
use crate::store::Result;

/// Runs every case against a new, empty store from `make`. Panics if a case fails.
pub async fn conformance(make: impl Fn() -> Arc<dyn Store>) {
    journal::all(&make).await;
    directory::all(&make).await;
    accounts::all(&make).await;
    outgoing::all(&make).await;
    records::all(&make).await;
}

/// Runs an operation `times` times at once. Returns the results in the order of the operations.
async fn race<T, R>(
    store: &Arc<dyn Store>,
    times: usize,
    run: impl Fn(Arc<dyn Store>, usize) -> R,
) -> Vec<T>
where
    T: Send + 'static,
    R: Future<Output = T> + Send + 'static,
{
    let racers: Vec<_> =
        (0..times).map(|racer| tokio::spawn(run(Arc::clone(store), racer))).collect();
    let mut results = Vec::with_capacity(times);
    for racer in racers {
        results.push(racer.await.expect("an operation does not panic"));
    }
    results
}

fn row(game_id: &str, created: i64) -> GameRow {
    GameRow {
        game_id: game_id.to_owned(),
        kind: "chess".to_owned(),
        name: format!("The game {game_id}"),
        status: heliopause_proto::v1::GameStatus::Running as i32,
        seats: 2,
        created,
        progress: "move 1".to_owned(),
        ..GameRow::default()
    }
}

fn member(player_id: &str, seat: u32) -> Member {
    Member {
        player_id: player_id.to_owned(),
        seat,
        invited: false,
        your_decision: false,
        deadline: None,
    }
}

fn entry(text: &str) -> Bytes {
    Bytes::copy_from_slice(text.as_bytes())
}

fn creation(row: GameRow) -> Append {
    let entries = vec![entry("created")];
    Append { entries, row, secret: Some([7; 32]), ..Append::default() }
}

fn step(row: GameRow, expected: u64, text: &str) -> Append {
    Append { expected, entries: vec![entry(text)], row, ..Append::default() }
}

async fn create(store: &dyn Store, row: GameRow) {
    store.append(creation(row)).await.expect("a new game can be created");
}

async fn journal_of(store: &dyn Store, game_id: &str) -> Vec<Bytes> {
    store.entries(game_id, 0, 10_000, usize::MAX).await.expect("the journal can be read")
}

fn assert_lost<T: Debug>(result: &Result<T>, at: u64) {
    assert!(
        matches!(result, Err(StoreError::LostRace { actual, .. }) if *actual == at),
        "{result:?}, not lost at {at}"
    );
}

fn assert_taken<T: Debug>(result: &Result<T>) {
    assert!(matches!(result, Err(StoreError::Taken)), "{result:?} instead of Taken");
}

fn assert_not_found<T: Debug>(result: &Result<T>) {
    assert!(matches!(result, Err(StoreError::NotFound)), "{result:?} instead of NotFound");
}
