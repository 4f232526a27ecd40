//! Calls by request type. The type of a request determines which call a test makes.

use heliopause_proto::v1::*;
use tonic::{Status, Streaming};

use crate::{Player, reason};

/// A request of one call.
pub trait Call: Sized {
    type Answer;

    fn send(self, by: &Player) -> impl Future<Output = Result<Self::Answer, Status>> + Send;
}

/// A request about a game.
pub trait OfGame {
    fn of(game_id: &str) -> Self;
}

impl Player {
    pub async fn call<C: Call>(&self, request: C) -> Result<C::Answer, Status> {
        // Boxed: large requests would make the futures of all tests large.
        Box::pin(request.send(self)).await
    }

    pub async fn does<C: Call>(&self, request: C) -> C::Answer {
        let answer = self.call(request).await;
        answer.unwrap_or_else(|status| panic!("{}: {status:?}", std::any::type_name::<C>()))
    }

    pub async fn refused<C: Call>(&self, request: C) -> Status {
        match self.call(request).await {
            Ok(_) => panic!("{} is not refused", std::any::type_name::<C>()),
            Err(status) => status,
        }
    }

    pub async fn refusal<C: Call>(&self, request: C) -> String {
        reason(&self.refused(request).await)
    }
}

/// Waits for the end of a stream. A stream that is complete ends with `OK`.
pub async fn end_of<T>(stream: &mut Streaming<T>) -> Status {
    loop {
        match stream.message().await {
            Ok(Some(_)) => {}
            Ok(None) => return Status::ok("complete"),
            Err(status) => return status,
        }
    }
}

/// Waits for the next notice about a game.
pub async fn next_notice(stream: &mut Streaming<StreamMyGamesResponse>) -> GameNotice {
    loop {
        let response = stream.message().await.expect("the stream goes on");
        let notice = response.expect("the stream has no end").notice;
        if let Some(stream_my_games_response::Notice::Game(notice)) = notice {
            return notice;
        }
    }
}

macro_rules! calls {
    ($($request:ty => $service:ident.$method:ident -> $answer:ty;)+) => {$(
        impl Call for $request {
            type Answer = $answer;

            async fn send(self, by: &Player) -> Result<$answer, Status> {
                Ok(by.$service().$method(self).await?.into_inner())
            }
        }
    )+};
}

calls! {
    ListAllGamesRequest => admin.list_all_games -> ListAllGamesResponse;
    GetAnyGameRequest => admin.get_any_game -> GetAnyGameResponse;
    PauseAnyGameRequest => admin.pause_any_game -> PauseAnyGameResponse;
    ResumeAnyGameRequest => admin.resume_any_game -> ResumeAnyGameResponse;
    CancelAnyGameRequest => admin.cancel_any_game -> CancelAnyGameResponse;
    RevokePlayerTokensRequest => admin.revoke_player_tokens -> RevokePlayerTokensResponse;
    BanPlayerRequest => admin.ban_player -> BanPlayerResponse;
    RenamePlayerRequest => admin.rename_player -> RenamePlayerResponse;
    DeletePlayerRequest => admin.delete_player -> DeletePlayerResponse;
    GrantRoleRequest => admin.grant_role -> GrantRoleResponse;
    ListParkedDecisionsRequest => admin.list_parked_decisions -> ListParkedDecisionsResponse;
    ReleaseParkedDecisionRequest => admin.release_parked_decision -> ReleaseParkedDecisionResponse;
    ListEnginesRequest => admin.list_engines -> ListEnginesResponse;
    ListWorkersRequest => admin.list_workers -> ListWorkersResponse;
    ListLeasesRequest => admin.list_leases -> ListLeasesResponse;
    GetMetricsRequest => admin.get_metrics -> GetMetricsResponse;
    GetStatusRequest => admin.get_status -> GetStatusResponse;
    ListReportsRequest => admin.list_reports -> ListReportsResponse;
    ResolveReportRequest => admin.resolve_report -> ResolveReportResponse;
    SilencePlayerRequest => admin.silence_player -> SilencePlayerResponse;
    WriteChatRequest => chat.write_chat -> WriteChatResponse;
    ListChatRequest => chat.list_chat -> ListChatResponse;
    ListSpectatorsRequest => chat.list_spectators -> ListSpectatorsResponse;
    MutePlayerRequest => chat.mute_player -> MutePlayerResponse;
    UnmutePlayerRequest => chat.unmute_player -> UnmutePlayerResponse;
    ListMutesRequest => chat.list_mutes -> ListMutesResponse;
    ReportAbuseRequest => chat.report_abuse -> ReportAbuseResponse;
    ListKindsRequest => games.list_kinds -> ListKindsResponse;
    CreateGameRequest => games.create_game -> CreateGameResponse;
    ListGamesRequest => games.list_games -> ListGamesResponse;
    GetGameRequest => games.get_game -> GetGameResponse;
    JoinGameRequest => games.join_game -> JoinGameResponse;
    DeclineInvitationRequest => games.decline_invitation -> DeclineInvitationResponse;
    LeaveGameRequest => games.leave_game -> LeaveGameResponse;
    StartGameRequest => games.start_game -> StartGameResponse;
    RevealEntropyRequest => games.reveal_entropy -> RevealEntropyResponse;
    GetViewRequest => games.get_view -> GetViewResponse;
    ListPhasesRequest => games.list_phases -> ListPhasesResponse;
    DrawMapRequest => games.draw_map -> DrawMapResponse;
    GetBoardRequest => games.get_board -> GetBoardResponse;
    GetSceneRequest => games.get_scene -> GetSceneResponse;
    GetReportRequest => games.get_report -> GetReportResponse;
    GetOffersRequest => games.get_offers -> GetOffersResponse;
    ValidateOrdersRequest => games.validate_orders -> ValidateOrdersResponse;
    SubmitOrdersRequest => games.submit_orders -> SubmitOrdersResponse;
    SetReadyRequest => games.set_ready -> SetReadyResponse;
    WithdrawOrdersRequest => games.withdraw_orders -> WithdrawOrdersResponse;
    StreamEventsRequest => games.stream_events -> Streaming<StreamEventsResponse>;
    StreamMyGamesRequest => games.stream_my_games -> Streaming<StreamMyGamesResponse>;
    ListMyDecisionsRequest => games.list_my_decisions -> ListMyDecisionsResponse;
    SendMessageRequest => games.send_message -> SendMessageResponse;
    ListMessagesRequest => games.list_messages -> ListMessagesResponse;
    ProposeVoteRequest => games.propose_vote -> ProposeVoteResponse;
    CastVoteRequest => games.cast_vote -> CastVoteResponse;
    ListVotesRequest => games.list_votes -> ListVotesResponse;
    ResignRequest => games.resign -> ResignResponse;
    GetHistoryRequest => games.get_history -> GetHistoryResponse;
    ExportGameRequest => games.export_game -> Streaming<ExportGameResponse>;
    VerifyGameRequest => games.verify_game -> VerifyGameResponse;
    CreateSandboxGameRequest => sandboxes.create_sandbox_game -> CreateSandboxGameResponse;
    CloneSandboxGameRequest => sandboxes.clone_sandbox_game -> CloneSandboxGameResponse;
    ScriptDiceRequest => sandboxes.script_dice -> ScriptDiceResponse;
    AdvanceClockRequest => sandboxes.advance_clock -> AdvanceClockResponse;
    GetPositionRequest => sandboxes.get_position -> GetPositionResponse;
    ListMasterEventsRequest => sandboxes.list_master_events -> ListMasterEventsResponse;
    CloseSandboxPhaseRequest => sandboxes.close_sandbox_phase -> CloseSandboxPhaseResponse;
    CreateAnalysisRequest => analyses.create_analysis -> CreateAnalysisResponse;
    ListAnalysesRequest => analyses.list_analyses -> ListAnalysesResponse;
    RenameAnalysisRequest => analyses.rename_analysis -> RenameAnalysisResponse;
    DeleteAnalysisRequest => analyses.delete_analysis -> DeleteAnalysisResponse;
    RegisterRequest => players.register -> RegisterResponse;
    GetServerInfoRequest => players.get_server_info -> GetServerInfoResponse;
    CreateSignInCodeRequest => players.create_sign_in_code -> CreateSignInCodeResponse;
    SignInRequest => players.sign_in -> SignInResponse;
    GetMeRequest => players.get_me -> GetMeResponse;
    GetPlayerRequest => players.get_player -> GetPlayerResponse;
    ListMyGamesRequest => players.list_my_games -> ListMyGamesResponse;
    CreateTokenRequest => players.create_token -> CreateTokenResponse;
    ListTokensRequest => players.list_tokens -> ListTokensResponse;
    RevokeTokenRequest => players.revoke_token -> RevokeTokenResponse;
    BlockPlayerRequest => players.block_player -> BlockPlayerResponse;
    UnblockPlayerRequest => players.unblock_player -> UnblockPlayerResponse;
    ListBlockedPlayersRequest => players.list_blocked_players -> ListBlockedPlayersResponse;
    CreateNoticeChannelRequest => players.create_notice_channel -> CreateNoticeChannelResponse;
    ListNoticeChannelsRequest => players.list_notice_channels -> ListNoticeChannelsResponse;
    UpdateNoticeChannelRequest => players.update_notice_channel -> UpdateNoticeChannelResponse;
    ConfirmNoticeChannelRequest => players.confirm_notice_channel -> ConfirmNoticeChannelResponse;
    TestNoticeChannelRequest => players.test_notice_channel -> TestNoticeChannelResponse;
    RenewNoticeSecretRequest => players.renew_notice_secret -> RenewNoticeSecretResponse;
    DeleteNoticeChannelRequest => players.delete_notice_channel -> DeleteNoticeChannelResponse;
    GetProfileRequest => profiles.get_profile -> GetProfileResponse;
    ListLeaderboardRequest => profiles.list_leaderboard -> ListLeaderboardResponse;
    SetPrivacyRequest => profiles.set_privacy -> SetPrivacyResponse;
    RenameMeRequest => profiles.rename_me -> RenameMeResponse;
    DeleteMeRequest => profiles.delete_me -> DeleteMeResponse;
    ExportMyDataRequest => profiles.export_my_data -> Streaming<ExportMyDataResponse>;
    JoinQueueRequest => quick_play.join_queue -> JoinQueueResponse;
    LeaveQueueRequest => quick_play.leave_queue -> LeaveQueueResponse;
    GetQueueRequest => quick_play.get_queue -> GetQueueResponse;
    RematchGameRequest => quick_play.rematch_game -> RematchGameResponse;
    CreateTournamentRequest => tournaments.create_tournament -> CreateTournamentResponse;
    ListTournamentsRequest => tournaments.list_tournaments -> ListTournamentsResponse;
    GetTournamentRequest => tournaments.get_tournament -> GetTournamentResponse;
    JoinTournamentRequest => tournaments.join_tournament -> JoinTournamentResponse;
    WithdrawFromTournamentRequest => tournaments.withdraw_from_tournament -> WithdrawFromTournamentResponse;
    StartTournamentRequest => tournaments.start_tournament -> StartTournamentResponse;
    CancelTournamentRequest => tournaments.cancel_tournament -> CancelTournamentResponse;
    RegisterBotRequest => tournaments.register_bot -> RegisterBotResponse;
    UnregisterBotRequest => tournaments.unregister_bot -> UnregisterBotResponse;
    ListBotsRequest => tournaments.list_bots -> ListBotsResponse;
    MuteGameRequest => players.mute_game -> MuteGameResponse;
    UnmuteGameRequest => players.unmute_game -> UnmuteGameResponse;
    PauseGameRequest => master.pause_game -> PauseGameResponse;
    ResumeGameRequest => master.resume_game -> ResumeGameResponse;
    SetDeadlineRequest => master.set_deadline -> SetDeadlineResponse;
    ClosePhaseRequest => master.close_phase -> ClosePhaseResponse;
    ReplacePlayerRequest => master.replace_player -> ReplacePlayerResponse;
    AutomateSeatRequest => master.automate_seat -> AutomateSeatResponse;
    HandBackSeatRequest => master.hand_back_seat -> HandBackSeatResponse;
    ExcuseMissRequest => master.excuse_miss -> ExcuseMissResponse;
    DeclareOutcomeRequest => master.declare_outcome -> DeclareOutcomeResponse;
    CancelGameRequest => master.cancel_game -> CancelGameResponse;
    ExportPositionRequest => master.export_position -> ExportPositionResponse;
    SubmitMasterOrdersRequest => master.submit_master_orders -> SubmitMasterOrdersResponse;
}

macro_rules! of_game {
    ($($request:ident)+) => {$(
        impl OfGame for $request {
            #[allow(clippy::needless_update, reason = "some requests have no other field")]
            fn of(game_id: &str) -> Self {
                Self { game_id: game_id.to_owned(), ..Self::default() }
            }
        }
    )+};
}

of_game! {
    AdvanceClockRequest AutomateSeatRequest CancelAnyGameRequest CancelGameRequest CastVoteRequest
    CloneSandboxGameRequest ClosePhaseRequest CloseSandboxPhaseRequest CreateAnalysisRequest
    DeclareOutcomeRequest DeclineInvitationRequest DeleteAnalysisRequest ListAnalysesRequest
    RenameAnalysisRequest GetPositionRequest
    DrawMapRequest ExcuseMissRequest ExportGameRequest ExportPositionRequest GetBoardRequest
    GetGameRequest GetHistoryRequest GetOffersRequest GetReportRequest GetSceneRequest GetViewRequest HandBackSeatRequest
    JoinGameRequest ListMasterEventsRequest ListMessagesRequest ListPhasesRequest ListVotesRequest
    PauseAnyGameRequest PauseGameRequest ProposeVoteRequest ReplacePlayerRequest ResignRequest
    ResumeAnyGameRequest ResumeGameRequest RevealEntropyRequest ScriptDiceRequest
    SendMessageRequest SetDeadlineRequest SetReadyRequest StartGameRequest StreamEventsRequest
    SubmitMasterOrdersRequest SubmitOrdersRequest ValidateOrdersRequest
}
