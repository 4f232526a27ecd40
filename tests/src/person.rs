//! Players who use the command-line client.

use std::fs::Permissions;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::{Engine, binary};

/// A user of the command line with an account on an engine.
#[derive(Debug)]
pub struct Person {
    pub url: String,
    pub home: TempDir,
    pub global: Vec<String>,
}

impl Person {
    pub fn new(url: &str) -> Self {
        let home = tempfile::tempdir().expect("a temporary directory");
        Self { url: url.to_owned(), home, global: Vec::new() }
    }

    pub fn registered(url: &str, name: &str) -> Self {
        let person = Self::new(url);
        person.does(&["register", name]);
        person
    }

    /// Returns the holder of a token, who passes it in a file.
    pub fn with_token(url: &str, token: &str) -> Self {
        let person = Self::new(url);
        let file = person.home.path().join("token");
        std::fs::write(&file, token).expect("a file");
        std::fs::set_permissions(&file, Permissions::from_mode(0o600)).expect("it is ours");
        let file = file.display().to_string();
        Self { global: vec!["--token-file".to_owned(), file], ..person }
    }

    /// Returns the operator of an engine.
    pub fn operator(engine: &Engine) -> Self {
        let file = engine.data().join("admin.token").display().to_string();
        Self { global: vec!["--token-file".to_owned(), file], ..Self::new(&engine.url()) }
    }

    pub fn program(&self) -> Command {
        let mut command = Command::new(binary("cli-client"));
        command.args(["--engine", &self.url]).args(&self.global);
        command.env("HELIOPAUSE_CONFIG_DIR", self.home.path()).env_remove("HELIOPAUSE_TOKEN");
        command
    }

    /// Returns a command that runs a line of arguments in a terminal.
    pub fn terminal(&self, line: &str) -> Command {
        let program = self.program();
        let words = std::iter::once(program.get_program()).chain(program.get_args());
        let words = words.map(|word| format!("'{}'", word.to_str().expect("text")));
        let command = format!("{} {line}", words.collect::<Vec<_>>().join(" "));
        let mut terminal = Command::new("script");
        terminal.args(["--quiet", "--return", "--command", &command, "/dev/null"]);
        for (name, value) in program.get_envs() {
            terminal.env(name, value.unwrap_or_default());
        }
        terminal.env("TERM", "xterm");
        terminal
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.program().arg("--json").args(arguments).output().expect("the program can be started")
    }

    /// Runs a command. Returns its standard output and standard error.
    pub fn reads(&self, arguments: &[&str]) -> (String, String) {
        let output = self.program().args(arguments).output().expect("the program can be started");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (text(output.stdout), text(output.stderr))
    }

    /// Runs `play` with typed lines. Returns its standard output.
    pub fn plays(&self, arguments: &[&str], lines: &str) -> String {
        Self::types(self.program().arg("play").args(arguments), lines)
    }

    /// Runs a program with typed lines. Returns its standard output.
    pub fn types(program: &mut Command, lines: &str) -> String {
        let piped = program.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = piped.spawn().expect("the program can be started");
        child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        let told = String::from_utf8(output.stdout).expect("text");
        assert!(output.status.success(), "{told}");
        told
    }

    pub fn does(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        let (out, err) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{arguments:?}: {err}");
        if out.trim().is_empty() { Value::Null } else { serde_json::from_str(&out).expect("JSON") }
    }

    pub fn fails(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(!output.status.success(), "{arguments:?} is refused");
        String::from_utf8(output.stderr).expect("text")
    }

    /// Starts a game with another person. Returns the person with the first turn, the other person,
    /// and the game's id.
    pub fn begins(self, other: Self, kind: &str) -> (Self, Self, String) {
        let game = self.game(kind, &["--open", "1", "--start-when-full"]);
        other.does(&["join", &game]);
        match self.does(&["show", &game])["game"]["onTurn"].as_u64() {
            Some(2) => (other, self, game),
            _ => (self, other, game),
        }
    }

    pub fn game(&self, kind: &str, arguments: &[&str]) -> String {
        let answer = self.does(&[&["new", kind, "--in-order"], arguments].concat());
        answer["game"]["gameId"].as_str().unwrap_or_else(|| panic!("no id in {answer}")).to_owned()
    }
}
