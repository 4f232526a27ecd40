//! The command line from a user's point of view.

use clap::{CommandFactory as _, Parser as _};
use heliopause_ai::bot::Stop;
use heliopause_ai::cli::{Cli, Command};

fn settings(args: &[&str]) -> Result<String, String> {
    let cli = Cli::try_parse_from([&["ai-client", "--token-file", "t"], args].concat())
        .map_err(|error| error.to_string())?;
    let settings = cli.work.settings().map_err(|error| error.to_string())?;
    Ok(settings.plays.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
}

#[test]
fn the_command_line_is_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn all_profiles_are_played_by_default() {
    let everything = [
        "starships-at-large/captain",
        "starships-at-large/death-star",
        "star-empires/emperor",
        "star-empires/abandoned",
        "stellar-conquest/power",
        "fate-of-empire/captain-general",
        "fate-of-empire/pirates",
        "fate-of-empire/independents",
        "alone-in-outer-space/power",
        "diplomacy/power",
        "it-came-from-outer-space/empire",
    ];
    let at_all_levels = everything.map(|profile| format!("{profile} (random, standard, strong)"));
    assert_eq!(settings(&[]).unwrap(), at_all_levels.join("; "));
}

#[test]
fn profiles_and_levels_can_be_selected() {
    let captain = settings(&["--profiles", "captain", "--levels", "strong,standard"]).unwrap();
    assert_eq!(captain, "starships-at-large/captain (standard, strong)");
    assert_eq!(
        settings(&["--profiles", "starships-at-large/death-star", "--levels", "random"])
            .unwrap()
            .matches('/')
            .count(),
        1
    );
}

#[test]
fn errors_list_the_allowed_values() {
    assert!(
        settings(&["--profiles", "pirate"]).unwrap_err().contains("starships-at-large/captain")
    );
    assert!(
        settings(&["--levels", "godlike"]).unwrap_err().contains("random, standard and strong")
    );
    assert!(settings(&["--concurrency", "0"]).is_err());
    assert!(settings(&["--tls-cert", "c.pem"]).unwrap_err().contains("--tls-key"));
}

#[test]
fn an_invalid_address_is_an_error() {
    let error = |urls: &str| settings(&["--engine", urls]).unwrap_err();
    assert!(error("http://").contains("'http://' for '--engine <URL>': it has no host"));
    assert!(error("").contains("--engine"), "{}", error(""));
    assert!(error("a,ftp://b").contains("it must start with http:// or https://"));
    assert!(error("a:99999").contains("the port must be a number from 1 to 65535"));
    assert!(error("https://a,http://b").contains("all engines must use https, or all http"));
    settings(&["--engine", "a:1,http://b/", "--engine", "c"]).unwrap();
    settings(&["--engine", "https://a"]).unwrap();
}

#[test]
fn the_number_of_seats_defaults_to_the_number_of_players() {
    let plan = |args: &[&str]| {
        let cli = Cli::try_parse_from([&["ai-client", "tournament"], args].concat()).unwrap();
        let Some(Command::Tournament(args)) = cli.command else {
            panic!("a tournament was asked for")
        };
        args.plan(|_| {}, Stop::new())
            .map(|(_, plan)| plan.seats)
            .map_err(|error| error.to_string())
    };
    assert_eq!(plan(&["starships-at-large", "--players", "strong,random"]), Ok(2));
    assert_eq!(
        plan(&[
            "starships-at-large",
            "--players",
            "strong,random",
            "--seats",
            "4",
            "--death-star",
            "random"
        ]),
        Ok(4)
    );
    assert!(plan(&["chess"]).unwrap_err().contains("starships-at-large"));
}

fn run(args: &[&str]) -> std::process::Output {
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_ai-client"));
    program.args(args).output().expect("the program runs")
}

#[test]
fn an_unreadable_token_file_ends_the_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("nofile");
    let path = file.to_str().expect("a path");
    let failed = |because: &str| {
        let output = run(&["--engine", "http://127.0.0.1:9", "--token-file", path]);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains(path) && stderr.contains(because), "{stderr}");
        assert_eq!(
            stderr.lines().filter(|line| line.starts_with("ai-client: ")).count(),
            1,
            "{stderr}"
        );
    };
    failed("cannot read");
    std::fs::write(&file, "\n").expect("a file");
    failed("is empty");
    std::fs::write(&file, b"\xff\xfe").expect("a file");
    failed("is not a text file");
}

#[test]
fn an_interrupted_tournament_prints_completed_sets() {
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_ai-client"));
    program.args(["tournament", "starships-at-large", "--players", "standard,random"]);
    program.args(["--seats", "2", "--games", "10000000", "--each"]);
    for signal in ["-INT", "-TERM"] {
        let child = program
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the program runs");
        std::thread::sleep(std::time::Duration::from_secs(2));
        let mut kill = std::process::Command::new("kill");
        let killed = kill.args([signal, &child.id().to_string()]).status().expect("kill runs");
        assert!(killed.success());
        let output = child.wait_with_output().expect("it ends");
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(1), "{stdout}");
        assert!(stdout.contains("interrupted: 5000000 sets planned"), "{stdout}");
        assert!(
            stdout.starts_with("seed 1, set 1: ") && stdout.contains("\nstandard "),
            "{stdout}"
        );
        let why = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(why.contains("ai-client: interrupted after "), "{why}");
    }
}
