//! Moves all data from the embedded store into a database that several engines share.
//!
//! Every game is read back and compared entry by entry, and its hash chain is recomputed. Accounts
//! are moved last. Engines do not start on an incomplete copy, because it is marked.

use std::path::Path;

use crate::store::postgres::{self, PostgresStore};
use crate::store::sqlite::{self, DATABASE, SqliteStore};
use crate::store::{
    Append, End, GameQuery, GameRow, Record, RecordChange, Result, Store, StoreError,
};
use crate::verify::Chain;
use futures_util::stream::{self, StreamExt as _};

const GAMES: usize = 256;
const CONCURRENT_GAMES: usize = 8;
const ENTRIES: usize = 512;
const ENTRIES_BYTES: usize = 4 << 20;

#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    #[error("{0} contains no database: give the engine's directory with --from sqlite:DIR")]
    NoDatabase(String),
    #[error("--to: {0}")]
    To(#[from] postgres::OpenError),
    #[error(
        "reading the source or writing to the target failed. The source is unchanged. Empty the \
         target and start again."
    )]
    Store(#[from] StoreError),
    #[error(transparent)]
    Open(#[from] sqlite::OpenError),
    #[error(
        "game {game_id}: {what}. Do not use the target. Check the source with `engine-service \
         verify`, empty the target, and start again."
    )]
    Different { game_id: String, what: String },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Migrated {
    pub accounts: usize,
    pub games: usize,
    pub entries: u64,
}

/// Moves a data directory into a new database. Awaits `to` only after the embedded store is open.
pub async fn migrate(
    from: &Path,
    to: impl Future<Output = Result<PostgresStore, postgres::OpenError>>,
) -> Result<Migrated, MigrateError> {
    if !from.join(DATABASE).is_file() {
        return Err(MigrateError::NoDatabase(from.display().to_string()));
    }
    let from = SqliteStore::open(from, None)?;
    let to = &to.await?;
    let mut moved = Migrated::default();
    let mut after = None;
    loop {
        let query = GameQuery { limit: GAMES, after: after.take(), ..GameQuery::default() };
        let rows = from.games(query).await?;
        let Some(last) = rows.last() else { break };
        after = Some((last.created, last.game_id.clone()));
        let mut moves = stream::iter(rows)
            .map(|row| move_game(&from, to, row))
            .buffer_unordered(CONCURRENT_GAMES);
        while let Some(entries) = moves.next().await {
            moved.entries += entries?;
            moved.games += 1;
        }
    }
    moved.accounts = move_accounts(&from, to).await?;
    Ok(moved)
}

async fn move_accounts(from: &SqliteStore, to: &PostgresStore) -> Result<usize> {
    let mut all_accounts = Vec::new();
    for account in from.all_accounts().await? {
        let tokens = from.tokens(&account.player_id).await?;
        all_accounts.push((account, tokens));
    }
    for some in from.all_records().await?.chunks(GAMES) {
        let create = |record: &Record| {
            RecordChange::create(&record.space, &record.id, &record.key, record.body.clone())
        };
        to.change_records(some.iter().map(create).collect()).await?;
    }
    let (books, outgoing) = from.all_notices().await?;
    for (player_id, book) in books {
        to.put_notice_book(&player_id, 0, Some(book)).await?;
    }
    for some in outgoing.chunks(GAMES) {
        to.update_outgoing(Vec::new(), some.to_vec()).await?;
    }
    to.take_over(&all_accounts).await?;
    Ok(all_accounts.len())
}

async fn move_game(
    from: &SqliteStore,
    to: &PostgresStore,
    row: GameRow,
) -> Result<u64, MigrateError> {
    let game_id = row.game_id.clone();
    let different = |what: String| MigrateError::Different { game_id: game_id.clone(), what };
    let loaded = from.load(&game_id).await?;
    if let Some((number, _)) = loaded.snapshot.as_ref().filter(|(number, _)| *number > loaded.last)
    {
        return Err(different(format!(
            "its journal ends after entry {}, but its snapshot is of entry {number}",
            loaded.last
        )));
    }
    let mut expected = 0;
    while expected < loaded.last {
        let entries = from.entries(&game_id, expected, ENTRIES, ENTRIES_BYTES).await?;
        let count = entries.len() as u64;
        if count == 0 {
            return Err(different(format!(
                "its journal ends after entry {expected} of {}",
                loaded.last
            )));
        }
        let secret = (expected == 0).then_some(loaded.secret);
        let append = Append { expected, entries, row: row.clone(), secret, ..Append::default() };
        to.append(append).await?;
        expected += count;
    }
    if let Some((number, snapshot)) = loaded.snapshot.clone() {
        to.put_snapshot(&game_id, End::at(number), snapshot).await?;
    }
    let there = to.load(&game_id).await?;
    if (there.secret, there.last, &there.snapshot) != (loaded.secret, loaded.last, &loaded.snapshot)
    {
        return Err(different("its seed, length or snapshot differs from the source".to_owned()));
    }
    if to.game(&game_id).await? != row {
        return Err(different("its row in the list of games differs from the source".to_owned()));
    }
    compare(from, to, &game_id, &loaded.secret)
        .await?
        .map_or(Ok(loaded.last), |what| Err(different(what)))
}

async fn compare(
    from: &SqliteStore,
    to: &PostgresStore,
    game_id: &str,
    secret: &[u8; 32],
) -> Result<Option<String>> {
    let mut chain = Chain::new(*secret);
    loop {
        let after = chain.entries;
        let ours = from.entries(game_id, after, ENTRIES, ENTRIES_BYTES).await?;
        let theirs = to.entries(game_id, after, ours.len(), usize::MAX).await?;
        if ours != theirs {
            return Ok(Some(format!("its journal differs from the source after entry {after}")));
        }
        if theirs.is_empty() {
            return Ok(None);
        }
        if let Err(what) = theirs.into_iter().try_for_each(|stored| chain.add(stored)) {
            return Ok(Some(format!("{what}, in the source and in the target")));
        }
    }
}
