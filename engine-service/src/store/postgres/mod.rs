//! The store for several engines: one PostgreSQL database.
//!
//! | module | holds |
//! | --- | --- |
//! | `schema` | tables, and the way from an older schema to the newest |
//! | `connect` | connections, with TLS or without |
//! | `appender` | the queue of appends, and their group commit |
//! | `journal` | entries and snapshots |
//! | `directory` | lists of games |
//! | `accounts` | accounts, tokens, invitations |
//! | `heads` | where journals end |
//! | `hints` | what engines tell each other: LISTEN and NOTIFY |
//! | `leases` | claims, leases and announcements, which pass by themselves |
//! | `pulse` | whether the database answers |
//!
//! **Invariant.** A game's row is locked before its journal grows, and rows are locked in the order of their ids: of two
//! appends with the same `expected`, from whatever engines, one wins, and no two batches wait for each other.

mod accounts;
mod appender;
mod connect;
mod directory;
mod heads;
mod hints;
mod journal;
mod leases;
mod pulse;
mod schema;

use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use deadpool_postgres::{Object, Pool, PoolError};
use tokio::sync::{broadcast, watch};
use tokio_postgres::error::SqlState;

pub use self::connect::OpenError;

use self::appender::Appender;
use self::connect::Connector;
use self::heads::Heads;
use self::hints::Hints;
use super::shared::{Hint, OpenDecision, Profile, Shared, ValidToken};
use super::{Account, Answer, Append, Counts, GameQuery, GameRow, Loaded, Millis, Store, StoreError, TokenRow};

/// How long a call waits for the database before it is refused.
const PATIENCE: Duration = Duration::from_secs(5);

/// The store of several engines.
pub struct PostgresStore {
    pool: Pool,
    appender: Appender,
    heads: Heads,
    hints: Hints,
    available: watch::Receiver<bool>,
    /// Names this process among those that share the store.
    process: String,
}

impl PostgresStore {
    /// Opens the store at a `postgres://` address with so many connections at most. `authority` is a file with the
    /// certificates that vouch for the database; without one those of the system do.
    pub async fn open(address: &str, connections: usize, authority: Option<&Path>) -> Result<Self, OpenError> {
        let connector = Connector::new(address, authority)?;
        let pool = connector.pool(connections);
        let mut client = pool.get().await.map_err(OpenError::Unreachable)?;
        schema::migrate(&mut client).await?;
        drop(client);
        let process = crate::fresh::process();
        let (pulse, available) = watch::channel(true);
        tokio::spawn(pulse::feel(pool.clone(), pulse));
        Ok(Self {
            appender: Appender::start(&pool),
            heads: Heads::start(&pool),
            hints: Hints::start(connector, pool.clone(), process.clone()),
            available,
            process,
            pool,
        })
    }

    /// Whether the database holds nothing yet.
    pub async fn is_new(&self) -> Result<bool, StoreError> {
        accounts::is_new(&*self.client().await?).await
    }

    /// Takes over accounts with their tokens, and invitations, from another store.
    pub async fn take_over(
        &self,
        accounts: &[(Account, Vec<TokenRow>)],
        invitations: &[([u8; 32], u32)],
    ) -> Result<(), StoreError> {
        accounts::take_over(&mut *self.client().await?, accounts, invitations).await
    }

    async fn client(&self) -> Result<Object, StoreError> {
        Ok(self.pool.get().await?)
    }
}

/// Gives up what takes too long: the database may have gone without a word.
async fn in_time<T>(limit: Duration, work: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    let late = |_| Err(StoreError::Unavailable(format!("the database did not answer within {} s", limit.as_secs())));
    tokio::time::timeout(limit, work).await.unwrap_or_else(late)
}

/// An answer of the database, in time.
fn asked<'a, T: 'a>(work: impl Future<Output = Result<T, StoreError>> + Send + 'a) -> Answer<'a, T> {
    Box::pin(in_time(PATIENCE, work))
}

impl From<PoolError> for StoreError {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Backend(error) => error.into(),
            other => Self::Unavailable(other.to_string()),
        }
    }
}

impl From<tokio_postgres::Error> for StoreError {
    fn from(error: tokio_postgres::Error) -> Self {
        let text = error.as_db_error().map_or_else(|| error.to_string(), |told| told.message().to_owned());
        match error.code() {
            Some(&SqlState::UNIQUE_VIOLATION) => Self::Taken,
            // The database knows no NUL, so nothing there is called by a text with one.
            Some(&SqlState::CHARACTER_NOT_IN_REPERTOIRE) => Self::NotFound,
            Some(&SqlState::DATA_CORRUPTED | &SqlState::INDEX_CORRUPTED) => Self::Damaged(text),
            _ => Self::Unavailable(text),
        }
    }
}

/// The database's integers have a sign. Nothing that is counted here comes near the end of either range.
fn to_i64(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The way back from [`to_i64`].
fn to_u64(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// A small number that was stored as a large one.
fn to_u32(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(0)
}

impl Store for PostgresStore {
    fn shared(&self) -> Option<&dyn Shared> {
        Some(self)
    }

    fn append(&self, append: Append) -> Answer<'_, ()> {
        Box::pin(async move {
            let hint = Hint::Game(append.row.game_id.clone(), append.expected + append.entries.len() as u64);
            self.appender.append(append).await?;
            self.hints.give(hint);
            Ok(())
        })
    }

    fn entries(&self, game_id: &str, after: u64, limit: usize, bytes_max: usize) -> Answer<'_, Vec<Bytes>> {
        let game_id = game_id.to_owned();
        asked(async move { journal::entries(&*self.client().await?, &game_id, after, limit, bytes_max).await })
    }

    fn load(&self, game_id: &str) -> Answer<'_, Loaded> {
        let game_id = game_id.to_owned();
        asked(async move { journal::load(&*self.client().await?, &game_id).await })
    }

    fn put_snapshot(&self, game_id: &str, number: u64, snapshot: Bytes) -> Answer<'_, ()> {
        let game_id = game_id.to_owned();
        asked(async move { journal::put_snapshot(&*self.client().await?, &game_id, number, &snapshot).await })
    }

    fn game(&self, game_id: &str) -> Answer<'_, GameRow> {
        let game_id = game_id.to_owned();
        asked(async move { directory::game(&*self.client().await?, &game_id).await })
    }

    fn games(&self, query: GameQuery) -> Answer<'_, Vec<GameRow>> {
        asked(async move { directory::games(&*self.client().await?, &query).await })
    }

    fn due(&self, limit: usize) -> Answer<'_, Vec<(String, Millis)>> {
        asked(async move { directory::due(&*self.client().await?, limit).await })
    }

    fn wanting(&self, after: &str, limit: usize) -> Answer<'_, Vec<String>> {
        let after = after.to_owned();
        asked(async move { directory::wanting(&*self.client().await?, &after, limit).await })
    }

    fn sandboxes_before(&self, time: Millis, limit: usize) -> Answer<'_, Vec<String>> {
        asked(async move { directory::sandboxes_before(&*self.client().await?, time, limit).await })
    }

    fn seats_held(&self, player_id: &str) -> Answer<'_, u32> {
        let player_id = player_id.to_owned();
        asked(async move { directory::seats_held(&*self.client().await?, &player_id).await })
    }

    fn remove_games(&self, game_ids: Vec<String>) -> Answer<'_, ()> {
        asked(async move { journal::remove(&*self.client().await?, &game_ids).await })
    }

    fn counts(&self) -> Answer<'_, Counts> {
        asked(async move { directory::counts(&*self.client().await?).await })
    }

    fn open_account(&self, account: Account, token: TokenRow) -> Answer<'_, ()> {
        asked(async move { accounts::open(&mut *self.client().await?, &account, &token, None).await })
    }

    fn open_invited(&self, account: Account, token: TokenRow, invitation: [u8; 32]) -> Answer<'_, ()> {
        asked(async move { accounts::open(&mut *self.client().await?, &account, &token, Some(&invitation)).await })
    }

    fn account(&self, id_or_name: &str) -> Answer<'_, Account> {
        let id_or_name = id_or_name.to_owned();
        asked(async move { accounts::account(&*self.client().await?, &id_or_name).await })
    }

    fn accounts(&self, after: &str, search: &str, limit: usize) -> Answer<'_, Vec<Account>> {
        let (after, search) = (after.to_owned(), search.to_owned());
        asked(async move { accounts::accounts(&*self.client().await?, &after, &search, limit).await })
    }

    fn put_account(&self, account: Account) -> Answer<'_, ()> {
        asked(async move {
            accounts::put(&*self.client().await?, &account).await?;
            self.hints.give(Hint::Accounts);
            Ok(())
        })
    }

    fn put_token(&self, token: TokenRow) -> Answer<'_, ()> {
        asked(async move { accounts::put_token(&self.client().await?, &token).await })
    }

    fn token(&self, hash: [u8; 32]) -> Answer<'_, (TokenRow, Account)> {
        asked(async move { accounts::token(&*self.client().await?, &hash).await })
    }

    fn tokens(&self, player_id: &str) -> Answer<'_, Vec<TokenRow>> {
        let player_id = player_id.to_owned();
        asked(async move { accounts::tokens(&*self.client().await?, &player_id).await })
    }

    fn revoke(&self, player_id: &str, token_id: Option<&str>) -> Answer<'_, Vec<TokenRow>> {
        let (player_id, token_id) = (player_id.to_owned(), token_id.map(str::to_owned));
        asked(async move {
            let revoked = accounts::revoke(&*self.client().await?, &player_id, token_id.as_deref()).await?;
            self.hints.give(Hint::Accounts);
            Ok(revoked)
        })
    }

    fn put_invitation(&self, hash: [u8; 32], uses: u32) -> Answer<'_, ()> {
        asked(async move { accounts::put_invitation(&*self.client().await?, &hash, uses).await })
    }
}

impl Shared for PostgresStore {
    fn hints(&self) -> broadcast::Receiver<Hint> {
        self.hints.subscribe()
    }

    fn hears(&self) -> bool {
        self.hints.hears()
    }

    fn available(&self) -> watch::Receiver<bool> {
        self.available.clone()
    }

    fn time(&self) -> Answer<'_, Millis> {
        asked(async move { leases::time(&*self.client().await?).await })
    }

    fn head(&self, game_id: &str) -> Answer<'_, u64> {
        Box::pin(self.heads.head(game_id.to_owned()))
    }

    fn heads(&self, games: Vec<String>, players: Vec<String>) -> Answer<'_, Vec<(String, u64)>> {
        asked(async move { heads::of(&*self.client().await?, &games, &players).await })
    }

    fn heads_among(&self, games: Vec<String>, players: Vec<String>) -> Answer<'_, Vec<(String, u64)>> {
        asked(async move { heads::among(&*self.client().await?, &games, &players).await })
    }

    fn claim(&self, due: Vec<(String, Millis)>, lasting: Duration) -> Answer<'_, Vec<String>> {
        asked(async move { leases::claim(&*self.client().await?, &due, lasting).await })
    }

    fn lease(&self, decisions: Vec<OpenDecision>, lasting: Duration) -> Answer<'_, Vec<Option<u64>>> {
        asked(async move { leases::lease(&*self.client().await?, &decisions, lasting).await })
    }

    fn renew(&self, fences: Vec<u64>, lasting: Duration) -> Answer<'_, Vec<u64>> {
        asked(async move { leases::renew(&*self.client().await?, &fences, lasting).await })
    }

    fn give_back(&self, fences: Vec<u64>) -> Answer<'_, ()> {
        asked(async move { leases::give_back(&*self.client().await?, &fences).await })
    }

    fn announce(&self, profiles: Vec<Profile>, lasting: Duration) -> Answer<'_, Vec<Profile>> {
        asked(async move { leases::announce(&*self.client().await?, &self.process, &profiles, lasting).await })
    }

    fn tell(&self, hint: Hint) {
        self.hints.give(hint);
    }

    fn valid(&self, token_ids: Vec<String>) -> Answer<'_, Vec<ValidToken>> {
        asked(async move { leases::valid(&*self.client().await?, &token_ids).await })
    }
}
