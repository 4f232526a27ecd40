//! How long pictures take: from a view to the SVG document.
//!
//! The figures to keep: the largest galaxy of Star Empires (60 empires) under 50 ms, all other
//! games under 5 ms.

#[path = "../tests/pictures/played.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod played;
#[path = "../../star-empires/benches/war/mod.rs"]
mod war;

use divan::Bencher;
use divan::counter::BytesCount;
use heliopause_games::{Diplomacy, StarEmpires, Starships, StellarConquest};
use heliopause_kernel::{Game as _, Seat, Viewer};
use heliopause_proto::v1::Game;
use heliopause_render::Renderer;
use heliopause_render::svg::Look;
use played::Played;
use war::{Kind, War};

fn main() {
    divan::main();
}

/// Empires and ships of each.
const SIZES: [(usize, usize); 3] = [(12, 250), (60, 250), (60, 1000)];

/// The map of an empire in the middle of a war, after its update.
#[divan::bench(args = SIZES)]
fn an_empire(bencher: Bencher<'_, '_>, size: (usize, usize)) {
    draw_war(bencher, size, Viewer::Seat(Seat::at(5)));
}

/// The whole galaxy, as the game master sees it, and everybody once the game is over.
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

/// How many decisions were made before the picture.
const DECISIONS: usize = 200;

/// Plays an edition by chance, then draws what the viewer sees.
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

/// Stellar Conquest, The Fate of Empire, Alone in Outer Space.
#[divan::bench(args = 0..3)]
fn stellar_conquest(bencher: Bencher<'_, '_>, edition: usize) {
    draw_game::<StellarConquest>(bencher, edition, Viewer::GameMaster);
}

/// Diplomacy, and "...It Came From Outer Space!"
#[divan::bench(args = 0..2)]
fn diplomacy(bencher: Bencher<'_, '_>, edition: usize) {
    draw_game::<Diplomacy>(bencher, edition, Viewer::Spectator);
}
