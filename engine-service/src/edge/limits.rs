//! How much one caller may ask for, and how much all together.
//!
//! What is asked for by time (calls a second, wrong tokens a minute) is counted by rates; what is
//! held for a time (calls, streams, connections, bytes) by a ledger, for each account and for each
//! address.

use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use heliopause_proto::v1::ErrorReason;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Caller;
use super::errors::Failure;
use super::ledger::{Count, Ledger, Party, Used};
use crate::bounded::Generations;
use crate::config::Quotas;

/// How many callers' rates are remembered at least. Whoever is forgotten begins anew, so it is far
/// more than can be busy within the time in which a bucket fills.
const CALLERS: usize = 65_536;
/// How many calls may be worked on at once, streams not counted; more are refused at once instead
/// of queueing.
const CALLS_UNDER_WAY: usize = 4_096;
/// An address may have so many calls and streams for each connection that it may have.
const CALLS_PER_CONNECTION: usize = 4;
const STREAMS_PER_CONNECTION: usize = 8;
/// How many conversations (streams of requests and of answers) there may be without an account, and
/// how many of an address: what such a client sends while it reads nothing fills the connection's
/// window.
const CONVERSATIONS: usize = 64;
const CONVERSATIONS_OF_ADDRESS: usize = 8;
/// Other streams without an account: health watches. A balancer or a client keeps one for each
/// connection, and an engine has few balancers.
const WATCHES: usize = 2_048;
const WATCHES_OF_ADDRESS: usize = 256;
/// Refusals per second for the connections of an address on which no account is known, and at once.
/// Every refusal is an answer, which costs as much as a small call. A caller over this rate ignores
/// refusals, so the gate closes the connection instead of answering.
const REFUSALS: (f64, f64) = (20.0, 200.0);
/// An address may open this part of its connections at once, and as many more per second. Opening
/// one costs as much as several calls.
const PART_OPENED_AT_ONCE: usize = 8;
/// How long a new connection may wait for its turn. Longer queues are refused.
const NEWCOMER_PATIENCE: Duration = Duration::from_secs(10);
/// What part of the memory for bytes in flight one account may take, and one address.
const PART_OF_ACCOUNT: usize = 4;
const PART_OF_ADDRESS: usize = 2;
/// How many calls a second an address may make for which nobody need be known, and how many at
/// once.
const OPEN_CALLS: (f64, f64) = (100.0, 1_000.0);
/// How many files of the web page an address may ask for in a second, and how many at once: a page
/// is about ten, and a house has many who open it.
const WEB_REQUESTS: (f64, f64) = (50.0, 500.0);
/// How many of them may be on their way to an address at once. They are no calls, so whoever reads
/// none of them keeps nobody at their address from calling.
const FILES_OF_ADDRESS: usize = 256;
/// What calls an address may make in a second without an account to watch games, by their weights,
/// and how many at once.
const WATCHING: (f64, f64) = (100.0, 1_000.0);
/// How many bytes a second are read of the connections of an address on which nobody is known yet,
/// and how many at once. It is enough for a hundred newcomers a second; what floods of small frames
/// cost is bounded by it.
const STRANGE_BYTES: (f64, f64) = (65_536.0, 262_144.0);
/// How long bytes of such a connection may have to wait; one that still sends more then ends.
const STRANGE_PATIENCE: Duration = Duration::from_secs(5);
/// How much less than for bytes in flight there is for what connections have sent that belongs to
/// no call yet. It is counted apart, so that it keeps no call from being read.
const PART_BEFORE_CALLS: usize = 4;

/// How much a caller has left: it fills with time.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    calls: f64,
    at: Instant,
}

/// What somebody owes who has taken already.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Owed {
    Nothing,
    For(Duration),
    TooMuch,
}

/// Rates of callers, by what tells them apart.
#[derive(Debug)]
struct Rates<K> {
    per_second: f64,
    burst: f64,
    buckets: Mutex<Generations<K, Bucket>>,
}

impl<K: Eq + Hash + Clone> Rates<K> {
    /// Rates, or `None` for no limit.
    fn new(per_second: f64, burst: f64) -> Option<Self> {
        (per_second > 0.0).then(|| Self {
            per_second,
            burst,
            buckets: Mutex::new(Generations::new(CALLERS)),
        })
    }

    /// Takes so many calls (0 only looks whether one is left), or says how long to wait for one.
    fn take(&self, key: &K, calls: f64, now: Instant) -> Result<(), Duration> {
        self.change(key, now, |bucket| {
            if bucket.calls < 1.0 {
                return Err(Duration::from_secs_f64((1.0 - bucket.calls) / self.per_second));
            }
            bucket.calls -= calls;
            Ok(())
        })
    }

    /// Takes what has come already, and says how long to wait until it is paid, as far as that is
    /// no longer than the patience.
    fn owe(&self, key: &K, much: f64, patience: Duration, now: Instant) -> Owed {
        let most = patience.as_secs_f64() * self.per_second;
        self.change(key, now, |bucket| {
            if bucket.calls <= -most {
                return Owed::TooMuch;
            }
            bucket.calls = (bucket.calls - much).max(-most);
            if bucket.calls >= 0.0 {
                Owed::Nothing
            } else {
                Owed::For(Duration::from_secs_f64(-bucket.calls / self.per_second))
            }
        })
    }

    fn change<R>(&self, key: &K, now: Instant, change: impl FnOnce(&mut Bucket) -> R) -> R {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.get_mut(key).is_none() {
            buckets.insert(key.clone(), Bucket { calls: self.burst, at: now });
        }
        let bucket = buckets.get_mut(key).expect("it was just put there");
        let filled = now.saturating_duration_since(bucket.at).as_secs_f64() * self.per_second;
        *bucket = Bucket { calls: (bucket.calls + filled).min(self.burst), at: now };
        change(bucket)
    }
}

/// The most that may be held at once, of each thing. What has no limit has [`usize::MAX`].
#[derive(Debug)]
struct Most {
    account_calls: usize,
    account_streams: usize,
    address_calls: usize,
    address_streams: usize,
    address_connections: usize,
    bytes: usize,
}

/// The limits of the server.
#[derive(Debug)]
pub struct Limits {
    calls: Option<Rates<Arc<str>>>,
    wrong_tokens: Option<Rates<IpAddr>>,
    registrations: Option<Rates<IpAddr>>,
    open_calls: Option<Rates<IpAddr>>,
    web_requests: Option<Rates<IpAddr>>,
    watching: Option<Rates<IpAddr>>,
    strange_bytes: Option<Rates<IpAddr>>,
    refusals: Option<Rates<IpAddr>>,
    newcomers: Option<Rates<IpAddr>>,
    most: Most,
    accounts: Arc<Ledger<Arc<str>>>,
    addresses: Arc<Ledger<IpAddr>>,
    /// Bytes of requests that are read or worked on, and of answers that are not sent yet.
    bytes: Count,
    /// Bytes that have come and belong to no call yet.
    before_calls: Count,
    under_way: Arc<Semaphore>,
    conversations: Arc<Semaphore>,
    watches: Arc<Semaphore>,
}

fn limited(what: &str, wait: Duration) -> Failure {
    // Rounded up, so that whoever waits as told is let in.
    let wait = Duration::from_millis(wait.as_millis() as u64 + 1);
    Failure::new(ErrorReason::RateLimited, format!("too many {what}; wait {} ms", wait.as_millis()))
        .retry(wait)
}

/// How long to wait for something that others hold.
const HELD: Duration = Duration::from_millis(200);

fn too_many(what: &str, most: usize) -> Failure {
    let message = format!("{what}: at most {most} at once; wait until one has ended");
    Failure::new(ErrorReason::RateLimited, message).retry(HELD)
}

fn unlimited(most: usize) -> usize {
    if most == 0 { usize::MAX } else { most }
}

impl Limits {
    /// Limits by quotas.
    pub fn new(quotas: &Quotas) -> Self {
        let (calls, knocks) =
            (f64::from(quotas.calls_per_second), f64::from(quotas.knocks_per_minute));
        let connections = unlimited(quotas.address_connections);
        let of_address = |(per_second, burst)| {
            let limited = quotas.address_connections > 0;
            limited.then(|| Rates::new(per_second, burst)).flatten()
        };
        let opened = (quotas.address_connections / PART_OPENED_AT_ONCE).max(1);
        let opened = f64::from(u32::try_from(opened).unwrap_or(u32::MAX));
        Self {
            calls: Rates::new(calls, calls * 2.0),
            wrong_tokens: Rates::new(knocks / 60.0, knocks),
            registrations: Rates::new(knocks / 60.0, knocks),
            open_calls: of_address(OPEN_CALLS),
            web_requests: of_address(WEB_REQUESTS),
            watching: of_address(WATCHING),
            strange_bytes: of_address(STRANGE_BYTES),
            refusals: of_address(REFUSALS),
            newcomers: of_address((opened, opened)),
            most: Most {
                account_calls: unlimited(quotas.account_calls),
                account_streams: quotas.streams as usize,
                address_calls: connections.saturating_mul(CALLS_PER_CONNECTION),
                address_streams: connections.saturating_mul(STREAMS_PER_CONNECTION),
                address_connections: connections,
                bytes: quotas.bytes_in_flight,
            },
            accounts: Arc::default(),
            addresses: Arc::default(),
            bytes: Count::default(),
            before_calls: Count::default(),
            under_way: Arc::new(Semaphore::new(CALLS_UNDER_WAY)),
            conversations: Arc::new(Semaphore::new(CONVERSATIONS)),
            watches: Arc::new(Semaphore::new(WATCHES)),
        }
    }

    /// Counts a call of a player by its weight. Whoever has something left may go into debt, and
    /// waits until it is paid.
    pub(super) fn call(&self, caller: &Caller, weight: u32) -> Result<(), Failure> {
        let Some(calls) = &self.calls else { return Ok(()) };
        calls
            .take(&caller.player_id, f64::from(weight), Instant::now())
            .map_err(|wait| limited("calls", wait))
    }

    /// Counts a wrong token from an address.
    pub(super) fn wrong_token(&self, address: IpAddr) -> Result<(), Failure> {
        take_from(self.wrong_tokens.as_ref(), address, 1.0, "wrong tokens from this address")
    }

    /// Counts a registration, or that somebody signs in, from an address.
    pub(super) fn registration(&self, address: IpAddr) -> Result<(), Failure> {
        let what = "registrations and sign-ins from this address";
        take_from(self.registrations.as_ref(), address, 1.0, what)
    }

    /// Admits a request for a file of the web page from an address.
    pub(super) fn file(&self, address: IpAddr) -> Result<File, Failure> {
        take_from(
            self.web_requests.as_ref(),
            address,
            1.0,
            "requests for files from this address",
        )?;
        let address = self.address(address);
        let most = if self.web_requests.is_some() { FILES_OF_ADDRESS } else { usize::MAX };
        if address.files.take(1, most) {
            Ok(File { address })
        } else {
            Err(too_many("files on their way to this address", most))
        }
    }

    /// Counts a call of somebody without an account who watches, by its weight.
    pub(super) fn watching(&self, address: IpAddr, weight: u32) -> Result<(), Failure> {
        let what = "calls without an account from this address";
        take_from(self.watching.as_ref(), address, f64::from(weight), what)
    }

    /// Counts a call from an address for which nobody need be known.
    pub(super) fn open_call(&self, address: IpAddr) -> Result<(), Failure> {
        let what = "calls without an account from this address";
        take_from(self.open_calls.as_ref(), address, 1.0, what)
    }

    /// Admits a call among those that are worked on.
    pub(super) fn enter(&self) -> Result<OwnedSemaphorePermit, Failure> {
        Arc::clone(&self.under_way).try_acquire_owned().map_err(|_| {
            let message = "the server has as many calls under way as it takes";
            Failure::new(ErrorReason::Overloaded, message).retry(HELD)
        })
    }

    /// Admits a stream of a caller without an account.
    pub(super) fn open_stream(
        &self,
        address: IpAddr,
        kind: Anonymous,
    ) -> Result<AnonymousStream, Failure> {
        let (all, most, what) = match kind {
            Anonymous::Conversation => {
                (&self.conversations, CONVERSATIONS_OF_ADDRESS, "conversations")
            }
            Anonymous::Watch => (&self.watches, WATCHES_OF_ADDRESS, "streams"),
        };
        let place = Arc::clone(all).try_acquire_owned().map_err(|_| {
            let message = format!("the server has its limit of {what} without an account");
            Failure::new(ErrorReason::Overloaded, message).retry(HELD)
        })?;
        let address = self.address(address);
        if !kind.count(&address).take(1, most) {
            return Err(too_many(&format!("{what} of this address without an account"), most));
        }
        Ok(AnonymousStream { address, kind, _place: place })
    }

    /// Counts a refusal of a caller without an account. Returns whether it is worth an answer.
    pub(super) fn refusal(&self, address: IpAddr) -> bool {
        take_from(self.refusals.as_ref(), address, 1.0, "refusals").is_ok()
    }

    /// Counts a new connection of an address. Returns how long it must wait until it is read.
    pub(super) fn newcomer(&self, address: IpAddr) -> Owed {
        let Some(newcomers) = &self.newcomers else { return Owed::Nothing };
        newcomers.change(&network(address), Instant::now(), |bucket| {
            let left = bucket.calls - 1.0;
            if left < -newcomers.per_second * NEWCOMER_PATIENCE.as_secs_f64() {
                return Owed::TooMuch;
            }
            bucket.calls = left;
            if left >= 0.0 {
                Owed::Nothing
            } else {
                Owed::For(Duration::from_secs_f64(-left / newcomers.per_second))
            }
        })
    }

    /// One who is at an address.
    pub(super) fn address(&self, address: IpAddr) -> Party<IpAddr> {
        self.addresses.open(network(address))
    }

    /// Counts a connection from an address, as far as there is room for one more.
    pub(super) fn connect(self: &Arc<Self>, address: IpAddr) -> Option<Connected> {
        let network = network(address);
        let address = self.addresses.open(network);
        let counted = address.connections.take(1, self.most.address_connections);
        counted.then(|| Connected { limits: Arc::clone(self), network, address, bytes: 0 })
    }

    /// Begins a call. It counts until the holding is dropped.
    pub(super) fn begin(
        self: &Arc<Self>,
        address: Party<IpAddr>,
        caller: Option<&Caller>,
        streams: bool,
    ) -> Result<Arc<Holding>, Failure> {
        let most = &self.most;
        let account = caller.map(|caller| self.accounts.open(Arc::clone(&caller.player_id)));
        let of_account = if streams { most.account_streams } else { most.account_calls };
        let of_address = if streams { most.address_streams } else { most.address_calls };
        if let Some(account) = &account
            && !used(account, streams).take(1, of_account)
        {
            return Err(if streams {
                out_of_streams(of_account)
            } else {
                too_many("calls of this account", of_account)
            });
        }
        if !used(&address, streams).take(1, of_address) {
            if let Some(account) = &account {
                used(account, streams).give(1);
            }
            let what = if streams { "streams of this address" } else { "calls of this address" };
            return Err(too_many(what, of_address));
        }
        Ok(Arc::new(Holding { limits: Arc::clone(self), account, address, streams }))
    }

    /// How many bytes are in flight.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.now()
    }
}

fn take_from(
    rates: Option<&Rates<IpAddr>>,
    address: IpAddr,
    calls: f64,
    what: &str,
) -> Result<(), Failure> {
    let Some(rates) = rates else { return Ok(()) };
    rates.take(&network(address), calls, Instant::now()).map_err(|wait| limited(what, wait))
}

fn used(used: &Used, streams: bool) -> &Count {
    if streams { &used.streams } else { &used.calls }
}

fn out_of_streams(most: usize) -> Failure {
    let message = format!("you have {most} streams open, which is the limit; close one first");
    Failure::new(ErrorReason::QuotaExceeded, message).with("quota", "streams").with("limit", most)
}

/// A connection that counts for its address until this is dropped.
#[derive(Debug)]
pub(super) struct Connected {
    limits: Arc<Limits>,
    network: IpAddr,
    address: Party<IpAddr>,
    /// What it has sent that belongs to no call yet.
    bytes: usize,
}

impl Connected {
    /// Counts bytes of somebody whom nobody knows yet, and says how long to wait before more is
    /// read of them.
    pub(super) fn read_of_stranger(&self, bytes: u32) -> Owed {
        let Some(rates) = &self.limits.strange_bytes else { return Owed::Nothing };
        rates.owe(&self.network, f64::from(bytes), STRANGE_PATIENCE, Instant::now())
    }

    /// Counts bytes that have come and belong to no call yet, as far as there is room for them.
    pub(super) fn take(&mut self, bytes: usize) -> bool {
        let most = self.limits.most.bytes / PART_BEFORE_CALLS;
        let taken = self.address.before_calls.take(bytes, most / PART_OF_ADDRESS);
        let room = taken && self.limits.before_calls.take(bytes, most);
        if room {
            self.bytes += bytes;
        } else if taken {
            self.address.before_calls.give(bytes);
        }
        room
    }

    /// What has come belongs to a call, which counts it itself.
    pub(super) fn clear(&mut self) {
        let bytes = std::mem::take(&mut self.bytes);
        self.address.before_calls.give(bytes);
        self.limits.before_calls.give(bytes);
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        self.clear();
        self.address.connections.give(1);
    }
}

/// A file of the web page that is on its way.
#[derive(Debug)]
pub(super) struct File {
    address: Party<IpAddr>,
}

impl Drop for File {
    fn drop(&mut self) {
        self.address.files.give(1);
    }
}

/// The kinds of streams without an account.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anonymous {
    /// A stream of requests and of answers: reflection.
    Conversation,
    /// A stream of answers: health.
    Watch,
}

impl Anonymous {
    fn count(self, used: &Used) -> &Count {
        match self {
            Self::Conversation => &used.conversations,
            Self::Watch => &used.watches,
        }
    }
}

/// A stream of a caller without an account, until this is dropped.
#[derive(Debug)]
pub(super) struct AnonymousStream {
    address: Party<IpAddr>,
    kind: Anonymous,
    _place: OwnedSemaphorePermit,
}

impl Drop for AnonymousStream {
    fn drop(&mut self) {
        self.kind.count(&self.address).give(1);
    }
}

/// A call or a stream that counts, for its account and its address, until its answer is sent.
#[derive(Debug)]
pub(super) struct Holding {
    limits: Arc<Limits>,
    account: Option<Party<Arc<str>>>,
    address: Party<IpAddr>,
    streams: bool,
}

impl Holding {
    /// Whose turn it is: the account's, or where there is none the address'.
    pub(super) fn party(&self) -> &Used {
        self.account.as_deref().unwrap_or(&self.address)
    }

    /// Bytes that this call has in flight, from none on.
    pub(super) fn charge(self: &Arc<Self>) -> Charge {
        Charge { holding: Arc::clone(self), bytes: 0 }
    }

    fn take(&self, bytes: usize) -> Result<(), Failure> {
        let Limits { bytes: all, most, .. } = &*self.limits;
        let (of_account, of_address) = (most.bytes / PART_OF_ACCOUNT, most.bytes / PART_OF_ADDRESS);
        if let Some(account) = &self.account
            && !account.bytes.take(bytes, of_account)
        {
            return Err(too_many("bytes in flight of this account", of_account));
        }
        if !self.address.bytes.take(bytes, of_address) {
            self.give_of_account(bytes);
            return Err(too_many("bytes in flight of this address", of_address));
        }
        if !all.take(bytes, most.bytes) {
            self.give_of_account(bytes);
            self.address.bytes.give(bytes);
            let message = "the server has as many bytes in flight as it takes";
            return Err(Failure::new(ErrorReason::Overloaded, message).retry(HELD));
        }
        Ok(())
    }

    fn give_of_account(&self, bytes: usize) {
        if let Some(account) = &self.account {
            account.bytes.give(bytes);
        }
    }

    fn give(&self, bytes: usize) {
        self.give_of_account(bytes);
        self.address.bytes.give(bytes);
        self.limits.bytes.give(bytes);
    }
}

impl Drop for Holding {
    fn drop(&mut self) {
        if let Some(account) = &self.account {
            used(account, self.streams).give(1);
        }
        used(&self.address, self.streams).give(1);
    }
}

/// Bytes in flight, until this is dropped.
#[derive(Debug)]
pub(super) struct Charge {
    holding: Arc<Holding>,
    bytes: usize,
}

impl Charge {
    /// So many bytes from now on, more or fewer than before.
    pub(super) fn set(&mut self, bytes: usize) -> Result<(), Failure> {
        match bytes.checked_sub(self.bytes) {
            Some(more) => self.holding.take(more)?,
            None => self.holding.give(self.bytes - bytes),
        }
        self.bytes = bytes;
        Ok(())
    }

    /// Nothing any more.
    pub(super) fn clear(&mut self) {
        self.holding.give(std::mem::take(&mut self.bytes));
    }

    /// So many bytes more.
    pub(super) fn grow(&mut self, more: usize) -> Result<(), Failure> {
        self.set(self.bytes.saturating_add(more))
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The network that an address stands for: who has one IPv6 address has 2^64 of them.
pub(super) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)))
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heliopause_proto::v1::AccountRole;

    fn quotas() -> Quotas {
        Quotas {
            memory_bytes: 1 << 30,
            message_bytes: 1,
            calls_per_second: 10,
            knocks_per_minute: 6,
            streams: 2,
            games: 1,
            connections: 1,
            account_calls: 3,
            address_connections: 1,
            bytes_in_flight: 1_000,
            live_games: 1,
        }
    }

    fn caller(player_id: &str) -> Caller {
        let (name, token_id) = ("Ann".into(), "t".into());
        Caller { player_id: player_id.into(), name, role: AccountRole::Player, token_id }
    }

    #[test]
    fn a_flood_is_cut_to_the_rate_and_others_are_not_disturbed() {
        let (rates, begin) = (Rates::new(10.0, 20.0).unwrap(), Instant::now());
        let flood = |now| (0..1_000).filter(|_| rates.take(&"flood", 1.0, now).is_ok()).count();
        assert_eq!(flood(begin), 20, "the burst");
        assert_eq!(flood(begin), 0);
        rates.take(&"other", 1.0, begin).expect("another is not disturbed");
        assert_eq!(flood(begin + Duration::from_secs(1)), 10, "the rate");
        assert_eq!(
            flood(begin + Duration::from_hours(1)),
            20,
            "no more than the burst is saved up"
        );
    }

    #[test]
    fn what_has_come_already_is_waited_for_in_turn() {
        let (rates, begin) = (Rates::new(100.0, 300.0).unwrap(), Instant::now());
        let owe = |key, much, after| {
            rates.owe(&key, much, Duration::from_secs(2), begin + Duration::from_secs(after))
        };
        let wait = |millis| Owed::For(Duration::from_millis(millis));
        assert_eq!(owe("flood", 300.0, 0), Owed::Nothing, "the burst");
        assert_eq!(owe("flood", 50.0, 0), wait(500));
        assert_eq!(owe("flood", 50.0, 0), wait(1_000), "after the first");
        assert_eq!(owe("other", 50.0, 0), Owed::Nothing, "another is not disturbed");
        assert_eq!(owe("flood", 50.0, 2), Owed::Nothing, "it was paid");
        assert_eq!(owe("flood", 900.0, 2), wait(2_000), "no more than the patience");
        assert_eq!(owe("flood", 1.0, 2), Owed::TooMuch);
        assert_eq!(owe("flood", 50.0, 3), wait(1_500), "it is paid in time");
    }

    #[test]
    fn calls_without_an_account_are_limited_by_address() {
        let limits = Limits::new(&quotas());
        let answered = (0..2_000).filter(|_| limits.open_call(HERE).is_ok()).count();
        assert!((1_000..1_100).contains(&answered), "{answered}");
        limits.open_call(THERE).expect("another is not disturbed");
    }

    #[test]
    fn whoever_waits_as_told_is_let_in() {
        let (rates, begin) = (Rates::new(0.1, 3.0).unwrap(), Instant::now());
        let waits = (0..4).filter_map(|_| rates.take(&"key", 1.0, begin).err()).collect::<Vec<_>>();
        let [wait] = waits[..] else { panic!("{waits:?}") };
        assert!(rates.take(&"key", 0.0, begin + wait / 2).is_err());
        let then = begin + wait + Duration::from_millis(1);
        rates.take(&"key", 0.0, then).expect("looking costs nothing");
        rates.take(&"key", 1.0, then).expect("one");
        rates.take(&"key", 1.0, then).expect_err("but not two");
    }

    #[test]
    fn no_limit_is_no_limit() {
        let limits = Limits::new(&Quotas { calls_per_second: 0, knocks_per_minute: 0, ..quotas() });
        for _ in 0..10_000 {
            limits.call(&caller("p"), 20).unwrap();
            limits.wrong_token(HERE).unwrap();
        }
    }

    #[test]
    fn an_ipv6_network_counts_as_one() {
        let address = |text: &str| network(text.parse().unwrap());
        assert_eq!(address("2001:db8::1"), address("2001:db8::ffff:1"));
        assert_ne!(address("2001:db8::1"), address("2001:db8:0:1::1"));
        assert_eq!(address("::ffff:192.0.2.1"), address("192.0.2.1"));
    }

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2));

    fn begin(
        limits: &Arc<Limits>,
        address: IpAddr,
        player: &str,
        streams: bool,
    ) -> Result<Arc<Holding>, ErrorReason> {
        let begun = limits.begin(limits.address(address), Some(&caller(player)), streams);
        begun.map_err(|failure| failure.reason())
    }

    #[test]
    fn heavy_calls_count_by_their_weight() {
        let limits = Limits::new(&quotas());
        limits.call(&caller("p"), 100).expect("there was something left");
        let wait = limits.call(&caller("p"), 1).unwrap_err();
        assert_eq!(wait.reason(), ErrorReason::RateLimited);
        assert!(wait.to_string().contains("wait 8"), "81 calls of debt at 10 a second: {wait}");
    }

    #[test]
    fn wrong_tokens_keep_nobody_from_registering() {
        let limits = Limits::new(&quotas());
        while limits.wrong_token(HERE).is_ok() {}
        limits.registration(HERE).expect("another count");
        limits.wrong_token(THERE).expect("another address");
    }

    #[test]
    fn a_player_has_so_many_streams_and_no_more() {
        let limits = Arc::new(Limits::new(&quotas()));
        let first = begin(&limits, HERE, "p", true).unwrap();
        let _second = begin(&limits, HERE, "p", true).unwrap();
        assert_eq!(begin(&limits, HERE, "p", true).unwrap_err(), ErrorReason::QuotaExceeded);
        let other = begin(&limits, HERE, "q", true).expect("another player is not disturbed");
        drop((first, other));
        let _third = begin(&limits, HERE, "p", true).expect("one was closed");
        assert_eq!(limits.accounts.len(), 1, "players without streams are forgotten");
    }

    #[test]
    fn calls_under_way_are_limited_by_account_and_by_address() {
        let limits = Arc::new(Limits::new(&quotas()));
        let mine: Vec<_> = (0..3).map(|_| begin(&limits, HERE, "p", false).unwrap()).collect();
        assert_eq!(
            begin(&limits, THERE, "p", false).unwrap_err(),
            ErrorReason::RateLimited,
            "wherever they call from"
        );
        let _fourth = begin(&limits, HERE, "q", false).unwrap();
        assert_eq!(
            begin(&limits, HERE, "r", false).unwrap_err(),
            ErrorReason::RateLimited,
            "4 of an address"
        );
        begin(&limits, THERE, "r", false)
            .expect("another address is not disturbed, and r was counted for nothing");
        drop(mine);
        begin(&limits, HERE, "p", false).expect("there is room again");
    }

    #[test]
    fn bytes_in_flight_are_limited_by_account_by_address_and_in_all() {
        let limits = Arc::new(Limits::new(&quotas()));
        let charge = |address, player| begin(&limits, address, player, false).unwrap().charge();
        let mut first = charge(HERE, "p");
        first.grow(250).expect("a quarter of all");
        assert_eq!(first.grow(1).unwrap_err().reason(), ErrorReason::RateLimited);
        let (mut second, mut third) = (charge(HERE, "q"), charge(HERE, "r"));
        second.grow(250).unwrap();
        assert_eq!(
            third.grow(1).unwrap_err().reason(),
            ErrorReason::RateLimited,
            "half of all for an address"
        );
        let (mut fourth, mut fifth) = (charge(THERE, "s"), charge(THERE, "t"));
        fourth.grow(250).unwrap();
        fifth.grow(250).unwrap();
        let elsewhere = IpAddr::from([192, 0, 2, 3]);
        let mut sixth = charge(elsewhere, "u");
        assert_eq!(sixth.grow(1).unwrap_err().reason(), ErrorReason::Overloaded);
        first.set(100).unwrap();
        sixth.grow(150).expect("what was given back");
        drop((first, second, third, fourth, fifth, sixth));
        assert_eq!((limits.bytes(), limits.accounts.len(), limits.addresses.len()), (0, 0, 0));
    }

    #[test]
    fn what_belongs_to_no_call_yet_counts_for_its_address() {
        let limits = Arc::new(Limits::new(&Quotas { address_connections: 2, ..quotas() }));
        let (mut first, mut second) =
            (limits.connect(HERE).unwrap(), limits.connect(HERE).unwrap());
        assert!(
            first.take(75) && second.take(50),
            "half of all for an address, and a quarter of 1,000 is all"
        );
        assert!(!second.take(1));
        let mut elsewhere = limits.connect(THERE).unwrap();
        assert!(elsewhere.take(125) && limits.bytes() == 0);
        first.clear();
        assert!(second.take(75));
        drop((first, second, elsewhere));
        assert_eq!((limits.before_calls.now(), limits.addresses.len()), (0, 0));
    }

    #[test]
    fn streams_without_an_account_are_few() {
        let limits = Limits::new(&quotas());
        for (kind, of_address, of_all) in [
            (Anonymous::Conversation, CONVERSATIONS_OF_ADDRESS, CONVERSATIONS),
            (Anonymous::Watch, WATCHES_OF_ADDRESS, WATCHES),
        ] {
            let open = |address| limits.open_stream(address, kind);
            let refused = |address| open(address).unwrap_err().reason();
            let mine: Vec<_> = (0..of_address).map(|_| open(HERE).unwrap()).collect();
            assert_eq!(refused(HERE), ErrorReason::RateLimited);
            let others: Vec<_> = (0..of_all)
                .map_while(|n| open(IpAddr::from([192, 0, 3, (n / of_address) as u8])).ok())
                .collect();
            assert_eq!(mine.len() + others.len(), of_all);
            assert_eq!(refused(THERE), ErrorReason::Overloaded);
            drop(mine);
            assert!(open(HERE).is_ok(), "there is room again");
        }
    }

    #[test]
    fn refusals_without_an_account_have_an_end_for_each_address() {
        let limits = Limits::new(&quotas());
        let answered = (0..10_000).filter(|_| limits.refusal(HERE)).count();
        assert!((200..300).contains(&answered), "{answered}");
        assert!(limits.refusal(THERE), "another is not disturbed");
    }

    #[test]
    fn many_new_connections_of_one_address_wait_in_turn_and_others_do_not() {
        let limits = Limits::new(&Quotas { address_connections: 512, ..quotas() });
        let at_once = (0..64).all(|_| limits.newcomer(HERE) == Owed::Nothing);
        assert!(at_once, "64 of 512 at once");
        let waits: Vec<_> = (0..1_000).map(|_| limits.newcomer(HERE)).collect();
        assert!(matches!(waits[63], Owed::For(wait) if (900..=1_000).contains(&wait.as_millis())));
        assert_eq!(waits[999], Owed::TooMuch);
        assert_eq!(limits.newcomer(THERE), Owed::Nothing);
        let limits = Limits::new(&Quotas { address_connections: 0, ..quotas() });
        assert!((0..1_000).all(|_| limits.newcomer(HERE) == Owed::Nothing), "no limit");
    }

    #[test]
    fn connections_are_limited_by_address() {
        let limits = Arc::new(Limits::new(&quotas()));
        let first = limits.connect(HERE).unwrap();
        assert!(limits.connect(HERE).is_none() && limits.connect(THERE).is_some());
        drop(first);
        assert!(limits.connect(HERE).is_some());
    }

    #[tokio::test]
    async fn what_exceeds_the_server_is_refused_at_once() {
        let limits = Limits::new(&quotas());
        let under_way: Vec<_> = (0..CALLS_UNDER_WAY).map(|_| limits.enter().unwrap()).collect();
        assert_eq!(limits.enter().unwrap_err().reason(), ErrorReason::Overloaded);
        drop(under_way);
        assert!(limits.enter().is_ok(), "there is room again");
    }
}
