//! Players who use the command-line client.

use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::binary;

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

    pub fn program(&self) -> Command {
        let mut command = Command::new(binary("cli-client"));
        command.args(["--engine", &self.url]).args(&self.global);
        command.env("HELIOPAUSE_CONFIG_DIR", self.home.path()).env_remove("HELIOPAUSE_TOKEN");
        command
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

    pub fn game(&self, kind: &str, arguments: &[&str]) -> String {
        let answer = self.does(&[&["new", kind, "--in-order"], arguments].concat());
        answer["game"]["gameId"].as_str().unwrap_or_else(|| panic!("no id in {answer}")).to_owned()
    }
}
