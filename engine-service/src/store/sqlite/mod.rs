//! The embedded store: one SQLite database in the data directory.
//!
//! | module | holds |
//! | --- | --- |
//! | `schema` | tables, and the way from an older schema to the newest |
//! | `writer` | the one thread that writes, and its group commit |
//! | `readers` | the connections that read |
//! | `journal` | entries and snapshots |
//! | `directory` | lists of games |
//! | `accounts` | accounts, tokens, invitations |
//! | `known` | what the writer remembers of games |
//!
//! **Invariant.** Every write goes through the writer's thread, and checks before it writes: a job that is refused has
//! written nothing, so the others of its batch may be committed.

mod accounts;
mod directory;
mod journal;
mod known;
mod readers;
mod schema;
mod writer;

use std::fs::{DirBuilder, File, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use rusqlite::{Connection, ErrorCode};

use self::readers::Readers;
use self::writer::Writer;
use super::{Account, Answer, Append, Counts, GameQuery, GameRow, Loaded, Millis, Store, StoreError, TokenRow};

/// The database's name in the data directory.
pub const DATABASE: &str = "heliopause.db";
/// The name of the file that a running engine keeps locked.
pub const LOCK: &str = "lock";

/// Why a data directory could not be opened: what is wrong, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another engine has it.
    #[error(
        "another engine-service is using {}: stop it first, or choose another directory with --data",
        directory.display()
    )]
    Locked {
        /// The directory.
        directory: PathBuf,
    },
    /// It is of a newer version of this program.
    #[error(
        "{} has schema {found}, and this engine-service knows only up to {known}: run the newer engine-service that \
         wrote it, or restore a backup made by this one",
        file.display()
    )]
    Newer {
        /// The database.
        file: PathBuf,
        /// Its schema version.
        found: i32,
        /// The newest schema version that this program knows.
        known: i32,
    },
    /// It is not ours.
    #[error("{} is a database of another program: choose another directory with --data", file.display())]
    Foreign {
        /// The database.
        file: PathBuf,
    },
    /// The file system would not.
    #[error("{}: {error}: check that it is a directory and that this user may write to it", path.display())]
    Io {
        /// What was to be opened.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
    /// The database would not.
    #[error("the database could not be opened: {0}: if the file is damaged, restore a backup")]
    Database(#[from] rusqlite::Error),
}

/// The embedded store.
pub struct SqliteStore {
    // Fields are dropped in this order: the last connection that closes tidies the files up, and then the lock may go.
    readers: Readers,
    writer: Writer,
    _lock: File,
}

impl SqliteStore {
    /// Opens the store in a directory, which is made if it is missing. `bytes_max` limits the database's size.
    pub fn open(directory: &Path, bytes_max: Option<u64>) -> Result<Self, OpenError> {
        let lock = lock(directory)?;
        let file = directory.join(DATABASE);
        create_private(&file).map_err(|error| OpenError::Io { path: file.clone(), error })?;
        let writer = Writer::start(open_for_writing(&file, bytes_max)?)
            .map_err(|error| OpenError::Io { path: file.clone(), error })?;
        Ok(Self { readers: Readers::open(&file)?, writer, _lock: lock })
    }

    /// All accounts, those that are erased too, and all invitations with the uses that are left: for moving elsewhere.
    pub async fn everybody(&self) -> Result<(Vec<Account>, Vec<Invitation>), StoreError> {
        self.readers.run(|reader| accounts::everybody(reader)).await
    }
}

/// An invitation: the hash of its code, and how many uses are left.
pub type Invitation = ([u8; 32], u32);

/// Makes the directory and locks it against a second engine, for as long as the file is open.
fn lock(directory: &Path) -> Result<File, OpenError> {
    let path = directory.join(LOCK);
    let failed = |error| OpenError::Io { path: directory.to_owned(), error };
    // The secret seeds of running games are in there.
    DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(failed)?;
    let file = File::options().create(true).truncate(false).write(true).open(path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::Locked { directory: directory.to_owned() }),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// Makes the database's file for its owner's eyes only, whoever may look into the directory: it holds the secret seeds of
/// running games. What SQLite puts beside it gets the same permissions.
pub(crate) fn create_private(file: &Path) -> io::Result<()> {
    File::options().create(true).truncate(false).write(true).mode(0o600).open(file)?;
    Ok(())
}

/// Refuses a database that is not ours, or of a newer version.
pub(crate) fn check_schema(connection: &Connection, file: &Path) -> Result<(), OpenError> {
    match schema::check(connection, file)? {
        0 => Err(OpenError::Foreign { file: file.to_owned() }),
        _ => Ok(()),
    }
}

fn open_for_writing(file: &Path, bytes_max: Option<u64>) -> Result<Connection, OpenError> {
    let mut connection = Connection::open(file)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "journal_size_limit", 64 << 20)?;
    schema::migrate(&mut connection, file)?;
    if let Some(bytes) = bytes_max {
        let page: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
        connection.pragma_update(None, "max_page_count", to_i64(bytes) / page)?;
    }
    Ok(connection)
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged(error.to_string()),
            _ => Self::Unavailable(error.to_string()),
        }
    }
}

/// SQLite's integers have a sign. Nothing that is counted here comes near the end of either range.
fn to_i64(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The way back from [`to_i64`].
fn to_u64(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

impl Store for SqliteStore {
    fn append(&self, append: Append) -> Answer<'_, ()> {
        Box::pin(self.writer.run(move |session| journal::append(session, append)))
    }

    fn entries(&self, game_id: &str, after: u64, limit: usize, bytes_max: usize) -> Answer<'_, Vec<Bytes>> {
        let game_id = game_id.to_owned();
        Box::pin(self.readers.run(move |reader| journal::entries(reader, &game_id, after, limit, bytes_max)))
    }

    fn load(&self, game_id: &str) -> Answer<'_, Loaded> {
        let game_id = game_id.to_owned();
        Box::pin(self.readers.run(move |reader| journal::load(reader, &game_id)))
    }

    fn put_snapshot(&self, game_id: &str, number: u64, snapshot: Bytes) -> Answer<'_, ()> {
        let game_id = game_id.to_owned();
        Box::pin(self.writer.run(move |session| journal::put_snapshot(session, &game_id, number, &snapshot)))
    }

    fn game(&self, game_id: &str) -> Answer<'_, GameRow> {
        let game_id = game_id.to_owned();
        Box::pin(self.readers.run(move |reader| {
            let moment = reader.transaction()?;
            Ok(directory::game(&moment, &game_id)?.1)
        }))
    }

    fn games(&self, query: GameQuery) -> Answer<'_, Vec<GameRow>> {
        Box::pin(self.readers.run(move |reader| directory::games(&*reader.transaction()?, &query)))
    }

    fn due(&self, limit: usize) -> Answer<'_, Vec<(String, Millis)>> {
        Box::pin(self.readers.run(move |reader| directory::due(reader, limit)))
    }

    fn wanting(&self, after: &str, limit: usize) -> Answer<'_, Vec<String>> {
        let after = after.to_owned();
        Box::pin(self.readers.run(move |reader| directory::wanting(reader, &after, limit)))
    }

    fn sandboxes_before(&self, time: Millis, limit: usize) -> Answer<'_, Vec<String>> {
        Box::pin(self.readers.run(move |reader| directory::sandboxes_before(reader, time, limit)))
    }

    fn seats_held(&self, player_id: &str) -> Answer<'_, u32> {
        let player_id = player_id.to_owned();
        Box::pin(self.readers.run(move |reader| directory::seats_held(reader, &player_id)))
    }

    fn remove_games(&self, game_ids: Vec<String>) -> Answer<'_, ()> {
        Box::pin(self.writer.run(move |session| journal::remove(session, &game_ids)))
    }

    fn counts(&self) -> Answer<'_, Counts> {
        Box::pin(self.readers.run(|reader| directory::counts(reader)))
    }

    fn open_account(&self, account: Account, token: TokenRow) -> Answer<'_, ()> {
        Box::pin(self.writer.run(move |session| accounts::open(session, &account, &token, None)))
    }

    fn open_invited(&self, account: Account, token: TokenRow, invitation: [u8; 32]) -> Answer<'_, ()> {
        Box::pin(self.writer.run(move |session| accounts::open(session, &account, &token, Some(&invitation))))
    }

    fn account(&self, id_or_name: &str) -> Answer<'_, Account> {
        let id_or_name = id_or_name.to_owned();
        Box::pin(self.readers.run(move |reader| accounts::account(reader, &id_or_name)))
    }

    fn accounts(&self, after: &str, search: &str, limit: usize) -> Answer<'_, Vec<Account>> {
        let (after, search) = (after.to_owned(), search.to_owned());
        Box::pin(self.readers.run(move |reader| accounts::accounts(reader, &after, &search, limit)))
    }

    fn put_account(&self, account: Account) -> Answer<'_, ()> {
        Box::pin(self.writer.run(move |session| accounts::put(session, &account)))
    }

    fn put_token(&self, token: TokenRow) -> Answer<'_, ()> {
        Box::pin(self.writer.run(move |session| accounts::put_token(session, &token)))
    }

    fn token(&self, hash: [u8; 32]) -> Answer<'_, (TokenRow, Account)> {
        Box::pin(self.readers.run(move |reader| accounts::token(reader, &hash)))
    }

    fn tokens(&self, player_id: &str) -> Answer<'_, Vec<TokenRow>> {
        let player_id = player_id.to_owned();
        Box::pin(self.readers.run(move |reader| accounts::tokens(reader, &player_id)))
    }

    fn revoke(&self, player_id: &str, token_id: Option<&str>) -> Answer<'_, Vec<TokenRow>> {
        let (player_id, token_id) = (player_id.to_owned(), token_id.map(str::to_owned));
        Box::pin(self.writer.run(move |session| accounts::revoke(session, &player_id, token_id.as_deref())))
    }

    fn put_invitation(&self, hash: [u8; 32], uses: u32) -> Answer<'_, ()> {
        Box::pin(self.writer.run(move |session| accounts::put_invitation(session, &hash, uses)))
    }
}
