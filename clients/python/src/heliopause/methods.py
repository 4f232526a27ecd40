"""The calls of the contract, with the types of their requests and answers. Generated: do not edit."""

from heliopause._method import Duplex, Listening, Unary
from heliopause.diplomacy.v1 import adjudication_pb2 as diplomacy_adjudication_pb2
from heliopause.v1 import admin_pb2
from heliopause.v1 import automation_pb2
from heliopause.v1 import game_master_pb2
from heliopause.v1 import game_pb2
from heliopause.v1 import player_pb2
from heliopause.v1 import sandbox_pb2


class AdjudicationService:
    """The calls of heliopause.diplomacy.v1.AdjudicationService."""

    Adjudicate = Unary("/heliopause.diplomacy.v1.AdjudicationService/Adjudicate", diplomacy_adjudication_pb2.AdjudicateRequest, diplomacy_adjudication_pb2.AdjudicateResponse)


class AdminService:
    """The calls of heliopause.v1.AdminService."""

    ListPlayers = Unary("/heliopause.v1.AdminService/ListPlayers", admin_pb2.ListPlayersRequest, admin_pb2.ListPlayersResponse)
    ListAllGames = Unary("/heliopause.v1.AdminService/ListAllGames", admin_pb2.ListAllGamesRequest, admin_pb2.ListAllGamesResponse)
    GetAnyGame = Unary("/heliopause.v1.AdminService/GetAnyGame", admin_pb2.GetAnyGameRequest, admin_pb2.GetAnyGameResponse)
    PauseAnyGame = Unary("/heliopause.v1.AdminService/PauseAnyGame", admin_pb2.PauseAnyGameRequest, admin_pb2.PauseAnyGameResponse)
    ResumeAnyGame = Unary("/heliopause.v1.AdminService/ResumeAnyGame", admin_pb2.ResumeAnyGameRequest, admin_pb2.ResumeAnyGameResponse)
    CancelAnyGame = Unary("/heliopause.v1.AdminService/CancelAnyGame", admin_pb2.CancelAnyGameRequest, admin_pb2.CancelAnyGameResponse)
    CreateInvitation = Unary("/heliopause.v1.AdminService/CreateInvitation", admin_pb2.CreateInvitationRequest, admin_pb2.CreateInvitationResponse)
    RevokePlayerTokens = Unary("/heliopause.v1.AdminService/RevokePlayerTokens", admin_pb2.RevokePlayerTokensRequest, admin_pb2.RevokePlayerTokensResponse)
    BanPlayer = Unary("/heliopause.v1.AdminService/BanPlayer", admin_pb2.BanPlayerRequest, admin_pb2.BanPlayerResponse)
    DeletePlayer = Unary("/heliopause.v1.AdminService/DeletePlayer", admin_pb2.DeletePlayerRequest, admin_pb2.DeletePlayerResponse)
    SetQuota = Unary("/heliopause.v1.AdminService/SetQuota", admin_pb2.SetQuotaRequest, admin_pb2.SetQuotaResponse)
    GrantRole = Unary("/heliopause.v1.AdminService/GrantRole", admin_pb2.GrantRoleRequest, admin_pb2.GrantRoleResponse)
    Drain = Unary("/heliopause.v1.AdminService/Drain", admin_pb2.DrainRequest, admin_pb2.DrainResponse)
    ListParkedDecisions = Unary("/heliopause.v1.AdminService/ListParkedDecisions", admin_pb2.ListParkedDecisionsRequest, admin_pb2.ListParkedDecisionsResponse)
    ReleaseParkedDecision = Unary("/heliopause.v1.AdminService/ReleaseParkedDecision", admin_pb2.ReleaseParkedDecisionRequest, admin_pb2.ReleaseParkedDecisionResponse)
    ListEngines = Unary("/heliopause.v1.AdminService/ListEngines", admin_pb2.ListEnginesRequest, admin_pb2.ListEnginesResponse)
    ListWorkers = Unary("/heliopause.v1.AdminService/ListWorkers", admin_pb2.ListWorkersRequest, admin_pb2.ListWorkersResponse)
    ListLeases = Unary("/heliopause.v1.AdminService/ListLeases", admin_pb2.ListLeasesRequest, admin_pb2.ListLeasesResponse)
    GetMetrics = Unary("/heliopause.v1.AdminService/GetMetrics", admin_pb2.GetMetricsRequest, admin_pb2.GetMetricsResponse)
    GetStatus = Unary("/heliopause.v1.AdminService/GetStatus", admin_pb2.GetStatusRequest, admin_pb2.GetStatusResponse)


class AutomationService:
    """The calls of heliopause.v1.AutomationService."""

    Work = Duplex("/heliopause.v1.AutomationService/Work", automation_pb2.WorkRequest, automation_pb2.WorkResponse)


class GameService:
    """The calls of heliopause.v1.GameService."""

    ListKinds = Unary("/heliopause.v1.GameService/ListKinds", game_pb2.ListKindsRequest, game_pb2.ListKindsResponse)
    CreateGame = Unary("/heliopause.v1.GameService/CreateGame", game_pb2.CreateGameRequest, game_pb2.CreateGameResponse)
    ListGames = Unary("/heliopause.v1.GameService/ListGames", game_pb2.ListGamesRequest, game_pb2.ListGamesResponse)
    GetGame = Unary("/heliopause.v1.GameService/GetGame", game_pb2.GetGameRequest, game_pb2.GetGameResponse)
    JoinGame = Unary("/heliopause.v1.GameService/JoinGame", game_pb2.JoinGameRequest, game_pb2.JoinGameResponse)
    DeclineInvitation = Unary("/heliopause.v1.GameService/DeclineInvitation", game_pb2.DeclineInvitationRequest, game_pb2.DeclineInvitationResponse)
    LeaveGame = Unary("/heliopause.v1.GameService/LeaveGame", game_pb2.LeaveGameRequest, game_pb2.LeaveGameResponse)
    StartGame = Unary("/heliopause.v1.GameService/StartGame", game_pb2.StartGameRequest, game_pb2.StartGameResponse)
    RevealEntropy = Unary("/heliopause.v1.GameService/RevealEntropy", game_pb2.RevealEntropyRequest, game_pb2.RevealEntropyResponse)
    GetView = Unary("/heliopause.v1.GameService/GetView", game_pb2.GetViewRequest, game_pb2.GetViewResponse)
    ListPhases = Unary("/heliopause.v1.GameService/ListPhases", game_pb2.ListPhasesRequest, game_pb2.ListPhasesResponse)
    DrawMap = Unary("/heliopause.v1.GameService/DrawMap", game_pb2.DrawMapRequest, game_pb2.DrawMapResponse)
    GetReport = Unary("/heliopause.v1.GameService/GetReport", game_pb2.GetReportRequest, game_pb2.GetReportResponse)
    GetOffers = Unary("/heliopause.v1.GameService/GetOffers", game_pb2.GetOffersRequest, game_pb2.GetOffersResponse)
    ValidateOrders = Unary("/heliopause.v1.GameService/ValidateOrders", game_pb2.ValidateOrdersRequest, game_pb2.ValidateOrdersResponse)
    SubmitOrders = Unary("/heliopause.v1.GameService/SubmitOrders", game_pb2.SubmitOrdersRequest, game_pb2.SubmitOrdersResponse)
    SetReady = Unary("/heliopause.v1.GameService/SetReady", game_pb2.SetReadyRequest, game_pb2.SetReadyResponse)
    SetWait = Unary("/heliopause.v1.GameService/SetWait", game_pb2.SetWaitRequest, game_pb2.SetWaitResponse)
    TakeBack = Unary("/heliopause.v1.GameService/TakeBack", game_pb2.TakeBackRequest, game_pb2.TakeBackResponse)
    StreamEvents = Listening("/heliopause.v1.GameService/StreamEvents", game_pb2.StreamEventsRequest, game_pb2.StreamEventsResponse)
    StreamMyGames = Listening("/heliopause.v1.GameService/StreamMyGames", game_pb2.StreamMyGamesRequest, game_pb2.StreamMyGamesResponse)
    ListMyDecisions = Unary("/heliopause.v1.GameService/ListMyDecisions", game_pb2.ListMyDecisionsRequest, game_pb2.ListMyDecisionsResponse)
    SendMessage = Unary("/heliopause.v1.GameService/SendMessage", game_pb2.SendMessageRequest, game_pb2.SendMessageResponse)
    ListMessages = Unary("/heliopause.v1.GameService/ListMessages", game_pb2.ListMessagesRequest, game_pb2.ListMessagesResponse)
    ProposeVote = Unary("/heliopause.v1.GameService/ProposeVote", game_pb2.ProposeVoteRequest, game_pb2.ProposeVoteResponse)
    CastVote = Unary("/heliopause.v1.GameService/CastVote", game_pb2.CastVoteRequest, game_pb2.CastVoteResponse)
    ListVotes = Unary("/heliopause.v1.GameService/ListVotes", game_pb2.ListVotesRequest, game_pb2.ListVotesResponse)
    SetVacation = Unary("/heliopause.v1.GameService/SetVacation", game_pb2.SetVacationRequest, game_pb2.SetVacationResponse)
    Resign = Unary("/heliopause.v1.GameService/Resign", game_pb2.ResignRequest, game_pb2.ResignResponse)
    Delegate = Unary("/heliopause.v1.GameService/Delegate", game_pb2.DelegateRequest, game_pb2.DelegateResponse)
    GetHistory = Unary("/heliopause.v1.GameService/GetHistory", game_pb2.GetHistoryRequest, game_pb2.GetHistoryResponse)
    ExportGame = Listening("/heliopause.v1.GameService/ExportGame", game_pb2.ExportGameRequest, game_pb2.ExportGameResponse)
    VerifyGame = Unary("/heliopause.v1.GameService/VerifyGame", game_pb2.VerifyGameRequest, game_pb2.VerifyGameResponse)
    Explain = Unary("/heliopause.v1.GameService/Explain", game_pb2.ExplainRequest, game_pb2.ExplainResponse)
    GetRule = Unary("/heliopause.v1.GameService/GetRule", game_pb2.GetRuleRequest, game_pb2.GetRuleResponse)
    ListRules = Unary("/heliopause.v1.GameService/ListRules", game_pb2.ListRulesRequest, game_pb2.ListRulesResponse)
    ParseOrders = Unary("/heliopause.v1.GameService/ParseOrders", game_pb2.ParseOrdersRequest, game_pb2.ParseOrdersResponse)


class GameMasterService:
    """The calls of heliopause.v1.GameMasterService."""

    PauseGame = Unary("/heliopause.v1.GameMasterService/PauseGame", game_master_pb2.PauseGameRequest, game_master_pb2.PauseGameResponse)
    ResumeGame = Unary("/heliopause.v1.GameMasterService/ResumeGame", game_master_pb2.ResumeGameRequest, game_master_pb2.ResumeGameResponse)
    SetDeadline = Unary("/heliopause.v1.GameMasterService/SetDeadline", game_master_pb2.SetDeadlineRequest, game_master_pb2.SetDeadlineResponse)
    SetPace = Unary("/heliopause.v1.GameMasterService/SetPace", game_master_pb2.SetPaceRequest, game_master_pb2.SetPaceResponse)
    ClosePhase = Unary("/heliopause.v1.GameMasterService/ClosePhase", game_master_pb2.ClosePhaseRequest, game_master_pb2.ClosePhaseResponse)
    ReplacePlayer = Unary("/heliopause.v1.GameMasterService/ReplacePlayer", game_master_pb2.ReplacePlayerRequest, game_master_pb2.ReplacePlayerResponse)
    AutomateSeat = Unary("/heliopause.v1.GameMasterService/AutomateSeat", game_master_pb2.AutomateSeatRequest, game_master_pb2.AutomateSeatResponse)
    HandBackSeat = Unary("/heliopause.v1.GameMasterService/HandBackSeat", game_master_pb2.HandBackSeatRequest, game_master_pb2.HandBackSeatResponse)
    ExcuseMiss = Unary("/heliopause.v1.GameMasterService/ExcuseMiss", game_master_pb2.ExcuseMissRequest, game_master_pb2.ExcuseMissResponse)
    DeclareOutcome = Unary("/heliopause.v1.GameMasterService/DeclareOutcome", game_master_pb2.DeclareOutcomeRequest, game_master_pb2.DeclareOutcomeResponse)
    CancelGame = Unary("/heliopause.v1.GameMasterService/CancelGame", game_master_pb2.CancelGameRequest, game_master_pb2.CancelGameResponse)
    ExportPosition = Unary("/heliopause.v1.GameMasterService/ExportPosition", game_master_pb2.ExportPositionRequest, game_master_pb2.ExportPositionResponse)
    SubmitMasterOrders = Unary("/heliopause.v1.GameMasterService/SubmitMasterOrders", game_master_pb2.SubmitMasterOrdersRequest, game_master_pb2.SubmitMasterOrdersResponse)


class PlayerService:
    """The calls of heliopause.v1.PlayerService."""

    Register = Unary("/heliopause.v1.PlayerService/Register", player_pb2.RegisterRequest, player_pb2.RegisterResponse)
    GetServerInfo = Unary("/heliopause.v1.PlayerService/GetServerInfo", player_pb2.GetServerInfoRequest, player_pb2.GetServerInfoResponse)
    CreateSignInCode = Unary("/heliopause.v1.PlayerService/CreateSignInCode", player_pb2.CreateSignInCodeRequest, player_pb2.CreateSignInCodeResponse)
    SignIn = Unary("/heliopause.v1.PlayerService/SignIn", player_pb2.SignInRequest, player_pb2.SignInResponse)
    GetMe = Unary("/heliopause.v1.PlayerService/GetMe", player_pb2.GetMeRequest, player_pb2.GetMeResponse)
    GetPlayer = Unary("/heliopause.v1.PlayerService/GetPlayer", player_pb2.GetPlayerRequest, player_pb2.GetPlayerResponse)
    ListMyGames = Unary("/heliopause.v1.PlayerService/ListMyGames", player_pb2.ListMyGamesRequest, player_pb2.ListMyGamesResponse)
    CreateToken = Unary("/heliopause.v1.PlayerService/CreateToken", player_pb2.CreateTokenRequest, player_pb2.CreateTokenResponse)
    ListTokens = Unary("/heliopause.v1.PlayerService/ListTokens", player_pb2.ListTokensRequest, player_pb2.ListTokensResponse)
    RevokeToken = Unary("/heliopause.v1.PlayerService/RevokeToken", player_pb2.RevokeTokenRequest, player_pb2.RevokeTokenResponse)
    RotateToken = Unary("/heliopause.v1.PlayerService/RotateToken", player_pb2.RotateTokenRequest, player_pb2.RotateTokenResponse)
    BlockPlayer = Unary("/heliopause.v1.PlayerService/BlockPlayer", player_pb2.BlockPlayerRequest, player_pb2.BlockPlayerResponse)
    UnblockPlayer = Unary("/heliopause.v1.PlayerService/UnblockPlayer", player_pb2.UnblockPlayerRequest, player_pb2.UnblockPlayerResponse)
    ListBlockedPlayers = Unary("/heliopause.v1.PlayerService/ListBlockedPlayers", player_pb2.ListBlockedPlayersRequest, player_pb2.ListBlockedPlayersResponse)
    CreateNoticeChannel = Unary("/heliopause.v1.PlayerService/CreateNoticeChannel", player_pb2.CreateNoticeChannelRequest, player_pb2.CreateNoticeChannelResponse)
    ListNoticeChannels = Unary("/heliopause.v1.PlayerService/ListNoticeChannels", player_pb2.ListNoticeChannelsRequest, player_pb2.ListNoticeChannelsResponse)
    UpdateNoticeChannel = Unary("/heliopause.v1.PlayerService/UpdateNoticeChannel", player_pb2.UpdateNoticeChannelRequest, player_pb2.UpdateNoticeChannelResponse)
    RenewNoticeSecret = Unary("/heliopause.v1.PlayerService/RenewNoticeSecret", player_pb2.RenewNoticeSecretRequest, player_pb2.RenewNoticeSecretResponse)
    ConfirmNoticeChannel = Unary("/heliopause.v1.PlayerService/ConfirmNoticeChannel", player_pb2.ConfirmNoticeChannelRequest, player_pb2.ConfirmNoticeChannelResponse)
    TestNoticeChannel = Unary("/heliopause.v1.PlayerService/TestNoticeChannel", player_pb2.TestNoticeChannelRequest, player_pb2.TestNoticeChannelResponse)
    DeleteNoticeChannel = Unary("/heliopause.v1.PlayerService/DeleteNoticeChannel", player_pb2.DeleteNoticeChannelRequest, player_pb2.DeleteNoticeChannelResponse)
    MuteGame = Unary("/heliopause.v1.PlayerService/MuteGame", player_pb2.MuteGameRequest, player_pb2.MuteGameResponse)
    UnmuteGame = Unary("/heliopause.v1.PlayerService/UnmuteGame", player_pb2.UnmuteGameRequest, player_pb2.UnmuteGameResponse)


class SandboxService:
    """The calls of heliopause.v1.SandboxService."""

    CreateSandboxGame = Unary("/heliopause.v1.SandboxService/CreateSandboxGame", sandbox_pb2.CreateSandboxGameRequest, sandbox_pb2.CreateSandboxGameResponse)
    ScriptDice = Unary("/heliopause.v1.SandboxService/ScriptDice", sandbox_pb2.ScriptDiceRequest, sandbox_pb2.ScriptDiceResponse)
    AdvanceClock = Unary("/heliopause.v1.SandboxService/AdvanceClock", sandbox_pb2.AdvanceClockRequest, sandbox_pb2.AdvanceClockResponse)
    GetPosition = Unary("/heliopause.v1.SandboxService/GetPosition", sandbox_pb2.GetPositionRequest, sandbox_pb2.GetPositionResponse)
    ListMasterEvents = Unary("/heliopause.v1.SandboxService/ListMasterEvents", sandbox_pb2.ListMasterEventsRequest, sandbox_pb2.ListMasterEventsResponse)
    CloseSandboxPhase = Unary("/heliopause.v1.SandboxService/CloseSandboxPhase", sandbox_pb2.CloseSandboxPhaseRequest, sandbox_pb2.CloseSandboxPhaseResponse)
    StepSandboxGames = Unary("/heliopause.v1.SandboxService/StepSandboxGames", sandbox_pb2.StepSandboxGamesRequest, sandbox_pb2.StepSandboxGamesResponse)
