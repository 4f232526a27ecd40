//! Warnings to players, one test per rule.

use crate::sheet;

use heliopause_kernel::{Game, Viewer, Warning};
use heliopause_proto::starships_at_large::v1::Marker::{
    Asteroids, Dead, DeathStar, Friendly, Unfriendly,
};
use heliopause_starships::Starships;
use sheet::{A, B, Play, Sheet, seat};

fn warned(play: &Play, order: &str) -> Vec<Warning> {
    let view = play.game.view(Viewer::Seat(seat(A)));
    let orders = Starships::parse(&view, order).expect("an order");
    Starships::warnings(&view, orders.first())
}

fn codes(play: &Play, order: &str) -> Vec<&'static str> {
    warned(play, order).iter().map(|warning| warning.code).collect()
}

fn sentence(play: &Play, order: &str) -> String {
    warned(play, order).first().map(|warning| warning.sentence.clone()).unwrap_or_default()
}

#[test]
fn r4_warps_into_known_dangers_give_a_warning() {
    let sheet = || Sheet::players(2).hex((1, 0), Asteroids).ship(A, (0, 0));
    let order = "warp A1 via (1,0) to (2,0)";
    assert_eq!(codes(&sheet().play(), order), [""; 0], "what it does not know");
    let known = sheet().seen((1, 0), A).play();
    assert_eq!(codes(&known, order), ["warp-into-wreck"]);
    assert_eq!(
        sentence(&known, order),
        "A1 will be destroyed: this warp enters (1,0) (Asteroids)."
    );
    let zone = Sheet::players(2).zone((2, 0)).ship(A, (0, 0)).play();
    assert_eq!(codes(&zone, order), ["warp-into-wreck"]);
    assert_eq!(codes(&zone, "warp A1 via (0,1) to (0,2)"), [""; 0]);
}

#[test]
fn r6_entering_known_asteroids_gives_a_warning() {
    let known = Sheet::players(2).hex((1, 0), Asteroids).seen((1, 0), A).ship(A, (0, 0)).play();
    assert_eq!(codes(&known, "move A1 to (1,0)"), ["into-asteroids"]);
}

#[test]
fn rule_8_meeting_the_death_star_gives_a_warning() {
    let sheet = || Sheet::players(2).hex((3, 0), DeathStar).ship(A, (2, 0));
    assert_eq!(codes(&sheet().play(), "move A1 to (3,0)"), [""; 0], "nobody has seen it");
    let known = sheet().seen((3, 0), A).play();
    assert_eq!(codes(&known, "move A1 to (3,0)"), ["meets-death-star"]);
}

#[test]
fn rule_3_1_ending_arrivals_early_gives_a_warning() {
    let sheet = Sheet::players(1).planets(A, 3, 0).base(A, (0, 0)).ship(A, (0, 0));
    let play = sheet.arrivals(A, 2).play();
    assert_eq!(codes(&play, "build 1"), [""; 0]);
    assert_eq!(codes(&play, "move A1 to (1,0)"), ["arrivals-unused"]);
    let told = "You may still build two starships this turn, but only before any other action.";
    assert_eq!(sentence(&play, "end"), told);
}

#[test]
fn rule_4_1_uncolonized_open_planets_give_a_warning() {
    let sheet = || Sheet::players(2).hex((1, 0), Friendly).seen((1, 0), A).disrupted(A, (1, 0));
    let play = sheet().play();
    assert_eq!(codes(&play, "end"), ["planets-uncolonized"]);
    assert!(sentence(&play, "end").ends_with("without a roll: (1,0) (a Friendly planet)."));
    let owned = Sheet::players(2).owned((1, 0), Dead, A).disrupted(A, (1, 0)).play();
    assert_eq!(codes(&owned, "end"), [""; 0]);
    let elsewhere = Sheet::players(2).hex((1, 0), Dead).seen((1, 0), A).disrupted(A, (0, 0));
    assert_eq!(codes(&elsewhere.play(), "end"), [""; 0], "nobody is there");
}

#[test]
fn rule_4_2_unattempted_planets_give_a_warning() {
    let play =
        Sheet::players(2).hex((1, 0), Unfriendly).seen((1, 0), A).disrupted(A, (1, 0)).play();
    assert_eq!(codes(&play, "end"), ["planets-untried"]);
    let mut tried = play;
    tried.order(A, "diplomacy A1", &[6]);
    assert_eq!(codes(&tried, "end"), [""; 0]);
}

#[test]
fn rule_3_4_unmoved_starships_give_a_warning() {
    let play = Sheet::players(2).ship(A, (0, 0)).ship(B, (0, 0)).play();
    assert_eq!(sentence(&play, "end"), "One starship has not moved: A1.");
    let mut moved = play;
    moved.order(A, "move A1 to (1,0)", &[]);
    assert!(!codes(&moved, "end").contains(&"starships-unmoved"));
}

#[test]
fn rule_5_starships_above_the_sponsor_limit_give_a_warning() {
    let play = Sheet::players(2).disrupted(A, (0, 0)).disrupted(A, (0, 0)).base(A, (0, 0)).play();
    assert_eq!(codes(&play, "end"), ["too-many-starships"]);
    let told = "You have 2 starships and sponsors for 1: one must go.";
    assert_eq!(sentence(&play, "end"), told);
}

#[test]
fn r32_a_base_about_to_be_lost_gives_a_warning() {
    let out = |turns| Sheet::players(2).base_out(A, (2, 0), turns).play();
    assert_eq!(codes(&out(1), "end"), [""; 0]);
    assert_eq!(codes(&out(2), "end"), ["base-out-too-long"]);
}
