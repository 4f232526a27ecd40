//! Connections that delay, stall and break.
//!
//! Everybody has a number: the store 0, engines from 1, workers from 100, players from 200. An
//! address names both ends (10.from.0.to), so that the real clients, who know addresses alone,
//! need not say who they are.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::{Buf as _, Bytes};
use heliopause_connect::dial::{Dial, Dialled};
use heliopause_engine::edge::serve::{Entering, Entrance, Pipe};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::mpsc;
use tokio::time::{Instant, Sleep, sleep};

use crate::chance::Chance;
use crate::trace;
use crate::traced;

/// Somebody on the network.
pub type Node = u8;
/// The store.
pub const STORE: Node = 0;

/// How much one direction of a connection holds before its writer waits.
const HELD: usize = 64 << 10;

/// Where to find an engine, as one client sees it.
pub fn address(from: Node, to: Node) -> SocketAddr {
    SocketAddr::new(IpAddr::V4(Ipv4Addr::new(10, from, 0, to)), 50_051)
}

/// The network.
#[derive(Clone)]
pub struct Net(Arc<Mutex<State>>);

struct State {
    chance: Chance,
    /// The usual way of a packet, in milliseconds, least and most.
    delay: (u64, u64),
    /// Until when nothing gets from one to another.
    blocked: BTreeMap<(Node, Node), Instant>,
    doors: BTreeMap<Node, mpsc::UnboundedSender<Arrival>>,
    open: Vec<Weak<Line>>,
    opened: u64,
}

type Arrival = (Box<dyn Pipe>, SocketAddr);

impl Net {
    /// A network with such delays.
    pub fn new(chance: Chance, delay: (u64, u64)) -> Self {
        let state = State {
            chance,
            delay,
            blocked: BTreeMap::new(),
            doors: BTreeMap::new(),
            open: Vec::new(),
            opened: 0,
        };
        Self(Arc::new(Mutex::new(state)))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long something takes from one to another now.
    pub fn delay(&self) -> Duration {
        let mut state = self.state();
        let (least, most) = state.delay;
        state.chance.millis(least..most + 1)
    }

    /// Nothing gets from one to another for a while.
    pub fn block(&self, from: Node, to: Node, lasting: Duration) {
        let until = Instant::now() + lasting;
        let mut state = self.state();
        let blocked = state.blocked.entry((from, to)).or_insert(until);
        *blocked = until.max(*blocked);
    }

    /// Until when nothing gets from one to another, if that is so.
    pub fn blocked(&self, from: Node, to: Node) -> Option<Instant> {
        let until = self.state().blocked.get(&(from, to)).copied();
        until.filter(|until| *until > Instant::now())
    }

    /// Waits until something gets from one to another.
    pub async fn passable(&self, from: Node, to: Node) {
        while let Some(until) = self.blocked(from, to) {
            tokio::time::sleep_until(until).await;
        }
    }

    /// Opens the door of an engine.
    pub fn listen(&self, node: Node) -> Door {
        let (sender, arrivals) = mpsc::unbounded_channel();
        self.state().doors.insert(node, sender);
        Door { net: self.clone(), node, arrivals: tokio::sync::Mutex::new(arrivals) }
    }

    /// Nobody listens there any more.
    pub fn close(&self, node: Node) {
        self.state().doors.remove(&node);
    }

    /// Breaks all connections of somebody: both ends learn it. A frozen end learns nothing and does
    /// nothing; `silent`, nor does the other.
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

    /// Somebody's way to connect.
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
            let Some(door) = state.doors.get(&to).cloned() else {
                return Err(io::Error::new(io::ErrorKind::ConnectionRefused, "connection refused"));
            };
            state.opened += 1;
            let line = Arc::new(Line {
                number: state.opened,
                from,
                to,
                net: self.clone(),
                forth: Mutex::default(),
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
    fn dial(&self, address: SocketAddr) -> Dialled<'_> {
        Box::pin(async move {
            let end = self.net.connect(self.from, address).await?;
            Ok(Box::new(end) as Box<dyn heliopause_connect::dial::Pipe>)
        })
    }
}

/// The door of an engine.
pub struct Door {
    net: Net,
    node: Node,
    arrivals: tokio::sync::Mutex<mpsc::UnboundedReceiver<Arrival>>,
}

impl Entrance for Door {
    fn enter(&self) -> Entering<'_> {
        Box::pin(async move {
            match self.arrivals.lock().await.recv().await {
                Some(arrival) => Ok(arrival),
                // Another engine listens here now, or none: nobody comes any more.
                None => std::future::pending().await,
            }
        })
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        let mut state = self.net.state();
        let mine = self.arrivals.get_mut();
        mine.close();
        // A successor may listen already.
        if state.doors.get(&self.node).is_some_and(mpsc::UnboundedSender::is_closed) {
            state.doors.remove(&self.node);
        }
    }
}

/// A connection.
struct Line {
    number: u64,
    from: Node,
    to: Node,
    net: Net,
    /// From whoever called to whoever was called.
    forth: Mutex<Way>,
    back: Mutex<Way>,
}

/// One direction of a connection.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each comes by itself")]
struct Way {
    coming: VecDeque<(Instant, Bytes)>,
    held: usize,
    reader: Option<Waker>,
    writer: Option<Waker>,
    /// The writer has said everything.
    finished: bool,
    broken: bool,
    /// The reader does nothing any more, or hears nothing any more.
    reader_frozen: bool,
    /// What the writer says is lost, and it does not learn so.
    writer_frozen: bool,
    /// When the last byte comes: bytes stay in order.
    last: Option<Instant>,
}

impl Way {
    fn wake(&mut self) {
        for waker in [self.reader.take(), self.writer.take()].into_iter().flatten() {
            waker.wake();
        }
    }
}

impl Line {
    fn end(&self, node: Node, freeze: bool, silent: bool) {
        traced!("break {} of {node}", self.number);
        for (way, reader) in [(&self.forth, self.to), (&self.back, self.from)] {
            let mut way = way.lock().unwrap_or_else(PoisonError::into_inner);
            way.coming.clear();
            way.reader_frozen |= freeze && (silent || reader == node);
            way.writer_frozen |= freeze && (silent || reader != node);
            way.broken = true;
            way.wake();
        }
    }
}

/// One end of a connection.
struct End {
    line: Arc<Line>,
    /// Whether this end called.
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
            let mut way = if self.calls { &line.back } else { &line.forth }
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            way.reader = Some(context.waker().clone());
            if way.reader_frozen {
                return Poll::Pending;
            }
            if way.broken {
                return Poll::Ready(Err(broken()));
            }
            let Some((due, bytes)) = way.coming.front_mut() else {
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
                    way.coming.pop_front();
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
        let mut way = if self.calls { &self.line.forth } else { &self.line.back }
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if way.writer_frozen {
            // It goes nowhere, and the system takes some of it.
            way.held += bytes.len();
            way.writer = Some(context.waker().clone());
            return if way.held > 4 * HELD { Poll::Pending } else { Poll::Ready(Ok(bytes.len())) };
        }
        if way.broken {
            return Poll::Ready(Err(broken()));
        }
        if way.held >= HELD {
            way.writer = Some(context.waker().clone());
            return Poll::Pending;
        }
        let length = bytes.len().min(HELD - way.held);
        let due = Instant::now() + delay;
        let due = way.last.map_or(due, |last| last.max(due));
        way.last = Some(due);
        way.held += length;
        way.coming.push_back((due, Bytes::copy_from_slice(&bytes[..length])));
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
        let mut way = if self.calls { &self.line.forth } else { &self.line.back }
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        way.finished = true;
        if let Some(reader) = way.reader.take() {
            reader.wake();
        }
    }
}

impl Drop for End {
    fn drop(&mut self) {
        self.finish();
        // Whoever still writes to somebody who is gone learns it.
        let mut way = if self.calls { &self.line.back } else { &self.line.forth }
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        way.broken = true;
        way.coming.clear();
        way.wake();
    }
}
