//! Runs the scenarios of a file in order, and compares their results.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use heliopause_client::engine::Engine;
use heliopause_client::failure::Failure;
use heliopause_render::text::count;

use crate::engine::PrivateEngine;
use crate::file::{File, Same, Scenario, Viewer};
use crate::run::{self, Fault, Run};
use crate::{answers, cases, mutate, report};

/// Options of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions {
    pub keep_going: bool,
    pub mutate: bool,
    /// Whether to compare the `info` fields of recorded cases too.
    pub info: bool,
}

/// Runs and reports each scenario of a file, and then compares their results.
pub async fn each(
    path: &Path,
    how: RunOptions,
    own: Option<&mut PrivateEngine>,
    engine: Option<&Engine>,
    tell: &mut dyn FnMut(report::Result) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if let Some(cases) = cases::read(path) {
        if how.mutate {
            let what = "This file contains recorded cases, which --mutate does not support; run it without --mutate.";
            let faults = vec![Fault { step: None, at: None, what: what.to_owned() }];
            let path = path.to_owned();
            return tell(report::Result { path, faults, ..report::Result::default() });
        }
        return cases::run(path, cases, how.info, engine, tell).await;
    }
    let file = match File::read(path) {
        Ok(file) => file,
        Err(flaws) => {
            let (path, faults) = (path.to_owned(), Fault::from_flaws(flaws));
            return tell(report::Result { path, faults, ..report::Result::default() });
        }
    };
    if let Some(own) = own.filter(|_| file.needs_automation()) {
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
        let (path, name, time) = (path.to_owned(), scenario.title(), begun.elapsed());
        let Run { faults, notes, .. } = run;
        let passed = faults.is_empty();
        tell(report::Result { path, name, time, faults, notes })?;
        if !passed && !how.keep_going {
            return Ok(());
        }
    }
    for same in file.same.iter().filter(|_| engine.is_some()) {
        let faults = compare_endings(same, &endings);
        let name = format!("the same in {}", same.cases.join(" and "));
        tell(report::Result { path: path.to_owned(), name, faults, ..report::Result::default() })?;
    }
    Ok(())
}

fn watched(file: &File, scenario: &Scenario) -> Vec<Viewer> {
    let same = file.same.iter().filter(|same| same.cases.contains(&scenario.case));
    same.flat_map(|same| same.viewers.iter().copied()).collect()
}

fn mutated(scenario: &Scenario, run: &mut Run) {
    let found = mutate::mutate_all(scenario, &run.recorded);
    run.notes.push(format!("{} mutated", count(found.altered, "value")));
    run.faults.extend(found.survivors.into_iter().map(|one| {
        let (line, shown) = (one.at.line, one.shown);
        let what = format!("line {line}: {shown} checks nothing: the mutated value matches too.");
        Fault { step: None, at: Some(one.at), what }
    }));
}

fn compare_endings(
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
            let (one, two) = (known(first, viewer), known(other, viewer));
            if let Some(what) = answers::first_difference(one, two, "") {
                let line = same.at.line;
                let what = format!("line {line}: {viewer} in {first} and in {other}: {what}");
                faults.push(Fault { step: None, at: Some(same.at.clone()), what });
            }
        }
    }
    faults
}
