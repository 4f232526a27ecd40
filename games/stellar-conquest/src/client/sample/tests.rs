//! Tests that samples are valid states and reproduce the views they were made from.

use heliopause_kernel::{Game, Seat, Viewer};

use crate::state::StellarConquest;
use crate::tables::{CardId, Fleet};
use crate::testing::{Scene, place, seat};

fn numbers(mut state: u64) -> impl FnMut() -> u64 {
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 16
    }
}

fn viewers(game: &StellarConquest) -> Vec<Viewer> {
    let seats = Seat::first(game.table().seats()).map(Viewer::Seat);
    seats.chain([Viewer::Spectator, Viewer::GameMaster]).collect()
}

fn check(game: &StellarConquest) {
    for viewer in viewers(game) {
        let view = game.view(viewer);
        for seed in 0..20 {
            let sample = StellarConquest::sample(&view, &mut numbers(seed));
            assert_eq!(sample.check(), Ok(()), "{viewer:?}");
            assert_eq!(sample.view(viewer), view, "{viewer:?}");
        }
    }
}

#[test]
fn rule_3_1_samples_shuffle_unknown_cards() {
    let view = crate::wire::tests::rich().view(Viewer::Seat(seat(1)));
    let decks =
        |seed| StellarConquest::sample(&view, &mut numbers(seed)).truth().secrets.decks.clone();
    assert_ne!(decks(1), decks(2));
    assert_eq!(decks(1), decks(1));
    let known = CardId::numbered(24).unwrap();
    assert!((0..20).all(|seed| decks(seed).iter().flatten().all(|&card| card != known)));
}

#[test]
fn rule_10_sampled_ships_match_the_last_sighting() {
    let view = crate::wire::tests::rich().view(Viewer::Seat(seat(1)));
    let sample = StellarConquest::sample(&view, &mut numbers(5));
    assert_eq!(sample.power(seat(2)).fleet_at(place("P18")), Fleet::new([1, 2, 3, 4, 5]));
    assert!(sample.power(seat(3)).fleet_at(place("Q11")).total() >= 1);
}

#[test]
fn fate_6_2_sampled_cards_fit_every_known_world() {
    let mut scene = Scene::fate();
    // Cards 24, 25 and 28 all fit the colony at Alcor. Only card 24 fits both worlds of Ceti.
    scene.explored(seat(1), "Alcor", 25);
    scene.explored(seat(1), "Ceti", 24);
    scene.colony(seat(3), "Alcor", 0, |colony| colony);
    scene.colony(seat(3), "Ceti", 0, |colony| colony);
    scene.colony(seat(3), "Ceti", 1, |colony| colony);
    check(&scene.game);
}
