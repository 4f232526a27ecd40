//! `GameMasterService`: managing a game. The table checks the rights of hosts and game masters.

use heliopause_kernel::Viewer;
use heliopause_proto::store::v1::{
    DeadlineSet, GameCancelled, GameExported, MissExcused, OutcomeDeclared, PaceSet, PauseSet,
    PhaseClosed, SeatAutomated, SeatGiven, step,
};
use heliopause_proto::v1::game_master_service_server::GameMasterService;
use heliopause_proto::v1::*;
use heliopause_table::{Table, lists};
use tonic::{Request, Response};

use super::Reply;
use super::play::{cursor_after, not_started};
use super::tables::{Tables, read_new_orders};
use crate::store::Quota;

pub(crate) struct GameMasterApi(pub(crate) Tables);

service! { GameMasterService for GameMasterApi;
    game replace_player(ReplacePlayerRequest) -> ReplacePlayerResponse = |context, request| {
        let asked = context.key(&request.request_id, &request)?;
        let player = match request.player.as_str() {
            "" => None,
            name => Some(context.invited(name).await.map_err(|failure| failure.in_field("player"))?),
        };
        let kind = step::Kind::SeatGiven(SeatGiven { seat: request.seat, player });
        context.read(&request.game_id, |_| Ok(())).await?;
        // The game already counts towards the quota, so only the invitation is checked.
        let quota = Quota { games: u32::MAX, ..context.accounts.quota(context.player_id()).await? };
        context.take_with_quota(&request.game_id, kind, asked, quota).await?;
        ReplacePlayerResponse { game: context.game(&request.game_id).await? }
    };
    game cancel_game(CancelGameRequest) -> CancelGameResponse = |context, request| {
        let asked = context.key(&request.request_id, &request)?;
        context.take(&request.game_id, step::Kind::GameCancelled(GameCancelled {}), asked).await?;
        CancelGameResponse {}
    };
    game export_position(ExportPositionRequest) -> ExportPositionResponse = |context, request| {
        let asked = context.key(&request.request_id, &request)?;
        let kind = step::Kind::GameExported(GameExported { position_only: true });
        context.take(&request.game_id, kind, asked).await?;
        let read = context.read(&request.game_id, |table| table.position().ok_or_else(|| not_started(table)));
        ExportPositionResponse { position: Some(read.await?) }
    };
    game submit_master_orders(SubmitMasterOrdersRequest) -> SubmitMasterOrdersResponse = |context, request| {
        let asked = context.required_key(&request.request_id, &request)?;
        let orders = Orders { orders: request.orders, text: request.text };
        let read = |table: &Table| read_new_orders(table, None, &orders, &asked.request_id);
        let given = context.read(&request.game_id, read).await?;
        let kind = step::Kind::OrdersGiven(given);
        let done = context.take_request(&request.game_id, kind, asked).await?;
        let events: Vec<Event> = Table::events_for(&done.entry, Viewer::GameMaster).collect();
        let cursor = Some(cursor_after(&done.entry, Viewer::GameMaster, events.len()));
        let (taken, refused) = lists::applied(&done.entry);
        SubmitMasterOrdersResponse { cursor, events, accepted_count: taken, refused }
    };
    step pause_game(PauseGameRequest) -> PauseGameResponse =
        |request| step::Kind::PauseSet(PauseSet { paused: true });
    step resume_game(ResumeGameRequest) -> ResumeGameResponse =
        |request| step::Kind::PauseSet(PauseSet { paused: false });
    step set_deadline(SetDeadlineRequest) -> SetDeadlineResponse =
        |request| step::Kind::DeadlineSet(DeadlineSet { deadline: request.due_time });
    step set_pace(SetPaceRequest) -> SetPaceResponse =
        |request| step::Kind::PaceSet(PaceSet { pace: request.pace });
    step close_phase(ClosePhaseRequest) -> ClosePhaseResponse =
        |request| step::Kind::PhaseClosed(PhaseClosed {});
    step automate_seat(AutomateSeatRequest) -> AutomateSeatResponse =
        |request| step::Kind::SeatAutomated(SeatAutomated {
            seat: request.seat,
            by: Some(request.automation.unwrap_or_default()),
        });
    step hand_back_seat(HandBackSeatRequest) -> HandBackSeatResponse =
        |request| step::Kind::SeatAutomated(SeatAutomated { seat: request.seat, by: None });
    step excuse_miss(ExcuseMissRequest) -> ExcuseMissResponse =
        |request| step::Kind::MissExcused(MissExcused { seat: request.seat });
    step declare_outcome(DeclareOutcomeRequest) -> DeclareOutcomeResponse =
        |request| step::Kind::OutcomeDeclared(OutcomeDeclared { winners: request.winners, reason: request.reason });
}
