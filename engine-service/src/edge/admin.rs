//! `AdminService`: operating the server. The gate has checked that the caller is an admin.

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
use tonic::{Request, Response, Status};

use super::errors::Failure;
use super::lobby::summary;
use super::pages::{self, Page};
use super::player::{bearer_of, player};
use super::tables::{Asked, check_game_id, open};
use super::{Caller, Engine, caller, measured, metrics, overview, timestamp};
use crate::accounts::Naming;
use crate::host::{Parked, store_fault};
use crate::store::{Account, GameQuery, GameRow, Size, StoreError};

/// How many accounts one invitation may admit.
const INVITATION_USES_MAX: u32 = 10_000;
/// How many games that go on an admin may let count for a player.
const GAMES_LIMIT_MAX: u32 = 100_000;

/// The service.
pub(super) struct Admins {
    engine: Engine,
}

impl Admins {
    pub(super) fn new(engine: &Engine) -> Self {
        Self { engine: engine.clone() }
    }

    async fn players(&self, request: ListPlayersRequest) -> Result<ListPlayersResponse, Failure> {
        let page = Page::of(&request)?;
        let search = pages::search(&request.search)?.unwrap_or_default();
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
            search: pages::search(&request.search)?,
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
                last_look_time: self.engine.host.last_look(&row.game_id).map(timestamp),
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

    /// Does something with a game of anybody, and notes who did it.
    async fn act(
        &self,
        caller: &Caller,
        game_id: &str,
        act: OperatorAct,
        why: &str,
        asked: Asked,
    ) -> Result<(), Failure> {
        check_game_id(game_id)?;
        let acted = OperatorActed { act: act.into(), why: why.to_owned() };
        // The journal, which players may export, does not name the operator.
        let step = asked.nameless_step(step::Kind::OperatorActed(acted));
        self.engine.host.take(game_id, step).await?;
        let act = match act {
            OperatorAct::Unspecified => "did nothing",
            OperatorAct::Paused => "paused",
            OperatorAct::Resumed => "let go on",
            OperatorAct::Cancelled => "cancelled",
        };
        tracing::info!(operator = %caller.name, game_id, act, why, "an operator acted on a game");
        Ok(())
    }

    /// A player other than the caller: admins who lock themselves out cannot let themselves in
    /// again.
    async fn other(&self, caller: &Caller, player: &str) -> Result<Account, Failure> {
        let account = self.engine.accounts.find(player).await?;
        if *account.player_id == *caller.player_id {
            return Err(Failure::field(
                "player",
                "this is your own account; let another admin do it",
            ));
        }
        Ok(account)
    }

    async fn delete(&self, caller: &Caller, player: &str) -> Result<(), Failure> {
        let account = self.other(caller, player).await?;
        // The tables first: if they cannot be reached, the account is still there to try again.
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
                return Err(Failure::field("role", "name a role: player, worker or admin"));
            }
            role => role,
        };
        if request.name.eq_ignore_ascii_case(&caller.name) && role != caller.role {
            return Err(Failure::field(
                "name",
                "this is your own account; let another admin do it",
            ));
        }
        let naming = Naming::new(&request.request_id, bearer)?;
        let (account, token) = self.engine.accounts.grant(&request.name, role, naming).await?;
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
            Failure::new(ErrorReason::NotFound, "nothing is parked there")
                .with("what", "parked decision")
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
                let text = "a vote has no default: a voice that is not raised counts as no";
                Err(Failure::new(ErrorReason::WrongStatus, text)
                    .with("status", GameStatus::Running.as_str_name()))
            }
            Ok(ParkedRelease::Default) => Ok(self.engine.host.default_decision(&found).await?),
            Ok(ParkedRelease::Unspecified) | Err(_) => {
                Err(Failure::field("release", "say what becomes of it: RETRY or DEFAULT"))
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

/// A number from 1, or 0 where the default is to hold.
fn within(field: &'static str, value: Option<u32>, max: u32) -> Result<u32, Failure> {
    match value {
        None => Ok(0),
        Some(value) if (1..=max).contains(&value) => Ok(value),
        Some(_) => Err(Failure::field(field, format!("1 to {max}; leave it out for the default"))),
    }
}

#[tonic::async_trait]
impl AdminService for Admins {
    async fn list_players(
        &self,
        request: Request<ListPlayersRequest>,
    ) -> Result<Response<ListPlayersResponse>, Status> {
        Ok(Response::new(self.players(request.into_inner()).await?))
    }

    async fn list_all_games(
        &self,
        request: Request<ListAllGamesRequest>,
    ) -> Result<Response<ListAllGamesResponse>, Status> {
        Ok(Response::new(self.games(request.into_inner()).await?))
    }

    async fn get_any_game(
        &self,
        request: Request<GetAnyGameRequest>,
    ) -> Result<Response<GetAnyGameResponse>, Status> {
        Ok(Response::new(self.game(&request.get_ref().game_id).await?))
    }

    async fn pause_any_game(
        &self,
        request: Request<PauseAnyGameRequest>,
    ) -> Result<Response<PauseAnyGameResponse>, Status> {
        let (caller, request) = open(request)?;
        let asked = Asked::of(&caller, &request.request_id, &request)?;
        let PauseAnyGameRequest { game_id, why, .. } = request;
        self.act(&caller, &game_id, OperatorAct::Paused, &why, asked).await?;
        Ok(Response::new(PauseAnyGameResponse {}))
    }

    async fn resume_any_game(
        &self,
        request: Request<ResumeAnyGameRequest>,
    ) -> Result<Response<ResumeAnyGameResponse>, Status> {
        let (caller, request) = open(request)?;
        let asked = Asked::of(&caller, &request.request_id, &request)?;
        let ResumeAnyGameRequest { game_id, .. } = request;
        self.act(&caller, &game_id, OperatorAct::Resumed, "", asked).await?;
        Ok(Response::new(ResumeAnyGameResponse {}))
    }

    async fn cancel_any_game(
        &self,
        request: Request<CancelAnyGameRequest>,
    ) -> Result<Response<CancelAnyGameResponse>, Status> {
        let (caller, request) = open(request)?;
        let asked = Asked::of(&caller, &request.request_id, &request)?;
        let CancelAnyGameRequest { game_id, why, .. } = request;
        self.act(&caller, &game_id, OperatorAct::Cancelled, &why, asked).await?;
        Ok(Response::new(CancelAnyGameResponse {}))
    }

    async fn create_invitation(
        &self,
        request: Request<CreateInvitationRequest>,
    ) -> Result<Response<CreateInvitationResponse>, Status> {
        let uses = within("uses", request.into_inner().uses, INVITATION_USES_MAX)?;
        let invitation = self.engine.accounts.invite(uses).await?;
        Ok(Response::new(CreateInvitationResponse { invitation }))
    }

    async fn revoke_player_tokens(
        &self,
        request: Request<RevokePlayerTokensRequest>,
    ) -> Result<Response<RevokePlayerTokensResponse>, Status> {
        let account = self.other(&caller(&request)?, &request.get_ref().player).await?;
        let revoked = self.engine.accounts.revoke_all(&account.player_id).await? as u32;
        Ok(Response::new(RevokePlayerTokensResponse { revoked }))
    }

    async fn ban_player(
        &self,
        request: Request<BanPlayerRequest>,
    ) -> Result<Response<BanPlayerResponse>, Status> {
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
    ) -> Result<Response<DeletePlayerResponse>, Status> {
        self.delete(&caller(&request)?, &request.get_ref().player).await?;
        Ok(Response::new(DeletePlayerResponse {}))
    }

    async fn set_quota(
        &self,
        request: Request<SetQuotaRequest>,
    ) -> Result<Response<SetQuotaResponse>, Status> {
        let SetQuotaRequest { player, games_limit } = request.into_inner();
        let games_limit = within("games_limit", games_limit, GAMES_LIMIT_MAX)?;
        let account = self.engine.accounts.find(&player).await?;
        self.engine.accounts.set_games_limit(account, games_limit).await?;
        Ok(Response::new(SetQuotaResponse {}))
    }

    async fn grant_role(
        &self,
        request: Request<GrantRoleRequest>,
    ) -> Result<Response<GrantRoleResponse>, Status> {
        let (caller, bearer) = (caller(&request)?, bearer_of(&request));
        Ok(Response::new(self.grant(&caller, &bearer, request.into_inner()).await?))
    }

    async fn drain(&self, _: Request<DrainRequest>) -> Result<Response<DrainResponse>, Status> {
        self.engine.drain.begin();
        Ok(Response::new(DrainResponse {}))
    }

    async fn list_parked_decisions(
        &self,
        request: Request<ListParkedDecisionsRequest>,
    ) -> Result<Response<ListParkedDecisionsResponse>, Status> {
        Ok(Response::new(self.parked(request.get_ref())?))
    }

    async fn release_parked_decision(
        &self,
        request: Request<ReleaseParkedDecisionRequest>,
    ) -> Result<Response<ReleaseParkedDecisionResponse>, Status> {
        self.release(request.into_inner()).await?;
        Ok(Response::new(ReleaseParkedDecisionResponse {}))
    }

    async fn list_engines(
        &self,
        request: Request<ListEnginesRequest>,
    ) -> Result<Response<ListEnginesResponse>, Status> {
        let page = Page::of(request.get_ref())?;
        let (engines, next_page_token) = page.slice(overview::engines(&self.engine).await?)?;
        Ok(Response::new(ListEnginesResponse { engines, next_page_token }))
    }

    async fn list_workers(
        &self,
        request: Request<ListWorkersRequest>,
    ) -> Result<Response<ListWorkersResponse>, Status> {
        let page = Page::of(request.get_ref())?;
        let (rows, next_page_token) = page.slice(self.engine.host.automation().staff())?;
        let workers = overview::workers(&self.engine, rows).await?;
        Ok(Response::new(ListWorkersResponse { workers, next_page_token }))
    }

    async fn list_leases(
        &self,
        request: Request<ListLeasesRequest>,
    ) -> Result<Response<ListLeasesResponse>, Status> {
        let page = Page::of(request.get_ref())?;
        let (rows, next_page_token) = page.slice(self.engine.host.automation().leased())?;
        let longest = self.engine.host.automation().longest_lease();
        let time = self.engine.host.time();
        let leases = rows.into_iter().map(|lease| overview::lease(time, lease, longest)).collect();
        Ok(Response::new(ListLeasesResponse { leases, next_page_token }))
    }

    async fn get_metrics(
        &self,
        request: Request<GetMetricsRequest>,
    ) -> Result<Response<GetMetricsResponse>, Status> {
        let text = metrics::render(&self.engine.host, &self.engine.limits);
        let prefixes = request.into_inner().prefixes;
        let wanted = |name: &str| {
            prefixes.is_empty() || prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()))
        };
        let metrics = measured::read(&text, wanted);
        let time = Some(timestamp(self.engine.host.now()));
        Ok(Response::new(GetMetricsResponse { time, metrics }))
    }

    async fn get_status(
        &self,
        _: Request<GetStatusRequest>,
    ) -> Result<Response<GetStatusResponse>, Status> {
        Ok(Response::new(self.status().await?))
    }
}
