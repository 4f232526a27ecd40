//! Commands that export and verify games.

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
use crate::failure::{Failure, about};
use crate::render;
use crate::style::{Ink, Style};
use crate::table::{self, Table};
use crate::terminal::Out;
use crate::words::{Number, say};

/// Write a game's journal to a file.
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/export.txt"))]
pub struct ExportArgs {
    /// The game's id.
    pub game: String,
    /// The output file [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Export the complete journal of a running game. Only for its game master; every seat is
    /// notified.
    #[arg(long)]
    pub full: bool,
    /// Write the game in the JSON format of the Python package `diplomacy` instead of the journal;
    /// only for Diplomacy from its standard start.
    #[arg(long, conflicts_with = "full")]
    pub saved_game: bool,
}

/// Verify a game.
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/verify.txt"))]
pub struct VerifyArgs {
    /// A file written by `export`, or a game's id.
    #[arg(value_name = "FILE or GAME")]
    pub what: String,
}

/// Exports a game to a file or to standard output.
pub async fn export(context: &Context, args: ExportArgs) -> Result<(), Failure> {
    if args.saved_game {
        return export_saved_game(context, args).await;
    }
    let engine = context.engine().await?;
    let request = ExportGameRequest { game_id: args.game, full: args.full };
    let Some(path) = args.output else {
        let mut stream = engine.games().export_game(request).await?.into_inner();
        while let Some(part) = stream.message().await? {
            Out::Stdout.line(&escaped_json(&json::to_line(&part)))?;
        }
        return Ok(());
    };
    let (parts, complete) = write(&engine, request, &path).await?;
    let summary = serde_json::json!({ "file": path, "parts": parts, "complete": complete });
    context.answer_value(&summary, |_| written(&path, parts, complete))
}

/// Exports a game to a file and returns a summary.
pub async fn export_into(engine: &Engine, game: &str, path: &Path) -> Result<String, Failure> {
    let request = ExportGameRequest { game_id: game.to_owned(), full: false };
    let (parts, complete) = write(engine, request, path).await?;
    Ok(written(path, parts, complete))
}

fn written(path: &Path, parts: usize, complete: bool) -> String {
    let what =
        if complete { say!("archive-complete-journal") } else { say!("archive-events-visible") };
    say!("archive-saved", what = what, path = path.display(), count = Number(parts))
}

async fn write(
    engine: &Engine,
    request: ExportGameRequest,
    path: &Path,
) -> Result<(usize, bool), Failure> {
    let mut stream = engine.games().export_game(request).await?.into_inner();
    // Write to a temporary file first, so that a broken connection leaves no partial export.
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

/// Writes a game in the format of other programs, from the events visible to spectators.
async fn export_saved_game(context: &Context, args: ExportArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let table = Table { game: args.game, seat: None };
    let view = table::fetch(&engine, &table, true).await?.view.unwrap_or_default();
    let told = table::events(&engine, &table, true, 0).await?;
    let saved = render::saved_game(&table.game, &view, &told).ok_or_else(|| {
        let why = say!("archive-only-games-diplomacy-standard");
        let told = say!("archive-game-cannot-written-saved", game = table.game, why = why);
        Failure::failed(told).advise(say!("archive-export-journal-omit-saved-game"))
    })?;
    let text = escaped_json(&saved.to_string());
    let Some(path) = args.output else { return Out::Stdout.line(&text) };
    std::fs::write(&path, format!("{text}\n")).map_err(|error| about(&path, &error))?;
    let phases = saved["phases"].as_array().map_or(0, Vec::len);
    let summary = serde_json::json!({ "file": path, "phases": phases });
    context.answer_value(&summary, |_| {
        say!("archive-saved-game", path = path.display(), count = Number(phases))
    })
}

/// Verifies an exported file locally, or a game on the engine.
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
    Err(Failure::failed(say!(
        "archive-verification-failed",
        fault = response.fault.trim_end_matches('.')
    ))
    .because("NOT_VALID"))
}

fn read(path: &Path) -> Result<Vec<ExportGameResponse>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| about(path, &error))?;
    let line = |(number, line): (usize, &str)| {
        json::from_text(line).map_err(|fault| {
            Failure::failed(say!(
                "archive-line-fault",
                path = path.display(),
                line = number + 1,
                fault = fault
            ))
            .because("NOT_AN_EXPORT")
        })
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(line).collect()
}

/// Verifies an export locally, with the rules that this program was built with.
fn check(parts: &[ExportGameResponse]) -> Result<VerifyGameResponse, Failure> {
    let incomplete = |why: &str| {
        Failure::failed(say!("archive-export-cannot-verified", why = why)).because("NOT_COMPLETE")
    };
    let mut parts = parts.iter().filter_map(|part| part.part.as_ref());
    let Some(Part::Header(header)) = parts.next() else {
        return Err(incomplete(&say!("verify-no-header")));
    };
    let advice = say!("archive-export-game-again-after");
    let no_seed = |_| incomplete(&say!("verify-no-seed")).advise(advice);
    let secret = header.seed.as_ref().try_into().map_err(no_seed)?;
    let mut verifier = Verifier::new(secret);
    for part in parts {
        if let Part::Entry(entry) = part {
            verifier.entry(entry);
        }
    }
    let report = verifier.finish();
    let cut = (report.head != header.chain_head).then(|| say!("archive-entries-missing-hash-last"));
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

pub fn findings(style: &Style, response: &VerifyGameResponse) -> String {
    if !response.valid {
        return style.paint(
            say!("archive-not-valid", mark = style.symbol("✗", "no"), fault = response.fault),
            Ink::Bad,
        );
    }
    if response.entries == 0 {
        return say!("archive-valid-number-entries-shown");
    }
    let good = style.paint(style.symbol("✓", "ok"), Ink::Good);
    let mut lines = vec![
        format!("{good} {}", say!("verify-chain", count = Number(response.entries))),
        format!("{good} {}", say!("verify-replayed", count = Number(response.replayed))),
    ];
    if response.rolls > 0 {
        lines.push(format!("{good} {}", say!("verify-rolls", count = Number(response.rolls))));
    }
    for stretch in response.stretches.iter().filter(|stretch| !stretch.replayed) {
        let (first, last, version) = (stretch.first, stretch.last, stretch.rules_version);
        let told = say!(
            "archive-entries-rules-version-which",
            first = first,
            last = last,
            version = version
        );
        lines.push(style.paint(told, Ink::Notice));
    }
    lines.join("\n")
}
