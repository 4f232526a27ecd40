//! The embedded store: a SQLite database in the data directory.
//!
//! **Invariant.** Writes are serialized, and all its checks precede its writes. A
//! rejected job has written nothing, so the other jobs of its batch can be committed.

mod accounts;
mod check;
mod directory;
mod heads;
mod journal;
mod outgoing;
mod readers;
mod records;
mod schema;
mod writer;

use std::fs::{DirBuilder, File, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, params};

pub use self::heads::HEADS;

use self::check::{Depth, Findings};
use self::directory::{IDS, SANDBOXES_BEFORE, WAITING_FOR_AUTOMATION, WITHOUT_SNAPSHOT, texts};
use self::heads::{Heads, Slots};
use self::readers::Readers;
use self::writer::{Session, Writer, locked};
use super::{
    Account, Answer, Append, Counts, End, GameQuery, GameRow, Loaded, Millis, NoticeBook, Outgoing,
    Record, RecordChange, RecordQuery, Size, Store, StoreError, TokenRow,
};
use crate::store::Result;

/// The database's file name in the data directory.
pub const DATABASE: &str = "heliopause.db";
/// The suffix of a database that `restore` is writing.
pub(crate) const UNFINISHED: &str = ".unfinished";

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(
        "another engine-service is using {}: stop it first, or choose another directory with \
         --data",
        directory.display()
    )]
    Locked { directory: PathBuf },
    #[error(
        "a restore into {} is running or was interrupted: wait until it finishes; if it was \
         interrupted, run the same engine-service restore again, or remove {} to start without \
         that backup",
        directory.display(),
        unfinished.display()
    )]
    Unfinished { directory: PathBuf, unfinished: PathBuf },
    #[error(
        "{} has schema {found}, but this engine-service supports at most {known}: run the newer \
         engine-service that wrote it, or restore a backup made by this one",
        file.display()
    )]
    Newer { file: PathBuf, found: i32, known: i32 },
    #[error("{} is a database of another program: choose another directory with --data", file.display())]
    Foreign { file: PathBuf },
    #[error(
        "{} cannot be opened: {error}: check that this user can write to the data directory",
        path.display()
    )]
    Io { path: PathBuf, error: io::Error },
    #[error("the disk of {} is full: free space and start again", directory.display())]
    Full { directory: PathBuf },
    #[error(
        "{} is damaged ({found}): restore a backup; `engine-service verify` lists the damage",
        file.display()
    )]
    Damaged { file: PathBuf, found: String },
    #[error(
        "the database has lost writes ({found}): its write-ahead log was damaged, or an older copy \
         was put in its place. Restore a backup, or remove {} to continue with the rest",
        heads.display()
    )]
    Lost { heads: PathBuf, found: String },
    #[error(
        "{} has schema {found}, which was never released and is no longer supported: choose \
         another directory with --data",
        file.display()
    )]
    Older { file: PathBuf, found: i32 },
    #[error("the database could not be opened: {0}: if the file is damaged, restore a backup")]
    Database(#[from] rusqlite::Error),
}

impl OpenError {
    fn of(error: &StoreError, file: &Path) -> Self {
        Self::Damaged { file: file.to_owned(), found: error.to_string() }
    }

    /// Replaces an I/O or database error with `Full` if the disk is full, because the system
    /// reports a full disk in different ways. Returns other errors unchanged.
    fn unless_full(self, directory: &Path) -> Self {
        let told = matches!(&self, Self::Database(error) if error.sqlite_error_code() == Some(ErrorCode::DiskFull));
        let is_full = || {
            rustix::fs::statvfs(directory)
                .is_ok_and(|about| about.f_bavail * about.f_frsize < DISK_FULL_BELOW)
        };
        match self {
            Self::Database(_) | Self::Io { .. } if told || is_full() => {
                Self::Full { directory: directory.to_owned() }
            }
            other => other,
        }
    }
}

const DISK_FULL_BELOW: u64 = 1 << 20;

/// The numbers of connections for games, lists and searches. Searches scan many rows. On separate
/// connections, they do not delay games.
const READERS: usize = 4;
const LISTERS: usize = 2;
const SEARCHERS: usize = 1;

pub struct SqliteStore {
    // Closing the last connection cleans up the files, so the lock must be dropped last.
    readers: Readers,
    listers: Readers,
    searchers: Readers,
    writer: Writer,
    slots: Arc<Slots>,
    _heads: Option<Heads>,
    _lock: Option<File>,
}

impl SqliteStore {
    /// Opens the store in a directory, creating it if necessary. `bytes_max` limits the size of the
    /// database.
    pub fn open(directory: &Path, bytes_max: Option<u64>) -> Result<Self, OpenError> {
        Self::try_to_open(directory, bytes_max).map_err(|error| error.unless_full(directory))
    }

    fn try_to_open(directory: &Path, bytes_max: Option<u64>) -> Result<Self, OpenError> {
        // The directory contains the secret seeds of running games.
        let made = DirBuilder::new().recursive(true).mode(0o700).create(directory);
        made.map_err(|error| OpenError::Io { path: directory.to_owned(), error })?;
        refuse_unfinished(directory)?;
        let file = directory.join(DATABASE);
        let (lock, heads) = (lock(directory, true)?, open_heads(directory)?);
        let slots = heads.slots();
        let connection = open_for_writing(&file, bytes_max, &slots)?;
        refuse_damaged(check::find_damage(&connection, &slots, Depth::Directory), directory)?;
        check::record_ends(&connection, &slots).map_err(|error| OpenError::of(&error, &file))?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
        Self::start(lock, heads, connection, &file)
    }

    /// Opens a store to verify it, even if it is damaged. Also returns the damage found in its
    /// structure, directory and accounts. Leaves the write-ahead log unchanged.
    pub fn open_to_verify(directory: &Path) -> Result<(Self, Vec<String>), OpenError> {
        let file = directory.join(DATABASE);
        let (lock, heads) = (lock(directory, false)?, open_heads(directory)?);
        let connection = Connection::open(&file)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        check_schema(&connection, &file)?;
        let Findings { mut damaged, lost } =
            check::find_damage(&connection, &heads.slots(), Depth::All);
        damaged.extend(lost.into_iter().map(|what| format!("lost: {what}")));
        Ok((Self::start(lock, heads, connection, &file)?, damaged))
    }

    fn start(
        lock: File,
        heads: Heads,
        connection: Connection,
        file: &Path,
    ) -> Result<Self, OpenError> {
        let slots = heads.slots();
        let writer = Writer::start(Session::new(connection, Arc::clone(&slots))?)
            .map_err(|error| OpenError::Io { path: file.to_owned(), error })?;
        Ok(Self {
            readers: Readers::open(file, READERS)?,
            listers: Readers::open(file, LISTERS)?,
            searchers: Readers::open(file, SEARCHERS)?,
            writer,
            slots,
            _heads: Some(heads),
            _lock: Some(lock),
        })
    }

    /// Creates a store in memory, for tests and `--data :memory:`. It runs all work on the threads
    /// of its callers.
    pub fn in_memory() -> Self {
        let slots = Arc::new(Slots::unknown());
        let session = || -> Result<Session, OpenError> {
            let mut connection = Connection::open_in_memory()?;
            schema::create(&mut connection, Path::new(":memory:"))?;
            Ok(Session::new(connection, Arc::clone(&slots))?)
        };
        let session = Arc::new(Mutex::new(session().expect("memory can be written")));
        let readers = || Readers::Memory(Arc::clone(&session));
        Self {
            readers: readers(),
            listers: readers(),
            searchers: readers(),
            writer: Writer::Memory(session),
            slots,
            _heads: None,
            _lock: None,
        }
    }

    /// Replaces the contents of a store in memory with those of another.
    pub fn copy_to(&self, other: &Self) {
        let (Writer::Memory(from), Writer::Memory(to)) = (&self.writer, &other.writer) else {
            panic!("only stores in memory can be copied");
        };
        let (from, mut to) = (locked(from), locked(to));
        let copied =
            Backup::new(&from.connection, &mut to.connection).and_then(|copy| copy.step(-1));
        assert!(matches!(copied, Ok(StepResult::Done)), "{copied:?}");
        to.games.forget_all();
    }

    /// Returns the number of the last entry of a game.
    pub async fn last(&self, game_id: &str) -> Result<u64> {
        let game_id = game_id.to_owned();
        self.readers
            .run(move |reader| directory::last(reader, directory::key(reader, &game_id)?))
            .await
    }

    pub async fn all_accounts(&self) -> Result<Vec<Account>> {
        self.readers.run(|reader| accounts::all_accounts(reader)).await
    }

    pub async fn all_records(&self) -> Result<Vec<Record>> {
        self.readers.run(|reader| records::all(reader)).await
    }

    pub async fn all_notices(&self) -> Result<(Vec<(String, NoticeBook)>, Vec<Outgoing>)> {
        self.readers.run(|reader| Ok((outgoing::books(reader)?, outgoing::all(reader)?))).await
    }
}

fn open_heads(directory: &Path) -> Result<Heads, OpenError> {
    Heads::open(directory).map_err(|error| OpenError::Io { path: directory.join(HEADS), error })
}

fn refuse_damaged(findings: Findings, directory: &Path) -> Result<(), OpenError> {
    let Findings { damaged, lost } = findings;
    if !damaged.is_empty() {
        return Err(OpenError::Damaged {
            file: directory.join(DATABASE),
            found: first_of(&damaged),
        });
    }
    if !lost.is_empty() {
        return Err(OpenError::Lost { heads: directory.join(HEADS), found: first_of(&lost) });
    }
    Ok(())
}

fn first_of(findings: &[String]) -> String {
    match findings {
        [] => String::new(),
        [only] => only.clone(),
        [first, more @ ..] => format!("{first}, and {} more", more.len()),
    }
}

/// Returns an error for the directory of an unfinished restore, which an engine would treat as
/// empty.
fn refuse_unfinished(directory: &Path) -> Result<(), OpenError> {
    let unfinished = directory.join(format!("{DATABASE}{UNFINISHED}"));
    if unfinished.exists() {
        return Err(OpenError::Unfinished { directory: directory.to_owned(), unfinished });
    }
    Ok(())
}

/// Locks the database against a second engine for as long as the file is open. The lock is on the
/// database file itself, so it cannot be bypassed by removing a lock file or using another path.
///
/// The file must stay open longer than SQLite's handles, because closing any handle of a file
/// releases all of the process's locks on it.
fn lock(directory: &Path, create: bool) -> Result<File, OpenError> {
    let path = directory.join(DATABASE);
    let failed = |error| OpenError::Io { path: path.clone(), error };
    let file = File::options()
        .create(create)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .open(&path)
        .map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::Locked { directory: directory.to_owned() }),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// Creates a file that only its owner can read, because the database contains the secret seeds of
/// running games. SQLite gives the log of the database the same permissions.
pub(crate) fn create_private(file: &Path) -> io::Result<()> {
    File::options().create(true).truncate(false).write(true).mode(0o600).open(file)?;
    Ok(())
}

pub(crate) fn check_schema(connection: &Connection, file: &Path) -> Result<(), OpenError> {
    match schema::check(connection, file)? {
        0 => Err(OpenError::Foreign { file: file.to_owned() }),
        _ => Ok(()),
    }
}

pub(crate) fn check_copy(connection: &Connection) -> Result<()> {
    check::copy(connection)
}

fn open_for_writing(
    file: &Path,
    bytes_max: Option<u64>,
    slots: &Slots,
) -> Result<Connection, OpenError> {
    let mut connection = Connection::open(file)?;
    // An investigation of damage may need the unchanged write-ahead log.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    if schema::check(&connection, file)? == 0 && slots.count() > 1 {
        let found = format!("all games, up to {}", slots.count() - 1);
        return Err(OpenError::Lost { heads: file.with_file_name(HEADS), found });
    }
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "journal_size_limit", 64 << 20)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    if let Some(bytes) = bytes_max {
        let page: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
        connection.pragma_update(None, "max_page_count", to_i64(bytes) / page)?;
    }
    schema::create(&mut connection, file)?;
    Ok(connection)
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::Error::{
            FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType,
            QueryReturnedNoRows, Utf8Error,
        };
        let damaged = match &error {
            FromSqlConversionFailure(..)
            | IntegralValueOutOfRange(..)
            | InvalidColumnType(..)
            | QueryReturnedNoRows
            | Utf8Error(..) => true,
            other => matches!(
                other.sqlite_error_code(),
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
            ),
        };
        if damaged {
            Self::Damaged(error.to_string())
        } else {
            Self::Unavailable(error.to_string())
        }
    }
}

/// Converts to a signed integer, because SQLite has no unsigned ones. Clamps to `i64::MAX`, which
/// no stored number reaches.
fn to_i64(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn to_u64(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// Defines methods that run `work` on a connection. Strings in brackets are copied, so that the
/// work owns them.
macro_rules! run_on {
    ($($on:ident fn $name:ident[$($text:ident),*]($($argument:ident: $kind:ty),*) -> $answer:ty =
        |$by:ident| $work:expr;)*) => {
        $(fn $name(&self, $($text: &str,)* $($argument: $kind),*) -> Answer<'_, $answer> {
            $(let $text = $text.to_owned();)*
            Box::pin(self.$on.run(move |$by| $work))
        })*
    };
}

impl Store for SqliteStore {
    fn entries(
        &self,
        game_id: &str,
        after: u64,
        limit: usize,
        bytes_max: usize,
    ) -> Answer<'_, Vec<Bytes>> {
        let (game_id, slots) = (game_id.to_owned(), Arc::clone(&self.slots));
        Box::pin(
            self.readers.run(move |reader| {
                journal::entries(reader, &slots, &game_id, after, limit, bytes_max)
            }),
        )
    }

    fn load(&self, game_id: &str) -> Answer<'_, Loaded> {
        let (game_id, slots) = (game_id.to_owned(), Arc::clone(&self.slots));
        Box::pin(self.readers.run(move |reader| journal::load(reader, &slots, &game_id)))
    }

    fn games(&self, query: GameQuery) -> Answer<'_, Vec<GameRow>> {
        let readers = if query.search.is_some() { &self.searchers } else { &self.listers };
        Box::pin(readers.run(move |reader| directory::games(&*reader.transaction()?, &query)))
    }

    fn revoke(&self, player_id: &str, token_id: Option<&str>) -> Answer<'_, Vec<TokenRow>> {
        let (player_id, token_id) = (player_id.to_owned(), token_id.map(str::to_owned));
        Box::pin(
            self.writer
                .run(move |session| accounts::revoke(session, &player_id, token_id.as_deref())),
        )
    }

    run_on! {
        writer fn append[](append: Append) -> () = |session| journal::append(session, append);
        writer fn put_snapshot[game_id](at: End, snapshot: Bytes) -> () =
            |session| journal::put_snapshot(session, &game_id, at.last, &snapshot);
        readers fn game[game_id]() -> GameRow =
            |reader| Ok(directory::game(&*reader.transaction()?, &game_id)?.1);
        readers fn due[](limit: usize) -> Vec<(String, Millis)> =
            |reader| directory::due(reader, limit);
        readers fn waiting_for_automation[after](limit: usize) -> Vec<String> =
            |reader| texts(reader, WAITING_FOR_AUTOMATION, params![after, to_i64(limit as u64)]);
        searchers fn games_without_snapshot[after](limit: usize) -> Vec<String> =
            |reader| texts(reader, WITHOUT_SNAPSHOT, params![after, to_i64(limit as u64)]);
        readers fn sandboxes_before[](time: Millis, limit: usize) -> Vec<String> =
            |reader| texts(reader, SANDBOXES_BEFORE, params![time, to_i64(limit as u64)]);
        readers fn games_counted[player_id]() -> u32 =
            |reader| directory::games_counted(reader, &player_id, "");
        searchers fn sizes[](game_ids: Vec<String>) -> Vec<Size> =
            |reader| directory::sizes(reader, &game_ids);
        writer fn remove_games[](game_ids: Vec<String>) -> () =
            |session| journal::remove(session, &game_ids);
        listers fn game_ids[after](limit: usize) -> Vec<String> =
            |reader| texts(reader, IDS, params![after, to_i64(limit as u64)]);
        listers fn counts[]() -> Counts = |reader| directory::counts(reader);
        writer fn open_account[](account: Account, token: TokenRow) -> () =
            |session| accounts::open(session, &account, &token, &[]);
        writer fn open_account_with[](
            account: Account, token: TokenRow, changes: Vec<RecordChange>) -> () =
            |session| accounts::open(session, &account, &token, &changes);
        readers fn account[id_or_name]() -> Account =
            |reader| accounts::account(reader, &id_or_name);
        searchers fn accounts[after, search](limit: usize) -> Vec<Account> =
            |reader| accounts::accounts(reader, &after, &search, limit);
        writer fn change_account[](before: Account, after: Account) -> () =
            |session| accounts::change(session, &before, &after);
        writer fn put_token[](token: TokenRow) -> () =
            |session| accounts::put_token(session, &token);
        readers fn token[](hash: [u8; 32]) -> (TokenRow, Account) =
            |reader| accounts::token(reader, &hash);
        readers fn tokens[player_id]() -> Vec<TokenRow> =
            |reader| accounts::tokens(reader, &player_id);
        readers fn record[space, id]() -> Option<Record> =
            |reader| records::record(reader, &space, &id);
        readers fn records[](query: RecordQuery) -> Vec<Record> =
            |reader| records::records(reader, &query);
        writer fn change_records[](changes: Vec<RecordChange>) -> () =
            |session| records::change(session, &changes);
        readers fn notice_book[player_id]() -> Option<NoticeBook> =
            |reader| outgoing::book(reader, &player_id);
        writer fn put_notice_book[player_id](expected: u64, book: Option<NoticeBook>) -> () =
            |session| outgoing::put_book(session, &player_id, expected, book.as_ref());
        writer fn claim_outgoing[](now: Millis, until: Millis, limit: usize) -> Vec<Outgoing> =
            |session| outgoing::claim(session, now, until, limit);
        writer fn update_outgoing[](gone: Vec<(String, String)>, put: Vec<Outgoing>) -> () =
            |session| outgoing::settle(session, &gone, &put);
        readers fn outgoing[]() -> (u64, Option<Millis>) = |reader| outgoing::count(reader);
    }
}
