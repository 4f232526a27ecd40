//! Connections to the database. Lists use separate connections to avoid delaying orders.

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
use super::{TIMEOUT, tls};
use crate::store::{Answer, StoreError};

const NEXT_HOST_AFTER: Duration = Duration::from_millis(250);
const KEEPALIVE: Duration = Duration::from_secs(20);
/// Timeouts in the database. They abort statements that the client no longer waits for, and idle
/// transactions, which would hold locks.
const TIMEOUT_SETTINGS: &str =
    "SET statement_timeout = '5s'; SET idle_in_transaction_session_timeout = '2s'";

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(
        "the address of the database is invalid: {0}; expected \
         postgres://USER:PASSWORD@HOST:PORT/DATABASE"
    )]
    Address(String),
    #[error("the database does not respond ({0}); check its address and that it is running")]
    Unreachable(String),
    #[error(
        "TLS with the database failed: {0}; check sslmode in its address, and the CA in \
         --database-ca (or sslrootcert)"
    )]
    Tls(String),
    #[error("the database rejected the login ({0}); check the user, the password and pg_hba.conf")]
    Refused(String),
    #[error(
        "{0}; create the database, for example with createdb, and start engine-service as its owner"
    )]
    NoDatabase(String),
    #[error(
        "the database has no free connection ({0}); raise its max_connections or lower \
         --database-connections"
    )]
    Full(String),
    #[error(
        "the database user lacks privileges ({0}); docs/operations.md lists the required ones, \
         including those for the first start"
    )]
    Rights(String),
    #[error(
        "a migration into this database is running or was interrupted, so its data is incomplete: \
         wait until it finishes, or create a new database and run engine-service migrate again"
    )]
    MoveUnfinished,
    #[error(
        "the target database is not empty: create a new one, and start no engine on it until the \
         migration is done"
    )]
    NotEmpty,
    #[error(
        "the database has schema {found}, but this engine-service supports at most {known}: run \
         the newer engine-service that wrote it"
    )]
    Newer { found: i32, known: i32 },
    #[error(
        "the database has schema {found}, which was never released and is no longer supported: \
         choose an empty database"
    )]
    Older { found: i32 },
    #[error(
        "the CA file {} cannot be used: {error}; give a file with PEM certificates",
        file.display()
    )]
    Authority { file: PathBuf, error: io::Error },
    #[error("this system has no CA certificates: give the database's CA with --database-ca")]
    NoAuthorities,
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
            // The library exposes only the messages of its errors, not their kinds.
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

const NO_SESSIONS: &str = "a connection pooler does not preserve sessions: set its pool_mode to \
    session (PgBouncer), or connect to the database directly";

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

#[derive(Debug, thiserror::Error)]
pub(super) enum Failed {
    #[error("{}", innermost(.0))]
    Refused(#[from] tokio_postgres::Error),
    #[error("no host responded within {} s", .0.as_secs_f32())]
    Silent(Duration),
}

impl Failed {
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

#[derive(Clone)]
pub(super) struct Connector {
    hosts: Vec<Config>,
    limit: Duration,
    tls: MakeRustlsConnect,
}

/// The I/O part of a connection. The caller must poll it.
type Driven = Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>;

impl Connector {
    pub(super) fn new(address: &str, authority: Option<&Path>) -> Result<Self, OpenError> {
        let address = Address::read(address, authority)?;
        tracing::info!(tls = address.tls(), "using a database");
        let tls = MakeRustlsConnect::new(tls::config(&address.trust)?);
        let mut config = address.config;
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(TIMEOUT);
        }
        if config.get_application_name().is_none() {
            config.application_name("heliopause");
        }
        config.keepalives_idle(KEEPALIVE).keepalives_interval(TIMEOUT).keepalives_retries(2);
        let limit = config.get_connect_timeout().copied().unwrap_or(TIMEOUT);
        Ok(Self { hosts: one_by_one(&config)?, limit, tls })
    }

    /// Returns the first successful connection. Tries the hosts in the order of the address, or in
    /// random order if the address requests load balancing. If a host is slow, also tries the next
    /// one.
    pub(super) async fn connect(&self) -> Result<(Client, Driven), Failed> {
        let mut hosts: Vec<&Config> = self.hosts.iter().collect();
        if hosts[0].get_load_balance_hosts() == LoadBalanceHosts::Random {
            hosts.sort_by_cached_key(|_| crate::random::byte());
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
                () = sleep(NEXT_HOST_AFTER), if hosts.len() > 0 => {}
            }
        }
    }

    /// Connects to one host. The timeout includes the start of the session, because a host may
    /// accept connections and never respond.
    async fn connect_to(&self, host: &Config) -> Result<(Client, Driven), Failed> {
        match timeout(self.limit, host.connect(self.tls.clone())).await {
            Ok(connected) => Ok(connected?),
            Err(_) => Err(Failed::Silent(self.limit)),
        }
    }

    pub(super) async fn first(&self) -> Result<Client, OpenError> {
        let (client, connection) = self.connect().await?;
        crate::background::spawn(connection);
        Ok(client)
    }

    pub(super) fn pool(&self, connections: usize) -> Pool {
        let manager = Manager::from_connect(
            Config::new(),
            self.clone(),
            ManagerConfig { recycling_method: RecyclingMethod::Fast },
        );
        let prepared = Hook::async_fn(|client: &mut deadpool_postgres::ClientWrapper, _| {
            Box::pin(async {
                client.batch_execute(TIMEOUT_SETTINGS).await.map_err(HookError::Backend)
            })
        });
        let pool = Pool::builder(manager)
            .max_size(connections)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(TIMEOUT))
            .create_timeout(Some(TIMEOUT))
            .recycle_timeout(Some(TIMEOUT))
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
                    Ok((client, crate::background::spawn(driven)))
                }
                Err(Failed::Refused(error)) => Err(error),
                // Wait for the pool's own timeout, which returns a better error.
                Err(Failed::Silent(_)) => std::future::pending().await,
            }
        })
    }
}

fn one_by_one(config: &Config) -> Result<Vec<Config>, OpenError> {
    let (names, numbers, ports) = (config.get_hosts(), config.get_hostaddrs(), config.get_ports());
    let hosts = names.len().max(numbers.len());
    let misfits = |count: usize| count > 1 && count != hosts;
    if hosts == 0 {
        return Err(OpenError::Address("the host is missing".to_owned()));
    }
    if misfits(ports.len())
        || (!names.is_empty() && !numbers.is_empty() && names.len() != numbers.len())
    {
        return Err(OpenError::Address(format!(
            "the numbers of hosts ({}), hostaddrs ({}) and ports ({}) do not match; give one of \
             each per host, or one port for all",
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

/// Copies the settings that all hosts share. Omits the connect timeout, because the connector has
/// its own.
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

/// Separate pools by type of work. Slow lists do not delay orders, and high load does not make the
/// database appear unavailable.
#[derive(Clone)]
pub(super) struct Pools {
    pub(super) health_checks: Pool,
    pub(super) quick: Pool,
    pub(super) slow: Pool,
}

const HEALTH_CHECKS: usize = 2;

impl Pools {
    pub(super) fn new(connector: &Connector, connections: usize) -> Self {
        let slow = (connections / 4).max(1);
        let quick = connections.saturating_sub(HEALTH_CHECKS + slow).max(1);
        Self {
            health_checks: connector.pool(HEALTH_CHECKS),
            quick: connector.pool(quick),
            slow: connector.pool(slow),
        }
    }

    /// Drops all idle connections, because their peers may be gone.
    pub(super) fn disconnect_all(&self) {
        for pool in [&self.health_checks, &self.quick, &self.slow] {
            pool.retain(|_, _| false);
        }
    }
}

/// A connection borrowed from a pool for one operation. The connection is discarded if the
/// operation is canceled, because the database may still be executing the operation.
struct Borrowed(Option<Object>);

impl Drop for Borrowed {
    fn drop(&mut self) {
        if let Some(object) = self.0.take() {
            drop(Object::take(object));
        }
    }
}

pub(super) async fn with<T>(
    pool: &Pool,
    work: impl for<'c> FnOnce(&'c mut Object) -> Answer<'c, T>,
) -> Result<T, StoreError> {
    let mut lent = Borrowed(Some(pool.get().await?));
    let result =
        work(lent.0.as_mut().expect("the connection is present until it is dropped")).await;
    drop(lent.0.take());
    result
}
