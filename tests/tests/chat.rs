//! Chat with the real programs: the command line, the play mode, and the operator.

use heliopause_tests::{Engine, Pair, Person};
use serde_json::Value;

fn texts(person: &Person, arguments: &[&str]) -> Vec<String> {
    let found = person.does(&[&["chat", "read"], arguments].concat());
    let lines = found["lines"].as_array().cloned().unwrap_or_default();
    let text = |line: &Value| line["text"].as_str().unwrap_or_default().to_owned();
    lines.iter().rev().map(text).collect()
}

#[test]
fn players_and_spectators_talk_apart_until_the_game_is_over() {
    let (engine, [ann, bob, carl]) = Engine::with_people(["Ann", "Bob", "Carl"]);
    let game = ann.game("stellar-conquest", &["--open", "1", "--start-when-full"]);
    bob.does(&["join", &game]);
    ann.does(&["chat", "say", &game, "good luck"]);
    carl.does(&["chat", "say", &game, "Ann wins"]);
    assert_eq!(texts(&bob, &[&game]), ["good luck"]);
    assert!(texts(&bob, &[&game, "--spectators"]).is_empty());
    assert_eq!(texts(&carl, &[&game]), ["Ann wins"]);
    let refused = bob.fails(&["chat", "say", &game, "--spectators", "what do you think"]);
    assert!(refused.contains("MESSAGE_REFUSED"), "{refused}");

    let (shown, _) = bob.reads(&["chat", "read", &game]);
    assert!(shown.contains("Ann: good luck") && shown.lines().count() == 1, "{shown}");
    let told =
        bob.plays(&[&game], "chat\nchat thank you\nchat\nmute Ann\nchat\nunmute Ann\nquit\n");
    assert!(told.contains("Ann: good luck"), "{told}");
    assert!(told.contains("Bob: thank you"), "{told}");
    assert!(told.contains("The player is muted."), "{told}");
    assert!(!told.contains("Ann wins"), "{told}");
    assert_eq!(texts(&ann, &[&game]), ["good luck", "thank you"]);

    bob.does(&["chat", "mute", "Ann"]);
    ann.does(&["say", &game, "a letter"]);
    assert_eq!(texts(&bob, &[&game]), ["thank you"]);
    assert_eq!(bob.does(&["inbox", &game])["messages"].as_array().map_or(0, Vec::len), 0);
    assert_eq!(bob.reads(&["chat", "muted"]).0.trim(), "Ann");
    assert!(bob.reads(&["chat", "unmute", "Ann"]).0.contains("no longer muted"));
    assert!(bob.reads(&["chat", "unmute", "Ann"]).0.contains("was not muted"));
    assert_eq!(bob.does(&["inbox", &game])["messages"][0]["text"], "a letter");

    ann.does(&["vote", "propose", &game, "draw"]);
    bob.does(&["vote", "cast", &game, "1", "yes"]);
    assert_eq!(texts(&bob, &[&game, "--spectators"]), ["Ann wins"]);
    drop(engine);
}

#[test]
fn an_operator_handles_a_report() {
    let (engine, [ann, bob]) = Engine::with_people(["Ann", "Bob"]);
    let operator = Person::operator(&engine);
    let game = ann.game("stellar-conquest", &["--open", "1", "--start-when-full"]);
    bob.does(&["join", &game]);
    bob.does(&["chat", "say", &game, "you fool"]);
    ann.does(&["chat", "report", &game, "1", "--reason", "insult", "--comment", "he insults me"]);
    ann.does(&["chat", "report-name", "Bob"]);
    let (shown, _) = operator.reads(&["admin", "reports", "list"]);
    for part in ["Ann reports chat 1", "by Bob (insult)", "> Bob: you fool", "he insults me"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let reports = operator.does(&["admin", "reports", "list"]);
    let report = reports["reports"][0]["reportId"].as_str().expect("an id");
    operator.does(&["admin", "reports", "silence", "Bob", "1h", "--why", "insults"]);
    operator.does(&["admin", "reports", "resolve", report, "--remove", "--note", "silenced"]);
    for refused in [bob.fails(&["chat", "say", &game, "but"]), bob.fails(&["say", &game, "but"])] {
        assert!(refused.contains("SILENCED") && refused.contains("insults"), "{refused}");
    }
    let (shown, _) = ann.reads(&["chat", "read", &game]);
    assert!(shown.contains("(removed by the operator)") && !shown.contains("fool"), "{shown}");
    operator.does(&["admin", "reports", "unsilence", "Bob"]);
    bob.does(&["chat", "say", &game, "sorry"]);
    let (shown, _) = operator.reads(&["admin", "reports", "list", "--resolved"]);
    assert!(shown.contains("note: silenced"), "{shown}");
}

/// A line must not be lost if the engine that wrote it is killed immediately afterwards.
#[test]
fn lines_survive_a_killed_engine() {
    let Some(mut pair) = Pair::start(&[]) else { return };
    let ann = Person::registered(&pair.urls(), "Ann");
    let game = ann.game("stellar-conquest", &["--open", "1"]);
    let mut written = Vec::new();
    for round in 0..4 {
        let text = format!("line {round}");
        ann.does(&["chat", "say", &game, &text]);
        written.push(text);
        pair.engines[round % 2] = None;
        assert_eq!(texts(&ann, &[&game]), written);
        pair.start_engine(round % 2);
    }
}
