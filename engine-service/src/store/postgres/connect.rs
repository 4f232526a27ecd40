//! Connections to the database.

use std::error::Error as _;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use deadpool_postgres::{
    Connect, Hook, HookError, Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime,
};
use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_postgres::config::{Host, LoadBalanceHosts};
use tokio_postgres::error::SqlState;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, Connection, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::address::Address;
use super::{PATIENCE, tls};
use crate::store::{Answer, StoreError};

/// How long a host may take to answer before the next host is tried as well.
const HEAD_START: Duration = Duration::from_millis(250);
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

/// Why a connection does not know the statements that were prepared on it.
const NO_SESSIONS: &str = "a pooler before the database does not keep sessions: set its pool_mode \
    to session (PgBouncer), or name the database itself";

/// What is at the bottom of an error: the words of whoever failed first.
pub(super) fn innermost(error: &tokio_postgres::Error) -> String {
    if let Some(told) = error.as_db_error() {
        let lost = [SqlState::INVALID_SQL_STATEMENT_NAME, SqlState::DUPLICATE_PSTATEMENT];
        if lost.contains(told.code()) {
            return format!("{}; {NO_SESSIONS}", told.message());
        }
        return told.message().to_owned();
    }
    let mut cause = error.source();
    while let Some(deeper) = cause.and_then(std::error::Error::source) {
        cause = Some(deeper);
    }
    cause.map_or_else(|| error.to_string(), ToString::to_string)
}

/// Why no host of the database could be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failed {
    #[error("{}", innermost(.0))]
    Refused(#[from] tokio_postgres::Error),
    #[error("no host answered within {} s", .0.as_secs_f32())]
    Silent(Duration),
}

impl Failed {
    /// The more telling one of two: the words of a database before those of the network, and these
    /// before silence.
    fn or(self, other: Self) -> Self {
        let tells = |failed: &Self| match failed {
            Self::Refused(error) if error.code().is_some() => 2,
            Self::Refused(_) => 1,
            Self::Silent(_) => 0,
        };
        if tells(&other) > tells(&self) { other } else { self }
    }
}

impl From<Failed> for OpenError {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Refused(error) => error.into(),
            Failed::Silent(_) => Self::Unreachable(failed.to_string()),
        }
    }
}

/// The way to the database.
#[derive(Clone)]
pub(super) struct Connector {
    /// The settings of a connection, one for each host.
    hosts: Vec<Config>,
    /// How long a host may take until it can be used.
    limit: Duration,
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
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(PATIENCE);
        }
        if config.get_application_name().is_none() {
            config.application_name("heliopause");
        }
        config.keepalives_idle(KEEPALIVE).keepalives_interval(PATIENCE).keepalives_retries(2);
        let limit = config.get_connect_timeout().copied().unwrap_or(PATIENCE);
        Ok(Self { hosts: one_by_one(&config)?, limit, tls })
    }

    /// A connection of its own, to the first host that lets it in. The hosts are tried in their
    /// order. One that does not answer soon does not hold up the next.
    pub(super) async fn connect(&self) -> Result<(Client, Driven), Failed> {
        let mut hosts: Vec<&Config> = self.hosts.iter().collect();
        if hosts[0].get_load_balance_hosts() == LoadBalanceHosts::Random {
            hosts.sort_by_cached_key(|_| crate::fresh::byte());
        }
        let mut hosts = hosts.into_iter();
        let mut attempts = FuturesUnordered::new();
        let mut failed: Option<Failed> = None;
        loop {
            attempts.extend(hosts.next().map(|host| self.connect_to(host)));
            tokio::select! {
                done = attempts.next() => match (done, failed) {
                    (Some(Ok(connected)), _) => return Ok(connected),
                    (Some(Err(error)), earlier) => {
                        failed = Some(match earlier {
                            Some(earlier) => earlier.or(error),
                            None => error,
                        });
                    }
                    (None, failed) => return Err(failed.unwrap_or(Failed::Silent(self.limit))),
                },
                () = sleep(HEAD_START), if hosts.len() > 0 => {}
            }
        }
    }

    /// A connection to one host. The time limit covers everything up to the answer to the first
    /// question: a host may accept connections and stay silent.
    async fn connect_to(&self, host: &Config) -> Result<(Client, Driven), Failed> {
        match timeout(self.limit, host.connect(self.tls.clone())).await {
            Ok(connected) => Ok(connected?),
            Err(_) => Err(Failed::Silent(self.limit)),
        }
    }

    /// The first connection, which drives itself.
    pub(super) async fn first(&self) -> Result<Client, OpenError> {
        let (client, connection) = self.connect().await?;
        crate::lasting::spawn(connection);
        Ok(client)
    }

    /// A pool of connections. None is opened before it is needed.
    pub(super) fn pool(&self, connections: usize) -> Pool {
        let manager = Manager::from_connect(
            Config::new(),
            self.clone(),
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

impl Connect for Connector {
    fn connect(
        &self,
        _: &Config,
    ) -> BoxFuture<'_, Result<(Client, JoinHandle<()>), tokio_postgres::Error>> {
        Box::pin(async {
            match self.connect().await {
                Ok((client, connection)) => {
                    let driven = async move {
                        if let Err(error) = connection.await {
                            tracing::debug!(%error, "a connection to the database ended");
                        }
                    };
                    Ok((client, crate::lasting::spawn(driven)))
                }
                Err(Failed::Refused(error)) => Err(error),
                // The pool has a time limit of its own, and an error for it.
                Err(Failed::Silent(_)) => std::future::pending().await,
            }
        })
    }
}

/// The settings of a connection to each single host.
fn one_by_one(config: &Config) -> Result<Vec<Config>, OpenError> {
    let (names, numbers, ports) = (config.get_hosts(), config.get_hostaddrs(), config.get_ports());
    let hosts = names.len().max(numbers.len());
    let misfits = |count: usize| count > 1 && count != hosts;
    if hosts == 0 {
        return Err(OpenError::Address("it names no host".to_owned()));
    }
    if misfits(ports.len())
        || (!names.is_empty() && !numbers.is_empty() && names.len() != numbers.len())
    {
        return Err(OpenError::Address(format!(
            "it names {} hosts, {} hostaddrs and {} ports",
            names.len(),
            numbers.len(),
            ports.len()
        )));
    }
    let single = |index: usize| {
        let mut single = common(config);
        match names.get(index) {
            Some(Host::Tcp(name)) => {
                single.host(name);
            }
            Some(Host::Unix(path)) => {
                single.host_path(path);
            }
            None => {}
        }
        if let Some(number) = numbers.get(index) {
            single.hostaddr(*number);
        }
        if let Some(port) = ports.get(index).or(ports.first()) {
            single.port(*port);
        }
        single
    };
    Ok((0..hosts).map(single).collect())
}

/// The settings that all hosts share. The time limit is the connector's.
fn common(config: &Config) -> Config {
    let mut common = Config::new();
    if let Some(user) = config.get_user() {
        common.user(user);
    }
    if let Some(password) = config.get_password() {
        common.password(password);
    }
    if let Some(name) = config.get_dbname() {
        common.dbname(name);
    }
    if let Some(options) = config.get_options() {
        common.options(options);
    }
    if let Some(name) = config.get_application_name() {
        common.application_name(name);
    }
    if let Some(limit) = config.get_tcp_user_timeout() {
        common.tcp_user_timeout(*limit);
    }
    if let Some(interval) = config.get_keepalives_interval() {
        common.keepalives_interval(interval);
    }
    if let Some(retries) = config.get_keepalives_retries() {
        common.keepalives_retries(retries);
    }
    common
        .ssl_mode(config.get_ssl_mode())
        .ssl_negotiation(config.get_ssl_negotiation())
        .keepalives(config.get_keepalives())
        .keepalives_idle(config.get_keepalives_idle())
        .target_session_attrs(config.get_target_session_attrs())
        .channel_binding(config.get_channel_binding())
        .load_balance_hosts(config.get_load_balance_hosts());
    common
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
