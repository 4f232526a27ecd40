//! A tournament by the command line, with automated players, to its end.

use std::time::Duration;

use heliopause_tests::{AiClient, Engine, Person};
use serde_json::Value;

const TIMEOUT: Duration = Duration::from_mins(4);

fn show(person: &Person, id: &str) -> Value {
    person.does(&["tournament", "show", id])
}

#[test]
fn bots_play_a_round_robin_to_its_end() {
    let engine = Engine::start();
    let _bots = AiClient::start(&engine);
    let host = Person::registered(&engine.url(), "Host");
    let created = host.does(&[
        "tournament",
        "create",
        "star-empires",
        "--name",
        "Bot Cup",
        "--system",
        "round-robin",
        "--bots",
        "--rated",
        "-o",
        "last_turn=2",
    ]);
    let id = created["tournament"]["tournamentId"].as_str().expect("an id").to_owned();
    for level in ["random", "standard", "strong"] {
        host.does(&["tournament", "join", &id, "--bot", level]);
    }
    let (listed, _) = host.reads(&["tournament", "list", "--status", "canceled"]);
    assert!(!listed.contains(&id), "{listed}");
    let (listed, _) = host.reads(&["tournament", "list", "--status", "open"]);
    assert!(listed.contains(&id) && listed.contains("3/24"), "{listed}");
    assert!(host.reads(&["tournament", "withdraw", &id]).0.contains("You have not entered."));
    host.does(&["tournament", "start", &id]);
    let begun = std::time::Instant::now();
    let ended = loop {
        let shown = show(&host, &id);
        if shown["tournament"]["status"] == "TOURNAMENT_STATUS_ENDED" {
            break shown;
        }
        assert!(begun.elapsed() < TIMEOUT, "{shown}");
        std::thread::sleep(Duration::from_millis(500));
    };
    let rounds = ended["rounds"].as_array().expect("rounds");
    assert_eq!(rounds.len(), 3);
    for round in rounds {
        assert_eq!(round["games"].as_array().map(Vec::len), Some(1), "{round}");
        assert_eq!(round["games"][0]["state"], "TOURNAMENT_GAME_STATE_ENDED", "{round}");
        assert_eq!(round["byes"].as_array().map(Vec::len), Some(1), "{round}");
        let game = round["games"][0]["gameId"].as_str().expect("a game");
        host.does(&["verify", game]);
    }
    let points: f64 = ended["standings"]
        .as_array()
        .expect("standings")
        .iter()
        .map(|one| one["points"].as_f64().unwrap_or_default())
        .sum();
    assert!((points - 3.0).abs() < 1e-9, "a point for each game: {ended}");
    let (text, _) = host.reads(&["tournament", "show", &id]);
    assert!(text.contains("Bot Cup (star-empires, round robin, ended)"), "{text}");
    assert!(text.contains("Round 3"), "{text}");
}
