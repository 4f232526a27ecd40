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

/// Writes the whole `impl`, because `async_trait` must see every function.
macro_rules! game_master_service {
    ($($call:ident($request_type:ty) -> $response:ident: |$request:ident| $kind:expr;)+) => {
        #[tonic::async_trait]
        impl GameMasterService for GameMasterApi {
            $(async fn $call(&self, request: Request<$request_type>) -> Reply<$response> {
                let (context, $request) = self.0.open(request)?;
                let game_id = $request.game_id.clone();
                let asked = context.key(&$request.request_id, &$request)?;
                let kind = $kind;
                context.take(&game_id, kind, asked).await?;
                Ok(Response::new($response { game: context.game(&game_id).await? }))
            })+

            async fn replace_player(
                &self,
                request: Request<ReplacePlayerRequest>,
            ) -> Reply<ReplacePlayerResponse> {
                let (context, request) = self.0.open(request)?;
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
                Ok(Response::new(ReplacePlayerResponse { game: context.game(&request.game_id).await? }))
            }

            async fn cancel_game(&self, request: Request<CancelGameRequest>) -> Reply<CancelGameResponse> {
                let (context, request) = self.0.open(request)?;
                let asked = context.key(&request.request_id, &request)?;
                context.take(&request.game_id, step::Kind::GameCancelled(GameCancelled {}), asked).await?;
                Ok(Response::new(CancelGameResponse {}))
            }

            async fn export_position(
                &self,
                request: Request<ExportPositionRequest>,
            ) -> Reply<ExportPositionResponse> {
                let (context, request) = self.0.open(request)?;
                let asked = context.key(&request.request_id, &request)?;
                let kind = step::Kind::GameExported(GameExported { position_only: true });
                context.take(&request.game_id, kind, asked).await?;
                let read = context.read(&request.game_id, |table| table.position().ok_or_else(|| not_started(table)));
                Ok(Response::new(ExportPositionResponse { position: Some(read.await?) }))
            }

            async fn submit_master_orders(
                &self,
                request: Request<SubmitMasterOrdersRequest>,
            ) -> Reply<SubmitMasterOrdersResponse> {
                let (context, request) = self.0.open(request)?;
                let asked = context.required_key(&request.request_id, &request)?;
                let orders = Orders { orders: request.orders, text: request.text };
                let read = |table: &Table| read_new_orders(table, None, &orders, &asked.request_id);
                let given = context.read(&request.game_id, read).await?;
                let kind = step::Kind::OrdersGiven(given);
                let done = context.take_request(&request.game_id, kind, asked).await?;
                let events: Vec<Event> = Table::events_for(&done.entry, Viewer::GameMaster).collect();
                let cursor = Some(cursor_after(&done.entry, Viewer::GameMaster, events.len()));
                let (taken, refused) = lists::applied(&done.entry);
                Ok(Response::new(SubmitMasterOrdersResponse { cursor, events, accepted_count: taken, refused }))
            }
        }
    };
}

game_master_service! {
    pause_game(PauseGameRequest) -> PauseGameResponse:
        |request| step::Kind::PauseSet(PauseSet { paused: true });
    resume_game(ResumeGameRequest) -> ResumeGameResponse:
        |request| step::Kind::PauseSet(PauseSet { paused: false });
    set_deadline(SetDeadlineRequest) -> SetDeadlineResponse:
        |request| step::Kind::DeadlineSet(DeadlineSet { deadline: request.due_time });
    set_pace(SetPaceRequest) -> SetPaceResponse:
        |request| step::Kind::PaceSet(PaceSet { pace: request.pace });
    close_phase(ClosePhaseRequest) -> ClosePhaseResponse:
        |request| step::Kind::PhaseClosed(PhaseClosed {});
    automate_seat(AutomateSeatRequest) -> AutomateSeatResponse:
        |request| step::Kind::SeatAutomated(SeatAutomated {
            seat: request.seat,
            by: Some(request.automation.unwrap_or_default()),
        });
    hand_back_seat(HandBackSeatRequest) -> HandBackSeatResponse:
        |request| step::Kind::SeatAutomated(SeatAutomated { seat: request.seat, by: None });
    excuse_miss(ExcuseMissRequest) -> ExcuseMissResponse:
        |request| step::Kind::MissExcused(MissExcused { seat: request.seat });
    declare_outcome(DeclareOutcomeRequest) -> DeclareOutcomeResponse:
        |request| step::Kind::OutcomeDeclared(OutcomeDeclared { winners: request.winners, reason: request.reason });
}
