//! The state of a connection's peer: its calls, its account, and the responses being sent.

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

/// The time that a peer has to identify its account before its slot can be freed.
pub(super) const IDENTIFY_TIMEOUT: Duration = Duration::from_secs(1);
/// The number of connections closed at once to free slots.
const DISCONNECTED_AT_ONCE: usize = 4;
/// The maximum number of anonymous streams on a connection, such as health watches.
pub(crate) const OPEN_STREAMS: u64 = 8;

#[derive(Clone, Debug)]
pub(crate) struct Peer(Arc<PeerState>);

#[derive(Debug)]
struct PeerState {
    address: IpAddr,
    /// Whether the peer is a trusted proxy. A proxy enforces the timeouts of its clients.
    proxy: bool,
    made_call: AtomicBool,
    known: AtomicBool,
    evicted: AtomicBool,
    since: Instant,
    waker: AtomicWaker,
    /// Whether the peer has made a call since the last check.
    called: AtomicBool,
    /// Whether the peer speaks HTTP/1.1. The HTTP/1.1 library may buffer much data before a call.
    http1: AtomicBool,
    open_streams: AtomicU64,
    waiting: Mutex<Map<u64, Instant>>,
    answers: AtomicU64,
    answering: AtomicU64,
}

impl Peer {
    pub(crate) fn at(address: IpAddr, proxy: bool) -> Self {
        Self(Arc::new(PeerState {
            address,
            proxy,
            made_call: AtomicBool::new(false),
            known: AtomicBool::new(false),
            evicted: AtomicBool::new(false),
            since: Instant::now(),
            waker: AtomicWaker::new(),
            called: AtomicBool::new(false),
            http1: AtomicBool::new(false),
            open_streams: AtomicU64::new(0),
            waiting: Mutex::default(),
            answers: AtomicU64::new(0),
            answering: AtomicU64::new(0),
        }))
    }

    pub(crate) fn address(&self) -> IpAddr {
        self.0.address
    }

    /// Records a call. The connection may be idle from now on, because HTTP/2 keepalive detects
    /// dead connections.
    pub(crate) fn made_call(&self) {
        self.0.made_call.store(true, Ordering::Relaxed);
        self.0.called.store(true, Ordering::Relaxed);
    }

    pub(crate) fn known(&self) {
        if !self.0.known.swap(true, Ordering::Release) {
            self.0.waker.wake();
        }
    }

    pub(crate) fn is_known(&self) -> bool {
        self.0.proxy || self.0.known.load(Ordering::Acquire)
    }

    pub(super) fn age(&self) -> Duration {
        self.0.since.elapsed()
    }

    pub(crate) fn disconnect(&self) {
        self.0.evicted.store(true, Ordering::Release);
        self.0.waker.wake();
    }

    /// Returns whether to close the connection. The task of `context` is woken when the result
    /// changes, or when a call identifies the account.
    pub(super) fn is_evicted(&self, context: &Context<'_>) -> bool {
        if self.is_known() {
            return false;
        }
        self.0.waker.register(context.waker());
        self.0.evicted.load(Ordering::Acquire)
    }

    pub(super) fn set_http1(&self) {
        self.0.http1.store(true, Ordering::Relaxed);
    }

    /// Returns whether received bytes need no count: a call counts them, or they are HTTP/2
    /// overhead.
    pub(super) fn is_calling(&self) -> bool {
        let called = self.0.called.swap(false, Ordering::Relaxed);
        let of_http2 = self.has_made_call() && !self.0.http1.load(Ordering::Relaxed);
        called || of_http2 || self.0.answering.load(Ordering::Relaxed) > 0
    }

    pub(super) fn has_made_call(&self) -> bool {
        self.0.made_call.load(Ordering::Relaxed)
    }

    pub(crate) fn open_stream(&self) -> Option<OpenStream> {
        let one_more = |open: u64| (self.0.proxy || open < OPEN_STREAMS).then_some(open + 1);
        let opened =
            self.0.open_streams.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more);
        opened.is_ok().then(|| OpenStream(self.clone()))
    }

    pub(crate) fn answer(&self) -> Sending {
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

    /// Returns whether a response has waited too long. A proxy never counts as stalled.
    pub(super) fn is_stalled(&self, stall_timeout: Duration) -> bool {
        !self.0.proxy && self.waiting().values().any(|since| since.elapsed() >= stall_timeout)
    }
}

/// The anonymous connections, oldest first. Closed and identified connections are removed when the
/// list is full or a slot is needed.
#[derive(Debug, Default)]
pub(crate) struct AnonymousConnections(Mutex<VecDeque<Weak<PeerState>>>);

impl AnonymousConnections {
    pub(super) fn remember(&self, peer: &Peer) {
        if peer.is_known() {
            return;
        }
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() == all.capacity() {
            all.retain(|line| as_anonymous(line).is_some());
        }
        all.push_back(Arc::downgrade(&peer.0));
    }

    /// Closes the oldest anonymous connections of the address with the most, except connections
    /// younger than [`IDENTIFY_TIMEOUT`].
    pub(super) fn make_room(&self) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|line| as_anonymous(line).is_some());
        let here: Vec<(IpAddr, Peer)> = all
            .iter()
            .filter_map(as_anonymous)
            .map(|peer| (network(peer.address()), peer))
            .collect();
        let mut count: HashMap<IpAddr, usize> = HashMap::new();
        for (address, _) in &here {
            *count.entry(*address).or_default() += 1;
        }
        let most = count.into_iter().max_by_key(|(_, count)| *count).map(|(address, _)| address);
        let oldest =
            here.iter().filter(|(address, _)| Some(*address) == most).take(DISCONNECTED_AT_ONCE);
        oldest
            .filter(|(_, peer)| peer.age() >= IDENTIFY_TIMEOUT)
            .for_each(|(_, peer)| peer.disconnect());
    }
}

fn as_anonymous(line: &Weak<PeerState>) -> Option<Peer> {
    let peer = Peer(line.upgrade()?);
    let evicted = peer.0.evicted.load(Ordering::Relaxed);
    (!peer.is_known() && !evicted).then_some(peer)
}

#[derive(Debug)]
pub(crate) struct OpenStream(Peer);

impl Drop for OpenStream {
    fn drop(&mut self) {
        let open = self.0.0.open_streams.fetch_sub(1, Ordering::Relaxed);
        debug_assert!(open > 0, "a stream that closes was counted when it opened");
    }
}

#[derive(Debug)]
pub(crate) struct Sending {
    peer: Peer,
    id: u64,
    waits: bool,
}

impl Sending {
    pub(crate) fn wait(&mut self) {
        self.peer.waiting().insert(self.id, Instant::now());
        self.waits = true;
    }

    pub(crate) fn moved(&mut self) {
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

/// Adds the connection's peer to a request. Records whether the peer speaks HTTP/1.1.
pub(crate) fn note_peer(mut request: http::Request<Body>) -> http::Request<Body> {
    let below = request.extensions().get::<TlsConnectInfo<Peer>>().map(TlsConnectInfo::get_ref);
    if let Some(peer) = below.cloned() {
        request.extensions_mut().insert(peer);
    }
    if request.version() < http::Version::HTTP_2
        && let Some(peer) = request.extensions().get::<Peer>()
    {
        peer.set_http1();
    }
    request
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_and_known_connections_are_removed_from_the_list() {
        let anonymous = AnonymousConnections::default();
        let stays = Peer::at([192, 0, 2, 1].into(), false);
        anonymous.remember(&stays);
        for n in 0..10_000_u32 {
            let peer = Peer::at(n.to_be_bytes().into(), false);
            anonymous.remember(&peer);
            if n % 2 == 0 {
                peer.known();
            }
        }
        let kept = anonymous.0.lock().unwrap();
        assert!(kept.len() < 16, "{} are remembered", kept.len());
        assert!(kept.iter().filter_map(as_anonymous).any(|peer| Arc::ptr_eq(&peer.0, &stays.0)));
    }

    #[test]
    fn anonymous_streams_of_a_connection_are_limited() {
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
