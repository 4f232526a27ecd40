//! The template game, played with the real programs that `.ci/run` builds.
#![cfg(feature = "template")]

use heliopause_tests::{AiClient, Engine, Person};

const SLINGSHOT: &str = "slingshot";

#[test]
fn slingshot_is_played_to_its_end_at_the_command_line_against_automation() {
    let engine = Engine::start();
    let _automation = AiClient::start(&engine);
    let ann = Person::registered(&engine.url(), "Ann");
    assert!(ann.reads(&["kinds"]).0.contains(SLINGSHOT));
    let game = ann.game(SLINGSHOT, &["--ai", "standard", "--start-when-full", "-o", "distance=30"]);
    let begun = std::time::Instant::now();
    let mut plans = 0;
    let shown = loop {
        assert!(begun.elapsed() < std::time::Duration::from_mins(1), "the race never ends");
        let shown = ann.does(&["show", &game]);
        if shown["game"]["status"] == "GAME_STATUS_ENDED" {
            break shown;
        }
        match shown["decision"]["kind"].as_str() {
            Some("burn") if shown["decision"]["ready"] != true => {
                // There is fuel for six such burns. The wind decides the number of rounds.
                let burn = if plans < 6 { "burn 2" } else { "burn 0" };
                ann.does(&["orders", &game, burn]);
                ann.does(&["ready", &game, "--yes"]);
                plans += 1;
            }
            Some("swing") => drop(ann.does(&["orders", &game, "coast"])),
            _ => std::thread::sleep(std::time::Duration::from_millis(20)),
        }
    };
    assert!(
        plans >= 3,
        "30 are at least four rounds of at most 9, the last of which may be the others'"
    );
    assert!(
        shown["game"]["outcome"]["winners"].as_array().is_some_and(|winners| !winners.is_empty()),
        "{shown}"
    );

    let felt = ann.does(&["history", &game])["events"].to_string().matches("Your wind is").count();
    let (board, _) = ann.reads(&["map", &game]);
    assert!(board.contains("of 30") && felt >= plans, "{board} {felt}");
    assert!(board.contains('?'), "the others' fuel is theirs to know: {board}");
    assert!(ann.fails(&["orders", &game, "burn 2"]).contains("WRONG_STATUS"));
    assert_eq!(ann.does(&["verify", &game])["valid"], true);
}

#[test]
fn slingshot_rejects_illegal_orders_and_hides_the_wind_of_others() {
    let (_engine, [ann, bob]) = Engine::with_people(["Ann", "Bob"]);
    let game = ann.game(SLINGSHOT, &["--open", "1", "--start-when-full"]);
    bob.does(&["join", &game]);
    let told = ann.fails(&["orders", &game, "burn 4"]);
    assert!(told.contains("burn-too-long") && told.contains(r#""rule":"2""#), "{told}");
    assert!(ann.fails(&["orders", &game, "jump 1"]).contains("burn 2"));
    assert!(
        ann.fails(&["new", SLINGSHOT, "--ai", "random", "-o", "distance=9"]).contains("distance")
    );
    let winds = |person: &Person| {
        let events = person.does(&["history", &game])["events"].to_string();
        events.matches("Your wind is").count()
    };
    assert_eq!((winds(&ann), winds(&bob)), (1, 1), "each feels their own");
}
