//! Leading a game.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use heliopause_proto::json;
use heliopause_proto::v1::{
    AutomateSeatRequest, CancelGameRequest, ClosePhaseRequest, DeclareOutcomeRequest,
    ExcuseMissRequest, ExportPositionRequest, Game, GamePosition, HandBackSeatRequest,
    PauseGameRequest, ReplacePlayerRequest, ResumeGameRequest, SetDeadlineRequest, SetPaceRequest,
    SubmitMasterOrdersRequest,
};
use prost::{Message, Name};

use super::lobby::{GameArg, automated};
use super::pace::PaceArgs;
use crate::context::Context;
use crate::engine::request_id;
use crate::failure::Failure;
use crate::failure::about;
use crate::input::parse_moment;
use crate::table;
use crate::wording;

/// Lead a game.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
A host, who may play, can pause, resume, set the pace and replace players who have left their seats;
the rest is for a game master, who sees everything and plays nothing.

Examples:
  cli-client gm pause GAME
  cli-client gm deadline GAME 12h
  cli-client gm replace GAME 2 --player Bob
  cli-client gm automate GAME 2 strong
  cli-client gm position GAME -o position.json")]
pub enum MasterCommand {
    /// Pause: deadlines stop, orders are refused. Host too.
    Pause(GameArg),
    /// Go on; deadlines are put off by the length of the pause. Host too.
    Resume(GameArg),
    /// Move the deadline of the open phase. Host too, after the engine's clock was wrong.
    Deadline {
        /// The game's id.
        game: String,
        /// A time from now (12h), a moment (2030-01-31T20:00:00Z), or `none`.
        #[arg(value_name = "WHEN")]
        deadline: String,
    },
    /// Set the pace from the next turn on. Host too, once all could see it.
    Pace(Box<SetPaceArgs>),
    /// Close the open phase now, with defaults for what is missing.
    Close(GameArg),
    /// Put another player into a seat, or open it for one. Host too, if its player has abandoned
    /// it.
    Replace {
        /// The game's id.
        game: String,
        /// The seat.
        seat: u32,
        /// The new player [default: anybody who may join].
        #[arg(long, value_name = "NAME")]
        player: Option<String>,
    },
    /// Let automation play a seat; its player keeps it.
    Automate {
        /// The game's id.
        game: String,
        /// The seat.
        seat: u32,
        /// The level, or PROFILE:LEVEL.
        #[arg(default_value = "standard")]
        by: String,
    },
    /// Give a seat back to its player.
    HandBack(MasterSeat),
    /// Excuse the last missed deadline of a seat.
    Excuse(MasterSeat),
    /// Declare winners, or a draw, and end the game.
    Declare {
        /// The game's id.
        game: String,
        /// The seats that win; none declares a draw of all who are alive.
        #[arg(long, value_name = "SEAT", value_delimiter = ',')]
        winners: Vec<u32>,
        /// Why, for the record.
        #[arg(long)]
        reason: String,
    },
    /// Cancel the game: it ends without a result.
    Cancel {
        /// The game's id.
        game: String,
        /// Say so on purpose: this cannot be undone.
        #[arg(long, required = true)]
        yes: bool,
    },
    /// Export the complete position, without seed and dice. Every seat is told.
    Position {
        /// The game's id.
        game: String,
        /// The file [default: standard output].
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Give orders that the rules reserve to the game master.
    Order {
        /// The game's id.
        game: String,
        /// Orders in the notation of the game.
        #[arg(required = true)]
        orders: Vec<String>,
    },
}

/// A seat of a game.
#[derive(Debug, Args)]
pub struct MasterSeat {
    /// The game's id.
    pub game: String,
    /// The seat.
    pub seat: u32,
}

/// Set the pace.
#[derive(Debug, Args)]
pub struct SetPaceArgs {
    /// The game's id.
    pub game: String,
    #[command(flatten)]
    /// The pace.
    pub pace: PaceArgs,
}

#[expect(clippy::too_many_lines, reason = "one arm for each command")]
/// Does what the game master says.
pub async fn run(context: &Context, command: MasterCommand) -> Result<(), Failure> {
    let mut masters = context.engine().await?.masters();
    match command {
        MasterCommand::Pause(GameArg { game }) => {
            let response = masters
                .pause_game(PauseGameRequest { game_id: game, request_id: request_id()? })
                .await?
                .into_inner();
            told(context, &response, response.game.as_ref())
        }
        MasterCommand::Resume(GameArg { game }) => {
            let response = masters
                .resume_game(ResumeGameRequest { game_id: game, request_id: request_id()? })
                .await?
                .into_inner();
            told(context, &response, response.game.as_ref())
        }
        MasterCommand::Deadline { game, deadline } => {
            let deadline = if deadline == "none" {
                None
            } else {
                Some(parse_moment(&deadline).map_err(Failure::usage)?)
            };
            let response = masters
                .set_deadline(SetDeadlineRequest {
                    game_id: game,
                    due_time: deadline,
                    request_id: request_id()?,
                })
                .await?
                .into_inner();
            told(context, &response, response.game.as_ref())
        }
        MasterCommand::Pace(args) => {
            let pace = Some(args.pace.pace()?.unwrap_or_default());
            let response = masters
                .set_pace(SetPaceRequest { game_id: args.game, pace, request_id: request_id()? })
                .await?
                .into_inner();
            told(context, &response, response.game.as_ref())
        }
        MasterCommand::Close(GameArg { game }) => {
            let response = masters
                .close_phase(ClosePhaseRequest { game_id: game, request_id: request_id()? })
                .await?
                .into_inner();
            told(context, &response, response.game.as_ref())
        }
        MasterCommand::Replace { game, seat, player } => {
            let request = ReplacePlayerRequest {
                game_id: game,
                seat,
                player: player.unwrap_or_default(),
                request_id: request_id()?,
            };
            let response = masters.replace_player(request).await?.into_inner();
            told(context, &response, response.game.as_ref())
        }
        MasterCommand::Automate { game, seat, by } => {
            let request = AutomateSeatRequest {
                game_id: game,
                seat,
                by: Some(automated(&by)),
                request_id: request_id()?,
            };
            let response = masters.automate_seat(request).await?.into_inner();
            told(context, &response, response.game.as_ref())
        }
        MasterCommand::HandBack(MasterSeat { game, seat }) => {
            let response = masters
                .hand_back_seat(HandBackSeatRequest {
                    game_id: game,
                    seat,
                    request_id: request_id()?,
                })
                .await?
                .into_inner();
            told(context, &response, response.game.as_ref())
        }
        MasterCommand::Excuse(MasterSeat { game, seat }) => {
            let response = masters
                .excuse_miss(ExcuseMissRequest { game_id: game, seat, request_id: request_id()? })
                .await?
                .into_inner();
            told(context, &response, response.game.as_ref())
        }
        MasterCommand::Declare { game, winners, reason } => {
            let request =
                DeclareOutcomeRequest { game_id: game, winners, reason, request_id: request_id()? };
            let response = masters.declare_outcome(request).await?.into_inner();
            told(context, &response, response.game.as_ref())
        }
        MasterCommand::Cancel { game, .. } => {
            let response = masters
                .cancel_game(CancelGameRequest { game_id: game, request_id: request_id()? })
                .await?
                .into_inner();
            context.answer(&response, |_| "The game is cancelled.".into())
        }
        MasterCommand::Position { game, output } => {
            let response = masters
                .export_position(ExportPositionRequest { game_id: game, request_id: request_id()? })
                .await?
                .into_inner();
            write_position(context, response.position.as_ref(), output)
        }
        MasterCommand::Order { game, orders } => order(context, game, &orders).await,
    }
}

fn told<M: Message + Name>(
    context: &Context,
    response: &M,
    game: Option<&Game>,
) -> Result<(), Failure> {
    context
        .answer(response, |style| game.map(|game| wording::game(style, game)).unwrap_or_default())
}

async fn order(context: &Context, game: String, orders: &[String]) -> Result<(), Failure> {
    let request = SubmitMasterOrdersRequest {
        game_id: game,
        request_id: request_id()?,
        orders: Vec::new(),
        text: orders.join("\n"),
    };
    let response =
        context.engine().await?.masters().submit_master_orders(request).await?.into_inner();
    context.answer(&response, |style| super::look::lines(style, &response.events))?;
    table::whole(response.taken, response.refused.as_ref())
}

/// Writes a position as `sandbox create --position` and scenarios read it: the game's own message,
/// without the envelope.
pub fn write_position(
    context: &Context,
    position: Option<&GamePosition>,
    output: Option<PathBuf>,
) -> Result<(), Failure> {
    let failed = |error: serde_json::Error| Failure::failed(format!("{error}."));
    let position = crate::envelope::inner(position.map(json::to_value).unwrap_or_default());
    let Some(path) = output else {
        let text = serde_json::to_string_pretty(&position).map_err(failed)?;
        return context.answer_value(&position, |_| text);
    };
    let text = serde_json::to_string_pretty(&position).map_err(failed)? + "\n";
    std::fs::write(&path, text).map_err(|error| about(&path, &error))?;
    context.answer_value(&serde_json::json!({ "file": path }), |_| {
        format!("The position is in {}.", path.display())
    })
}
