//! Integration scenarios: JSON files that set up a sandbox game, play it, and say what shall come
//! of it.

use std::path::PathBuf;
use std::process::Stdio;

use clap::Args;
use heliopause_proto::v1::RegisterRequest;
use heliopause_scenario::convert::{Renames, convert};
use heliopause_scenario::engine::{OwnEngine, OwnWorker};
use heliopause_scenario::suite::{How, each};
use heliopause_scenario::{files, report, schema};

use crate::context::Context;
use crate::engine::{Engine, hex, random};
use crate::failure::{Failure, about};
use crate::global::Global;
use crate::terminal::Out;
use crate::text::count;

/// Run integration scenarios.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[command(after_help = "\
A scenario file holds a game (options or a position), scripted dice, and steps with what is \
expected of each; the
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
    /// Rewrite the files in place by the names that the contract and scenarios have now; run
    /// nothing.
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
        return Out::Answer.document(schema::text().trim_end());
    }
    let context = Context::new(global)?;
    let files = files::find(&args.files)?;
    if args.convert {
        return rewrite(&context, &files);
    }
    let mut own =
        if args.check || global.engine.is_some() { None } else { Some(OwnEngine::start().await?) };
    let engine = if args.check { None } else { Some(player(&context, own.as_ref()).await?) };
    let _worker = match &mut own {
        Some(own) if args.with_ai => own.automate().map(|()| None)?,
        None if args.with_ai && !args.check => {
            let url = global.engine.as_deref().unwrap_or_default();
            Some(OwnWorker::start(url, args.ai_token_file.as_deref(), Stdio::inherit())?)
        }
        _ => None,
    };
    let how = How { keep_going: args.keep_going, mutate: args.mutate };
    let mut results = Vec::new();
    for path in files {
        let before = results.len();
        let mut tell = |result: report::Result| {
            let told = context.answer_value(&result.json(), |style| result.text(style));
            results.push(result);
            told
        };
        each(&path, how, own.as_mut(), engine.as_ref(), &mut tell).await?;
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

fn conclude(
    context: &Context,
    args: &ScenarioArgs,
    results: &[report::Result],
) -> Result<(), Failure> {
    let failed = results.iter().filter(|result| !result.passed()).count();
    if failed == 0 {
        let told = format!("{} passed.", count(results.len(), "scenario"));
        return if context.json { Ok(()) } else { Out::Answer.say(&told) };
    }
    let skipped = if args.keep_going { "" } else { "; what follows was not run" };
    let told = format!("{failed} of {} failed{skipped}.", count(results.len(), "scenario"));
    Err(Failure::failed(told).because("SCENARIO_FAILED"))
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

/// Rewrites files in place and tells what was done.
fn rewrite(context: &Context, files: &[PathBuf]) -> Result<(), Failure> {
    let renames =
        Renames::known().map_err(|error| Failure::failed(format!("renames.toml: {error}")))?;
    let mut changed = 0;
    for path in files {
        let text = std::fs::read_to_string(path).map_err(|error| about(path, &error))?;
        let converted =
            convert(path, &text, &renames).map_err(|flaws| Failure::failed(flaws.to_string()))?;
        if converted.text == text {
            continue;
        }
        std::fs::write(path, &converted.text).map_err(|error| about(path, &error))?;
        changed += 1;
        let told = format!("{}: {} renamed", path.display(), count(converted.names, "name"));
        let renamed = serde_json::json!({ "file": path, "renamed": converted.names });
        context.answer_value(&renamed, |_| told)?;
    }
    let told = format!("{changed} of {} changed.", count(files.len(), "file"));
    if context.json { Ok(()) } else { Out::Answer.say(&told) }
}
