//! Selection of cases for property tests. Each test uses the same cases every time: the first half
//! in `./test`, all in `./test --all` (`HELIOPAUSE_TEST_ALL`). `HELIOPAUSE_EXPLORE=N` runs N times
//! as many from random seeds, after the failing cases in a file beside the test.

use proptest::prelude::any;
use proptest::test_runner::{Config, FileFailurePersistence, RngSeed, TestRunner};

use crate::Rng;
use crate::contract::Property;

const SEED: u64 = 1901;

/// Returns the configuration of a property test with `ordinary` cases in `./test --all`.
///
/// # Panics
/// If `HELIOPAUSE_EXPLORE` is not a positive number.
#[must_use]
pub fn cases(ordinary: u32) -> Config {
    let all = std::env::var_os("HELIOPAUSE_TEST_ALL").is_some();
    let explored = std::env::var("HELIOPAUSE_EXPLORE").ok();
    let times = explored.as_ref().map(|times| times.parse().ok().filter(|times| *times > 0));
    let (cases, rng_seed) = match times {
        None if all => (ordinary, RngSeed::Fixed(SEED)),
        None => (ordinary.div_ceil(2), RngSeed::Fixed(SEED)),
        Some(Some(times)) => (ordinary.saturating_mul(times), RngSeed::Random),
        Some(None) => {
            panic!("HELIOPAUSE_EXPLORE must be a number of at least 1, the factor of cases to draw")
        }
    };
    let failure_persistence = Some(Box::new(FileFailurePersistence::WithSource("failures")) as _);
    Config { cases, rng_seed, failure_persistence, ..Config::default() }
}

/// Tests a property of play with random seeds.
pub fn explore(ordinary: u32, file: &'static str, test: &'static str, property: Property) {
    // A smaller seed would be a different game, so failures cannot be shrunk.
    let config = Config {
        source_file: Some(file),
        test_name: Some(test),
        max_shrink_iters: 0,
        ..cases(ordinary)
    };
    let checked = TestRunner::new(config).run(&any::<u64>(), |number| {
        property(Rng::new(number));
        Ok(())
    });
    if let Err(failure) = checked {
        panic!("{failure}");
    }
}
