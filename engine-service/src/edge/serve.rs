//! The server from start to stop: binding ports, serving, draining and unloading games.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use metrics_exporter_prometheus::BuildError;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tonic::transport::Server;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;
use tonic_web::GrpcWebLayer;
use tower::util::{MapRequestLayer, option_layer};
use tower_http::validate_request::ValidateRequestHeaderLayer;

use super::Engine;
use super::drain::Drain;
use super::gate::{GateLayer, Gatekeeper};
use super::limits::Limits;
use super::limits::executors::Executors;
pub use super::limits::executors::Threading;
use super::listen::connections::{AnonymousConnections, ConnectionAcceptor, Timeouts, note_peer};
use super::listen::protocols::PortProtocol;
use super::listen::proxies::Proxies;
pub use super::listen::sockets::{AcceptFuture, ByteStream, CustomListener, Listener};
use super::listen::{certificate, tls};
use super::services::Services;
use super::services::overview::{self, Process};
use super::web::hosts::Hosts;
use super::web::metrics;
use super::web::share::{Sharing, SharingLayer};
use super::web::{Site, cors};
use crate::accounts::Accounts;
use crate::accounts::token_files::{self, Owner, TokenFileError};
use crate::channels::{self, Channels};
use crate::chat::Chat;
use crate::config::{Config, Data, Tls};
use crate::host::{Host, HostSettings};
use crate::quick_play::QuickPlay;
use crate::ratings::Ratings;
use crate::sign_in::SignIn;
use crate::store::Store;
use crate::store::postgres::{self, PostgresStore};
use crate::store::sqlite::{OpenError, SqliteStore};
use crate::tournaments::Tournaments;

/// The interval and the timeout of HTTP/2 keepalive pings.
const KEEPALIVE: Duration = Duration::from_secs(20);
const KEEPALIVE_ANSWER: Duration = Duration::from_secs(10);
const STREAMS_PER_CONNECTION: u32 = 256;
/// The flow control windows. They limit the unread request bytes per connection and per call.
const CONNECTION_WINDOW: u32 = 256 << 10;
const CALL_WINDOW: u32 = 128 << 10;
const HEADER_BYTES: u32 = 16 * 1_024;
/// The time limit for unloading the games after all clients have disconnected.
const UNLOAD_TIMEOUT: Duration = Duration::from_secs(10);
/// The number of open files besides connections: the database, its readers, standard streams.
const OTHER_FILES: u64 = 64;

/// An error that prevents the server from starting, with advice.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Store(#[from] OpenError),
    #[error(transparent)]
    Database(#[from] postgres::OpenError),
    #[error(transparent)]
    Tokens(#[from] TokenFileError),
    #[error(
        "{flag} {address}: {error}: another program may be using it; choose another address, or \
         port 0 for a free one"
    )]
    Bind { flag: &'static str, address: SocketAddr, error: io::Error },
    #[error("{flag} {} cannot be read: {error}", path.display())]
    TlsFile { flag: &'static str, path: PathBuf, error: io::Error },
    #[error(
        "TLS cannot start: {0}: --tls-cert and --tls-key must be a matching pair of PEM files, and \
         --tls-client-ca a PEM file with CA certificates"
    )]
    Tls(String),
    #[error("metrics cannot start: {0}")]
    Metrics(#[from] &'static BuildError),
    #[error(
        "threads for costly calls cannot be started: {0}: raise the limit on processes (ulimit -u)"
    )]
    Threads(io::Error),
    #[error("--cors-origin {0:?} is not an origin; expected one like https://play.example")]
    Origin(String),
}

/// The error of a server that stopped without being drained.
#[derive(Debug, thiserror::Error)]
#[error("the server stopped unexpectedly: {0}")]
pub struct UnexpectedStop(String);

/// A running engine on network ports, with its token files.
pub struct RunningServer {
    pub grpc: SocketAddr,
    pub metrics: Option<SocketAddr>,
    pub tokens: PathBuf,
    temporary: bool,
    served: RunningEngine,
}

/// A running engine. It accepts connections from any listener.
pub struct RunningEngine {
    engine: Engine,
    health: HealthReporter,
    serving: JoinHandle<Result<(), tonic::transport::Error>>,
    drain_delay: Duration,
    drain_timeout: Duration,
    /// Kept until the games are unloaded.
    _executors: Arc<Executors>,
}

/// Opens the store, writes missing token files, and starts serving.
pub async fn start(config: &Config) -> Result<RunningServer, StartError> {
    allow_open_files(config.quotas.connections as u64);
    metrics::record()?;
    metrics::record_limits(&config.quotas);
    let bind = |flag, address| move |error| StartError::Bind { flag, address, error };
    let executors = executors(Threading::OwnThreads)?;
    let usual = HostSettings::default();
    let store = open_store(config).await?;
    let engine = engine(config, store, usual, Threading::OwnThreads, &executors);
    let (tokens, temporary) = match &config.tokens {
        Some(directory) => (directory.clone(), false),
        None => (token_files::private_directory()?, true),
    };
    let own = matches!(&config.data, Data::Directory(data) if *data == tokens);
    let owner = if own || temporary { Owner::Store } else { Owner::Other };
    token_files::write_missing(&engine.accounts, &tokens, owner).await?;

    let listener =
        TcpListener::bind(config.listen).await.map_err(bind("--listen", config.listen))?;
    let grpc = listener.local_addr().map_err(bind("--listen", config.listen))?;
    let metrics = match config.metrics {
        None => None,
        Some(address) => {
            let serving =
                metrics::serve(address, Arc::clone(&engine.host), Arc::clone(&engine.limits)).await;
            Some(serving.map_err(bind("--metrics", address))?)
        }
    };
    let served = serve(config, engine, Listener::Tcp(listener), executors).await?;
    Ok(RunningServer { grpc, metrics, tokens, temporary, served })
}

/// Replacements for the machine's store, listener and clock, for example in a simulation.
pub struct Environment {
    pub store: Arc<dyn Store>,
    pub listener: Listener,
    /// The clock, and other host settings that are not part of the configuration.
    pub host: HostSettings,
}

/// Starts an engine on the caller's threads only. It has no token files and no metrics, and ignores
/// the addresses and the data location of the configuration.
pub async fn start_in(config: &Config, ground: Environment) -> Result<RunningEngine, StartError> {
    let executors = executors(Threading::CallerThreads)?;
    let engine = engine(config, ground.store, ground.host, Threading::CallerThreads, &executors);
    serve(config, engine, ground.listener, executors).await
}

fn executors(threading: Threading) -> Result<Arc<Executors>, StartError> {
    Executors::new(threading).map(Arc::new).map_err(StartError::Threads)
}

async fn serve(
    config: &Config,
    engine: Engine,
    listener: Listener,
    executors: Arc<Executors>,
) -> Result<RunningEngine, StartError> {
    engine.accounts.follow();
    engine.chat.follow();
    engine.chat.forget_in_background();
    channels::start(Arc::clone(&engine.channels), &engine.host);
    Arc::clone(&engine.ratings).start(&engine.host);
    Arc::clone(&engine.quick_play).start(&engine.host);
    Arc::clone(&engine.tournaments).start();
    let health = HealthReporter::new();
    // The status of "live" stays "serving" while the server's event loops run, even if the store
    // fails.
    health.set_service_status("live", ServingStatus::Serving).await;
    set_health(&health, ServingStatus::Serving).await;
    let serving = spawn(config, &engine, &health, listener, &executors)?;
    tokio::spawn(report_readiness(engine.clone(), health.clone()));
    tokio::spawn(overview::report_status(engine.clone()));
    let (drain_delay, drain_timeout) = (config.drain_delay, config.drain_timeout);
    Ok(RunningEngine { engine, health, serving, drain_delay, drain_timeout, _executors: executors })
}

async fn report_readiness(engine: Engine, health: HealthReporter) {
    let Some(shared) = engine.store.shared() else { return };
    let mut available = shared.available();
    loop {
        let there = available.borrow_and_update().is_ok();
        let status = if there { ServingStatus::Serving } else { ServingStatus::NotServing };
        ::metrics::gauge!("heliopause_database_available").set(f64::from(u8::from(there)));
        set_health(&health, status).await;
        tokio::select! {
            biased;
            () = engine.drain.begun() => return set_health(&health, ServingStatus::NotServing).await,
            changed = available.changed() => if changed.is_err() { return },
        }
    }
}

async fn set_health(health: &HealthReporter, status: ServingStatus) {
    for service in heliopause_proto::POOL.services() {
        health.set_service_status(service.full_name(), status).await;
    }
    health.set_service_status("", status).await;
}

async fn open_store(config: &Config) -> Result<Arc<dyn Store>, StartError> {
    Ok(match &config.data {
        Data::Database(address) => {
            let (most, authority) =
                (config.database.connections, config.database.authority.as_deref());
            Arc::new(PostgresStore::open(address.reveal(), most, authority).await?)
        }
        Data::Directory(directory) => {
            Arc::new(SqliteStore::open(directory, config.database_bytes)?)
        }
        Data::Memory => Arc::new(SqliteStore::in_memory()),
    })
}

fn engine(
    config: &Config,
    store: Arc<dyn Store>,
    usual: HostSettings,
    threading: Threading,
    executors: &Executors,
) -> Engine {
    let time = usual.time.clone();
    let settings = HostSettings {
        sandbox: config.sandbox,
        sandbox_lifetime: config.sandbox_lifetime,
        evict_after: config.evict_after,
        live_max: config.quotas.live_games,
        unwatched_after: config.unwatched_after,
        send_notices: config.notices.webhooks || config.notices.mail.is_some(),
        writers: match threading {
            Threading::OwnThreads => usual.writers,
            Threading::CallerThreads => 1,
        },
        steps: Some(executors.steps()),
        ..usual
    };
    let (registration, games) = (config.registration, config.quotas.games);
    let accounts = Accounts::new(Arc::clone(&store), registration, games, time.clone());
    let accounts = Arc::new(accounts);
    let channels = Arc::new(Channels::new(Arc::clone(&store), &config.notices, time.clone()));
    let sign_in = SignIn::new(
        Arc::clone(&accounts),
        Arc::clone(&channels),
        Arc::clone(&store),
        &config.sign_in,
    );
    let ratings = Arc::new(Ratings::new(Arc::clone(&store), time.clone()));
    let quick_play = QuickPlay::new(
        Arc::clone(&store),
        Arc::clone(&accounts),
        Arc::clone(&ratings),
        time.clone(),
    );
    let host = Host::new(Arc::clone(&store), settings);
    let tournaments = Tournaments::new(
        Arc::clone(&store),
        Arc::clone(&accounts),
        Arc::clone(&ratings),
        &host,
        config.tournaments,
    );
    let chat = Chat::new(Arc::clone(&store), Arc::clone(&accounts), Arc::clone(&ratings));
    Engine {
        accounts,
        channels,
        chat: Arc::new(chat),
        sign_in: Arc::new(sign_in),
        limits: Arc::new(Limits::new(&config.quotas)),
        host,
        ratings,
        quick_play: Arc::new(quick_play),
        tournaments: Arc::new(tournaments),
        store,
        drain: Drain::default(),
        message_bytes: config.quotas.message_bytes,
        watch: config.watch,
        web: config.web,
        process: Arc::new(Process::begin(time.now())),
    }
}

fn spawn(
    config: &Config,
    engine: &Engine,
    health: &HealthReporter,
    listener: Listener,
    executors: &Arc<Executors>,
) -> Result<JoinHandle<Result<(), tonic::transport::Error>>, StartError> {
    let proxies = Arc::new(Proxies::new(&config.trusted_proxies, config.proxy_protocol));
    let gatekeeper = Gatekeeper {
        executors: Arc::clone(executors),
        proxies: Arc::clone(&proxies),
        accounts: Arc::clone(&engine.accounts),
        limits: Arc::clone(&engine.limits),
        drain: engine.drain.clone(),
        workers_need_certificates: config.tls.as_ref().is_some_and(|tls| tls.client_ca.is_some()),
        message_bytes: engine.message_bytes,
        watch: engine.watch,
    };
    certificate::none();
    let tls = config.tls.as_ref().map(acceptor).transpose()?;
    let hosts = Hosts::new(config.listen, &config.cors_origins, &proxies);
    let hosts = hosts.filter(|_| tls.is_none());
    let cors = cors::layer(&config.cors_origins).map_err(StartError::Origin)?;
    let site = site(config, engine, &proxies);
    let sharing = site.as_ref().and_then(|site| Sharing::new(config, engine, site, executors));
    let server = server()
        .layer(MapRequestLayer::new(note_peer))
        .layer(option_layer(hosts.map(ValidateRequestHeaderLayer::custom)))
        .layer(option_layer(sharing.map(SharingLayer)))
        .layer(option_layer(site.map(ValidateRequestHeaderLayer::custom)))
        .layer(option_layer(cors))
        .layer(GrpcWebLayer::new())
        .layer(GateLayer(Arc::new(gatekeeper)));
    let services = Services::new(engine, health.clone());
    let limits = Arc::clone(&engine.limits);
    let (connections_max, drain) = (config.quotas.connections, engine.drain.clone());
    let speaks = if tls.is_some() { PortProtocol::Tls } else { PortProtocol::Plain };
    let connection_acceptor = ConnectionAcceptor {
        limits,
        proxies,
        connections_max,
        timeouts: Timeouts::default(),
        drain,
        speaks,
        anonymous: AnonymousConnections::default(),
    };
    // The server sends GOAWAY to all clients and shuts down when the incoming stream ends.
    let (incoming, never) = (connection_acceptor.accept(listener), std::future::pending());
    Ok(match tls {
        None => tokio::spawn(server.serve_with_incoming_shutdown(services, incoming, never)),
        Some(acceptor) => {
            let incoming = tls::encrypted(incoming, acceptor);
            tokio::spawn(server.serve_with_incoming_shutdown(services, incoming, never))
        }
    })
}

fn site(config: &Config, engine: &Engine, proxies: &Arc<Proxies>) -> Option<Site> {
    if !config.web {
        return None;
    }
    // Do not require https on loopback, because other programs share the name localhost.
    let strict = config.tls.is_some() && !config.listen.ip().is_loopback();
    Some(Site { limits: Arc::clone(&engine.limits), proxies: Arc::clone(proxies), strict })
}

/// Configures the server. HTTP/1.1 is enabled for gRPC-Web.
fn server() -> Server {
    Server::builder()
        .accept_http1(true)
        .http2_keepalive_interval(Some(KEEPALIVE))
        .http2_keepalive_timeout(Some(KEEPALIVE_ANSWER))
        .max_concurrent_streams(STREAMS_PER_CONNECTION)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .initial_stream_window_size(CALL_WINDOW)
        .http2_max_header_list_size(HEADER_BYTES)
}

fn acceptor(tls: &Tls) -> Result<TlsAcceptor, StartError> {
    let certificates = read("--tls-cert", &tls.cert)?;
    if let Some(end) = certificate::end(&certificates) {
        tokio::spawn(certificate::watch(end));
    }
    token_files::warn_if_open(&tls.key);
    let key = read("--tls-key", &tls.key)?;
    let authority = tls.client_ca.as_ref().map(|path| read("--tls-client-ca", path)).transpose()?;
    tls::acceptor(&certificates, &key, authority.as_deref())
        .map_err(|error| StartError::Tls(error.to_string()))
}

fn read(flag: &'static str, path: &Path) -> Result<Vec<u8>, StartError> {
    std::fs::read(path).map_err(|error| StartError::TlsFile { flag, path: path.to_owned(), error })
}

/// Raises the limit on open files. The usual soft limit of 1,024 is too low for a server.
fn allow_open_files(connections: u64) {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let needed = connections + OTHER_FILES;
    let allowed = maximum.map_or(needed, |maximum| maximum.min(needed));
    if current.is_some_and(|current| current < allowed) {
        let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(allowed), maximum });
        if let Err(error) = raised {
            tracing::warn!(%error, allowed, "the limit on open files could not be raised");
        }
    }
    if allowed < needed {
        tracing::warn!(
            allowed,
            needed,
            "the limit on open files (ulimit -n) is too low for --connection-limit; raise it"
        );
    }
}

impl RunningServer {
    pub fn drain(&self) -> Drain {
        self.served.drain()
    }

    /// Returns the line to print on standard output when the server is ready, for a parent process.
    pub fn ready_line(&self) -> String {
        let metrics =
            self.metrics.map_or_else(String::new, |metrics| format!(" metrics={metrics}"));
        let tokens = if self.temporary {
            format!(" tokens={}", self.tokens.display())
        } else {
            String::new()
        };
        format!("heliopause ready grpc={}{metrics}{tokens}", self.grpc)
    }

    /// Serves until drained, then stops as [`RunningEngine::finish`] does.
    pub async fn finish(self) -> Result<(), UnexpectedStop> {
        self.served.finish().await?;
        if self.temporary {
            // The tokens are useless once the server has stopped.
            let _ = std::fs::remove_dir_all(&self.tokens);
        }
        tracing::info!("stopped");
        Ok(())
    }
}

impl RunningEngine {
    pub fn drain(&self) -> Drain {
        self.engine.drain.clone()
    }

    pub fn host(&self) -> &Arc<Host> {
        &self.engine.host
    }

    /// Serves until drained, then stops in an order that lets calls in progress finish:
    ///
    /// 1. Report "not serving", and keep serving until load balancers have noticed.
    /// 2. Close the port, end streams, finish calls in progress, and disconnect the clients.
    /// 3. Unload the games.
    pub async fn finish(mut self) -> Result<(), UnexpectedStop> {
        tokio::select! {
            () = self.engine.drain.begun() => {}
            ended = &mut self.serving => return Err(UnexpectedStop(format!("{ended:?}"))),
        }
        tracing::info!(delay = ?self.drain_delay, "draining");
        set_health(&self.health, ServingStatus::NotServing).await;
        self.engine.drain.announce();
        tokio::time::sleep(self.drain_delay).await;
        self.engine.drain.close();
        match tokio::time::timeout(self.drain_timeout, &mut self.serving).await {
            Ok(Ok(Ok(()))) => {}
            Ok(ended) => tracing::error!(?ended, "the server did not stop cleanly"),
            Err(_) => {
                tracing::warn!(after = ?self.drain_timeout, "clients are still connected; the \
                    drain timed out");
            }
        }
        if tokio::time::timeout(UNLOAD_TIMEOUT, self.engine.host.drain()).await.is_err() {
            tracing::warn!(after = ?UNLOAD_TIMEOUT, "not all games were stored in time; the next \
                start loads the others from their last snapshots");
        }
        Ok(())
    }
}
