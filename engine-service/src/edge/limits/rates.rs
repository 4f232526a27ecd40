//! Token buckets by key. A bucket may go into debt.

use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::bounded::Generations;

/// Must exceed the number of active clients: an evicted client starts with a full bucket.
const CALLERS: usize = 65_536;

#[derive(Clone, Copy, Debug)]
struct Bucket {
    calls: f64,
    at: Instant,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Owed {
    Nothing,
    For(Duration),
    TooMuch,
}

#[derive(Debug)]
pub(super) struct Rates<K> {
    per_second: f64,
    burst: f64,
    buckets: Mutex<Generations<K, Bucket>>,
}

impl<K: Eq + Hash + Clone> Rates<K> {
    pub(super) fn new(per_second: f64, burst: f64) -> Option<Self> {
        (per_second > 0.0).then(|| Self {
            per_second,
            burst,
            buckets: Mutex::new(Generations::new(CALLERS)),
        })
    }

    /// Takes `calls` from the bucket. Returns the wait as an error if less than one call is left.
    pub(super) fn take(&self, key: &K, calls: f64, now: Instant) -> Result<(), Duration> {
        self.change(key, now, |bucket| {
            if bucket.calls < 1.0 {
                return Err(Duration::from_secs_f64((1.0 - bucket.calls) / self.per_second));
            }
            bucket.calls -= calls;
            Ok(())
        })
    }

    /// Charges units already received, and returns the wait until the debt is paid. Returns
    /// `TooMuch` if paying the earlier debt already takes `patience` or longer.
    pub(super) fn owe(&self, key: &K, much: f64, patience: Duration, now: Instant) -> Owed {
        let most = patience.as_secs_f64() * self.per_second;
        self.change(key, now, |bucket| {
            if bucket.calls <= -most {
                return Owed::TooMuch;
            }
            bucket.calls = (bucket.calls - much).max(-most);
            self.owed(bucket.calls)
        })
    }

    /// Takes one unit and returns the wait for it. Returns `TooMuch` and takes nothing if the wait
    /// would exceed `patience`.
    pub(super) fn queue(&self, key: &K, patience: Duration, now: Instant) -> Owed {
        self.change(key, now, |bucket| {
            let left = bucket.calls - 1.0;
            if left < -self.per_second * patience.as_secs_f64() {
                return Owed::TooMuch;
            }
            bucket.calls = left;
            self.owed(left)
        })
    }

    fn owed(&self, left: f64) -> Owed {
        if left >= 0.0 {
            Owed::Nothing
        } else {
            Owed::For(Duration::from_secs_f64(-left / self.per_second))
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flood_is_limited_to_the_rate_without_affecting_others() {
        let (rates, begin) = (Rates::new(10.0, 20.0).unwrap(), Instant::now());
        let flood = |now| (0..1_000).filter(|_| rates.take(&"flood", 1.0, now).is_ok()).count();
        assert_eq!(flood(begin), 20, "the burst");
        assert_eq!(flood(begin), 0);
        rates.take(&"other", 1.0, begin).expect("another is not disturbed");
        assert_eq!(flood(begin + Duration::from_secs(1)), 10, "the rate");
        assert_eq!(flood(begin + Duration::from_hours(1)), 20);
    }

    #[test]
    fn received_bytes_are_paid_for_in_turn() {
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
    fn retry_after_the_suggested_wait_succeeds() {
        let (rates, begin) = (Rates::new(0.1, 3.0).unwrap(), Instant::now());
        let waits = (0..4).filter_map(|_| rates.take(&"key", 1.0, begin).err()).collect::<Vec<_>>();
        let [wait] = waits[..] else { panic!("{waits:?}") };
        assert!(rates.take(&"key", 0.0, begin + wait / 2).is_err());
        let then = begin + wait + Duration::from_millis(1);
        rates.take(&"key", 0.0, then).expect("looking costs nothing");
        rates.take(&"key", 1.0, then).expect("one");
        rates.take(&"key", 1.0, then).expect_err("but not two");
    }
}
