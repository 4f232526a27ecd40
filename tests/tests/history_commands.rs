//! The history of a game, messages, lessons and notices on the command line.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use heliopause_tests::{Engine, Person, STARSHIPS, Sandbox, wait_until};
use serde_json::Value;

#[tokio::test]
async fn every_phase_of_a_game_can_be_viewed() {
    let engine = Engine::start();
    // The seed in `Sandbox::new` gives B the first turn and puts no asteroids on the route.
    let owner = engine.player("Ann").await;
    let game = Sandbox::new(&owner, 2, &[]).await.game_id;
    let ann = Person::with_token(&engine.url(), &owner.token);
    let orders = |seat: &str, text: &str| {
        ann.does(&["orders", &game, text, "--seat", seat, "--yes"]);
    };
    orders("2", "move B1 to (1,0)");
    orders("2", "end");
    orders("1", "end");
    orders("2", "move B1 to (0,0)");
    let phases = ann.does(&["phases", &game])["phases"].clone();
    let titles: Vec<&str> =
        phases.as_array().expect("phases").iter().filter_map(|one| one["title"].as_str()).collect();
    assert_eq!(titles.len(), 3, "{titles:?}");
    let ship = |arguments: &[&str]| -> Value {
        let view = ann.does(&[&["view", game.as_str(), "--seat", "2"], arguments].concat());
        let known = &view["view"]["starshipsAtLarge"]["known"]["players"][1];
        known["starships"][0]["at"].clone()
    };
    let (now, then) = (ship(&[]), ship(&["--phase", "1"]));
    assert_ne!(now, then, "B1 has moved since");
    assert_eq!(ship(&["--turn", "1"]), ship(&["--phase", "2"]), "the last phase of round 1");
    let drawn = |arguments: &[&str]| {
        let map = ann.does(&[&["map", game.as_str(), "--seat", "2"], arguments].concat());
        map["map"].as_str().expect("a map").to_owned()
    };
    assert_ne!(drawn(&[]), drawn(&["--turn", "1"]));
    let part = drawn(&["--around", "B1"]);
    assert!(part.lines().count() < drawn(&[]).lines().count() && part.contains("B1"), "{part}");
    let told = ann.does(&["history", &game, "--phase", "1", "--seat", "2"])["events"].to_string();
    assert!(told.contains("to (1,0)") && !told.contains("to (0,0)"), "{told}");
    assert!(ann.fails(&["map", &game, "--turn", "99"]).contains("phases GAME"));
    assert!(ann.fails(&["map", &game, "--around", "Nowhere"]).contains("Nowhere"));
}

#[test]
fn a_chronicle_is_one_page_with_a_slider_over_all_phases() {
    let (engine, [ann, bob]) = Engine::with_people(["Ann", "Bob"]);
    let (ann, bob, game) = ann.begins(bob, STARSHIPS);
    ann.does(&["orders", &game, "end", "--yes"]);
    ann.does(&["say", &game, "A word in private."]);
    bob.does(&["orders", &game, "end", "--yes"]);
    let folder = tempfile::tempdir().expect("a folder");
    let page = |who: &Person| {
        let path = folder.path().join("story.html");
        who.does(&["chronicle", &game, "--html", path.to_str().expect("a path")]);
        std::fs::read_to_string(&path).expect("a page")
    };
    let (own, others) = (page(&ann), page(&bob));
    let phases = ann.does(&["phases", &game])["phases"].as_array().map_or(0, Vec::len);
    assert_eq!(own.matches("<section ").count(), phases + 1, "the beginning, and each phase");
    assert!(own.contains(&format!(r#"type="range" min="0" max="{phases}""#)), "a slider");
    assert!(own.contains("A word in private.") && others.contains("A word in private."));
    let anonymous = Person::registered(&engine.url(), "Eve");
    assert!(!page(&anonymous).contains("A word in private."), "a letter to the seats");
}

#[test]
fn messages_show_their_recipients() {
    let (_engine, [ann, bob]) = Engine::with_people(["Ann", "Bob"]);
    let seats = ["--open", "1", "--ai", "random", "--ai", "random", "--start-when-full"];
    let game = ann.game("it-came-from-outer-space", &seats);
    bob.does(&["join", &game]);
    let told = ann.does(&["say", &game, "@Bob Only for you."]);
    assert_eq!(told["message"]["toSeats"], serde_json::json!([2]));
    assert!(ann.fails(&["say", &game, "@Zoe hi"]).contains("Zoe"));
    ann.does(&["say", &game, "For all of you."]);
    let (text, _) = bob.reads(&["history", &game]);
    assert!(text.contains("Ann writes to you: Only for you."), "{text}");
    assert!(text.contains("Ann writes to everyone: For all of you."), "{text}");
    let told = bob.plays(&[&game], "say @Ann So be it.\ninbox\ninbox\nquit\n");
    assert!(told.contains("Ann: 2 messages, 1 new"), "{told}");
    assert!(told.contains("Ann: 2 messages\n"), "read by now: {told}");
    assert!(told.contains("everyone: 1 message, 1 new"), "{told}");
}

#[test]
fn messages_are_readable_after_the_end_if_announced() {
    let engine = Engine::start();
    let names = ["Ann", "Bob", "Eve"];
    let [ann, bob, eve] = names.map(|name| Person::registered(&engine.url(), name));
    let unsigned = ann.game("diplomacy", &["--open", "1", "-o", "anonymousPress=true"]);
    assert!(ann.reads(&["show", &unsigned]).0.contains("anonymous messages are allowed"));
    for is_open in [false, true] {
        let plan = ["--open", "1", "--start-when-full"];
        let letters: &[&str] = if is_open { &["--open-letters"] } else { &[] };
        let game = ann.game("diplomacy", &[&plan, letters].concat());
        let shown = bob.reads(&["show", &game]).0;
        assert_eq!(shown.contains("messages become public after the game"), is_open, "{shown}");
        assert!(!shown.contains("anonymous messages are allowed"), "{shown}");
        bob.does(&["join", &game]);
        ann.does(&["say", &game, "@Bob Our plan."]);
        ann.does(&["vote", "propose", &game, "draw"]);
        let reads = |arguments: &[&str]| {
            eve.reads(&[&["history", game.as_str()], arguments].concat()).0.contains("Our plan.")
        };
        assert!(!reads(&[]), "it runs");
        bob.does(&["vote", "cast", &game, "1", "yes"]);
        assert!(!reads(&[]), "a spectator looks back as they looked on");
        assert_eq!(reads(&["--revealed"]), is_open);
        let folder = tempfile::tempdir().expect("a folder");
        let page = folder.path().join("story.html");
        let path = page.to_str().expect("a path");
        for who in [&ann, &bob] {
            who.does(&["chronicle", &game, "--revealed", "--html", path]);
            let told = std::fs::read_to_string(&page).expect("a page").matches("Our plan.").count();
            assert_eq!(told, 1, "its writer and its reader read it once");
        }
    }
}

#[test]
fn a_returning_player_sees_what_happened() {
    let (_engine, [ann, bob]) = Engine::with_people(["Ann", "Bob"]);
    let (ann, bob, game) = ann.begins(bob, STARSHIPS);
    ann.plays(&[&game], "quit\n");
    ann.does(&["orders", &game, "end", "--yes"]);
    bob.does(&["orders", &game, "end", "--yes"]);
    let told = ann.plays(&["resume"], "quit\n");
    let (_, since) = told.split_once("Since your last visit").expect("it is told");
    assert!(since.contains("turn ends") && !since.contains("The game starts"), "{told}");
}

#[test]
fn the_prompt_after_ready_shows_the_progress() {
    let (_engine, [ann]) = Engine::with_people(["Ann"]);
    let game = ann.game("fate-of-empire", &["--start-when-full"]);
    let label =
        ann.does(&["view", &game])["goals"][0]["label"].as_str().expect("a goal").to_owned();
    let mut program = ann.terminal(&format!("--color never play {game}"));
    let piped = program.env("COLUMNS", "100").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = piped.spawn().expect("the terminal can be started");
    let mut keys = child.stdin.take().expect("a pipe");
    let mut screen = child.stdout.take().expect("a pipe");
    let shown = Arc::new(Mutex::new(String::new()));
    let text = || shown.lock().expect("no panic").clone();
    let reader = Arc::clone(&shown);
    let reading = std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = screen.read(&mut bytes) {
            let read = String::from_utf8_lossy(&bytes[..count]);
            reader.lock().expect("no panic").push_str(&read);
        }
    });
    let is_prompt = |text: &str| {
        text.rsplit_once("> ").is_some_and(|(before, _)| {
            before.rsplit(['\n', '\r']).next().is_some_and(|line| line.contains(&label))
        })
    };
    let mut press = |line: &str| keys.write_all(line.as_bytes()).expect("it reads");
    wait_until("the session asks", || is_prompt(&text()));
    press("ready\n");
    wait_until("it asks for confirmation", || text().contains("Continue?"));
    press("yes\n");
    let after = || text().rsplit_once("Move your ships").map(|(_, after)| after.to_owned());
    wait_until("the next prompt is there", || after().is_some_and(|after| after.contains("> ")));
    let after = after().expect("the question");
    assert!(is_prompt(&after), "{after:?}");
    press("quit\n");
    child.wait().expect("it ends");
    reading.join().expect("no panic");
}

#[test]
fn a_spectator_has_no_seat_to_resign_from() {
    let (_engine, [ann, bob, eve]) = Engine::with_people(["Ann", "Bob", "Eve"]);
    let (_ann, _bob, game) = ann.begins(bob, STARSHIPS);
    let told = eve.plays(&[&game], "resign\nyes\nquit\n");
    assert!(told.contains("You have no seat in this game."), "{told}");
    assert!(!told.contains("Resign permanently"), "{told}");
}

#[test]
fn at_the_end_nothing_is_secret_and_no_decision_is_shown() {
    let (_engine, [ann, bob]) = Engine::with_people(["Ann", "Bob"]);
    let (ann, bob, game) = ann.begins(bob, STARSHIPS);
    assert!(ann.fails(&["map", &game, "--revealed"]).contains("after the end"));
    ann.plays(&[&game], "vote draw\nvotes\nquit\n");
    bob.does(&["vote", "cast", &game, "1", "yes"]);
    let told = ann.plays(&[&game], "map\n\nhistory\nquit\n");
    assert!(told.contains("A draw between"), "{told}");
    let (_, after) = told.rsplit_once("Everything is visible now.").expect("it is told");
    assert!(!after.contains("End the turn"), "{after}");
    assert!(!told.contains("    ?    "), "every hex is face up: {told}");

    let told = ann.plays(&[&game], "resign\nvote draw\nrematch\nquit\n");
    assert!(!told.contains("Resign permanently"), "{told}");
    assert_eq!(
        told.matches("The game is over; orders are no longer possible").count(),
        2,
        "{told}"
    );
    assert!(
        told.contains("Starting a new game.") && told.contains("Waiting for the start"),
        "{told}"
    );
    let games = ann.does(&["games"]);
    let again = games["games"][0]["gameId"].as_str().expect("the rematch");
    assert_ne!(again, game);
    let seats = ann.does(&["show", again])["game"]["seats"].to_string();
    let is_kept = |one: &str, other: &str| {
        seats.contains(&format!(r#""player":"{one}""#))
            && seats.contains(&format!(r#""reservedFor":"{other}""#))
    };
    assert!(is_kept("Ann", "Bob") || is_kept("Bob", "Ann"), "{seats}");
}

#[test]
fn a_lesson_can_be_completed() {
    let engine = Engine::start();
    let lessons = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/scenarios/tutorials");
    let ann = Person::registered(&engine.url(), "Ann");
    for entry in std::fs::read_dir(&lessons).expect("lessons") {
        let path = entry.expect("a lesson").path();
        let kind = path.file_stem().and_then(|stem| stem.to_str()).expect("a kind");
        let text = std::fs::read_to_string(&path).expect("a lesson");
        let lesson: Value = serde_json::from_str(&text).expect("JSON");
        // Typed with other spaces and letters than in the lesson.
        let typed = |step: &Value| match (&step["order"], &step["orders"], &step["say"]) {
            (Value::String(order), ..) => order.replace(' ', "  ").replace("move ", "MOVE "),
            (_, Value::Array(sheet), _) => sheet.last().expect("a line").as_str().unwrap().into(),
            (.., Value::Object(letter)) => {
                format!("say @{} {}", letter["to"][0], letter["text"].as_str().expect("a text"))
            }
            _ => "ready".to_owned(),
        };
        let steps = lesson["steps"].as_array().expect("steps");
        let lines: Vec<String> =
            steps.iter().filter(|step| step["tell"].is_string()).map(typed).collect();
        let wrong = format!("hello\nready\nmap\n? 4\n{}\n", lines.join("\n"));
        let told = ann.plays(&[kind, "--tutorial"], &wrong);
        assert!(told.contains("1 | hello\n"), "{kind}: {told}");
        let last = lines.len();
        assert!(
            told.contains(&format!("Step {last} of {last}."))
                && told.contains("That completes the tutorial."),
            "{kind}: {told}"
        );
    }
    let menu = ann.plays(&[], "q\n");
    assert!(!menu.contains("resume") && !menu.contains("review"), "{menu}");
}

#[test]
fn a_lesson_accepts_every_line_that_the_engine_reads_as_the_order() {
    let (_engine, [ann]) = Engine::with_people(["Ann"]);
    let lines = "commission 10 corvettes; 10 scouts;speed3;industry\nready\nmove #11-42,43 to \
        scorpii\nquit\n";
    let told = ann.plays(&["fate-of-empire", "--tutorial"], lines);
    assert!(told.contains("Step 4 of 15."), "{told}");
}

#[test]
fn a_command_runs_for_each_notice_without_shell_injection() {
    let (_engine, [ann, bob]) = Engine::with_people(["Ann", "Bob"]);
    let folder = tempfile::tempdir().expect("a folder");
    let (heard, trap) = (folder.path().join("heard"), folder.path().join("trap"));
    let mut notices = bob.program();
    let command = format!("echo \"$HELIOPAUSE_KIND $HELIOPAUSE_NAME\" >> {}", heard.display());
    let mut notices = notices
        .args(["notices", "--exec", &command])
        .stdout(Stdio::null())
        .spawn()
        .expect("the program can be started");
    let name = format!("$(touch {})", trap.display());
    ann.does(&["new", STARSHIPS, "--reserve", "Bob", "--name", &name]);
    let is_heard = || std::fs::read_to_string(&heard).is_ok_and(|heard| heard.contains("INVITED"));
    wait_until("the notice is heard", is_heard);
    notices.kill().expect("it runs");
    notices.wait().expect("it ends");
    let heard = std::fs::read_to_string(&heard).expect("it was written");
    assert!(heard.contains(&name), "{heard}");
    assert!(!trap.exists(), "a name was run as a command");
}

/// Before the first event, the end of phase 0 is the current state.
#[tokio::test]
async fn the_start_can_be_viewed_as_soon_as_a_game_starts() {
    let (_engine, [ann]) = Engine::with_people(["Ann"]);
    let game = ann.game("alone-in-outer-space", &["--ai", "random", "--start-when-full"]);
    let then = ann.does(&["view", &game, "--phase", "0"]);
    assert!(then["view"]["stellarConquest"].is_object(), "{then}");
    assert!(then["decision"].is_null(), "{then}");
    assert_eq!(then["view"], ann.does(&["view", &game])["view"]);
}
