//! Commands for operators: reports of abuse, and silenced players.

use clap::Subcommand;
use heliopause_client::all_pages;
use heliopause_proto::v1::*;
use jiff::SignedDuration;

use crate::context::Context;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::input::{parse_duration, to_proto};
use crate::style::{Ink, Style};
use crate::text::{harmless, moment};

/// Moderate.
#[derive(Debug, Subcommand)]
pub enum ReportsCommand {
    /// List the open reports of players, oldest first.
    List {
        /// List the resolved reports instead, newest first.
        #[arg(long)]
        resolved: bool,
    },
    /// Resolve a report.
    Resolve {
        /// The report's id, as `admin reports list` shows it.
        report: String,
        /// A note for operators.
        #[arg(long, value_name = "TEXT", default_value = "")]
        note: String,
        /// Remove the text of the reported chat line for all readers.
        #[arg(long)]
        remove: bool,
    },
    /// Prevent a player from writing chat lines and messages for a time.
    Silence {
        /// The player's name or id.
        player: String,
        /// The time, for example 2h or 7d.
        #[arg(value_parser = parse_duration)]
        time: SignedDuration,
        /// The reason, shown to the player.
        #[arg(long, value_name = "TEXT", default_value = "")]
        why: String,
    },
    /// Let a silenced player write again.
    Unsilence {
        /// The player's name or id.
        player: String,
    },
}

pub async fn run(
    context: &Context,
    engine: &Engine,
    command: ReportsCommand,
) -> Result<(), Failure> {
    let mut admin = engine.admin();
    match command {
        ReportsCommand::List { resolved } => {
            let request = ListReportsRequest { resolved, ..ListReportsRequest::default() };
            let reports = all_pages!(engine.admin(), list_reports, request, reports);
            let response = ListReportsResponse { reports, ..ListReportsResponse::default() };
            context.answer(&response, |style| report_list(style, &response.reports))
        }
        ReportsCommand::Resolve { report: report_id, note, remove: remove_line } => {
            let request = ResolveReportRequest { report_id, note, remove_line };
            context.done(&admin.resolve_report(request).await?, "The report is resolved.")
        }
        ReportsCommand::Silence { player, time, why } => {
            let duration = Some(to_proto(time));
            let request = SilencePlayerRequest { player, duration, why };
            let response = admin.silence_player(request).await?.into_inner();
            let until = response.end_time.as_ref().map(moment).unwrap_or_default();
            context.answer(&response, |_| format!("The player is silenced until {until}."))
        }
        ReportsCommand::Unsilence { player } => {
            let request = SilencePlayerRequest { player, ..SilencePlayerRequest::default() };
            context.done(&admin.silence_player(request).await?, "The player can write again.")
        }
    }
}

fn report_list(style: &Style, reports: &[AbuseReport]) -> String {
    if reports.is_empty() {
        return "No reports.".into();
    }
    let name = |name: &str| match name {
        "" => "(unknown)".to_owned(),
        name => harmless(name),
    };
    let one =
        |report: &AbuseReport| {
            let reason = report.reason().as_str_name().trim_start_matches("ABUSE_REASON_");
            let time = report.report_time.as_ref().map(moment).unwrap_or_default();
            let what = match report.game_id.as_str() {
                "" => "the name of".to_owned(),
                game if report.channel() == ChatChannel::Unspecified => {
                    format!("message {} in {game} by", report.number)
                }
                game => format!("chat {} in {game} by", report.number),
            };
            let heading = format!(
                "{}  {time}  {} reports {what} {} ({})",
                report.report_id,
                name(&report.reporter),
                name(&report.player),
                reason.to_lowercase()
            );
            let mut lines = vec![style.paint(heading, Ink::Heading)];
            if report.context.is_empty() {
                lines.push(format!("  > {}", harmless(&report.text).replace('\n', "\n  > ")));
            }
            lines.extend(report.context.iter().map(|said| {
                let mark = if said.number == report.number { '>' } else { ' ' };
                format!("  {mark} {}: {}", name(&said.author), harmless(&said.text))
            }));
            let comments = [("comment", &report.comment), ("resolved", &report.resolver)];
            let notes = comments.into_iter().chain([("note", &report.note)]);
            lines.extend(notes.filter(|(_, text)| !text.is_empty()).map(|(what, text)| {
                format!("  {what}: {}", harmless(text).replace('\n', "\n    "))
            }));
            lines.join("\n")
        };
    reports.iter().map(one).collect::<Vec<_>>().join("\n\n")
}
