//! Commands for branches of games.

use clap::{Args, Subcommand};
use heliopause_proto::text::composed;
use heliopause_proto::v1::{
    Analysis, CreateAnalysisRequest, DeleteAnalysisRequest, ListAnalysesRequest,
    RenameAnalysisRequest,
};

use super::lobby::GameArg;
use crate::context::Context;
use crate::engine::{once, request_id};
use crate::failure::Failure;
use crate::input::seed;
use crate::style::Style;
use crate::text::{harmless, moment, table};

/// Branch a game and try what could happen, or manage your branches.
#[derive(Debug, Args)]
#[command(
    after_help = include_str!("../help/analyze.txt"),
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub struct AnalyzeArgs {
    #[command(flatten)]
    pub branch: Option<BranchArgs>,
    #[command(subcommand)]
    pub command: Option<AnalyzeCommand>,
}

/// Create a branch.
#[derive(Debug, Args)]
pub struct BranchArgs {
    /// The game's id, or that of a branch.
    #[arg(required = true)]
    pub game: String,
    /// Start at the end of this phase; 0 is the setup [default: now].
    #[arg(long, value_name = "N")]
    pub phase: Option<u64>,
    /// The seat that you mainly play [default: yours].
    #[arg(long, value_name = "N")]
    pub seat: Option<u32>,
    /// Start from the true state, once the game is over.
    #[arg(long)]
    pub revealed: bool,
    /// Let automation of this level play all other seats.
    #[arg(long, value_name = "LEVEL")]
    pub ai: Option<String>,
    /// Name of the branch [default: the phase].
    #[arg(long)]
    pub name: Option<String>,
    /// Seed of the guesses and dice: 64 hexadecimal digits.
    #[arg(long, value_name = "HEX")]
    pub seed: Option<String>,
}

/// Manage branches.
#[derive(Debug, Subcommand)]
pub enum AnalyzeCommand {
    /// List your branches of a game.
    List(GameArg),
    /// Rename a branch.
    Rename {
        /// The branch's id.
        game: String,
        /// The new name.
        name: String,
    },
    /// Delete a branch.
    Delete(GameArg),
}

pub async fn run(context: &Context, args: AnalyzeArgs) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let mut analyses = engine.analyses();
    match (args.command, args.branch) {
        (None, None) => Err(Failure::usage("Name a game, or use `list`, `rename` or `delete`.")),
        (None, Some(branch)) => {
            let request = request(&branch)?;
            let response =
                once(request, async |request| engine.analyses().create_analysis(request).await)
                    .await?;
            context.answer(&response, |style| {
                let analysis = response.analysis.clone().unwrap_or_default();
                let id = analysis.game_id.clone();
                let guesses = match response.game.as_ref().and_then(|game| game.analysis.as_ref()) {
                    Some(origin) if origin.guesses.is_some() => {
                        "\nWhat your seat does not see is a guess. Maps mark guesses with ?."
                    }
                    _ => "",
                };
                format!("{}{guesses}\nNext: cli-client options {id}", list(style, &[analysis]))
            })
        }
        (Some(AnalyzeCommand::List(GameArg { game: game_id })), _) => {
            let request = ListAnalysesRequest { game_id };
            let response = analyses.list_analyses(request).await?.into_inner();
            context.answer(&response, |style| match response.analyses.as_slice() {
                [] => "You have no branches of this game.".to_owned(),
                analyses => list(style, analyses),
            })
        }
        (Some(AnalyzeCommand::Rename { game: game_id, name }), _) => {
            let request = RenameAnalysisRequest { game_id, name: composed(&name) };
            let response = analyses.rename_analysis(request).await?.into_inner();
            context.answer(&response, |style| list(style, response.analysis.as_slice()))
        }
        (Some(AnalyzeCommand::Delete(GameArg { game: game_id })), _) => context.done(
            &analyses.delete_analysis(DeleteAnalysisRequest { game_id }).await?,
            "The branch is deleted.",
        ),
    }
}

fn request(args: &BranchArgs) -> Result<CreateAnalysisRequest, Failure> {
    Ok(CreateAnalysisRequest {
        game_id: args.game.clone(),
        at_phase: args.phase,
        seat: args.seat,
        revealed: args.revealed,
        name: composed(args.name.as_deref().unwrap_or_default()),
        automation_level: args.ai.clone().unwrap_or_default(),
        seed: args.seed.as_deref().map(seed).transpose()?.unwrap_or_default(),
        request_id: request_id()?,
    })
}

fn list(style: &Style, analyses: &[Analysis]) -> String {
    let row = |analysis: &Analysis| {
        let origin = analysis.origin.clone().unwrap_or_default();
        let seat = origin.seat.map(|seat| seat.to_string()).unwrap_or_default();
        vec![
            analysis.game_id.clone(),
            harmless(&analysis.name),
            harmless(&origin.progress),
            seat,
            analysis.create_time.as_ref().map(moment).unwrap_or_default(),
        ]
    };
    let head = ["branch", "name", "starts at", "seat", "created"];
    table(style, &head, &analyses.iter().map(row).collect::<Vec<_>>())
}
