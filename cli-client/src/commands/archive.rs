//! Exports, and proving them.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use heliopause_proto::json;
use heliopause_proto::v1::export_game_response::Part;
use heliopause_proto::v1::{
    ExportGameRequest, ExportGameResponse, VerifyGameRequest, VerifyGameResponse,
};
use heliopause_table::verify::Verifier;

use crate::context::{Context, escaped_json};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::failure::about;
use crate::render;
use crate::style::{Ink, Style};
use crate::table::{self, Table};
use crate::terminal::Out;
use crate::text::count;

/// Write a game's journal to a file.
#[derive(Debug, Args)]
#[command(after_help = "\
Of a game that has ended: the journal, with the seed of its dice and the messages that you may \
read. Of a running one: what you were told.
The file holds one JSON document a line: a header, then journal entries or events. `verify FILE` proves it.

Example:
  cli-client export GAME -o game.jsonl && cli-client verify game.jsonl")]
pub struct ExportArgs {
    /// The game's id.
    pub game: String,
    /// The file [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The game master's complete export of a running game. Every seat is told.
    #[arg(long)]
    pub full: bool,
    /// Instead of the journal: the game in the JSON that other programs read. Only of Diplomacy
    /// from its usual start; the Python package `diplomacy` loads it.
    #[arg(long, conflicts_with = "full")]
    pub saved_game: bool,
}

/// Prove a game.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  cli-client verify game.jsonl     on this machine, trusting \
        nobody\n  cli-client verify GAME           on the engine")]
pub struct VerifyArgs {
    /// A file made by `export`, or a game's id.
    #[arg(value_name = "FILE or GAME")]
    pub what: String,
}

/// Exports a game.
pub async fn export(context: &Context, args: ExportArgs) -> Result<(), Failure> {
    if args.saved_game {
        return export_saved_game(context, args).await;
    }
    let engine = context.engine().await?;
    let request = ExportGameRequest { game_id: args.game, full: args.full };
    let Some(path) = args.output else {
        let mut stream = engine.games().export_game(request).await?.into_inner();
        while let Some(part) = stream.message().await? {
            Out::Answer.line(&escaped_json(&json::to_line(&part)))?;
        }
        return Ok(());
    };
    let (parts, complete) = write(&engine, request, &path).await?;
    let summary = serde_json::json!({ "file": path, "parts": parts, "complete": complete });
    context.answer_value(&summary, |_| written(&path, parts, complete))
}

/// Exports a game into a file; what became of it in words.
pub async fn export_into(engine: &Engine, game: &str, path: &Path) -> Result<String, Failure> {
    let request = ExportGameRequest { game_id: game.to_owned(), full: false };
    let (parts, complete) = write(engine, request, path).await?;
    Ok(written(path, parts, complete))
}

fn written(path: &Path, parts: usize, complete: bool) -> String {
    let what = if complete { "The whole journal" } else { "What you were told" };
    format!("{what} is in {}: {}.", path.display(), count(parts, "part"))
}

/// Writes an export; how many parts it has, and whether it is the whole journal.
async fn write(
    engine: &Engine,
    request: ExportGameRequest,
    path: &Path,
) -> Result<(usize, bool), Failure> {
    let mut stream = engine.games().export_game(request).await?.into_inner();
    // Beside its goal first, so that a broken connection leaves no half export under its name.
    let folder =
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|error| about(path, &error))?;
    let (mut parts, mut complete) = (0, false);
    while let Some(part) = stream.message().await? {
        complete |= matches!(&part.part, Some(Part::Header(header)) if header.complete);
        writeln!(file, "{}", escaped_json(&json::to_line(&part)))
            .map_err(|error| about(path, &error))?;
        parts += 1;
    }
    file.persist(path).map_err(|error| about(path, &error.error))?;
    Ok((parts, complete))
}

/// Writes a game as other programs keep it, by what spectators were told.
async fn export_saved_game(context: &Context, args: ExportArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let table = Table { game: args.game, seat: None };
    let view = table::fetch(&engine, &table, true).await?.view.unwrap_or_default();
    let told = table::events(&engine, &table, true, 0).await?;
    let saved = render::saved_game(&table.game, &view, &told).ok_or_else(|| {
        Failure::failed("Other programs know no such games.")
            .advise("Without --saved-game the journal is exported.")
    })?;
    let text = escaped_json(&saved.to_string());
    let Some(path) = args.output else { return Out::Answer.line(&text) };
    std::fs::write(&path, format!("{text}\n")).map_err(|error| about(&path, &error))?;
    let phases = saved["phases"].as_array().map_or(0, Vec::len);
    let summary = serde_json::json!({ "file": path, "phases": phases });
    context.answer_value(&summary, |_| {
        format!("The game is in {}: {}.", path.display(), count(phases, "phase"))
    })
}

/// Proves a game: a file here, a game on the engine.
pub async fn verify(context: &Context, args: VerifyArgs) -> Result<(), Failure> {
    let path = Path::new(&args.what);
    let response = if path.is_file() {
        check(&read(path)?)?
    } else {
        let request = VerifyGameRequest { game_id: args.what.clone() };
        context.engine().await?.games().verify_game(request).await?.into_inner()
    };
    context.answer(&response, |style| findings(style, &response))?;
    if response.valid {
        return Ok(());
    }
    Err(Failure::failed(format!("It does not hold: {}.", response.fault.trim_end_matches('.')))
        .because("NOT_VALID"))
}

/// Reads an export.
fn read(path: &Path) -> Result<Vec<ExportGameResponse>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| about(path, &error))?;
    let line = |(number, line): (usize, &str)| {
        json::from_text(line).map_err(|fault| {
            Failure::failed(format!("{}, line {}: {fault}.", path.display(), number + 1))
                .because("NOT_AN_EXPORT")
        })
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(line).collect()
}

/// Proves an export on this machine, with the rules that this program was built with.
fn check(parts: &[ExportGameResponse]) -> Result<VerifyGameResponse, Failure> {
    let incomplete = |why: &str| {
        Failure::failed(format!("This export cannot be proved: {why}.")).because("NOT_COMPLETE")
    };
    let mut parts = parts.iter().filter_map(|part| part.part.as_ref());
    let Some(Part::Header(header)) = parts.next() else {
        return Err(incomplete("it does not begin with its header"));
    };
    let advice = "Export it again when the game has ended; until then its secrets are kept.";
    let secret = header
        .seed
        .as_ref()
        .try_into()
        .map_err(|_| incomplete("it does not hold the seed").advise(advice))?;
    let mut verifier = Verifier::new(secret);
    for part in parts {
        if let Part::Entry(entry) = part {
            verifier.entry(entry);
        }
    }
    let report = verifier.finish();
    let cut = (report.fault.is_none() && report.head != header.chain_head).then(|| {
        "the last entry is not the one that the header names: some are missing".to_owned()
    });
    let fault = report.fault.or(cut);
    Ok(VerifyGameResponse {
        valid: fault.is_none(),
        entries: report.entries,
        replayed: report.replayed,
        rolls: report.rolls,
        fault: fault.unwrap_or_default(),
        stretches: report.stretches,
    })
}

/// What a check found, in words.
pub fn findings(style: &Style, response: &VerifyGameResponse) -> String {
    if !response.valid {
        return style
            .paint(format!("{} Not valid: {}", style.symbol("✗", "no"), response.fault), Ink::Bad);
    }
    if response.entries == 0 {
        return "It holds. How much there is of it is told when the game has ended.".into();
    }
    let good = style.paint(style.symbol("✓", "ok"), Ink::Good);
    let mut lines = vec![format!(
        "{good} The hash chain of {} holds.",
        count(response.entries as usize, "entry").replace("entrys", "entries")
    )];
    lines.push(format!("{good} {} replayed with the same rolls and events.", response.replayed));
    if response.rolls > 0 {
        lines.push(format!(
            "{good} {} proved from the revealed seed.",
            count(response.rolls as usize, "roll")
        ));
    }
    for stretch in response.stretches.iter().filter(|stretch| !stretch.replayed) {
        lines.push(style.paint(
            format!(
                "Entries {} to {} were made by rules version {}, which is not replayed here.",
                stretch.first, stretch.last, stretch.rules_version
            ),
            Ink::Notice,
        ));
    }
    lines.join("\n")
}
