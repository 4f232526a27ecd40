//! The command line with a real engine: explanations, game masters, TLS, operators and scripts.

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use heliopause_tests::{AiClient, Engine, Person, STARSHIPS, certificate, wait_until};

fn status(person: &Person, game: &str) -> String {
    person.does(&["show", game]).to_string()
}

#[test]
fn a_result_is_explained_by_its_rule() {
    let (engine, [ann]) = Engine::with_people(["Ann"]);
    let game = ann.game(STARSHIPS, &["--private"]);
    ann.does(&["start", &game]);
    ann.does(&["orders", &game, "end", "--yes"]);
    let history = ann.does(&["history", &game]);
    let events = history["events"].as_array().expect("events");
    let ruled =
        events.iter().find(|event| event["rule"].as_str().is_some_and(|rule| !rule.is_empty()));
    let event = ruled.expect("something was decided by a rule");
    let number =
        event["number"].as_str().map_or_else(|| event["number"].to_string(), str::to_owned);
    let explained = ann.does(&["explain", &game, &number]);
    assert_eq!(explained["event"], *event);
    assert_eq!(explained["rule"]["number"], event["rule"]);
    let rule = ann.does(&["rule", STARSHIPS, event["rule"].as_str().unwrap()]);
    assert_eq!(rule["rule"], explained["rule"]);
    assert!(rule["rule"]["text"].as_str().is_some_and(|text| text.len() > 20));
    let index = ann.does(&["rule", STARSHIPS]);
    let entries = index["rules"].as_array().expect("an index");
    assert!(entries.iter().any(|entry| entry["number"] == event["rule"]), "{index}");

    assert!(ann.fails(&["explain", &game, "999999"]).contains("NOT_FOUND"));
    assert!(ann.fails(&["rule", STARSHIPS, "99.9"]).contains("NOT_FOUND"));
    let bob = Person::registered(&engine.url(), "Bob");
    assert!(bob.fails(&["explain", &game, &number]).contains("GAME_NOT_FOUND"));
}

#[test]
fn a_game_master_manages_a_game() {
    let (_engine, [gina, ann]) = Engine::with_people(["Gina", "Ann"]);
    let game = gina.game(STARSHIPS, &["--gm", "--open", "1"]);
    ann.does(&["join", &game]);
    gina.does(&["start", &game]);

    assert!(ann.fails(&["gm", "pause", &game]).contains("ROLE_REQUIRED"));
    gina.does(&["gm", "pause", &game]);
    assert!(ann.fails(&["orders", &game, "end"]).contains("WRONG_STATUS"));
    gina.does(&["gm", "resume", &game]);
    ann.does(&["orders", &game, "end", "--yes"]);
    let seen = gina.does(&["gm", "position", &game]);
    assert!(seen.to_string().len() > 500, "{seen}");
    gina.does(&["gm", "automate", &game, "1", "random"]);
    assert!(status(&gina, &game).contains("random"));
    gina.does(&["gm", "hand-back", &game, "1"]);
    gina.does(&["gm", "cancel", &game, "--yes"]);
    assert!(status(&gina, &game).to_lowercase().contains("cancelled"));
}

/// Returns an engine with a self-signed certificate, the certificate's path, and the URL.
fn protected(files: &Path) -> (Engine, String, String) {
    let [cert, key] = certificate(files, "localhost");
    let engine = Engine::with(&["--tls-cert", &cert, "--tls-key", &key]);
    let url = engine.url().replace("http://127.0.0.1", "https://localhost");
    (engine, cert, url)
}

#[test]
fn system_certificate_authorities_are_trusted() {
    let files = tempfile::tempdir().unwrap();
    let (engine, cert, url) = protected(files.path());
    let ann = Person::new(&url);
    let register = |authorities: &str| {
        let mut program = ann.program();
        program.env("SSL_CERT_FILE", authorities).args(["register", "Ann"]).output().unwrap()
    };
    assert!(!register("/nowhere/ca.pem").status.success());
    let told = register(&cert);
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));

    let _worker = AiClient::trusting(&url, &engine, Path::new(&cert));
    engine.wait_for_log("worker connected");
}

#[test]
fn tls_works_with_a_trusted_engine() {
    let files = tempfile::tempdir().unwrap();
    let (engine, cert, url) = protected(files.path());
    let trusting = Person { global: vec!["--tls-ca".to_owned(), cert], ..Person::new(&url) };
    trusting.does(&["register", "Ann"]);
    assert!(trusting.does(&["whoami"]).to_string().contains("Ann"));
    let wary = Person::new(&url);
    assert!(wary.fails(&["register", "Bob"]).to_lowercase().contains("certificate"));
    let told = Person::new(&engine.url()).fails(&["register", "Cid"]);
    assert!(told.contains("this port serves https"), "{told}");
    let plain = Engine::start();
    let misled = Person { url: plain.url().replace("http://", "https://"), ..trusting };
    let told = misled.fails(&["whoami"]);
    assert!(told.contains("this port serves http:"), "{told}");
    let missing = Path::new("/nowhere/ca.pem").display().to_string();
    let lost = Person { global: vec!["--tls-ca".to_owned(), missing], ..Person::new(&url) };
    assert!(lost.fails(&["whoami"]).contains("/nowhere/ca.pem"));
}

#[test]
fn a_guest_takes_a_name_signs_out_and_returns_with_a_recovery_code() {
    let engine = Engine::start();
    let ann = Person::new(&engine.url());
    let (shown, _) = ann.reads(&["register"]);
    assert!(shown.contains("registered as Guest "), "{shown}");
    let is_code = |line: &&str| line.len() == 19 && line.matches('-').count() == 3;
    let codes: Vec<&str> = shown.lines().filter(is_code).collect();
    assert_eq!(codes.len(), 10, "{shown}");
    assert!(shown.contains("account rename NAME"), "{shown}");
    assert!(ann.reads(&["whoami"]).0.contains("You are a guest."));
    ann.does(&["account", "rename", "Ann"]);
    assert!(!ann.reads(&["whoami"]).0.contains("guest"));
    let refused = ann.fails(&["account", "rename", "Anna"]);
    assert!(refused.contains("again at 20") && refused.contains(" UTC."), "{refused}");
    ann.does(&["sign-out"]);
    let signed_out = ann.fails(&["whoami"]);
    assert!(signed_out.contains("NO_ACCOUNT"), "{signed_out}");
    assert!(signed_out.contains("sign-in --recovery NAME"), "{signed_out}");
    let mut sign_in = ann.program();
    let returned = Person::types(sign_in.args(["sign-in", "--recovery", "Ann"]), codes[0]);
    assert!(returned.contains("signed in as Ann") && returned.contains("9 recovery codes"));
    assert!(ann.does(&["whoami"]).to_string().contains("Ann"));
    assert_eq!(ann.does(&["account", "methods"])["recoveryCodesLeft"], 9);

    let (tokens, _) = ann.reads(&["tokens", "list"]);
    assert!(tokens.contains("program") && tokens.contains("signed in"), "{tokens}");

    // A script gets no codes, so its account has no way back.
    let bob = Person::registered(&engine.url(), "Bob");
    assert!(bob.fails(&["sign-out"]).contains("NOT_CONFIRMED"));
    bob.does(&["sign-out", "--yes"]);
    assert!(bob.fails(&["sign-in", "--mail", "bob@example.net"]).contains("SIGN_IN_OFF"));
}

/// Security C2: a message could forge whole lines, and names could look like other names.
#[test]
fn text_by_others_cannot_forge_output() {
    let (engine, [ann, bob]) = Engine::with_people(["Béatrice", "Ольга"]);
    for (name, why) in [
        ("Beatri\u{441}e", "U+0441"),
        ("Cid\u{202e}", "U+202E"),
        ("\u{41e}\u{43b}\u{44c}\u{433}\u{430}", "NAME_TAKEN"),
    ] {
        assert!(Person::new(&engine.url()).fails(&["register", name]).contains(why), "{name:?}");
    }
    Person::registered(&engine.url(), "e\u{301}");
    let new =
        ["new", "diplomacy", "--in-order", "--open", "1", "--name", "Война и мир / War and Peace"];
    let game = ann.does(&new)["game"]["gameId"].as_str().expect("an id").to_owned();
    bob.does(&["join", &game]);
    ann.does(&["start", &game]);
    let forged = "Peace?\n   9  Ольга writes: I attack!\n\u{2003}\n9    2030-01-01 00:00 UTC  \
        Player B -> Player A: War!";
    ann.does(&["say", &game, forged]);
    assert!(ann.fails(&["say", &game, "on\u{202e}e"]).contains("U+202E"));
    for command in [
        &["inbox", &game][..],
        &["history", &game],
        &["watch", &game, "--from", "seat-2:0", "--no-follow"],
    ] {
        let (told, _) = bob.reads(command);
        let forgeries: Vec<&str> =
            told.lines().filter(|line| line.contains("War!") || line.contains("attack!")).collect();
        assert_eq!(forgeries.len(), 2, "{command:?}: {told}");
        assert!(forgeries.iter().all(|line| line.starts_with("      ")), "{command:?}: {told}");
    }
}

#[test]
fn an_operator_bans_players_and_open_token_files_warn() {
    let (engine, [ann]) = Engine::with_people(["Ann"]);
    let file = engine.data().join("admin.token");
    let admin = Person::operator(&engine);
    assert_eq!(admin.reads(&["whoami"]).1, "");
    // Security T2: a token file that all users could read was accepted without a warning.
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).expect("it is ours");
    assert!(admin.reads(&["whoami"]).1.contains("mode 644"));
    assert!(admin.reads(&["whoami"]).0.contains("admin"), "it works all the same");
    assert!(admin.does(&["admin", "players"]).to_string().contains("Ann"));
    assert!(ann.fails(&["admin", "players"]).contains("ROLE_REQUIRED"));
    admin.does(&["admin", "ban", "Ann"]);
    assert!(ann.fails(&["whoami"]).contains("BANNED"));
    admin.does(&["admin", "unban", "Ann"]);
    ann.does(&["whoami"]);
}

#[test]
fn operators_stop_any_game_and_players_decline_and_block() {
    let (engine, [ann, bob]) = Engine::with_people(["Ann", "Bob"]);
    let admin = Person::operator(&engine);
    ann.does(&["new", STARSHIPS, "--reserve", "Bob"]);
    let listed = admin.does(&["admin", "games", "list", "--host", "Ann", "--running"]);
    let game = listed["games"][0]["game"]["gameId"].as_str().expect("a game").to_owned();
    assert!(bob.does(&["games"])["games"][0]["invited"].as_bool().unwrap_or_default());
    bob.does(&["decline", &game]);
    assert!(bob.fails(&["decline", &game]).contains("NO_OPEN_SEAT"));
    bob.does(&["block", "add", "Ann"]);
    assert!(bob.does(&["block", "list"]).to_string().contains("Ann"));
    assert!(ann.fails(&["new", STARSHIPS, "--reserve", "Bob"]).contains("QUOTA_EXCEEDED"));
    assert!(bob.reads(&["block", "remove", "Ann"]).0.contains("no longer blocked"));
    assert!(bob.reads(&["block", "remove", "Ann"]).0.contains("was not blocked"));
    bob.does(&["join", &game]);
    ann.does(&["start", &game]);
    admin.does(&["admin", "games", "pause", &game, "--why", "a complaint"]);
    assert!(ann.fails(&["gm", "resume", &game]).contains("a complaint"));
    assert!(ann.does(&["show", &game]).to_string().contains("a complaint"));
    admin.does(&["admin", "games", "resume", &game]);
    admin.does(&["admin", "games", "cancel", &game, "--why", "nobody plays it"]);
    assert!(admin.does(&["admin", "games", "show", &game]).to_string().contains("nobody plays it"));
}

#[test]
fn several_seats_of_one_person_need_a_sandbox() {
    let engine = Engine::with(&[]);
    let ann = Person::registered(&engine.url(), "Ann");
    let mut play = ann.program();
    play.args(["play", STARSHIPS, "--own", "2"]);
    let output = play.stdin(Stdio::null()).output().expect("the program can be started");
    assert!(!output.status.success());
    let told = String::from_utf8(output.stderr).expect("text");
    assert!(told.contains("--sandbox"), "{told}");
}

struct PlayScript {
    folder: tempfile::TempDir,
}

impl PlayScript {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let built = folder.path().join("target/play");
        std::fs::create_dir_all(&built).unwrap();
        for program in ["engine-service", "ai-client", "cli-client"] {
            symlink(heliopause_tests::binary(program), built.join(program)).unwrap();
        }
        std::fs::write(folder.path().join("source.rs"), "").unwrap();
        let sources = format!("engine-service: {}\n", folder.path().join("source.rs").display());
        std::fs::write(built.join("engine-service.d"), sources).unwrap();
        let cargo = folder.path().join("bin/cargo");
        std::fs::create_dir_all(folder.path().join("bin")).unwrap();
        std::fs::write(&cargo, "#!/bin/sh\necho cargo \"$@\" >&2\n").unwrap();
        std::fs::set_permissions(&cargo, std::fs::Permissions::from_mode(0o755)).unwrap();
        std::fs::write(built.join("built"), "").unwrap();
        Self { folder }
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut script = Command::new("sh");
        script.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../play")).args(arguments);
        let path = std::env::var("PATH").unwrap_or_default();
        script.env("PATH", format!("{}:{path}", self.folder.path().join("bin").display()));
        script.env("CARGO_TARGET_DIR", self.folder.path().join("target"));
        script.env("HELIOPAUSE_HOME", self.home());
        script.env_remove("HELIOPAUSE_TOKEN").env_remove("HELIOPAUSE_CONFIG_DIR");
        script.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        script
    }

    fn runs(&self, arguments: &[&str]) -> (bool, String) {
        let output = self.command(arguments).stdin(Stdio::null()).output().expect("it runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.success(), text(&output.stdout) + &text(&output.stderr))
    }

    fn opens(&self) -> Child {
        let mut child = self.command(&[]).spawn().expect("it starts");
        let mut menu = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        while !line.contains("new game") {
            line.clear();
            assert_ne!(menu.read_line(&mut line).expect("text"), 0, "the menu opens");
        }
        child.stdout = Some(menu.into_inner());
        child
    }

    fn closes(mut child: Child) -> String {
        drop(child.stdin.take());
        let output = child.wait_with_output().expect("it ends");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    fn port(&self) -> String {
        std::fs::read_to_string(self.home().join("port")).expect("the engine's port")
    }
}

#[test]
fn scripts_with_the_same_home_share_an_engine_until_the_last_ends() {
    let script = PlayScript::new();
    let first = script.opens();
    let port = script.port();
    let (worked, who) = script.runs(&["cli", "whoami", "--json"]);
    assert!(worked && who.contains("name"), "{who}");
    assert!(!who.contains("Building") && !who.contains("cargo"), "{who}");
    let second = script.opens();
    assert_eq!(script.port(), port, "it is the same engine");

    let said = PlayScript::closes(first);
    assert!(said.contains("another ./play uses it"), "{said}");
    let (worked, again) = script.runs(&["cli", "whoami", "--json"]);
    assert!(worked && again == who, "the engine still runs: {again}");
    PlayScript::closes(second);
    assert!(!script.home().join("ready").exists() && !script.home().join("stopping").exists());
    let address = format!("127.0.0.1:{}", port.trim());
    assert!(std::net::TcpStream::connect(address).is_err(), "the engine has stopped");

    let (worked, again) = script.runs(&["cli", "whoami", "--json"]);
    assert!(worked && again == who, "the next one starts it again: {again}");
    assert_eq!(script.port(), port);
    let left = std::fs::read_dir(script.home().join("players")).unwrap().count();
    assert_eq!(left, 0, "nothing of the scripts stays");
}

#[test]
fn a_killed_script_releases_its_engine() {
    let script = PlayScript::new();
    let mut first = script.opens();
    let address = format!("127.0.0.1:{}", script.port().trim());
    first.kill().unwrap();
    first.wait().unwrap();
    wait_until("the engine stops", || std::net::TcpStream::connect(&address).is_err());
    let (worked, said) = script.runs(&["cli", "kinds"]);
    assert!(worked, "{said}");
}

#[test]
fn the_script_builds_only_outdated_programs() {
    let script = PlayScript::new();
    let source = script.folder.path().join("source.rs");
    std::thread::sleep(std::time::Duration::from_millis(20));
    std::fs::write(&source, "// changed").unwrap();
    let (worked, said) = script.runs(&[]);
    assert!(worked && said.contains("Building") && said.contains("cargo build"), "{said}");
    let (worked, said) = script.runs(&[]);
    assert!(worked && !said.contains("Building"), "it was built just now: {said}");
    let (_, help) = script.runs(&["--help"]);
    assert!(help.lines().all(|line| line.len() < 80), "{help}");
    assert!(help.starts_with("Plays with") && help.contains("\n\nGames are stored"), "{help}");

    let tools = script.folder.path().join("tools");
    std::fs::create_dir(&tools).unwrap();
    for tool in
        ["sh", "sed", "tr", "cat", "grep", "head", "sleep", "mkdir", "chmod", "mv", "rm", "dirname"]
    {
        let path = std::env::var("PATH").unwrap_or_default();
        let found =
            std::env::split_paths(&path).map(|folder| folder.join(tool)).find(|at| at.exists());
        symlink(found.expect(tool), tools.join(tool)).unwrap();
    }
    std::fs::write(&source, "// changed again").unwrap();
    let without = |arguments: &[&str]| {
        let output = script.command(arguments).env("PATH", &tools).stdin(Stdio::null()).output();
        let output = output.expect("it runs");
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (worked, said) = without(&[]);
    assert!(worked && !said.contains("Building"), "{said}");
    std::fs::remove_file(script.folder.path().join("target/play/ai-client")).unwrap();
    let (worked, said) = without(&[]);
    assert!(!worked && said.contains("cargo is not installed"), "{said}");
}

#[test]
fn empty_lists_are_printed() {
    let (_engine, [ann]) = Engine::with_people(["Ann"]);
    assert_eq!(ann.does(&["games", "open"])["games"], serde_json::json!([]));
    assert_eq!(ann.does(&["games"])["games"], serde_json::json!([]));
    let game = ann.game(STARSHIPS, &["--private"]);
    let shown = ann.does(&["show", &game]);
    assert_eq!(shown["game"]["sandbox"], false, "{shown}");
}

#[test]
fn a_group_without_a_command_lists_its_commands() {
    let person = Person::new("http://127.0.0.1:1");
    for (group, command) in [("block", "add"), ("tournament", "create"), ("account", "rename")] {
        let (_, shown) = person.reads(&[group]);
        assert!(shown.contains(&format!("Usage: cli-client {group}")), "{shown}");
        assert!(shown.contains(&format!("\n  {command} ")), "{shown}");
    }
}

#[test]
fn a_mistyped_kind_is_reported_with_the_nearest() {
    let (_engine, [ann]) = Engine::with_people(["Ann"]);
    let (_, said) = ann.reads(&["play", "diplomcay"]);
    assert!(
        said.contains("neither a game nor a kind") && said.contains("play diplomacy"),
        "{said}"
    );
    let (_, said) = ann.reads(&["kinds", "star-empire"]);
    assert!(said.contains("Did you mean `star-empires`"), "{said}");
    let (shown, _) = ann.reads(&["kinds", "star-empires"]);
    assert!(shown.contains("lastTurn=") && !shown.contains("last_turn"), "{shown}");
    let (all, _) = ann.reads(&["kinds"]);
    assert!(all.lines().count() < 40 && all.contains("diplomacy"), "{all}");
    for spelling in ["lastTurn=8", "last_turn=8"] {
        let made = ann.does(&["new", "star-empires", "--open", "1", "-o", spelling]);
        assert_eq!(made["game"]["options"]["starEmpires"]["lastTurn"], 8, "{spelling}");
    }
}

#[test]
fn the_menu_stays_after_an_error_and_accepts_the_id_of_a_game() {
    let (_engine, [ann]) = Engine::with_people(["Ann"]);
    let told = ann.plays(&[], "xyz\nlearn 99\nhelp\nq\n");
    assert_eq!(told.matches("Star Empires:").count(), 1, "the menu is printed once: {told}");
    assert!(told.contains("`xyz` is not a choice"), "{told}");
    let game = ann.game("fate-of-empire", &["--start-when-full"]);
    let told = ann.plays(&[], &format!("{game}\nquit\n"));
    assert!(told.contains(&format!("cli-client play {game}")), "{told}");
}

#[test]
fn a_search_reports_an_unknown_kind_and_finds_nothing() {
    let (_engine, [ann]) = Engine::with_people(["Ann"]);
    let (_, said) = ann.reads(&["games", "--kind", "chess"]);
    assert!(said.contains("\"chess\" does not exist") && said.contains("diplomacy"), "{said}");
    let (told, _) = ann.reads(&["games", "--player", "Ann"]);
    assert_eq!(told.trim(), "No games were found.");
}

#[test]
fn typing_errors_are_explained_at_the_prompt() {
    let (engine, [ann]) = Engine::with_people(["Ann"]);
    let menu = ann.plays(&[], "learn\nlearn 99\nq\n");
    assert_eq!(menu.matches("`learn` needs the number of a new game").count(), 2, "{menu}");
    let _ai = AiClient::start(&engine);
    let game = ann.game("diplomacy", &["--ai", "standard"]);
    let told = ann.plays(&[&game], "start\nsay\nredy\norders\nquit\n");
    assert_eq!(told.matches("without orders: ").count(), 2, "{told}");
    for line in [
        "all seats are taken. `start` starts the game.",
        "`say` needs more: type `say TEXT` or `say @B,3 TEXT`.",
        "Did you mean `ready`?",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
}

#[test]
fn a_rejected_position_is_reported_with_its_line() {
    let (_engine, [ann]) = Engine::with_people(["Ann"]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    let made = ann.does(&["sandbox", "create", "diplomacy"]);
    let game = made["game"]["gameId"].as_str().expect("its id");
    ann.does(&["sandbox", "position", game, "-o", &file("position.json")]);
    let position = std::fs::read_to_string(file("position.json")).expect("the position");
    let scenario = |position: &str| {
        let text = format!(
            "{{\"name\": \"x\", \"game\": \"diplomacy\", \"steps\": [], \"position\":\n{position}}}"
        );
        std::fs::write(file("x.json"), &text).expect("a file");
        let (out, err) = ann.reads(&["scenario", &file("x.json")]);
        (text, out + &err)
    };
    let (_, told) = scenario(&position);
    assert!(told.contains("1 scenario passed"), "{told}");
    let (_, told) = scenario(&format!("{{\"diplomacy\": {position}}}"));
    assert!(told.contains("1 scenario passed"), "with its envelope: {told}");
    let (text, told) = scenario(&position.replace("\"Vie\",\n", "\"Atlantis\",\n"));
    let line = text.lines().position(|line| line.contains("\"at\": \"Atlantis\"")).expect("it") + 1;
    assert!(told.contains(&format!("x.json:{line}:")), "line {line}: {told}");
}

#[test]
fn usage_errors_show_only_typed_options() {
    let mut program = Command::new(heliopause_tests::binary("cli-client"));
    let program = program.env("HELIOPAUSE_ENGINE", "http://127.0.0.1:1").arg("rule");
    let output = program.output().expect("the program can be started");
    let told = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("rule") && !told.contains("--engine"), "{told}");
}
