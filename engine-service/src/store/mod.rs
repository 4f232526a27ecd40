//! Everything that outlasts the process: journals, the directory of games, and accounts.
//!
//! [`Store`] is a trait because any process that shares the store may host a game. So nothing may
//! assume that a game lives in this process alone: [`Store::append`] decides, and the loser of a
//! race loads the game anew.

pub mod conformance;
pub mod memory;
mod outgoing;
pub mod postgres;
mod quota;
pub mod shared;
pub mod sqlite;
pub(crate) mod sums;

use std::collections::HashSet;
use std::future::Future;
use std::pin::Pin;

use bytes::Bytes;
use heliopause_proto::v1::GameStatus;

pub use self::outgoing::{NoticeBook, Outgoing};
pub use self::quota::{Counted, Excess, Quota};
pub use self::shared::Shared;

/// The answer of a store, once it has one.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Milliseconds since 1970, UTC.
pub type Millis = i64;

/// The statuses of games that are over.
pub(crate) const ENDED_STATUSES: [i32; 2] =
    [GameStatus::Ended as i32, GameStatus::Cancelled as i32];

/// In how many games a search looks for a text, newest first: no index finds a text within names,
/// so the search needs a limit.
pub(crate) const SEARCHED_MAX: usize = 20_000;

/// A name for comparison: without regard to case, or to whether marks stand apart from their
/// letters.
pub(crate) fn folded(name: &str) -> String {
    heliopause_text::composed(name).to_lowercase()
}

/// Accounts of an older store, the oldest first, with their looks. Of several that look the same
/// the first gets the claim; the others keep their names.
pub(crate) fn claiming(accounts: Vec<Account>) -> impl Iterator<Item = Account> {
    let mut claimed = HashSet::new();
    accounts.into_iter().map(move |mut account| {
        account.looks = heliopause_text::looks(&account.name);
        if !claimed.insert(account.looks.clone()) {
            account.looks.clear();
        }
        account
    })
}

/// Why the store could not do the request. Nothing has changed, but see `Unavailable`.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The journal's last entry is not the expected one. Another append came first if `actual` is
    /// the higher number; otherwise the store lost entries that were there.
    #[error("the journal ends with entry {actual}, and not with the expected entry {expected}")]
    LostRace {
        /// The number that the caller expected the last entry to have.
        expected: u64,
        /// The number that it has.
        actual: u64,
    },
    /// An account would have more than it may.
    #[error("over the quota of {} {:?}", .0.limit, .0.of)]
    OverQuota(Excess),
    /// A name or an id is taken.
    #[error("taken already")]
    Taken,
    /// There is no such thing.
    #[error("not found")]
    NotFound,
    /// The store cannot be written or read at the moment: a full disk, a lost connection. A write
    /// to a shared store may or may not have happened.
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
    /// The stored data are not as written.
    #[error("the store is damaged: {0}")]
    Damaged(String),
}

/// The end of a journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct End {
    /// The number of the last entry.
    pub last: u64,
    /// The tag of the last entry's hash, if it is known. Two histories of one game have different
    /// tags.
    pub tag: Option<i64>,
}

impl End {
    /// The end of a journal after an entry with this number and an unknown hash.
    pub fn at(last: u64) -> Self {
        Self { last, tag: None }
    }

    /// The end of a journal after an entry with this hash.
    pub fn of(last: u64, hash: &[u8]) -> Self {
        let tag = hash.last_chunk().map(|chunk| i64::from_le_bytes(*chunk));
        Self { last, tag }
    }

    /// Whether a journal that once ended here has lost entries, if it ends at `found` now.
    pub fn is_lost(self, found: Self) -> bool {
        found.last < self.last || (found.last == self.last && differ(self.tag, found.tag))
    }
}

/// Whether two tags are known and different.
pub(crate) fn differ(one: Option<i64>, other: Option<i64>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one != other)
}

/// The tags of a journal's end before and after an append.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    /// The tag that the last entry must have, if the store knows it.
    pub before: Option<i64>,
    /// The tag of the new last entry.
    pub after: Option<i64>,
}

/// One step of one game, made durable in a single commit: entries, the directory's row, and all
/// consequences.
#[derive(Clone, Debug)]
pub struct Append {
    /// The number that the last entry must have; 0 creates the game and needs `secret`.
    pub expected: u64,
    /// The tags of the journal's end. A store that only one process uses ignores them.
    pub tags: Tags,
    /// The entries, encoded, numbered from `expected + 1`.
    pub entries: Vec<Bytes>,
    /// The directory's new record of the game.
    pub row: GameRow,
    /// The secret seed; with the first append only.
    pub secret: Option<[u8; 32]>,
    /// A snapshot of the table after the last of these entries.
    pub snapshot: Option<Bytes>,
    /// Changes of players' dedication ratings.
    pub ratings: Vec<(String, i32)>,
    /// The quotas after it of the accounts for whom it counts.
    pub quotas: Vec<Quota>,
    /// Notices for members. The store keeps those for players whose [`NoticeBook`] listens.
    pub notices: Vec<Outgoing>,
}

/// A game in the directory: the facts that need no loading.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct GameRow {
    pub game_id: String,
    pub kind: String,
    pub name: String,
    /// The status, as in the contract's `GameStatus`.
    pub status: i32,
    /// Whether lists show it only to its members.
    pub private: bool,
    /// Whether it is a sandbox game.
    pub sandbox: bool,
    /// How many seats are players'.
    pub seats: u32,
    /// How many of them anybody may take.
    pub open_seats: u32,
    /// When it was created. Lists are ordered by it (newest first), then by id.
    pub created: Millis,
    /// When something falls due: a deadline, the end of a vote, of a vacation. `None` if time
    /// changes nothing.
    pub due: Option<Millis>,
    /// Whether an automated seat owes a decision.
    pub wants_automation: bool,
    /// Where it stands, for lists.
    pub progress: String,
    /// The account that leads the game: its game master, its host, or a sandbox's owner. Empty if
    /// there is none.
    pub host: String,
    /// Since when automation sleeps in it, if it does.
    pub asleep_since: Option<Millis>,
    /// Everybody who has to do with it.
    pub members: Vec<Member>,
}

/// Somebody who has to do with a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// The player's id.
    pub player_id: String,
    /// Their seat, from 1; 0 for a host without a seat, a game master, or a sandbox owner.
    pub seat: u32,
    /// Whether a seat is only kept for them.
    pub invited: bool,
    /// Whether a decision of theirs is open.
    pub your_decision: bool,
    /// When it falls due.
    pub deadline: Option<Millis>,
}

/// The source of a loaded game: the newest snapshot, and the entries after it by
/// [`Store::entries`].
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The secret seed.
    pub secret: [u8; 32],
    /// The number of the last entry.
    pub last: u64,
    /// The newest snapshot and the number of the entry that it was taken after.
    pub snapshot: Option<(u64, Bytes)>,
}

/// A question to the directory. Pages follow `after`, the last row of the page before.
#[derive(Clone, Debug, Default)]
pub struct GameQuery {
    /// How many rows at most.
    pub limit: usize,
    /// Rows after this one: created and id of the last row that the caller has.
    pub after: Option<(Millis, String)>,
    /// Only this kind.
    pub kind: Option<String>,
    /// Only this status.
    pub status: Option<i32>,
    /// Only games that have an open seat, or keep one for this `visible_to` player.
    pub joinable: bool,
    /// Only games whose name (or, without `visible_to`, whose id) holds this text, without regard
    /// to ASCII case. A store on a disk looks only at the newest 20,000 games that pass all other
    /// filters.
    pub search: Option<String>,
    /// Only games that this player may know: public ones, and private ones that they are a member
    /// of.
    pub visible_to: Option<String>,
    /// Only games that this player is a member of.
    pub member: Option<String>,
    /// Only games of this account.
    pub host: Option<String>,
    /// Leave out games that ended or were cancelled.
    pub running_only: bool,
}

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    pub player_id: String,
    /// The name; unique without regard to case. Empty once erased.
    pub name: String,
    /// The look of the name, as [`heliopause_text::looks`] gave it when the name was taken; unique,
    /// and empty without a claim. It is stored, not computed anew, because the tables behind it
    /// change with Unicode.
    pub looks: String,
    /// The role, as in the contract's `AccountRole`.
    pub role: i32,
    /// The dedication rating.
    pub dedication: i32,
    /// Whether it is banned.
    pub banned: bool,
    /// Its own limit of running games; 0 means the server's default.
    pub games_limit: u32,
    /// When it was opened.
    pub created: Millis,
}

/// A token, by the hash of its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRow {
    pub token_id: String,
    pub player_id: String,
    /// The owner's name for it.
    pub name: String,
    /// SHA-256 of the secret.
    pub hash: [u8; 32],
    /// When it was made.
    pub created: Millis,
}

/// How large a game's journal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Size {
    pub entries: u64,
    pub bytes: u64,
}

/// The size of the store. A store that several processes share counts no further than a million of
/// each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counts {
    pub games: u64,
    /// Accounts that are not erased.
    pub players: u64,
}

/// Everything that outlasts the process.
///
/// Guarantees of every implementation, checked by [`conformance`]:
/// - An answered write is durable: it survives the death of the process and of the machine.
/// - [`Store::append`] is atomic and linear in each game: of two appends with the same `expected`
///   one wins.
/// - A failed call has changed nothing, unless the connection to a shared store broke just then.
///
/// A store on a disk checks every read: altered data is `Damaged`, never an answer.
pub trait Store: Send + Sync + 'static {
    /// The services of this store to several processes; `None` if one process has it for itself.
    fn shared(&self) -> Option<&dyn Shared> {
        None
    }

    /// Appends to a game's journal, if its last entry is the expected one. `LostRace` if it is not,
    /// or if a new game's id is taken. `NotFound` without a secret if there is no game. `OverQuota`
    /// if an account would have more than it may: counting and appending are one step.
    fn append(&self, append: Append) -> Answer<'_, ()>;

    /// The entries after a number, oldest first: at most `limit` of them, and no more than
    /// `bytes_max` bytes, but at least one if there is one. `NotFound` if there is no game.
    fn entries(
        &self,
        game_id: &str,
        after: u64,
        limit: usize,
        bytes_max: usize,
    ) -> Answer<'_, Vec<Bytes>>;

    /// The source of a loaded game. `NotFound` if there is none.
    fn load(&self, game_id: &str) -> Answer<'_, Loaded>;

    /// Keeps a snapshot taken after an entry, unless a newer one is there. Losing a snapshot loses
    /// nothing. `LostRace` if there is no such entry, `NotFound` if there is no such game. If `at`
    /// has a tag, a shared store also answers `LostRace` unless the journal ends there.
    fn put_snapshot(&self, game_id: &str, at: End, snapshot: Bytes) -> Answer<'_, ()>;

    /// A game's row. `NotFound` if there is none.
    fn game(&self, game_id: &str) -> Answer<'_, GameRow>;

    /// Rows, newest first.
    fn games(&self, query: GameQuery) -> Answer<'_, Vec<GameRow>>;

    /// Games in which something falls due, the earliest first, at most `limit`.
    fn due(&self, limit: usize) -> Answer<'_, Vec<(String, Millis)>>;

    /// Games that want automation, by id, after an id (empty for the first page), at most `limit`.
    fn wanting(&self, after: &str, limit: usize) -> Answer<'_, Vec<String>>;

    /// Games whose last entry has no snapshot, by id, after an id (empty for the first page), at most
    /// `limit`.
    fn unsettled(&self, after: &str, limit: usize) -> Answer<'_, Vec<String>>;

    /// How many running games a player hosts or holds a seat in. Sandbox games do not count.
    fn games_counted(&self, player_id: &str) -> Answer<'_, u32>;

    /// The sizes of the games' journals, in their order; missing games have no entries.
    fn sizes(&self, game_ids: Vec<String>) -> Answer<'_, Vec<Size>>;

    /// Sandbox games that were created before a time, the oldest first, at most `limit`.
    fn sandboxes_before(&self, time: Millis, limit: usize) -> Answer<'_, Vec<String>>;

    /// Removes games completely; for sandbox games whose time is over.
    fn remove_games(&self, game_ids: Vec<String>) -> Answer<'_, ()>;

    /// All games, by id, after an id (empty for the first page), at most `limit`; also those whose
    /// rows are damaged.
    fn game_ids(&self, after: &str, limit: usize) -> Answer<'_, Vec<String>>;

    /// How much there is.
    fn counts(&self) -> Answer<'_, Counts>;

    /// Opens an account with its first token. `Taken` if the name is, or its looks are.
    fn open_account(&self, account: Account, token: TokenRow) -> Answer<'_, ()>;

    /// Opens an account and uses up one use of an invitation. `NotFound` if the invitation is not
    /// valid.
    fn open_invited(
        &self,
        account: Account,
        token: TokenRow,
        invitation: [u8; 32],
    ) -> Answer<'_, ()>;

    /// An account by id or by name without regard to case. `NotFound` if there is none.
    fn account(&self, id_or_name: &str) -> Answer<'_, Account>;

    /// Accounts by name, after a name (empty for the first page), whose name holds `search`.
    fn accounts(&self, after: &str, search: &str, limit: usize) -> Answer<'_, Vec<Account>>;

    /// Replaces an account's record (all but id, created and dedication). `Taken` if the name or
    /// its looks are; `NotFound` if there is no such account.
    fn put_account(&self, account: Account) -> Answer<'_, ()>;

    /// Adds a token. `Taken` if its id or hash is, `NotFound` if there is no such account.
    fn put_token(&self, token: TokenRow) -> Answer<'_, ()>;

    /// The token with this hash and its account. `NotFound` if there is none.
    fn token(&self, hash: [u8; 32]) -> Answer<'_, (TokenRow, Account)>;

    /// A player's tokens, oldest first.
    fn tokens(&self, player_id: &str) -> Answer<'_, Vec<TokenRow>>;

    /// Revokes tokens of a player: one, or all. Answers those that were revoked.
    fn revoke(&self, player_id: &str, token_id: Option<&str>) -> Answer<'_, Vec<TokenRow>>;

    /// Keeps an invitation, by the hash of its code, for so many uses.
    fn put_invitation(&self, hash: [u8; 32], uses: u32) -> Answer<'_, ()>;

    /// Notes that a player wants no invitations from another, or that they do again.
    fn put_block(&self, player_id: &str, other_id: &str, blocked: bool) -> Answer<'_, ()>;

    /// From whom a player wants no invitations, by id.
    fn blocked_by(&self, player_id: &str) -> Answer<'_, Vec<String>>;

    /// What a player set about their notices; `None` if nothing.
    fn notice_book(&self, player_id: &str) -> Answer<'_, Option<NoticeBook>>;

    /// Replaces what a player set about their notices, if it has this version still (0 if there is
    /// nothing). `None` removes it, and all notices that wait for them. `LostRace` if it has
    /// another version.
    fn put_notice_book(
        &self,
        player_id: &str,
        expected: u64,
        book: Option<NoticeBook>,
    ) -> Answer<'_, ()>;

    /// Takes notices that are due at a time, the earliest first, at most `limit`. Nobody else gets
    /// them before `until`, when they fall due again.
    fn claim_outgoing(&self, now: Millis, until: Millis, limit: usize)
    -> Answer<'_, Vec<Outgoing>>;

    /// Removes notices, by their ids and channels, and adds or replaces others.
    fn settle_outgoing(&self, gone: Vec<(String, String)>, put: Vec<Outgoing>) -> Answer<'_, ()>;

    /// How many notices wait, and when the earliest falls due.
    fn outgoing(&self) -> Answer<'_, (u64, Option<Millis>)>;
}
