//! How many whole random games are played a second: ships go to stars nearby, land, fight and
//! attack; colonies emigrate and build.

#[path = "../tests/play/rough.rs"]
mod rough;

use heliopause_stellar_conquest::{Options, Variant};
use rough::Play;

fn main() {
    divan::main();
}

#[divan::bench(args = [2, 3, 4])]
fn random_game(bencher: divan::Bencher<'_, '_>, players: usize) {
    let mut seed = 0_u8;
    bencher.counter(1_u32).bench_local(|| {
        seed = seed.wrapping_add(1);
        Play::new(Options::default(), players, seed).play_out()
    });
}

#[divan::bench]
fn random_game_alone_in_outer_space(bencher: divan::Bencher<'_, '_>) {
    let mut seed = 0_u8;
    bencher.counter(1_u32).bench_local(|| {
        seed = seed.wrapping_add(1);
        Play::new(Options::of(Variant::OuterSpace), 4, seed).play_out()
    });
}

#[divan::bench]
fn clone_state(bencher: divan::Bencher<'_, '_>) {
    let play = Play::new(Options::default(), 4, 1);
    bencher.bench_local(|| play.game.clone());
}
