//! `PlayerService`: accounts of people and programs.

use std::sync::Arc;

use heliopause_proto::v1::player_service_server::PlayerService;
use heliopause_proto::v1::*;
use tonic::{Request, Response, Status};

use super::errors::Failure;
use super::pages::Page;
use super::{Caller, Engine, caller, timestamp};
use crate::accounts::{self, Accounts, Naming, Registration};
use crate::channels::{Channels, Shown};
use crate::config::Watch;
use crate::lasting;
use crate::store::{Account, ENDED_STATUSES, GameQuery, GameRow, Store, TokenRow};

/// The service.
pub(super) struct Players {
    accounts: Arc<Accounts>,
    channels: Arc<Channels>,
    store: Arc<dyn Store>,
    sandbox: bool,
    watch: Watch,
    web: bool,
}

impl Players {
    pub(super) fn new(engine: &Engine) -> Self {
        Self {
            accounts: Arc::clone(&engine.accounts),
            channels: Arc::clone(&engine.channels),
            store: Arc::clone(&engine.store),
            sandbox: engine.host.settings().sandbox,
            watch: engine.watch,
            web: engine.web,
        }
    }

    fn server_info(&self) -> GetServerInfoResponse {
        let registration = match self.accounts.registration() {
            Registration::Open => RegistrationRule::Open,
            Registration::Invite => RegistrationRule::Invite,
            Registration::Closed => RegistrationRule::Closed,
        };
        let watch = match self.watch {
            Watch::Public => WatchRule::Public,
            Watch::Players => WatchRule::Players,
            Watch::None => WatchRule::None,
        };
        GetServerInfoResponse {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            time: Some(timestamp(self.accounts.time().now())),
            registration: registration.into(),
            watch: watch.into(),
            sandbox: self.sandbox,
            webhooks_on: self.channels.webhooks_on(),
            mail_on: self.channels.mail_on(),
            web: self.web,
        }
    }

    async fn my_games(
        &self,
        caller: &Caller,
        request: ListMyGamesRequest,
    ) -> Result<ListMyGamesResponse, Failure> {
        let page = Page::of(&request)?;
        let query = GameQuery {
            limit: page.limit(),
            after: page.game()?,
            member: Some(caller.player_id.to_string()),
            running_only: request.running_only,
            ..GameQuery::default()
        };
        let mut rows = self.store.games(query).await?;
        let next_page_token = page.after_game(page.cut(&mut rows));
        let games = rows.into_iter().map(|row| my_game(row, &caller.player_id)).collect();
        Ok(ListMyGamesResponse { games, next_page_token })
    }
}

/// A player as everybody sees them.
pub(super) fn player(account: Account) -> Player {
    Player {
        role: accounts::role(&account) as i32,
        player_id: account.player_id,
        name: account.name,
        dedication: account.dedication,
        create_time: Some(timestamp(account.created)),
    }
}

/// The secret of the token that makes a call.
pub(super) fn bearer_of<T>(request: &Request<T>) -> String {
    let header = request
        .metadata()
        .get("authorization")
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    header.split_once(' ').map(|(_, secret)| secret.trim().to_owned()).unwrap_or_default()
}

/// A token as its owner sees it, by a call that is made with that of this id.
fn token(row: TokenRow, calling: &str) -> Token {
    Token {
        current: row.token_id == calling,
        signed_in: accounts::is_signed_in(&row),
        token_id: row.token_id,
        name: row.name,
        create_time: Some(timestamp(row.created)),
    }
}

/// A game as one of its members sees it: if they hold several seats of a sandbox game, by the one
/// that waits for them first.
fn my_game(row: GameRow, player_id: &str) -> MyGame {
    let mine = row.members.iter().filter(|member| member.player_id == player_id);
    let member = mine.min_by_key(|member| (!member.your_decision, member.deadline, member.seat));
    MyGame {
        seat: member.map(|member| member.seat).filter(|&seat| seat > 0),
        invited: !row.has_ended()
            && row.members.iter().any(|member| member.player_id == player_id && member.invited),
        your_decision: member.is_some_and(|member| member.your_decision),
        due_time: member.and_then(|member| member.deadline).map(timestamp),
        over: ENDED_STATUSES.contains(&row.status),
        game_id: row.game_id,
        kind: row.kind,
        name: row.name,
        progress: row.progress,
    }
}

#[tonic::async_trait]
impl PlayerService for Players {
    async fn register(
        &self,
        request: Request<RegisterRequest>,
    ) -> Result<Response<RegisterResponse>, Status> {
        let RegisterRequest { name, invitation, request_id } = request.into_inner();
        let naming = Naming::new(&request_id, "")?;
        let (account, token) = self.accounts.register(&name, &invitation, naming).await?;
        Ok(Response::new(RegisterResponse { player: Some(player(account)), token }))
    }

    async fn get_server_info(
        &self,
        _: Request<GetServerInfoRequest>,
    ) -> Result<Response<GetServerInfoResponse>, Status> {
        Ok(Response::new(self.server_info()))
    }

    async fn create_sign_in_code(
        &self,
        request: Request<CreateSignInCodeRequest>,
    ) -> Result<Response<CreateSignInCodeResponse>, Status> {
        let (code, end) = self.accounts.create_code(&caller(&request)?.player_id).await?;
        Ok(Response::new(CreateSignInCodeResponse { code, expire_time: Some(timestamp(end)) }))
    }

    async fn sign_in(
        &self,
        request: Request<SignInRequest>,
    ) -> Result<Response<SignInResponse>, Status> {
        let SignInRequest { code, name, request_id } = request.into_inner();
        let naming = Naming::new(&request_id, &code)?;
        let (account, row, secret) = self.accounts.sign_in(&code, &name, naming).await?;
        let (player, token) = (Some(player(account)), Some(token(row, "")));
        Ok(Response::new(SignInResponse { player, token, secret }))
    }

    async fn get_me(
        &self,
        request: Request<GetMeRequest>,
    ) -> Result<Response<GetMeResponse>, Status> {
        let account = self.accounts.find(&caller(&request)?.player_id).await?;
        let games_limit = self.accounts.games_limit(&account);
        Ok(Response::new(GetMeResponse { player: Some(player(account)), games_limit }))
    }

    async fn get_player(
        &self,
        request: Request<GetPlayerRequest>,
    ) -> Result<Response<GetPlayerResponse>, Status> {
        let account = self.accounts.find(&request.into_inner().player).await?;
        Ok(Response::new(GetPlayerResponse { player: Some(player(account)) }))
    }

    async fn list_my_games(
        &self,
        request: Request<ListMyGamesRequest>,
    ) -> Result<Response<ListMyGamesResponse>, Status> {
        let caller = caller(&request)?;
        Ok(Response::new(self.my_games(&caller, request.into_inner()).await?))
    }

    async fn create_token(
        &self,
        request: Request<CreateTokenRequest>,
    ) -> Result<Response<CreateTokenResponse>, Status> {
        let caller = caller(&request)?;
        let bearer = bearer_of(&request);
        let CreateTokenRequest { name, request_id } = request.into_inner();
        let naming = Naming::new(&request_id, &bearer)?;
        let (row, secret) = self.accounts.create_token(&caller.player_id, &name, naming).await?;
        Ok(Response::new(CreateTokenResponse { token: Some(token(row, &caller.token_id)), secret }))
    }

    async fn list_tokens(
        &self,
        request: Request<ListTokensRequest>,
    ) -> Result<Response<ListTokensResponse>, Status> {
        let caller = caller(&request)?;
        let rows = self.accounts.tokens(&caller.player_id).await?;
        let tokens = rows.into_iter().map(|row| token(row, &caller.token_id)).collect();
        Ok(Response::new(ListTokensResponse { tokens }))
    }

    async fn revoke_token(
        &self,
        request: Request<RevokeTokenRequest>,
    ) -> Result<Response<RevokeTokenResponse>, Status> {
        let caller = caller(&request)?;
        self.accounts.revoke(&caller.player_id, &request.into_inner().token_id).await?;
        Ok(Response::new(RevokeTokenResponse {}))
    }

    async fn rotate_token(
        &self,
        request: Request<RotateTokenRequest>,
    ) -> Result<Response<RotateTokenResponse>, Status> {
        let caller = caller(&request)?;
        let (row, secret) = self.accounts.rotate(&caller).await?;
        Ok(Response::new(RotateTokenResponse { token: Some(token(row, &caller.token_id)), secret }))
    }

    async fn block_player(
        &self,
        request: Request<BlockPlayerRequest>,
    ) -> Result<Response<BlockPlayerResponse>, Status> {
        let caller = caller(&request)?;
        self.accounts.set_blocked(&caller.player_id, &request.get_ref().player, true).await?;
        Ok(Response::new(BlockPlayerResponse {}))
    }

    async fn unblock_player(
        &self,
        request: Request<UnblockPlayerRequest>,
    ) -> Result<Response<UnblockPlayerResponse>, Status> {
        let caller = caller(&request)?;
        self.accounts.set_blocked(&caller.player_id, &request.get_ref().player, false).await?;
        Ok(Response::new(UnblockPlayerResponse {}))
    }

    async fn list_blocked_players(
        &self,
        request: Request<ListBlockedPlayersRequest>,
    ) -> Result<Response<ListBlockedPlayersResponse>, Status> {
        let blocked = self.accounts.blocked_by(&caller(&request)?.player_id).await?;
        Ok(Response::new(ListBlockedPlayersResponse {
            players: blocked.into_iter().map(player).collect(),
        }))
    }

    async fn create_notice_channel(
        &self,
        request: Request<CreateNoticeChannelRequest>,
    ) -> Result<Response<CreateNoticeChannelResponse>, Status> {
        let Caller { player_id, name, .. } = caller(&request)?;
        let (channel, secret) =
            self.channels.create(&player_id, &name, request.into_inner()).await?;
        Ok(Response::new(CreateNoticeChannelResponse { channel: Some(channel), secret }))
    }

    async fn list_notice_channels(
        &self,
        request: Request<ListNoticeChannelsRequest>,
    ) -> Result<Response<ListNoticeChannelsResponse>, Status> {
        let Shown { channels, muted, webhooks_on, mail_on } =
            self.channels.list(&caller(&request)?.player_id).await?;
        Ok(Response::new(ListNoticeChannelsResponse { channels, muted, webhooks_on, mail_on }))
    }

    async fn update_notice_channel(
        &self,
        request: Request<UpdateNoticeChannelRequest>,
    ) -> Result<Response<UpdateNoticeChannelResponse>, Status> {
        let player_id = caller(&request)?.player_id;
        let UpdateNoticeChannelRequest { channel_id, settings } = request.into_inner();
        let channel = self.channels.update(&player_id, &channel_id, settings).await?;
        Ok(Response::new(UpdateNoticeChannelResponse { channel: Some(channel) }))
    }

    async fn renew_notice_secret(
        &self,
        request: Request<RenewNoticeSecretRequest>,
    ) -> Result<Response<RenewNoticeSecretResponse>, Status> {
        let player_id = caller(&request)?.player_id;
        let secret = self.channels.renew(&player_id, &request.get_ref().channel_id).await?;
        Ok(Response::new(RenewNoticeSecretResponse { secret }))
    }

    async fn confirm_notice_channel(
        &self,
        request: Request<ConfirmNoticeChannelRequest>,
    ) -> Result<Response<ConfirmNoticeChannelResponse>, Status> {
        let player_id = caller(&request)?.player_id;
        let ConfirmNoticeChannelRequest { channel_id, code } = request.into_inner();
        let channel = self.channels.confirm(&player_id, &channel_id, &code).await?;
        Ok(Response::new(ConfirmNoticeChannelResponse { channel: Some(channel) }))
    }

    async fn test_notice_channel(
        &self,
        request: Request<TestNoticeChannelRequest>,
    ) -> Result<Response<TestNoticeChannelResponse>, Status> {
        let player_id = caller(&request)?.player_id;
        let channels = Arc::clone(&self.channels);
        let channel_id = request.into_inner().channel_id;
        // A slow receiver holds up no costly call of others.
        let failure =
            lasting::apart(async move { channels.test(&player_id, &channel_id).await }).await?;
        let delivered = failure.is_none();
        let failure = failure.unwrap_or_default();
        Ok(Response::new(TestNoticeChannelResponse { delivered, failure }))
    }

    async fn delete_notice_channel(
        &self,
        request: Request<DeleteNoticeChannelRequest>,
    ) -> Result<Response<DeleteNoticeChannelResponse>, Status> {
        let player_id = caller(&request)?.player_id;
        self.channels.delete(&player_id, &request.get_ref().channel_id).await?;
        Ok(Response::new(DeleteNoticeChannelResponse {}))
    }

    async fn mute_game(
        &self,
        request: Request<MuteGameRequest>,
    ) -> Result<Response<MuteGameResponse>, Status> {
        let player_id = caller(&request)?.player_id;
        let MuteGameRequest { game_id, kinds } = request.into_inner();
        self.channels.mute(&player_id, &game_id, &kinds).await?;
        Ok(Response::new(MuteGameResponse {}))
    }

    async fn unmute_game(
        &self,
        request: Request<UnmuteGameRequest>,
    ) -> Result<Response<UnmuteGameResponse>, Status> {
        let player_id = caller(&request)?.player_id;
        self.channels.unmute(&player_id, &request.get_ref().game_id).await?;
        Ok(Response::new(UnmuteGameResponse {}))
    }
}
