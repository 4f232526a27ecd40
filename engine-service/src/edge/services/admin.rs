//! `AdminService`: operating the server. The gate has already checked that the caller is an admin.

use std::collections::HashMap;

use heliopause_kernel::Seat;
use heliopause_proto::store::v1::{OperatorAct, OperatorActed, step};
use heliopause_proto::v1::admin_service_server::AdminService;
use heliopause_proto::v1::{
    AccountRole, BanPlayerRequest, BanPlayerResponse, CancelAnyGameRequest, CancelAnyGameResponse,
    CreateInvitationRequest, CreateInvitationResponse, DeletePlayerRequest, DeletePlayerResponse,
    DrainRequest, DrainResponse, ErrorReason, GameRecord, GameStatus, GetAnyGameRequest,
    GetAnyGameResponse, GetMetricsRequest, GetMetricsResponse, GetStatusRequest, GetStatusResponse,
    GrantRoleRequest, GrantRoleResponse, ListAllGamesRequest, ListAllGamesResponse,
    ListEnginesRequest, ListEnginesResponse, ListLeasesRequest, ListLeasesResponse,
    ListParkedDecisionsRequest, ListParkedDecisionsResponse, ListPlayersRequest,
    ListPlayersResponse, ListWorkersRequest, ListWorkersResponse, ParkedDecision, ParkedRelease,
    PauseAnyGameRequest, PauseAnyGameResponse, Player, PlayerRecord, ReleaseParkedDecisionRequest,
    ReleaseParkedDecisionResponse, ResumeAnyGameRequest, ResumeAnyGameResponse,
    RevokePlayerTokensRequest, RevokePlayerTokensResponse, SetQuotaRequest, SetQuotaResponse,
};
use tonic::{Request, Response};

use super::Reply;
use super::lobby::summary;
use super::overview;
use super::paging::{self, Page};
use super::player::{bearer_of, player};
use super::tables::{RequestKey, check_game_id, open};
use crate::accounts::RetryKey;
use crate::caller::Caller;
use crate::edge::web::{metrics, samples};
use crate::edge::{Engine, caller};
use crate::failure::Failure;
use crate::host::timestamp;
use crate::host::{Parked, store_fault};
use crate::store::{Account, GameQuery, GameRow, Size, StoreError};

const INVITATION_USES_MAX: u32 = 10_000;
const GAMES_LIMIT_MAX: u32 = 100_000;

pub(crate) struct Admins {
    engine: Engine,
}

impl Admins {
    pub(crate) fn new(engine: &Engine) -> Self {
        Self { engine: engine.clone() }
    }

    async fn players(&self, request: ListPlayersRequest) -> Result<ListPlayersResponse, Failure> {
        let page = Page::of(&request)?;
        let search = paging::search(&request.search)?.unwrap_or_default();
        let mut accounts = self.engine.accounts.list(page.name(), &search, page.limit()).await?;
        let next_page_token =
            page.after_name(page.cut(&mut accounts).map(|account| account.name.as_str()));
        let mut players = Vec::with_capacity(accounts.len());
        for account in accounts {
            players.push(self.record(account).await?);
        }
        Ok(ListPlayersResponse { players, next_page_token })
    }

    async fn record(&self, account: Account) -> Result<PlayerRecord, Failure> {
        let tokens = self.engine.accounts.tokens(&account.player_id).await?.len() as u32;
        let (banned, games_limit) =
            (account.banned, Some(account.games_limit).filter(|&limit| limit > 0));
        Ok(PlayerRecord { player: Some(player(account)), banned, games_limit, tokens })
    }

    async fn games(&self, request: ListAllGamesRequest) -> Result<ListAllGamesResponse, Failure> {
        let page = Page::of(&request)?;
        let query = GameQuery {
            limit: page.limit(),
            after: page.game()?,
            search: paging::search(&request.search)?,
            host: match request.host.as_str() {
                "" => None,
                host => Some(self.engine.accounts.find(host).await?.player_id),
            },
            running_only: request.running_only,
            ..GameQuery::default()
        };
        let mut rows = self.engine.store.games(query).await?;
        let next_page_token = page.after_game(page.cut(&mut rows));
        Ok(ListAllGamesResponse { games: self.game_records(rows).await?, next_page_token })
    }

    async fn game_records(&self, rows: Vec<GameRow>) -> Result<Vec<GameRecord>, Failure> {
        let sizes =
            self.engine.store.sizes(rows.iter().map(|row| row.game_id.clone()).collect()).await?;
        let mut hosts: HashMap<String, Option<Player>> = HashMap::new();
        let mut records = Vec::with_capacity(rows.len());
        for (row, Size { entries, bytes }) in rows.into_iter().zip(sizes) {
            if !hosts.contains_key(&row.host) {
                let host = match self.engine.store.account(&row.host).await {
                    Ok(account) => Some(player(account)).filter(|host| !host.name.is_empty()),
                    Err(StoreError::NotFound) => None,
                    Err(error) => return Err(error.into()),
                };
                hosts.insert(row.host.clone(), host);
            }
            records.push(GameRecord {
                host: hosts.get(&row.host).cloned().flatten(),
                progress: row.progress.clone(),
                last_look_time: self.engine.host.last_activity(&row.game_id).map(timestamp),
                entries,
                bytes,
                game: Some(summary(row)),
            });
        }
        Ok(records)
    }

    async fn game(&self, game_id: &str) -> Result<GetAnyGameResponse, Failure> {
        check_game_id(game_id)?;
        let game =
            self.engine.host.read(game_id, |table| self.engine.host.describe(table, "")).await?;
        let row = self.engine.store.game(game_id).await.map_err(store_fault)?;
        Ok(GetAnyGameResponse {
            record: self.game_records(vec![row]).await?.pop(),
            game: Some(game),
        })
    }

    /// Acts on any game as the operator, and logs the operator's name.
    async fn act(
        &self,
        caller: &Caller,
        game_id: &str,
        act: OperatorAct,
        why: &str,
        asked: RequestKey,
    ) -> Result<(), Failure> {
        check_game_id(game_id)?;
        let acted = OperatorActed { act: act.into(), why: why.to_owned() };
        // Players can export the journal, so it does not name the operator.
        let step = asked.anonymous_step(step::Kind::OperatorActed(acted));
        self.engine.host.take(game_id, step).await?;
        let act = match act {
            OperatorAct::Unspecified => "did nothing",
            OperatorAct::Paused => "paused",
            OperatorAct::Resumed => "resumed",
            OperatorAct::Cancelled => "cancelled",
        };
        tracing::info!(operator = %caller.name, game_id, act, why, "an operator acted on a game");
        Ok(())
    }

    /// Finds an account. Rejects the caller's own account, because admins who lock themselves out
    /// cannot undo it.
    async fn other(&self, caller: &Caller, player: &str) -> Result<Account, Failure> {
        let account = self.engine.accounts.find(player).await?;
        if *account.player_id == *caller.player_id {
            return Err(Failure::field(
                "player",
                "You cannot do this to your own account; ask another admin.",
            ));
        }
        Ok(account)
    }

    async fn delete(&self, caller: &Caller, player: &str) -> Result<(), Failure> {
        let account = self.other(caller, player).await?;
        // Erase the player from games first: if that fails, the account still exists for a retry.
        self.engine.host.erase_player(&account.player_id).await?;
        self.engine.channels.forget(&account.player_id).await?;
        self.engine.accounts.erase(account).await
    }

    async fn grant(
        &self,
        caller: &Caller,
        bearer: &str,
        request: GrantRoleRequest,
    ) -> Result<GrantRoleResponse, Failure> {
        let role = match request.role() {
            AccountRole::Unspecified => {
                return Err(Failure::field("role", "Give a role: player, worker or admin."));
            }
            role => role,
        };
        if request.name.eq_ignore_ascii_case(&caller.name) && role != caller.role {
            return Err(Failure::field(
                "name",
                "You cannot change the role of your own account; ask another admin.",
            ));
        }
        let retry_key = RetryKey::new(&request.request_id, bearer)?;
        let (account, token) = self.engine.accounts.grant(&request.name, role, retry_key).await?;
        Ok(GrantRoleResponse { player: Some(player(account)), token })
    }

    fn parked(
        &self,
        request: &ListParkedDecisionsRequest,
    ) -> Result<ListParkedDecisionsResponse, Failure> {
        let all = self.engine.host.automation().parked();
        let (rows, next_page_token) = Page::of(request)?.slice(all)?;
        let decisions = rows.into_iter().map(parked).collect();
        Ok(ListParkedDecisionsResponse { decisions, next_page_token })
    }

    async fn release(&self, request: ReleaseParkedDecisionRequest) -> Result<(), Failure> {
        check_game_id(&request.game_id)?;
        let automation = self.engine.host.automation();
        let vote = request.vote.unwrap_or(0);
        let is_it = |parked: &Parked| {
            parked.key.game_id == request.game_id
                && parked.key.seat.number() == request.seat
                && parked.key.vote == vote
        };
        let none = || {
            let (seat, game_id) = (request.seat, &request.game_id);
            let what = if vote > 0 { format!("vote {vote}") } else { "decision".to_owned() };
            let text = format!("Seat {seat} of game {game_id} has no parked {what}.");
            Failure::new(ErrorReason::NotFound, text).with("what", "parked decision")
        };
        let found = automation.parked().into_iter().find(is_it).ok_or_else(none)?;
        match ParkedRelease::try_from(request.release) {
            Ok(ParkedRelease::Retry) => {
                let seat = Seat::numbered(request.seat).ok_or_else(none)?;
                if automation.retry_parked(&request.game_id, seat, vote) {
                    Ok(())
                } else {
                    Err(none())
                }
            }
            Ok(ParkedRelease::Default) if found.key.vote > 0 => {
                let text = "A vote has no default; choose RETRY. A missing vote counts as no.";
                Err(Failure::new(ErrorReason::WrongStatus, text)
                    .with("status", GameStatus::Running.as_str_name()))
            }
            Ok(ParkedRelease::Default) => Ok(self.engine.host.default_decision(&found).await?),
            Ok(ParkedRelease::Unspecified) | Err(_) => {
                Err(Failure::field("release", "Choose RETRY or DEFAULT for the decision."))
            }
        }
    }

    async fn status(&self) -> Result<GetStatusResponse, Failure> {
        let counts = self.engine.store.counts().await?;
        let (games, players) = (counts.games, counts.players);
        Ok(GetStatusResponse { games, players, ..overview::status(&self.engine) })
    }
}

fn parked(parked: Parked) -> ParkedDecision {
    ParkedDecision {
        game_id: parked.key.game_id,
        kind: parked.profile.kind,
        seat: parked.key.seat.number(),
        vote: Some(parked.key.vote).filter(|&vote| vote > 0),
        profile: parked.profile.name,
        level: parked.profile.level,
        failures: parked.failures,
        message: parked.why,
        park_time: Some(timestamp(parked.since)),
    }
}

fn within(field: &'static str, value: Option<u32>, max: u32) -> Result<u32, Failure> {
    match value {
        None => Ok(0),
        Some(value) if (1..=max).contains(&value) => Ok(value),
        Some(value) => Err(Failure::field(
            field,
            format!("Expected 1 to {max}, found {value}; omit the number for the default."),
        )),
    }
}

#[tonic::async_trait]
impl AdminService for Admins {
    async fn list_players(
        &self,
        request: Request<ListPlayersRequest>,
    ) -> Reply<ListPlayersResponse> {
        Ok(Response::new(self.players(request.into_inner()).await?))
    }

    async fn list_all_games(
        &self,
        request: Request<ListAllGamesRequest>,
    ) -> Reply<ListAllGamesResponse> {
        Ok(Response::new(self.games(request.into_inner()).await?))
    }

    async fn get_any_game(&self, request: Request<GetAnyGameRequest>) -> Reply<GetAnyGameResponse> {
        Ok(Response::new(self.game(&request.get_ref().game_id).await?))
    }

    async fn pause_any_game(
        &self,
        request: Request<PauseAnyGameRequest>,
    ) -> Reply<PauseAnyGameResponse> {
        let (caller, request) = open(request)?;
        let asked = RequestKey::of(&caller, &request.request_id, &request)?;
        let PauseAnyGameRequest { game_id, why, .. } = request;
        self.act(&caller, &game_id, OperatorAct::Paused, &why, asked).await?;
        Ok(Response::new(PauseAnyGameResponse {}))
    }

    async fn resume_any_game(
        &self,
        request: Request<ResumeAnyGameRequest>,
    ) -> Reply<ResumeAnyGameResponse> {
        let (caller, request) = open(request)?;
        let asked = RequestKey::of(&caller, &request.request_id, &request)?;
        let ResumeAnyGameRequest { game_id, .. } = request;
        self.act(&caller, &game_id, OperatorAct::Resumed, "", asked).await?;
        Ok(Response::new(ResumeAnyGameResponse {}))
    }

    async fn cancel_any_game(
        &self,
        request: Request<CancelAnyGameRequest>,
    ) -> Reply<CancelAnyGameResponse> {
        let (caller, request) = open(request)?;
        let asked = RequestKey::of(&caller, &request.request_id, &request)?;
        let CancelAnyGameRequest { game_id, why, .. } = request;
        self.act(&caller, &game_id, OperatorAct::Cancelled, &why, asked).await?;
        Ok(Response::new(CancelAnyGameResponse {}))
    }

    async fn create_invitation(
        &self,
        request: Request<CreateInvitationRequest>,
    ) -> Reply<CreateInvitationResponse> {
        let uses = within("uses", request.into_inner().uses, INVITATION_USES_MAX)?;
        let invitation = self.engine.accounts.invite(uses).await?;
        Ok(Response::new(CreateInvitationResponse { invitation }))
    }

    async fn revoke_player_tokens(
        &self,
        request: Request<RevokePlayerTokensRequest>,
    ) -> Reply<RevokePlayerTokensResponse> {
        let account = self.other(&caller(&request)?, &request.get_ref().player).await?;
        let revoked = self.engine.accounts.revoke_all(&account.player_id).await? as u32;
        Ok(Response::new(RevokePlayerTokensResponse { revoked }))
    }

    async fn ban_player(&self, request: Request<BanPlayerRequest>) -> Reply<BanPlayerResponse> {
        let account = self.other(&caller(&request)?, &request.get_ref().player).await?;
        let (player_id, banned) = (account.player_id.clone(), request.get_ref().banned);
        self.engine.accounts.set_banned(account, banned).await?;
        if banned {
            self.engine.host.host_banned(&player_id).await.map_err(Failure::from)?;
        }
        Ok(Response::new(BanPlayerResponse {}))
    }

    async fn delete_player(
        &self,
        request: Request<DeletePlayerRequest>,
    ) -> Reply<DeletePlayerResponse> {
        self.delete(&caller(&request)?, &request.get_ref().player).await?;
        Ok(Response::new(DeletePlayerResponse {}))
    }

    async fn set_quota(&self, request: Request<SetQuotaRequest>) -> Reply<SetQuotaResponse> {
        let SetQuotaRequest { player, games_limit } = request.into_inner();
        let games_limit = within("games_limit", games_limit, GAMES_LIMIT_MAX)?;
        let account = self.engine.accounts.find(&player).await?;
        self.engine.accounts.set_games_limit(account, games_limit).await?;
        Ok(Response::new(SetQuotaResponse {}))
    }

    async fn grant_role(&self, request: Request<GrantRoleRequest>) -> Reply<GrantRoleResponse> {
        let (caller, bearer) = (caller(&request)?, bearer_of(&request));
        Ok(Response::new(self.grant(&caller, &bearer, request.into_inner()).await?))
    }

    async fn drain(&self, _: Request<DrainRequest>) -> Reply<DrainResponse> {
        self.engine.drain.begin();
        // A client that checks the health after the response must not choose this engine.
        self.engine.drain.announced().await;
        Ok(Response::new(DrainResponse {}))
    }

    async fn list_parked_decisions(
        &self,
        request: Request<ListParkedDecisionsRequest>,
    ) -> Reply<ListParkedDecisionsResponse> {
        Ok(Response::new(self.parked(request.get_ref())?))
    }

    async fn release_parked_decision(
        &self,
        request: Request<ReleaseParkedDecisionRequest>,
    ) -> Reply<ReleaseParkedDecisionResponse> {
        self.release(request.into_inner()).await?;
        Ok(Response::new(ReleaseParkedDecisionResponse {}))
    }

    async fn list_engines(
        &self,
        request: Request<ListEnginesRequest>,
    ) -> Reply<ListEnginesResponse> {
        let page = Page::of(request.get_ref())?;
        let (engines, next_page_token) = page.slice(overview::engines(&self.engine).await?)?;
        Ok(Response::new(ListEnginesResponse { engines, next_page_token }))
    }

    async fn list_workers(
        &self,
        request: Request<ListWorkersRequest>,
    ) -> Reply<ListWorkersResponse> {
        let page = Page::of(request.get_ref())?;
        let (rows, next_page_token) = page.slice(self.engine.host.automation().listed_workers())?;
        let workers = overview::workers(&self.engine, rows).await?;
        Ok(Response::new(ListWorkersResponse { workers, next_page_token }))
    }

    async fn list_leases(&self, request: Request<ListLeasesRequest>) -> Reply<ListLeasesResponse> {
        let page = Page::of(request.get_ref())?;
        let (rows, next_page_token) = page.slice(self.engine.host.automation().leased())?;
        let longest = self.engine.host.automation().longest_lease();
        let time = self.engine.host.time();
        let leases = rows.into_iter().map(|lease| overview::lease(time, lease, longest)).collect();
        Ok(Response::new(ListLeasesResponse { leases, next_page_token }))
    }

    async fn get_metrics(&self, request: Request<GetMetricsRequest>) -> Reply<GetMetricsResponse> {
        let text = metrics::render(&self.engine.host, &self.engine.limits);
        let prefixes = request.into_inner().prefixes;
        let wanted = |name: &str| {
            prefixes.is_empty() || prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()))
        };
        let metrics = samples::read(&text, wanted);
        let time = Some(timestamp(self.engine.host.now()));
        Ok(Response::new(GetMetricsResponse { time, metrics }))
    }

    async fn get_status(&self, _: Request<GetStatusRequest>) -> Reply<GetStatusResponse> {
        Ok(Response::new(self.status().await?))
    }
}
