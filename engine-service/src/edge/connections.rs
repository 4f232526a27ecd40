//! Accepting connections: so many at once, so many of one address, and none that says nothing or
//! reads nothing.

mod connection;
mod peer;

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_stream::wrappers::ReceiverStream;

use super::drain::Drain;
use super::limits::{Limits, Owed};
use super::protocols::Speaks;
use super::proxies::Proxies;
use super::sockets::{Listener, Socket};
use crate::seldom::seldom;

pub(super) use connection::Connection;
pub(super) use peer::{OpenStream, Peer, Sending, Strangers, note_peer};

/// How long a connection may wait with its first call, its TLS and HTTP/2 handshakes included.
/// Whoever opens one to say nothing holds a place no longer than this; clients that were early
/// connect anew by themselves.
const SILENCE: Duration = Duration::from_secs(15);
/// How long a part of an answer may wait for a client that reads nothing.
const STANDSTILL: Duration = Duration::from_mins(1);
/// How long connections that came last have to begin, before the server asks those that are
/// connected to go.
const SETTLE: Duration = Duration::from_millis(250);
/// How long to wait when the system has no file handle left for another connection.
const NO_HANDLE: Duration = Duration::from_millis(100);
/// How often room is sought while there is none.
const ROOM: Duration = Duration::from_millis(20);

/// How long connections may do nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// Say nothing.
    silence: Duration,
    /// Read nothing.
    standstill: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { silence: SILENCE, standstill: STANDSTILL }
    }
}

/// Takes connections in.
pub(super) struct Door {
    pub(super) limits: Arc<Limits>,
    pub(super) proxies: Arc<Proxies>,
    pub(super) connections_max: usize,
    pub(super) patience: Patience,
    pub(super) drain: Drain,
    pub(super) speaks: Speaks,
    pub(super) strangers: Strangers,
}

impl Door {
    /// Accepts connections, at most so many at once, until the server closes or the stream is
    /// dropped. The others wait in the listener's queue.
    ///
    /// When the server closes, the port closes first, so that whoever comes next goes elsewhere;
    /// those that came before are still taken. The stream ends a moment later.
    pub(super) fn accept(self, listener: Listener) -> ReceiverStream<io::Result<Connection>> {
        let (sender, receiver) = mpsc::channel(1);
        let places = Arc::new(Semaphore::new(self.connections_max));
        let door = Arc::new(self);
        tokio::spawn(async move {
            loop {
                let accepted = tokio::select! {
                    biased;
                    () = sender.closed() => return,
                    () = door.drain.closing() => break,
                    accepted = door.accept_one(&listener, &places) => accepted,
                };
                door.pass(accepted, &sender).await;
            }
            // Whoever is in the listener's queue has sent a call already, and would lose it with
            // the port.
            while let Some(accepted) = door.accept_one(&listener, &places).now_or_never() {
                door.pass(accepted, &sender).await;
            }
            drop(listener);
            tokio::time::sleep(SETTLE).await;
        });
        ReceiverStream::new(receiver)
    }

    /// Passes a connection on. If nobody takes it, the server stops.
    async fn pass(
        self: &Arc<Self>,
        accepted: Accepted,
        sender: &mpsc::Sender<io::Result<Connection>>,
    ) {
        let (stream, address, place) = accepted;
        if self.proxies.greet(address) {
            // A proxy that is slow to speak keeps nobody else outside.
            let (door, sender) = (Arc::clone(self), sender.clone());
            tokio::spawn(async move { door.let_in_greeted(stream, address, place, &sender).await });
        } else if let Some(connection) = self.let_in(stream, address, place) {
            let _ = sender.send(Ok(connection)).await;
        }
    }

    async fn let_in_greeted(
        &self,
        mut stream: Socket,
        proxy: IpAddr,
        place: OwnedSemaphorePermit,
        sender: &mpsc::Sender<io::Result<Connection>>,
    ) {
        let client = match stream.greeting().await {
            Ok(client) => client.unwrap_or(proxy),
            Err(error) => {
                return tracing::debug!(%proxy, %error, "a connection began without the PROXY \
                    protocol");
            }
        };
        if let Some(connection) = self.let_in(stream, client, place) {
            // Nobody takes it only if the server stops.
            let _ = sender.send(Ok(connection)).await;
        }
    }

    async fn accept_one(&self, listener: &Listener, places: &Arc<Semaphore>) -> Accepted {
        let place = self.place(places).await;
        loop {
            match listener.accept().await {
                Ok((stream, address)) => return (stream, address.ip(), place),
                Err(error) if is_the_peers(&error) => {}
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted; raise the limit of \
                        open files (ulimit -n)");
                    tokio::time::sleep(NO_HANDLE).await;
                }
            }
        }
    }

    /// A place for one more connection. While there is none, those make room on which nobody is
    /// known.
    async fn place(&self, places: &Arc<Semaphore>) -> OwnedSemaphorePermit {
        loop {
            let place = Arc::clone(places).acquire_owned();
            if let Ok(place) = tokio::time::timeout(ROOM, place).await {
                return place.expect("the semaphore is never closed");
            }
            seldom!(warn, "as many connections are open as --connection-limit allows; more wait");
            self.strangers.make_room();
        }
    }

    /// The connection, if its address may have one more. It is not read before its turn.
    fn let_in(
        &self,
        stream: Socket,
        address: IpAddr,
        place: OwnedSemaphorePermit,
    ) -> Option<Connection> {
        let proxy = self.proxies.trust(address);
        let counted = if proxy { None } else { Some(self.limits.connect(address)?) };
        let owed = if proxy { Owed::Nothing } else { self.limits.newcomer(address) };
        let wait = match owed {
            Owed::Nothing => None,
            Owed::For(wait) => Some(wait),
            Owed::TooMuch => return None,
        };
        let peer = Peer::at(address, proxy);
        self.strangers.remember(&peer);
        Some(Connection::new(stream, peer, self.patience, (place, counted), self.speaks, wait))
    }
}

type Accepted = (Socket, IpAddr, OwnedSemaphorePermit);

/// Whether an error of accepting is only that the peer has gone again.
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
    use super::peer::INTRODUCTION_TIME;
    use super::*;
    use crate::config::Quotas;

    /// A door with so many places in all and for one address.
    async fn accepting(
        connections_max: usize,
        address_connections: usize,
        patience: Patience,
    ) -> (SocketAddr, ReceiverStream<io::Result<Connection>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let quotas = Quotas { address_connections, ..Quotas::none() };
        let (limits, proxies) = (Arc::new(Limits::new(&quotas)), Arc::default());
        (
            listener.local_addr().unwrap(),
            Door {
                limits,
                proxies,
                connections_max,
                patience,
                drain: Drain::default(),
                speaks: Speaks::Plain,
                strangers: Strangers::default(),
            }
            .accept(Listener::Tcp(listener)),
        )
    }

    fn patience(silence: u64, standstill: u64) -> Patience {
        Patience {
            silence: Duration::from_millis(silence),
            standstill: Duration::from_millis(standstill),
        }
    }

    #[tokio::test]
    async fn a_silent_connection_ends_and_one_that_was_heard_stays() {
        let (address, mut incoming) = accepting(2, 0, patience(20, 60_000)).await;
        let _silent_client = TcpStream::connect(address).await.unwrap();
        let mut silent = incoming.next().await.unwrap().unwrap();
        let mut client = TcpStream::connect(address).await.unwrap();
        let mut heard = incoming.next().await.unwrap().unwrap();
        heard.connect_info().heard();

        assert_eq!(silent.read_u8().await.unwrap_err().kind(), io::ErrorKind::TimedOut);
        tokio::time::sleep(Duration::from_millis(40)).await;
        client.write_u8(7).await.unwrap();
        assert_eq!(heard.read_u8().await.unwrap(), 7);
    }

    #[tokio::test]
    async fn a_server_that_closes_takes_whoever_came_before_and_nobody_else() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, drain) = (listener.local_addr().unwrap(), Drain::default());
        let mut clients = Vec::new();
        for _ in 0..5 {
            clients.push(TcpStream::connect(address).await.unwrap());
        }
        drain.close();
        let (limits, proxies) = (Arc::new(Limits::new(&Quotas::none())), Arc::default());
        let patience = Patience::default();
        let door = Door {
            limits,
            proxies,
            connections_max: 8,
            patience,
            drain,
            speaks: Speaks::Plain,
            strangers: Strangers::default(),
        };
        let incoming: Vec<_> = door.accept(Listener::Tcp(listener)).collect().await;
        assert_eq!(incoming.len(), clients.len());
        TcpStream::connect(address).await.expect_err("the port is closed");
    }

    #[tokio::test]
    async fn there_are_so_many_connections_and_no_more() {
        let (address, mut incoming) = accepting(1, 0, Patience::default()).await;
        let _first_client = TcpStream::connect(address).await.unwrap();
        let first = incoming.next().await.unwrap().unwrap();
        let _second_client = TcpStream::connect(address).await.unwrap();
        let early = tokio::time::timeout(Duration::from_millis(50), incoming.next()).await;
        assert!(early.is_err(), "the limit does not hold");
        drop(first);
        incoming.next().await.unwrap().expect("a place is free again");
    }

    #[tokio::test]
    async fn where_there_is_no_room_a_stranger_makes_room_and_whoever_is_known_stays() {
        let (address, mut incoming) = accepting(2, 0, patience(60_000, 60_000)).await;
        let _known_client = TcpStream::connect(address).await.unwrap();
        let mut known = incoming.next().await.unwrap().unwrap();
        known.connect_info().known();
        let _strange_client = TcpStream::connect(address).await.unwrap();
        let mut stranger = incoming.next().await.unwrap().unwrap();
        let _third_client = TcpStream::connect(address).await.unwrap();
        let ended = tokio::time::timeout(Duration::from_secs(20), stranger.read_u8())
            .await
            .expect("it makes room");
        assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::ConnectionAborted);
        assert!(stranger.connect_info().age() >= INTRODUCTION_TIME, "it had time");
        drop(stranger);
        incoming.next().await.unwrap().expect("a place is free again");
        assert!(known.read_u8().now_or_never().is_none(), "whoever is known stays");
    }

    #[tokio::test]
    async fn an_address_has_so_many_connections_and_the_next_is_closed_at_once() {
        let (address, mut incoming) = accepting(10, 1, Patience::default()).await;
        let _first_client = TcpStream::connect(address).await.unwrap();
        let first = incoming.next().await.unwrap().unwrap();
        let mut second_client = TcpStream::connect(address).await.unwrap();
        let early = tokio::time::timeout(Duration::from_millis(50), incoming.next()).await;
        assert!(early.is_err(), "the limit does not hold");
        assert_eq!(second_client.read(&mut [0]).await.unwrap_or(0), 0, "it is closed");
        drop(first);
        let _third_client = TcpStream::connect(address).await.unwrap();
        incoming.next().await.unwrap().expect("a place is free again");
    }

    #[tokio::test]
    async fn a_connection_that_sends_much_lets_others_have_their_turn() {
        let (address, mut incoming) = accepting(1, 0, Patience::default()).await;
        let mut client = TcpStream::connect(address).await.unwrap();
        let mut connection = incoming.next().await.unwrap().unwrap();
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
    async fn a_flood_of_strangers_waits_and_whoever_is_known_does_not() {
        let (address, mut incoming) = accepting(2, 2, patience(60_000, 60_000)).await;
        let mut flooding = TcpStream::connect(address).await.unwrap();
        let mut flooded = incoming.next().await.unwrap().unwrap();
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

        let mut client = TcpStream::connect(address).await.unwrap();
        let mut newcomer = incoming.next().await.unwrap().unwrap();
        client.write_all(&[7; 4]).await.unwrap();
        newcomer.read_exact(&mut [0; 4]).await.unwrap();
        client.write_all(&[7; 4]).await.unwrap();
        let (peer, begun) = (newcomer.connect_info(), Instant::now());
        let known = async {
            tokio::time::sleep(Duration::from_millis(5)).await;
            peer.known();
        };
        let ((), next) = tokio::join!(known, newcomer.read_u32());
        next.expect("whoever is known at the same address is read on");
        assert!(begun.elapsed() < Duration::from_millis(500));
        flood.abort();
    }

    /// A door whose addresses may send 1,000 bytes that belong to no call.
    async fn with_little_room() -> (SocketAddr, ReceiverStream<io::Result<Connection>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let limits = Arc::new(Limits::new(&Quotas { bytes_in_flight: 8_000, ..Quotas::none() }));
        let (patience, drain) = (Patience::default(), Drain::default());
        let proxies = Arc::default();
        let door = Door {
            limits,
            proxies,
            connections_max: 4,
            patience,
            speaks: Speaks::Plain,
            drain,
            strangers: Strangers::default(),
        };
        (listener.local_addr().unwrap(), door.accept(Listener::Tcp(listener)))
    }

    #[tokio::test]
    async fn a_connection_that_sends_much_before_a_call_ends_where_memory_does() {
        let (address, mut incoming) = with_little_room().await;
        let mut client = TcpStream::connect(address).await.unwrap();
        let mut connection = incoming.next().await.unwrap().unwrap();
        client.write_all(&[7; 900]).await.unwrap();
        connection.read_exact(&mut [0; 900]).await.expect("there is room");
        client.write_all(&[7; 200]).await.unwrap();
        let refused = connection.read_exact(&mut [0; 200]).await.unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::OutOfMemory);
    }

    #[tokio::test]
    async fn what_belongs_to_calls_is_counted_by_them_and_headers_of_http1_are_not() {
        let (address, mut incoming) = with_little_room().await;
        let mut client = TcpStream::connect(address).await.unwrap();
        let mut connection = incoming.next().await.unwrap().unwrap();
        let peer = connection.connect_info();
        let mut pass = async |bytes: usize| {
            client.write_all(&vec![7; bytes]).await.unwrap();
            connection.read_exact(&mut vec![0; bytes]).await.map(|_| ())
        };
        peer.heard();
        pass(5_000).await.expect("HTTP/2 has limits of its own");
        peer.speaks_web();
        let sending = peer.answer();
        pass(5_000).await.expect("a call is under way");
        drop(sending);
        pass(900).await.expect("there is room for headers");
        peer.heard();
        pass(900).await.expect("they have become a call");
        pass(900).await.expect("there is room for others");
        assert!(pass(900).await.is_err());
    }

    #[tokio::test]
    async fn a_connection_that_reads_nothing_of_an_answer_ends() {
        let (address, mut incoming) = accepting(1, 0, patience(20, 60)).await;
        let _client = TcpStream::connect(address).await.unwrap();
        let mut connection = incoming.next().await.unwrap().unwrap();
        let peer = connection.connect_info();
        peer.heard();
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
