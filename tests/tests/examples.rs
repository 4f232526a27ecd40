//! The scenarios that are shipped are valid, by the schema and by the program.

use std::fs;
use std::path::{Path, PathBuf};

use heliopause_scenario::file::File;
use serde_json::{Value, json};

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

fn examples() -> Vec<PathBuf> {
    let mut folders = vec![root().join("examples/scenarios")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("there are examples") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files
}

#[test]
fn every_example_fits_the_schema() {
    let schema = schema();
    assert!(examples().len() >= 80);
    for path in examples() {
        let errors: Vec<String> =
            schema.iter_errors(&json(&path)).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", path.display());
    }
}

#[test]
fn every_example_is_read() {
    for path in examples() {
        let read = File::read(&path);
        assert!(read.is_ok(), "{}", read.err().unwrap_or_default());
    }
}

/// What the page shows is read by the program and fits the schema.
#[test]
fn every_example_of_the_page_is_read() {
    let page = include_str!("../../docs/scenarios.md");
    let blocks: Vec<&str> = page
        .split("```json\n")
        .skip(1)
        .filter_map(|rest| rest.split_once("```").map(|(block, _)| block))
        .collect();
    assert!(blocks.len() >= 7, "the page has examples");
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

/// What one of them refuses the other must refuse too, or an editor would approve what the program
/// does not take.
#[test]
fn schema_and_program_refuse_the_same() {
    let with_step =
        |step: Value| json!({ "name": "x", "game": "starships-at-large", "steps": [step] });
    let wrong = [
        json!({}),
        json!({ "name": "x", "game": "starships-at-large" }),
        with_step(json!({ "order": "end" })),
        with_step(json!({ "seat": 1, "order": "end", "orders": [] })),
        with_step(json!({ "advance": "26 hours" })),
        with_step(json!({ "unknown": 1 })),
        with_step(json!({ "seat": 1, "pick": true })),
        with_step(json!({ "expect": { "view": { "somebody": {} } } })),
        with_step(json!({ "expect": { "events": { "1": { "contains": [] } } } })),
        with_step(json!({ "expect": { "events": { "1": { "$contain": [] } } } })),
        with_step(json!({ "expect": { "events": { "1": [{ "game": { "turnEndd": {} } }] } } })),
        with_step(json!({ "expect": { "view": { "1": { "knwn": {} } } } })),
        with_step(json!({ "expect": { "game": { "status": "ENDED" } } })),
        with_step(json!({ "seat": 1, "order": { "fly": {} } })),
        with_step(json!({ "repeat": 0, "close": true })),
        with_step(json!({ "expect": { "decision": { "spectator": null } } })),
        with_step(json!({ "expect": { "choices": { "1": { "holds": [] } } } })),
    ];
    let schema = schema();
    for file in wrong {
        assert!(!schema.is_valid(&file), "the schema takes {file}");
        assert!(
            File::parse(Path::new("x"), &file.to_string()).is_err(),
            "the program takes {file}"
        );
    }
}
