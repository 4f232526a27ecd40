//! The recorded workload, written with the real store.
//!
//! Each acknowledgement is one write to standard output, so the recorder sees it between the
//! writes to the disk. All contents are derived from names and numbers, so that they can be
//! checked later.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use bytes::Bytes;
use heliopause_engine::backup;
use heliopause_engine::store::sqlite::{DATABASE, SqliteStore};
use heliopause_engine::store::{Account, Append, GameRow, Store, TokenRow};
use heliopause_proto::v1::GameStatus;
use rusqlite::Connection;

/// Number of concurrent games. With several, a commit contains several writes.
const GAMES: u64 = 4;
/// Intervals in steps of a game.
const SNAPSHOT_EVERY: u64 = 10;
const ACCOUNT_EVERY: u64 = 7;
const CHECKPOINT_EVERY: u64 = 40;
const BACKUP_EVERY: u64 = 60;

pub(crate) fn data(folder: &Path) -> PathBuf {
    folder.join("data")
}

/// Returns an entry of a game. Every eighth entry is larger than a page of the database.
pub(crate) fn entry(game: &str, number: u64) -> Bytes {
    let words = if number.is_multiple_of(8) { 300 } else { 6 };
    format!("{game} entry {number}; ").repeat(words).into()
}

pub(crate) fn snapshot(game: &str, number: u64) -> Bytes {
    format!("{game} after {number}; ").repeat(100).into()
}

pub(crate) fn progress(number: u64) -> String {
    format!("entry {number}")
}

fn row(game: &str, number: u64) -> GameRow {
    GameRow {
        game_id: game.to_owned(),
        kind: "starships-at-large".to_owned(),
        name: format!("The game {game}"),
        status: GameStatus::Running as i32,
        seats: 2,
        created: 1,
        progress: progress(number),
        ..GameRow::default()
    }
}

fn append(game: &str, after: u64, count: u64) -> Append {
    let last = after + count;
    Append {
        expected: after,
        entries: (after + 1..=last).map(|number| entry(game, number)).collect(),
        row: row(game, last),
        secret: (after == 0).then_some([7; 32]),
        snapshot: last.is_multiple_of(SNAPSHOT_EVERY).then(|| snapshot(game, last)),
        ..Append::default()
    }
}

pub(crate) async fn append_next(store: &SqliteStore, game: &str, after: u64) -> Result<()> {
    Ok(store.append(append(game, after, 1)).await?)
}

fn account(name: &str) -> (Account, TokenRow) {
    let account = Account::new(format!("id-{name}"), name, 0, 1);
    let mut hash = [0; 32];
    for (byte, letter) in hash.iter_mut().zip(name.bytes()) {
        *byte = letter;
    }
    let token = TokenRow {
        token_id: format!("token-{name}"),
        player_id: account.player_id.clone(),
        name: "first".to_owned(),
        hash,
        created: 1,
    };
    (account, token)
}

pub(crate) async fn write(folder: &Path, steps: u64) -> Result<()> {
    let data = data(folder);
    let store = Arc::new(SqliteStore::open(&data, None)?);
    println!("open");
    let games = (0..GAMES).map(|nth| {
        let (store, folder) = (Arc::clone(&store), folder.to_owned());
        tokio::spawn(async move { play(&store, &folder, nth, steps).await })
    });
    for game in games.collect::<Vec<_>>() {
        game.await??;
    }
    // Closing the last connection moves the log into the database and removes it.
    drop(Arc::into_inner(store).context("the store is still used")?);
    println!("closed");
    Ok(())
}

async fn play(store: &SqliteStore, folder: &Path, nth: u64, steps: u64) -> Result<()> {
    let game = format!("game-{nth}");
    let mut last = 0;
    for step in 1..=steps {
        let count = 1 + (step + nth) % 3;
        store.append(append(&game, last, count)).await?;
        last += count;
        println!("game {game} {last}");
        if step % ACCOUNT_EVERY == nth {
            let name = format!("Player {nth}-{step}");
            let (account, token) = account(&name);
            store.open_account(account, token).await?;
            println!("account {name}");
        }
        let shifted = step + nth * 10;
        if shifted.is_multiple_of(CHECKPOINT_EVERY) {
            checkpoint(folder, shifted / CHECKPOINT_EVERY).await?;
        }
        if shifted.is_multiple_of(BACKUP_EVERY) {
            copy(folder, format!("backup-{nth}-{step}")).await?;
        }
    }
    Ok(())
}

async fn checkpoint(folder: &Path, nth: u64) -> Result<()> {
    let file = data(folder).join(DATABASE);
    let way = ["PASSIVE", "RESTART", "TRUNCATE"][(nth % 3) as usize];
    let moved = tokio::task::spawn_blocking(move || {
        let connection = Connection::open(file)?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        connection.query_row(&format!("PRAGMA wal_checkpoint({way})"), [], |_| Ok(()))
    });
    Ok(moved.await??)
}

async fn copy(folder: &Path, name: String) -> Result<()> {
    println!("backs-up {name}");
    let (data, to) = (data(folder), folder.join(&name));
    tokio::task::spawn_blocking(move || backup::backup(&data, &to)).await??;
    println!("backup {name}");
    Ok(())
}
