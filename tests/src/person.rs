//! The command line as a program that a person runs.

use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::binary;

/// A person with an account of their own on an engine.
#[derive(Debug)]
pub struct Person {
    /// The address of the engine.
    pub url: String,
    /// Where the program keeps what it must know from one command to the next.
    pub home: TempDir,
    /// What comes before every command.
    pub global: Vec<String>,
}

impl Person {
    /// One without an account.
    pub fn new(url: &str) -> Self {
        let home = tempfile::tempdir().expect("a temporary directory");
        Self { url: url.to_owned(), home, global: Vec::new() }
    }

    /// One with an account under this name.
    pub fn registered(url: &str, name: &str) -> Self {
        let person = Self::new(url);
        person.does(&["register", name]);
        person
    }

    /// The program with their settings, to be given a command.
    pub fn program(&self) -> Command {
        let mut command = Command::new(binary("cli-client"));
        command.args(["--engine", &self.url]).args(&self.global);
        command.env("HELIOPAUSE_CONFIG_DIR", self.home.path()).env_remove("HELIOPAUSE_TOKEN");
        command
    }

    /// Runs a command that answers with JSON.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.program().arg("--json").args(arguments).output().expect("the program can be started")
    }

    /// What a person reads, and what warns them.
    pub fn reads(&self, arguments: &[&str]) -> (String, String) {
        let output = self.program().args(arguments).output().expect("the program can be started");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (text(output.stdout), text(output.stderr))
    }

    /// A command that works, and its answer.
    pub fn does(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        let (out, err) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{arguments:?}: {err}");
        if out.trim().is_empty() { Value::Null } else { serde_json::from_str(&out).expect("JSON") }
    }

    /// A command that is refused, and what was said.
    pub fn fails(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(!output.status.success(), "{arguments:?} is refused");
        String::from_utf8(output.stderr).expect("text")
    }

    /// A new game of this kind without lots: its id.
    pub fn game(&self, kind: &str, arguments: &[&str]) -> String {
        let answer = self.does(&[&["new", kind, "--in-order"], arguments].concat());
        answer["game"]["gameId"].as_str().unwrap_or_else(|| panic!("no id in {answer}")).to_owned()
    }
}
