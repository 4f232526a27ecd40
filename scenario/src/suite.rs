//! The games of a file, one after the other, and what is compared between them.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use heliopause_client::engine::Engine;
use heliopause_client::failure::Failure;
use heliopause_render::text::count;

use crate::engine::OwnEngine;
use crate::file::{File, Same, Scenario, Viewer};
use crate::run::{self, Fault, Run};
use crate::{answers, mutate, report};

/// How files are run.
#[derive(Clone, Copy, Debug, Default)]
pub struct How {
    /// Go on after a failure.
    pub keep_going: bool,
    /// Alter every expected value in turn and check that it is noticed.
    pub mutate: bool,
}

/// Runs the games of a file, tells how each went, and then what is compared between them.
pub async fn each(
    path: &Path,
    how: How,
    own: Option<&mut OwnEngine>,
    engine: Option<&Engine>,
    tell: &mut dyn FnMut(report::Result) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let file = match File::read(path) {
        Ok(file) => file,
        Err(flaws) => {
            let faults = flaws.0.into_iter().map(|flaw| Fault {
                step: None,
                what: flaw.to_string(),
                at: Some(flaw.at),
            });
            return tell(report::Result {
                path: path.to_owned(),
                faults: faults.collect(),
                ..report::Result::default()
            });
        }
    };
    if let Some(own) = own.filter(|_| file.wants_automation()) {
        own.automate()?;
    }
    let mut endings = BTreeMap::new();
    for scenario in &file.scenarios {
        let begun = Instant::now();
        let mut run = match engine {
            None => Run::default(),
            Some(engine) => {
                run::run(engine, scenario, how.keep_going, &watched(&file, scenario)).await
            }
        };
        if how.mutate {
            mutated(scenario, &mut run);
        }
        endings.insert(scenario.case.clone(), run.ending);
        let (path, name) = (path.to_owned(), scenario.title());
        let passed = run.faults.is_empty();
        tell(report::Result {
            path,
            name,
            time: begun.elapsed(),
            faults: run.faults,
            notes: run.notes,
        })?;
        if !passed && !how.keep_going {
            return Ok(());
        }
    }
    for same in file.same.iter().filter(|_| engine.is_some()) {
        let faults = differing(same, &endings);
        let name = format!("the same in {}", same.cases.join(" and "));
        tell(report::Result { path: path.to_owned(), name, faults, ..report::Result::default() })?;
    }
    Ok(())
}

/// Whose knowledge is compared when a game is over.
fn watched(file: &File, scenario: &Scenario) -> Vec<Viewer> {
    let same = file.same.iter().filter(|same| same.cases.contains(&scenario.case));
    same.flat_map(|same| same.viewers.iter().copied()).collect()
}

/// Notes how many expected values were altered, and which of them nobody noticed.
fn mutated(scenario: &Scenario, run: &mut Run) {
    let found = mutate::alter(scenario, &run.recorded);
    run.notes.push(format!("{} altered", count(found.altered, "value")));
    run.faults.extend(found.unnoticed.into_iter().map(|one| {
        let what =
            format!("line {}: {} says nothing: altered, it holds as well.", one.at.line, one.shown);
        Fault { step: None, at: Some(one.at), what }
    }));
}

/// In which cases a viewer does not know the same.
fn differing(
    same: &Same,
    endings: &BTreeMap<String, BTreeMap<Viewer, serde_json::Value>>,
) -> Vec<Fault> {
    let Some((first, others)) = same.cases.split_first() else { return Vec::new() };
    let null = serde_json::Value::Null;
    let known = |case: &String, viewer| {
        endings.get(case).and_then(|ending| ending.get(viewer)).unwrap_or(&null)
    };
    let mut faults = Vec::new();
    for viewer in &same.viewers {
        for other in others {
            if let Some(what) =
                answers::first_difference(known(first, viewer), known(other, viewer), "")
            {
                let what =
                    format!("line {}: {viewer} in {first} and in {other}: {what}", same.at.line);
                faults.push(Fault { step: None, at: Some(same.at.clone()), what });
            }
        }
    }
    faults
}
