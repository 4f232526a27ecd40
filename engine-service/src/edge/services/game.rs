//! `GameService`. Passes each call to the method of [`CallContext`](super::tables::CallContext) that
//! handles it.

use std::pin::Pin;

use heliopause_proto::v1::game_service_server::GameService;
use heliopause_proto::v1::*;
use prost::Message as _;
use tokio_stream::{Stream, StreamExt as _};
use tonic::{Request, Response, Status};

use super::tables::Tables;
use super::{Reply, Result};

type Answers<T> = Pin<Box<dyn Stream<Item = Result<T>> + Send>>;

fn decoded(message: &[u8]) -> Result<StreamEventsResponse> {
    StreamEventsResponse::decode(message).map_err(|error| Status::internal(error.to_string()))
}

pub(crate) struct GameApi(pub(crate) Tables);

/// Writes the whole `impl`, because `async_trait` must see every function.
macro_rules! game_service {
    ($($call:ident($request:ty) -> $response:ty;)+) => {
        #[tonic::async_trait]
        impl GameService for GameApi {
                type StreamEventsStream = Answers<StreamEventsResponse>;
                type StreamMyGamesStream = Answers<StreamMyGamesResponse>;
                type ExportGameStream = Answers<ExportGameResponse>;

                async fn stream_events(
                    &self,
                    request: Request<StreamEventsRequest>,
                ) -> Reply<Self::StreamEventsStream> {
                    // Calls from the network do not reach this: `super::event_stream` serves them.
                    let (context, request) = self.0.open(request)?;
                    let messages = context.stream_events(request).await?;
                    Ok(Response::new(Box::pin(messages.map(|message| decoded(&message?)))))
                }

                async fn stream_my_games(
                    &self,
                    request: Request<StreamMyGamesRequest>,
                ) -> Reply<Self::StreamMyGamesStream> {
                    let (context, _) = self.0.open(request)?;
                    Ok(Response::new(Box::pin(context.stream_my_games().await?)))
                }

                async fn export_game(
                    &self,
                    request: Request<ExportGameRequest>,
                ) -> Reply<Self::ExportGameStream> {
                    let (context, request) = self.0.open(request)?;
                    Ok(Response::new(Box::pin(context.export_game(request).await?)))
                }

            $(async fn $call(&self, request: Request<$request>) -> Reply<$response> {
                let (context, request) = self.0.open(request)?;
                context.$call(request).await.map(Response::new)
            })+
        }
    };
}

game_service! {
    list_kinds(ListKindsRequest) -> ListKindsResponse;
    create_game(CreateGameRequest) -> CreateGameResponse;
    list_games(ListGamesRequest) -> ListGamesResponse;
    get_game(GetGameRequest) -> GetGameResponse;
    list_my_decisions(ListMyDecisionsRequest) -> ListMyDecisionsResponse;
    join_game(JoinGameRequest) -> JoinGameResponse;
    decline_invitation(DeclineInvitationRequest) -> DeclineInvitationResponse;
    leave_game(LeaveGameRequest) -> LeaveGameResponse;
    start_game(StartGameRequest) -> StartGameResponse;
    reveal_entropy(RevealEntropyRequest) -> RevealEntropyResponse;
    get_view(GetViewRequest) -> GetViewResponse;
    list_phases(ListPhasesRequest) -> ListPhasesResponse;
    draw_map(DrawMapRequest) -> DrawMapResponse;
    get_scene(GetSceneRequest) -> GetSceneResponse;
    get_board(GetBoardRequest) -> GetBoardResponse;
    get_report(GetReportRequest) -> GetReportResponse;
    get_offers(GetOffersRequest) -> GetOffersResponse;
    validate_orders(ValidateOrdersRequest) -> ValidateOrdersResponse;
    submit_orders(SubmitOrdersRequest) -> SubmitOrdersResponse;
    set_ready(SetReadyRequest) -> SetReadyResponse;
    set_wait(SetWaitRequest) -> SetWaitResponse;
    withdraw_orders(WithdrawOrdersRequest) -> WithdrawOrdersResponse;
    send_message(SendMessageRequest) -> SendMessageResponse;
    list_messages(ListMessagesRequest) -> ListMessagesResponse;
    propose_vote(ProposeVoteRequest) -> ProposeVoteResponse;
    cast_vote(CastVoteRequest) -> CastVoteResponse;
    list_votes(ListVotesRequest) -> ListVotesResponse;
    set_vacation(SetVacationRequest) -> SetVacationResponse;
    resign(ResignRequest) -> ResignResponse;
    delegate(DelegateRequest) -> DelegateResponse;
    get_history(GetHistoryRequest) -> GetHistoryResponse;
    verify_game(VerifyGameRequest) -> VerifyGameResponse;
    explain(ExplainRequest) -> ExplainResponse;
    get_rule(GetRuleRequest) -> GetRuleResponse;
    list_rules(ListRulesRequest) -> ListRulesResponse;
    parse_orders(ParseOrdersRequest) -> ParseOrdersResponse;
}
