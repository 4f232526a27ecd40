//! How long to wait before the next attempt to reach the engine.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::time::Duration;

/// The first wait, doubled after each failure.
const FIRST: Duration = Duration::from_millis(500);
/// No wait is longer.
const LONGEST: Duration = Duration::from_secs(30);
/// Nor, where the next attempt may reach another engine.
const LONGEST_ELSEWHERE: Duration = Duration::from_secs(3);

/// Exponential backoff with jitter: when an engine comes back, its workers do not all knock in the
/// same instant.
#[derive(Debug)]
pub(super) struct Backoff {
    failures: u32,
    jitter: RandomState,
}

impl Backoff {
    pub(super) fn new() -> Self {
        Self { failures: 0, jitter: RandomState::new() }
    }

    /// The last attempt went well: begin with short waits again.
    pub(super) fn reset(&mut self) {
        self.failures = 0;
    }

    /// The wait before the next attempt: between half and all of the doubled time.
    pub(super) fn next(&mut self) -> Duration {
        let whole = FIRST.saturating_mul(1 << self.failures.min(16)).min(LONGEST);
        self.failures = self.failures.saturating_add(1);
        let half = whole / 2;
        half + half * self.random_percent() / 100
    }

    /// The wait before the next attempt where that may reach another engine.
    pub(super) fn next_elsewhere(&mut self) -> Duration {
        self.next().min(LONGEST_ELSEWHERE)
    }

    /// 0 to 100. The standard library seeds each process's hashers by itself, which is all the
    /// chance that jitter needs.
    fn random_percent(&self) -> u32 {
        let mut hasher = self.jitter.build_hasher();
        hasher.write_u32(self.failures);
        (hasher.finish() % 101) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_the_cap_and_begin_again_after_a_success() {
        let mut backoff = Backoff::new();
        let waits: Vec<Duration> = (0..40).map(|_| backoff.next()).collect();
        assert!(waits[0] >= FIRST / 2 && waits[0] <= FIRST);
        assert!(waits[3] >= FIRST * 4 && waits[3] <= FIRST * 8);
        assert!(waits[8..].iter().all(|&wait| wait >= LONGEST / 2 && wait <= LONGEST), "{waits:?}");
        backoff.reset();
        assert!(backoff.next() <= FIRST);
    }
}
