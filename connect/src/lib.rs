//! A connection to one of several engines that serve the same games.
//!
//! A client names all addresses. [`Engines::connect`] connects to one that serves, beginning with
//! any: so clients spread over the engines, and a client whose connection breaks fails over by
//! connecting anew. Each engine presents a certificate for its own name.
//!
//! ```no_run
//! use heliopause_connect::{Engines, Unreachable};
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

use dial::Dial;

pub use address::{Address, Addresses, NoAddress, NotTogether, trust};

/// The client passes over an engine that takes longer for any step of a greeting.
const ANSWERS_WITHIN: Duration = Duration::from_secs(3);
/// The client passes over one that takes longer for all of it while there are others.
const ANSWERS_AT_ONCE: Duration = Duration::from_secs(1);
const _: () = assert!(ANSWERS_AT_ONCE.as_millis() < ANSWERS_WITHIN.as_millis());
/// How often a client asks whether it should move on to another engine.
const LOOKS_ROUND: Duration = Duration::from_secs(5);
/// A connection is asked so often whether the other end still lives.
const KEEP_ALIVE: Duration = Duration::from_millis(1_500);

/// Several engines that share their games.
///
/// ```
/// use heliopause_connect::Engines;
///
/// # #[tokio::main]
/// # async fn main() {
/// let nobody = Engines::new([]);
/// assert_eq!(nobody.connect().await.unwrap_err().to_string(), "no engine is named");
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Engines {
    doors: Arc<[Endpoint]>,
    dial: Arc<dyn Dial>,
}

/// No engine could be reached; the obstacle on the way to the last one tried.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreachable(String);

/// A port that speaks something else than it was asked in.
const SPEAKS_TLS: &str = "this port speaks https: name it https://...";
const SPEAKS_PLAIN: &str =
    "this port speaks http: name it http://..., if you trust every network on the way";

/// The question to a port in plain HTTP: how much of its answer to read, and how long it may take.
const WORDS_MAX: u64 = 4_096;
const ASKED_WITHIN: Duration = Duration::from_secs(1);
/// The first byte of a TLS alert.
const ALERT: u8 = 0x15;

/// An engine's report of its health.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Health {
    /// It takes calls, or does not tell.
    Serves,
    /// It is there, but drains, or its database is away.
    Ails,
}

impl Engines {
    /// The engines at these addresses, each with what its connections need.
    ///
    /// An engine that hangs closes no connection and refuses no call. So the client pings every
    /// connection, which breaks within five seconds without an answer: then its calls fail, and go
    /// on elsewhere.
    pub fn new(engines: impl IntoIterator<Item = Endpoint>) -> Self {
        let asked = |engine: Endpoint| {
            engine
                .http2_keep_alive_interval(KEEP_ALIVE)
                .keep_alive_timeout(ANSWERS_WITHIN)
                .keep_alive_while_idle(true)
        };
        Self { doors: engines.into_iter().map(asked).collect(), dial: dial::tcp() }
    }

    /// The same engines, connected to in another way than by TCP.
    #[must_use]
    pub fn through(self, dial: Arc<dyn Dial>) -> Self {
        Self { dial, ..self }
    }

    /// Connects to an engine that serves; if none does, to one that is at least there, whose
    /// refusals say why.
    pub async fn connect(&self) -> Result<Channel, Unreachable> {
        self.find().await.map(|(channel, _)| channel)
    }

    /// Ends when the engine at the other end of a connection does not serve while another one does.
    pub async fn until_better_than(&self, channel: &Channel) {
        while !self.has_better_than(channel).await {
            sleep(LOOKS_ROUND).await;
        }
    }

    /// Whether the engine at the other end of a connection does not serve while another one does.
    pub async fn has_better_than(&self, channel: &Channel) -> bool {
        !matches!(health(channel.clone()).await, Ok(Health::Serves))
            && matches!(self.find().await, Ok((_, Health::Serves)))
    }

    async fn find(&self) -> Result<(Channel, Health), Unreachable> {
        let (doors, mut fault) = self.doors().await;
        let mut ailing = None;
        // An engine that hangs keeps nobody long from the next one; only where none answers at once
        // they get more time.
        for patience in [ANSWERS_AT_ONCE, ANSWERS_WITHIN] {
            let mut some_are_slow = false;
            for (engine, address) in &doors {
                match greet(&self.dial, engine, *address, patience).await {
                    Ok((channel, Health::Serves)) => return Ok((channel, Health::Serves)),
                    Ok(found) => ailing = ailing.or(Some(found)),
                    Err(unreachable) => {
                        some_are_slow |= unreachable == too_late();
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

    /// The addresses to try, in random order: one name may stand for many engines. Also the reason
    /// if there are none.
    async fn doors(&self) -> (Vec<(Endpoint, SocketAddr)>, Unreachable) {
        let mut fault = Unreachable("no engine is named".to_owned());
        let mut doors = Vec::new();
        for engine in &*self.doors {
            let (host, port) = place(engine.uri());
            match within(lookup_host((host, port))).await {
                Ok(addresses) => doors.extend(addresses.map(|address| (engine.clone(), address))),
                Err(unreachable) => fault = unreachable,
            }
        }
        // The standard library seeds each of its hashers by itself, which is all the chance that is
        // needed.
        let chance = RandomState::new();
        doors.sort_by_cached_key(|(engine, address)| chance.hash_one((engine.uri(), address)));
        (doors, fault)
    }
}

/// Connects to an address of an engine, and asks how it is.
async fn greet(
    dial: &Arc<dyn Dial>,
    engine: &Endpoint,
    address: SocketAddr,
    patience: Duration,
) -> Result<(Channel, Health), Unreachable> {
    match timeout(patience, shake_hands(dial, engine, address))
        .await
        .unwrap_or_else(|_| Err(too_late()))
    {
        Err(fault)
            if fault != too_late()
                && engine.uri().scheme_str() != Some("https")
                && speaks_tls(dial, address).await =>
        {
            Err(Unreachable(SPEAKS_TLS.to_owned()))
        }
        greeted => greeted,
    }
}

/// Whether a port that does not understand plain HTTP/2 speaks TLS: it answers a plain question
/// with words or with an alert.
async fn speaks_tls(dial: &Arc<dyn Dial>, address: SocketAddr) -> bool {
    let asked = async {
        let mut stream = dial.dial(address).await?;
        stream.write_all(b"GET / HTTP/1.0\r\n\r\n").await?;
        let mut told = Vec::new();
        stream.take(WORDS_MAX).read_to_end(&mut told).await?;
        Ok::<_, io::Error>(told)
    };
    let Ok(Ok(told)) = timeout(ASKED_WITHIN, asked).await else { return false };
    let words = String::from_utf8_lossy(&told);
    told.first() == Some(&ALERT)
        || words.contains("this port speaks https")
        || words.contains("to HTTPS port")
}

async fn shake_hands(
    dial: &Arc<dyn Dial>,
    engine: &Endpoint,
    address: SocketAddr,
) -> Result<(Channel, Health), Unreachable> {
    let dial = Arc::clone(dial);
    let knock = service_fn(move |_: Uri| {
        let dial = Arc::clone(&dial);
        async move { Ok::<_, io::Error>(TokioIo::new(dial.dial(address).await?)) }
    });
    let channel = within(engine.connect_with_connector(knock)).await?;
    let health = health(channel.clone()).await?;
    Ok((channel, health))
}

/// Asks an engine for its health. An address that does not tell, like many proxies, is taken to
/// serve.
async fn health(channel: Channel) -> Result<Health, Unreachable> {
    let mut client = HealthClient::new(channel);
    let asked = client.check(HealthCheckRequest::default());
    let told = timeout(ANSWERS_WITHIN, asked).await.map_err(|_| too_late())?;
    match told {
        Ok(told) if told.get_ref().status() == ServingStatus::Serving => Ok(Health::Serves),
        Ok(_) => Ok(Health::Ails),
        // A failure of the connection has a source, whatever code it goes by.
        Err(status)
            if status.source().is_some()
                || matches!(
                    status.code(),
                    Code::Unavailable | Code::Unknown | Code::Internal | Code::Cancelled
                ) =>
        {
            Err(Unreachable(status.source().map_or_else(|| status.message().to_owned(), bottom)))
        }
        Err(_) => Ok(Health::Serves),
    }
}

/// The host and port of an address.
fn place(engine: &Uri) -> (&str, u16) {
    let host = engine.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    let tls = engine.scheme_str() == Some("https");
    (host, engine.port_u16().unwrap_or(if tls { 443 } else { 80 }))
}

async fn within<T, E: Error + 'static>(
    step: impl Future<Output = Result<T, E>>,
) -> Result<T, Unreachable> {
    match timeout(ANSWERS_WITHIN, step).await {
        Ok(done) => done.map_err(|error| Unreachable(bottom(&error))),
        Err(_) => Err(too_late()),
    }
}

fn too_late() -> Unreachable {
    Unreachable("it does not answer in time".to_owned())
}

/// The root cause of a failure; the errors above it only repeat that there is one.
fn bottom(error: &(dyn Error + 'static)) -> String {
    if is_plain(error) {
        return SPEAKS_PLAIN.to_owned();
    }
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

/// Whether a TLS handshake failed because the other end speaks something else.
fn is_plain(error: &(dyn Error + 'static)) -> bool {
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

    /// An engine that tells of its health and nothing else.
    async fn engine(says: Says) -> (Endpoint, HealthReporter) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
        let health = HealthReporter::new();
        health.set_service_status("", says).await;
        let service = tonic_health::pb::health_server::HealthServer::new(
            HealthService::from_health_reporter(health.clone()),
        );
        let serving = tonic::transport::Server::builder().add_service(service);
        tokio::spawn(serving.serve_with_incoming(TcpListenerStream::new(listener)));
        (endpoint, health)
    }

    /// An address at which nobody listens any more.
    async fn nobody() -> Endpoint {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        format!("http://{}", listener.local_addr().unwrap()).parse().unwrap()
    }

    #[tokio::test]
    async fn whichever_is_there_is_taken() {
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
            first.insert(engines.doors().await.0[0].0.uri().to_string());
        }
        assert_eq!(first.len(), 2, "of 40 clients none begins with one of the two");
    }

    #[tokio::test]
    async fn one_that_serves_is_preferred_and_one_that_does_not_is_better_than_none() {
        let ((ailing, ails), (well, health)) =
            (engine(Says::NotServing).await, engine(Says::Serving).await);
        let engines = Engines::new([ailing.clone(), well]);
        for _ in 0..10 {
            assert_eq!(engines.find().await.unwrap().1, Health::Serves);
        }
        let (there, state) = Engines::new([ailing]).find().await.expect("it is there");
        assert_eq!(state, Health::Ails);
        assert!(engines.has_better_than(&there).await);
        health.set_service_status("", Says::NotServing).await;
        assert!(!engines.has_better_than(&there).await, "the other does not serve either");
        ails.set_service_status("", Says::Serving).await;
        health.set_service_status("", Says::Serving).await;
        assert!(!engines.has_better_than(&there).await, "it serves again");
    }

    #[tokio::test]
    async fn who_takes_connections_and_says_nothing_is_passed_over() {
        let mute = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let silent: Endpoint = format!("http://{}", mute.local_addr().unwrap()).parse().unwrap();
        let (there, _health) = engine(Says::Serving).await;
        Engines::new([silent.clone(), there]).connect().await.expect("the other is there");
        Engines::new([silent]).connect().await.expect_err("nobody answers");
    }

    #[tokio::test]
    async fn an_engine_that_hangs_is_left_for_one_that_serves() {
        let (well, _health) = engine(Says::Serving).await;
        // A hanging engine still accepts connections, because the system does so in its stead.
        let hung = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address: Endpoint = format!("http://{}", hung.local_addr().unwrap()).parse().unwrap();
        let there = address.connect_lazy();
        assert!(Engines::new([address.clone(), well]).has_better_than(&there).await);
        assert!(!Engines::new([address]).has_better_than(&there).await, "there is no other");
    }

    #[tokio::test]
    async fn a_connection_to_what_hangs_breaks() {
        let (listener, begun) =
            (TcpListener::bind("127.0.0.1:0").await.unwrap(), std::time::Instant::now());
        let endpoint = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
        let engines = Engines::new([endpoint]);
        let mut client = HealthClient::new(engines.doors[0].connect_lazy());
        let hangs = tokio::spawn(async move {
            let (mut held, _) = listener.accept().await.unwrap();
            // It says what a server says first, and nothing any more.
            tokio::io::AsyncWriteExt::write_all(&mut held, &[0, 0, 0, 4, 0, 0, 0, 0, 0])
                .await
                .unwrap();
            std::future::pending::<()>().await;
        });
        client.check(HealthCheckRequest::default()).await.expect_err("nobody answers");
        assert!(begun.elapsed() < KEEP_ALIVE + 3 * ANSWERS_WITHIN, "it took {:?}", begun.elapsed());
        hangs.abort();
    }

    /// Security T1: a plain http client learns that any TLS server there speaks TLS.
    #[tokio::test]
    async fn a_port_that_speaks_tls_is_told_by_its_words_or_its_alert() {
        for answer in [
            &b"\x15\x03\x01\x00\x02\x02\x0a"[..],
            b"HTTP/1.1 400 Bad Request\r\n\r\nthis port speaks https\n",
        ] {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let endpoint = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
            let serving = tokio::spawn(async move {
                loop {
                    let (mut stream, _) = listener.accept().await.unwrap();
                    let _ = stream.read(&mut [0; 256]).await;
                    let _ = stream.write_all(answer).await;
                }
            });
            let told =
                Engines::new([endpoint]).connect().await.expect_err("it speaks https").to_string();
            assert_eq!(told, SPEAKS_TLS);
            serving.abort();
        }
    }

    #[tokio::test]
    async fn where_nobody_is_that_is_told() {
        let told = Engines::new([nobody().await]).connect().await.expect_err("nobody is there");
        assert!(told.to_string().contains("refused"), "{told}");
        Engines::new([]).connect().await.expect_err("nobody is named");
    }
}
