//! Sandbox games: positions, scripted dice, the clock.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use heliopause_proto::v1::{
    AdvanceClockRequest, CloseSandboxPhaseRequest, CreateSandboxGameRequest, GamePosition,
    GetPositionRequest, SandboxAutomation, ScriptDiceRequest,
};
use jiff::SignedDuration;

use super::create::{automated, game_options};
use super::lobby::GameArg;
use super::master::write_position;
use super::pace::PaceArgs;
use crate::context::Context;
use crate::engine::request_id;
use crate::envelope::in_envelope;
use crate::failure::Failure;
use crate::failure::about;
use crate::input::seed;
use crate::input::{from_json, parse_duration, to_proto};
use crate::text::moment;
use crate::wording;

/// Sandbox games.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
You hold every seat of a sandbox game; name it with --seat N in `orders`, `view`, `options` and \
the others.
The engine must run with --sandbox.

Examples:
  cli-client sandbox create starships-at-large --players 3 --dice 5,5,2
  cli-client sandbox create starships-at-large --position position.json
  cli-client sandbox dice GAME 1 6
  cli-client sandbox clock GAME 26h")]
pub enum SandboxCommand {
    /// Create a game that has started, from a position or by its options.
    Create(Box<CreateArgs>),
    /// Script the dice that are rolled next.
    Dice {
        /// The game's id.
        game: String,
        /// What they show.
        #[arg(value_delimiter = ',')]
        dice: Vec<u32>,
        /// Forget the dice that are still waiting first.
        #[arg(long)]
        replace: bool,
    },
    /// Set the game's clock forward.
    Clock {
        /// The game's id.
        game: String,
        /// By how much, for example 26h.
        #[arg(value_name = "TIME", value_parser = parse_duration)]
        by: SignedDuration,
    },
    /// The complete position as it is now.
    Position {
        /// The game's id.
        game: String,
        /// The file [default: standard output].
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Close the open phase now, with defaults for what is missing.
    Close(GameArg),
}

/// Create a sandbox game.
#[derive(Debug, Args)]
pub struct CreateArgs {
    /// The kind of game.
    pub kind: String,
    /// A name for people.
    #[arg(long)]
    pub name: Option<String>,
    /// A file with the position to start from, as JSON.
    #[arg(long, value_name = "FILE")]
    pub position: Option<PathBuf>,
    /// How many players, if there is no position.
    #[arg(long, value_name = "N", conflicts_with = "position")]
    pub players: Option<u32>,
    /// An option of the rules; repeat for more.
    #[arg(short = 'o', long = "option", value_name = "KEY=VALUE", conflicts_with = "position")]
    pub option: Vec<String>,
    /// Options of the rules as JSON.
    #[arg(long, value_name = "JSON", conflicts_with = "position")]
    pub options: Option<String>,
    /// Dice that are rolled first, for example 5,5,2.
    #[arg(long, value_name = "DICE", value_delimiter = ',')]
    pub dice: Vec<u32>,
    /// The seed of further dice: 64 hexadecimal digits.
    #[arg(long, value_name = "HEX")]
    pub seed: Option<String>,
    /// Let automation play a seat: SEAT=LEVEL or SEAT=PROFILE:LEVEL; repeat for more.
    #[arg(long, value_name = "SEAT=LEVEL", value_parser = automation)]
    pub ai: Vec<SandboxAutomation>,
    #[command(flatten)]
    /// How fast it is played.
    pub pace: PaceArgs,
}

fn automation(text: &str) -> Result<SandboxAutomation, String> {
    let wrong = || format!("`{text}` names no automation; write SEAT=LEVEL, for example 2=strong");
    let (seat, by) = text.split_once('=').ok_or_else(wrong)?;
    Ok(SandboxAutomation { seat: seat.parse().map_err(|_| wrong())?, by: Some(automated(by)) })
}

/// Does what is asked of a sandbox.
pub async fn run(context: &Context, command: SandboxCommand) -> Result<(), Failure> {
    let mut sandbox = context.engine().await?.sandbox();
    match command {
        SandboxCommand::Create(args) => {
            let response = sandbox.create_sandbox_game(request(&args)?).await?.into_inner();
            let game = response.game.clone().unwrap_or_default();
            context.answer(&response, |style| {
                format!(
                    "{}\nNext: cli-client options {} --seat 1",
                    wording::game(style, &game),
                    game.game_id
                )
            })
        }
        SandboxCommand::Dice { game, dice, replace } => {
            let request =
                ScriptDiceRequest { game_id: game, dice, replace, request_id: request_id()? };
            let response = sandbox.script_dice(request).await?.into_inner();
            context.answer(&response, |_| format!("{} dice are waiting.", response.waiting))
        }
        SandboxCommand::Clock { game, by } => {
            let request = AdvanceClockRequest {
                game_id: game,
                by: Some(to_proto(by)),
                request_id: request_id()?,
            };
            let response = sandbox.advance_clock(request).await?.into_inner();
            context.answer(&response, |style| {
                let now = response.game_time.as_ref().map(moment).unwrap_or_default();
                let game = response
                    .game
                    .as_ref()
                    .map(|game| wording::game(style, game))
                    .unwrap_or_default();
                format!("It is now {now}.\n{game}")
            })
        }
        SandboxCommand::Position { game, output } => {
            let response =
                sandbox.get_position(GetPositionRequest { game_id: game }).await?.into_inner();
            write_position(context, response.position.as_ref(), output)
        }
        SandboxCommand::Close(GameArg { game }) => {
            let response = sandbox
                .close_sandbox_phase(CloseSandboxPhaseRequest {
                    game_id: game,
                    request_id: request_id()?,
                })
                .await?
                .into_inner();
            context.answer(&response, |style| {
                response.game.as_ref().map(|game| wording::game(style, game)).unwrap_or_default()
            })
        }
    }
}

fn request(args: &CreateArgs) -> Result<CreateSandboxGameRequest, Failure> {
    let position =
        args.position.as_ref().map(|path| read_position(&args.kind, path)).transpose()?;
    Ok(CreateSandboxGameRequest {
        kind: args.kind.clone(),
        position,
        options: game_options(&args.kind, args.options.as_deref(), &args.option)?,
        players: args.players,
        seed: args.seed.as_deref().map(seed).transpose()?.unwrap_or_default(),
        dice: args.dice.clone(),
        pace: args.pace.pace()?,
        automated: args.ai.clone(),
        name: heliopause_text::composed(args.name.as_deref().unwrap_or_default()),
        request_id: request_id()?,
        ..CreateSandboxGameRequest::default()
    })
}

fn read_position(kind: &str, path: &std::path::Path) -> Result<GamePosition, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| about(path, &error))?;
    let wrong = |error: serde_json::Error| Failure::usage(format!("{}: {error}.", path.display()));
    from_json(
        &path.display().to_string(),
        &in_envelope(kind, serde_json::from_str(&text).map_err(wrong)?),
    )
}
