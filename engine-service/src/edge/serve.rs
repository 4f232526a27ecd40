//! The server, from its start to its end.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderName, HeaderValue, Method, header};
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
use tower_http::cors::CorsLayer;

use super::connections::{Door, Patience, Strangers, note_peer};
use super::drain::Drain;
use super::gate::{GateLayer, Gatekeeper};
use super::hosts::HostLayer;
use super::lanes::Lanes;
pub use super::lanes::Working;
use super::limits::Limits;
use super::overview::{self, Process};
use super::protocols::Speaks;
use super::proxies::Proxies;
use super::services::Services;
pub use super::sockets::{Entering, Entrance, Listener, Pipe};
use super::web::{self, SiteLayer};
use super::{Engine, certificate, encryption, metrics};
use crate::Time;
use crate::accounts::Accounts;
use crate::accounts::token_files::{self, Owner, TokenFileError};
use crate::channels::{self, Channels};
use crate::config::{Config, Data, Tls};
use crate::host::{Host, HostSettings};
use crate::store::Store;
use crate::store::memory::MemoryStore;
use crate::store::postgres::{self, PostgresStore};
use crate::store::sqlite::{OpenError, SqliteStore};

/// How often a connection is asked whether it is alive, and how long it may take to say so.
const KEEPALIVE: Duration = Duration::from_secs(20);
const KEEPALIVE_ANSWER: Duration = Duration::from_secs(10);
/// How many calls and streams one connection may have open.
const STREAMS_PER_CONNECTION: u32 = 256;
/// How much of requests a connection takes in before the gate has read it, in all and for one call.
const CONNECTION_WINDOW: u32 = 256 << 10;
const CALL_WINDOW: u32 = 128 << 10;
/// How large the headers of a call may be.
const HEADER_BYTES: u32 = 16 * 1_024;
/// How long the games may take to be put away, once nobody is connected any more.
const PUTTING_AWAY: Duration = Duration::from_secs(10);
/// Files that the process needs open besides connections: the database, its readers, standard
/// streams.
const OTHER_FILES: u64 = 64;

/// Why the server does not start: what is wrong, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] OpenError),
    /// The database cannot be opened.
    #[error(transparent)]
    Database(#[from] postgres::OpenError),
    /// The token files cannot be written.
    #[error(transparent)]
    Tokens(#[from] TokenFileError),
    /// An address cannot be served.
    #[error(
        "{flag} {address}: {error}: is something else listening there? Choose another address; \
         port 0 takes a free one"
    )]
    Bind {
        /// The flag that named it.
        flag: &'static str,
        address: SocketAddr,
        /// What the system said.
        error: io::Error,
    },
    /// A file for TLS cannot be read.
    #[error("{flag} {}: {error}", path.display())]
    TlsFile {
        /// The flag that named it.
        flag: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The files for TLS make no sense.
    #[error(
        "TLS does not start: {0}: --tls-cert and --tls-key must be PEM files that belong together"
    )]
    Tls(String),
    /// Nothing can be measured.
    #[error("measurements do not start: {0}")]
    Metrics(#[from] &'static BuildError),
    /// The system gives no threads.
    #[error(
        "threads for costly calls cannot be started: {0}: raise the limit of processes (ulimit -u)"
    )]
    Threads(io::Error),
    /// An origin is none.
    #[error("--cors-origin {0:?} is not an origin like https://play.example")]
    Origin(String),
}

/// The server ended though nobody told it to.
#[derive(Debug, thiserror::Error)]
#[error("the server stopped by itself: {0}")]
pub struct StoppedByItself(String);

/// A server that serves.
pub struct Running {
    /// Where gRPC is served.
    pub grpc: SocketAddr,
    /// Where metrics are served.
    pub metrics: Option<SocketAddr>,
    /// Where the token files are.
    pub tokens: PathBuf,
    /// Whether the token files end with the server.
    temporary: bool,
    served: Served,
}

/// What is served, wherever its connections come from.
pub struct Served {
    engine: Engine,
    health: HealthReporter,
    serving: JoinHandle<Result<(), tonic::transport::Error>>,
    drain_delay: Duration,
    drain_timeout: Duration,
    /// Large games take their steps there until they are put away.
    _lanes: Arc<Lanes>,
}

/// Starts the server.
pub async fn start(config: &Config) -> Result<Running, StartError> {
    allow_open_files(config.quotas.connections as u64);
    metrics::record()?;
    metrics::tell_limits(&config.quotas);
    let bind = |flag, address| move |error| StartError::Bind { flag, address, error };
    let time = Time::default();
    let lanes = lanes(Working::Apart)?;
    let engine = engine(config, open_store(config).await?, &time, Working::Apart, &lanes);
    let (tokens, temporary) = match &config.tokens {
        Some(directory) => (directory.clone(), false),
        None => (token_files::private_directory()?, true),
    };
    let own = matches!(&config.data, Data::Directory(data) if *data == tokens);
    let owner = if own || temporary { Owner::Store } else { Owner::Anybody };
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
    let served = serve(config, engine, Listener::Tcp(listener), lanes).await?;
    Ok(Running { grpc, metrics, tokens, temporary, served })
}

/// What an engine stands on, where that is not its machine.
pub struct Ground {
    /// What outlasts it.
    pub store: Arc<dyn Store>,
    /// By which connections come.
    pub listener: Listener,
    /// The time that it goes by.
    pub time: Time,
}

/// Starts a server on ground that is given, on the threads of whoever starts it alone. It writes no
/// token files and measures nothing; the configuration's addresses and data are not used.
pub async fn start_on(config: &Config, ground: Ground) -> Result<Served, StartError> {
    let lanes = lanes(Working::Here)?;
    let engine = engine(config, ground.store, &ground.time, Working::Here, &lanes);
    serve(config, engine, ground.listener, lanes).await
}

fn lanes(working: Working) -> Result<Arc<Lanes>, StartError> {
    Lanes::new(working).map(Arc::new).map_err(StartError::Threads)
}

/// Serves by a listener.
async fn serve(
    config: &Config,
    engine: Engine,
    listener: Listener,
    lanes: Arc<Lanes>,
) -> Result<Served, StartError> {
    engine.accounts.follow();
    channels::start(Arc::clone(&engine.channels), &engine.host);
    let health = HealthReporter::new();
    // It is answered as long as the server's loops turn, whatever else is wrong.
    health.set_service_status("live", ServingStatus::Serving).await;
    tell(&health, ServingStatus::Serving).await;
    let serving = spawn(config, &engine, &health, listener, &lanes)?;
    tokio::spawn(tell_readiness(engine.clone(), health.clone()));
    tokio::spawn(overview::tell_others(engine.clone()));
    let (drain_delay, drain_timeout) = (config.drain_delay, config.drain_timeout);
    Ok(Served { engine, health, serving, drain_delay, drain_timeout, _lanes: lanes })
}

/// Says by its health that the server is not ready while its store is away.
async fn tell_readiness(engine: Engine, health: HealthReporter) {
    let Some(shared) = engine.store.shared() else { return };
    let mut available = shared.available();
    loop {
        let there = available.borrow_and_update().is_ok();
        let status = if there { ServingStatus::Serving } else { ServingStatus::NotServing };
        metrics_gauge(there);
        tell(&health, status).await;
        tokio::select! {
            biased;
            () = engine.drain.begun() => return tell(&health, ServingStatus::NotServing).await,
            changed = available.changed() => if changed.is_err() { return },
        }
    }
}

/// Says whether the server is ready: by its health as a whole, and by that of each of its services,
/// which is the same.
async fn tell(health: &HealthReporter, status: ServingStatus) {
    for service in heliopause_proto::POOL.services() {
        health.set_service_status(service.full_name(), status).await;
    }
    health.set_service_status("", status).await;
}

fn metrics_gauge(available: bool) {
    ::metrics::gauge!("heliopause_database_available").set(if available { 1.0 } else { 0.0 });
}

async fn open_store(config: &Config) -> Result<Arc<dyn Store>, StartError> {
    Ok(match &config.data {
        Data::Database(address) => {
            let access = &config.database;
            Arc::new(
                PostgresStore::open(
                    address.reveal(),
                    access.connections,
                    access.authority.as_deref(),
                )
                .await?,
            )
        }
        Data::Directory(directory) => {
            Arc::new(SqliteStore::open(directory, config.database_bytes)?)
        }
        Data::Memory => Arc::new(MemoryStore::default()),
    })
}

fn engine(
    config: &Config,
    store: Arc<dyn Store>,
    time: &Time,
    working: Working,
    lanes: &Lanes,
) -> Engine {
    let usual = HostSettings::default();
    let settings = HostSettings {
        sandbox: config.sandbox,
        sandbox_lifetime: config.sandbox_lifetime,
        evict_after: config.evict_after,
        live_max: config.quotas.live_games,
        unwatched_after: config.unwatched_after,
        notices_leave: config.notices.webhooks || config.notices.mail.is_some(),
        time: time.clone(),
        writers: match working {
            Working::Apart => usual.writers,
            Working::Here => 1,
        },
        steps: Some(lanes.steps()),
        ..usual
    };
    Engine {
        accounts: Arc::new(Accounts::new(
            Arc::clone(&store),
            config.registration,
            config.quotas.games,
            time.clone(),
        )),
        channels: Arc::new(Channels::new(Arc::clone(&store), &config.notices, time.clone())),
        limits: Arc::new(Limits::new(&config.quotas)),
        host: Host::new(Arc::clone(&store), settings),
        store,
        drain: Drain::default(),
        message_bytes: config.quotas.message_bytes,
        watch: config.watch,
        web: config.web,
        process: Arc::new(Process::begin(time.now())),
    }
}

/// Puts the layers together, outermost first, and serves.
fn spawn(
    config: &Config,
    engine: &Engine,
    health: &HealthReporter,
    listener: Listener,
    lanes: &Arc<Lanes>,
) -> Result<JoinHandle<Result<(), tonic::transport::Error>>, StartError> {
    let proxies = Arc::new(Proxies::new(&config.trusted_proxies, config.proxy_protocol));
    let gatekeeper = Gatekeeper {
        lanes: Arc::clone(lanes),
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
    let hosts = HostLayer::new(config.listen, &config.cors_origins, &proxies);
    let hosts = hosts.filter(|_| tls.is_none());
    let server = server()
        .layer(MapRequestLayer::new(note_peer))
        .layer(option_layer(hosts))
        .layer(option_layer(site(config, engine, &proxies)))
        .layer(option_layer(cors(&config.cors_origins)?))
        .layer(GrpcWebLayer::new())
        .layer(GateLayer(Arc::new(gatekeeper)));
    let services = Services::new(engine, health.clone());
    let limits = Arc::clone(&engine.limits);
    let (connections_max, drain) = (config.quotas.connections, engine.drain.clone());
    let speaks = if tls.is_some() { Speaks::Tls } else { Speaks::Plain };
    let door = Door {
        limits,
        proxies,
        connections_max,
        patience: Patience::default(),
        drain,
        speaks,
        strangers: Strangers::default(),
    };
    // It shuts down when nobody comes any more: then whoever is connected is asked to go.
    let (incoming, never) = (door.accept(listener), std::future::pending());
    Ok(match tls {
        None => tokio::spawn(server.serve_with_incoming_shutdown(services, incoming, never)),
        Some(acceptor) => {
            let incoming = encryption::encrypted(incoming, acceptor);
            tokio::spawn(server.serve_with_incoming_shutdown(services, incoming, never))
        }
    })
}

/// The web page, if it is served.
fn site(config: &Config, engine: &Engine, proxies: &Arc<Proxies>) -> Option<SiteLayer> {
    if !config.web {
        return None;
    }
    tokio::task::spawn_blocking(web::pack);
    // The name localhost belongs to other programs of the machine, too.
    let strict = config.tls.is_some() && !config.listen.ip().is_loopback();
    Some(SiteLayer { limits: Arc::clone(&engine.limits), proxies: Arc::clone(proxies), strict })
}

/// gRPC-Web needs HTTP/1.1, and none of the limits is set by default.
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
    encryption::acceptor(&certificates, &key, authority.as_deref()).map_err(StartError::Tls)
}

fn read(flag: &'static str, path: &Path) -> Result<Vec<u8>, StartError> {
    std::fs::read(path).map_err(|error| StartError::TlsFile { flag, path: path.to_owned(), error })
}

/// What web pages of other origins may do: nothing, unless their origin is named.
fn cors(origins: &[String]) -> Result<Option<CorsLayer>, StartError> {
    if origins.is_empty() {
        return Ok(None);
    }
    let origin = |origin: &String| match HeaderValue::from_str(origin) {
        Ok(value) if origin.contains("://") && !origin.ends_with('/') => Ok(value),
        _ => Err(StartError::Origin(origin.clone())),
    };
    let origins = origins.iter().map(origin).collect::<Result<Vec<_>, _>>()?;
    let sent =
        ["x-grpc-web", "x-user-agent", "grpc-timeout", "grpc-encoding", "grpc-accept-encoding"]
            .map(HeaderName::from_static);
    let shown = [
        "grpc-status",
        "grpc-message",
        "grpc-status-details-bin",
        "grpc-encoding",
        "grpc-accept-encoding",
    ]
    .map(HeaderName::from_static);
    let layer = CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::POST])
        .allow_headers(
            [header::CONTENT_TYPE, header::AUTHORIZATION]
                .into_iter()
                .chain(sent)
                .collect::<Vec<_>>(),
        )
        .expose_headers(shown)
        .max_age(Duration::from_hours(1));
    Ok(Some(layer))
}

/// Raises the limit of open files to what the connections need, as far as the system lets us: its
/// default of 1,024 is soft, and less than what one server should carry.
fn allow_open_files(connections: u64) {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let needed = connections + OTHER_FILES;
    let allowed = maximum.map_or(needed, |maximum| maximum.min(needed));
    if current.is_some_and(|current| current < allowed) {
        let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(allowed), maximum });
        if let Err(error) = raised {
            tracing::warn!(%error, "the limit of open files could not be raised");
        }
    }
    if allowed < needed {
        tracing::warn!(
            allowed,
            needed,
            "the limit of open files is lower than --connection-limit needs (ulimit -n)"
        );
    }
}

impl Running {
    /// The way to stop it.
    pub fn drain(&self) -> Drain {
        self.served.drain()
    }

    /// What programs that start the server wait for: one line, on standard output.
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

    /// Serves until it is drained, then stops, as [`Served::finish`] says.
    pub async fn finish(self) -> Result<(), StoppedByItself> {
        self.served.finish().await?;
        if self.temporary {
            // They open nothing any more.
            let _ = std::fs::remove_dir_all(&self.tokens);
        }
        tracing::info!("stopped");
        Ok(())
    }
}

impl Served {
    /// The way to stop it.
    pub fn drain(&self) -> Drain {
        self.engine.drain.clone()
    }

    /// The host of its games.
    pub fn host(&self) -> &Arc<Host> {
        &self.engine.host
    }

    /// Serves until it is drained, then stops, in an order that fails no call: its health says so
    /// while it serves on, so that balancers send nobody any more; then its port closes, streams
    /// end, and whoever is connected is answered and asked to go; at last the games are put away.
    pub async fn finish(mut self) -> Result<(), StoppedByItself> {
        tokio::select! {
            () = self.engine.drain.begun() => {}
            ended = &mut self.serving => return Err(StoppedByItself(format!("{ended:?}"))),
        }
        tracing::info!(delay = ?self.drain_delay, "draining");
        tell(&self.health, ServingStatus::NotServing).await;
        tokio::time::sleep(self.drain_delay).await;
        self.engine.drain.close();
        match tokio::time::timeout(self.drain_timeout, &mut self.serving).await {
            Ok(Ok(Ok(()))) => {}
            Ok(ended) => tracing::error!(?ended, "the server did not stop well"),
            Err(_) => {
                tracing::warn!(after = ?self.drain_timeout, "somebody is connected still; the \
                    drain was cut short");
            }
        }
        if tokio::time::timeout(PUTTING_AWAY, self.engine.host.drain()).await.is_err() {
            tracing::warn!(after = ?PUTTING_AWAY, "not all games were put away; they come back \
                from their last snapshots");
        }
        Ok(())
    }
}
