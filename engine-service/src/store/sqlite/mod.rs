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
//! | `outgoing` | notices on their way, and what players set about them |
//! | `known` | what the writer remembers of games |
//! | `heads` | where journals end, a second time |
//! | `check` | looking for damage |
//!
//! **Invariant.** Every write goes through the writer's thread, and checks before it writes: a job
//! that is refused has written nothing, so the others of its batch may be committed.

mod accounts;
mod check;
mod directory;
mod heads;
mod journal;
mod known;
mod outgoing;
mod readers;
mod schema;
mod writer;

use std::fs::{DirBuilder, File, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode};

pub use self::heads::HEADS;

use self::check::{Depth, Findings};
use self::heads::{Heads, Slots};
use self::readers::Readers;
use self::writer::Writer;
use super::{
    Account, Answer, Append, Counts, End, GameQuery, GameRow, Loaded, Millis, NoticeBook, Outgoing,
    Size, Store, StoreError, TokenRow,
};

/// The database's name in the data directory.
pub const DATABASE: &str = "heliopause.db";
/// The ending of a database's name while `restore` writes it.
pub(crate) const UNFINISHED: &str = ".unfinished";

/// Why a data directory could not be opened: what is wrong, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another engine has it.
    #[error(
        "another engine-service is using {}: stop it first, or choose another directory with \
         --data",
        directory.display()
    )]
    Locked { directory: PathBuf },
    /// A restore into it was cut short.
    #[error(
        "a restore into {} is running or was cut short: wait for its end; or run the same \
         engine-service restore again; or remove {}, to start without that backup",
        directory.display(),
        unfinished.display()
    )]
    Unfinished {
        directory: PathBuf,
        /// What the restore left.
        unfinished: PathBuf,
    },
    /// It is of a newer version of this program.
    #[error(
        "{} has schema {found}, and this engine-service knows only up to {known}: run the newer \
         engine-service that \
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
    /// There is no room.
    #[error("the disk that holds {} is full: make room, and start again", directory.display())]
    Full { directory: PathBuf },
    /// What it holds is not what was written.
    #[error(
        "{} is damaged ({found}): restore a backup; `engine-service verify` names all that is \
         damaged",
        file.display()
    )]
    Damaged {
        /// The database.
        file: PathBuf,
        /// What was found first, and how much more.
        found: String,
    },
    /// What was acknowledged is gone.
    #[error(
        "the database has lost what was written to it ({found}): its write-ahead log was damaged, \
         or it was put back by \
         hand. Restore a backup; or remove {}, to go on with what is left",
        heads.display()
    )]
    Lost {
        /// The file that tells so.
        heads: PathBuf,
        /// What was found first, and how much more.
        found: String,
    },
    /// It is of an older version, and is not to be changed.
    #[error("{} is of an older version: start engine-service on it once", file.display())]
    Older {
        /// The database.
        file: PathBuf,
    },
    /// The database would not.
    #[error("the database could not be opened: {0}: if the file is damaged, restore a backup")]
    Database(#[from] rusqlite::Error),
}

impl OpenError {
    fn of(error: &StoreError, file: &Path) -> Self {
        Self::Damaged { file: file.to_owned(), found: error.to_string() }
    }

    /// Says that the disk is full where that is what is wrong, however the system put it.
    fn unless_full(self, directory: &Path) -> Self {
        let told = matches!(&self, Self::Database(error) if error.sqlite_error_code() == Some(ErrorCode::DiskFull));
        let is_full = || {
            rustix::fs::statvfs(directory).is_ok_and(|about| about.f_bavail * about.f_frsize < ROOM)
        };
        match self {
            Self::Database(_) | Self::Io { .. } if told || is_full() => {
                Self::Full { directory: directory.to_owned() }
            }
            other => other,
        }
    }
}

/// A disk with less room than this is full.
const ROOM: u64 = 1 << 20;

/// How many reads go on at once: of what is found by a key, of lists, and of searches, which walk
/// through many rows. Each have their own connections, so that whoever searches keeps nobody from
/// their game.
const READERS: usize = 4;
const LISTERS: usize = 2;
const SEARCHERS: usize = 1;

/// The embedded store.
pub struct SqliteStore {
    // Fields are dropped in this order: the last connection that closes tidies the files up, and
    // then the lock may go.
    readers: Readers,
    listers: Readers,
    searchers: Readers,
    writer: Writer,
    heads: Heads,
    _lock: File,
}

impl SqliteStore {
    /// Opens the store in a directory, which is made if it is missing. `bytes_max` limits the
    /// database's size.
    pub fn open(directory: &Path, bytes_max: Option<u64>) -> Result<Self, OpenError> {
        Self::try_to_open(directory, bytes_max).map_err(|error| error.unless_full(directory))
    }

    fn try_to_open(directory: &Path, bytes_max: Option<u64>) -> Result<Self, OpenError> {
        // The secret seeds of running games are in there.
        let made = DirBuilder::new().recursive(true).mode(0o700).create(directory);
        made.map_err(|error| OpenError::Io { path: directory.to_owned(), error })?;
        refuse_unfinished(directory)?;
        let file = directory.join(DATABASE);
        let (lock, heads) = (lock(directory, true)?, open_heads(directory)?);
        let slots = heads.slots();
        let connection = open_for_writing(&file, bytes_max, &slots)?;
        refuse_damaged(check::look(&connection, &slots, Depth::Directory), directory)?;
        check::note_ends(&connection, &slots).map_err(|error| OpenError::of(&error, &file))?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
        Self::start(lock, heads, connection, &file)
    }

    /// Opens the store of a directory only to look through it: whatever is wrong with it. Answers
    /// what was found in its structure, its directory and its accounts. What is left in the
    /// write-ahead log stays there.
    pub fn open_to_verify(directory: &Path) -> Result<(Self, Vec<String>), OpenError> {
        let file = directory.join(DATABASE);
        let (lock, heads) = (lock(directory, false)?, open_heads(directory)?);
        let connection = Connection::open(&file)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        if !schema::is_newest(&connection, &file)? {
            return Err(OpenError::Older { file });
        }
        let Findings { mut damaged, lost } = check::look(&connection, &heads.slots(), Depth::All);
        damaged.extend(lost.into_iter().map(|what| format!("lost: {what}")));
        Ok((Self::start(lock, heads, connection, &file)?, damaged))
    }

    fn start(
        lock: File,
        heads: Heads,
        connection: Connection,
        file: &Path,
    ) -> Result<Self, OpenError> {
        let writer = Writer::start(connection, heads.slots())
            .map_err(|error| OpenError::Io { path: file.to_owned(), error })?;
        Ok(Self {
            readers: Readers::open(file, READERS)?,
            listers: Readers::open(file, LISTERS)?,
            searchers: Readers::open(file, SEARCHERS)?,
            writer,
            heads,
            _lock: lock,
        })
    }

    /// All accounts, those that are erased too, and all invitations with the uses that are left:
    /// for moving elsewhere.
    pub async fn everybody(&self) -> Result<(Vec<Account>, Vec<Invitation>), StoreError> {
        self.readers.run(|reader| accounts::everybody(reader)).await
    }

    /// Who wants no invitations from whom: for moving elsewhere.
    pub async fn blocks(&self) -> Result<Vec<(String, String)>, StoreError> {
        self.readers.run(|reader| accounts::blocks(reader)).await
    }

    /// What players set about their notices, and the notices on their way: for moving elsewhere.
    pub async fn all_notices(
        &self,
    ) -> Result<(Vec<(String, NoticeBook)>, Vec<Outgoing>), StoreError> {
        self.readers.run(|reader| Ok((outgoing::books(reader)?, outgoing::all(reader)?))).await
    }
}

/// An invitation: the hash of its code, and how many uses are left.
pub type Invitation = ([u8; 32], u32);

fn open_heads(directory: &Path) -> Result<Heads, OpenError> {
    Heads::open(directory).map_err(|error| OpenError::Io { path: directory.join(HEADS), error })
}

/// Refuses a directory in which something is damaged or lost, and tells what.
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

/// Refuses a directory in which a restore has not ended: it would be an empty one to an engine.
fn refuse_unfinished(directory: &Path) -> Result<(), OpenError> {
    let unfinished = directory.join(format!("{DATABASE}{UNFINISHED}"));
    if unfinished.exists() {
        return Err(OpenError::Unfinished { directory: directory.to_owned(), unfinished });
    }
    Ok(())
}

/// Locks the database against a second engine, for as long as the file is open. The lock is on the
/// database's own file, so neither a removed file nor another name for it lets a second engine in.
///
/// The file must be open for longer than SQLite's own: the system gives up SQLite's locks when the
/// process closes any handle of the file.
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

/// Makes the database's file for its owner's eyes only, whoever may look into the directory: it
/// holds the secret seeds of running games. What SQLite puts beside it gets the same permissions.
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

/// Looks through every row and page of a copy.
pub(crate) fn check_copy(connection: &Connection) -> Result<(), StoreError> {
    check::copy(connection)
}

fn open_for_writing(
    file: &Path,
    bytes_max: Option<u64>,
    slots: &Slots,
) -> Result<Connection, OpenError> {
    let mut connection = Connection::open(file)?;
    // Until all is well the write-ahead log is left as it is: somebody may want to look at it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    if schema::check(&connection, file)? == 0 && slots.count() > 1 {
        let found = format!("all of up to {} games", slots.count() - 1);
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
    schema::migrate(&mut connection, file)?;
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

    fn entries(
        &self,
        game_id: &str,
        after: u64,
        limit: usize,
        bytes_max: usize,
    ) -> Answer<'_, Vec<Bytes>> {
        let (game_id, slots) = (game_id.to_owned(), self.heads.slots());
        Box::pin(
            self.readers.run(move |reader| {
                journal::entries(reader, &slots, &game_id, after, limit, bytes_max)
            }),
        )
    }

    fn load(&self, game_id: &str) -> Answer<'_, Loaded> {
        let (game_id, slots) = (game_id.to_owned(), self.heads.slots());
        Box::pin(self.readers.run(move |reader| journal::load(reader, &slots, &game_id)))
    }

    fn put_snapshot(&self, game_id: &str, at: End, snapshot: Bytes) -> Answer<'_, ()> {
        let game_id = game_id.to_owned();
        Box::pin(
            self.writer
                .run(move |session| journal::put_snapshot(session, &game_id, at.last, &snapshot)),
        )
    }

    fn game(&self, game_id: &str) -> Answer<'_, GameRow> {
        let game_id = game_id.to_owned();
        Box::pin(self.readers.run(move |reader| {
            let moment = reader.transaction()?;
            Ok(directory::game(&moment, &game_id)?.1)
        }))
    }

    fn games(&self, query: GameQuery) -> Answer<'_, Vec<GameRow>> {
        let readers = if query.search.is_some() { &self.searchers } else { &self.listers };
        Box::pin(readers.run(move |reader| directory::games(&*reader.transaction()?, &query)))
    }

    fn due(&self, limit: usize) -> Answer<'_, Vec<(String, Millis)>> {
        Box::pin(self.readers.run(move |reader| directory::due(reader, limit)))
    }

    fn wanting(&self, after: &str, limit: usize) -> Answer<'_, Vec<String>> {
        let after = after.to_owned();
        Box::pin(self.readers.run(move |reader| directory::wanting(reader, &after, limit)))
    }

    fn unsettled(&self, after: &str, limit: usize) -> Answer<'_, Vec<String>> {
        let after = after.to_owned();
        Box::pin(self.searchers.run(move |reader| directory::unsettled(reader, &after, limit)))
    }

    fn sandboxes_before(&self, time: Millis, limit: usize) -> Answer<'_, Vec<String>> {
        Box::pin(self.readers.run(move |reader| directory::sandboxes_before(reader, time, limit)))
    }

    fn games_counted(&self, player_id: &str) -> Answer<'_, u32> {
        let player_id = player_id.to_owned();
        Box::pin(self.readers.run(move |reader| directory::games_counted(reader, &player_id, "")))
    }

    fn sizes(&self, game_ids: Vec<String>) -> Answer<'_, Vec<Size>> {
        Box::pin(self.searchers.run(move |reader| directory::sizes(reader, &game_ids)))
    }

    fn remove_games(&self, game_ids: Vec<String>) -> Answer<'_, ()> {
        Box::pin(self.writer.run(move |session| journal::remove(session, &game_ids)))
    }

    fn game_ids(&self, after: &str, limit: usize) -> Answer<'_, Vec<String>> {
        let after = after.to_owned();
        Box::pin(self.listers.run(move |reader| directory::ids(reader, &after, limit)))
    }

    fn counts(&self) -> Answer<'_, Counts> {
        Box::pin(self.listers.run(|reader| directory::counts(reader)))
    }

    fn open_account(&self, account: Account, token: TokenRow) -> Answer<'_, ()> {
        Box::pin(self.writer.run(move |session| accounts::open(session, &account, &token, None)))
    }

    fn open_invited(
        &self,
        account: Account,
        token: TokenRow,
        invitation: [u8; 32],
    ) -> Answer<'_, ()> {
        Box::pin(
            self.writer
                .run(move |session| accounts::open(session, &account, &token, Some(&invitation))),
        )
    }

    fn account(&self, id_or_name: &str) -> Answer<'_, Account> {
        let id_or_name = id_or_name.to_owned();
        Box::pin(self.readers.run(move |reader| accounts::account(reader, &id_or_name)))
    }

    fn accounts(&self, after: &str, search: &str, limit: usize) -> Answer<'_, Vec<Account>> {
        let (after, search) = (after.to_owned(), search.to_owned());
        Box::pin(
            self.searchers.run(move |reader| accounts::accounts(reader, &after, &search, limit)),
        )
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
        Box::pin(
            self.writer
                .run(move |session| accounts::revoke(session, &player_id, token_id.as_deref())),
        )
    }

    fn put_invitation(&self, hash: [u8; 32], uses: u32) -> Answer<'_, ()> {
        Box::pin(self.writer.run(move |session| accounts::put_invitation(session, &hash, uses)))
    }

    fn put_block(&self, player_id: &str, other_id: &str, blocked: bool) -> Answer<'_, ()> {
        let (player, other) = (player_id.to_owned(), other_id.to_owned());
        Box::pin(
            self.writer.run(move |session| accounts::put_block(session, &player, &other, blocked)),
        )
    }

    fn blocked_by(&self, player_id: &str) -> Answer<'_, Vec<String>> {
        let player = player_id.to_owned();
        Box::pin(self.readers.run(move |reader| accounts::blocked_by(reader, &player)))
    }

    fn notice_book(&self, player_id: &str) -> Answer<'_, Option<NoticeBook>> {
        let player = player_id.to_owned();
        Box::pin(self.readers.run(move |reader| outgoing::book(reader, &player)))
    }

    fn put_notice_book(
        &self,
        player_id: &str,
        expected: u64,
        book: Option<NoticeBook>,
    ) -> Answer<'_, ()> {
        let player = player_id.to_owned();
        Box::pin(
            self.writer
                .run(move |session| outgoing::put_book(session, &player, expected, book.as_ref())),
        )
    }

    fn claim_outgoing(
        &self,
        now: Millis,
        until: Millis,
        limit: usize,
    ) -> Answer<'_, Vec<Outgoing>> {
        Box::pin(self.writer.run(move |session| outgoing::claim(session, now, until, limit)))
    }

    fn settle_outgoing(&self, gone: Vec<(String, String)>, put: Vec<Outgoing>) -> Answer<'_, ()> {
        Box::pin(self.writer.run(move |session| outgoing::settle(session, &gone, &put)))
    }

    fn outgoing(&self) -> Answer<'_, (u64, Option<Millis>)> {
        Box::pin(self.readers.run(|reader| outgoing::count(reader)))
    }
}
