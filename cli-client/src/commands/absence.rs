//! Commands for vacation, delegation and resignation.

use clap::Args;
use heliopause_proto::v1::{DelegateRequest, ResignRequest, ResignResponse, SetVacationRequest};

use super::lobby::automated;
use crate::context::Context;
use crate::engine::{Engine, request_id};
use crate::failure::Failure;
use crate::input::parse_moment;
use crate::table::Table;
use crate::words::{Number, say};

/// Start or end a vacation.
#[derive(Debug, Args)]
pub struct VacationArgs {
    #[command(flatten)]
    pub table: Table,
    /// Number of days from now; 0 ends the vacation.
    pub days: u32,
}

/// Resign your seat permanently.
#[derive(Debug, Args)]
pub struct ResignArgs {
    #[command(flatten)]
    pub table: Table,
    /// Confirm: this cannot be undone.
    #[arg(long, required = true)]
    pub yes: bool,
}

/// Delegate your seat to automation.
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/delegate.txt"))]
pub struct DelegateArgs {
    #[command(flatten)]
    pub table: Table,
    /// The level, or PROFILE:LEVEL.
    #[arg(required_unless_present = "back")]
    pub to: Option<String>,
    /// End of the delegation: a time from now (3d), or a date and time (2030-01-31T20:00:00Z).
    #[arg(long, value_name = "WHEN", value_parser = parse_moment)]
    pub until: Option<prost_types::Timestamp>,
    /// Take the seat back.
    #[arg(long, conflicts_with = "to")]
    pub back: bool,
}

pub async fn vacation(context: &Context, args: VacationArgs) -> Result<(), Failure> {
    let request = SetVacationRequest {
        game_id: args.table.game,
        seat: args.table.seat,
        days: args.days,
        request_id: request_id()?,
    };
    let response = context.engine().await?.games().set_vacation(request).await?.into_inner();
    context.answer(&response, |_| {
        let now =
            if args.days == 0 { say!("absence-vacation-ended") } else { say!("absence-vacation") };
        say!("absence-vacation-left", now = now, count = Number(response.days_left as usize))
    })
}

pub fn resigned() -> String {
    say!("absence-resigned-automation-plays-seat")
}

pub async fn give_up(engine: &Engine, table: &Table) -> Result<ResignResponse, Failure> {
    let (game_id, seat) = (table.game.clone(), table.seat);
    let request = ResignRequest { game_id, seat, request_id: request_id()? };
    Ok(engine.games().resign(request).await?.into_inner())
}

pub async fn resign(context: &Context, args: ResignArgs) -> Result<(), Failure> {
    let response = give_up(&context.engine().await?, &args.table).await?;
    context.answer(&response, |_| resigned())
}

/// Delegates the caller's seat, or takes it back.
pub async fn delegate(context: &Context, args: DelegateArgs) -> Result<(), Failure> {
    let to = args
        .to
        .as_deref()
        .map(|to| heliopause_proto::v1::AutomatedSeat { end_time: args.until, ..automated(to) });
    let back = to.is_none();
    let request = DelegateRequest {
        game_id: args.table.game,
        seat: args.table.seat,
        automation: to,
        request_id: request_id()?,
    };
    let response = context.engine().await?.games().delegate(request).await?.into_inner();
    let text =
        if back { say!("absence-play-seat-again") } else { say!("absence-automation-plays-seat") };
    context.answer(&response, |_| text)
}
