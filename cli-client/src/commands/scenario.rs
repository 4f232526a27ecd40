//! The `scenario` command: runs, checks and converts scenario files.

use std::path::PathBuf;
use std::process::Stdio;

use clap::Args;
use heliopause_proto::v1::RegisterRequest;
use heliopause_scenario::convert::{Renames, convert};
use heliopause_scenario::engine::{PrivateEngine, PrivateWorker};
use heliopause_scenario::suite::{RunOptions, each};
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
#[command(after_help = include_str!("../help/scenario.txt"))]
pub struct ScenarioArgs {
    /// Scenario files, directories of scenario files, or patterns such as 'tests/*.json'
    #[arg(required_unless_present = "schema", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Continue with the other steps and files after a failure.
    #[arg(short, long)]
    pub keep_going: bool,
    /// Also write the results as JUnit XML.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Check the files without running them.
    #[arg(long, conflicts_with_all = ["mutate", "convert"])]
    pub check: bool,
    /// Change each expected value in turn and check that the changed expectation fails.
    #[arg(long, conflicts_with = "convert")]
    pub mutate: bool,
    /// Also compare the `info` fields of recorded Diplomacy cases, which explain the results of
    /// orders.
    #[arg(long)]
    pub info: bool,
    /// Rewrite the files in place with the current names of calls, fields and values, without
    /// running them.
    #[arg(long)]
    pub convert: bool,
    /// Print the JSON Schema of scenario files.
    #[arg(long)]
    pub schema: bool,
    /// Start an ai-client next to the engine, even if no file needs one.
    #[arg(long)]
    pub with_ai: bool,
    /// File with the worker token for the ai-client; use it with --engine and --with-ai.
    #[arg(long, value_name = "FILE", requires = "with_ai")]
    pub ai_token_file: Option<PathBuf>,
}

/// Runs scenarios. Returns an error if one of them fails.
pub async fn run(global: &Global, args: &ScenarioArgs) -> Result<(), Failure> {
    if args.schema {
        return Out::Stdout.document(schema::text().trim_end());
    }
    let context = Context::new(global)?;
    let files = files::find(&args.files)?;
    if args.convert {
        return rewrite(&context, &files);
    }
    let mut own = if args.check || global.engine.is_some() {
        None
    } else {
        Some(PrivateEngine::start().await?)
    };
    let engine = if args.check { None } else { Some(player(&context, own.as_ref()).await?) };
    let _worker = match &mut own {
        Some(own) if args.with_ai => own.automate().map(|()| None)?,
        None if args.with_ai && !args.check => {
            let url = global.engine.as_deref().unwrap_or_default();
            Some(PrivateWorker::start(url, args.ai_token_file.as_deref(), Stdio::inherit())?)
        }
        _ => None,
    };
    let how = RunOptions { keep_going: args.keep_going, mutate: args.mutate, info: args.info };
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
        return if context.json { Ok(()) } else { Out::Stdout.say(&told) };
    }
    let skipped = if args.keep_going { "" } else { "; the remaining scenarios were not run" };
    let told = format!("{failed} of {} failed{skipped}.", count(results.len(), "scenario"));
    Err(Failure::failed(told).because("SCENARIO_FAILED"))
}

/// Connects to the engine of the run: with the caller's token if it is a given engine and a token
/// is available, otherwise with a new account.
async fn player(context: &Context, own: Option<&PrivateEngine>) -> Result<Engine, Failure> {
    if own.is_none() && context.token().is_some() {
        return context.engine().await;
    }
    let engine = match own {
        Some(own) => Engine::connect(&own.url, None).await?,
        None => context.connect_anonymous().await?,
    };
    let name = format!("scenario-{}", hex(&random::<6>()?));
    let request = RegisterRequest { name, invitation: String::new(), ..RegisterRequest::default() };
    let token = engine.players().register(request).await?.into_inner().token;
    engine.with_token(&token)
}

fn rewrite(context: &Context, files: &[PathBuf]) -> Result<(), Failure> {
    let renames = Renames::known()
        .map_err(|error| Failure::failed(format!("renames.toml is not valid: {error}.")))?;
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
    if context.json { Ok(()) } else { Out::Stdout.say(&told) }
}
