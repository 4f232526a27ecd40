//! `PlayerService`: accounts, tokens and notice channels.

use std::collections::HashMap;
use std::sync::Arc;

use heliopause_proto::v1::player_service_server::PlayerService;
use heliopause_proto::v1::*;
use prost_types::Timestamp;
use tonic::{Request, Response};

use super::Reply;
use super::lobby::details;
use super::paging::Page;
use crate::accounts::{self, Registration, RetryKey, SignedIn};
use crate::background;
use crate::caller::Caller;
use crate::config::Watch;
use crate::edge::{Engine, caller};
use crate::failure::Failure;
use crate::host::timestamp;
use crate::store::{Account, ENDED_STATUSES, GameQuery, GameRow, TokenRow};

pub(crate) struct Players(pub(crate) Engine);

impl Players {
    fn server_info(&self) -> GetServerInfoResponse {
        let registration = match self.0.accounts.registration() {
            Registration::Open => RegistrationRule::Open,
            Registration::Invite => RegistrationRule::Invite,
            Registration::Closed => RegistrationRule::Closed,
        };
        let watch = match self.0.watch {
            Watch::Public => WatchRule::Public,
            Watch::Players => WatchRule::Players,
            Watch::None => WatchRule::None,
        };
        GetServerInfoResponse {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            time: Some(timestamp(self.0.accounts.time().now())),
            registration: registration.into(),
            watch: watch.into(),
            sandbox: self.0.host.settings().sandbox,
            webhooks_on: self.0.channels.webhooks_on(),
            mail_on: self.0.channels.mail_on(),
            web: self.0.web,
            passkeys_on: self.0.sign_in.passkeys_on(),
            mail_sign_in_on: self.0.sign_in.mail_on(),
            sign_in_providers: self.0.sign_in.providers(),
        }
    }

    async fn my_games(
        &self,
        caller: &Caller,
        request: ListMyGamesRequest,
    ) -> Result<ListMyGamesResponse, Failure> {
        let page = Page::of(&request)?.detailed(request.detailed);
        let query = GameQuery {
            member: Some(caller.player_id.to_string()),
            running_only: request.running_only,
            ..GameQuery::default()
        };
        let (rows, next_page_token) = page.games(&*self.0.store, query).await?;
        let details = details(&self.0.host, caller, &rows, request.detailed).await;
        let games = rows.into_iter().zip(details);
        let games = games.map(|(row, game)| MyGame { game, ..my_game(row, &caller.player_id) });
        Ok(ListMyGamesResponse { games: games.collect(), next_page_token })
    }
}

pub(crate) fn player(account: Account) -> Player {
    Player {
        role: accounts::role(&account) as i32,
        guest: accounts::is_guest(&account),
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
pub(super) fn token(row: TokenRow, calling: &str) -> Token {
    Token {
        use_time: None,
        agent: String::new(),
        current: row.token_id == calling,
        signed_in: accounts::is_signed_in(&row),
        token_id: row.token_id,
        name: row.name,
        create_time: Some(timestamp(row.created)),
    }
}

/// Returns the caller's tokens with their last uses.
pub(super) async fn tokens(engine: &Engine, caller: &Caller) -> Result<Vec<Token>, Failure> {
    let rows = engine.accounts.tokens(&caller.player_id).await?;
    let uses = engine.accounts.token_uses(&caller.player_id).await?;
    let mut uses: HashMap<_, _> = uses.into_iter().collect();
    let used = |row: TokenRow| {
        let used = uses.remove(&row.token_id).unwrap_or_default();
        let token = token(row, &caller.token_id);
        // The time of use is the start of an hour, in which the token may have been created.
        let later = |time: Timestamp| token.create_time.filter(|made| made.seconds > time.seconds);
        let use_time = used.time.map(|time| later(time).unwrap_or(time));
        Token { use_time, agent: used.agent, ..token }
    };
    Ok(rows.into_iter().map(used).collect())
}

/// Describes a game for a member. Prefers a seat of the member with an open decision.
pub(crate) fn my_game(row: GameRow, player_id: &str) -> MyGame {
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

service! {
    PlayerService for Players;
    request register(RegisterRequest) -> RegisterResponse = |players, request| {
        let RegisterRequest { name, invitation, request_id } = request.into_inner();
        let retry_key = RetryKey::new(&request_id, "")?;
        let (account, token) = players.0.accounts.register(&name, &invitation, retry_key).await?;
        RegisterResponse { player: Some(player(account)), token }
    };
    request get_server_info(GetServerInfoRequest) -> GetServerInfoResponse =
        |players, _| players.server_info();
    request sign_in(SignInRequest) -> SignInResponse = |players, request| {
        let SignInRequest { code, name, request_id } = request.into_inner();
        let retry_key = RetryKey::new(&request_id, &code)?;
        let signed_in = players.0.accounts.sign_in(&code, &name, retry_key).await?;
        let SignedIn { account, token: row, secret } = signed_in;
        SignInResponse { player: Some(player(account)), token: Some(token(row, "")), secret }
    };
    request get_player(GetPlayerRequest) -> GetPlayerResponse = |players, request| {
        let account = players.0.accounts.find(&request.into_inner().player).await?;
        GetPlayerResponse { player: Some(player(account)) }
    };
    request create_token(CreateTokenRequest) -> CreateTokenResponse = |players, request| {
        let (caller, bearer) = (caller(&request)?, bearer_of(&request));
        let CreateTokenRequest { name, request_id } = request.into_inner();
        let retry_key = RetryKey::new(&request_id, &bearer)?;
        let created = players.0.accounts.create_token(&caller.player_id, &name, retry_key).await?;
        let (row, secret) = created;
        CreateTokenResponse { token: Some(token(row, &caller.token_id)), secret }
    };
    call create_sign_in_code(CreateSignInCodeRequest) -> CreateSignInCodeResponse =
        |players, caller, _| {
            let (code, end) = players.0.accounts.create_code(&caller.player_id).await?;
            CreateSignInCodeResponse { code, expire_time: Some(timestamp(end)) }
        };
    call get_me(GetMeRequest) -> GetMeResponse = |players, caller, _| {
        let account = players.0.accounts.find(&caller.player_id).await?;
        let games_limit = players.0.accounts.games_limit(&account);
        let has_way_back = players.0.accounts.has_way_back(&caller.player_id).await?;
        GetMeResponse { player: Some(player(account)), games_limit, has_way_back }
    };
    call list_my_games(ListMyGamesRequest) -> ListMyGamesResponse =
        |players, caller, request| players.my_games(&caller, request).await?;
    call list_tokens(ListTokensRequest) -> ListTokensResponse = |players, caller, _| {
        ListTokensResponse { tokens: tokens(&players.0, &caller).await? }
    };
    call revoke_token(RevokeTokenRequest) -> RevokeTokenResponse = |players, caller, request| {
        players.0.accounts.revoke(&caller.player_id, &request.token_id).await?;
        RevokeTokenResponse {}
    };
    call rotate_token(RotateTokenRequest) -> RotateTokenResponse = |players, caller, _| {
        let (row, secret) = players.0.accounts.rotate(&caller).await?;
        RotateTokenResponse { token: Some(token(row, &caller.token_id)), secret }
    };
    call block_player(BlockPlayerRequest) -> BlockPlayerResponse = |players, caller, request| {
        players.0.accounts.set_blocked(&caller.player_id, &request.player, true).await?;
        BlockPlayerResponse {}
    };
    call unblock_player(UnblockPlayerRequest) -> UnblockPlayerResponse =
        |players, caller, request| {
            players.0.accounts.set_blocked(&caller.player_id, &request.player, false).await?;
            UnblockPlayerResponse {}
        };
    call list_blocked_players(ListBlockedPlayersRequest) -> ListBlockedPlayersResponse =
        |players, caller, _| {
            let blocked = players.0.accounts.blocked_by(&caller.player_id).await?;
            ListBlockedPlayersResponse { players: blocked.into_iter().map(player).collect() }
        };
    call create_notice_channel(CreateNoticeChannelRequest) -> CreateNoticeChannelResponse =
        |players, caller, request| {
            let Caller { player_id, name, .. } = caller;
            let (channel, secret) = players.0.channels.create(&player_id, &name, request).await?;
            CreateNoticeChannelResponse { channel: Some(channel), secret }
        };
    call list_notice_channels(ListNoticeChannelsRequest) -> ListNoticeChannelsResponse =
        |players, caller, _| players.0.channels.list(&caller.player_id).await?;
    call update_notice_channel(UpdateNoticeChannelRequest) -> UpdateNoticeChannelResponse =
        |players, caller, request| {
            let UpdateNoticeChannelRequest { channel_id, settings } = request;
            let updated = players.0.channels.update(&caller.player_id, &channel_id, settings).await?;
            UpdateNoticeChannelResponse { channel: Some(updated) }
        };
    call renew_notice_secret(RenewNoticeSecretRequest) -> RenewNoticeSecretResponse =
        |players, caller, request| {
            let secret = players.0.channels.renew(&caller.player_id, &request.channel_id).await?;
            RenewNoticeSecretResponse { secret }
        };
    call confirm_notice_channel(ConfirmNoticeChannelRequest) -> ConfirmNoticeChannelResponse =
        |players, caller, request| {
            let ConfirmNoticeChannelRequest { channel_id, code, subscription } = request;
            let channels = Arc::clone(&players.0.channels);
            // The check waits for shared resources. See the invariant of `background`.
            let channel = background::in_own_task(async move {
                channels.confirm(&caller.player_id, &channel_id, &code, subscription).await
            });
            ConfirmNoticeChannelResponse { channel: Some(channel.await?) }
        };
    call test_notice_channel(TestNoticeChannelRequest) -> TestNoticeChannelResponse =
        |players, caller, request| {
            let channels = Arc::clone(&players.0.channels);
            // The test waits for shared resources. See the invariant of `background`.
            let failure = background::in_own_task(async move {
                channels.test(&caller.player_id, &request.channel_id).await
            });
            let failure = failure.await?;
            let delivered = failure.is_none();
            TestNoticeChannelResponse { delivered, failure: failure.unwrap_or_default() }
        };
    call delete_notice_channel(DeleteNoticeChannelRequest) -> DeleteNoticeChannelResponse =
        |players, caller, request| {
            players.0.channels.delete(&caller.player_id, &request.channel_id).await?;
            DeleteNoticeChannelResponse {}
        };
    call mute_game(MuteGameRequest) -> MuteGameResponse = |players, caller, request| {
        players.0.channels.mute(&caller.player_id, &request.game_id, &request.kinds).await?;
        MuteGameResponse {}
    };
    call unmute_game(UnmuteGameRequest) -> UnmuteGameResponse = |players, caller, request| {
        players.0.channels.unmute(&caller.player_id, &request.game_id).await?;
        UnmuteGameResponse {}
    };
}
