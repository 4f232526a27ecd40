//! Accepting connections, with limits in total and per address, and with timeouts.

mod connection;
mod peer;

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_stream::wrappers::ReceiverStream;

use super::protocols::PortProtocol;
use super::proxies::{Proxies, proxy_header};
use super::sockets::{Listener, Socket};
use crate::edge::drain::Drain;
use crate::edge::limits::{Limits, Owed};
use crate::log_throttle::throttled;

pub(crate) use connection::Connection;
pub(crate) use peer::{AnonymousConnections, OPEN_STREAMS, OpenStream, Peer, Sending, note_peer};

/// The maximum time from connecting to the first call, including handshakes. It limits how long an
/// idle client occupies a slot. Clients that connect early reconnect automatically.
const IDLE_TIMEOUT: Duration = Duration::from_secs(15);
/// The maximum time that a part of a response waits for a client that does not read.
const STALL_TIMEOUT: Duration = Duration::from_mins(1);
/// The time that the last accepted connections have to start a call before the server asks clients
/// to disconnect.
const SETTLE: Duration = Duration::from_millis(250);
const FILE_LIMIT_WAIT: Duration = Duration::from_millis(100);
/// The interval at which anonymous connections are closed while all slots are in use.
const MAKE_ROOM_INTERVAL: Duration = Duration::from_millis(20);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Timeouts {
    idle_timeout: Duration,
    stall_timeout: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { idle_timeout: IDLE_TIMEOUT, stall_timeout: STALL_TIMEOUT }
    }
}

pub(crate) struct ConnectionAcceptor {
    pub(crate) limits: Arc<Limits>,
    pub(crate) proxies: Arc<Proxies>,
    pub(crate) connections_max: usize,
    pub(crate) timeouts: Timeouts,
    pub(crate) drain: Drain,
    pub(crate) speaks: PortProtocol,
    pub(crate) anonymous: AnonymousConnections,
}

impl ConnectionAcceptor {
    /// Accepts connections until the server closes or the stream is dropped.
    ///
    /// When the server closes, the queued connections are still accepted. Then the port is closed,
    /// so that new clients connect to another engine, and the stream ends shortly afterwards.
    pub(crate) fn accept(self, listener: Listener) -> ReceiverStream<io::Result<Connection>> {
        let (sender, receiver) = mpsc::channel(1);
        let slots = Arc::new(Semaphore::new(self.connections_max));
        let acceptor = Arc::new(self);
        tokio::spawn(async move {
            loop {
                let accepted = tokio::select! {
                    biased;
                    () = sender.closed() => return,
                    () = acceptor.drain.closing() => break,
                    accepted = acceptor.accept_one(&listener, &slots) => accepted,
                };
                acceptor.pass(accepted, &sender).await;
            }
            // Closing the port now would lose calls that queued clients have already sent.
            while let Some(accepted) = acceptor.accept_one(&listener, &slots).now_or_never() {
                acceptor.pass(accepted, &sender).await;
            }
            drop(listener);
            tokio::time::sleep(SETTLE).await;
        });
        ReceiverStream::new(receiver)
    }

    async fn pass(
        self: &Arc<Self>,
        accepted: Accepted,
        sender: &mpsc::Sender<io::Result<Connection>>,
    ) {
        let (stream, address, slot) = accepted;
        if self.proxies.uses_proxy_protocol(address) {
            // A slow proxy must not block other connections.
            let (acceptor, sender) = (Arc::clone(self), sender.clone());
            tokio::spawn(async move {
                acceptor.admit_proxied(stream, address, slot, &sender).await;
            });
        } else if let Some(connection) = self.admit(stream, address, slot) {
            let _ = sender.send(Ok(connection)).await;
        }
    }

    async fn admit_proxied(
        &self,
        mut stream: Socket,
        proxy: IpAddr,
        slot: OwnedSemaphorePermit,
        sender: &mpsc::Sender<io::Result<Connection>>,
    ) {
        let header = match &mut stream {
            Socket::Left(stream) => proxy_header(stream).await,
            Socket::Right(_) => Ok(None),
        };
        let client = match header {
            Ok(client) => client.unwrap_or(proxy),
            Err(error) => {
                return tracing::debug!(%proxy, %error, "a connection from a proxy was closed: it \
                    did not start with a valid PROXY header");
            }
        };
        if let Some(connection) = self.admit(stream, client, slot) {
            // This fails only if the server has stopped.
            let _ = sender.send(Ok(connection)).await;
        }
    }

    async fn accept_one(&self, listener: &Listener, slots: &Arc<Semaphore>) -> Accepted {
        let slot = self.slot(slots).await;
        loop {
            match listener.accept().await {
                Ok((stream, address)) => return (stream, address.ip(), slot),
                Err(error) if is_the_peers(&error) => {}
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted; the limit on open \
                        files (ulimit -n) may be too low");
                    tokio::time::sleep(FILE_LIMIT_WAIT).await;
                }
            }
        }
    }

    async fn slot(&self, slots: &Arc<Semaphore>) -> OwnedSemaphorePermit {
        loop {
            let slot = Arc::clone(slots).acquire_owned();
            if let Ok(slot) = tokio::time::timeout(MAKE_ROOM_INTERVAL, slot).await {
                return slot.expect("the semaphore is never closed");
            }
            throttled!(
                warn,
                limit = self.connections_max,
                "the connection limit is reached (--connection-limit); new connections wait"
            );
            self.anonymous.make_room();
        }
    }

    fn admit(
        &self,
        stream: Socket,
        address: IpAddr,
        slot: OwnedSemaphorePermit,
    ) -> Option<Connection> {
        let proxy = self.proxies.trust(address);
        let counted = if proxy { None } else { Some(self.limits.connect(address)?) };
        let owed = if proxy { Owed::Nothing } else { self.limits.new_connection(address) };
        let wait = match owed {
            Owed::Nothing => None,
            Owed::For(wait) => Some(wait),
            Owed::TooMuch => return None,
        };
        let peer = Peer::at(address, proxy);
        self.anonymous.remember(&peer);
        Some(Connection::new(stream, peer, self.timeouts, (slot, counted), self.speaks, wait))
    }
}

type Accepted = (Socket, IpAddr, OwnedSemaphorePermit);

fn is_the_peers(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset)
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};
    use tokio::time::Instant;
    use tokio_stream::StreamExt as _;
    use tonic::transport::server::Connected as _;

    use super::connection::TURN;
    use super::peer::IDENTIFY_TIMEOUT;
    use super::*;
    use crate::config::Quotas;

    type Incoming = ReceiverStream<io::Result<Connection>>;

    fn acceptor(quotas: &Quotas, timeouts: Timeouts, drain: Drain) -> ConnectionAcceptor {
        ConnectionAcceptor {
            limits: Arc::new(Limits::new(quotas)),
            proxies: Arc::default(),
            connections_max: quotas.connections,
            timeouts,
            drain,
            speaks: PortProtocol::Plain,
            anonymous: AnonymousConnections::default(),
        }
    }

    async fn accepting_by(quotas: &Quotas, timeouts: Timeouts) -> (SocketAddr, Incoming) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        (address, acceptor(quotas, timeouts, Drain::default()).accept(Listener::Tcp(listener)))
    }

    async fn accepting(
        connections: usize,
        address_connections: usize,
        timeouts: Timeouts,
    ) -> (SocketAddr, Incoming) {
        let quotas = Quotas { connections, address_connections, ..Quotas::none() };
        accepting_by(&quotas, timeouts).await
    }

    async fn connect(address: SocketAddr, incoming: &mut Incoming) -> (TcpStream, Connection) {
        let client = TcpStream::connect(address).await.unwrap();
        (client, incoming.next().await.unwrap().unwrap())
    }

    fn timeouts(idle_timeout: u64, stall_timeout: u64) -> Timeouts {
        Timeouts {
            idle_timeout: Duration::from_millis(idle_timeout),
            stall_timeout: Duration::from_millis(stall_timeout),
        }
    }

    #[tokio::test]
    async fn idle_connection_closes_unless_it_has_made_a_call() {
        let (address, mut incoming) = accepting(2, 0, timeouts(20, 60_000)).await;
        let (_silent_client, mut silent) = connect(address, &mut incoming).await;
        let (mut client, mut made_call) = connect(address, &mut incoming).await;
        made_call.connect_info().made_call();

        assert_eq!(silent.read_u8().await.unwrap_err().kind(), io::ErrorKind::TimedOut);
        tokio::time::sleep(Duration::from_millis(40)).await;
        client.write_u8(7).await.unwrap();
        assert_eq!(made_call.read_u8().await.unwrap(), 7);
    }

    #[tokio::test]
    async fn closing_server_accepts_only_the_queued_connections() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, drain) = (listener.local_addr().unwrap(), Drain::default());
        let mut clients = Vec::new();
        for _ in 0..5 {
            clients.push(TcpStream::connect(address).await.unwrap());
        }
        drain.close();
        let acceptor = acceptor(&Quotas::none(), Timeouts::default(), drain);
        let incoming: Vec<_> = acceptor.accept(Listener::Tcp(listener)).collect().await;
        assert_eq!(incoming.len(), clients.len());
        TcpStream::connect(address).await.expect_err("the port is closed");
    }

    #[tokio::test]
    async fn connections_are_limited() {
        let (address, mut incoming) = accepting(1, 0, Timeouts::default()).await;
        let (_first_client, first) = connect(address, &mut incoming).await;
        let _second_client = TcpStream::connect(address).await.unwrap();
        let early = tokio::time::timeout(Duration::from_millis(50), incoming.next()).await;
        assert!(early.is_err(), "the limit does not hold");
        drop(first);
        incoming.next().await.unwrap().expect("a place is free again");
    }

    #[tokio::test]
    async fn anonymous_connections_make_room_and_known_ones_stay() {
        let (address, mut incoming) = accepting(2, 0, timeouts(60_000, 60_000)).await;
        let (_known_client, mut known) = connect(address, &mut incoming).await;
        known.connect_info().known();
        let (_strange_client, mut stranger) = connect(address, &mut incoming).await;
        let _third_client = TcpStream::connect(address).await.unwrap();
        let ended = tokio::time::timeout(Duration::from_secs(20), stranger.read_u8())
            .await
            .expect("it makes room");
        assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::ConnectionAborted);
        assert!(stranger.connect_info().age() >= IDENTIFY_TIMEOUT, "it had time");
        drop(stranger);
        incoming.next().await.unwrap().expect("a place is free again");
        assert!(known.read_u8().now_or_never().is_none(), "whoever is known stays");
    }

    #[tokio::test]
    async fn busy_connection_yields_to_others() {
        let (address, mut incoming) = accepting(1, 0, Timeouts::default()).await;
        let (mut client, mut connection) = connect(address, &mut incoming).await;
        connection.connect_info().known();
        client.write_all(&vec![7; 4 * TURN]).await.unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
        let mut part = [0; TURN / 2];
        let mut reads =
            async |connection: &mut Connection| connection.read(&mut part).now_or_never().is_some();
        let mut read = Vec::new();
        for _ in 0..6 {
            read.push(reads(&mut connection).await);
        }
        assert_eq!(read, [true, true, false, true, true, false]);
    }

    #[tokio::test]
    async fn anonymous_floods_wait_and_known_callers_do_not() {
        let (address, mut incoming) = accepting(2, 2, timeouts(60_000, 60_000)).await;
        let (mut flooding, mut flooded) = connect(address, &mut incoming).await;
        let flood = tokio::spawn(async move { flooding.write_all(&vec![7; 4 << 20]).await });
        let mut read = 0;
        let mut part = [0; TURN];
        let _ = tokio::time::timeout(Duration::from_secs(1), async {
            while let Ok(bytes) = flooded.read(&mut part).await {
                read += bytes;
            }
        })
        .await;
        assert!((256 << 10..384 << 10).contains(&read), "{read} bytes were read");

        let (mut client, mut new_connection) = connect(address, &mut incoming).await;
        client.write_all(&[7; 4]).await.unwrap();
        new_connection.read_exact(&mut [0; 4]).await.unwrap();
        client.write_all(&[7; 4]).await.unwrap();
        let (peer, begun) = (new_connection.connect_info(), Instant::now());
        let known = async {
            tokio::time::sleep(Duration::from_millis(5)).await;
            peer.known();
        };
        let ((), next) = tokio::join!(known, new_connection.read_u32());
        next.expect("whoever is known at the same address is read on");
        assert!(begun.elapsed() < Duration::from_millis(500));
        flood.abort();
    }

    /// Accepts connections with a budget of 1,000 unassigned bytes per address.
    async fn with_little_room() -> (SocketAddr, Incoming) {
        let quotas = Quotas { bytes_in_flight: 8_000, ..Quotas::none() };
        accepting_by(&quotas, Timeouts::default()).await
    }

    #[tokio::test]
    async fn connection_closes_at_the_memory_limit_before_a_call() {
        let (address, mut incoming) = with_little_room().await;
        let (mut client, mut connection) = connect(address, &mut incoming).await;
        client.write_all(&[7; 900]).await.unwrap();
        connection.read_exact(&mut [0; 900]).await.expect("there is room");
        client.write_all(&[7; 200]).await.unwrap();
        let refused = connection.read_exact(&mut [0; 200]).await.unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::OutOfMemory);
    }

    #[tokio::test]
    async fn bytes_of_calls_are_not_counted_for_the_connection() {
        let (address, mut incoming) = with_little_room().await;
        let (mut client, mut connection) = connect(address, &mut incoming).await;
        let peer = connection.connect_info();
        let mut pass = async |bytes: usize| {
            client.write_all(&vec![7; bytes]).await.unwrap();
            connection.read_exact(&mut vec![0; bytes]).await.map(|_| ())
        };
        peer.made_call();
        pass(5_000).await.expect("HTTP/2 has limits of its own");
        peer.set_http1();
        let sending = peer.answer();
        pass(5_000).await.expect("a call is under way");
        drop(sending);
        pass(900).await.expect("there is room for headers");
        peer.made_call();
        pass(900).await.expect("they have become a call");
        pass(900).await.expect("there is room for others");
        assert!(pass(900).await.is_err());
    }

    #[tokio::test]
    async fn stalled_connection_closes() {
        let (address, mut incoming) = accepting(1, 0, timeouts(20, 60)).await;
        let (_client, mut connection) = connect(address, &mut incoming).await;
        let peer = connection.connect_info();
        peer.made_call();
        let mut sending = peer.answer();
        for _ in 0..10 {
            sending.wait();
            tokio::time::sleep(Duration::from_millis(10)).await;
            sending.moved();
        }
        let reading = tokio::time::timeout(Duration::from_millis(100), connection.read_u8()).await;
        assert!(reading.is_err(), "it moves, if slowly, and may be idle");
        sending.wait();
        assert_eq!(connection.read_u8().await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
