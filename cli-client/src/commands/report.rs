//! The command that shows turn reports.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::look;
use crate::context::Context;
use crate::failure::Failure;
use crate::perspective::{Perspective, When};
use crate::table::Table;

/// Show the turn report.
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/report.txt"))]
pub struct ReportArgs {
    #[command(flatten)]
    pub table: Table,
    #[command(flatten)]
    pub when: When,
    /// Write a self-contained page with the map to this file instead (- for standard output).
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

pub async fn report(context: &Context, args: ReportArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let perspective = Perspective::at(&engine, &args.table, false, &args.when).await?;
    let Some(path) = &args.html else {
        let report = perspective.report(&engine, Some(&context.plain())).await?;
        return context.answer_value(&json!({ "report": report }), |_| report.clone());
    };
    let page = perspective.report(&engine, None).await?;
    look::write(context, path, &page, "html", "report")
}
