//! Callers that were let in lately, so that not every call asks the store.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::bounded::Generations;
use crate::edge::Caller;

/// How many are remembered at least.
const CALLERS: usize = 10_000;
/// How long one is believed: another process on the same store may revoke a token, and nobody tells this one.
const BELIEVED: Duration = Duration::from_secs(30);

/// Callers by the hash of their token.
pub(super) struct KnownCallers(Mutex<State>);

struct State {
    callers: Generations<[u8; 32], (Caller, Instant)>,
    /// Counts what was forgotten on purpose.
    forgotten: u64,
}

/// The moment at which the store was asked. What it answers is not remembered if something was forgotten since: the
/// answer may be older than that.
pub(super) struct Asked {
    forgotten: u64,
    at: Instant,
}

impl Default for KnownCallers {
    fn default() -> Self {
        Self(Mutex::new(State { callers: Generations::new(CALLERS), forgotten: 0 }))
    }
}

impl KnownCallers {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The caller with this token, or the moment from which the store is asked for him.
    pub(super) fn find(&self, hash: &[u8; 32], now: Instant) -> Result<Caller, Asked> {
        let mut state = self.state();
        let forgotten = state.forgotten;
        match state.callers.get_mut(hash) {
            Some((caller, since)) if now.duration_since(*since) < BELIEVED => Ok(caller.clone()),
            _ => Err(Asked { forgotten, at: now }),
        }
    }

    pub(super) fn remember(&self, hash: [u8; 32], caller: Caller, asked: &Asked) {
        let mut state = self.state();
        if state.forgotten == asked.forgotten {
            state.callers.insert(hash, (caller, asked.at));
        }
    }

    pub(super) fn forget<'a>(&self, hashes: impl Iterator<Item = &'a [u8; 32]>) {
        let mut state = self.state();
        state.forgotten += 1;
        for hash in hashes {
            state.callers.remove(hash);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heliopause_proto::v1::AccountRole;

    fn caller() -> Caller {
        Caller { player_id: "p".into(), name: "Ann".into(), role: AccountRole::Player, token_id: "t".into() }
    }

    #[test]
    fn a_caller_is_believed_for_a_while() {
        let (known, now) = (KnownCallers::default(), Instant::now());
        let Err(asked) = known.find(&[1; 32], now) else { panic!("nobody is known") };
        known.remember([1; 32], caller(), &asked);
        let almost = now.checked_add(BELIEVED).unwrap().checked_sub(Duration::from_nanos(1)).unwrap();
        assert!(known.find(&[1; 32], almost).is_ok_and(|found| found == caller()));
        assert!(known.find(&[1; 32], now + BELIEVED).is_err());
    }

    #[test]
    fn an_answer_from_before_a_revocation_is_not_remembered() {
        let (known, now) = (KnownCallers::default(), Instant::now());
        let Err(asked) = known.find(&[1; 32], now) else { panic!("nobody is known") };
        known.forget([[1; 32]].iter());
        known.remember([1; 32], caller(), &asked);
        assert!(known.find(&[1; 32], now).is_err());
    }
}
