//! Accounts over the wire: registration, invalid and revoked tokens, bans, quotas and roles.

use crate::support;

use heliopause_engine::accounts::Registration;
use heliopause_engine::config::Settings;
use heliopause_proto::v1::{
    AccountRole, BanPlayerRequest, CreateInvitationRequest, CreateTokenRequest,
    DeletePlayerRequest, ErrorReason, GetMeRequest, GetPlayerRequest, GetStatusRequest,
    GrantRoleRequest, ListPlayersRequest, ListTokensRequest, RegisterRequest,
    RevokePlayerTokensRequest, RevokeTokenRequest, RotateTokenRequest, SetQuotaRequest,
};
use support::{TestServer, assert_refused, in_memory, reason, refusal, start};
use tonic::metadata::MetadataValue;
use tonic::{Code, Request};
use tonic_types::StatusExt as _;

fn named(name: &str, invitation: &str) -> RegisterRequest {
    RegisterRequest { invitation: invitation.to_owned(), ..support::named(name) }
}

#[tokio::test]
async fn a_player_registers_and_is_known() {
    let server = start(in_memory()).await;
    let token = server.register("Ann Lee").await;
    let me = server.player(&token).get_me(GetMeRequest {}).await.unwrap().into_inner();
    assert_eq!(me.games_limit, 100);
    let me = me.player.unwrap();
    assert_eq!((me.name.as_str(), me.role(), me.dedication), ("Ann Lee", AccountRole::Player, 0));
    assert!(me.create_time.is_some());
    for known_as in [me.player_id.as_str(), "ann lee"] {
        let request = GetPlayerRequest { player: known_as.to_owned() };
        assert_eq!(
            server.player(&token).get_player(request).await.unwrap().into_inner().player.unwrap(),
            me
        );
    }
    let anonymous =
        server.player(&token).get_player(GetPlayerRequest { player: "nobody".to_owned() }).await;
    assert_eq!(refusal(anonymous), ErrorReason::NotFound);
    assert_eq!(
        refusal(server.anonymous().register(named("ANN LEE", "")).await),
        ErrorReason::NameTaken
    );

    let bad = server.anonymous().register(named("!", "")).await.unwrap_err();
    assert_refused(&bad, ErrorReason::InvalidField, Code::InvalidArgument);
    assert_eq!(bad.get_details_bad_request().unwrap().field_violations[0].field, "name");
}

#[tokio::test]
async fn only_a_valid_token_opens_the_gate() {
    let server = start(in_memory()).await;
    let token = server.register("Ann").await;
    let last = if token.ends_with('0') { "1" } else { "0" };
    let forged = format!("{}{last}", &token[..token.len() - 1]);
    for wrong in [
        "",
        "x",
        "hp_",
        &token[3..],
        &token[1..],
        &format!("{token}0"),
        &forged,
        &"hp_".repeat(5_000),
    ] {
        let refused = server.player(wrong).get_me(GetMeRequest {}).await.unwrap_err();
        assert_eq!(
            (reason(&refused), refused.code()),
            (ErrorReason::TokenInvalid, Code::Unauthenticated),
            "{wrong}"
        );
    }
    let missing = server.anonymous().get_me(GetMeRequest {}).await;
    assert_eq!(refusal(missing), ErrorReason::TokenInvalid);
    for header in ["Basic QWxhZGRpbg==", &token, "Bearer", &format!("Bearer  {token} {token}")] {
        let mut request = Request::new(GetMeRequest {});
        request.metadata_mut().insert("authorization", MetadataValue::try_from(header).unwrap());
        assert_eq!(
            refusal(server.anonymous().get_me(request).await),
            ErrorReason::TokenInvalid,
            "{header}"
        );
    }
    server.player(&token).get_me(GetMeRequest {}).await.expect("the right token remains valid");
}

#[tokio::test]
async fn tokens_are_made_listed_revoked_and_rotated() {
    let server = start(in_memory()).await;
    let first = server.register("Ann").await;
    let made = CreateTokenRequest { name: "my bot".to_owned(), ..CreateTokenRequest::default() };
    let made = server.player(&first).create_token(made).await.unwrap().into_inner();
    let mut bot = server.player(&made.secret);
    let tokens = bot.list_tokens(ListTokensRequest {}).await.unwrap().into_inner().tokens;
    let listed: Vec<_> = tokens.iter().map(|token| (token.name.as_str(), token.current)).collect();
    assert_eq!(listed.len(), 2);
    assert!(listed.contains(&("first", false)) && listed.contains(&("my bot", true)), "{listed:?}");

    let rotated = bot.rotate_token(RotateTokenRequest {}).await.unwrap().into_inner();
    assert_eq!(refusal(bot.get_me(GetMeRequest {}).await), ErrorReason::TokenInvalid);
    let mut bot = server.player(&rotated.secret);
    bot.get_me(GetMeRequest {}).await.unwrap();

    let stranger = server.register("Bob").await;
    let theirs = RevokeTokenRequest { token_id: rotated.token.unwrap().token_id };
    let refused = server.player(&stranger).revoke_token(theirs.clone()).await;
    assert_eq!(refusal(refused), ErrorReason::NotFound);
    server.player(&first).revoke_token(theirs).await.unwrap();
    assert_eq!(refusal(bot.get_me(GetMeRequest {}).await), ErrorReason::TokenInvalid);
}

#[tokio::test]
async fn tokens_of_a_player_are_limited() {
    let server = start(in_memory()).await;
    let mut ann = server.player(&server.register("Ann").await);
    let made = || CreateTokenRequest { name: "bot".to_owned(), ..CreateTokenRequest::default() };
    for _ in 1..32 {
        ann.create_token(made()).await.unwrap();
    }
    let refused = ann.create_token(made()).await.unwrap_err();
    assert_eq!(reason(&refused), ErrorReason::QuotaExceeded);
    let metadata = refused.get_details_error_info().unwrap().metadata;
    assert_eq!((metadata["quota"].as_str(), metadata["limit"].as_str()), ("tokens", "32"));
}

#[tokio::test]
async fn registration_can_need_an_invitation_or_be_closed() {
    let server = start(Settings { registration: Some(Registration::Invite), ..in_memory() }).await;
    for wrong in ["", "hi_00000000000000000000000000000000"] {
        let refused = server.anonymous().register(named("Ann", wrong)).await;
        assert_eq!(refusal(refused), ErrorReason::InvitationRequired);
    }
    let invited =
        server.admin().create_invitation(CreateInvitationRequest { uses: Some(2) }).await.unwrap();
    let code = invited.into_inner().invitation;
    for name in ["Ann", "Bob"] {
        server.anonymous().register(named(name, &code)).await.unwrap();
    }
    let used_up = server.anonymous().register(named("Cid", &code)).await;
    assert_eq!(refusal(used_up), ErrorReason::InvitationRequired);

    let invited = server.admin().create_invitation(CreateInvitationRequest { uses: Some(3) }).await;
    let code = invited.unwrap().into_inner().invitation;
    let racers = (0..20).map(|racer| {
        let (mut anonymous, name) = (server.anonymous(), format!("Racer {racer}"));
        let request = named(&name, &code);
        async move { anonymous.register(request).await.is_ok() }
    });
    let admitted = futures_util::future::join_all(racers).await;
    assert_eq!(admitted.into_iter().filter(|admitted| *admitted).count(), 3);

    let server = start(Settings { registration: Some(Registration::Closed), ..in_memory() }).await;
    let code =
        server.admin().create_invitation(CreateInvitationRequest { uses: Some(1) }).await.unwrap();
    let refused = server.anonymous().register(named("Ann", &code.into_inner().invitation)).await;
    assert_eq!(refusal(refused), ErrorReason::InvitationRequired);
}

#[tokio::test]
async fn ban_locks_out_until_it_is_lifted() {
    let server = start(in_memory()).await;
    let mut ann = server.player(&server.register("Ann").await);
    ann.get_me(GetMeRequest {}).await.unwrap();
    let ban = |banned| BanPlayerRequest { player: "ann".to_owned(), banned };
    server.admin().ban_player(ban(true)).await.unwrap();
    let refused = ann.get_me(GetMeRequest {}).await.unwrap_err();
    assert_refused(&refused, ErrorReason::Banned, Code::PermissionDenied);
    server.admin().ban_player(ban(false)).await.unwrap();
    ann.get_me(GetMeRequest {}).await.unwrap();

    let unknown = BanPlayerRequest { player: "nobody".to_owned(), banned: true };
    assert_eq!(refusal(server.admin().ban_player(unknown).await), ErrorReason::NotFound);
    let oneself = BanPlayerRequest { player: "admin".to_owned(), banned: true };
    assert_eq!(refusal(server.admin().ban_player(oneself).await), ErrorReason::InvalidField);
}

#[tokio::test]
async fn admins_revoke_limit_and_delete() {
    let server = start(in_memory()).await;
    let mut admin = server.admin();
    let token = server.register("Ann").await;
    let mut ann = server.player(&token);
    let player_id =
        ann.get_me(GetMeRequest {}).await.unwrap().into_inner().player.unwrap().player_id;

    admin
        .set_quota(SetQuotaRequest { player: "Ann".to_owned(), games_limit: Some(3) })
        .await
        .unwrap();
    assert_eq!(ann.get_me(GetMeRequest {}).await.unwrap().into_inner().games_limit, 3);
    let too_much = SetQuotaRequest { player: "Ann".to_owned(), games_limit: Some(u32::MAX) };
    assert_eq!(refusal(admin.set_quota(too_much).await), ErrorReason::InvalidField);

    let revoke = RevokePlayerTokensRequest { player: player_id.clone() };
    assert_eq!(admin.revoke_player_tokens(revoke).await.unwrap().into_inner().revoked, 1);
    assert_eq!(refusal(ann.get_me(GetMeRequest {}).await), ErrorReason::TokenInvalid);

    admin.delete_player(DeletePlayerRequest { player: player_id.clone() }).await.unwrap();
    assert_eq!(name_of(&server, "Ann").await, None);
    assert_eq!(name_of(&server, &player_id).await, Some(String::new()));
    server.register("Ann").await;
}

async fn name_of(server: &TestServer, player: &str) -> Option<String> {
    let mut client = server.player(&server.token_file("admin.token"));
    let found = client.get_player(GetPlayerRequest { player: player.to_owned() }).await;
    found.ok().and_then(|found| found.into_inner().player).map(|player| player.name)
}

#[tokio::test]
async fn players_are_listed_in_pages() {
    let server = start(in_memory()).await;
    for number in 0..7 {
        server.register(&format!("Player {number}")).await;
    }
    let mut names = Vec::new();
    let mut page_token = String::new();
    loop {
        let request = ListPlayersRequest { page_size: 3, page_token, search: "PLAYER".to_owned() };
        let page = server.admin().list_players(request).await.unwrap().into_inner();
        assert!(page.players.len() <= 3);
        for record in page.players {
            assert_eq!((record.tokens, record.banned, record.games_limit), (1, false, None));
            names.push(record.player.unwrap().name);
        }
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    assert_eq!(names, (0..7).map(|number| format!("Player {number}")).collect::<Vec<_>>());
    let forged = ListPlayersRequest { page_token: "x".to_owned(), ..ListPlayersRequest::default() };
    assert_eq!(refusal(server.admin().list_players(forged).await), ErrorReason::InvalidField);
    let long = ListPlayersRequest { search: "x".repeat(65), ..ListPlayersRequest::default() };
    assert_eq!(refusal(server.admin().list_players(long).await), ErrorReason::InvalidField);
}

#[tokio::test]
async fn roles_are_granted_and_required() {
    let server = start(in_memory()).await;
    let token = server.register("Ann").await;
    let mut client = heliopause_proto::v1::admin_service_client::AdminServiceClient::new(
        server.authorized(&token),
    );
    let refused = client.get_status(GetStatusRequest {}).await.unwrap_err();
    assert_refused(&refused, ErrorReason::RoleRequired, Code::PermissionDenied);
    assert_eq!(refused.get_details_error_info().unwrap().metadata["role"], "admin");

    let grant = |name: &str, role| GrantRoleRequest {
        name: name.to_owned(),
        role,
        ..GrantRoleRequest::default()
    };
    let admin = AccountRole::Admin as i32;
    let granted = server.admin().grant_role(grant("Ann", admin)).await.unwrap().into_inner();
    assert_eq!(granted.player.unwrap().role(), AccountRole::Admin);
    client.get_status(GetStatusRequest {}).await.expect("the old token has the new role");
    server.player(&granted.token).get_me(GetMeRequest {}).await.expect("and so has the new one");

    for bad in [0, 99, -1] {
        let refused = server.admin().grant_role(grant("Bob", bad)).await;
        assert_eq!(refusal(refused), ErrorReason::InvalidField, "role {bad}");
    }
    let oneself = server.admin().grant_role(grant("ADMIN", AccountRole::Player as i32)).await;
    assert_eq!(refusal(oneself), ErrorReason::InvalidField);
    let made = server
        .admin()
        .grant_role(grant("bots", AccountRole::Worker as i32))
        .await
        .unwrap()
        .into_inner();
    let me = server.player(&made.token).get_me(GetMeRequest {}).await.unwrap().into_inner();
    assert_eq!(me.player.unwrap().role(), AccountRole::Worker);

    let status = server.admin().get_status(GetStatusRequest {}).await.unwrap().into_inner();
    assert_eq!((status.players, status.games, status.draining), (4, 0, false));
    assert!(status.resident_bytes > 1 << 20 && !status.version.is_empty());
}
