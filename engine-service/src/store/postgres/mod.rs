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
//!
//! **Invariant.** A game's row is locked before its journal grows, and rows are locked in the order of their ids: of two
//! appends with the same `expected`, from whatever engines, one wins, and no two batches wait for each other.

mod accounts;
mod appender;
mod connect;
mod directory;
mod journal;
mod schema;

use std::path::Path;

use bytes::Bytes;
use deadpool_postgres::{Object, Pool, PoolError};
use tokio_postgres::error::SqlState;

pub use self::connect::OpenError;
use self::appender::Appender;
use super::{Account, Answer, Append, Counts, GameQuery, GameRow, Loaded, Millis, Store, StoreError, TokenRow};

/// The store of several engines.
pub struct PostgresStore {
    pool: Pool,
    appender: Appender,
}

impl PostgresStore {
    /// Opens the store at a `postgres://` address with so many connections at most. `authority` is a file with the
    /// certificates that vouch for the database; without one those of the system do.
    pub async fn open(address: &str, connections: usize, authority: Option<&Path>) -> Result<Self, OpenError> {
        let pool = connect::pool(address, connections, authority)?;
        let mut client = pool.get().await.map_err(OpenError::Unreachable)?;
        schema::migrate(&mut client).await?;
        drop(client);
        Ok(Self { appender: Appender::start(pool.clone()), pool })
    }

    async fn client(&self) -> Result<Object, StoreError> {
        Ok(self.pool.get().await?)
    }
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
    fn append(&self, append: Append) -> Answer<'_, ()> {
        Box::pin(self.appender.append(append))
    }

    fn entries(&self, game_id: &str, after: u64, limit: usize, bytes_max: usize) -> Answer<'_, Vec<Bytes>> {
        let game_id = game_id.to_owned();
        Box::pin(async move { journal::entries(&*self.client().await?, &game_id, after, limit, bytes_max).await })
    }

    fn load(&self, game_id: &str) -> Answer<'_, Loaded> {
        let game_id = game_id.to_owned();
        Box::pin(async move { journal::load(&*self.client().await?, &game_id).await })
    }

    fn put_snapshot(&self, game_id: &str, number: u64, snapshot: Bytes) -> Answer<'_, ()> {
        let game_id = game_id.to_owned();
        Box::pin(async move { journal::put_snapshot(&*self.client().await?, &game_id, number, &snapshot).await })
    }

    fn game(&self, game_id: &str) -> Answer<'_, GameRow> {
        let game_id = game_id.to_owned();
        Box::pin(async move { directory::game(&*self.client().await?, &game_id).await })
    }

    fn games(&self, query: GameQuery) -> Answer<'_, Vec<GameRow>> {
        Box::pin(async move { directory::games(&*self.client().await?, &query).await })
    }

    fn due(&self, limit: usize) -> Answer<'_, Vec<(String, Millis)>> {
        Box::pin(async move { directory::due(&*self.client().await?, limit).await })
    }

    fn wanting(&self, after: &str, limit: usize) -> Answer<'_, Vec<String>> {
        let after = after.to_owned();
        Box::pin(async move { directory::wanting(&*self.client().await?, &after, limit).await })
    }

    fn sandboxes_before(&self, time: Millis, limit: usize) -> Answer<'_, Vec<String>> {
        Box::pin(async move { directory::sandboxes_before(&*self.client().await?, time, limit).await })
    }

    fn seats_held(&self, player_id: &str) -> Answer<'_, u32> {
        let player_id = player_id.to_owned();
        Box::pin(async move { directory::seats_held(&*self.client().await?, &player_id).await })
    }

    fn remove_games(&self, game_ids: Vec<String>) -> Answer<'_, ()> {
        Box::pin(async move { journal::remove(&*self.client().await?, &game_ids).await })
    }

    fn counts(&self) -> Answer<'_, Counts> {
        Box::pin(async move { directory::counts(&*self.client().await?).await })
    }

    fn open_account(&self, account: Account, token: TokenRow) -> Answer<'_, ()> {
        Box::pin(async move { accounts::open(&mut *self.client().await?, &account, &token, None).await })
    }

    fn open_invited(&self, account: Account, token: TokenRow, invitation: [u8; 32]) -> Answer<'_, ()> {
        Box::pin(async move { accounts::open(&mut *self.client().await?, &account, &token, Some(&invitation)).await })
    }

    fn account(&self, id_or_name: &str) -> Answer<'_, Account> {
        let id_or_name = id_or_name.to_owned();
        Box::pin(async move { accounts::account(&*self.client().await?, &id_or_name).await })
    }

    fn accounts(&self, after: &str, search: &str, limit: usize) -> Answer<'_, Vec<Account>> {
        let (after, search) = (after.to_owned(), search.to_owned());
        Box::pin(async move { accounts::accounts(&*self.client().await?, &after, &search, limit).await })
    }

    fn put_account(&self, account: Account) -> Answer<'_, ()> {
        Box::pin(async move { accounts::put(&*self.client().await?, &account).await })
    }

    fn put_token(&self, token: TokenRow) -> Answer<'_, ()> {
        Box::pin(async move { accounts::put_token(&*self.client().await?, &token).await })
    }

    fn token(&self, hash: [u8; 32]) -> Answer<'_, (TokenRow, Account)> {
        Box::pin(async move { accounts::token(&*self.client().await?, &hash).await })
    }

    fn tokens(&self, player_id: &str) -> Answer<'_, Vec<TokenRow>> {
        let player_id = player_id.to_owned();
        Box::pin(async move { accounts::tokens(&*self.client().await?, &player_id).await })
    }

    fn revoke(&self, player_id: &str, token_id: Option<&str>) -> Answer<'_, Vec<TokenRow>> {
        let (player_id, token_id) = (player_id.to_owned(), token_id.map(str::to_owned));
        Box::pin(async move { accounts::revoke(&*self.client().await?, &player_id, token_id.as_deref()).await })
    }

    fn put_invitation(&self, hash: [u8; 32], uses: u32) -> Answer<'_, ()> {
        Box::pin(async move { accounts::put_invitation(&*self.client().await?, &hash, uses).await })
    }
}
