//! The store for several engines: a PostgreSQL database.
//!
//! **Invariant.** A game's row is locked before its journal grows, and rows are locked in the order
//! of their ids. Of two appends with the same `expected`, from any engines, only one can therefore
//! win. Batches never deadlock.

mod accounts;
mod address;
mod appender;
mod columns;
mod connect;
mod directory;
mod heads;
mod health;
mod hints;
mod journal;
mod leases;
mod outgoing;
mod records;
mod schema;
mod tls;

use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use deadpool_postgres::{ClientWrapper, Object, Pool, PoolError};
use tokio::sync::{broadcast, watch};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row};

pub use self::connect::OpenError;

use self::appender::Appender;
use self::connect::{Connector, Pools, with};
use self::directory::{IDS, SANDBOXES_BEFORE, WAITING_FOR_AUTOMATION, WITHOUT_SNAPSHOT, texts};
use self::heads::Heads;
use self::hints::Hints;
use super::shared::{Hint, OpenDecision, Profile, Shared, ValidToken};
use super::{
    Account, Answer, Append, Counts, End, GameQuery, GameRow, Loaded, Millis, NoticeBook, Outgoing,
    Record, RecordChange, RecordQuery, Size, Store, StoreError, TokenRow,
};
use crate::store::Result;

const TIMEOUT: Duration = Duration::from_secs(5);

pub struct PostgresStore {
    pools: Pools,
    appender: Appender,
    heads: Heads,
    hints: Hints,
    available: watch::Receiver<Result<(), String>>,
    process: String,
}

impl PostgresStore {
    /// Opens the store at a `postgres://` address. `authority` overrides the certificate file in
    /// the address.
    pub async fn open(
        address: &str,
        connections: usize,
        authority: Option<&Path>,
    ) -> Result<Self, OpenError> {
        let connector = Connector::new(address, authority)?;
        let mut client = connector.first().await?;
        schema::create(&mut client).await?;
        schema::refuse_move(&client).await?;
        Ok(Self::start(connector, connections))
    }

    /// Opens an empty database as the target of a move. Engines refuse to start on this database
    /// until [`PostgresStore::take_over`] completes the move.
    pub async fn open_to_move(
        address: &str,
        connections: usize,
        authority: Option<&Path>,
    ) -> Result<Self, OpenError> {
        let connector = Connector::new(address, authority)?;
        let mut client = connector.first().await?;
        schema::begin_move(&mut client).await?;
        schema::create(&mut client).await?;
        Ok(Self::start(connector, connections))
    }

    fn start(connector: Connector, connections: usize) -> Self {
        let pools = Pools::new(&connector, connections);
        let process = crate::random::process();
        let (health, available) = watch::channel(Ok(()));
        let appender = Appender::start(&pools.quick);
        tokio::spawn(health::watch_health(pools.clone(), appender.failures(), health));
        Self {
            appender,
            heads: Heads::start(&pools.quick),
            hints: Hints::start(connector, pools.health_checks.clone(), process.clone()),
            available,
            process,
            pools,
        }
    }

    pub async fn take_over(&self, accounts: &[(Account, Vec<TokenRow>)]) -> Result<()> {
        accounts::take_over(&mut *self.pools.quick.get().await?, accounts).await
    }

    fn quick<T, W>(&self, work: W) -> Answer<'_, T>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut Object) -> Answer<'c, T> + Send + 'static,
    {
        run_with_timeout(self.pools.quick.clone(), work)
    }

    fn slow<T, W>(&self, work: W) -> Answer<'_, T>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut Object) -> Answer<'c, T> + Send + 'static,
    {
        run_with_timeout(self.pools.slow.clone(), work)
    }
}

/// Limits the time of an operation, because the database may disappear without an error.
async fn with_timeout<T>(limit: Duration, work: impl Future<Output = Result<T>>) -> Result<T> {
    let late = |_| {
        Err(StoreError::Unavailable(format!(
            "the database did not respond within {} s",
            limit.as_secs()
        )))
    };
    tokio::time::timeout(limit, work).await.unwrap_or_else(late)
}

/// Runs an operation on a pooled connection with a timeout. The operation continues even if the
/// caller is dropped, because a connection cannot be reused in the middle of an operation.
fn run_with_timeout<'a, T, W>(pool: Pool, work: W) -> Answer<'a, T>
where
    T: Send + 'static,
    W: for<'c> FnOnce(&'c mut Object) -> Answer<'c, T> + Send + 'static,
{
    Box::pin(async move {
        let task =
            crate::background::spawn(async move { with_timeout(TIMEOUT, with(&pool, work)).await });
        task.await.unwrap_or_else(|error| Err(StoreError::Unavailable(error.to_string())))
    })
}

impl From<PoolError> for StoreError {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Backend(error) => error.into(),
            PoolError::Timeout(_) => {
                let seconds = TIMEOUT.as_secs();
                Self::Unavailable(format!(
                    "no connection to the database was available within {seconds} s"
                ))
            }
            other => Self::Unavailable(other.to_string()),
        }
    }
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        let text = connect::innermost(&error);
        match error.code() {
            Some(&SqlState::UNIQUE_VIOLATION) => Self::Taken,
            // PostgreSQL cannot store NUL, so no row has such a key.
            Some(&SqlState::CHARACTER_NOT_IN_REPERTOIRE) => Self::NotFound,
            Some(&SqlState::DATA_CORRUPTED | &SqlState::INDEX_CORRUPTED) => Self::Damaged(text),
            _ => Self::Unavailable(text),
        }
    }
}

type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

/// Runs a query as a cached statement.
async fn rows(client: &ClientWrapper, sql: &str, values: Values<'_>) -> Result<Vec<Row>, Error> {
    client.query(&client.prepare_cached(sql).await?, values).await
}

/// Runs a query for at most one row as a cached statement.
async fn row(client: &ClientWrapper, sql: &str, values: Values<'_>) -> Result<Option<Row>, Error> {
    client.query_opt(&client.prepare_cached(sql).await?, values).await
}

/// Runs a query for one row as a cached statement.
async fn one(client: &ClientWrapper, sql: &str, values: Values<'_>) -> Result<Row, Error> {
    client.query_one(&client.prepare_cached(sql).await?, values).await
}

/// Runs a cached statement. Returns the number of changed rows.
async fn execute(client: &ClientWrapper, sql: &str, values: Values<'_>) -> Result<u64, Error> {
    client.execute(&client.prepare_cached(sql).await?, values).await
}

/// Converts a number, because PostgreSQL has no unsigned integers. In practice, no number reaches
/// the limit.
fn to_i64(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn to_u64(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

fn to_u32(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(0)
}

/// Defines methods that run `work` on a connection. Strings in brackets are copied, so that the
/// work owns them.
macro_rules! define_queries {
    ($($over:ident fn $name:ident[$($text:ident),*]($($argument:ident: $kind:ty),*) -> $answer:ty =
        |$client:ident| $work:expr;)*) => {
        $(fn $name(&self, $($text: &str,)* $($argument: $kind),*) -> Answer<'_, $answer> {
            $(let $text = $text.to_owned();)*
            self.$over(move |$client| Box::pin(async move { $work.await }))
        })*
    };
}

impl Store for PostgresStore {
    fn shared(&self) -> Option<&dyn Shared> {
        Some(self)
    }

    fn append(&self, append: Append) -> Answer<'_, ()> {
        Box::pin(async move {
            let hint = Hint::Game(
                append.row.game_id.clone(),
                append.expected + append.entries.len() as u64,
            );
            self.appender.append(append).await?;
            self.hints.publish(hint);
            Ok(())
        })
    }

    fn change_account(&self, before: Account, after: Account) -> Answer<'_, ()> {
        let change = self.quick(move |client| {
            Box::pin(async move { accounts::change(client, &before, &after).await })
        });
        Box::pin(async move {
            change.await?;
            self.hints.publish(Hint::Accounts);
            Ok(())
        })
    }

    fn revoke(&self, player_id: &str, token_id: Option<&str>) -> Answer<'_, Vec<TokenRow>> {
        let (player_id, token_id) = (player_id.to_owned(), token_id.map(str::to_owned));
        let revoke = self.quick(move |client| {
            Box::pin(async move { accounts::revoke(client, &player_id, token_id.as_deref()).await })
        });
        Box::pin(async move {
            let revoked = revoke.await?;
            self.hints.publish(Hint::Accounts);
            Ok(revoked)
        })
    }

    define_queries! {
        quick fn entries[game_id](after: u64, limit: usize, bytes_max: usize) -> Vec<Bytes> =
            |client| journal::entries(client, &game_id, after, limit, bytes_max);
        quick fn load[game_id]() -> Loaded = |client| journal::load(client, &game_id);
        quick fn put_snapshot[game_id](at: End, snapshot: Bytes) -> () =
            |client| journal::put_snapshot(client, &game_id, at, &snapshot);
        quick fn game[game_id]() -> GameRow = |client| directory::game(client, &game_id);
        slow fn games[](query: GameQuery) -> Vec<GameRow> =
            |client| directory::games(client, &query);
        quick fn due[](limit: usize) -> Vec<(String, Millis)> =
            |client| directory::due(client, limit);
        quick fn waiting_for_automation[after](limit: usize) -> Vec<String> =
            |client| texts(client, WAITING_FOR_AUTOMATION, &[&after, &to_i64(limit as u64)]);
        slow fn games_without_snapshot[after](limit: usize) -> Vec<String> =
            |client| texts(client, WITHOUT_SNAPSHOT, &[&after, &to_i64(limit as u64)]);
        quick fn sandboxes_before[](time: Millis, limit: usize) -> Vec<String> =
            |client| texts(client, SANDBOXES_BEFORE, &[&time, &to_i64(limit as u64)]);
        quick fn games_counted[player_id]() -> u32 =
            |client| async { Ok(directory::games_counted(client, &player_id, "").await?) };
        slow fn sizes[](game_ids: Vec<String>) -> Vec<Size> =
            |client| directory::sizes(client, &game_ids);
        quick fn remove_games[](game_ids: Vec<String>) -> () =
            |client| journal::remove(client, &game_ids);
        slow fn game_ids[after](limit: usize) -> Vec<String> =
            |client| texts(client, IDS, &[&after, &to_i64(limit as u64)]);
        slow fn counts[]() -> Counts = |client| directory::counts(client);
        quick fn open_account[](account: Account, token: TokenRow) -> () =
            |client| accounts::open(client, &account, &token, &[]);
        quick fn open_account_with[](
            account: Account, token: TokenRow, changes: Vec<RecordChange>) -> () =
            |client| accounts::open(client, &account, &token, &changes);
        quick fn account[id_or_name]() -> Account =
            |client| accounts::account(client, &id_or_name);
        slow fn accounts[after, search](limit: usize) -> Vec<Account> =
            |client| accounts::accounts(client, &after, &search, limit);
        quick fn put_token[](token: TokenRow) -> () =
            |client| accounts::put_token(client, &token);
        quick fn token[](hash: [u8; 32]) -> (TokenRow, Account) =
            |client| accounts::token(client, &hash);
        quick fn tokens[player_id]() -> Vec<TokenRow> =
            |client| accounts::tokens(client, &player_id);
        quick fn record[space, id]() -> Option<Record> =
            |client| records::record(client, &space, &id);
        quick fn records[](query: RecordQuery) -> Vec<Record> =
            |client| records::records(client, &query);
        quick fn change_records[](changes: Vec<RecordChange>) -> () =
            |client| records::change(client, &changes);
        quick fn notice_book[player_id]() -> Option<NoticeBook> =
            |client| outgoing::book(client, &player_id);
        quick fn put_notice_book[player_id](expected: u64, book: Option<NoticeBook>) -> () =
            |client| outgoing::put_book(client, &player_id, expected, book.as_ref());
        quick fn claim_outgoing[](now: Millis, until: Millis, limit: usize) -> Vec<Outgoing> =
            |client| outgoing::claim(client, now, until, limit);
        quick fn update_outgoing[](gone: Vec<(String, String)>, put: Vec<Outgoing>) -> () =
            |client| outgoing::settle(client, &gone, &put);
        slow fn outgoing[]() -> (u64, Option<Millis>) = |client| outgoing::count(client);
    }
}

impl Shared for PostgresStore {
    fn hints(&self) -> broadcast::Receiver<Hint> {
        self.hints.subscribe()
    }

    fn tell(&self, hint: Hint) {
        self.hints.publish(hint);
    }

    fn receives_hints(&self) -> bool {
        self.hints.receives_hints()
    }

    fn available(&self) -> watch::Receiver<Result<(), String>> {
        self.available.clone()
    }

    fn head(&self, game_id: &str) -> Answer<'_, End> {
        Box::pin(self.heads.head(game_id.to_owned()))
    }

    fn announce(&self, profiles: Vec<Profile>, lasting: Duration) -> Answer<'_, Vec<Profile>> {
        let process = self.process.clone();
        self.quick(move |client| {
            Box::pin(async move { leases::announce(client, &process, &profiles, lasting).await })
        })
    }

    fn report(&self, record: Vec<u8>, lasting: Duration) -> Answer<'_, Vec<Vec<u8>>> {
        let process = self.process.clone();
        self.quick(move |client| {
            Box::pin(async move { leases::report(client, &process, &record, lasting).await })
        })
    }

    define_queries! {
        quick fn time[]() -> Millis = |client| leases::time(client);
        quick fn heads[](games: Vec<String>, players: Vec<String>) -> Vec<(String, End)> =
            |client| heads::of(client, &games, &players);
        quick fn heads_among[](games: Vec<String>, players: Vec<String>) -> Vec<(String, End)> =
            |client| heads::among(client, &games, &players);
        quick fn claim[](due: Vec<(String, Millis)>, lasting: Duration) -> Vec<String> =
            |client| leases::claim(client, &due, lasting);
        quick fn lease[](decisions: Vec<OpenDecision>, lasting: Duration) -> Vec<Option<u64>> =
            |client| leases::lease(client, &decisions, lasting);
        quick fn renew[](fences: Vec<u64>, lasting: Duration) -> Vec<u64> =
            |client| leases::renew(client, &fences, lasting);
        quick fn give_back[](fences: Vec<u64>) -> () =
            |client| leases::give_back(client, &fences);
        quick fn forget_leases[game_id]() -> () =
            |client| leases::remove_all_of(client, &game_id);
        quick fn valid[](token_ids: Vec<String>) -> Vec<ValidToken> =
            |client| leases::valid(client, &token_ids);
    }
}
