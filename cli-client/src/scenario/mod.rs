//! Integration scenarios: JSON files that set up a sandbox game, play it, and say what shall come of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use clap::Args;
use heliopause_proto::v1::RegisterRequest;

use crate::args::Global;
use crate::connect::{Engine, hex, random};
use crate::context::{Context, print};
use crate::failure::Failure;
use crate::profile::about;
use crate::text::count;

pub mod answers;
pub mod check;
pub mod compose;
pub mod contract;
pub mod convert;
pub mod engine;
pub mod file;
pub mod json;
pub mod matching;
pub mod mutate;
pub mod nearest;
pub mod pattern;
pub mod report;
pub mod run;
pub mod schema;

use engine::{OwnEngine, OwnWorker};
use file::{File, Same, Scenario};
use run::{Fault, Run};

/// Run integration scenarios.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[command(after_help = "\
A scenario file holds a game (options or a position), scripted dice, and steps with what is expected of each; the
documentation is in docs/scenarios.md. Without --engine an engine is started for the run: HELIOPAUSE_ENGINE_BIN, or
engine-service beside this program or on the PATH. Where automation plays, an ai-client is started too (HELIOPAUSE_AI_BIN).
A given engine must run with --sandbox. In folders, files whose names begin with _ are left out: others extend them.

Examples:
  cli-client scenario examples/scenarios
  cli-client scenario tests/*.json --keep-going --junit report.xml
  cli-client scenario --mutate examples/scenarios
  cli-client scenario combat.json --engine http://127.0.0.1:50051 --with-ai --ai-token-file worker.token")]
pub struct ScenarioArgs {
    /// Scenario files, directories of them, or patterns such as 'tests/*.json'.
    #[arg(required_unless_present = "schema", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Go on after a failure: with the other steps of a file, and with the other files.
    #[arg(short, long)]
    pub keep_going: bool,
    /// Write the results as JUnit XML too.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Only read the files and check them; run nothing.
    #[arg(long, conflicts_with_all = ["mutate", "convert"])]
    pub check: bool,
    /// Alter every expected value in turn and check that it is noticed.
    #[arg(long, conflicts_with = "convert")]
    pub mutate: bool,
    /// Rewrite the files in place by the names that the contract and scenarios have now; run nothing.
    #[arg(long)]
    pub convert: bool,
    /// Print the JSON Schema of scenario files.
    #[arg(long)]
    pub schema: bool,
    /// Start an ai-client beside the engine, also where no file asks for one.
    #[arg(long)]
    pub with_ai: bool,
    /// The file with the worker's token that the ai-client uses at a given engine.
    #[arg(long, value_name = "FILE", requires = "with_ai")]
    pub ai_token_file: Option<PathBuf>,
}

/// Runs scenarios. Fails if one of them does.
pub async fn run(global: &Global, args: &ScenarioArgs) -> Result<(), Failure> {
    if args.schema {
        return print(schema::text().trim_end());
    }
    let context = Context::new(global)?;
    let files = find(&args.files)?;
    if args.convert {
        return convert::run(&context, &files);
    }
    let mut own = if args.check || global.engine.is_some() { None } else { Some(OwnEngine::start().await?) };
    let engine = if args.check { None } else { Some(player(&context, own.as_ref()).await?) };
    let _worker = match &mut own {
        Some(own) if args.with_ai => own.automate().map(|()| None)?,
        None if args.with_ai && !args.check => {
            let url = global.engine.as_deref().unwrap_or_default();
            Some(OwnWorker::start(url, args.ai_token_file.as_deref(), Stdio::inherit())?)
        }
        _ => None,
    };
    let mut results = Vec::new();
    for path in files {
        let before = results.len();
        each(&path, args, &context, own.as_mut(), engine.as_ref(), &mut results).await?;
        let failed = results[before..].iter().any(|result| !result.passed());
        if failed && !args.keep_going {
            break;
        }
    }
    if let Some(path) = &args.junit {
        report::write_junit(path, &results)?;
    }
    conclude(&context, args, &results)
}

fn conclude(context: &Context, args: &ScenarioArgs, results: &[report::Result]) -> Result<(), Failure> {
    let failed = results.iter().filter(|result| !result.passed()).count();
    if failed == 0 {
        let told = format!("{} passed.", count(results.len(), "scenario"));
        return if context.json { Ok(()) } else { print(&told) };
    }
    let skipped = if args.keep_going { "" } else { "; what follows was not run" };
    let told = format!("{failed} of {} failed{skipped}.", count(results.len(), "scenario"));
    Err(Failure::failed(told).because("SCENARIO_FAILED"))
}

/// Runs the games of a file, tells how each went, and then what is compared between them.
async fn each(
    path: &Path,
    args: &ScenarioArgs,
    context: &Context,
    own: Option<&mut OwnEngine>,
    engine: Option<&Engine>,
    results: &mut Vec<report::Result>,
) -> Result<(), Failure> {
    let mut tell = |result: report::Result| {
        let text = if context.json { result.json().to_string() } else { result.text(&context.style) };
        results.push(result);
        print(&text)
    };
    let file = match File::read(path) {
        Ok(file) => file,
        Err(flaws) => {
            let faults =
                flaws.0.into_iter().map(|flaw| Fault { step: None, what: flaw.to_string(), at: Some(flaw.at) });
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
            Some(engine) => run::run(engine, scenario, args.keep_going, &watched(&file, scenario)).await,
        };
        if args.mutate {
            mutated(scenario, &mut run);
        }
        endings.insert(scenario.case.clone(), run.ending);
        let (path, name) = (path.to_owned(), scenario.title());
        let passed = run.faults.is_empty();
        tell(report::Result { path, name, time: begun.elapsed(), faults: run.faults, notes: run.notes })?;
        if !passed && !args.keep_going {
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
fn watched(file: &File, scenario: &Scenario) -> Vec<file::Viewer> {
    let same = file.same.iter().filter(|same| same.cases.contains(&scenario.case));
    same.flat_map(|same| same.viewers.iter().copied()).collect()
}

/// Notes how many expected values were altered, and which of them nobody noticed.
fn mutated(scenario: &Scenario, run: &mut Run) {
    let found = mutate::alter(scenario, &run.recorded);
    run.notes.push(format!("{} altered", count(found.altered, "value")));
    run.faults.extend(found.unnoticed.into_iter().map(|one| {
        let what = format!("line {}: {} says nothing: altered, it holds as well.", one.at.line, one.shown);
        Fault { step: None, at: Some(one.at), what }
    }));
}

/// In which cases a viewer does not know the same.
fn differing(same: &Same, endings: &BTreeMap<String, BTreeMap<file::Viewer, serde_json::Value>>) -> Vec<Fault> {
    let Some((first, others)) = same.cases.split_first() else { return Vec::new() };
    let null = serde_json::Value::Null;
    let known = |case: &String, viewer| endings.get(case).and_then(|ending| ending.get(viewer)).unwrap_or(&null);
    let mut faults = Vec::new();
    for viewer in &same.viewers {
        for other in others {
            if let Some(what) = answers::first_difference(known(first, viewer), known(other, viewer), "") {
                let what = format!("line {}: {viewer} in {first} and in {other}: {what}", same.at.line);
                faults.push(Fault { step: None, at: Some(same.at.clone()), what });
            }
        }
    }
    faults
}

/// A player on the engine: the profile's on a given one, else a new one, so that runs do not meet.
pub(crate) async fn player(context: &Context, own: Option<&OwnEngine>) -> Result<Engine, Failure> {
    if own.is_none() && context.token().is_some() {
        return context.engine().await;
    }
    let engine = match own {
        Some(own) => Engine::connect(&own.url, None).await?,
        None => context.stranger().await?,
    };
    let name = format!("scenario-{}", hex(&random::<6>()?));
    let request = RegisterRequest { name, invitation: String::new(), ..RegisterRequest::default() };
    let token = engine.players().register(request).await?.into_inner().token;
    engine.with_token(&token)
}

/// All scenario files that the arguments mean, in order.
fn find(arguments: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for argument in arguments {
        let before = files.len();
        if argument.is_dir() {
            walk(argument, &mut files)?;
        } else if argument.is_file() {
            files.push(argument.clone());
        } else {
            matching_pattern(argument, &mut files)?;
        }
        if files.len() == before {
            return Err(Failure::usage(format!(
                "{} is no scenario file, and no directory with any.",
                argument.display()
            )));
        }
    }
    Ok(files)
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    for path in entries(folder)? {
        if path.is_dir() {
            walk(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "json") && !is_base(&path) {
            files.push(path);
        }
    }
    Ok(())
}

/// Whether a file is only there to be extended.
fn is_base(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('_'))
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let read = || std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>();
    let mut entries = read().map_err(|error| about(folder, &error))?;
    entries.sort();
    Ok(entries)
}

/// Files whose name fits a pattern with `*`, for shells that leave patterns to the program.
fn matching_pattern(pattern: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let folder = pattern.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = pattern.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if !name.contains('*') || !folder.is_dir() {
        return Ok(());
    }
    let fits =
        |path: &PathBuf| path.is_file() && path.file_name().is_some_and(|file| fits(&name, &file.to_string_lossy()));
    files.extend(entries(folder)?.into_iter().filter(fits));
    Ok(())
}

/// Whether a name fits a pattern in which `*` stands for any text.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|name| {
            (0..=name.len()).filter(|at| name.is_char_boundary(*at)).any(|at| fits(rest, &name[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        assert!(fits("*.json", "a.json") && fits("a*b*c", "aXbYc") && fits("a", "a"));
        assert!(!fits("*.json", "a.txt") && !fits("a*b", "ac"));
    }

    #[test]
    fn what_is_not_there_is_a_usage_error() {
        let failure = find(&["/does/not/exist.json".into()]).err();
        assert!(failure.is_some_and(|failure| failure.report().exit == crate::failure::exit::USAGE));
    }
}
