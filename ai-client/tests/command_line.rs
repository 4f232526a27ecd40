//! The command line, as a stranger meets it.

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
fn without_options_everything_is_played() {
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
fn profiles_and_levels_narrow_it_down() {
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
fn mistakes_are_told_with_what_there_is() {
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
fn an_address_that_leads_nowhere_is_told_at_once() {
    let told = |urls: &str| settings(&["--engine", urls]).unwrap_err();
    assert!(told("http://").contains("'http://' for '--engine <URL>': it names no host"));
    assert!(told("").contains("--engine"), "{}", told(""));
    assert!(told("a,ftp://b").contains("it begins with neither http:// nor https://"));
    assert!(told("a:99999").contains("a port is a number from 1 to 65535"));
    assert!(told("https://a,http://b").contains("either all engines are named by https, or none"));
    settings(&["--engine", "a:1,http://b/", "--engine", "c"]).unwrap();
    settings(&["--engine", "https://a"]).unwrap();
}

#[test]
fn a_tournament_has_as_many_seats_as_players_unless_told() {
    let plan = |args: &[&str]| {
        let cli = Cli::try_parse_from([&["ai-client", "tournament"], args].concat()).unwrap();
        let Some(Command::Tournament(args)) = cli.command else {
            panic!("a tournament was asked for")
        };
        args.plan(|_, _| {}, Stop::new())
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

/// The program, run to its end.
fn run(args: &[&str]) -> std::process::Output {
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_ai-client"));
    program.args(args).output().expect("the program runs")
}

#[test]
fn a_token_file_that_cannot_be_read_ends_the_program_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("nofile");
    let path = file.to_str().expect("a path");
    let failed = |because: &str| {
        let output = run(&["--engine", "http://127.0.0.1:9", "--token-file", path]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains(path) && told.contains(because), "{told}");
        assert_eq!(
            told.lines().filter(|line| line.starts_with("ai-client: ")).count(),
            1,
            "{told}"
        );
    };
    failed("cannot be read");
    std::fs::write(&file, "\n").expect("a file");
    failed("is empty");
    std::fs::write(&file, b"\xff\xfe").expect("a file");
    failed("holds no text");
}

#[test]
fn a_tournament_that_is_interrupted_prints_what_it_has() {
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
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains("interrupted: 5000000 sets were planned"), "{told}");
        assert!(told.starts_with("set 1: ") && told.contains("\nstandard "), "{told}");
        let why = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(why.contains("ai-client: interrupted after "), "{why}");
    }
}
