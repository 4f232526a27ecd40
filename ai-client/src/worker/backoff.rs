//! Waits between attempts to connect to the engine.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::time::Duration;

/// The first wait, which doubles after each failure.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const MAX_WAIT: Duration = Duration::from_secs(30);
/// Maximum wait if the next attempt may connect to another engine.
const MAX_WAIT_ELSEWHERE: Duration = Duration::from_secs(3);

/// Exponential backoff, with jitter against simultaneous reconnects after an engine restarts.
#[derive(Debug)]
pub(super) struct Backoff {
    failures: u32,
    jitter: RandomState,
}

impl Backoff {
    pub(super) fn new() -> Self {
        Self { failures: 0, jitter: RandomState::new() }
    }

    pub(super) fn reset(&mut self) {
        self.failures = 0;
    }

    /// Returns the next wait: 50 to 100% of a time that doubles with each failure up to a maximum.
    pub(super) fn next(&mut self) -> Duration {
        let whole = FIRST_WAIT.saturating_mul(1 << self.failures.min(16)).min(MAX_WAIT);
        self.failures = self.failures.saturating_add(1);
        let half = whole / 2;
        half + half * self.random_percent() / 100
    }

    pub(super) fn next_elsewhere(&mut self) -> Duration {
        self.next().min(MAX_WAIT_ELSEWHERE)
    }

    /// Returns a random percentage. Uses the standard library's hashers, whose random seeds are
    /// enough for jitter.
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
    fn waits_grow_to_the_maximum_and_reset_after_success() {
        let mut backoff = Backoff::new();
        let waits: Vec<Duration> = (0..40).map(|_| backoff.next()).collect();
        assert!(waits[0] >= FIRST_WAIT / 2 && waits[0] <= FIRST_WAIT);
        assert!(waits[3] >= FIRST_WAIT * 4 && waits[3] <= FIRST_WAIT * 8);
        assert!(
            waits[8..].iter().all(|&wait| wait >= MAX_WAIT / 2 && wait <= MAX_WAIT),
            "{waits:?}"
        );
        backoff.reset();
        assert!(backoff.next() <= FIRST_WAIT);
    }
}
