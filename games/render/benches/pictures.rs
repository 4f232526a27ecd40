//! Benchmarks of drawing a view as an SVG document.
//!
//! Targets: 50 ms for the largest galaxy of Star Empires (60 empires), 5 ms for all other games.

#[path = "../tests/pictures/played.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod played;

use divan::Bencher;
use divan::counter::BytesCount;
use heliopause_games::{Diplomacy, StarEmpires, Starships, StellarConquest};
use heliopause_kernel::{Game as _, Seat, Viewer};
use heliopause_proto::v1::Game;
use heliopause_render::Renderer;
use heliopause_render::svg::Look;
use heliopause_samples::war::{Kind, War};
use played::Played;

fn main() {
    divan::main();
}

/// Pairs of the number of empires and the number of ships per empire.
const SIZES: [(usize, usize); 3] = [(12, 250), (60, 250), (60, 1000)];

#[divan::bench(args = SIZES)]
fn an_empire(bencher: Bencher<'_, '_>, size: (usize, usize)) {
    draw_war(bencher, size, Viewer::Seat(Seat::at(5)));
}

#[divan::bench(args = SIZES)]
fn the_whole_galaxy(bencher: Bencher<'_, '_>, size: (usize, usize)) {
    draw_war(bencher, size, Viewer::GameMaster);
}

fn draw_war(bencher: Bencher<'_, '_>, (empires, ships): (usize, usize), viewer: Viewer) {
    let mut war = War::ordered(Kind::War, empires, ships);
    war.close();
    let (view, around, look) = (war.game.view(viewer), Game::default(), Look::default());
    let draw = || StarEmpires::drawing(&view, &around, &[]).svg(&look);
    bencher.counter(BytesCount::of_str(&draw())).bench_local(draw);
}

/// The number of random decisions before the view is drawn.
const DECISIONS: usize = 200;

fn draw_game<G: Renderer>(bencher: Bencher<'_, '_>, nth: usize, viewer: Viewer) {
    let mut game = Played::<G>::begin(&G::editions()[nth]);
    game.play(DECISIONS);
    let ((view, told), look) = (game.seen(viewer), Look::default());
    let draw = || G::drawing(&view, &game.around, &told).svg(&look);
    bencher.counter(BytesCount::of_str(&draw())).bench_local(draw);
}

#[divan::bench]
fn starships_at_large(bencher: Bencher<'_, '_>) {
    draw_game::<Starships>(bencher, 0, Viewer::Seat(Seat::at(0)));
}

#[divan::bench(args = 0..3)]
fn stellar_conquest(bencher: Bencher<'_, '_>, edition: usize) {
    draw_game::<StellarConquest>(bencher, edition, Viewer::GameMaster);
}

#[divan::bench(args = 0..2)]
fn diplomacy(bencher: Bencher<'_, '_>, edition: usize) {
    draw_game::<Diplomacy>(bencher, edition, Viewer::Spectator);
}
