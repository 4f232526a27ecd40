//! How long it takes to see: the views of all empires. The figure to keep: 12 empires (600 worlds, 3,000 ships) in 10 ms.

mod war;

use divan::Bencher;
use heliopause_kernel::Seat;
use war::{Kind, War};

fn main() {
    divan::main();
}

/// Empires and ships of each.
const SIZES: [(usize, usize); 4] = [(12, 250), (12, 1000), (60, 250), (60, 1000)];

#[divan::bench(args = SIZES)]
fn views_of_all_empires(bencher: Bencher<'_, '_>, (empires, ships): (usize, usize)) {
    let mut war = War::ordered(Kind::War, empires, ships);
    war.close();
    bencher.bench_local(|| Seat::first(empires).map(|seat| war.view(seat)).collect::<Vec<_>>());
}
