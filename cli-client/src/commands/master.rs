//! Commands for game masters and hosts.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use heliopause_proto::json;
use heliopause_proto::v1::*;

use super::lobby::{GameArg, automated};
use super::pace::PaceArgs;
use crate::context::Context;
use crate::engine::request_id;
use crate::failure::{Failure, about};
use crate::input::parse_moment;
use crate::style::Style;
use crate::table;
use crate::wording;
use crate::words::say;

/// Manage a game.
#[derive(Debug, Subcommand)]
#[command(after_help = include_str!("../help/gm.txt"))]
pub enum MasterCommand {
    /// Pause: deadlines stop and orders are rejected. Also for hosts.
    Pause(GameArg),
    /// Resume; deadlines move by the length of the pause. Also for hosts.
    Resume(GameArg),
    /// Move the deadline of the open phase. Also for hosts, if the engine's clock was wrong.
    Deadline {
        /// The game's id.
        game: String,
        /// A time from now (12h), a date and time (2030-01-31T20:00:00Z), or `none`.
        #[arg(value_name = "WHEN")]
        deadline: String,
    },
    /// Set the pace from the next turn on. Also for hosts, but with a delay.
    Pace(Box<SetPaceArgs>),
    /// Close the open phase now, with defaults for missing orders.
    Close(GameArg),
    /// Give a seat to another player, or open it. Also for hosts, if its player has abandoned it.
    Replace {
        /// The game's id.
        game: String,
        /// The seat.
        seat: u32,
        /// The new player [default: any player who can join].
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
    /// Return a seat to its player.
    HandBack(MasterSeat),
    /// Excuse a seat's last missed deadline.
    Excuse(MasterSeat),
    /// Declare winners, or a draw, and end the game.
    Declare {
        /// The game's id.
        game: String,
        /// The winning seats; without any, all surviving seats share a draw.
        #[arg(long, value_name = "SEAT", value_delimiter = ',')]
        winners: Vec<u32>,
        /// The reason, for the record.
        #[arg(long)]
        reason: String,
    },
    /// Cancel the game: it ends without a result.
    Cancel {
        /// The game's id.
        game: String,
        /// Confirm: this cannot be undone.
        #[arg(long, required = true)]
        yes: bool,
    },
    /// Export the complete position, without seed and dice. Every seat is notified.
    Position {
        /// The game's id.
        game: String,
        /// The output file [default: standard output].
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Submit orders that the rules reserve for the game master.
    Order {
        /// The game's id.
        game: String,
        /// Orders in the game's notation.
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
    pub pace: PaceArgs,
}

/// Makes a call of the game master's service and shows the game in its response.
macro_rules! change {
    ($context:ident, $masters:ident.$call:ident($request:expr)) => {{
        let response = $masters.$call($request).await?.into_inner();
        let game = response.game.as_ref();
        let shown = |style: &Style| game.map(|game| wording::game(style, game)).unwrap_or_default();
        $context.answer(&response, shown)
    }};
}

pub async fn run(context: &Context, command: MasterCommand) -> Result<(), Failure> {
    let mut masters = context.engine().await?.masters();
    let request_id = request_id()?;
    match command {
        MasterCommand::Pause(GameArg { game: game_id }) => {
            change!(context, masters.pause_game(PauseGameRequest { game_id, request_id }))
        }
        MasterCommand::Resume(GameArg { game: game_id }) => {
            change!(context, masters.resume_game(ResumeGameRequest { game_id, request_id }))
        }
        MasterCommand::Deadline { game: game_id, deadline } => {
            let due_time = match deadline.as_str() {
                "none" => None,
                moment => Some(parse_moment(moment).map_err(|what| {
                    Failure::usage(say!("master-no-deadline-write-none", what = what))
                })?),
            };
            let request = SetDeadlineRequest { game_id, due_time, request_id };
            change!(context, masters.set_deadline(request))
        }
        MasterCommand::Pace(args) => {
            let SetPaceArgs { game: game_id, pace } = *args;
            let pace = Some(pace.pace()?.unwrap_or_default());
            let request = SetPaceRequest { game_id, pace, request_id };
            change!(context, masters.set_pace(request))
        }
        MasterCommand::Close(GameArg { game: game_id }) => {
            change!(context, masters.close_phase(ClosePhaseRequest { game_id, request_id }))
        }
        MasterCommand::Replace { game: game_id, seat, player } => {
            let player = player.unwrap_or_default();
            let request = ReplacePlayerRequest { game_id, seat, player, request_id };
            change!(context, masters.replace_player(request))
        }
        MasterCommand::Automate { game: game_id, seat, by } => {
            let by = Some(automated(&by));
            let request = AutomateSeatRequest { game_id, seat, automation: by, request_id };
            change!(context, masters.automate_seat(request))
        }
        MasterCommand::HandBack(MasterSeat { game: game_id, seat }) => {
            let request = HandBackSeatRequest { game_id, seat, request_id };
            change!(context, masters.hand_back_seat(request))
        }
        MasterCommand::Excuse(MasterSeat { game: game_id, seat }) => {
            let request = ExcuseMissRequest { game_id, seat, request_id };
            change!(context, masters.excuse_miss(request))
        }
        MasterCommand::Declare { game: game_id, winners, reason } => {
            let request = DeclareOutcomeRequest { game_id, winners, reason, request_id };
            change!(context, masters.declare_outcome(request))
        }
        MasterCommand::Cancel { game: game_id, .. } => {
            let request = CancelGameRequest { game_id, request_id };
            context.done(&masters.cancel_game(request).await?, &say!("master-game-canceled"))
        }
        MasterCommand::Position { game: game_id, output } => {
            let request = ExportPositionRequest { game_id, request_id };
            let response = masters.export_position(request).await?.into_inner();
            write_position(context, response.position.as_ref(), output)
        }
        MasterCommand::Order { game: game_id, orders } => {
            let (orders, text) = (Vec::new(), orders.join("\n"));
            let request = SubmitMasterOrdersRequest { game_id, request_id, orders, text };
            let response = masters.submit_master_orders(request).await?.into_inner();
            context.answer(&response, |style| super::look::lines(style, &response.events))?;
            table::whole(response.accepted_count, response.refused.as_ref())
        }
    }
}

/// Writes a position to a file or to standard output, without its envelope. `sandbox create
/// --position` and scenarios accept this form.
pub fn write_position(
    context: &Context,
    position: Option<&GamePosition>,
    output: Option<PathBuf>,
) -> Result<(), Failure> {
    let failed = |error: serde_json::Error| {
        Failure::failed(say!("master-cannot-write-position-json", error = error))
    };
    let position = crate::envelope::inner(position.map(json::to_value).unwrap_or_default());
    let Some(path) = output else {
        let text = serde_json::to_string_pretty(&position).map_err(failed)?;
        return context.answer_value(&position, |_| text);
    };
    let text = serde_json::to_string_pretty(&position).map_err(failed)? + "\n";
    std::fs::write(&path, text).map_err(|error| about(&path, &error))?;
    context.answer_value(&serde_json::json!({ "file": path }), |_| {
        say!("master-saved-position", path = path.display())
    })
}
