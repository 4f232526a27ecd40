//! Limits on the resources that clients use, per caller and in total.
//!
//! Rates limit events over time. A ledger limits resources in use for each account and address.

pub(crate) mod executors;
mod rates;
mod usage;

use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use heliopause_proto::v1::ErrorReason;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub(crate) use self::rates::Owed;
use self::rates::Rates;
use self::usage::{Ledger, LedgerEntry, Usage, UsageGuard};
use crate::caller::Caller;
use crate::config::Quotas;
use crate::failure::{Failure, Result};
use crate::ledger::Count;

/// The maximum number of calls in progress. A stream counts until its response starts. Further
/// calls are rejected instead of queued.
const CALLS_IN_PROGRESS: usize = 4_096;
/// The maximum numbers of calls and streams for each connection that an address may open.
const CALLS_PER_CONNECTION: usize = 4;
const STREAMS_PER_CONNECTION: usize = 8;
/// The maximum numbers of anonymous bidirectional streams. A client that sends without reading
/// fills the connection's window.
const BIDIRECTIONAL_STREAMS: usize = 64;
const BIDIRECTIONAL_STREAMS_PER_ADDRESS: usize = 8;
/// The maximum numbers of anonymous health watches. A load balancer or client keeps one for each
/// connection, and an engine has few load balancers.
const WATCHES: usize = 2_048;
const WATCHES_PER_ADDRESS: usize = 256;
/// The maximum rate of errors (errors per second, burst) sent to anonymous connections of an
/// address. A caller over this rate ignores errors, so the gate closes its connection.
const REFUSALS: (f64, f64) = (20.0, 200.0);
/// Divides an address's connection limit to get the rate of new connections per second, and the
/// burst. Opening a connection costs as much as several calls.
const NEW_CONNECTIONS_DIVISOR: usize = 8;
/// The maximum wait of a new connection. If the wait would be longer, the connection is rejected.
const NEW_CONNECTION_WAIT_MAX: Duration = Duration::from_secs(10);
/// The divisors of the budget for bytes in flight, for the shares of an account and of an address.
const ACCOUNT_DIVISOR: usize = 4;
const ADDRESS_DIVISOR: usize = 2;
/// The maximum rate of calls without an account (calls per second, burst) for an address.
const OPEN_CALLS: (f64, f64) = (100.0, 1_000.0);
/// The maximum rate of web page files (files per second, burst) for an address. A page has about
/// ten files, and a household can have several players.
const WEB_REQUESTS: (f64, f64) = (50.0, 500.0);
/// The maximum number of concurrent file responses to an address. File responses do not count as
/// calls, so that unread files cannot block calls.
const FILES_PER_ADDRESS: usize = 256;
/// The maximum rate of anonymous spectators' calls from an address (weight per second, burst).
const SPECTATOR_CALLS: (f64, f64) = (100.0, 1_000.0);
/// The read rate (bytes per second, burst) for the anonymous connections of an address. It allows a
/// hundred new clients per second, and limits the cost of floods of small frames.
const ANONYMOUS_READ_BYTES: (f64, f64) = (65_536.0, 262_144.0);
/// The maximum delay of reads from an anonymous connection. Above it, the connection is closed.
const ANONYMOUS_READ_WAIT_MAX: Duration = Duration::from_secs(5);
/// Divides the budget for bytes in flight to get the budget for bytes not yet assigned to a call.
/// The budgets are separate, so that unassigned bytes cannot block the reading of calls.
const UNASSIGNED_DIVISOR: usize = 4;

#[derive(Debug)]
struct Maximums {
    account_calls: usize,
    account_streams: usize,
    address_calls: usize,
    address_streams: usize,
    address_connections: usize,
    bytes: usize,
}

/// The server's limits, and the current usage of its clients.
#[derive(Debug)]
pub struct Limits {
    calls: Option<Rates<Arc<str>>>,
    pub(crate) wrong_tokens: AddressRates,
    pub(crate) registrations: AddressRates,
    pub(crate) open_calls: AddressRates,
    web_requests: AddressRates,
    pub(crate) spectator_calls: AddressRates,
    pub(crate) refusals: AddressRates,
    anonymous_read_bytes: Option<Rates<IpAddr>>,
    new_connections: Option<Rates<IpAddr>>,
    most: Maximums,
    accounts: Arc<Ledger<Arc<str>>>,
    addresses: Arc<Ledger<IpAddr>>,
    /// Bytes of unfinished requests and unsent responses.
    bytes: Count,
    /// Received bytes that are not yet assigned to a call.
    unassigned_bytes: Count,
    in_progress: Arc<Semaphore>,
    conversations: Arc<Semaphore>,
    watches: Arc<Semaphore>,
}

fn limited(what: &str, wait: Duration) -> Failure {
    // Round up, so that a retry after exactly this time succeeds.
    let wait = Duration::from_millis(wait.as_millis() as u64 + 1);
    Failure::new(
        ErrorReason::RateLimited,
        format!("Too many {what}; wait {} ms.", wait.as_millis()),
    )
    .retry(wait)
}

/// The suggested retry delay while other calls use up a resource.
const RETRY_WAIT: Duration = Duration::from_millis(200);

fn too_many(what: &str, most: usize) -> Failure {
    let message = format!("Too many {what}: the limit is {most}; try again soon.");
    Failure::new(ErrorReason::RateLimited, message).retry(RETRY_WAIT)
}

fn overloaded(most: usize, what: &str) -> Failure {
    let message = format!("The server has reached its limit of {most} {what}; try again soon.");
    Failure::new(ErrorReason::Overloaded, message).retry(RETRY_WAIT)
}

/// The rates of one kind of event for each address.
#[derive(Debug)]
pub(crate) struct AddressRates {
    /// `None` for no limit.
    rates: Option<Rates<IpAddr>>,
    events: &'static str,
}

impl AddressRates {
    const fn new(rates: Option<Rates<IpAddr>>, events: &'static str) -> Self {
        Self { rates, events }
    }

    pub(crate) fn take(&self, address: IpAddr, weight: u32) -> Result<()> {
        let Some(rates) = &self.rates else { return Ok(()) };
        rates
            .take(&network(address), f64::from(weight), Instant::now())
            .map_err(|wait| limited(self.events, wait))
    }
}

fn unlimited(most: usize) -> usize {
    if most == 0 { usize::MAX } else { most }
}

impl Limits {
    pub fn new(quotas: &Quotas) -> Self {
        let (calls, auth_attempts) =
            (f64::from(quotas.calls_per_second), f64::from(quotas.auth_attempts_per_minute));
        let connections = unlimited(quotas.address_connections);
        let of_address = |(per_second, burst)| {
            let limited = quotas.address_connections > 0;
            limited.then(|| Rates::new(per_second, burst)).flatten()
        };
        let attempts = || Rates::new(auth_attempts / 60.0, auth_attempts);
        let anonymous = "anonymous calls from this address";
        let opened = (quotas.address_connections / NEW_CONNECTIONS_DIVISOR).max(1);
        let opened = f64::from(u32::try_from(opened).unwrap_or(u32::MAX));
        Self {
            calls: Rates::new(calls, calls * 2.0),
            wrong_tokens: AddressRates::new(attempts(), "wrong tokens from this address"),
            registrations: AddressRates::new(
                attempts(),
                "registrations and sign-ins from this address",
            ),
            open_calls: AddressRates::new(of_address(OPEN_CALLS), anonymous),
            web_requests: AddressRates::new(
                of_address(WEB_REQUESTS),
                "requests for files from this address",
            ),
            spectator_calls: AddressRates::new(of_address(SPECTATOR_CALLS), anonymous),
            refusals: AddressRates::new(of_address(REFUSALS), "refusals"),
            anonymous_read_bytes: of_address(ANONYMOUS_READ_BYTES),
            new_connections: of_address((opened, opened)),
            most: Maximums {
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
            unassigned_bytes: Count::default(),
            in_progress: Arc::new(Semaphore::new(CALLS_IN_PROGRESS)),
            conversations: Arc::new(Semaphore::new(BIDIRECTIONAL_STREAMS)),
            watches: Arc::new(Semaphore::new(WATCHES)),
        }
    }

    /// Charges a call by its weight. A player with at least one call left may overdraw the budget.
    pub(crate) fn call(&self, caller: &Caller, weight: u32) -> Result<()> {
        let Some(calls) = &self.calls else { return Ok(()) };
        calls
            .take(&caller.player_id, f64::from(weight), Instant::now())
            .map_err(|wait| limited("calls", wait))
    }

    pub(crate) fn file(&self, address: IpAddr) -> Result<File> {
        self.web_requests.take(address, 1)?;
        let most = if self.web_requests.rates.is_some() { FILES_PER_ADDRESS } else { usize::MAX };
        UsageGuard::take(self.address(address), |used| &used.files, most)
            .ok_or_else(|| too_many("file downloads to this address", most))
    }

    pub(crate) fn enter(&self) -> Result<OwnedSemaphorePermit> {
        let place = Arc::clone(&self.in_progress).try_acquire_owned();
        place.map_err(|_| overloaded(CALLS_IN_PROGRESS, "concurrent calls"))
    }

    pub(crate) fn open_stream(&self, address: IpAddr, kind: Anonymous) -> Result<AnonymousStream> {
        let (all, total, most, what) = match kind {
            Anonymous::Bidirectional => (
                &self.conversations,
                BIDIRECTIONAL_STREAMS,
                BIDIRECTIONAL_STREAMS_PER_ADDRESS,
                "anonymous bidirectional streams",
            ),
            Anonymous::Watch => (&self.watches, WATCHES, WATCHES_PER_ADDRESS, "anonymous streams"),
        };
        let place = Arc::clone(all).try_acquire_owned().map_err(|_| overloaded(total, what))?;
        let held = UsageGuard::take(self.address(address), kind.count(), most)
            .ok_or_else(|| too_many(&format!("{what} from this address"), most))?;
        Ok(AnonymousStream { _held: held, _place: place })
    }

    pub(crate) fn new_connection(&self, address: IpAddr) -> Owed {
        let Some(new_connections) = &self.new_connections else { return Owed::Nothing };
        new_connections.queue(&network(address), NEW_CONNECTION_WAIT_MAX, Instant::now())
    }

    pub(crate) fn address(&self, address: IpAddr) -> LedgerEntry<IpAddr> {
        self.addresses.open(network(address))
    }

    pub(crate) fn connect(self: &Arc<Self>, address: IpAddr) -> Option<Connected> {
        let network = network(address);
        let (usage, most) = (self.addresses.open(network), self.most.address_connections);
        let address = UsageGuard::take(usage, |used| &used.connections, most)?;
        Some(Connected { limits: Arc::clone(self), network, address, bytes: 0 })
    }

    pub(crate) fn begin(
        self: &Arc<Self>,
        address: LedgerEntry<IpAddr>,
        caller: Option<&Caller>,
        streams: bool,
    ) -> Result<Arc<CallGuard>> {
        let most = &self.most;
        let (what, count, of_account, of_address): (_, fn(&Usage) -> &Count, _, _) = if streams {
            ("streams", |used| &used.streams, most.account_streams, most.address_streams)
        } else {
            ("calls", |used| &used.calls, most.account_calls, most.address_calls)
        };
        let hold = |caller: &Caller| {
            let account = self.accounts.open(Arc::clone(&caller.player_id));
            UsageGuard::take(account, count, of_account).ok_or_else(|| {
                if streams {
                    out_of_streams(of_account)
                } else {
                    too_many("calls from this account", of_account)
                }
            })
        };
        let account = caller.map(hold).transpose()?;
        let address = UsageGuard::take(address, count, of_address)
            .ok_or_else(|| too_many(&format!("{what} from this address"), of_address))?;
        Ok(Arc::new(CallGuard { limits: Arc::clone(self), account, address }))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes.now()
    }
}

fn out_of_streams(most: usize) -> Failure {
    let message = format!("Too many open streams: your limit is {most}; close one first.");
    Failure::new(ErrorReason::QuotaExceeded, message).with("quota", "streams").with("limit", most)
}

#[derive(Debug)]
pub(crate) struct Connected {
    limits: Arc<Limits>,
    network: IpAddr,
    address: UsageGuard<IpAddr>,
    bytes: usize,
}

impl Connected {
    pub(crate) fn read_anonymous(&self, bytes: u32) -> Owed {
        let Some(rates) = &self.limits.anonymous_read_bytes else { return Owed::Nothing };
        rates.owe(&self.network, f64::from(bytes), ANONYMOUS_READ_WAIT_MAX, Instant::now())
    }

    pub(crate) fn take(&mut self, bytes: usize) -> bool {
        let most = self.limits.most.bytes / UNASSIGNED_DIVISOR;
        let taken = self.address.unassigned_bytes.take(bytes, most / ADDRESS_DIVISOR);
        let room = taken && self.limits.unassigned_bytes.take(bytes, most);
        if room {
            self.bytes += bytes;
        } else if taken {
            self.address.unassigned_bytes.release(bytes);
        }
        room
    }

    /// Releases the unassigned bytes, because a call counts them or the connection has closed.
    pub(crate) fn clear(&mut self) {
        let bytes = std::mem::take(&mut self.bytes);
        self.address.unassigned_bytes.release(bytes);
        self.limits.unassigned_bytes.release(bytes);
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        self.clear();
    }
}

pub(crate) type File = UsageGuard<IpAddr>;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Anonymous {
    /// A bidirectional stream, used for reflection.
    Bidirectional,
    /// A server stream, used for health watches.
    Watch,
}

impl Anonymous {
    fn count(self) -> fn(&Usage) -> &Count {
        match self {
            Self::Bidirectional => |used| &used.conversations,
            Self::Watch => |used| &used.watches,
        }
    }
}

#[derive(Debug)]
pub(crate) struct AnonymousStream {
    _held: UsageGuard<IpAddr>,
    _place: OwnedSemaphorePermit,
}

/// A call or stream that counts against its account and address until its response is sent.
#[derive(Debug)]
pub(crate) struct CallGuard {
    limits: Arc<Limits>,
    account: Option<UsageGuard<Arc<str>>>,
    address: UsageGuard<IpAddr>,
}

impl CallGuard {
    pub(crate) fn usage(&self) -> &Usage {
        self.account.as_deref().unwrap_or(&self.address)
    }

    pub(crate) fn charge(self: &Arc<Self>) -> Charge {
        Charge { holding: Arc::clone(self), bytes: 0 }
    }

    fn take(&self, bytes: usize) -> Result<()> {
        let Limits { bytes: all, most, .. } = &*self.limits;
        let (of_account, of_address) = (most.bytes / ACCOUNT_DIVISOR, most.bytes / ADDRESS_DIVISOR);
        if let Some(account) = &self.account
            && !account.bytes.take(bytes, of_account)
        {
            return Err(too_many("bytes in flight for this account", of_account));
        }
        if !self.address.bytes.take(bytes, of_address) {
            self.release_of_account(bytes);
            return Err(too_many("bytes in flight for this address", of_address));
        }
        if !all.take(bytes, most.bytes) {
            self.release_of_account(bytes);
            self.address.bytes.release(bytes);
            return Err(overloaded(most.bytes, "bytes in flight"));
        }
        Ok(())
    }

    fn release_of_account(&self, bytes: usize) {
        if let Some(account) = &self.account {
            account.bytes.release(bytes);
        }
    }

    fn release(&self, bytes: usize) {
        self.release_of_account(bytes);
        self.address.bytes.release(bytes);
        self.limits.bytes.release(bytes);
    }
}

#[derive(Debug)]
pub(crate) struct Charge {
    holding: Arc<CallGuard>,
    bytes: usize,
}

impl Charge {
    pub(crate) fn set(&mut self, bytes: usize) -> Result<()> {
        match bytes.checked_sub(self.bytes) {
            Some(more) => self.holding.take(more)?,
            None => self.holding.release(self.bytes - bytes),
        }
        self.bytes = bytes;
        Ok(())
    }

    pub(crate) fn clear(&mut self) {
        self.holding.release(std::mem::take(&mut self.bytes));
    }

    pub(crate) fn grow(&mut self, more: usize) -> Result<()> {
        self.set(self.bytes.saturating_add(more))
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Returns the network under which an address is counted: the /64 network of an IPv6 address, which
/// usually has one owner, or the IPv4 address itself.
pub(crate) fn network(address: IpAddr) -> IpAddr {
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
            calls_per_second: 10,
            auth_attempts_per_minute: 6,
            streams: 2,
            account_calls: 3,
            address_connections: 1,
            bytes_in_flight: 1_000,
            ..Quotas::none()
        }
    }

    fn caller(player_id: &str) -> Caller {
        let (name, token_id) = ("Ann".into(), "t".into());
        Caller { player_id: player_id.into(), name, role: AccountRole::Player, token_id }
    }

    #[test]
    fn anonymous_calls_and_errors_are_limited_by_address() {
        let limits = Limits::new(&quotas());
        let answered = |ask: &dyn Fn() -> bool| (0..10_000).filter(|_| ask()).count();
        let calls = answered(&|| limits.open_calls.take(HERE, 1).is_ok());
        let refusals = answered(&|| limits.refusals.take(HERE, 1).is_ok());
        assert!((1_000..1_100).contains(&calls) && (200..300).contains(&refusals));
        limits.open_calls.take(THERE, 1).expect("another address has its own limit");
        limits.refusals.take(THERE, 1).expect("another address has its own limit");
    }

    #[test]
    fn zero_means_no_limit() {
        let limits =
            Limits::new(&Quotas { calls_per_second: 0, auth_attempts_per_minute: 0, ..quotas() });
        for _ in 0..10_000 {
            limits.call(&caller("p"), 20).unwrap();
            limits.wrong_tokens.take(HERE, 1).unwrap();
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
    ) -> Result<Arc<CallGuard>, ErrorReason> {
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
    fn calls_under_way_are_limited_by_account_and_by_address() {
        let limits = Arc::new(Limits::new(&quotas()));
        let mine: Vec<_> = (0..3).map(|_| begin(&limits, HERE, "p", false).unwrap()).collect();
        assert_eq!(
            begin(&limits, THERE, "p", false).unwrap_err(),
            ErrorReason::RateLimited,
            "wherever they call from"
        );
        let _fourth = begin(&limits, HERE, "q", false).unwrap();
        assert_eq!(begin(&limits, HERE, "r", false).unwrap_err(), ErrorReason::RateLimited);
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
    fn unassigned_bytes_count_for_their_address() {
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
        assert_eq!((limits.unassigned_bytes.now(), limits.addresses.len()), (0, 0));
    }

    #[test]
    fn anonymous_streams_are_limited() {
        let limits = Limits::new(&quotas());
        for (kind, of_address, of_all) in [
            (Anonymous::Bidirectional, BIDIRECTIONAL_STREAMS_PER_ADDRESS, BIDIRECTIONAL_STREAMS),
            (Anonymous::Watch, WATCHES_PER_ADDRESS, WATCHES),
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
    fn new_connections_of_one_address_queue_without_delaying_others() {
        let limits = Limits::new(&Quotas { address_connections: 512, ..quotas() });
        let at_once = (0..64).all(|_| limits.new_connection(HERE) == Owed::Nothing);
        assert!(at_once, "64 of 512 at once");
        let waits: Vec<_> = (0..1_000).map(|_| limits.new_connection(HERE)).collect();
        assert!(matches!(waits[63], Owed::For(wait) if (900..=1_000).contains(&wait.as_millis())));
        assert_eq!(waits[999], Owed::TooMuch);
        assert_eq!(limits.new_connection(THERE), Owed::Nothing);
        let limits = Limits::new(&Quotas { address_connections: 0, ..quotas() });
        assert!((0..1_000).all(|_| limits.new_connection(HERE) == Owed::Nothing), "no limit");
    }

    #[tokio::test]
    async fn calls_beyond_the_server_limit_are_rejected_at_once() {
        let limits = Limits::new(&quotas());
        let in_progress: Vec<_> = (0..CALLS_IN_PROGRESS).map(|_| limits.enter().unwrap()).collect();
        assert_eq!(limits.enter().unwrap_err().reason(), ErrorReason::Overloaded);
        drop(in_progress);
        assert!(limits.enter().is_ok(), "there is room again");
    }
}
