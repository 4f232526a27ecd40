//! A connection to one of several engines that serve the same games.
//!
//! [`Engines::connect`] connects to a serving engine. It tries the engines in random order, so that
//! clients spread over them. A client whose connection breaks connects again, possibly to another
//! engine. Each engine presents a certificate for its own name.
//!
//! ```no_run
//! use heliopause_client::connect::{Engines, Unreachable};
//! use tonic::transport::Endpoint;
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Unreachable> {
//! let names = ["https://one.example:50051", "https://two.example:50051"];
//! let engines = Engines::new(names.map(Endpoint::from_static));
//! let channel = engines.connect().await?;
//! # drop(channel);
//! # Ok(())
//! # }
//! ```

mod address;
pub mod dial;
pub mod secrets;

use std::error::Error;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::lookup_host;
use tokio::time::{sleep, timeout};
use tonic::Code;
use tonic::transport::{Channel, Endpoint, Uri};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tower::service_fn;

use self::dial::Dial;

pub use self::address::{Address, AddressError, Addresses, AddressesError, trust};

const STEP_TIMEOUT: Duration = Duration::from_secs(3);
/// Timeout for each address in the first round. The second round gives slow engines more time.
const FIRST_TIMEOUT: Duration = Duration::from_secs(1);
const _: () = assert!(FIRST_TIMEOUT.as_millis() < STEP_TIMEOUT.as_millis());
const CHECK_INTERVAL: Duration = Duration::from_secs(5);
const KEEP_ALIVE: Duration = Duration::from_millis(1_500);

/// Several engines that share their games.
///
/// ```
/// use heliopause_client::connect::Engines;
///
/// # #[tokio::main]
/// # async fn main() {
/// let nobody = Engines::new([]);
/// assert_eq!(nobody.connect().await.unwrap_err().to_string(), "no engine address given");
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Engines {
    targets: Arc<[Endpoint]>,
    dial: Arc<dyn Dial>,
}

/// The error when no engine can be reached. It states the last cause.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreachable(String);

const SPEAKS_TLS: &str = "this port serves https: use https:// in the address";
const SPEAKS_PLAIN: &str =
    "this port serves http: use http:// in the address if you trust every network on the way";

const PROBE_BYTES_MAX: u64 = 4_096;
const PROBE_TIMEOUT: Duration = Duration::from_secs(1);
const ALERT: u8 = 0x15;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Health {
    /// Includes addresses without a health service, such as many proxies.
    Serves,
    Unhealthy,
}

impl Engines {
    /// Creates the set of engines at these endpoints.
    ///
    /// A hanging engine neither closes connections nor rejects calls. Every connection is therefore
    /// pinged, and breaks after at most five seconds without a response. Calls on the connection
    /// then fail and can be retried on another engine.
    pub fn new(engines: impl IntoIterator<Item = Endpoint>) -> Self {
        let asked = |engine: Endpoint| {
            engine
                .http2_keep_alive_interval(KEEP_ALIVE)
                .keep_alive_timeout(STEP_TIMEOUT)
                .keep_alive_while_idle(true)
        };
        Self { targets: engines.into_iter().map(asked).collect(), dial: dial::tcp() }
    }

    /// Replaces TCP with another way to open connections.
    #[must_use]
    pub fn through(self, dial: Arc<dyn Dial>) -> Self {
        Self { dial, ..self }
    }

    /// Connects to a serving engine. If there is none, connects to one that at least responds, so
    /// that the errors of calls explain the problem.
    pub async fn connect(&self) -> Result<Channel, Unreachable> {
        self.find().await.map(|(channel, _)| channel)
    }

    /// Waits until another engine is serving and the connected one is not.
    pub async fn until_better_than(&self, channel: &Channel) {
        while !self.has_better_than(channel).await {
            sleep(CHECK_INTERVAL).await;
        }
    }

    /// Returns whether another engine is serving and the connected one is not.
    pub async fn has_better_than(&self, channel: &Channel) -> bool {
        !matches!(health(channel.clone()).await, Ok(Health::Serves))
            && matches!(self.find().await, Ok((_, Health::Serves)))
    }

    async fn find(&self) -> Result<(Channel, Health), Unreachable> {
        let (targets, mut fault) = self.targets().await;
        let mut ailing = None;
        for patience in [FIRST_TIMEOUT, STEP_TIMEOUT] {
            let mut some_are_slow = false;
            for (engine, address) in &targets {
                match probe(&self.dial, engine, *address, patience).await {
                    Ok((channel, Health::Serves)) => return Ok((channel, Health::Serves)),
                    Ok(found) => ailing = ailing.or(Some(found)),
                    Err(unreachable) => {
                        some_are_slow |= unreachable == timed_out();
                        fault = unreachable;
                    }
                }
            }
            if ailing.is_some() || !some_are_slow {
                break;
            }
        }
        ailing.ok_or(fault)
    }

    /// Returns all addresses in random order, and the error to report if none responds. Includes
    /// every address of a host name, because the name may belong to several engines.
    async fn targets(&self) -> (Vec<(Endpoint, SocketAddr)>, Unreachable) {
        let mut fault = Unreachable("no engine address given".to_owned());
        let mut targets = Vec::new();
        for engine in &*self.targets {
            let (host, port) = host_and_port(engine.uri());
            match with_timeout(lookup_host((host, port))).await {
                Ok(addresses) => targets.extend(addresses.map(|address| (engine.clone(), address))),
                Err(unreachable) => fault = unreachable,
            }
        }
        // Each of the standard library's hashers has a random seed, which is random enough here.
        let chance = RandomState::new();
        targets.sort_by_cached_key(|(engine, address)| chance.hash_one((engine.uri(), address)));
        (targets, fault)
    }
}

async fn probe(
    dial: &Arc<dyn Dial>,
    engine: &Endpoint,
    address: SocketAddr,
    patience: Duration,
) -> Result<(Channel, Health), Unreachable> {
    match timeout(patience, connect_and_check(dial, engine, address))
        .await
        .unwrap_or_else(|_| Err(timed_out()))
    {
        Err(fault)
            if fault != timed_out()
                && engine.uri().scheme_str() != Some("https")
                && speaks_tls(dial, address).await =>
        {
            Err(Unreachable(SPEAKS_TLS.to_owned()))
        }
        greeted => greeted,
    }
}

/// Returns whether the port serves TLS. Such a port responds to an HTTP/1 request with an error
/// message or with a TLS alert.
async fn speaks_tls(dial: &Arc<dyn Dial>, address: SocketAddr) -> bool {
    let asked = async {
        let mut stream = dial.dial(address).await?;
        stream.write_all(b"GET / HTTP/1.0\r\n\r\n").await?;
        let mut told = Vec::new();
        stream.take(PROBE_BYTES_MAX).read_to_end(&mut told).await?;
        Ok::<_, io::Error>(told)
    };
    let Ok(Ok(told)) = timeout(PROBE_TIMEOUT, asked).await else { return false };
    let words = String::from_utf8_lossy(&told);
    told.first() == Some(&ALERT)
        || words.contains("this port serves https")
        || words.contains("to HTTPS port")
}

async fn connect_and_check(
    dial: &Arc<dyn Dial>,
    engine: &Endpoint,
    address: SocketAddr,
) -> Result<(Channel, Health), Unreachable> {
    let dial = Arc::clone(dial);
    let connector = service_fn(move |_: Uri| {
        let dial = Arc::clone(&dial);
        async move { Ok::<_, io::Error>(TokioIo::new(dial.dial(address).await?)) }
    });
    let channel = with_timeout(engine.connect_with_connector(connector)).await?;
    let health = health(channel.clone()).await?;
    Ok((channel, health))
}

async fn health(channel: Channel) -> Result<Health, Unreachable> {
    let mut client = HealthClient::new(channel);
    let asked = client.check(HealthCheckRequest::default());
    let told = timeout(STEP_TIMEOUT, asked).await.map_err(|_| timed_out())?;
    match told {
        Ok(told) if told.get_ref().status() == ServingStatus::Serving => Ok(Health::Serves),
        Ok(_) => Ok(Health::Unhealthy),
        // A failed connection has a source, regardless of its status code.
        Err(status)
            if status.source().is_some()
                || matches!(
                    status.code(),
                    Code::Unavailable | Code::Unknown | Code::Internal | Code::Cancelled
                ) =>
        {
            Err(Unreachable(
                status.source().map_or_else(|| status.message().to_owned(), root_cause),
            ))
        }
        Err(_) => Ok(Health::Serves),
    }
}

fn host_and_port(engine: &Uri) -> (&str, u16) {
    let host = engine.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    let tls = engine.scheme_str() == Some("https");
    (host, engine.port_u16().unwrap_or(if tls { 443 } else { 80 }))
}

async fn with_timeout<T, E: Error + 'static>(
    step: impl Future<Output = Result<T, E>>,
) -> Result<T, Unreachable> {
    match timeout(STEP_TIMEOUT, step).await {
        Ok(done) => done.map_err(|error| Unreachable(root_cause(&error))),
        Err(_) => Err(timed_out()),
    }
}

fn timed_out() -> Unreachable {
    Unreachable(format!("no response within {} s", STEP_TIMEOUT.as_secs()))
}

fn root_cause(error: &(dyn Error + 'static)) -> String {
    if is_not_tls(error) {
        return SPEAKS_PLAIN.to_owned();
    }
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

fn is_not_tls(error: &(dyn Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(cause) = next {
        let inner = cause.downcast_ref().and_then(io::Error::get_ref);
        if let Some(rustls::Error::InvalidMessage(_)) = inner.and_then(|inner| inner.downcast_ref())
        {
            return true;
        }
        next = cause.source();
    }
    false
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tokio::net::TcpListener;
    use tokio_stream::wrappers::TcpListenerStream;
    use tonic_health::ServingStatus as Says;
    use tonic_health::server::{HealthReporter, HealthService};

    use super::*;

    async fn listening() -> (TcpListener, Endpoint) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
        (listener, endpoint)
    }

    async fn engine(says: Says) -> (Endpoint, HealthReporter) {
        let (listener, endpoint) = listening().await;
        let health = HealthReporter::new();
        health.set_service_status("", says).await;
        let service = tonic_health::pb::health_server::HealthServer::new(
            HealthService::from_health_reporter(health.clone()),
        );
        let serving = tonic::transport::Server::builder().add_service(service);
        tokio::spawn(serving.serve_with_incoming(TcpListenerStream::new(listener)));
        (endpoint, health)
    }

    async fn nobody() -> Endpoint {
        listening().await.1
    }

    #[tokio::test]
    async fn any_reachable_engine_is_used() {
        let (there, _health) = engine(Says::Serving).await;
        let engines = Engines::new([nobody().await, there, nobody().await]);
        for _ in 0..10 {
            engines.connect().await.expect("one of them is there");
        }
    }

    #[tokio::test]
    async fn clients_spread_over_the_engines() {
        let endpoints = [engine(Says::Serving).await.0, engine(Says::Serving).await.0];
        let engines = Engines::new(endpoints.clone());
        let mut first = BTreeSet::new();
        for _ in 0..40 {
            first.insert(engines.targets().await.0[0].0.uri().to_string());
        }
        assert_eq!(first.len(), 2, "of 40 clients none begins with one of the two");
    }

    #[tokio::test]
    async fn serving_engines_are_preferred_over_unhealthy_ones() {
        let ((ailing, ails), (well, health)) =
            (engine(Says::NotServing).await, engine(Says::Serving).await);
        let engines = Engines::new([ailing.clone(), well]);
        for _ in 0..10 {
            assert_eq!(engines.find().await.unwrap().1, Health::Serves);
        }
        let (there, state) = Engines::new([ailing]).find().await.expect("it is there");
        assert_eq!(state, Health::Unhealthy);
        assert!(engines.has_better_than(&there).await);
        health.set_service_status("", Says::NotServing).await;
        assert!(!engines.has_better_than(&there).await, "the other does not serve either");
        ails.set_service_status("", Says::Serving).await;
        health.set_service_status("", Says::Serving).await;
        assert!(!engines.has_better_than(&there).await, "it serves again");
    }

    #[tokio::test]
    async fn silent_servers_are_skipped() {
        let (_mute, silent) = listening().await;
        let (there, _health) = engine(Says::Serving).await;
        Engines::new([silent.clone(), there]).connect().await.expect("the other is there");
        Engines::new([silent]).connect().await.expect_err("nobody answers");
    }

    #[tokio::test]
    async fn a_hanging_engine_is_replaced_by_a_serving_one() {
        let (well, _health) = engine(Says::Serving).await;
        // The operating system accepts connections on behalf of a hanging engine.
        let (_hung, address) = listening().await;
        let there = address.connect_lazy();
        assert!(Engines::new([address.clone(), well]).has_better_than(&there).await);
        assert!(!Engines::new([address]).has_better_than(&there).await, "there is no other");
    }

    #[tokio::test]
    async fn a_connection_to_a_hanging_engine_breaks() {
        let ((listener, endpoint), begun) = (listening().await, std::time::Instant::now());
        let engines = Engines::new([endpoint]);
        let mut client = HealthClient::new(engines.targets[0].connect_lazy());
        let hangs = tokio::spawn(async move {
            let (mut held, _) = listener.accept().await.unwrap();
            // Send an HTTP/2 settings frame and then nothing.
            tokio::io::AsyncWriteExt::write_all(&mut held, &[0, 0, 0, 4, 0, 0, 0, 0, 0])
                .await
                .unwrap();
            std::future::pending::<()>().await;
        });
        client.check(HealthCheckRequest::default()).await.expect_err("nobody answers");
        assert!(begun.elapsed() < KEEP_ALIVE + 3 * STEP_TIMEOUT, "it took {:?}", begun.elapsed());
        hangs.abort();
    }

    /// Security T1: a client with plain http detects any TLS server.
    #[tokio::test]
    async fn security_t1_tls_ports_are_detected_by_message_or_alert() {
        for answer in [
            &b"\x15\x03\x01\x00\x02\x02\x0a"[..],
            b"HTTP/1.1 400 Bad Request\r\n\r\nthis port serves https\n",
        ] {
            let (listener, endpoint) = listening().await;
            let serving = tokio::spawn(async move {
                loop {
                    let (mut stream, _) = listener.accept().await.unwrap();
                    let _ = stream.read(&mut [0; 256]).await;
                    let _ = stream.write_all(answer).await;
                }
            });
            let told =
                Engines::new([endpoint]).connect().await.expect_err("it serves https").to_string();
            assert_eq!(told, SPEAKS_TLS);
            serving.abort();
        }
    }

    #[tokio::test]
    async fn unreachable_addresses_are_reported() {
        let told = Engines::new([nobody().await]).connect().await.expect_err("nobody is there");
        assert!(told.to_string().contains("refused"), "{told}");
        Engines::new([]).connect().await.expect_err("nobody is named");
    }
}
