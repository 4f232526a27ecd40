//! Turn reports.

use std::path::{Path, PathBuf};

use clap::Args;
use heliopause_proto::v1::{Game, GameView};

use crate::context::Context;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::failure::about;
use crate::render::document::Section;
use crate::render::{self, Drawing};
use crate::table::{self, Table};

/// The turn report.
#[derive(Debug, Args)]
#[command(after_help = "\
Reports of earlier turns are put together from the events of the game.

Examples:
  cli-client report GAME
  cli-client report GAME --turn 3
  cli-client report GAME --html turn.html")]
pub struct ReportArgs {
    #[command(flatten)]
    /// The game.
    pub table: Table,
    /// Of an earlier turn [default: the latest].
    #[arg(long, value_name = "N")]
    pub turn: Option<u32>,
    /// Write a page with the map in it to this file instead (- for standard output). It needs no
    /// other file.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// What a report is made of: the drawing of the view of its turn.
pub async fn fetch(
    engine: &Engine,
    table: &Table,
    game: &Game,
    turn: Option<u32>,
) -> Result<(GameView, Box<dyn Drawing>), Failure> {
    let now = table::fetch(engine, table, false).await?;
    let mut told = table::last_events(engine, table, false, &now).await?;
    let mut view = now.view.unwrap_or_default();
    if let Some(turn) = turn {
        let events = table::events(engine, table, false, 0).await?;
        view = render::past(&view, &events, turn).map_err(Failure::failed)?;
        told.clear();
    }
    let none = || {
        Failure::failed("This game has no turn reports.")
            .advise("`cli-client history GAME` tells its events.")
    };
    let drawing = render::drawing_after(&view, game, &told).ok_or_else(none)?;
    Ok((view, drawing))
}

/// How many of the game master's latest events their report looks at.
const TOLD_LATELY: u64 = 300;

/// The report as a page with the map in it.
pub fn page(drawing: &dyn Drawing) -> Result<String, Failure> {
    Ok(document(drawing)?.html(&drawing.svg()))
}

/// What the game master was told since the last update, which their view does not hold.
async fn told_to_master(
    engine: &Engine,
    table: &Table,
    view: &GameView,
) -> Result<Vec<Section>, Failure> {
    if !render::is_masters(view) {
        return Ok(Vec::new());
    }
    let cursor = table::fetch(engine, table, false).await?.cursor.unwrap_or_default();
    let events =
        table::events(engine, table, false, cursor.number.saturating_sub(TOLD_LATELY)).await?;
    Ok(render::told_to_master(view, &events))
}

/// The report.
pub fn document(drawing: &dyn Drawing) -> Result<render::document::Document, Failure> {
    drawing.report().ok_or_else(|| {
        Failure::failed("There is no turn report for you in this game.").advise(
            "Players and game masters of games with turns for all at once get them; \
                `cli-client map GAME` shows the map.",
        )
    })
}

/// Shows a turn report.
pub async fn report(context: &Context, args: ReportArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let game = table::game(&engine, &args.table.game).await?;
    let (view, drawing) = fetch(&engine, &args.table, &game, args.turn).await?;
    let mut document = document(&*drawing)?;
    document.sections.splice(0..0, told_to_master(&engine, &args.table, &view).await?);
    let page = || document.html(&drawing.svg());
    match &args.html {
        None => context.answer(&view, |style| document.text(style)),
        Some(path) => write_page(context, path, &page(), "report"),
    }
}

/// Writes a page to a file, or to standard output if it is `-`.
pub fn write_page(context: &Context, path: &Path, page: &str, what: &str) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        return crate::context::print(page);
    }
    std::fs::write(path, page).map_err(|error| about(path, &error))?;
    context.answer_value(&serde_json::json!({ "html": path }), |_| {
        format!("The {what} is in {}.", path.display())
    })
}
