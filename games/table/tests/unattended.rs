//! Games with automation in every seat. They must end, because no person can end them.

use heliopause_proto::star_empires::v1 as star_empires;
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{AutomatedSeat, GameOptions, game_options};

use crate::scene::{Scene, automated, hosted, open};

/// Creates a game whose host has no seat.
fn create(seats: [PlannedSeat; 2], options: Option<star_empires::Options>) -> Scene {
    let options =
        options.map(|options| GameOptions { game: Some(game_options::Game::StarEmpires(options)) });
    Scene::new(Created {
        seats: seats.into(),
        options,
        pace: None,
        start_when_full: false,
        ..hosted("star-empires", &["ann"])
    })
}

fn end_of(scene: &Scene) -> (Option<u32>, Option<bool>) {
    match scene.seen("ann").options.and_then(|options| options.game) {
        Some(game_options::Game::StarEmpires(options)) => {
            (options.last_turn, options.automatic_victory)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn rules_16_fully_automated_games_show_a_last_turn() {
    let mut scene = create([automated(), automated()], None);
    assert_eq!(end_of(&scene), (Some(60), Some(true)));
    scene.start("ann", None);
    assert_eq!(scene.seen("ann").progress, "map 0 of 60");
}

#[test]
fn rules_16_seats_filled_at_the_start_set_a_last_turn() {
    let mut scene = create([open(), automated()], None);
    assert_eq!(end_of(&scene), (None, None), "somebody may come");
    scene.start("ann", Some(AutomatedSeat::default()));
    assert_eq!(end_of(&scene), (Some(60), Some(true)));
    assert_eq!(scene.seen("ann").progress, "map 0 of 60");
}

#[test]
fn rules_16_explicit_options_are_preserved() {
    let said = star_empires::Options {
        last_turn: Some(0),
        automatic_victory: Some(false),
        ..Default::default()
    };
    let mut scene = create([automated(), automated()], Some(said));
    scene.start("ann", None);
    assert_eq!(end_of(&scene), (Some(0), Some(false)));
    assert_eq!(scene.seen("ann").progress, "map 0");
}
