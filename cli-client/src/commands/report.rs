//! Turn reports.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::look;
use crate::context::Context;
use crate::failure::Failure;
use crate::glance::{Glance, When};
use crate::table::Table;

/// The turn report.
#[derive(Debug, Args)]
#[command(after_help = "\
A report of an earlier turn tells how things stood when that turn had ended.

Examples:
  cli-client report GAME
  cli-client report GAME --turn 3
  cli-client report GAME --html turn.html")]
pub struct ReportArgs {
    #[command(flatten)]
    /// The game.
    pub table: Table,
    #[command(flatten)]
    /// Which turn.
    pub when: When,
    /// Write a page with the map in it to this file instead (- for standard output). It needs no
    /// other file.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// Shows a turn report.
pub async fn report(context: &Context, args: ReportArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let glance = Glance::at(&engine, &args.table, false, &args.when).await?;
    let Some(path) = &args.html else {
        let report = glance.report(&engine, Some(&context.plain())).await?;
        return context.answer_value(&json!({ "report": report }), |_| report.clone());
    };
    let page = glance.report(&engine, None).await?;
    look::write(context, path, &page, "html", "report")
}
