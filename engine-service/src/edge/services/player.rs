//! `PlayerService`: accounts, tokens and notice channels.

use std::sync::Arc;

use heliopause_proto::v1::player_service_server::PlayerService;
use heliopause_proto::v1::*;
use tonic::{Request, Response};

use super::Reply;
use super::lobby::details;
use super::paging::Page;
use crate::accounts::{self, Accounts, Registration, RetryKey};
use crate::background;
use crate::caller::Caller;
use crate::channels::{ChannelSettings, Channels};
use crate::config::Watch;
use crate::edge::{Engine, caller};
use crate::failure::Failure;
use crate::host::{Host, timestamp};
use crate::store::{Account, ENDED_STATUSES, GameQuery, GameRow, Store, TokenRow};

pub(crate) struct Players {
    accounts: Arc<Accounts>,
    channels: Arc<Channels>,
    host: Arc<Host>,
    store: Arc<dyn Store>,
    sandbox: bool,
    watch: Watch,
    web: bool,
}

impl Players {
    pub(crate) fn new(engine: &Engine) -> Self {
        Self {
            accounts: Arc::clone(&engine.accounts),
            channels: Arc::clone(&engine.channels),
            host: Arc::clone(&engine.host),
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
        let page = Page::of(&request)?.detailed(request.detailed);
        let query = GameQuery {
            limit: page.limit(),
            after: page.game()?,
            member: Some(caller.player_id.to_string()),
            running_only: request.running_only,
            ..GameQuery::default()
        };
        let mut rows = self.store.games(query).await?;
        let next_page_token = page.after_game(page.cut(&mut rows));
        let details = details(&self.host, caller, &rows, request.detailed).await;
        let games = rows.into_iter().zip(details);
        let games = games.map(|(row, game)| MyGame { game, ..my_game(row, &caller.player_id) });
        Ok(ListMyGamesResponse { games: games.collect(), next_page_token })
    }
}

pub(crate) fn player(account: Account) -> Player {
    Player {
        role: accounts::role(&account) as i32,
        player_id: account.player_id,
        name: account.name,
        dedication: account.dedication,
        create_time: Some(timestamp(account.created)),
    }
}

pub(crate) fn bearer_of<T>(request: &Request<T>) -> String {
    let header = request
        .metadata()
        .get("authorization")
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    header.split_once(' ').map(|(_, secret)| secret.trim().to_owned()).unwrap_or_default()
}

/// Converts a token. `calling` is the id of the token used for this call.
fn token(row: TokenRow, calling: &str) -> Token {
    Token {
        current: row.token_id == calling,
        signed_in: accounts::is_signed_in(&row),
        token_id: row.token_id,
        name: row.name,
        create_time: Some(timestamp(row.created)),
    }
}

/// Describes a game for a member. Prefers a seat of the member with an open decision.
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
        automation_suspend_time: row.asleep_since.map(timestamp),
        game_id: row.game_id,
        kind: row.kind,
        name: row.name,
        progress: row.progress,
        game: None,
    }
}

#[tonic::async_trait]
impl PlayerService for Players {
    async fn register(&self, request: Request<RegisterRequest>) -> Reply<RegisterResponse> {
        let RegisterRequest { name, invitation, request_id } = request.into_inner();
        let retry_key = RetryKey::new(&request_id, "")?;
        let (account, token) = self.accounts.register(&name, &invitation, retry_key).await?;
        Ok(Response::new(RegisterResponse { player: Some(player(account)), token }))
    }

    async fn get_server_info(
        &self,
        _: Request<GetServerInfoRequest>,
    ) -> Reply<GetServerInfoResponse> {
        Ok(Response::new(self.server_info()))
    }

    async fn create_sign_in_code(
        &self,
        request: Request<CreateSignInCodeRequest>,
    ) -> Reply<CreateSignInCodeResponse> {
        let (code, end) = self.accounts.create_code(&caller(&request)?.player_id).await?;
        Ok(Response::new(CreateSignInCodeResponse { code, expire_time: Some(timestamp(end)) }))
    }

    async fn sign_in(&self, request: Request<SignInRequest>) -> Reply<SignInResponse> {
        let SignInRequest { code, name, request_id } = request.into_inner();
        let retry_key = RetryKey::new(&request_id, &code)?;
        let (account, row, secret) = self.accounts.sign_in(&code, &name, retry_key).await?;
        let (player, token) = (Some(player(account)), Some(token(row, "")));
        Ok(Response::new(SignInResponse { player, token, secret }))
    }

    async fn get_me(&self, request: Request<GetMeRequest>) -> Reply<GetMeResponse> {
        let account = self.accounts.find(&caller(&request)?.player_id).await?;
        let games_limit = self.accounts.games_limit(&account);
        Ok(Response::new(GetMeResponse { player: Some(player(account)), games_limit }))
    }

    async fn get_player(&self, request: Request<GetPlayerRequest>) -> Reply<GetPlayerResponse> {
        let account = self.accounts.find(&request.into_inner().player).await?;
        Ok(Response::new(GetPlayerResponse { player: Some(player(account)) }))
    }

    async fn list_my_games(
        &self,
        request: Request<ListMyGamesRequest>,
    ) -> Reply<ListMyGamesResponse> {
        let caller = caller(&request)?;
        Ok(Response::new(self.my_games(&caller, request.into_inner()).await?))
    }

    async fn create_token(
        &self,
        request: Request<CreateTokenRequest>,
    ) -> Reply<CreateTokenResponse> {
        let caller = caller(&request)?;
        let bearer = bearer_of(&request);
        let CreateTokenRequest { name, request_id } = request.into_inner();
        let retry_key = RetryKey::new(&request_id, &bearer)?;
        let (row, secret) = self.accounts.create_token(&caller.player_id, &name, retry_key).await?;
        Ok(Response::new(CreateTokenResponse { token: Some(token(row, &caller.token_id)), secret }))
    }

    async fn list_tokens(&self, request: Request<ListTokensRequest>) -> Reply<ListTokensResponse> {
        let caller = caller(&request)?;
        let rows = self.accounts.tokens(&caller.player_id).await?;
        let tokens = rows.into_iter().map(|row| token(row, &caller.token_id)).collect();
        Ok(Response::new(ListTokensResponse { tokens }))
    }

    async fn revoke_token(
        &self,
        request: Request<RevokeTokenRequest>,
    ) -> Reply<RevokeTokenResponse> {
        let caller = caller(&request)?;
        self.accounts.revoke(&caller.player_id, &request.into_inner().token_id).await?;
        Ok(Response::new(RevokeTokenResponse {}))
    }

    async fn rotate_token(
        &self,
        request: Request<RotateTokenRequest>,
    ) -> Reply<RotateTokenResponse> {
        let caller = caller(&request)?;
        let (row, secret) = self.accounts.rotate(&caller).await?;
        Ok(Response::new(RotateTokenResponse { token: Some(token(row, &caller.token_id)), secret }))
    }

    async fn block_player(
        &self,
        request: Request<BlockPlayerRequest>,
    ) -> Reply<BlockPlayerResponse> {
        let caller = caller(&request)?;
        self.accounts.set_blocked(&caller.player_id, &request.get_ref().player, true).await?;
        Ok(Response::new(BlockPlayerResponse {}))
    }

    async fn unblock_player(
        &self,
        request: Request<UnblockPlayerRequest>,
    ) -> Reply<UnblockPlayerResponse> {
        let caller = caller(&request)?;
        self.accounts.set_blocked(&caller.player_id, &request.get_ref().player, false).await?;
        Ok(Response::new(UnblockPlayerResponse {}))
    }

    async fn list_blocked_players(
        &self,
        request: Request<ListBlockedPlayersRequest>,
    ) -> Reply<ListBlockedPlayersResponse> {
        let blocked = self.accounts.blocked_by(&caller(&request)?.player_id).await?;
        Ok(Response::new(ListBlockedPlayersResponse {
            players: blocked.into_iter().map(player).collect(),
        }))
    }

    async fn create_notice_channel(
        &self,
        request: Request<CreateNoticeChannelRequest>,
    ) -> Reply<CreateNoticeChannelResponse> {
        let Caller { player_id, name, .. } = caller(&request)?;
        let (channel, secret) =
            self.channels.create(&player_id, &name, request.into_inner()).await?;
        Ok(Response::new(CreateNoticeChannelResponse { channel: Some(channel), secret }))
    }

    async fn list_notice_channels(
        &self,
        request: Request<ListNoticeChannelsRequest>,
    ) -> Reply<ListNoticeChannelsResponse> {
        let ChannelSettings { channels, muted, webhooks_on, mail_on } =
            self.channels.list(&caller(&request)?.player_id).await?;
        Ok(Response::new(ListNoticeChannelsResponse { channels, muted, webhooks_on, mail_on }))
    }

    async fn update_notice_channel(
        &self,
        request: Request<UpdateNoticeChannelRequest>,
    ) -> Reply<UpdateNoticeChannelResponse> {
        let player_id = caller(&request)?.player_id;
        let UpdateNoticeChannelRequest { channel_id, settings } = request.into_inner();
        let channel = self.channels.update(&player_id, &channel_id, settings).await?;
        Ok(Response::new(UpdateNoticeChannelResponse { channel: Some(channel) }))
    }

    async fn renew_notice_secret(
        &self,
        request: Request<RenewNoticeSecretRequest>,
    ) -> Reply<RenewNoticeSecretResponse> {
        let player_id = caller(&request)?.player_id;
        let secret = self.channels.renew(&player_id, &request.get_ref().channel_id).await?;
        Ok(Response::new(RenewNoticeSecretResponse { secret }))
    }

    async fn confirm_notice_channel(
        &self,
        request: Request<ConfirmNoticeChannelRequest>,
    ) -> Reply<ConfirmNoticeChannelResponse> {
        let player_id = caller(&request)?.player_id;
        let ConfirmNoticeChannelRequest { channel_id, code, subscription } = request.into_inner();
        let channels = Arc::clone(&self.channels);
        // The check waits for shared resources. See the invariant of `background`.
        let channel = background::in_own_task(async move {
            channels.confirm(&player_id, &channel_id, &code, subscription).await
        })
        .await?;
        Ok(Response::new(ConfirmNoticeChannelResponse { channel: Some(channel) }))
    }

    async fn test_notice_channel(
        &self,
        request: Request<TestNoticeChannelRequest>,
    ) -> Reply<TestNoticeChannelResponse> {
        let player_id = caller(&request)?.player_id;
        let channels = Arc::clone(&self.channels);
        let channel_id = request.into_inner().channel_id;
        // The test waits for shared resources. See the invariant of `background`.
        let failure =
            background::in_own_task(async move { channels.test(&player_id, &channel_id).await })
                .await?;
        let delivered = failure.is_none();
        let failure = failure.unwrap_or_default();
        Ok(Response::new(TestNoticeChannelResponse { delivered, failure }))
    }

    async fn delete_notice_channel(
        &self,
        request: Request<DeleteNoticeChannelRequest>,
    ) -> Reply<DeleteNoticeChannelResponse> {
        let player_id = caller(&request)?.player_id;
        self.channels.delete(&player_id, &request.get_ref().channel_id).await?;
        Ok(Response::new(DeleteNoticeChannelResponse {}))
    }

    async fn mute_game(&self, request: Request<MuteGameRequest>) -> Reply<MuteGameResponse> {
        let player_id = caller(&request)?.player_id;
        let MuteGameRequest { game_id, kinds } = request.into_inner();
        self.channels.mute(&player_id, &game_id, &kinds).await?;
        Ok(Response::new(MuteGameResponse {}))
    }

    async fn unmute_game(&self, request: Request<UnmuteGameRequest>) -> Reply<UnmuteGameResponse> {
        let player_id = caller(&request)?.player_id;
        self.channels.unmute(&player_id, &request.get_ref().game_id).await?;
        Ok(Response::new(UnmuteGameResponse {}))
    }
}
