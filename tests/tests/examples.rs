//! Scenario files are valid for both the schema and the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use heliopause_scenario::file::File;
use heliopause_tests::binary;
use serde_json::Value;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn json(path: &Path) -> Value {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn schema() -> jsonschema::Validator {
    jsonschema::validator_for(&json(&root().join("docs/scenario.schema.json")))
        .expect("the schema is valid")
}

fn files() -> Vec<PathBuf> {
    let mut folders = ["examples/scenarios", "tests/scenarios"].map(|at| root().join(at)).to_vec();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder exists") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files
}

#[test]
fn every_file_matches_the_schema() {
    let schema = schema();
    assert!(files().len() >= 80);
    for path in files() {
        let errors: Vec<String> =
            schema.iter_errors(&json(&path)).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", path.display());
    }
}

#[test]
fn every_file_passes() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(binary("cli-client"));
    command.args(["scenario", "--keep-going", "examples/scenarios", "tests/scenarios"]);
    command
        .current_dir(root())
        .env("HELIOPAUSE_ENGINE_BIN", binary("engine-service"))
        .env("HELIOPAUSE_AI_BIN", binary("ai-client"))
        .env("HELIOPAUSE_CONFIG_DIR", folder.path());
    let output = command.output().expect("the command line starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let failed: Vec<&str> = text.lines().filter(|line| !line.starts_with("pass ")).collect();
    assert!(output.status.success(), "{}", failed.join("\n"));
}

#[test]
fn every_example_of_the_pages_is_valid() {
    let pages = concat!(
        include_str!("../../docs/scenarios.md"),
        include_str!("../../docs/scenario-format.md")
    );
    let blocks: Vec<&str> = pages
        .split("```json\n")
        .skip(1)
        .filter_map(|rest| rest.split_once("```").map(|(block, _)| block))
        .collect();
    assert!(blocks.len() >= 7, "the pages have examples");
    let schema = schema();
    for block in blocks {
        let read = File::parse(Path::new("scenarios.md"), block);
        assert!(read.is_ok(), "{}\n{block}", read.err().unwrap_or_default());
        let value: Value = serde_json::from_str(block).expect("it is JSON");
        let errors: Vec<String> =
            schema.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}\n{block}");
    }
}

/// A more lenient schema would let editors accept files that the program rejects.
#[test]
fn schema_and_program_reject_the_same_files() {
    let schema = schema();
    for file in include_str!("wrong_scenarios.jsonl").lines() {
        let value = serde_json::from_str(file).expect("it is JSON");
        assert!(!schema.is_valid(&value), "the schema takes {file}");
        assert!(File::parse(Path::new("x"), file).is_err(), "the program takes {file}");
    }
}
