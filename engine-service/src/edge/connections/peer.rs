//! Who is at the other end: whether a call was made, whether anybody is known, and what is on its
//! way to them.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::Context;
use std::time::Duration;

use futures_util::task::AtomicWaker;
use tokio::time::Instant;
use tonic::body::Body;
use tonic::transport::server::TlsConnectInfo;

use crate::edge::limits::network;
use crate::maps::Map;

/// How long a connection has to name an account before it has to make room for another, where there
/// is none.
pub(super) const INTRODUCTION_TIME: Duration = Duration::from_secs(1);
/// How many make room at once.
const OUSTED: usize = 4;
/// How many streams may be open on a connection whose caller nobody knows: health and reflection.
const OPEN_STREAMS: u64 = 8;

/// The other end of a connection.
#[derive(Clone, Debug)]
pub(in crate::edge) struct Peer(Arc<Line>);

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
    pub(in crate::edge) fn at(address: IpAddr, proxy: bool) -> Self {
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
    pub(in crate::edge) fn address(&self) -> IpAddr {
        self.0.address
    }

    /// The connection has made a call, so it may be idle from now on: HTTP/2 keepalive tells
    /// whether it is alive.
    pub(in crate::edge) fn heard(&self) {
        self.0.heard.store(true, Ordering::Relaxed);
        self.0.called.store(true, Ordering::Relaxed);
    }

    /// A call on it has named an account, which has limits of its own.
    pub(in crate::edge) fn known(&self) {
        if !self.0.known.swap(true, Ordering::Release) {
            self.0.waker.wake();
        }
    }

    pub(in crate::edge) fn is_known(&self) -> bool {
        self.0.proxy || self.0.known.load(Ordering::Acquire)
    }

    /// How long it has been there.
    pub(super) fn age(&self) -> Duration {
        self.0.since.elapsed()
    }

    /// Closes the connection, unless an account becomes known on it first.
    pub(in crate::edge) fn oust(&self) {
        self.0.ousted.store(true, Ordering::Release);
        self.0.waker.wake();
    }

    /// Whether it has to make room for another. If nobody is known on it, the task is woken when it
    /// has to, or when somebody is.
    pub(super) fn is_ousted(&self, context: &Context<'_>) -> bool {
        if self.is_known() {
            return false;
        }
        self.0.waker.register(context.waker());
        self.0.ousted.load(Ordering::Acquire)
    }

    /// It speaks HTTP/1.1.
    pub(super) fn speaks_web(&self) {
        self.0.web.store(true, Ordering::Relaxed);
    }

    /// Whether what comes belongs to a call, which counts it, or is what HTTP/2 needs between
    /// calls.
    pub(super) fn is_calling(&self) -> bool {
        let called = self.0.called.swap(false, Ordering::Relaxed);
        let of_http2 = self.was_heard() && !self.0.web.load(Ordering::Relaxed);
        called || of_http2 || self.0.answering.load(Ordering::Relaxed) > 0
    }

    pub(super) fn was_heard(&self) -> bool {
        self.0.heard.load(Ordering::Relaxed)
    }

    /// Opens a stream for a caller whom nobody knows, as far as the connection has room for it.
    pub(in crate::edge) fn open_stream(&self) -> Option<OpenStream> {
        let one_more = |open: u64| (self.0.proxy || open < OPEN_STREAMS).then_some(open + 1);
        let opened =
            self.0.open_streams.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more);
        opened.is_ok().then(|| OpenStream(self.clone()))
    }

    /// Watches over an answer while it is sent.
    pub(in crate::edge) fn answer(&self) -> Sending {
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
    pub(super) fn stands_still(&self, standstill: Duration) -> bool {
        !self.0.proxy && self.waiting().values().any(|since| since.elapsed() >= standstill)
    }
}

/// Connections on which nobody is known, the oldest first. Those that are known by now or gone are
/// forgotten when the list would grow.
#[derive(Debug, Default)]
pub(in crate::edge) struct Strangers(Mutex<VecDeque<Weak<Line>>>);

impl Strangers {
    pub(super) fn remember(&self, peer: &Peer) {
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
    pub(super) fn make_room(&self) {
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
            .filter(|(_, peer)| peer.age() >= INTRODUCTION_TIME)
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
pub(in crate::edge) struct OpenStream(Peer);

impl Drop for OpenStream {
    fn drop(&mut self) {
        let open = self.0.0.open_streams.fetch_sub(1, Ordering::Relaxed);
        debug_assert!(open > 0, "a stream that closes was counted when it opened");
    }
}

/// An answer on its way to a client.
#[derive(Debug)]
pub(in crate::edge) struct Sending {
    peer: Peer,
    id: u64,
    waits: bool,
}

impl Sending {
    /// A part of it waits to be sent.
    pub(in crate::edge) fn wait(&mut self) {
        self.peer.waiting().insert(self.id, Instant::now());
        self.waits = true;
    }

    /// The part was sent.
    pub(in crate::edge) fn moved(&mut self) {
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
pub(in crate::edge) fn note_peer(mut request: http::Request<Body>) -> http::Request<Body> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
