//! Persistent state: journals, the directory of games, and accounts.
//!
//! Several processes may share a store and host the same game. [`Store::append`] detects races. The
//! loser reads the winner's entries.

pub(crate) mod checksums;
pub mod conformance;
pub mod postgres;
mod quota;
pub mod shared;
pub mod sqlite;

use std::future::Future;
use std::ops::Range;
use std::pin::Pin;

use bytes::Bytes;
use heliopause_proto::v1::GameStatus;
pub use heliopause_table::ListingMember as Member;

pub use self::quota::{Quota, QuotaKind, QuotaViolation};
pub use self::shared::Shared;

/// The result of an operation on a store.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// The future returned by methods of a store.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Milliseconds since 1970, UTC.
pub type Millis = i64;

pub(crate) const ENDED_STATUSES: [i32; 2] =
    [GameStatus::Ended as i32, GameStatus::Cancelled as i32];

/// The number of newest games that a search examines. No index supports the search for a part of a
/// name, or for rated games.
pub(crate) const SEARCHED_MAX: usize = 20_000;

pub(crate) fn folded(name: &str) -> String {
    heliopause_proto::text::composed(name).to_lowercase()
}

pub(crate) fn unique(name: &str) -> Option<String> {
    (!name.is_empty()).then(|| folded(name))
}

/// Returns the looks of a name as a unique key, or `None` for empty looks.
pub(crate) fn claim(looks: &str) -> Option<&str> {
    (!looks.is_empty()).then_some(looks)
}

/// An error of the store. The request has changed nothing, except as noted for `Unavailable`.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The journal's last entry, or the version of a record, is not the expected one. If `actual` is
    /// greater, another write came first. Otherwise the store has lost entries, or the record was
    /// removed. Both are 0 for an account, which has no version.
    #[error("the last entry or version is {actual}; expected {expected}")]
    LostRace { expected: u64, actual: u64 },
    #[error("account {:?} has reached its limit of {} ({:?})", .0.player_id, .0.limit, .0.of)]
    OverQuota(QuotaViolation),
    #[error("the id or name is already taken")]
    Taken,
    #[error("the store does not contain the requested data")]
    NotFound,
    /// The store cannot be read or written at the moment, for example because of a full disk or a
    /// lost connection. A write to a shared store may or may not have happened.
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
    /// Stored data is altered, incomplete or unreadable.
    #[error("the store is damaged: {0}")]
    Damaged(String),
}

/// The end of a journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct End {
    pub last: u64,
    /// Different histories of a game have different tags. `None` if unknown.
    pub tag: Option<i64>,
}

impl End {
    pub fn at(last: u64) -> Self {
        Self { last, tag: None }
    }

    pub fn of(last: u64, hash: &[u8]) -> Self {
        let tag = hash.last_chunk().map(|chunk| i64::from_le_bytes(*chunk));
        Self { last, tag }
    }

    /// Returns whether a journal has lost entries if it once ended here and now ends at `found`.
    pub fn is_lost(self, found: Self) -> bool {
        found.last < self.last || (found.last == self.last && tags_differ(self.tag, found.tag))
    }
}

/// Returns whether two tags prove different histories. An unknown tag proves nothing.
pub(crate) fn tags_differ(one: Option<i64>, other: Option<i64>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one != other)
}

/// The tags of a journal's end before and after an append.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    /// The tag that the current last entry must have, if the store has a tag for it.
    pub before: Option<i64>,
    pub after: Option<i64>,
}

/// New entries of a game, committed atomically with their side effects.
#[derive(Clone, Debug, Default)]
pub struct Append {
    /// The number that the current last entry must have. 0 creates the game and requires `secret`.
    pub expected: u64,
    /// The tags of the journal's end. Only shared stores use them.
    pub tags: Tags,
    pub entries: Vec<Bytes>,
    pub row: GameRow,
    pub secret: Option<[u8; 32]>,
    pub snapshot: Option<Bytes>,
    pub ratings: Vec<(String, i32)>,
    pub quotas: Vec<Quota>,
    /// Notices for members. The store keeps only those for players whose [`NoticeBook::listens`] is
    /// set.
    pub notices: Vec<Outgoing>,
}

/// A game's row in the directory, available without loading the game.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent")]
pub struct GameRow {
    pub game_id: String,
    pub kind: String,
    pub name: String,
    /// A value of the contract's `GameStatus`.
    pub status: i32,
    /// Whether only members see the game in lists.
    pub private: bool,
    pub sandbox: bool,
    pub seats: u32,
    pub open_seats: u32,
    /// The creation time. Lists are sorted by creation time, newest first, then by id.
    pub created: Millis,
    /// The next time at which something happens: a deadline, or the end of a vote or a vacation.
    pub due: Option<Millis>,
    pub wants_automation: bool,
    pub progress: String,
    /// The account of the game master, the host, or the sandbox's owner. Empty if there is none.
    pub host: String,
    pub asleep_since: Option<Millis>,
    /// When the game ended with a result. Always `None` for sandbox games.
    pub ended: Option<Millis>,
    pub rated: bool,
    /// Whether spectators do not see who plays.
    pub names_hidden: bool,
    pub members: Vec<Member>,
}

/// The data from which a game is loaded, except the entries after the snapshot.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub secret: [u8; 32],
    pub last: u64,
    /// The newest snapshot and the number of the last entry that it includes.
    pub snapshot: Option<(u64, Bytes)>,
}

#[derive(Clone, Debug, Default)]
pub struct GameQuery {
    pub limit: usize,
    pub after: Option<(Millis, String)>,
    pub kind: Option<String>,
    pub status: Option<i32>,
    /// Only games with an open seat, or with a seat reserved for the player `visible_to`.
    pub joinable: bool,
    /// Only games whose name contains this string, ignoring ASCII case. Without `visible_to`, also
    /// games whose id contains it.
    pub search: Option<String>,
    /// Only public games, and private games with this player as a member.
    pub visible_to: Option<String>,
    pub member: Option<String>,
    pub host: Option<String>,
    pub running_only: bool,
    /// Only games in which this player has a seat. Omits games that hide the names of players,
    /// unless the player is also `visible_to`.
    pub seated: Option<String>,
    pub rated: Option<bool>,
    pub created: Option<Range<Millis>>,
    /// Only games that ended with a result at these times. The list is then sorted by the end,
    /// newest first, and then by id, descending. `after` is then an end and an id.
    pub ended: Option<Range<Millis>>,
    /// Only games that ended with a result after this time, or at this time with a greater id. The
    /// list is then sorted by the end, oldest first, and then by id.
    pub ended_after: Option<(Millis, String)>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    pub player_id: String,
    /// The name, unique when ignoring case. Empty if the account is erased.
    pub name: String,
    /// The appearance of the name, unique among accounts. Empty if the name claims no looks. Stored
    /// because the tables of [`heliopause_proto::text::looks`] change with Unicode.
    pub looks: String,
    /// A value of the contract's `AccountRole`.
    pub role: i32,
    pub dedication: i32,
    pub banned: bool,
    /// The account's own limit on running games. 0 means the server's default.
    pub games_limit: u32,
    pub created: Millis,
}

impl Account {
    pub fn new(player_id: String, name: &str, role: i32, created: Millis) -> Self {
        let (looks, name) = (heliopause_proto::text::looks(name), name.to_owned());
        Self { player_id, name, looks, role, created, ..Self::default() }
    }

    /// Fails if the account is no longer stored like this. Ignores the dedication, which games
    /// change.
    pub(crate) fn check_stored(&self, stored: &Self) -> Result<()> {
        if (Self { dedication: stored.dedication, ..self.clone() }) == *stored {
            return Ok(());
        }
        Err(StoreError::LostRace { expected: 0, actual: 0 })
    }
}

/// A token, identified by the hash of its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRow {
    pub token_id: String,
    pub player_id: String,
    pub name: String,
    pub hash: [u8; 32],
    pub created: Millis,
}

/// A small document of a feature that needs no table of its own, for example a blocked player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The type of document, for example "block".
    pub space: String,
    /// The id, unique within the space. Not empty.
    pub id: String,
    /// The key by which lists are selected and sorted.
    pub key: String,
    /// Starts at 1. Each change increments it.
    pub version: u64,
    pub body: Bytes,
}

impl Record {
    /// Decodes the body.
    pub(crate) fn message<M: prost::Message + Default>(&self) -> Result<M> {
        M::decode(self.body.clone()).map_err(|error| {
            StoreError::Damaged(format!("the {} record {:?}: {error}", self.space, self.id))
        })
    }

    /// Returns the change that removes the record.
    pub fn removed(self) -> RecordChange {
        RecordChange { space: self.space, id: self.id, expected: self.version, new: None }
    }

    /// Returns the change that replaces the record's body.
    pub fn with_body(self, body: impl Into<Bytes>) -> RecordChange {
        let new = Some((self.key, body.into()));
        RecordChange { space: self.space, id: self.id, expected: self.version, new }
    }
}

/// The change of one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordChange {
    pub space: String,
    pub id: String,
    /// The record's current version; 0 if it must not exist.
    pub expected: u64,
    /// The new key and body. `None` removes the record.
    pub new: Option<(String, Bytes)>,
}

impl RecordChange {
    /// Returns the change that creates a record.
    pub fn create(space: &str, id: &str, key: &str, body: impl Into<Bytes>) -> Self {
        let new = Some((key.to_owned(), body.into()));
        Self { space: space.to_owned(), id: id.to_owned(), expected: 0, new }
    }

    /// Returns the record after the change.
    pub(crate) fn after(&self) -> Option<Record> {
        let (key, body) = self.new.clone()?;
        let (space, id) = (self.space.clone(), self.id.clone());
        Some(Record { space, id, key, version: self.expected + 1, body })
    }
}

/// A part of a space, sorted by key and then by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordQuery {
    pub space: String,
    /// Only records after this key and id. An empty id includes all records with the key.
    pub after: (String, String),
    /// Only records with at most this key.
    pub until: Option<String>,
    pub limit: usize,
}

impl RecordQuery {
    /// Returns the query for the records with one key.
    pub fn with_key(space: &str, key: &str, limit: usize) -> Self {
        let (after, until) = ((key.to_owned(), String::new()), Some(key.to_owned()));
        Self { space: space.to_owned(), after, until, limit }
    }

    /// Returns a text that no key exceeds.
    pub(crate) fn until(&self) -> &str {
        self.until.as_deref().unwrap_or("\u{10ffff}")
    }
}

/// A player's notice settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoticeBook {
    /// Starts at 1. Each change increments it.
    pub version: u64,
    pub listens: bool,
    pub body: Bytes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// Copies for different channels have the same id.
    pub id: String,
    pub player_id: String,
    /// Empty until the notice is copied to the player's channels.
    pub channel_id: String,
    /// The time to send the notice, or the time at which a sender's claim to it expires.
    pub due: Millis,
    pub attempts: u32,
    pub body: Bytes,
}

/// The size of a game's journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Size {
    pub entries: u64,
    pub bytes: u64,
}

/// The numbers of games and players in a store. Shared stores count at most a million of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counts {
    pub games: u64,
    pub players: u64,
}

/// Persistent state.
///
/// Every implementation guarantees the following. [`conformance`] checks the guarantees except
/// durability, which the in-memory store lacks.
/// - An acknowledged write is durable: it survives a crash of the process or the machine.
/// - [`Store::append`] is atomic and linearizable per game: of two appends with the same
///   `expected`, only one wins.
/// - A failed call has changed nothing, unless the connection to a shared store broke during the
///   call.
/// - A list with a string parameter `after` is sorted by id or name, and starts after that string.
///   An empty string requests the first page.
///
/// Stores on disk verify every read and return `Damaged` for altered data.
pub trait Store: Send + Sync + 'static {
    /// Returns the interface for processes that share this store, or `None` if it cannot be shared.
    fn shared(&self) -> Option<&dyn Shared> {
        None
    }

    /// Appends to a game's journal if its last entry has the expected number.
    ///
    /// Returns `LostRace` if the number differs, or if the id of a new game is taken. Returns
    /// `NotFound` if the game does not exist and `append` has no secret. Returns `OverQuota` if an
    /// account would exceed its quota. Counting usage and appending are one atomic operation.
    fn append(&self, append: Append) -> Answer<'_, ()>;

    /// Returns the entries after a number, oldest first: at most `limit` entries and `bytes_max`
    /// bytes, but at least one entry if any exist.
    fn entries(
        &self,
        game_id: &str,
        after: u64,
        limit: usize,
        bytes_max: usize,
    ) -> Answer<'_, Vec<Bytes>>;

    fn load(&self, game_id: &str) -> Answer<'_, Loaded>;

    /// Stores a snapshot taken at the entry `at`, unless there is a newer one. Losing a snapshot
    /// loses no data.
    ///
    /// Returns `LostRace` if the entry does not exist, and `NotFound` if the game does not exist.
    /// If `at` has a tag, a shared store also returns `LostRace` unless the journal ends there.
    fn put_snapshot(&self, game_id: &str, at: End, snapshot: Bytes) -> Answer<'_, ()>;

    fn game(&self, game_id: &str) -> Answer<'_, GameRow>;

    fn games(&self, query: GameQuery) -> Answer<'_, Vec<GameRow>>;

    /// Returns the ids and due times of at most `limit` games, earliest first. Omits games without
    /// a due time.
    fn due(&self, limit: usize) -> Answer<'_, Vec<(String, Millis)>>;

    fn waiting_for_automation(&self, after: &str, limit: usize) -> Answer<'_, Vec<String>>;

    /// Returns the ids of at most `limit` games whose last entry has no snapshot.
    fn games_without_snapshot(&self, after: &str, limit: usize) -> Answer<'_, Vec<String>>;

    /// Counts the running games that a player hosts or has a seat in, except sandbox games.
    fn games_counted(&self, player_id: &str) -> Answer<'_, u32>;

    /// Returns the sizes of the games' journals, in the order of `game_ids`. The size of a missing
    /// game is zero.
    fn sizes(&self, game_ids: Vec<String>) -> Answer<'_, Vec<Size>>;

    fn sandboxes_before(&self, time: Millis, limit: usize) -> Answer<'_, Vec<String>>;

    fn remove_games(&self, game_ids: Vec<String>) -> Answer<'_, ()>;

    /// Returns the ids of at most `limit` games, including games with damaged rows.
    fn game_ids(&self, after: &str, limit: usize) -> Answer<'_, Vec<String>>;

    fn counts(&self) -> Answer<'_, Counts>;

    /// Opens an account with its first token. Returns `Taken` if the account's id, name or looks,
    /// or the token's id or hash, are taken.
    fn open_account(&self, account: Account, token: TokenRow) -> Answer<'_, ()>;

    /// Opens an account and changes records, all or nothing. Returns `Taken` as
    /// [`Store::open_account`] does, and `LostRace` as [`Store::change_records`] does.
    fn open_account_with(
        &self,
        account: Account,
        token: TokenRow,
        changes: Vec<RecordChange>,
    ) -> Answer<'_, ()>;

    /// Returns an account by id, or by name ignoring case. Returns `NotFound` if there is none.
    fn account(&self, id_or_name: &str) -> Answer<'_, Account>;

    fn accounts(&self, after: &str, search: &str, limit: usize) -> Answer<'_, Vec<Account>>;

    /// Replaces the account `before` by `after`, except for id, creation time and dedication.
    ///
    /// Returns `NotFound` if the account does not exist, `LostRace` if the stored account differs
    /// from `before` in more than its dedication, and `Taken` if the name or its looks are taken.
    fn change_account(&self, before: Account, after: Account) -> Answer<'_, ()>;

    /// Adds a token. Returns `Taken` if its id or hash is taken, and `NotFound` if the account does
    /// not exist.
    fn put_token(&self, token: TokenRow) -> Answer<'_, ()>;

    fn token(&self, hash: [u8; 32]) -> Answer<'_, (TokenRow, Account)>;

    fn tokens(&self, player_id: &str) -> Answer<'_, Vec<TokenRow>>;

    /// Revokes one token of a player, or all tokens if `token_id` is `None`. Returns the revoked
    /// tokens.
    fn revoke(&self, player_id: &str, token_id: Option<&str>) -> Answer<'_, Vec<TokenRow>>;

    fn record(&self, space: &str, id: &str) -> Answer<'_, Option<Record>>;

    fn records(&self, query: RecordQuery) -> Answer<'_, Vec<Record>>;

    /// Changes different records, all or nothing. Returns `LostRace` for the first record whose
    /// version is not the expected one.
    fn change_records(&self, changes: Vec<RecordChange>) -> Answer<'_, ()>;

    fn notice_book(&self, player_id: &str) -> Answer<'_, Option<NoticeBook>>;

    /// Replaces a player's notice settings. Returns `LostRace` unless the current version is
    /// `expected` (0 without settings). If `book` is `None`, removes the settings and the player's
    /// pending notices.
    fn put_notice_book(
        &self,
        player_id: &str,
        expected: u64,
        book: Option<NoticeBook>,
    ) -> Answer<'_, ()>;

    /// Claims due notices, earliest first. A claimed notice is due again at `until`.
    fn claim_outgoing(&self, now: Millis, until: Millis, limit: usize)
    -> Answer<'_, Vec<Outgoing>>;

    fn update_outgoing(&self, gone: Vec<(String, String)>, put: Vec<Outgoing>) -> Answer<'_, ()>;

    fn outgoing(&self) -> Answer<'_, (u64, Option<Millis>)>;
}
