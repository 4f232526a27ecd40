//! Commands for sandbox games.

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
use crate::failure::{Failure, about};
use crate::input::{from_json, parse_duration, seed, to_proto};
use crate::text::moment;
use crate::wording;
use crate::words::say;

/// Manage sandbox games.
#[derive(Debug, Subcommand)]
#[command(after_help = include_str!("../help/sandbox.txt"))]
pub enum SandboxCommand {
    /// Create a started game from a position or from options.
    Create(Box<CreateArgs>),
    /// Script the next dice.
    Dice {
        /// The game's id.
        game: String,
        /// Values of the dice.
        #[arg(value_delimiter = ',')]
        dice: Vec<u32>,
        /// Remove the remaining scripted dice first.
        #[arg(long)]
        replace: bool,
    },
    /// Advance the game's clock.
    Clock {
        /// The game's id.
        game: String,
        /// Duration, for example 26h.
        #[arg(value_name = "TIME", value_parser = parse_duration)]
        by: SignedDuration,
    },
    /// Print the current complete position.
    Position {
        /// The game's id.
        game: String,
        /// The output file [default: standard output].
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Close the open phase now, with defaults for missing orders.
    Close(GameArg),
}

/// Create a sandbox game.
#[derive(Debug, Args)]
pub struct CreateArgs {
    /// The kind of game.
    pub kind: String,
    /// Title of the game.
    #[arg(long)]
    pub name: Option<String>,
    /// A JSON file with the position to start from.
    #[arg(long, value_name = "FILE")]
    pub position: Option<PathBuf>,
    /// Number of players, if there is no position.
    #[arg(long, value_name = "N", conflicts_with = "position")]
    pub players: Option<u32>,
    /// A rules option; repeat for more.
    #[arg(short = 'o', long = "option", value_name = "KEY=VALUE", conflicts_with = "position")]
    pub option: Vec<String>,
    /// Rules options as JSON.
    #[arg(long, value_name = "JSON", conflicts_with = "position")]
    pub options: Option<String>,
    /// Dice that are rolled first, for example 5,5,2.
    #[arg(long, value_name = "DICE", value_delimiter = ',')]
    pub dice: Vec<u32>,
    /// Seed of further dice: 64 hexadecimal digits.
    #[arg(long, value_name = "HEX")]
    pub seed: Option<String>,
    /// Let automation play a seat: SEAT=LEVEL or SEAT=PROFILE:LEVEL; repeat for more.
    #[arg(long, value_name = "SEAT=LEVEL", value_parser = automation)]
    pub ai: Vec<SandboxAutomation>,
    #[command(flatten)]
    pub pace: PaceArgs,
}

fn automation(text: &str) -> Result<SandboxAutomation, String> {
    let wrong = || say!("sandbox-not-automated-seat-expected", text = text);
    let (seat, by) = text.split_once('=').ok_or_else(wrong)?;
    let seat = seat.parse().map_err(|_| wrong())?;
    Ok(SandboxAutomation { seat, automation: Some(automated(by)) })
}

pub async fn run(context: &Context, command: SandboxCommand) -> Result<(), Failure> {
    let mut sandbox = context.engine().await?.sandbox();
    match command {
        SandboxCommand::Create(args) => {
            let response = sandbox.create_sandbox_game(request(&args)?).await?.into_inner();
            let game = response.game.clone().unwrap_or_default();
            context.answer(&response, |style| {
                let (shown, id) = (wording::game(style, &game), &game.game_id);
                format!("{shown}\n{}", say!("sandbox-next-cli-client-options-seat", id = id))
            })
        }
        SandboxCommand::Dice { game: game_id, dice, replace } => {
            let request = ScriptDiceRequest { game_id, dice, replace, request_id: request_id()? };
            let response = sandbox.script_dice(request).await?.into_inner();
            context.answer(&response, |_| {
                say!("sandbox-scripted-dice-left", waiting = response.waiting)
            })
        }
        SandboxCommand::Clock { game: game_id, by } => {
            let by = Some(to_proto(by));
            let request = AdvanceClockRequest { game_id, duration: by, request_id: request_id()? };
            let response = sandbox.advance_clock(request).await?.into_inner();
            context.answer(&response, |style| {
                let now = response.game_time.as_ref().map(moment).unwrap_or_default();
                let game = response.game.as_ref().map(|game| wording::game(style, game));
                format!("{}\n{}", say!("sandbox-game-time", now = now), game.unwrap_or_default())
            })
        }
        SandboxCommand::Position { game: game_id, output } => {
            let request = GetPositionRequest { game_id };
            let response = sandbox.get_position(request).await?.into_inner();
            write_position(context, response.position.as_ref(), output)
        }
        SandboxCommand::Close(GameArg { game: game_id }) => {
            let request = CloseSandboxPhaseRequest { game_id, request_id: request_id()? };
            let response = sandbox.close_sandbox_phase(request).await?.into_inner();
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
        name: heliopause_proto::text::composed(args.name.as_deref().unwrap_or_default()),
        request_id: request_id()?,
        ..CreateSandboxGameRequest::default()
    })
}

fn read_position(kind: &str, path: &std::path::Path) -> Result<GamePosition, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| about(path, &error))?;
    let wrong = |error: serde_json::Error| {
        Failure::usage(say!("sandbox-not-valid-json", path = path.display(), error = error))
    };
    let value = serde_json::from_str(&text).map_err(wrong)?;
    from_json(&path.display().to_string(), &in_envelope(kind, value))
}
