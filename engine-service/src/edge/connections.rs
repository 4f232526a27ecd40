//! Accepting connections: so many at once, so many of one address, and none that says nothing or
//! reads nothing.

use std::collections::{HashMap, VecDeque};
use std::io::{self, IoSlice};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::task::AtomicWaker;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::{Instant, Sleep};
use tokio_stream::wrappers::ReceiverStream;
use tonic::body::Body;
use tonic::transport::server::{Connected, TlsConnectInfo};

use super::drain::Drain;
use super::limits::{self, Limits, Owed, network};
use super::protocols::Speaks;
use super::proxies::Proxies;
use super::sockets::{Listener, Socket};
use crate::maps::Map;
use crate::seldom::seldom;

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
/// How much of one connection is read before others have their turn: a flood of small frames is as
/// much work as many calls.
const TURN: usize = 8 << 10;
/// How much is read at once of a connection on which nobody is known yet.
const PART: usize = 1 << 10;
/// How much of it is read without waiting, for it holds what makes a caller known: the head of a
/// call, and a TLS handshake before it.
const INTRODUCTION: usize = 1 << 10;
const INTRODUCTION_OF_TLS: usize = 4 << 10;
/// How long a connection has to name an account before it has to make room for another, where there
/// is none.
const INTRODUCTION_TIME: Duration = Duration::from_secs(1);
/// How often room is sought while there is none.
const ROOM: Duration = Duration::from_millis(20);
/// How many make room at once.
const OUSTED: usize = 4;
/// How many streams may be open on a connection whose caller nobody knows: health and reflection.
const OPEN_STREAMS: u64 = 8;

/// The other end of a connection.
#[derive(Clone, Debug)]
pub(super) struct Peer(Arc<Line>);

#[derive(Debug)]
struct Line {
    address: IpAddr,
    /// Whether it is a proxy that is trusted: then many clients share the connection, and the proxy
    /// looks after them.
    proxy: bool,
    heard: AtomicBool,
    /// Whether a call on it has named an account, and whom to tell.
    known: AtomicBool,
    /// Whether it has to make room for another.
    ousted: AtomicBool,
    since: Instant,
    waker: AtomicWaker,
    /// Whether it has made a call since this was asked last.
    called: AtomicBool,
    /// Whether it speaks HTTP/1.1, whose library keeps what comes before a call; that of HTTP/2
    /// keeps little.
    web: AtomicBool,
    open_streams: AtomicU64,
    /// Answers of which a part waits to be sent, and since when.
    waiting: Mutex<Map<u64, Instant>>,
    answers: AtomicU64,
    /// How many calls are under way.
    answering: AtomicU64,
}

impl Peer {
    pub(super) fn at(address: IpAddr, proxy: bool) -> Self {
        Self(Arc::new(Line {
            address,
            proxy,
            heard: AtomicBool::new(false),
            known: AtomicBool::new(false),
            ousted: AtomicBool::new(false),
            since: Instant::now(),
            waker: AtomicWaker::new(),
            called: AtomicBool::new(false),
            web: AtomicBool::new(false),
            open_streams: AtomicU64::new(0),
            waiting: Mutex::default(),
            answers: AtomicU64::new(0),
            answering: AtomicU64::new(0),
        }))
    }

    /// Where it is.
    pub(super) fn address(&self) -> IpAddr {
        self.0.address
    }

    /// The connection has made a call, so it may be idle from now on: HTTP/2 keepalive tells
    /// whether it is alive.
    pub(super) fn heard(&self) {
        self.0.heard.store(true, Ordering::Relaxed);
        self.0.called.store(true, Ordering::Relaxed);
    }

    /// A call on it has named an account, which has limits of its own.
    pub(super) fn known(&self) {
        if !self.0.known.swap(true, Ordering::Release) {
            self.0.waker.wake();
        }
    }

    fn is_known(&self) -> bool {
        self.0.proxy || self.0.known.load(Ordering::Acquire)
    }

    /// It has to make room for another.
    fn oust(&self) {
        self.0.ousted.store(true, Ordering::Release);
        self.0.waker.wake();
    }

    /// It speaks HTTP/1.1.
    fn speaks_web(&self) {
        self.0.web.store(true, Ordering::Relaxed);
    }

    /// Whether what comes belongs to a call, which counts it, or is what HTTP/2 needs between
    /// calls.
    fn is_calling(&self) -> bool {
        let called = self.0.called.swap(false, Ordering::Relaxed);
        let of_http2 = self.was_heard() && !self.0.web.load(Ordering::Relaxed);
        called || of_http2 || self.0.answering.load(Ordering::Relaxed) > 0
    }

    fn was_heard(&self) -> bool {
        self.0.heard.load(Ordering::Relaxed)
    }

    /// Opens a stream for a caller whom nobody knows, as far as the connection has room for it.
    pub(super) fn open_stream(&self) -> Option<OpenStream> {
        let one_more = |open: u64| (self.0.proxy || open < OPEN_STREAMS).then_some(open + 1);
        let opened =
            self.0.open_streams.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more);
        opened.is_ok().then(|| OpenStream(self.clone()))
    }

    /// Watches over an answer while it is sent.
    pub(super) fn answer(&self) -> Sending {
        self.0.answering.fetch_add(1, Ordering::Relaxed);
        Sending {
            id: self.0.answers.fetch_add(1, Ordering::Relaxed),
            peer: self.clone(),
            waits: false,
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Map<u64, Instant>> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a client of its own reads nothing of an answer for too long.
    fn stands_still(&self, standstill: Duration) -> bool {
        !self.0.proxy && self.waiting().values().any(|since| since.elapsed() >= standstill)
    }
}

/// Connections on which nobody is known, the oldest first. Those that are known by now or gone are
/// forgotten when the list would grow.
#[derive(Debug, Default)]
pub(super) struct Strangers(Mutex<VecDeque<Weak<Line>>>);

impl Strangers {
    fn remember(&self, peer: &Peer) {
        if peer.is_known() {
            return;
        }
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() == all.capacity() {
            all.retain(|line| stranger(line).is_some());
        }
        all.push_back(Arc::downgrade(&peer.0));
    }

    /// Sends some away of the address that has most, the oldest first, if they had time to say who
    /// they are.
    fn make_room(&self) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|line| stranger(line).is_some());
        let here: Vec<(IpAddr, Peer)> =
            all.iter().filter_map(stranger).map(|peer| (network(peer.address()), peer)).collect();
        let mut count: HashMap<IpAddr, usize> = HashMap::new();
        for (address, _) in &here {
            *count.entry(*address).or_default() += 1;
        }
        let most = count.into_iter().max_by_key(|(_, count)| *count).map(|(address, _)| address);
        let oldest = here.iter().filter(|(address, _)| Some(*address) == most).take(OUSTED);
        oldest
            .filter(|(_, peer)| peer.0.since.elapsed() >= INTRODUCTION_TIME)
            .for_each(|(_, peer)| peer.oust());
    }
}

/// The connection, if it is there and nobody is known on it.
fn stranger(line: &Weak<Line>) -> Option<Peer> {
    let peer = Peer(line.upgrade()?);
    let ousted = peer.0.ousted.load(Ordering::Relaxed);
    (!peer.is_known() && !ousted).then_some(peer)
}

/// A stream of a caller whom nobody knows.
#[derive(Debug)]
pub(super) struct OpenStream(Peer);

impl Drop for OpenStream {
    fn drop(&mut self) {
        let open = self.0.0.open_streams.fetch_sub(1, Ordering::Relaxed);
        debug_assert!(open > 0, "a stream that closes was counted when it opened");
    }
}

/// An answer on its way to a client.
#[derive(Debug)]
pub(super) struct Sending {
    peer: Peer,
    id: u64,
    waits: bool,
}

impl Sending {
    /// A part of it waits to be sent.
    pub(super) fn wait(&mut self) {
        self.peer.waiting().insert(self.id, Instant::now());
        self.waits = true;
    }

    /// The part was sent.
    pub(super) fn moved(&mut self) {
        if std::mem::take(&mut self.waits) {
            self.peer.waiting().remove(&self.id);
        }
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.moved();
        let answering = self.peer.0.answering.fetch_sub(1, Ordering::Relaxed);
        debug_assert!(answering > 0, "an answer that ends was counted when it began");
    }
}

/// Notes whose connection a request comes by, also below TLS, and the protocol that it speaks.
pub(super) fn note_peer(mut request: http::Request<Body>) -> http::Request<Body> {
    let below = request.extensions().get::<TlsConnectInfo<Peer>>().map(TlsConnectInfo::get_ref);
    if let Some(peer) = below.cloned() {
        request.extensions_mut().insert(peer);
    }
    if request.version() < http::Version::HTTP_2
        && let Some(peer) = request.extensions().get::<Peer>()
    {
        peer.speaks_web();
    }
    request
}

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

    /// The connection, if its address may have one more.
    fn let_in(
        &self,
        stream: Socket,
        address: IpAddr,
        place: OwnedSemaphorePermit,
    ) -> Option<Connection> {
        let proxy = self.proxies.trust(address);
        let counted = if proxy { None } else { Some(self.limits.connect(address)?) };
        let peer = Peer::at(address, proxy);
        self.strangers.remember(&peer);
        Some(Connection::new(stream, peer, self.patience, (place, counted), self.speaks))
    }
}

type Accepted = (Socket, IpAddr, OwnedSemaphorePermit);

/// Whether an error of accepting is only that the peer has gone again.
fn is_the_peers(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset)
}

/// A connection, which ends if it says nothing or reads nothing.
#[derive(Debug)]
pub(super) struct Connection {
    stream: Socket,
    peer: Peer,
    patience: Patience,
    look: Pin<Box<Sleep>>,
    manner: Manner,
    /// How much was read in this turn.
    turn: usize,
    /// How long nothing is read of it, as long as nobody is known on it.
    pause: Option<Pin<Box<Sleep>>>,
    /// How much of it is read yet without waiting.
    introduction: usize,
    /// What it takes of the server's connections, and of its address'.
    place: (OwnedSemaphorePermit, Option<limits::Connected>),
}

impl Connection {
    fn new(
        stream: Socket,
        peer: Peer,
        patience: Patience,
        place: (OwnedSemaphorePermit, Option<limits::Connected>),
        speaks: Speaks,
    ) -> Self {
        stream.send_at_once();
        metrics::gauge!("heliopause_connections").increment(1.0);
        let look = Box::pin(tokio::time::sleep(patience.silence));
        let introduction = match speaks {
            Speaks::Plain => INTRODUCTION,
            Speaks::Tls => INTRODUCTION_OF_TLS,
        };
        let manner = Manner::Awaited(speaks);
        Self { stream, peer, patience, look, manner, turn: 0, pause: None, introduction, place }
    }

    /// Counts what has come, or ends the connection if there is no room for it.
    fn count(&mut self, bytes: usize) -> io::Result<()> {
        let Some(counted) = &mut self.place.1 else { return Ok(()) };
        if self.peer.is_calling() {
            counted.clear();
            return Ok(());
        }
        if counted.take(bytes) { Ok(()) } else { Err(io::ErrorKind::OutOfMemory.into()) }
    }

    /// Reads what has come, and lets others have their turn when that was much.
    fn read_in_turn(
        &mut self,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.turn >= TURN {
            self.turn = 0;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        ready!(self.wait(context));
        let stranger = !self.peer.is_known();
        let before = buffer.filled().len();
        let read = if stranger {
            self.read_part(context, buffer)
        } else {
            Pin::new(&mut self.stream).poll_read(context, buffer)
        };
        if read.is_pending() {
            self.turn = 0;
        }
        ready!(read)?;
        let bytes = buffer.filled().len() - before;
        self.turn += bytes;
        if stranger {
            self.pause_after(bytes)?;
        }
        self.count(bytes)?;
        Poll::Ready(Ok(()))
    }

    /// Lets somebody whom nobody knows wait for what they sent. Whoever floods is not waited for.
    fn pause_after(&mut self, bytes: usize) -> io::Result<()> {
        let owed = self
            .place
            .1
            .as_ref()
            .map_or(Owed::Nothing, |counted| counted.read_of_stranger(bytes as u32));
        let introduces = self.introduction > 0;
        self.introduction = self.introduction.saturating_sub(bytes);
        match owed {
            Owed::Nothing => {}
            // Whoever comes anew from the address of a flood can say who they are.
            Owed::For(_) | Owed::TooMuch if introduces => {}
            Owed::For(pause) => self.pause = Some(Box::pin(tokio::time::sleep(pause))),
            Owed::TooMuch => return Err(io::ErrorKind::QuotaExceeded.into()),
        }
        Ok(())
    }

    fn read_part(
        &mut self,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let room = buffer.remaining().min(PART);
        let mut part = ReadBuf::new(buffer.initialize_unfilled_to(room));
        ready!(Pin::new(&mut self.stream).poll_read(context, &mut part))?;
        let bytes = part.filled().len();
        buffer.advance(bytes);
        Poll::Ready(Ok(()))
    }

    /// Waits for the turn of somebody whom nobody knows, until somebody is known.
    fn wait(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if let Some(pause) = &mut self.pause {
            if !self.peer.is_known() {
                ready!(pause.as_mut().poll(context));
            }
            self.pause = None;
        }
        Poll::Ready(())
    }

    /// Ends the connection if it was silent, or stood still, for too long, or has to make room.
    fn check_time(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        if !self.peer.is_known() {
            self.peer.0.waker.register(context.waker());
            if self.peer.0.ousted.load(Ordering::Acquire) {
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
        }
        while self.look.as_mut().poll(context).is_ready() {
            if !self.peer.was_heard() || self.peer.stands_still(self.patience.standstill) {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.look.as_mut().reset(Instant::now() + self.patience.standstill / 6);
        }
        Ok(())
    }
}

/// Whether the other end speaks what this end does.
#[derive(Clone, Copy, Debug)]
enum Manner {
    /// It has said nothing yet.
    Awaited(Speaks),
    /// It does.
    Right,
    /// It does not, and was told so. What it still sends is read, or the system would take back
    /// what it was told.
    TurnedAway,
}

impl Connection {
    /// Looks at the first bytes that were read. Whoever speaks something else is told so; its bytes
    /// go no further.
    fn look_at(&mut self, first: &[u8], speaks: Speaks, context: &mut Context<'_>) {
        self.manner = match speaks.correct(first) {
            None => Manner::Right,
            Some(told) => {
                // So little always has room in a new connection; who does not read it has lost
                // nothing.
                let _ = Pin::new(&mut self.stream).poll_write(context, &told);
                let _ = Pin::new(&mut self.stream).poll_shutdown(context);
                Manner::TurnedAway
            }
        };
    }

    /// Reads to the end what is meant for another port.
    fn read_away(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            let mut bytes = [0; 1_024];
            let mut buffer = ReadBuf::new(&mut bytes);
            std::task::ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer))?;
            if buffer.filled().is_empty() {
                return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
            }
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        metrics::gauge!("heliopause_connections").decrement(1.0);
    }
}

impl Connected for Connection {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        self.peer.clone()
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check_time(context)?;
        let read = buffer.filled().len();
        match self.manner {
            Manner::Right => return self.read_in_turn(context, buffer),
            Manner::TurnedAway => return self.read_away(context),
            Manner::Awaited(speaks) => {
                ready!(self.read_in_turn(context, buffer))?;
                self.look_at(&buffer.filled()[read..], speaks, context);
            }
        }
        if matches!(self.manner, Manner::TurnedAway) {
            buffer.set_filled(read);
            return self.read_away(context);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check_time(context)?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Quotas;
    use std::net::SocketAddr;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};
    use tokio_stream::StreamExt as _;

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
        assert!(stranger.peer.0.since.elapsed() >= INTRODUCTION_TIME, "it had time");
        drop(stranger);
        incoming.next().await.unwrap().expect("a place is free again");
        assert!(known.read_u8().now_or_never().is_none(), "whoever is known stays");
    }

    #[test]
    fn strangers_who_are_gone_or_known_are_forgotten_wherever_they_came_from() {
        let strangers = Strangers::default();
        let stays = Peer::at([192, 0, 2, 1].into(), false);
        strangers.remember(&stays);
        for n in 0..10_000_u32 {
            let peer = Peer::at(n.to_be_bytes().into(), false);
            strangers.remember(&peer);
            if n % 2 == 0 {
                peer.known();
            }
        }
        let kept = strangers.0.lock().unwrap();
        assert!(kept.len() < 16, "{} are remembered", kept.len());
        assert!(kept.iter().filter_map(stranger).any(|peer| Arc::ptr_eq(&peer.0, &stays.0)));
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

    #[test]
    fn a_connection_has_few_streams_of_nobody_knows_whom() {
        let (peer, proxy) =
            (Peer::at([192, 0, 2, 1].into(), false), Peer::at([192, 0, 2, 1].into(), true));
        let streams: Vec<_> = (0..20).filter_map(|_| peer.open_stream()).collect();
        assert_eq!(streams.len() as u64, OPEN_STREAMS);
        drop(streams);
        assert!(peer.open_stream().is_some(), "they were closed");
        let many: Vec<_> = (0..20).filter_map(|_| proxy.open_stream()).collect();
        assert_eq!(many.len(), 20, "a proxy's connection is many clients'");
    }
}
