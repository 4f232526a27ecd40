//! Connections to the database.

use std::error::Error as _;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use deadpool_postgres::{
    Hook, HookError, Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime,
};
use tokio_postgres::error::SqlState;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, Connection, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::address::Address;
use super::{PATIENCE, tls};
use crate::store::{Answer, StoreError};

/// How long a connection may be silent before it is asked for a sign of life.
const KEEPALIVE: Duration = Duration::from_secs(20);
/// The database gives up when we do, so that nothing goes on there that nobody waits for; and it
/// lets nobody wait for one who has stopped in the midst of a transaction.
const GIVE_UP: &str =
    "SET statement_timeout = '5s'; SET idle_in_transaction_session_timeout = '2s'";

/// Why the database could not be opened: what is wrong, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The address is none.
    #[error(
        "the address of the database makes no sense: {0}; write \
         postgres://USER:PASSWORD@HOST:PORT/DATABASE"
    )]
    Address(String),
    /// Nobody answers there.
    #[error("the database does not answer ({0}); check its address, and that it runs")]
    Unreachable(String),
    /// TLS does not come about.
    #[error(
        "no TLS with the database: {0}; sslmode in its address says what is asked, and \
         --database-ca (or sslrootcert) who \
         vouches for its certificate"
    )]
    Tls(String),
    /// It does not let the user in.
    #[error(
        "the database does not let this user in ({0}); check user and password, and its pg_hba.conf"
    )]
    Refused(String),
    /// There is no such database.
    #[error("{0}: make it, for example by createdb, and let its owner start engine-service first")]
    NoDatabase(String),
    /// All its connections are taken.
    #[error(
        "the database has no connection left ({0}); raise its max_connections or lower \
         --database-connections"
    )]
    Full(String),
    /// The user lacks rights.
    #[error(
        "the user may not do there what engine-service needs ({0}); docs/operations.md has the \
         rights that it takes, and \
         the first start must be by a user who may create tables"
    )]
    Rights(String),
    /// Somebody moves everything into it, or began to.
    #[error(
        "a move into this database is under way or was cut short, so it holds only a part: let the \
         move end; or make a new database and begin anew, with engine-service migrate"
    )]
    HalfMoved,
    /// The place to move to is in use.
    #[error(
        "the database to move to is not empty: make a new one, and start no engine on it before"
    )]
    NotEmpty,
    /// It is of a newer version of this program.
    #[error(
        "the database has schema {found}, and this engine-service knows only up to {known}: run \
         the newer \
         engine-service that wrote it"
    )]
    Newer {
        /// Its schema version.
        found: i32,
        /// The newest schema version that this program knows.
        known: i32,
    },
    /// The certificates that vouch for it cannot be read.
    #[error("{}: {error}", file.display())]
    Authority {
        file: PathBuf,
        /// What is wrong with it.
        error: io::Error,
    },
    /// The system knows nobody who could vouch for it.
    #[error(
        "this system has no certificates that vouch for others: give the database's own with \
         --database-ca"
    )]
    NoAuthorities,
    /// The database would not.
    #[error("the database could not be opened: {0}")]
    Database(String),
}

impl From<tokio_postgres::Error> for OpenError {
    fn from(error: tokio_postgres::Error) -> Self {
        let text = innermost(&error);
        match error.code() {
            Some(&(SqlState::INVALID_PASSWORD | SqlState::INVALID_AUTHORIZATION_SPECIFICATION)) => {
                Self::Refused(text)
            }
            Some(&SqlState::INVALID_CATALOG_NAME) => Self::NoDatabase(text),
            Some(&SqlState::TOO_MANY_CONNECTIONS) => Self::Full(text),
            Some(&SqlState::INSUFFICIENT_PRIVILEGE) => Self::Rights(text),
            Some(&SqlState::CANNOT_CONNECT_NOW) => Self::Unreachable(text),
            Some(_) => Self::Database(text),
            // The library keeps the kinds of its errors to itself, but for their words.
            None => match error.to_string() {
                told if told.contains("TLS") => Self::Tls(text),
                told if told.contains("authentication") || text.contains("password") => {
                    Self::Refused(text)
                }
                told if told.contains("configuration") => Self::Address(text),
                _ => Self::Unreachable(text),
            },
        }
    }
}

/// What is at the bottom of an error: the words of whoever failed first.
pub(super) fn innermost(error: &tokio_postgres::Error) -> String {
    if let Some(told) = error.as_db_error() {
        return told.message().to_owned();
    }
    let mut cause = error.source();
    while let Some(deeper) = cause.and_then(std::error::Error::source) {
        cause = Some(deeper);
    }
    cause.map_or_else(|| error.to_string(), ToString::to_string)
}

/// The way to the database.
#[derive(Clone)]
pub(super) struct Connector {
    config: Config,
    tls: MakeRustlsConnect,
}

/// A connection outside the pool, which its holder must drive.
type Driven = Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>;

impl Connector {
    pub(super) fn new(address: &str, authority: Option<&Path>) -> Result<Self, OpenError> {
        let address = Address::read(address, authority)?;
        tracing::info!(tls = address.tls(), "using a database");
        let tls = MakeRustlsConnect::new(tls::config(&address.trust)?);
        let mut config = address.config;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(PATIENCE);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(PATIENCE);
        }
        if config.get_application_name().is_none() {
            config.application_name("heliopause");
        }
        config.keepalives_idle(KEEPALIVE).keepalives_interval(PATIENCE).keepalives_retries(2);
        Ok(Self { config, tls })
    }

    /// A connection of its own.
    pub(super) async fn connect(&self) -> Result<(Client, Driven), tokio_postgres::Error> {
        self.config.connect(self.tls.clone()).await
    }

    /// The first connection, which drives itself.
    pub(super) async fn first(&self) -> Result<Client, OpenError> {
        let connected = tokio::time::timeout(2 * PATIENCE, self.connect()).await;
        let (client, connection) =
            connected.map_err(|_| OpenError::Unreachable("it took too long".to_owned()))??;
        crate::lasting::spawn(connection);
        Ok(client)
    }

    /// A pool of connections. None is opened before it is needed.
    pub(super) fn pool(&self, connections: usize) -> Pool {
        let manager = Manager::from_config(
            self.config.clone(),
            self.tls.clone(),
            ManagerConfig { recycling_method: RecyclingMethod::Fast },
        );
        let prepared = Hook::async_fn(|client: &mut deadpool_postgres::ClientWrapper, _| {
            Box::pin(async { client.batch_execute(GIVE_UP).await.map_err(HookError::Backend) })
        });
        let pool = Pool::builder(manager)
            .max_size(connections)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(PATIENCE))
            .create_timeout(Some(PATIENCE))
            .recycle_timeout(Some(PATIENCE))
            .post_create(prepared)
            .build();
        pool.expect("a pool with timeouts has a runtime")
    }
}

/// The connections of a store, apart by what may keep them busy: so that a slow list delays no
/// order, and a crowd of callers does not make the database look dead.
#[derive(Clone)]
pub(super) struct Pools {
    /// For signs of life: the pulse, and hints.
    pub(super) signs: Pool,
    /// For what finds its rows by a key: journals, accounts, leases.
    pub(super) quick: Pool,
    /// For what may walk through many rows: lists.
    pub(super) slow: Pool,
}

/// How many connections signs of life take.
const SIGNS: usize = 2;

impl Pools {
    /// Pools of so many connections together.
    pub(super) fn new(connector: &Connector, connections: usize) -> Self {
        let slow = (connections / 4).max(1);
        let quick = connections.saturating_sub(SIGNS + slow).max(1);
        Self {
            signs: connector.pool(SIGNS),
            quick: connector.pool(quick),
            slow: connector.pool(slow),
        }
    }

    /// Forgets what is connected: it may be connected to nothing.
    pub(super) fn start_anew(&self) {
        for pool in [&self.signs, &self.quick, &self.slow] {
            pool.retain(|_, _| false);
        }
    }
}

/// A connection from a pool, for one piece of work. Whoever gives that up midway does not hand the
/// connection on: the database may still be at it, and whoever came next would wait for that, or
/// find themselves in another's transaction.
struct Lent(Option<Object>);

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(object) = self.0.take() {
            drop(Object::take(object));
        }
    }
}

/// Does a piece of work on a connection of a pool.
pub(super) async fn with<T>(
    pool: &Pool,
    work: impl for<'c> FnOnce(&'c mut Object) -> Answer<'c, T>,
) -> Result<T, StoreError> {
    let mut lent = Lent(Some(pool.get().await?));
    let result = work(lent.0.as_mut().expect("it was just lent")).await;
    drop(lent.0.take());
    result
}
