//! `GameService`. Passes each call to the method of [`CallContext`](super::tables::CallContext) that
//! handles it.

use heliopause_proto::store::v1::{EntropyRevealed, step};
use heliopause_proto::v1::game_service_server::GameService;
use heliopause_proto::v1::*;
use prost::Message as _;
use tokio_stream::StreamExt as _;
use tonic::{Request, Response, Status};

use super::tables::Tables;
use super::{Reply, Responses, Result};

fn decoded(message: &[u8]) -> Result<StreamEventsResponse> {
    StreamEventsResponse::decode(message).map_err(|error| Status::internal(error.to_string()))
}

pub(crate) struct GameApi(pub(crate) Tables);

service! {
    GameService for GameApi;
    step reveal_entropy(RevealEntropyRequest) -> RevealEntropyResponse =
        |request| step::Kind::EntropyRevealed(EntropyRevealed { entropy: request.entropy });
    // Calls from the network do not reach this: `super::event_stream` serves them.
    stream stream_events(StreamEventsRequest) -> StreamEventsStream(StreamEventsResponse) =
        |context, request| {
            context.stream_events(request).await?.map(|message| decoded(&message?))
        };
    stream stream_my_games(StreamMyGamesRequest) -> StreamMyGamesStream(StreamMyGamesResponse) =
        |context, _| context.stream_my_games().await?;
    stream export_game(ExportGameRequest) -> ExportGameStream(ExportGameResponse) =
        |context, request| context.export_game(request).await?;
    method list_kinds(ListKindsRequest) -> ListKindsResponse;
    method create_game(CreateGameRequest) -> CreateGameResponse;
    method list_games(ListGamesRequest) -> ListGamesResponse;
    method get_game(GetGameRequest) -> GetGameResponse;
    method list_my_decisions(ListMyDecisionsRequest) -> ListMyDecisionsResponse;
    method join_game(JoinGameRequest) -> JoinGameResponse;
    method decline_invitation(DeclineInvitationRequest) -> DeclineInvitationResponse;
    method leave_game(LeaveGameRequest) -> LeaveGameResponse;
    method start_game(StartGameRequest) -> StartGameResponse;
    method get_view(GetViewRequest) -> GetViewResponse;
    method list_phases(ListPhasesRequest) -> ListPhasesResponse;
    method draw_map(DrawMapRequest) -> DrawMapResponse;
    method get_scene(GetSceneRequest) -> GetSceneResponse;
    method get_board(GetBoardRequest) -> GetBoardResponse;
    method get_report(GetReportRequest) -> GetReportResponse;
    method get_offers(GetOffersRequest) -> GetOffersResponse;
    method validate_orders(ValidateOrdersRequest) -> ValidateOrdersResponse;
    method submit_orders(SubmitOrdersRequest) -> SubmitOrdersResponse;
    method set_ready(SetReadyRequest) -> SetReadyResponse;
    method set_wait(SetWaitRequest) -> SetWaitResponse;
    method withdraw_orders(WithdrawOrdersRequest) -> WithdrawOrdersResponse;
    method send_message(SendMessageRequest) -> SendMessageResponse;
    method list_messages(ListMessagesRequest) -> ListMessagesResponse;
    method propose_vote(ProposeVoteRequest) -> ProposeVoteResponse;
    method cast_vote(CastVoteRequest) -> CastVoteResponse;
    method list_votes(ListVotesRequest) -> ListVotesResponse;
    method set_vacation(SetVacationRequest) -> SetVacationResponse;
    method resign(ResignRequest) -> ResignResponse;
    method delegate(DelegateRequest) -> DelegateResponse;
    method get_history(GetHistoryRequest) -> GetHistoryResponse;
    method verify_game(VerifyGameRequest) -> VerifyGameResponse;
    method explain(ExplainRequest) -> ExplainResponse;
    method get_rule(GetRuleRequest) -> GetRuleResponse;
    method list_rules(ListRulesRequest) -> ListRulesResponse;
    method parse_orders(ParseOrdersRequest) -> ParseOrdersResponse;
}
