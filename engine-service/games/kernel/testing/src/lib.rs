//! How property tests draw their cases, the same in every game.
//!
//! A run of the tests gives the same answer twice: each test draws the same cases every time.
//! Exploration is separate: with `HELIOPAUSE_EXPLORE=N` in the environment each test draws N times
//! as many cases, from new seeds. A file beside the test (`properties.failures`) keeps every case
//! that fails, here or there, and later runs try it first.

use proptest::test_runner::{Config, FileFailurePersistence, RngSeed};

/// The source of all cases of an ordinary run.
const SEED: u64 = 1901;

/// The configuration of a property test that draws so many cases in an ordinary run.
///
/// # Panics
///
/// If `HELIOPAUSE_EXPLORE` is no number from 1.
#[must_use]
pub fn cases(ordinary: u32) -> Config {
    let explored = std::env::var("HELIOPAUSE_EXPLORE").ok();
    let times = explored.as_ref().map(|times| times.parse().ok().filter(|times| *times > 0));
    let (cases, rng_seed) = match times {
        None => (ordinary, RngSeed::Fixed(SEED)),
        Some(Some(times)) => (ordinary.saturating_mul(times), RngSeed::Random),
        Some(None) => panic!(
            "HELIOPAUSE_EXPLORE says how many times as many cases are drawn: a number from 1"
        ),
    };
    let failure_persistence = Some(Box::new(FileFailurePersistence::WithSource("failures")) as _);
    Config { cases, rng_seed, failure_persistence, ..Config::default() }
}
