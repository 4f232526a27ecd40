//! Callers that were let in lately, so that not every call asks the store.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::bounded::Generations;
use crate::edge::Caller;

/// How many are remembered at least.
const CALLERS: usize = 10_000;
/// How long one is believed who was let in before the store went away: nobody can be shut out in
/// the meantime.
const BELIEVED_IN_NEED: Duration = Duration::from_mins(10);

/// Callers by the hash of their token.
pub(super) struct KnownCallers {
    state: Mutex<State>,
    /// How long one is believed: another process on the same store may revoke a token.
    believed: Duration,
}

struct State {
    callers: Generations<[u8; 32], (Caller, Instant)>,
    /// Counts what was forgotten on purpose.
    forgotten: u64,
}

/// The moment at which the store was asked. What it answers is not remembered if something was
/// forgotten since: the answer may be older than that.
pub(super) struct Asked {
    forgotten: u64,
    at: Instant,
}

impl KnownCallers {
    pub(super) fn new(believed: Duration) -> Self {
        Self {
            state: Mutex::new(State { callers: Generations::new(CALLERS), forgotten: 0 }),
            believed,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The caller with this token, or the moment from which the store is asked for them.
    pub(super) fn find(&self, hash: &[u8; 32], now: Instant) -> Result<Caller, Asked> {
        let mut state = self.state();
        let forgotten = state.forgotten;
        match state.callers.get_mut(hash) {
            Some((caller, since)) if now.duration_since(*since) < self.believed => {
                Ok(caller.clone())
            }
            _ => Err(Asked { forgotten, at: now }),
        }
    }

    /// The caller with this token, while the store cannot be asked.
    pub(super) fn find_in_need(&self, hash: &[u8; 32], now: Instant) -> Option<Caller> {
        let mut state = self.state();
        let (caller, since) = state.callers.get_mut(hash)?;
        (now.duration_since(*since) < BELIEVED_IN_NEED).then(|| caller.clone())
    }

    /// Answers whether it is remembered: not if somebody was forgotten on purpose in the meantime.
    pub(super) fn remember(&self, hash: [u8; 32], caller: Caller, asked: &Asked) -> bool {
        let mut state = self.state();
        let fresh = state.forgotten == asked.forgotten;
        if fresh {
            state.callers.insert(hash, (caller, asked.at));
        }
        fresh
    }

    /// Forgets everybody: an account changed, by another process's doing.
    pub(super) fn forget_all(&self) {
        let mut state = self.state();
        state.forgotten += 1;
        state.callers.clear();
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

    const BELIEVED: Duration = Duration::from_secs(30);

    fn caller() -> Caller {
        Caller {
            player_id: "p".into(),
            name: "Ann".into(),
            role: AccountRole::Player,
            token_id: "t".into(),
        }
    }

    #[test]
    fn a_caller_is_believed_for_a_while() {
        let (known, now) = (KnownCallers::new(BELIEVED), Instant::now());
        let Err(asked) = known.find(&[1; 32], now) else { panic!("nobody is known") };
        known.remember([1; 32], caller(), &asked);
        let almost =
            now.checked_add(BELIEVED).unwrap().checked_sub(Duration::from_nanos(1)).unwrap();
        assert!(known.find(&[1; 32], almost).is_ok_and(|found| found == caller()));
        assert!(known.find(&[1; 32], now + BELIEVED).is_err());
        assert_eq!(
            known.find_in_need(&[1; 32], now + BELIEVED),
            Some(caller()),
            "the store cannot be asked"
        );
        assert_eq!(known.find_in_need(&[1; 32], now + BELIEVED_IN_NEED), None);
        assert!(known.remember([1; 32], caller(), &asked));
        known.forget_all();
        assert!(known.find(&[1; 32], now).is_err() && known.find_in_need(&[1; 32], now).is_none());
    }

    #[test]
    fn an_answer_from_before_a_revocation_is_not_remembered() {
        let (known, now) = (KnownCallers::new(BELIEVED), Instant::now());
        let Err(asked) = known.find(&[1; 32], now) else { panic!("nobody is known") };
        known.forget([[1; 32]].iter());
        known.remember([1; 32], caller(), &asked);
        assert!(known.find(&[1; 32], now).is_err());
    }
}
