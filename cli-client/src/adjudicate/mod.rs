//! `adjudicate`: sends recorded cases of Diplomacy to an engine, and tells which come out
//! otherwise.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use heliopause_proto::diplomacy::v1::{AdjudicateRequest, Resolution, Situation, Variant};
use serde_json::json;
use tonic::Status;
use tonic_types::StatusExt as _;

use crate::commands::scenario::player;
use crate::context::Context;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::failure::about;
use crate::global::Global;
use crate::style::Ink;
use crate::terminal::Out;
use heliopause_scenario::engine::OwnEngine;

mod compare;
mod file;
mod play;

use play::Play;

/// How many phases are sent in one call: as many as an engine takes.
const BATCH: usize = 100;
/// How often a call is tried again that the engine was too busy for.
const TRIES: u32 = 10;

/// Send recorded cases to an engine, and compare what comes out.
#[derive(Debug, Args)]
#[command(after_help = "\
Files hold cases as JSON (one case, a list, or an object with `cases` or `scenarios`), or one case \
on every line. The formats
are described in docs/diplomacy.md. Every phase of a case is adjudicated by the engine; without --engine one is started for the
run. Cases that differ are printed with what was expected and what was found; the last line counts them.

Examples:
  cli-client adjudicate --game diplomacy --cases cases.json phases.jsonl
  cli-client adjudicate --game it-came-from-outer-space --cases worked.json --json")]
pub struct AdjudicateArgs {
    /// Whose rules.
    #[arg(long, value_enum, value_name = "GAME")]
    pub game: Rules,
    /// The files with cases.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub cases: Vec<PathBuf>,
    /// Compare also what only explains a result (`info`).
    #[arg(long)]
    pub info: bool,
}

/// Whose rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Rules {
    /// Diplomacy.
    Diplomacy,
    /// "...It Came From Outer Space!".
    ItCameFromOuterSpace,
}

impl Rules {
    fn variant(self) -> Variant {
        match self {
            Self::Diplomacy => Variant::Standard,
            Self::ItCameFromOuterSpace => Variant::OuterSpace,
        }
    }
}

/// A case on its way: played, or wrong from the beginning.
struct Entry {
    place: String,
    title: String,
    play: Result<Play, String>,
}

impl Entry {
    fn differences(&self) -> &[String] {
        match &self.play {
            Ok(play) => &play.differences,
            Err(fault) => std::slice::from_ref(fault),
        }
    }
}

/// Plays all cases. Fails if one of them differs.
pub async fn run(global: &Global, args: &AdjudicateArgs) -> Result<(), Failure> {
    let context = Context::new(global)?;
    let mut entries = Vec::new();
    for path in &args.cases {
        entries.extend(read(path, args)?);
    }
    let own = if global.engine.is_some() { None } else { Some(OwnEngine::start().await?) };
    let engine = player(&context, own.as_ref()).await?;
    play_all(&engine, &mut entries).await?;
    conclude(&context, &entries)
}

fn read(path: &Path, args: &AdjudicateArgs) -> Result<Vec<Entry>, Failure> {
    if !path.is_file() {
        return Err(about(path, &std::io::Error::from(std::io::ErrorKind::NotFound)));
    }
    let cases = file::read(path)
        .map_err(|fault| Failure::failed(format!("{}: {fault}.", path.display())))?;
    if cases.is_empty() {
        return Err(Failure::failed(format!("{} holds no cases.", path.display())));
    }
    let entry = |read: file::Read| match read {
        Err((id, fault)) => Entry {
            place: format!("{}: {id}", path.display()),
            title: String::new(),
            play: Err(fault),
        },
        Ok(case) => Entry {
            place: format!("{}: {}", path.display(), case.id),
            title: case.title.clone(),
            play: Play::new(case, args.game.variant(), args.info),
        },
    };
    Ok(cases.into_iter().map(entry).collect())
}

/// Plays all cases at once, phase by phase: in each round the next phase of every case that goes
/// on.
async fn play_all(engine: &Engine, entries: &mut [Entry]) -> Result<(), Failure> {
    loop {
        let next = |entry: &mut Entry| entry.play.as_mut().ok()?.situation();
        let round: Vec<(usize, Situation)> = entries
            .iter_mut()
            .enumerate()
            .filter_map(|(index, entry)| Some((index, next(entry)?)))
            .collect();
        if round.is_empty() {
            return Ok(());
        }
        for batch in round.chunks(BATCH) {
            for (index, answer) in adjudicate(engine, batch.to_vec()).await? {
                if let Ok(play) = &mut entries[index].play {
                    match answer {
                        Ok(resolution) => play.take(resolution),
                        Err(refused) => play.give_up(refused),
                    }
                }
            }
        }
    }
}

type Answer = (usize, Result<Resolution, String>);

/// Asks for a batch. A situation that the engine refuses is left out, and the others are sent
/// again.
async fn adjudicate(
    engine: &Engine,
    mut batch: Vec<(usize, Situation)>,
) -> Result<Vec<Answer>, Failure> {
    let mut answers = Vec::new();
    let mut tries = 0;
    while !batch.is_empty() {
        let request = AdjudicateRequest {
            situations: batch.iter().map(|(_, situation)| situation.clone()).collect(),
        };
        match engine.adjudication().adjudicate(request).await {
            Ok(response) => {
                let resolutions = response.into_inner().resolutions;
                answers.extend(
                    batch
                        .into_iter()
                        .zip(resolutions)
                        .map(|((index, _), found)| (index, Ok(found))),
                );
                break;
            }
            Err(status) => {
                let at = refused(&status);
                let failure = Failure::from(status);
                match at {
                    Some(at) if at < batch.len() => {
                        let (index, _) = batch.remove(at);
                        answers.push((index, Err(format!("the engine refused it: {failure}"))));
                    }
                    _ if failure.is_transient() && tries < TRIES => {
                        tries += 1;
                        tokio::time::sleep(Duration::from_millis(250)).await;
                    }
                    _ => return Err(failure),
                }
            }
        }
    }
    Ok(answers)
}

/// Which situation a refusal is about.
fn refused(status: &Status) -> Option<usize> {
    let details = status.get_error_details();
    let field = &details.bad_request()?.field_violations.first()?.field;
    field.strip_prefix("situations[")?.split(']').next()?.parse().ok()
}

fn conclude(context: &Context, entries: &[Entry]) -> Result<(), Failure> {
    let differing: Vec<&Entry> =
        entries.iter().filter(|entry| !entry.differences().is_empty()).collect();
    let (failed, passed) = (differing.len(), entries.len() - differing.len());
    for entry in differing {
        if context.json {
            let line = json!({ "case": entry.place, "title": entry.title, "differences": entry.differences() });
            context.answer_value(&line, |_| String::new())?;
            continue;
        }
        Out::Answer.say(&format!(
            "{} {}  {}",
            context.style.paint("FAIL", Ink::Bad),
            entry.place,
            entry.title
        ))?;
        for difference in entry.differences() {
            Out::Answer.say(&format!("       {difference}"))?;
        }
    }
    let counts = json!({ "passed": passed, "failed": failed });
    context.answer_value(&counts, |_| format!("{passed} passed, {failed} failed"))?;
    if failed == 0 {
        return Ok(());
    }
    Err(Failure::failed(format!("{failed} of {} cases differ.", entries.len()))
        .because("CASES_DIFFER"))
}
