//! Being away: vacation, delegation, resigning.

use clap::Args;
use heliopause_proto::v1::{DelegateRequest, ResignRequest, ResignResponse, SetVacationRequest};

use super::lobby::automated;
use crate::context::Context;
use crate::engine::{Engine, request_id};
use crate::failure::Failure;
use crate::input::parse_moment;
use crate::table::Table;
use crate::text::count;

/// Take or end a vacation.
#[derive(Debug, Args)]
pub struct VacationArgs {
    #[command(flatten)]
    /// The game.
    pub table: Table,
    /// How many days from now; 0 ends it.
    pub days: u32,
}

/// Give your seat up for good.
#[derive(Debug, Args)]
pub struct ResignArgs {
    #[command(flatten)]
    /// The game.
    pub table: Table,
    /// Say so on purpose: this cannot be undone.
    #[arg(long, required = true)]
    pub yes: bool,
}

/// Hand your seat to automation.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cli-client delegate GAME strong --until 3d\n  cli-client delegate \
        GAME --back"
)]
pub struct DelegateArgs {
    #[command(flatten)]
    /// The game.
    pub table: Table,
    /// The level, or PROFILE:LEVEL.
    #[arg(required_unless_present = "back")]
    pub to: Option<String>,
    /// Until when: a time from now (3d) or a moment (2030-01-31T20:00:00Z).
    #[arg(long, value_name = "WHEN", value_parser = parse_moment)]
    pub until: Option<prost_types::Timestamp>,
    /// Take the seat back.
    #[arg(long, conflicts_with = "to")]
    pub back: bool,
}

/// Takes or ends vacation.
pub async fn vacation(context: &Context, args: VacationArgs) -> Result<(), Failure> {
    let request = SetVacationRequest {
        game_id: args.table.game,
        seat: args.table.seat,
        days: args.days,
        request_id: request_id()?,
    };
    let response = context.engine().await?.games().set_vacation(request).await?.into_inner();
    context.answer(&response, |_| {
        let now = if args.days == 0 { "You are back." } else { "You are on vacation." };
        format!("{now} {} of vacation are left.", count(response.days_left as usize, "day"))
    })
}

/// What is told to whoever resigned.
pub const RESIGNED: &str = "You resigned. Automation plays your seat until somebody takes it.";

/// Gives a seat up.
pub async fn give_up(engine: &Engine, table: &Table) -> Result<ResignResponse, Failure> {
    let (game_id, seat) = (table.game.clone(), table.seat);
    let request = ResignRequest { game_id, seat, request_id: request_id()? };
    Ok(engine.games().resign(request).await?.into_inner())
}

/// Gives the caller's seat up.
pub async fn resign(context: &Context, args: ResignArgs) -> Result<(), Failure> {
    let response = give_up(&context.engine().await?, &args.table).await?;
    context.answer(&response, |_| RESIGNED.into())
}

/// Hands the seat over, or takes it back.
pub async fn delegate(context: &Context, args: DelegateArgs) -> Result<(), Failure> {
    let to = args
        .to
        .as_deref()
        .map(|to| heliopause_proto::v1::AutomatedSeat { end_time: args.until, ..automated(to) });
    let back = to.is_none();
    let request = DelegateRequest {
        game_id: args.table.game,
        seat: args.table.seat,
        to,
        request_id: request_id()?,
    };
    let response = context.engine().await?.games().delegate(request).await?.into_inner();
    let text = if back { "You play yourself again." } else { "Automation plays for you." };
    context.answer(&response, |_| text.into())
}
