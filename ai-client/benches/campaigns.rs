//! Benchmarks of whole games between bots in one process.

use divan::Bencher;
use heliopause_ai::bot::Level;
use heliopause_ai::tournament::{Plan, play};
use heliopause_stellar_conquest::StellarConquest;

fn main() {
    divan::main();
}

fn bench(bencher: Bencher<'_, '_>, kind: &str, seats: usize, level: Level) {
    let mut seed = 0;
    bencher.counter(1_u32).bench_local(|| {
        seed += 1;
        let plan = Plan { seed, ..Plan::new(vec![level], seats, 1) };
        play::<StellarConquest>(kind, &plan).expect("the bots play to the end")
    });
}

#[divan::bench(args = Level::ALL, sample_count = 60, sample_size = 1)]
fn fate_of_empire(bencher: Bencher<'_, '_>, level: Level) {
    bench(bencher, "fate-of-empire", 1, level);
}

#[divan::bench(args = Level::ALL, sample_count = 20, sample_size = 1)]
fn four_powers(bencher: Bencher<'_, '_>, level: Level) {
    bench(bencher, "stellar-conquest", 4, level);
}

#[divan::bench(args = Level::ALL, sample_count = 20, sample_size = 1)]
fn alone_in_outer_space(bencher: Bencher<'_, '_>, level: Level) {
    bench(bencher, "alone-in-outer-space", 4, level);
}
