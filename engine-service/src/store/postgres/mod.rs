//! The store for several engines: one PostgreSQL database.
//!
//! | module | holds |
//! | --- | --- |
//! | `schema` | tables, and the way from an older schema to the newest |
//! | `address` | the address of the database, and what it asks of TLS |
//! | `tls` | whose certificate is believed |
//! | `connect` | connections, and what goes wrong with them |
//! | `appender` | the queue of appends, and their group commit |
//! | `journal` | entries and snapshots |
//! | `columns` | what a batch of appends writes, table by table |
//! | `directory` | lists of games |
//! | `accounts` | accounts, tokens, invitations |
//! | `outgoing` | notices on their way, and what players set about them |
//! | `heads` | where journals end |
//! | `hints` | what engines tell each other: LISTEN and NOTIFY |
//! | `leases` | claims, leases and announcements, which pass by themselves |
//! | `pulse` | whether the database answers, and can be written |
//!
//! **Invariant.** A game's row is locked before its journal grows, and rows are locked in the order
//! of their ids: of two appends with the same `expected`, from whatever engines, one wins, and no
//! two batches wait for each other.

mod accounts;
mod address;
mod appender;
mod columns;
mod connect;
mod directory;
mod heads;
mod hints;
mod journal;
mod leases;
mod moving;
mod outgoing;
mod pulse;
mod schema;
mod tls;

use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use deadpool_postgres::{Object, Pool, PoolError};
use tokio::sync::{broadcast, watch};
use tokio_postgres::error::SqlState;

pub use self::connect::OpenError;

use self::appender::Appender;
use self::connect::{Connector, Pools, with};
use self::heads::Heads;
use self::hints::Hints;
use super::shared::{Hint, OpenDecision, Profile, Shared, ValidToken};
use super::{
    Account, Answer, Append, Counts, End, GameQuery, GameRow, Loaded, Millis, NoticeBook, Outgoing,
    Size, Store, StoreError, TokenRow,
};

/// How long a call waits for the database before it is refused.
const PATIENCE: Duration = Duration::from_secs(5);

/// The store of several engines.
pub struct PostgresStore {
    pools: Pools,
    appender: Appender,
    heads: Heads,
    hints: Hints,
    available: watch::Receiver<Result<(), String>>,
    /// Names this process among those that share the store.
    process: String,
}

impl PostgresStore {
    /// Opens the store at a `postgres://` address with so many connections at most. `authority` is
    /// a file with the certificates that vouch for the database, whatever the address says.
    pub async fn open(
        address: &str,
        connections: usize,
        authority: Option<&Path>,
    ) -> Result<Self, OpenError> {
        let connector = Connector::new(address, authority)?;
        let mut client = connector.first().await?;
        schema::migrate(&mut client).await?;
        moving::refuse(&client).await?;
        Ok(Self::start(connector, connections))
    }

    /// Opens an empty database, to move everything from another store into it. Until the move has
    /// ended no engine starts on this database.
    pub async fn open_to_move(
        address: &str,
        connections: usize,
        authority: Option<&Path>,
    ) -> Result<Self, OpenError> {
        let connector = Connector::new(address, authority)?;
        let mut client = connector.first().await?;
        moving::begin(&mut client).await?;
        schema::migrate(&mut client).await?;
        Ok(Self::start(connector, connections))
    }

    fn start(connector: Connector, connections: usize) -> Self {
        let pools = Pools::new(&connector, connections);
        let process = crate::fresh::process();
        let (pulse, available) = watch::channel(Ok(()));
        let appender = Appender::start(&pools.quick);
        tokio::spawn(pulse::feel(pools.clone(), appender.failures(), pulse));
        Self {
            appender,
            heads: Heads::start(&pools.quick),
            hints: Hints::start(connector, pools.signs.clone(), process.clone()),
            available,
            process,
            pools,
        }
    }

    /// Takes over accounts with their tokens, and invitations, from another store: with that a move
    /// ends.
    pub async fn take_over(
        &self,
        accounts: &[(Account, Vec<TokenRow>)],
        invitations: &[([u8; 32], u32)],
    ) -> Result<(), StoreError> {
        accounts::take_over(&mut *self.pools.quick.get().await?, accounts, invitations).await
    }

    /// An answer of the database to what finds its rows by a key.
    fn quick<T, W>(&self, work: W) -> Answer<'_, T>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut Object) -> Answer<'c, T> + Send + 'static,
    {
        asked(self.pools.quick.clone(), work)
    }

    /// An answer of the database to what may walk through many rows.
    fn slow<T, W>(&self, work: W) -> Answer<'_, T>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut Object) -> Answer<'c, T> + Send + 'static,
    {
        asked(self.pools.slow.clone(), work)
    }
}

/// Gives up what takes too long: the database may have gone without a word.
async fn in_time<T>(
    limit: Duration,
    work: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let late = |_| {
        Err(StoreError::Unavailable(format!(
            "the database did not answer within {} s",
            limit.as_secs()
        )))
    };
    tokio::time::timeout(limit, work).await.unwrap_or_else(late)
}

/// An answer of the database, in time. Whoever asked may go away: what was begun is ended all the
/// same, as a connection in the midst of something is good for nothing.
fn asked<'a, T, W>(pool: Pool, work: W) -> Answer<'a, T>
where
    T: Send + 'static,
    W: for<'c> FnOnce(&'c mut Object) -> Answer<'c, T> + Send + 'static,
{
    Box::pin(async move {
        let task = crate::lasting::spawn(async move { in_time(PATIENCE, with(&pool, work)).await });
        task.await.unwrap_or_else(|error| Err(StoreError::Unavailable(error.to_string())))
    })
}

impl From<PoolError> for StoreError {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Backend(error) => error.into(),
            PoolError::Timeout(_) => {
                Self::Unavailable("no connection to the database in time".to_owned())
            }
            other => Self::Unavailable(other.to_string()),
        }
    }
}

impl From<tokio_postgres::Error> for StoreError {
    fn from(error: tokio_postgres::Error) -> Self {
        let text = connect::innermost(&error);
        match error.code() {
            Some(&SqlState::UNIQUE_VIOLATION) => Self::Taken,
            // The database knows no NUL, so nothing there is called by a text with one.
            Some(&SqlState::CHARACTER_NOT_IN_REPERTOIRE) => Self::NotFound,
            Some(&SqlState::DATA_CORRUPTED | &SqlState::INDEX_CORRUPTED) => Self::Damaged(text),
            _ => Self::Unavailable(text),
        }
    }
}

/// The database's integers have a sign. Nothing that is counted here comes near the end of either
/// range.
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
            let hint = Hint::Game(
                append.row.game_id.clone(),
                append.expected + append.entries.len() as u64,
            );
            self.appender.append(append).await?;
            self.hints.give(hint);
            Ok(())
        })
    }

    fn entries(
        &self,
        game_id: &str,
        after: u64,
        limit: usize,
        bytes_max: usize,
    ) -> Answer<'_, Vec<Bytes>> {
        let game_id = game_id.to_owned();
        self.quick(move |client| {
            Box::pin(
                async move { journal::entries(client, &game_id, after, limit, bytes_max).await },
            )
        })
    }

    fn load(&self, game_id: &str) -> Answer<'_, Loaded> {
        let game_id = game_id.to_owned();
        self.quick(move |client| Box::pin(async move { journal::load(client, &game_id).await }))
    }

    fn put_snapshot(&self, game_id: &str, at: End, snapshot: Bytes) -> Answer<'_, ()> {
        let game_id = game_id.to_owned();
        self.quick(move |client| {
            Box::pin(async move { journal::put_snapshot(client, &game_id, at, &snapshot).await })
        })
    }

    fn game(&self, game_id: &str) -> Answer<'_, GameRow> {
        let game_id = game_id.to_owned();
        self.quick(move |client| Box::pin(async move { directory::game(client, &game_id).await }))
    }

    fn games(&self, query: GameQuery) -> Answer<'_, Vec<GameRow>> {
        self.slow(move |client| Box::pin(async move { directory::games(client, &query).await }))
    }

    fn due(&self, limit: usize) -> Answer<'_, Vec<(String, Millis)>> {
        self.quick(move |client| Box::pin(async move { directory::due(client, limit).await }))
    }

    fn wanting(&self, after: &str, limit: usize) -> Answer<'_, Vec<String>> {
        let after = after.to_owned();
        self.quick(move |client| {
            Box::pin(async move { directory::wanting(client, &after, limit).await })
        })
    }

    fn unsettled(&self, after: &str, limit: usize) -> Answer<'_, Vec<String>> {
        let after = after.to_owned();
        self.slow(move |client| {
            Box::pin(async move { directory::unsettled(client, &after, limit).await })
        })
    }

    fn sandboxes_before(&self, time: Millis, limit: usize) -> Answer<'_, Vec<String>> {
        self.quick(move |client| {
            Box::pin(async move { directory::sandboxes_before(client, time, limit).await })
        })
    }

    fn games_counted(&self, player_id: &str) -> Answer<'_, u32> {
        let player_id = player_id.to_owned();
        self.quick(move |client| {
            Box::pin(async move { Ok(directory::games_counted(client, &player_id, "").await?) })
        })
    }

    fn sizes(&self, game_ids: Vec<String>) -> Answer<'_, Vec<Size>> {
        self.slow(move |client| Box::pin(async move { directory::sizes(client, &game_ids).await }))
    }

    fn remove_games(&self, game_ids: Vec<String>) -> Answer<'_, ()> {
        self.quick(move |client| Box::pin(async move { journal::remove(client, &game_ids).await }))
    }

    fn game_ids(&self, after: &str, limit: usize) -> Answer<'_, Vec<String>> {
        let after = after.to_owned();
        self.slow(move |client| {
            Box::pin(async move { directory::ids(client, &after, limit).await })
        })
    }

    fn counts(&self) -> Answer<'_, Counts> {
        self.slow(move |client| Box::pin(async move { directory::counts(client).await }))
    }

    fn open_account(&self, account: Account, token: TokenRow) -> Answer<'_, ()> {
        self.quick(move |client| {
            Box::pin(async move { accounts::open(client, &account, &token, None).await })
        })
    }

    fn open_invited(
        &self,
        account: Account,
        token: TokenRow,
        invitation: [u8; 32],
    ) -> Answer<'_, ()> {
        self.quick(move |client| {
            Box::pin(
                async move { accounts::open(client, &account, &token, Some(&invitation)).await },
            )
        })
    }

    fn account(&self, id_or_name: &str) -> Answer<'_, Account> {
        let id_or_name = id_or_name.to_owned();
        self.quick(move |client| {
            Box::pin(async move { accounts::account(client, &id_or_name).await })
        })
    }

    fn accounts(&self, after: &str, search: &str, limit: usize) -> Answer<'_, Vec<Account>> {
        let (after, search) = (after.to_owned(), search.to_owned());
        self.slow(move |client| {
            Box::pin(async move { accounts::accounts(client, &after, &search, limit).await })
        })
    }

    fn put_account(&self, account: Account) -> Answer<'_, ()> {
        let put = self
            .quick(move |client| Box::pin(async move { accounts::put(client, &account).await }));
        Box::pin(async move {
            put.await?;
            self.hints.give(Hint::Accounts);
            Ok(())
        })
    }

    fn put_token(&self, token: TokenRow) -> Answer<'_, ()> {
        self.quick(move |client| Box::pin(async move { accounts::put_token(client, &token).await }))
    }

    fn token(&self, hash: [u8; 32]) -> Answer<'_, (TokenRow, Account)> {
        self.quick(move |client| Box::pin(async move { accounts::token(client, &hash).await }))
    }

    fn tokens(&self, player_id: &str) -> Answer<'_, Vec<TokenRow>> {
        let player_id = player_id.to_owned();
        self.quick(move |client| {
            Box::pin(async move { accounts::tokens(client, &player_id).await })
        })
    }

    fn revoke(&self, player_id: &str, token_id: Option<&str>) -> Answer<'_, Vec<TokenRow>> {
        let (player_id, token_id) = (player_id.to_owned(), token_id.map(str::to_owned));
        let revoke = self.quick(move |client| {
            Box::pin(async move { accounts::revoke(client, &player_id, token_id.as_deref()).await })
        });
        Box::pin(async move {
            let revoked = revoke.await?;
            self.hints.give(Hint::Accounts);
            Ok(revoked)
        })
    }

    fn put_invitation(&self, hash: [u8; 32], uses: u32) -> Answer<'_, ()> {
        self.quick(move |client| {
            Box::pin(async move { accounts::put_invitation(client, &hash, uses).await })
        })
    }

    fn put_block(&self, player_id: &str, other_id: &str, blocked: bool) -> Answer<'_, ()> {
        let (player, other) = (player_id.to_owned(), other_id.to_owned());
        self.quick(move |client| {
            Box::pin(async move { accounts::put_block(client, &player, &other, blocked).await })
        })
    }

    fn blocked_by(&self, player_id: &str) -> Answer<'_, Vec<String>> {
        let player = player_id.to_owned();
        self.quick(move |client| {
            Box::pin(async move { accounts::blocked_by(client, &player).await })
        })
    }

    fn notice_book(&self, player_id: &str) -> Answer<'_, Option<NoticeBook>> {
        let player = player_id.to_owned();
        self.quick(move |client| Box::pin(async move { outgoing::book(client, &player).await }))
    }

    fn put_notice_book(
        &self,
        player_id: &str,
        expected: u64,
        book: Option<NoticeBook>,
    ) -> Answer<'_, ()> {
        let player = player_id.to_owned();
        self.quick(move |client| {
            Box::pin(
                async move { outgoing::put_book(client, &player, expected, book.as_ref()).await },
            )
        })
    }

    fn claim_outgoing(
        &self,
        now: Millis,
        until: Millis,
        limit: usize,
    ) -> Answer<'_, Vec<Outgoing>> {
        self.quick(move |client| {
            Box::pin(async move { outgoing::claim(client, now, until, limit).await })
        })
    }

    fn settle_outgoing(&self, gone: Vec<(String, String)>, put: Vec<Outgoing>) -> Answer<'_, ()> {
        self.quick(move |client| {
            Box::pin(async move { outgoing::settle(client, &gone, &put).await })
        })
    }

    fn outgoing(&self) -> Answer<'_, (u64, Option<Millis>)> {
        self.slow(|client| Box::pin(async move { outgoing::count(client).await }))
    }
}

impl Shared for PostgresStore {
    fn hints(&self) -> broadcast::Receiver<Hint> {
        self.hints.subscribe()
    }

    fn hears(&self) -> bool {
        self.hints.hears()
    }

    fn available(&self) -> watch::Receiver<Result<(), String>> {
        self.available.clone()
    }

    fn time(&self) -> Answer<'_, Millis> {
        self.quick(|client| Box::pin(async move { leases::time(client).await }))
    }

    fn head(&self, game_id: &str) -> Answer<'_, End> {
        Box::pin(self.heads.head(game_id.to_owned()))
    }

    fn heads(&self, games: Vec<String>, players: Vec<String>) -> Answer<'_, Vec<(String, End)>> {
        self.quick(move |client| Box::pin(async move { heads::of(client, &games, &players).await }))
    }

    fn heads_among(
        &self,
        games: Vec<String>,
        players: Vec<String>,
    ) -> Answer<'_, Vec<(String, End)>> {
        self.quick(move |client| {
            Box::pin(async move { heads::among(client, &games, &players).await })
        })
    }

    fn claim(&self, due: Vec<(String, Millis)>, lasting: Duration) -> Answer<'_, Vec<String>> {
        self.quick(move |client| {
            Box::pin(async move { leases::claim(client, &due, lasting).await })
        })
    }

    fn lease(
        &self,
        decisions: Vec<OpenDecision>,
        lasting: Duration,
    ) -> Answer<'_, Vec<Option<u64>>> {
        self.quick(move |client| {
            Box::pin(async move { leases::lease(client, &decisions, lasting).await })
        })
    }

    fn renew(&self, fences: Vec<u64>, lasting: Duration) -> Answer<'_, Vec<u64>> {
        self.quick(move |client| {
            Box::pin(async move { leases::renew(client, &fences, lasting).await })
        })
    }

    fn give_back(&self, fences: Vec<u64>) -> Answer<'_, ()> {
        self.quick(move |client| Box::pin(async move { leases::give_back(client, &fences).await }))
    }

    fn forget_leases(&self, game_id: &str) -> Answer<'_, ()> {
        let game_id = game_id.to_owned();
        self.quick(move |client| {
            Box::pin(async move { leases::forget_all_of(client, &game_id).await })
        })
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

    fn tell(&self, hint: Hint) {
        self.hints.give(hint);
    }

    fn valid(&self, token_ids: Vec<String>) -> Answer<'_, Vec<ValidToken>> {
        self.quick(move |client| Box::pin(async move { leases::valid(client, &token_ids).await }))
    }
}
