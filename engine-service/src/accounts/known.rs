//! A cache of recently authenticated callers, so that not every call queries the store.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::bounded::Generations;
use crate::caller::Caller;

const CALLERS: usize = 10_000;
/// The maximum age of a cached caller while the store is unavailable.
const OUTAGE_CACHE_TIME: Duration = Duration::from_mins(10);

pub(super) struct CallerCache {
    state: Mutex<State>,
    /// The maximum age of a cached caller. It is short, because another process may revoke the
    /// token.
    cache_time: Duration,
}

struct State {
    callers: Generations<[u8; 32], (Caller, Instant)>,
    invalidations: u64,
}

/// The state of the cache at the start of a query to the store. If the cache is invalidated during
/// the query, the result is not cached.
pub(super) struct QueryStart {
    invalidations: u64,
    at: Instant,
}

impl CallerCache {
    pub(super) fn new(cache_time: Duration) -> Self {
        Self {
            state: Mutex::new(State { callers: Generations::new(CALLERS), invalidations: 0 }),
            cache_time,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn find(&self, hash: &[u8; 32], now: Instant) -> Result<Caller, QueryStart> {
        let mut state = self.state();
        let invalidations = state.invalidations;
        match state.callers.get_mut(hash) {
            Some((caller, since)) if now.duration_since(*since) < self.cache_time => {
                Ok(caller.clone())
            }
            _ => Err(QueryStart { invalidations, at: now }),
        }
    }

    /// Returns a cached caller younger than [`OUTAGE_CACHE_TIME`], even if it is too old for
    /// `find`.
    pub(super) fn find_in_outage(&self, hash: &[u8; 32], now: Instant) -> Option<Caller> {
        let mut state = self.state();
        let (caller, since) = state.callers.get_mut(hash)?;
        (now.duration_since(*since) < OUTAGE_CACHE_TIME).then(|| caller.clone())
    }

    pub(super) fn remember(&self, hash: [u8; 32], caller: Caller, asked: &QueryStart) -> bool {
        let mut state = self.state();
        let fresh = state.invalidations == asked.invalidations;
        if fresh {
            state.callers.insert(hash, (caller, asked.at));
        }
        fresh
    }

    pub(super) fn invalidate_all(&self) {
        let mut state = self.state();
        state.invalidations += 1;
        state.callers.clear();
    }

    pub(super) fn invalidate<'a>(&self, hashes: impl Iterator<Item = &'a [u8; 32]>) {
        let mut state = self.state();
        state.invalidations += 1;
        for hash in hashes {
            state.callers.remove(hash);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heliopause_proto::v1::AccountRole;

    const CACHE_TIME: Duration = Duration::from_secs(30);

    fn caller() -> Caller {
        Caller {
            player_id: "p".into(),
            name: "Ann".into(),
            role: AccountRole::Player,
            token_id: "t".into(),
        }
    }

    #[test]
    fn cached_caller_expires() {
        let (known, now) = (CallerCache::new(CACHE_TIME), Instant::now());
        let Err(asked) = known.find(&[1; 32], now) else { panic!("nobody is known") };
        known.remember([1; 32], caller(), &asked);
        let almost =
            now.checked_add(CACHE_TIME).unwrap().checked_sub(Duration::from_nanos(1)).unwrap();
        assert!(known.find(&[1; 32], almost).is_ok_and(|found| found == caller()));
        assert!(known.find(&[1; 32], now + CACHE_TIME).is_err());
        assert_eq!(known.find_in_outage(&[1; 32], now + CACHE_TIME), Some(caller()));
        assert_eq!(known.find_in_outage(&[1; 32], now + OUTAGE_CACHE_TIME), None);
        assert!(known.remember([1; 32], caller(), &asked));
        known.invalidate_all();
        assert!(
            known.find(&[1; 32], now).is_err() && known.find_in_outage(&[1; 32], now).is_none()
        );
    }

    #[test]
    fn result_from_before_a_revocation_is_not_cached() {
        let (known, now) = (CallerCache::new(CACHE_TIME), Instant::now());
        let Err(asked) = known.find(&[1; 32], now) else { panic!("nobody is known") };
        known.invalidate([[1; 32]].iter());
        known.remember([1; 32], caller(), &asked);
        assert!(known.find(&[1; 32], now).is_err());
    }
}
