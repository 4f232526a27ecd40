//! Benchmark of full random games with flights, landings, battles, emigration and building.

use heliopause_samples::quick_play::QuickGame;
use heliopause_stellar_conquest::{Options, Variant};

fn main() {
    divan::main();
}

#[divan::bench(args = [2, 3, 4])]
fn random_game(bencher: divan::Bencher<'_, '_>, players: usize) {
    let mut seed = 0_u8;
    bencher.counter(1_u32).bench_local(|| {
        seed = seed.wrapping_add(1);
        QuickGame::new(Options::default(), players, seed).play_out()
    });
}

#[divan::bench]
fn random_game_alone_in_outer_space(bencher: divan::Bencher<'_, '_>) {
    let mut seed = 0_u8;
    bencher.counter(1_u32).bench_local(|| {
        seed = seed.wrapping_add(1);
        QuickGame::new(Options::of(Variant::OuterSpace), 4, seed).play_out()
    });
}

#[divan::bench]
fn clone_state(bencher: divan::Bencher<'_, '_>) {
    let play = QuickGame::new(Options::default(), 4, 1);
    bencher.bench_local(|| play.game.clone());
}
