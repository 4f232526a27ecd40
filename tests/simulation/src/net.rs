//! Connections that delay, stall and break.
//!
//! Every participant has a number: the store 0, engines from 1, workers from 100, players from 200.
//! An address names both ends (10.from.0.to), so that the real clients, which use only addresses,
//! need not identify themselves.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::{Buf as _, Bytes};
use heliopause_client::connect::dial::{Dial, Dialed};
use heliopause_engine::edge::serve::{AcceptFuture, ByteStream, CustomListener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::mpsc;
use tokio::time::{Instant, Sleep, sleep};

use crate::chance::Rng;
use crate::trace;
use crate::traced;

/// The number of a participant in the network.
pub type Node = u8;
/// The node number of the store.
pub const STORE: Node = 0;

/// The capacity of one direction in bytes. A full direction blocks the writer.
const CAPACITY: usize = 64 << 10;

/// Returns the address of an engine for one client.
pub fn address(from: Node, to: Node) -> SocketAddr {
    SocketAddr::new(IpAddr::V4(Ipv4Addr::new(10, from, 0, to)), 50_051)
}

/// The simulated network.
#[derive(Clone)]
pub struct Net(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    chance: Rng,
    /// The minimum and maximum of the usual delay of a packet in milliseconds.
    delay: (u64, u64),
    blocked: BTreeMap<(Node, Node), Instant>,
    listeners: BTreeMap<Node, mpsc::UnboundedSender<Arrival>>,
    open: Vec<Weak<Line>>,
    opened: u64,
}

type Arrival = (Box<dyn ByteStream>, SocketAddr);

impl Net {
    pub fn new(chance: Rng, delay: (u64, u64)) -> Self {
        Self(Arc::new(Mutex::new(State { chance, delay, ..State::default() })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn delay(&self) -> Duration {
        let mut state = self.state();
        let (least, most) = state.delay;
        state.chance.millis(least..most + 1)
    }

    pub fn block(&self, from: Node, to: Node, duration: Duration) {
        let until = Instant::now() + duration;
        let mut state = self.state();
        let blocked = state.blocked.entry((from, to)).or_insert(until);
        *blocked = until.max(*blocked);
    }

    pub fn blocked(&self, from: Node, to: Node) -> Option<Instant> {
        let until = self.state().blocked.get(&(from, to)).copied();
        until.filter(|until| *until > Instant::now())
    }

    pub async fn passable(&self, from: Node, to: Node) {
        while let Some(until) = self.blocked(from, to) {
            tokio::time::sleep_until(until).await;
        }
    }

    pub fn listen(&self, node: Node) -> EngineListener {
        let (sender, arrivals) = mpsc::unbounded_channel();
        self.state().listeners.insert(node, sender);
        EngineListener { net: self.clone(), node, arrivals: tokio::sync::Mutex::new(arrivals) }
    }

    pub fn close(&self, node: Node) {
        self.state().listeners.remove(&node);
    }

    /// Breaks all connections of a node, so that both ends get an error. With `freeze`, the node's
    /// own end hangs instead. With `silent`, the other end hangs too.
    pub fn break_all(&self, node: Node, freeze: bool, silent: bool) {
        let lines: Vec<Arc<Line>> = {
            let mut state = self.state();
            state.open.retain(|line| line.strong_count() > 0);
            state.open.iter().filter_map(Weak::upgrade).collect()
        };
        for line in lines.iter().filter(|line| line.from == node || line.to == node) {
            line.end(node, freeze, silent);
        }
    }

    pub fn dialler(&self, from: Node) -> Arc<dyn Dial> {
        Arc::new(Dialler { net: self.clone(), from })
    }

    async fn connect(&self, from: Node, address: SocketAddr) -> io::Result<End> {
        let IpAddr::V4(ip) = address.ip() else {
            return Err(io::ErrorKind::AddrNotAvailable.into());
        };
        let to = ip.octets()[3];
        self.passable(from, to).await;
        sleep(self.delay()).await;
        self.passable(to, from).await;
        sleep(self.delay()).await;
        let (line, door) = {
            let mut state = self.state();
            let Some(door) = state.listeners.get(&to).cloned() else {
                return Err(io::Error::new(io::ErrorKind::ConnectionRefused, "connection refused"));
            };
            state.opened += 1;
            let line = Arc::new(Line {
                number: state.opened,
                from,
                to,
                net: self.clone(),
                outbound: Mutex::default(),
                back: Mutex::default(),
            });
            state.open.push(Arc::downgrade(&line));
            (line, door)
        };
        traced!("connect {} {from}->{to}", line.number);
        let server = End { line: Arc::clone(&line), calls: false, wakes: None };
        let came_from = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(10, from, 0, 1)), 40_000);
        if door.send((Box::new(server), came_from)).is_err() {
            return Err(io::Error::new(io::ErrorKind::ConnectionRefused, "connection refused"));
        }
        Ok(End { line, calls: true, wakes: None })
    }
}

struct Dialler {
    net: Net,
    from: Node,
}

impl fmt::Debug for Dialler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dialler({})", self.from)
    }
}

impl Dial for Dialler {
    fn dial(&self, address: SocketAddr) -> Dialed<'_> {
        Box::pin(async move {
            let end = self.net.connect(self.from, address).await?;
            Ok(Box::new(end) as Box<dyn heliopause_client::connect::dial::ByteStream>)
        })
    }
}

/// The listener of an engine.
pub struct EngineListener {
    net: Net,
    node: Node,
    arrivals: tokio::sync::Mutex<mpsc::UnboundedReceiver<Arrival>>,
}

impl CustomListener for EngineListener {
    fn accept_connection(&self) -> AcceptFuture<'_> {
        Box::pin(async move {
            match self.arrivals.lock().await.recv().await {
                Some(arrival) => Ok(arrival),
                // This listener was replaced or removed, so no more connections arrive.
                None => std::future::pending().await,
            }
        })
    }
}

impl Drop for EngineListener {
    fn drop(&mut self) {
        let mut state = self.net.state();
        let mine = self.arrivals.get_mut();
        mine.close();
        if state.listeners.get(&self.node).is_some_and(mpsc::UnboundedSender::is_closed) {
            state.listeners.remove(&self.node);
        }
    }
}

struct Line {
    number: u64,
    from: Node,
    to: Node,
    net: Net,
    outbound: Mutex<Direction>,
    back: Mutex<Direction>,
}

#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each comes by itself")]
struct Direction {
    in_flight: VecDeque<(Instant, Bytes)>,
    held: usize,
    reader: Option<Waker>,
    writer: Option<Waker>,
    finished: bool,
    broken: bool,
    /// Whether the reader hangs, without data or an error.
    reader_frozen: bool,
    /// Whether the writer loses its bytes without an error.
    writer_frozen: bool,
    /// The arrival time of the last byte sent. Later bytes never overtake it.
    last: Option<Instant>,
}

impl Direction {
    fn wake(&mut self) {
        for waker in [self.reader.take(), self.writer.take()].into_iter().flatten() {
            waker.wake();
        }
    }
}

impl Line {
    /// Returns the direction to the called end, or back.
    fn direction(&self, outbound: bool) -> MutexGuard<'_, Direction> {
        let direction = if outbound { &self.outbound } else { &self.back };
        direction.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, node: Node, freeze: bool, silent: bool) {
        traced!("break {} of {node}", self.number);
        for (outbound, reader) in [(true, self.to), (false, self.from)] {
            let mut way = self.direction(outbound);
            way.in_flight.clear();
            way.reader_frozen |= freeze && (silent || reader == node);
            way.writer_frozen |= freeze && (silent || reader != node);
            way.broken = true;
            way.wake();
        }
    }
}

struct End {
    line: Arc<Line>,
    calls: bool,
    wakes: Option<Pin<Box<Sleep>>>,
}

impl fmt::Debug for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "End({})", self.line.number)
    }
}

impl End {
    fn nodes(&self) -> (Node, Node) {
        if self.calls { (self.line.from, self.line.to) } else { (self.line.to, self.line.from) }
    }
}

fn broken() -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionReset, "connection reset by peer")
}

impl AsyncRead for End {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let line = Arc::clone(&self.line);
        let (me, peer) = self.nodes();
        loop {
            let mut way = line.direction(!self.calls);
            way.reader = Some(context.waker().clone());
            if way.reader_frozen {
                return Poll::Pending;
            }
            if way.broken {
                return Poll::Ready(Err(broken()));
            }
            let Some((due, bytes)) = way.in_flight.front_mut() else {
                return if way.finished { Poll::Ready(Ok(())) } else { Poll::Pending };
            };
            let due = line.net.blocked(peer, me).map_or(*due, |until| until.max(*due));
            if due <= Instant::now() {
                let length = bytes.len().min(buffer.remaining());
                buffer.put_slice(&bytes[..length]);
                trace::note(format_args!("read {} {peer}->{me}", line.number), &bytes[..length]);
                if self.calls {
                    trace::hear(me, &bytes[..length]);
                }
                bytes.advance(length);
                if bytes.is_empty() {
                    way.in_flight.pop_front();
                }
                way.held -= length;
                if let Some(writer) = way.writer.take() {
                    writer.wake();
                }
                return Poll::Ready(Ok(()));
            }
            drop(way);
            let mut wakes = Box::pin(tokio::time::sleep_until(due));
            if wakes.as_mut().poll(context).is_pending() {
                self.wakes = Some(wakes);
                return Poll::Pending;
            }
        }
    }
}

impl AsyncWrite for End {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let delay = self.line.net.delay();
        let mut way = self.line.direction(self.calls);
        if way.writer_frozen {
            // The bytes are lost. The writer does not notice before the system's buffers are full.
            way.held += bytes.len();
            way.writer = Some(context.waker().clone());
            let is_full = way.held > 4 * CAPACITY;
            return if is_full { Poll::Pending } else { Poll::Ready(Ok(bytes.len())) };
        }
        if way.broken {
            return Poll::Ready(Err(broken()));
        }
        if way.held >= CAPACITY {
            way.writer = Some(context.waker().clone());
            return Poll::Pending;
        }
        let length = bytes.len().min(CAPACITY - way.held);
        let due = Instant::now() + delay;
        let due = way.last.map_or(due, |last| last.max(due));
        way.last = Some(due);
        way.held += length;
        way.in_flight.push_back((due, Bytes::copy_from_slice(&bytes[..length])));
        if let Some(reader) = way.reader.take() {
            reader.wake();
        }
        Poll::Ready(Ok(length))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.finish();
        Poll::Ready(Ok(()))
    }
}

impl End {
    fn finish(&self) {
        let mut way = self.line.direction(self.calls);
        way.finished = true;
        if let Some(reader) = way.reader.take() {
            reader.wake();
        }
    }
}

impl Drop for End {
    fn drop(&mut self) {
        self.finish();
        let mut way = self.line.direction(!self.calls);
        way.broken = true;
        way.in_flight.clear();
        way.wake();
    }
}
