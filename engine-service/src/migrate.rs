//! Moving everything from the embedded store into a database that several engines share.
//!
//! Every game is read back and compared entry by entry, and its hash chain computed anew. Accounts
//! come last: in a database to which not all was moved nobody has one, and no engine starts on it.

use std::path::Path;

use crate::store::postgres::{self, PostgresStore};
use crate::store::sqlite::{self, DATABASE, SqliteStore};
use crate::store::{Append, End, GameQuery, GameRow, Store, StoreError, Tags};
use crate::verify::Chain;
use futures_util::stream::{self, StreamExt as _};

/// How many games are listed and how many are under way, and how much of a journal is moved, at
/// once.
const GAMES: usize = 256;
const UNDER_WAY: usize = 8;
const ENTRIES: usize = 512;
const ENTRIES_BYTES: usize = 4 << 20;

/// Why not everything was moved: what is wrong, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    /// There is nothing to move.
    #[error("{0} holds no database: say with --from sqlite:DIR where the engine keeps it")]
    NoDatabase(String),
    /// The place to move to cannot be opened, or is in use.
    #[error("--to: {0}")]
    To(#[from] postgres::OpenError),
    /// A store would not.
    #[error("a store would not go on; nothing is lost, empty the target and begin anew")]
    Store(#[from] StoreError),
    /// The data of the source cannot be opened.
    #[error(transparent)]
    Open(#[from] sqlite::OpenError),
    /// A game is not the same afterwards, or was damaged before.
    #[error("game {game_id}: {what}: the target must not be used")]
    Different {
        game_id: String,
        /// What differs.
        what: String,
    },
}

/// What was moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Accounts, with all their tokens.
    pub accounts: usize,
    pub games: usize,
    /// Entries of their journals.
    pub entries: u64,
}

/// Moves everything from the embedded store in a directory into a new database, which is opened once
/// the store is.
pub async fn migrate(
    from: &Path,
    to: impl Future<Output = Result<PostgresStore, postgres::OpenError>>,
) -> Result<Moved, MigrateError> {
    if !from.join(DATABASE).is_file() {
        return Err(MigrateError::NoDatabase(from.display().to_string()));
    }
    let from = SqliteStore::open(from, None)?;
    let to = &to.await?;
    let mut moved = Moved::default();
    let mut after = None;
    loop {
        let query = GameQuery { limit: GAMES, after: after.take(), ..GameQuery::default() };
        let rows = from.games(query).await?;
        let Some(last) = rows.last() else { break };
        after = Some((last.created, last.game_id.clone()));
        let mut moves =
            stream::iter(rows).map(|row| move_game(&from, to, row)).buffer_unordered(UNDER_WAY);
        while let Some(entries) = moves.next().await {
            moved.entries += entries?;
            moved.games += 1;
        }
    }
    moved.accounts = move_accounts(&from, to).await?;
    Ok(moved)
}

async fn move_accounts(from: &SqliteStore, to: &PostgresStore) -> Result<usize, StoreError> {
    let (accounts, invitations) = from.everybody().await?;
    let mut everybody = Vec::with_capacity(accounts.len());
    for account in accounts {
        let tokens = from.tokens(&account.player_id).await?;
        everybody.push((account, tokens));
    }
    for (player, other) in from.blocks().await? {
        to.put_block(&player, &other, true).await?;
    }
    let (books, outgoing) = from.all_notices().await?;
    for (player_id, book) in books {
        to.put_notice_book(&player_id, 0, Some(book)).await?;
    }
    for some in outgoing.chunks(GAMES) {
        to.settle_outgoing(Vec::new(), some.to_vec()).await?;
    }
    to.take_over(&everybody, &invitations).await?;
    Ok(everybody.len())
}

/// Moves a game, and proves that it is the same there. Answers how many entries it has.
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
            "its journal ends after entry {}, its snapshot is of entry {number}",
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
        let append = Append {
            expected,
            entries,
            row: row.clone(),
            secret,
            snapshot: None,
            ratings: Vec::new(),
            quotas: Vec::new(),
            notices: Vec::new(),
            tags: Tags::default(),
        };
        to.append(append).await?;
        expected += count;
    }
    if let Some((number, snapshot)) = loaded.snapshot.clone() {
        to.put_snapshot(&game_id, End::at(number), snapshot).await?;
    }
    let there = to.load(&game_id).await?;
    if (there.secret, there.last, &there.snapshot) != (loaded.secret, loaded.last, &loaded.snapshot)
    {
        return Err(different("its seed, length or snapshot came out different".to_owned()));
    }
    if to.game(&game_id).await? != row {
        return Err(different("its row in the directory came out different".to_owned()));
    }
    compare(from, to, &game_id, &loaded.secret)
        .await?
        .map_or(Ok(loaded.last), |what| Err(different(what)))
}

/// Compares a journal with its copy, and checks the copy's hash chain; answers what does not hold.
async fn compare(
    from: &SqliteStore,
    to: &PostgresStore,
    game_id: &str,
    secret: &[u8; 32],
) -> Result<Option<String>, StoreError> {
    let mut chain = Chain::new(*secret);
    loop {
        let after = chain.entries;
        let ours = from.entries(game_id, after, ENTRIES, ENTRIES_BYTES).await?;
        let theirs = to.entries(game_id, after, ours.len(), usize::MAX).await?;
        if ours != theirs {
            return Ok(Some(format!("its journal differs after entry {after}")));
        }
        if theirs.is_empty() {
            return Ok(None);
        }
        if let Err(what) = theirs.into_iter().try_for_each(|stored| chain.add(stored)) {
            return Ok(Some(format!("{what}, here and in the source")));
        }
    }
}
