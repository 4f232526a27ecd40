//! How much one caller may ask for, and how much all together.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use heliopause_proto::v1::ErrorReason;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Caller;
use super::errors::Failure;
use crate::bounded::Generations;
use crate::config::Quotas;

/// How many callers' rates are remembered at least. Whoever is forgotten begins anew, so it is far more than can be
/// busy within the time in which a bucket fills.
const CALLERS: usize = 65_536;
/// How many calls may be under way at once, streams not counted; more are refused at once instead of queueing.
const CALLS_UNDER_WAY: usize = 4_096;

/// How much a caller has left: it fills with time.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    calls: f64,
    at: Instant,
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
        (per_second > 0.0).then(|| Self { per_second, burst, buckets: Mutex::new(Generations::new(CALLERS)) })
    }

    /// Takes so many calls (0 only looks whether one is left), or says how long to wait for one.
    fn take(&self, key: &K, calls: f64, now: Instant) -> Result<(), Duration> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.get_mut(key).is_none() {
            buckets.insert(key.clone(), Bucket { calls: self.burst, at: now });
        }
        let bucket = buckets.get_mut(key).expect("it was just put there");
        let filled = now.saturating_duration_since(bucket.at).as_secs_f64() * self.per_second;
        *bucket = Bucket { calls: (bucket.calls + filled).min(self.burst), at: now };
        if bucket.calls < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - bucket.calls) / self.per_second));
        }
        bucket.calls -= calls;
        Ok(())
    }
}

/// The limits of the server.
#[derive(Debug)]
pub struct Limits {
    calls: Option<Rates<Arc<str>>>,
    knocks: Option<Rates<IpAddr>>,
    streams_max: u32,
    streams: Mutex<HashMap<Arc<str>, u32>>,
    under_way: Arc<Semaphore>,
}

fn limited(what: &str, wait: Duration) -> Failure {
    // Rounded up, so that whoever waits as told is let in.
    let wait = Duration::from_millis(wait.as_millis() as u64 + 1);
    Failure::new(ErrorReason::RateLimited, format!("too many {what}; wait {} ms", wait.as_millis())).retry(wait)
}

impl Limits {
    /// Limits by quotas.
    pub fn new(quotas: &Quotas) -> Self {
        let (calls, knocks) = (f64::from(quotas.calls_per_second), f64::from(quotas.knocks_per_minute));
        Self {
            calls: Rates::new(calls, calls * 2.0),
            knocks: Rates::new(knocks / 60.0, knocks),
            streams_max: quotas.streams,
            streams: Mutex::new(HashMap::new()),
            under_way: Arc::new(Semaphore::new(CALLS_UNDER_WAY)),
        }
    }

    /// Counts a call of a player.
    pub(super) fn call(&self, caller: &Caller) -> Result<(), Failure> {
        let Some(calls) = &self.calls else { return Ok(()) };
        calls.take(&caller.player_id, 1.0, Instant::now()).map_err(|wait| limited("calls", wait))
    }

    /// Counts a registration, or a wrong token, from an address.
    pub(super) fn knock(&self, address: IpAddr) -> Result<(), Failure> {
        self.knocks(address, 1.0)
    }

    /// Refuses an address that knocked too often, before its token costs a look into the store.
    pub(super) fn may_knock(&self, address: IpAddr) -> Result<(), Failure> {
        self.knocks(address, 0.0)
    }

    fn knocks(&self, address: IpAddr, count: f64) -> Result<(), Failure> {
        let Some(knocks) = &self.knocks else { return Ok(()) };
        knocks
            .take(&network(address), count, Instant::now())
            .map_err(|wait| limited("attempts from this address", wait))
    }

    /// Admits a call among those under way.
    pub(super) fn enter(&self) -> Result<OwnedSemaphorePermit, Failure> {
        Arc::clone(&self.under_way).try_acquire_owned().map_err(|_| {
            let message = "the server has as many calls under way as it takes";
            Failure::new(ErrorReason::Overloaded, message).retry(Duration::from_millis(200))
        })
    }

    fn streams(&self) -> MutexGuard<'_, HashMap<Arc<str>, u32>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits a stream of a player, who may have so many open at once. It counts until the pass is dropped.
    pub fn stream(self: &Arc<Self>, caller: &Caller) -> Result<StreamPass, Failure> {
        let mut streams = self.streams();
        let open = streams.entry(Arc::clone(&caller.player_id)).or_default();
        if *open >= self.streams_max {
            let message = format!("you have {open} streams open, which is the limit; close one first");
            let failure = Failure::new(ErrorReason::QuotaExceeded, message);
            return Err(failure.with("quota", "streams").with("limit", self.streams_max));
        }
        *open += 1;
        Ok(StreamPass { limits: Arc::clone(self), player_id: Arc::clone(&caller.player_id) })
    }
}

/// One open stream of a player.
#[derive(Debug)]
pub struct StreamPass {
    limits: Arc<Limits>,
    player_id: Arc<str>,
}

impl Drop for StreamPass {
    fn drop(&mut self) {
        let mut streams = self.limits.streams();
        if let Some(open) = streams.get_mut(&self.player_id) {
            *open -= 1;
            if *open == 0 {
                streams.remove(&self.player_id);
            }
        }
    }
}

/// The network that an address stands for: who has one IPv6 address has 2^64 of them.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heliopause_proto::v1::AccountRole;

    fn quotas() -> Quotas {
        let (message_bytes, connections) = (1, 1);
        Quotas { message_bytes, calls_per_second: 10, knocks_per_minute: 6, streams: 2, games: 1, connections }
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
        assert_eq!(flood(begin + Duration::from_hours(1)), 20, "no more than the burst is saved up");
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
            limits.call(&caller("p")).unwrap();
            limits.knock(IpAddr::from([192, 0, 2, 1])).unwrap();
        }
    }

    #[test]
    fn an_ipv6_network_counts_as_one() {
        let address = |text: &str| network(text.parse().unwrap());
        assert_eq!(address("2001:db8::1"), address("2001:db8::ffff:1"));
        assert_ne!(address("2001:db8::1"), address("2001:db8:0:1::1"));
        assert_eq!(address("::ffff:192.0.2.1"), address("192.0.2.1"));
    }

    #[tokio::test]
    async fn a_player_has_so_many_streams_and_no_more() {
        let limits = Arc::new(Limits::new(&quotas()));
        let first = limits.stream(&caller("p")).unwrap();
        let _second = limits.stream(&caller("p")).unwrap();
        assert_eq!(limits.stream(&caller("p")).unwrap_err().reason(), ErrorReason::QuotaExceeded);
        limits.stream(&caller("q")).expect("another player is not disturbed");
        drop(first);
        let _third = limits.stream(&caller("p")).expect("one was closed");
        assert_eq!(limits.streams().len(), 1, "players without streams are forgotten");
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
