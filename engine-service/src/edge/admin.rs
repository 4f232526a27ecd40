//! `AdminService`: operating the server. The gate has checked that the caller is an admin.

use heliopause_proto::v1::admin_service_server::AdminService;
use heliopause_proto::v1::{
    AccountRole, BanPlayerRequest, BanPlayerResponse, CreateInvitationRequest, CreateInvitationResponse,
    DeletePlayerRequest, DeletePlayerResponse, DrainRequest, DrainResponse, GameSummary, GetStatusRequest,
    GetStatusResponse, GrantRoleRequest, GrantRoleResponse, ListAllGamesRequest, ListAllGamesResponse,
    ListPlayersRequest, ListPlayersResponse, PlayerRecord, RevokePlayerTokensRequest, RevokePlayerTokensResponse,
    SetQuotaRequest, SetQuotaResponse,
};
use tonic::{Request, Response, Status};

use super::errors::Failure;
use super::player::player;
use super::{Caller, Engine, caller, pages, timestamp};
use crate::store::{Account, GameQuery, GameRow};

/// How many accounts one invitation may admit.
const INVITATION_USES_MAX: u32 = 10_000;
/// In how many running games an admin may let a player hold seats.
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
        let size = pages::size(request.page_size);
        let after = pages::read_name(&request.page_token)?;
        let search = pages::search(&request.search)?.unwrap_or_default();
        let mut accounts = self.engine.accounts.list(&after, &search, size + 1).await?;
        let more = pages::cut(&mut accounts, size);
        let last = accounts.last().filter(|_| more).map(|account| account.name.as_str());
        let next_page_token = pages::after_name(last);
        let mut players = Vec::with_capacity(accounts.len());
        for account in accounts {
            players.push(self.record(account).await?);
        }
        Ok(ListPlayersResponse { players, next_page_token })
    }

    async fn record(&self, account: Account) -> Result<PlayerRecord, Failure> {
        let tokens = self.engine.accounts.tokens(&account.player_id).await?.len() as u32;
        let (banned, games_limit) = (account.banned, account.games_limit);
        Ok(PlayerRecord { player: Some(player(account)), banned, games_limit, tokens })
    }

    async fn games(&self, request: ListAllGamesRequest) -> Result<ListAllGamesResponse, Failure> {
        let size = pages::size(request.page_size);
        let query = GameQuery {
            limit: size + 1,
            after: pages::read_game(&request.page_token)?,
            search: pages::search(&request.search)?,
            ..GameQuery::default()
        };
        let mut rows = self.engine.store.games(query).await?;
        let more = pages::cut(&mut rows, size);
        let next_page_token = pages::after_game(rows.last().filter(|_| more));
        Ok(ListAllGamesResponse { games: rows.into_iter().map(summary).collect(), next_page_token })
    }

    /// A player other than the caller: an admin who locks himself out cannot let himself in again.
    async fn other(&self, caller: &Caller, player: &str) -> Result<Account, Failure> {
        let account = self.engine.accounts.find(player).await?;
        if *account.player_id == *caller.player_id {
            return Err(Failure::field("player", "this is your own account; let another admin do it"));
        }
        Ok(account)
    }

    async fn delete(&self, caller: &Caller, player: &str) -> Result<(), Failure> {
        let account = self.other(caller, player).await?;
        // The tables first: if they cannot be reached, the account is still there to try again.
        self.engine.host.erase_player(&account.player_id).await?;
        self.engine.accounts.erase(account).await
    }

    async fn grant(&self, caller: &Caller, request: GrantRoleRequest) -> Result<GrantRoleResponse, Failure> {
        let role = match request.role() {
            AccountRole::Unspecified => return Err(Failure::field("role", "name a role: player, worker or admin")),
            role => role,
        };
        if request.name.eq_ignore_ascii_case(&caller.name) && role != caller.role {
            return Err(Failure::field("name", "this is your own account; let another admin do it"));
        }
        let (account, token) = self.engine.accounts.grant(&request.name, role).await?;
        Ok(GrantRoleResponse { player: Some(player(account)), token })
    }

    async fn status(&self) -> Result<GetStatusResponse, Failure> {
        let counts = self.engine.store.counts().await?;
        let host = self.engine.host.status();
        Ok(GetStatusResponse {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            games: counts.games,
            players: counts.players,
            live_games: host.live_games,
            streams: host.streams,
            workers: host.workers,
            leases: host.leases,
            resident_bytes: resident_bytes(),
            draining: self.engine.drain.has_begun(),
        })
    }
}

fn summary(row: GameRow) -> GameSummary {
    GameSummary {
        game_id: row.game_id,
        kind: row.kind,
        name: row.name,
        status: row.status,
        seats: row.seats,
        open_seats: row.open_seats,
        created: Some(timestamp(row.created)),
        private: row.private,
        sandbox: row.sandbox,
    }
}

/// The resident memory of this process; 0 where the system does not tell as Linux does.
fn resident_bytes() -> u64 {
    let kilobytes = |status: String| {
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    std::fs::read_to_string("/proc/self/status").ok().and_then(kilobytes).unwrap_or(0) * 1_024
}

fn within(field: &'static str, value: u32, max: u32) -> Result<u32, Failure> {
    if value <= max { Ok(value) } else { Err(Failure::field(field, format!("at most {max}"))) }
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

    async fn ban_player(&self, request: Request<BanPlayerRequest>) -> Result<Response<BanPlayerResponse>, Status> {
        let account = self.other(&caller(&request)?, &request.get_ref().player).await?;
        self.engine.accounts.set_banned(account, request.get_ref().banned).await?;
        Ok(Response::new(BanPlayerResponse {}))
    }

    async fn delete_player(
        &self,
        request: Request<DeletePlayerRequest>,
    ) -> Result<Response<DeletePlayerResponse>, Status> {
        self.delete(&caller(&request)?, &request.get_ref().player).await?;
        Ok(Response::new(DeletePlayerResponse {}))
    }

    async fn set_quota(&self, request: Request<SetQuotaRequest>) -> Result<Response<SetQuotaResponse>, Status> {
        let SetQuotaRequest { player, games_limit } = request.into_inner();
        let games_limit = within("games_limit", games_limit, GAMES_LIMIT_MAX)?;
        let account = self.engine.accounts.find(&player).await?;
        self.engine.accounts.set_games_limit(account, games_limit).await?;
        Ok(Response::new(SetQuotaResponse {}))
    }

    async fn grant_role(&self, request: Request<GrantRoleRequest>) -> Result<Response<GrantRoleResponse>, Status> {
        let caller = caller(&request)?;
        Ok(Response::new(self.grant(&caller, request.into_inner()).await?))
    }

    async fn drain(&self, _: Request<DrainRequest>) -> Result<Response<DrainResponse>, Status> {
        self.engine.drain.begin();
        Ok(Response::new(DrainResponse {}))
    }

    async fn get_status(&self, _: Request<GetStatusRequest>) -> Result<Response<GetStatusResponse>, Status> {
        Ok(Response::new(self.status().await?))
    }
}
