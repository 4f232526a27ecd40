//! Waiting for conditions in other processes.

use std::time::{Duration, Instant};

use tokio::time::sleep;

const TIMEOUT: Duration = Duration::from_mins(2);
const PAUSE: Duration = Duration::from_millis(20);

/// Polls until `look` returns a value. Panics after two minutes.
pub async fn until_some<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(begun.elapsed() < TIMEOUT, "timed out waiting until {what}");
        sleep(PAUSE).await;
    }
}

/// Polls until a condition is true. Panics after two minutes.
pub async fn until(what: &str, mut look: impl AsyncFnMut() -> bool) {
    until_some(what, async || look().await.then_some(())).await;
}

/// Polls until a condition is true, and blocks the thread meanwhile. Panics after two minutes.
pub fn wait_until(what: &str, mut look: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !look() {
        assert!(begun.elapsed() < TIMEOUT, "timed out waiting until {what}");
        std::thread::sleep(PAUSE);
    }
}

/// A small random generator with a seed, for repeatable actions.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}
