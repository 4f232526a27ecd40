//! Benchmarks of creating the views of all empires and the offers of one empire.
//!
//! Targets: the views of 12 empires (600 worlds, 3,000 ships) in 10 ms, and the offers of one of
//! these empires in 2 ms.

use divan::Bencher;
use heliopause_kernel::{Game, Seat};
use heliopause_samples::war::{Kind, War};

fn main() {
    divan::main();
}

/// Pairs of the number of empires and the number of ships per empire.
const SIZES: [(usize, usize); 4] = [(12, 250), (12, 1000), (60, 250), (60, 1000)];

#[divan::bench(args = SIZES)]
fn views_of_all_empires(bencher: Bencher<'_, '_>, (empires, ships): (usize, usize)) {
    let mut war = War::ordered(Kind::War, empires, ships);
    war.close();
    bencher.bench_local(|| Seat::first(empires).map(|seat| war.view(seat)).collect::<Vec<_>>());
}

#[divan::bench(args = SIZES)]
fn offers_of_an_empire(bencher: Bencher<'_, '_>, (empires, ships): (usize, usize)) {
    let war = War::new(Kind::War, empires, ships);
    bencher.bench_local(|| war.game.offers(Seat::at(5)));
}
