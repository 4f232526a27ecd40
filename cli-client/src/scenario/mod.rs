//! Integration scenarios: JSON files that set up a sandbox game, play it, and say what shall come of it.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use heliopause_proto::v1::RegisterRequest;

use crate::args::Global;
use crate::connect::{Engine, hex, random};
use crate::context::{Context, print};
use crate::failure::Failure;
use crate::profile::about;
use crate::text::count;

pub mod engine;
pub mod file;
pub mod matching;
pub mod report;
pub mod run;

use engine::OwnEngine;
use file::Scenario;

/// Run integration scenarios.
#[derive(Debug, Args)]
#[command(after_help = "\
A scenario file holds a game (options or a position), scripted dice, and steps with what is expected of each; the
documentation is in docs/scenarios.md. Without --engine an engine is started for the run: HELIOPAUSE_ENGINE_BIN, or
engine-service beside this program or on the PATH. Where automation plays, an ai-client is started too (HELIOPAUSE_AI_BIN).
A given engine must run with --sandbox.

Examples:
  cli-client scenario examples/scenarios
  cli-client scenario tests/*.json --keep-going --junit report.xml
  cli-client scenario combat.json --engine http://127.0.0.1:50051")]
pub struct ScenarioArgs {
    /// Scenario files, directories of them, or patterns such as 'tests/*.json'.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Run the others too after one has failed.
    #[arg(short, long)]
    pub keep_going: bool,
    /// Write the results as JUnit XML too.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Only read the files and check them; run nothing.
    #[arg(long)]
    pub check: bool,
}

/// Runs scenarios. Fails if one of them does.
pub async fn run(global: &Global, args: &ScenarioArgs) -> Result<(), Failure> {
    let context = Context::new(global)?;
    let files = find(&args.files)?;
    let mut own = if args.check || global.engine.is_some() { None } else { Some(OwnEngine::start().await?) };
    let engine = if args.check { None } else { Some(player(&context, own.as_ref()).await?) };
    let mut results = Vec::new();
    for path in files.clone() {
        let scenario = Scenario::read(&path);
        if let (Some(own), Ok(scenario)) = (&mut own, &scenario)
            && scenario.wants_automation()
        {
            own.automate()?;
        }
        let result = one(engine.as_ref(), path, scenario).await;
        if context.json {
            print(&result.json().to_string())?;
        } else {
            print(&result.text(&context.style))?;
        }
        let passed = result.passed();
        results.push(result);
        if !passed && !args.keep_going {
            break;
        }
    }
    if let Some(path) = &args.junit {
        report::write_junit(path, &results)?;
    }
    conclude(&context, files.len(), &results)
}

fn conclude(context: &Context, files: usize, results: &[report::Result]) -> Result<(), Failure> {
    let failed = results.iter().filter(|result| !result.passed()).count();
    let skipped = files - results.len();
    let skipped_note = if skipped == 0 { String::new() } else { format!(", {skipped} not run") };
    if failed == 0 {
        return if context.json { Ok(()) } else { print(&format!("{} passed.", count(results.len(), "scenario"))) };
    }
    let told = format!("{failed} of {} failed{skipped_note}.", count(files, "scenario"));
    Err(Failure::failed(told).because("SCENARIO_FAILED"))
}

async fn one(engine: Option<&Engine>, path: PathBuf, scenario: Result<Scenario, String>) -> report::Result {
    let begun = Instant::now();
    let (name, fault) = match (scenario, engine) {
        (Err(what), _) => (String::new(), Some(run::Fault { step: None, what })),
        (Ok(scenario), None) => (scenario.name, None),
        (Ok(scenario), Some(engine)) => (scenario.name.clone(), run::run(engine, &scenario).await.err()),
    };
    report::Result { path, name, time: begun.elapsed(), fault }
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
    let request = RegisterRequest { name, invitation: String::new() };
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
        } else if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    Ok(())
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
