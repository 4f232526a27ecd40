//! Searches for games in the terminal.

use heliopause_tests::{Engine, Person, STARSHIPS};

fn found(who: &Person, arguments: &[&str]) -> Vec<String> {
    let listed = who.does(&[&["games"], arguments].concat());
    let games = listed["games"].as_array().expect("a list").iter();
    games.map(|game| game["gameId"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn games_are_found_by_kind_player_state_and_date() {
    let (_engine, [ann, bob]) = Engine::with_people(["Ann", "Bob"]);
    let game = ann.game(STARSHIPS, &[]);
    let other = bob.game("star-empires", &["--open", "1"]);
    let private = ann.game(STARSHIPS, &["--private"]);
    assert_eq!(found(&bob, &["--player", "Ann"]), [game.as_str()]);
    assert_eq!(found(&ann, &["search", "--player", "Ann"]), [private, game.clone()]);
    assert_eq!(found(&ann, &["--kind", "star-empires"]), [other.as_str()]);
    assert_eq!(found(&ann, &["--state", "forming", "--player", "Bob"]), [other]);
    assert_eq!(found(&bob, &["--created-after", "2000-01-01", "--player", "Ann"]), [game.as_str()]);
    assert!(found(&bob, &["--created-before", "2000-01-01"]).is_empty());
    assert!(found(&bob, &["--ended-after", "2000-01-01T12:00Z"]).is_empty());
    assert!(found(&bob, &["--rated"]).is_empty());
    assert!(found(&bob, &["--rated=false", "--player", "Ann"]).contains(&game));
    assert!(found(&bob, &[]).len() == 1, "without a filter, these are the player's own games");

    let refused = bob.fails(&["games", "--player", "Nobody"]);
    assert!(refused.contains("NOT_FOUND"), "{refused}");
    let refused = bob.fails(&["games", "--ended-after", "yesterday"]);
    assert!(refused.contains("a date such as 2026-11-30"), "{refused}");
    let refused =
        bob.fails(&["games", "--ended-after", "2026-01-02", "--ended-before", "2026-01-02"]);
    assert!(refused.contains("The end of the range of times must be later"), "{refused}");

    ann.does(&["account", "privacy", "--games", "hide"]);
    assert!(found(&bob, &["--player", "Ann"]).is_empty());
    assert_eq!(found(&ann, &["--player", "Ann"]).len(), 2);
}
