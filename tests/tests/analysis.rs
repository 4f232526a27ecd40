//! Branches of games, from the command line.

use heliopause_tests::{AiClient, Engine, Person, wait_until};
use serde_json::Value;

fn text<'a>(value: &'a Value, path: &str) -> &'a str {
    value.pointer(path).and_then(Value::as_str).unwrap_or_else(|| panic!("no {path} in {value}"))
}

fn progress(person: &Person, game: &str) -> String {
    text(&person.does(&["show", game]), "/game/progress").to_owned()
}

#[test]
fn games_are_branched_and_the_branches_played_on() {
    let engine = Engine::start();
    let _worker = AiClient::start(&engine);
    let ann = Person::registered(&engine.url(), "Ann");
    for (kind, others) in [("diplomacy", 6), ("star-empires", 2), ("stellar-conquest", 1)] {
        let automated = ["--ai", "random"].repeat(others);
        let game = ann.game(kind, &[automated.as_slice(), &["--start-when-full"]].concat());
        let seen = ann.does(&["view", &game])["view"].clone();

        let made = ann.does(&["analyze", &game, "--ai", "random", "--name", "What if"]);
        let branch = text(&made, "/analysis/gameId");
        assert_eq!(text(&made, "/analysis/origin/gameId"), game);
        assert_eq!(made["game"]["sandbox"], true, "{made}");
        assert_eq!(made["game"]["analysis"]["seat"], 1, "{made}");
        let start = progress(&ann, branch);
        assert_eq!(text(&made, "/analysis/origin/progress"), start);
        // Without --seat, commands use the seat of the branch.
        assert_eq!(ann.does(&["options", branch]), ann.does(&["options", branch, "--seat", "1"]));
        assert_eq!(ann.does(&["map", branch]), ann.does(&["map", branch, "--seat", "1"]));
        // Automation plays the other seats; the owner passes.
        wait_until("the branch goes on", || {
            ann.does(&["sandbox", "close", branch]);
            progress(&ann, branch) != start
        });
        assert_eq!(ann.does(&["view", &game])["view"], seen, "{kind}: the game is unchanged");

        let listed = ann.does(&["analyze", "list", &game]);
        assert_eq!(text(&listed, "/analyses/0/name"), "What if");
        let renamed = ann.does(&["analyze", "rename", branch, "Defense"]);
        assert_eq!(text(&renamed, "/analysis/name"), "Defense");
        let (shown, _) = ann.reads(&["analyze", "list", &game]);
        assert!(shown.contains("Defense") && shown.contains(branch), "{shown}");
        ann.does(&["analyze", "delete", branch]);
        assert!(ann.fails(&["show", branch]).contains("GAME_NOT_FOUND"));
        assert!(ann.reads(&["analyze", "list", &game]).0.contains("no branches"));
    }
}

#[test]
fn an_earlier_phase_is_branched() {
    let engine = Engine::start();
    let _worker = AiClient::start(&engine);
    let ann = Person::registered(&engine.url(), "Ann");
    let automated = ["--ai", "random"].repeat(6);
    let game = ann.game("diplomacy", &[automated.as_slice(), &["--start-when-full"]].concat());
    let start = progress(&ann, &game);
    ann.does(&["ready", &game, "--yes"]);
    wait_until("the first phase is over", || progress(&ann, &game) != start);
    let made = ann.does(&["analyze", &game, "--phase", "0"]);
    assert_eq!(text(&made, "/analysis/origin/progress"), start);
    let branch = text(&made, "/analysis/gameId");
    // The owner plays all seats.
    ann.does(&["orders", branch, "--seat", "1", "A Vie - Gal", "--yes"]);
    ann.does(&["orders", branch, "--seat", "2", "F Lon - NTH", "--yes"]);
    ann.does(&["sandbox", "close", branch]);
    let history = ann.does(&["history", branch]).to_string();
    assert!(history.contains("Gal") && history.contains("NTH"), "{history}");
    assert!(ann.fails(&["analyze", &game, "--phase", "99"]).contains("NOT_FOUND"));
    assert!(ann.fails(&["analyze", &game, "--revealed"]).contains("ROLE_CONFLICT"));
}

#[test]
fn a_game_can_forbid_branches() {
    let (_engine, [ann, bob]) = Engine::with_people(["Ann", "Bob"]);
    let game = ann.game("star-empires", &["--open", "1", "--start-when-full", "--no-analysis"]);
    bob.does(&["join", &game]);
    assert!(ann.fails(&["analyze", &game]).contains("ANALYSIS_OFF"));
    assert!(ann.reads(&["show", &game]).0.contains("no branches before the end"));
}
