//! Sign-in over the wire: guests, recovery codes, passkeys, email with a real mail server, and a
//! local provider of OpenID Connect.

use crate::support;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use heliopause_engine::accounts::Registration;
use heliopause_engine::config::{Settings, SignInMethod as Enabled};
use heliopause_proto::v1::sign_in_choice::Method;
use heliopause_proto::v1::sign_in_proof::Proof;
use heliopause_proto::v1::sign_in_service_client::SignInServiceClient;
use heliopause_proto::v1::*;
use serde_json::json;
use support::authenticator::Authenticator;
use support::identity_provider::{CLIENT, IdentityProvider, SECRET};
use support::mail_server::{Mail, MailServer};
use support::{Authorized, TestServer, in_memory, reason, refusal, start};
use tonic::Status;
use tonic::transport::Channel;
use tonic_types::StatusExt as _;

const ORIGIN: &str = "http://localhost:50051";
const ADDRESS: &str = "ann@example.net";

fn anonymous(server: &TestServer) -> SignInServiceClient<Channel> {
    SignInServiceClient::new(server.channel())
}

fn of(server: &TestServer, token: &str) -> SignInServiceClient<Authorized> {
    SignInServiceClient::new(server.authorized(token))
}

fn field(status: &Status) -> String {
    status.get_details_bad_request().expect("a field").field_violations[0].field.clone()
}

fn passkey() -> SignInChoice {
    SignInChoice { method: Some(Method::Passkey(PasskeyChoice {})) }
}

fn mail(address: &str) -> SignInChoice {
    let address = address.to_owned();
    SignInChoice { method: Some(Method::Mail(MailChoice { address })) }
}

fn provider(provider: &str) -> SignInChoice {
    let provider = provider.to_owned();
    SignInChoice { method: Some(Method::Provider(ProviderChoice { provider })) }
}

fn code(code: &str) -> Proof {
    Proof::Code(code.to_owned())
}

fn proof(proof: Proof) -> SignInProof {
    SignInProof { proof: Some(proof) }
}

async fn begin(
    server: &TestServer,
    choice: impl Into<Option<SignInChoice>>,
) -> Result<SignInAttempt, Status> {
    let begun =
        anonymous(server).start_sign_in(StartSignInRequest { choice: choice.into() }).await?;
    Ok(begun.into_inner().attempt.expect("an attempt"))
}

async fn finish(
    server: &TestServer,
    attempt_id: &str,
    with: Proof,
) -> Result<FinishSignInResponse, Status> {
    let request = FinishSignInRequest {
        attempt_id: attempt_id.to_owned(),
        proof: Some(proof(with)),
        ..FinishSignInRequest::default()
    };
    anonymous(server).finish_sign_in(request).await.map(tonic::Response::into_inner)
}

async fn begin_adding(
    server: &TestServer,
    token: &str,
    choice: impl Into<Option<SignInChoice>>,
) -> Result<SignInAttempt, Status> {
    let request = StartSignInMethodRequest { choice: choice.into() };
    let begun = of(server, token).start_sign_in_method(request).await?;
    Ok(begun.into_inner().attempt.expect("an attempt"))
}

async fn add(
    server: &TestServer,
    token: &str,
    attempt_id: &str,
    with: Proof,
) -> Result<SignInMethod, Status> {
    let (attempt_id, name) = (attempt_id.to_owned(), "my phone".to_owned());
    let request = AddSignInMethodRequest { attempt_id, proof: Some(proof(with)), name };
    let added = of(server, token).add_sign_in_method(request).await?;
    Ok(added.into_inner().method.expect("a method"))
}

async fn methods(server: &TestServer, token: &str) -> ListSignInMethodsResponse {
    let listed = of(server, token).list_sign_in_methods(ListSignInMethodsRequest {}).await;
    listed.unwrap().into_inner()
}

async fn me(server: &TestServer, token: &str) -> GetMeResponse {
    server.player(token).get_me(GetMeRequest {}).await.unwrap().into_inner()
}

async fn recover(
    server: &TestServer,
    player: &str,
    code: &str,
) -> Result<SignInWithRecoveryCodeResponse, Status> {
    let request = SignInWithRecoveryCodeRequest {
        player: player.to_owned(),
        code: code.to_owned(),
        ..SignInWithRecoveryCodeRequest::default()
    };
    let recovered = anonymous(server).sign_in_with_recovery_code(request).await;
    recovered.map(tonic::Response::into_inner)
}

#[tokio::test]
async fn a_guest_becomes_a_player_and_keeps_the_account() {
    let server = start(in_memory()).await;
    let token = server.register("").await;
    let guest = me(&server, &token).await.player.unwrap();
    assert!(guest.guest && guest.name.starts_with("Guest "), "{guest:?}");
    for name in ["Guest 1", "guest 99"] {
        let refused = server.anonymous().register(support::named(name)).await;
        assert_eq!(refusal(refused), ErrorReason::InvalidField, "{name}");
    }
    server.register("Bob").await;
    let rename = |name: &str| RenameMeRequest { name: name.to_owned() };
    let mut player = server.profiles(&token);
    assert_eq!(refusal(player.rename_me(rename("bob")).await), ErrorReason::NameTaken);
    let renamed = player.rename_me(rename("Ann")).await.unwrap().into_inner().player.unwrap();
    assert_eq!((renamed.name.as_str(), renamed.guest), ("Ann", false));
    assert_eq!(renamed.player_id, guest.player_id);
    assert_eq!(me(&server, &token).await.player.unwrap(), renamed);
    assert_eq!(refusal(player.rename_me(rename("Eve")).await), ErrorReason::QuotaExceeded);
    let other = server.register("").await;
    assert_ne!(me(&server, &other).await.player.unwrap().player_id, guest.player_id);

    let by_admin = RenamePlayerRequest { player: "Ann".to_owned(), name: "Anna".to_owned() };
    server.admin().rename_player(by_admin).await.unwrap();
    assert_eq!(me(&server, &token).await.player.unwrap().name, "Anna");
}

#[tokio::test]
async fn each_recovery_code_works_once() {
    let server = start(in_memory()).await;
    let token = server.register("Ann").await;
    assert!(!me(&server, &token).await.has_way_back);
    let create = async || {
        let created =
            of(&server, &token).create_recovery_codes(CreateRecoveryCodesRequest {}).await;
        created.unwrap().into_inner().codes
    };
    let old = create().await;
    let codes = create().await;
    assert_eq!(codes.len(), 10);
    assert!(me(&server, &token).await.has_way_back);
    assert_eq!(refusal(recover(&server, "Ann", &old[0]).await), ErrorReason::NotFound, "replaced");
    let typed = codes[0].to_uppercase().replace('-', " ");
    let back = recover(&server, "ann", &typed).await.unwrap();
    assert_eq!(back.codes_left, 9);
    assert_eq!(me(&server, &back.secret).await.player.unwrap().name, "Ann");
    assert!(back.token.unwrap().signed_in);
    assert_eq!(refusal(recover(&server, "Ann", &codes[0]).await), ErrorReason::NotFound, "used");
    assert_eq!(refusal(recover(&server, "Eve", &codes[1]).await), ErrorReason::NotFound);
    assert_eq!(methods(&server, &token).await.recovery_codes_left, 9);

    let request = SignInWithRecoveryCodeRequest {
        player: "Ann".to_owned(),
        code: codes[1].clone(),
        request_id: "0123456789abcdef".to_owned(),
        ..SignInWithRecoveryCodeRequest::default()
    };
    let first = anonymous(&server).sign_in_with_recovery_code(request.clone()).await.unwrap();
    let retried = anonymous(&server).sign_in_with_recovery_code(request).await.unwrap();
    assert_eq!(first.into_inner().secret, retried.into_inner().secret, "a retry");
}

#[tokio::test]
async fn wrong_recovery_codes_lock_the_account_but_not_its_tokens() {
    let server = start(in_memory()).await;
    let token = server.register("Ann").await;
    let created = of(&server, &token).create_recovery_codes(CreateRecoveryCodesRequest {}).await;
    let codes = created.unwrap().into_inner().codes;
    let guesses = (0..30).map(|_| recover(&server, "Ann", "0000-0000-0000-0000"));
    let reasons: Vec<ErrorReason> =
        futures_util::future::join_all(guesses).await.into_iter().map(refusal).collect();
    let wrong = reasons.iter().filter(|reason| **reason == ErrorReason::NotFound).count();
    assert_eq!(wrong, 10, "{reasons:?}");
    let locked = recover(&server, "Ann", &codes[0]).await.unwrap_err();
    assert_eq!(reason(&locked), ErrorReason::RateLimited);
    let wait = locked.get_details_retry_info().unwrap().retry_delay.unwrap();
    assert!((3_500..=3_600).contains(&wait.as_secs()), "{wait:?}");
    me(&server, &token).await;
    assert_eq!(methods(&server, &token).await.recovery_codes_left, 10);
}

#[tokio::test]
async fn methods_are_off_unless_the_operator_enables_them() {
    let server = start(in_memory()).await;
    let token = server.register("Ann").await;
    for choice in [passkey(), mail(ADDRESS), provider("Example")] {
        let refused = begin(&server, choice.clone()).await;
        assert_eq!(refusal(refused), ErrorReason::SignInOff);
        assert_eq!(refusal(begin_adding(&server, &token, choice).await), ErrorReason::SignInOff);
    }
    assert_eq!(field(&begin(&server, None).await.unwrap_err()), "choice");
    let info = server.anonymous().get_server_info(GetServerInfoRequest {}).await.unwrap();
    let info = info.into_inner();
    assert!(!info.passkeys_on && !info.mail_sign_in_on && info.sign_in_providers.is_empty());
}

#[tokio::test]
async fn tokens_show_their_last_use_and_client() {
    let server = start(in_memory()).await;
    let token = server.register("Ann").await;
    let used = async || {
        let listed = server.player(&token).list_tokens(ListTokensRequest {}).await.unwrap();
        listed.into_inner().tokens.remove(0)
    };
    let deadline = std::time::Instant::now() + support::PATIENCE;
    let mut shown = used().await;
    while shown.use_time.is_none() && std::time::Instant::now() < deadline {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        shown = used().await;
    }
    assert!(shown.use_time.is_some() && shown.agent.starts_with("tonic/"), "{shown:?}");
    let seconds = |time: Option<prost_types::Timestamp>| time.expect("a time").seconds;
    assert!(seconds(shown.use_time) >= seconds(shown.create_time), "{shown:?}");
}

fn with_passkeys() -> Settings {
    Settings {
        page_origin: Some(ORIGIN.to_owned()),
        sign_in: vec![Enabled::Passkey],
        ..in_memory()
    }
}

fn challenge(attempt: &SignInAttempt) -> Vec<u8> {
    let options: serde_json::Value = serde_json::from_str(&attempt.passkey_options).unwrap();
    URL_SAFE_NO_PAD.decode(options["challenge"].as_str().unwrap()).unwrap()
}

/// Adds a passkey to an account.
async fn device(server: &TestServer, token: &str) -> Authenticator {
    let player_id = me(server, token).await.player.unwrap().player_id;
    let attempt = begin_adding(server, token, passkey()).await.unwrap();
    let device = Authenticator::new(false, "localhost", ORIGIN, &player_id, challenge(&attempt));
    let registered = Proof::Passkey(device.registration(&[]));
    let added = add(server, token, &attempt.attempt_id, registered).await.unwrap();
    assert_eq!((added.kind(), added.name.as_str()), (SignInKind::Passkey, "my phone"));
    device
}

#[tokio::test]
async fn a_passkey_is_added_and_signs_in() {
    let server = start(with_passkeys()).await;
    let token = server.register("Ann").await;
    let mut device = device(&server, &token).await;
    assert!(me(&server, &token).await.has_way_back);

    let attempt = begin(&server, passkey()).await.unwrap();
    device.challenge = challenge(&attempt);
    let response = || Proof::Passkey(device.authentication());
    let done = finish(&server, &attempt.attempt_id, response()).await.unwrap();
    assert!(!done.created && done.token.unwrap().signed_in);
    assert_eq!(me(&server, &done.secret).await.player.unwrap().name, "Ann");
    let again = finish(&server, &attempt.attempt_id, response()).await;
    assert_eq!(refusal(again), ErrorReason::NotFound, "an attempt signs in once");

    let attempt = begin(&server, passkey()).await.unwrap();
    let wrong = finish(&server, &attempt.attempt_id, response()).await.unwrap_err();
    assert_eq!(
        (reason(&wrong), field(&wrong).as_str()),
        (ErrorReason::InvalidField, "proof.passkey"),
        "the challenge is that of another attempt"
    );
    let other = finish(&server, &attempt.attempt_id, code("123456")).await.unwrap_err();
    assert_eq!(field(&other), "proof");

    let listed = methods(&server, &token).await.methods;
    assert!(listed[0].use_time.is_some());
    let remove =
        |confirmed| RemoveSignInMethodRequest { method_id: listed[0].method_id.clone(), confirmed };
    let mut ann = of(&server, &token);
    let refused = ann.remove_sign_in_method(remove(false)).await;
    assert_eq!(refusal(refused), ErrorReason::NoWayBack);
    ann.remove_sign_in_method(remove(true)).await.unwrap();
    assert_eq!(refusal(ann.remove_sign_in_method(remove(true)).await), ErrorReason::NotFound);
    let attempt = begin(&server, passkey()).await.unwrap();
    device.challenge = challenge(&attempt);
    let unknown = Proof::Passkey(device.authentication());
    assert_eq!(refusal(finish(&server, &attempt.attempt_id, unknown).await), ErrorReason::NotFound);
}

#[tokio::test]
async fn an_attempt_of_one_account_adds_nothing_to_another() {
    let server = start(with_passkeys()).await;
    let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
    let mut of_ann = device(&server, &ann).await;
    let attempt = begin_adding(&server, &ann, passkey()).await.unwrap();
    let response = || Proof::Passkey(of_ann.registration(&[]));
    let stolen = add(&server, &bob, &attempt.attempt_id, response()).await;
    assert_eq!(refusal(stolen), ErrorReason::NotFound);
    let signing_in = finish(&server, &attempt.attempt_id, response()).await;
    assert_eq!(refusal(signing_in), ErrorReason::NotFound);

    let attempt = begin_adding(&server, &bob, passkey()).await.unwrap();
    of_ann.challenge = challenge(&attempt);
    let taken = Proof::Passkey(of_ann.registration(&[]));
    let taken = add(&server, &bob, &attempt.attempt_id, taken).await;
    assert_eq!(refusal(taken), ErrorReason::SignInTaken);
}

async fn mailing(registration: Registration) -> (TestServer, MailServer) {
    let mails = MailServer::start().await;
    let settings = Settings {
        page_origin: Some(ORIGIN.to_owned()),
        sign_in: vec![Enabled::Mail, Enabled::Passkey],
        notices_smtp: Some(mails.url.parse().unwrap()),
        notices_from: Some("Games <games@example.org>".to_owned()),
        registration: Some(registration),
        // The limit by address would end the guesses first.
        auth_limit: Some(0),
        trusted_proxy: vec!["127.0.0.1/32".parse().unwrap()],
        ..in_memory()
    };
    (start(settings).await, mails)
}

fn digits(mail: &Mail) -> String {
    let line = mail.text.lines().find(|line| line.starts_with("    ")).expect("a code");
    line.trim().to_owned()
}

/// Returns the attempt and the code of the link in an email.
fn link(mail: &Mail) -> (String, String) {
    let link = mail.text.lines().find_map(|line| line.split_once("#mail=")).expect("a link").1;
    let (attempt_id, long) = link.trim().split_once('.').expect("a code");
    (attempt_id.to_owned(), long.to_owned())
}

/// Returns a wrong code of six digits.
fn other_than(digits: &str) -> &'static str {
    if digits == "000000" { "000001" } else { "000000" }
}

#[tokio::test]
async fn a_code_by_email_opens_an_account_and_signs_in_again() {
    let (server, mails) = mailing(Registration::Open).await;
    let attempt = begin(&server, mail("Ann@Example.net")).await.unwrap();
    let sent = mails.next().await;
    assert_eq!(sent.to, "Ann@Example.net");
    let first = finish(&server, &attempt.attempt_id, code(&digits(&sent))).await.unwrap();
    let player = first.player.unwrap();
    assert!(first.created && player.guest);
    let listed = methods(&server, &first.secret).await.methods;
    assert_eq!((listed[0].kind(), listed[0].name.as_str()), (SignInKind::Mail, ADDRESS));
    let again = finish(&server, &attempt.attempt_id, code(&digits(&sent))).await;
    assert_eq!(refusal(again), ErrorReason::NotFound);

    // The link contains the attempt, so it works in another browser.
    begin(&server, mail(ADDRESS)).await.unwrap();
    let sent = mails.next().await;
    let link = sent.text.lines().find(|line| line.contains("#mail=")).expect("a link").trim();
    let link = link.strip_prefix(&format!("{ORIGIN}/sign-in#mail=")).expect("an address");
    let (attempt_id, long) = link.split_once('.').unwrap();
    let second = finish(&server, attempt_id, code(long)).await.unwrap();
    assert!(!second.created);
    assert_eq!(second.player.unwrap().player_id, player.player_id);
    assert_eq!(refusal(finish(&server, attempt_id, code(long)).await), ErrorReason::NotFound);

    for wrong in ["ann", "ann@", "Ann <ann@example.org>"] {
        let refused = begin(&server, mail(wrong)).await.unwrap_err();
        assert_eq!(field(&refused), "choice.mail.address");
    }
}

#[tokio::test]
async fn wrong_codes_end_the_attempt_and_lock_the_address() {
    let (server, mails) = mailing(Registration::Open).await;
    let mut longs = Vec::new();
    for round in 0..3 {
        let attempt = begin(&server, mail(ADDRESS)).await.unwrap();
        let sent = mails.next().await;
        let (right, id) = (digits(&sent), attempt.attempt_id);
        let link = sent.text.lines().find_map(|line| line.split_once("#mail=")).unwrap().1;
        longs.push((id.clone(), link.trim().split_once('.').unwrap().1.to_owned()));
        let guesses = (0..20).map(|_| finish(&server, &id, code(other_than(&right))));
        let reasons: Vec<ErrorReason> =
            futures_util::future::join_all(guesses).await.into_iter().map(refusal).collect();
        let tried = reasons.iter().filter(|reason| **reason == ErrorReason::InvalidField).count();
        assert_eq!(tried, if round < 2 { 5 } else { 0 }, "{reasons:?}");
        let refused = finish(&server, &id, code(&right)).await;
        assert_eq!(refusal(refused), ErrorReason::NotFound, "the attempt is over");
    }
    let attempt = begin(&server, mail(ADDRESS)).await.unwrap();
    let right = digits(&mails.next().await);
    let locked = finish(&server, &attempt.attempt_id, code(&right)).await;
    assert_eq!(refusal(locked), ErrorReason::RateLimited);
    begin(&server, mail(ADDRESS)).await.unwrap();
    mails.next().await;
    let refused = begin(&server, mail("ANN@example.net")).await;
    assert_eq!(refusal(refused), ErrorReason::RateLimited, "five emails an hour");
    begin(&server, mail("bob@example.net")).await.expect("another address");
    // Links cannot be guessed, so they still work.
    finish(&server, &longs[2].0, code(&longs[2].1)).await.expect("the link works");
}

/// Sign-ins at the same time changed the method, and the attempts of the losers stayed.
#[tokio::test]
async fn attempts_that_finish_at_once_are_not_used_again() {
    let (server, mails) = mailing(Registration::Open).await;
    begin(&server, mail(ADDRESS)).await.unwrap();
    let (attempt_id, long) = link(&mails.next().await);
    finish(&server, &attempt_id, code(&long)).await.unwrap();
    let mut links = Vec::new();
    for _ in 0..4 {
        begin(&server, mail(ADDRESS)).await.unwrap();
        links.push(link(&mails.next().await));
    }
    let finishing = links.iter().map(|(attempt_id, long)| finish(&server, attempt_id, code(long)));
    for done in futures_util::future::join_all(finishing).await {
        let FinishSignInResponse { token, secret, .. } = done.unwrap();
        let request = RevokeTokenRequest { token_id: token.unwrap().token_id };
        server.player(&secret).revoke_token(request).await.unwrap();
    }
    for (attempt_id, long) in &links {
        assert_eq!(refusal(finish(&server, attempt_id, code(long)).await), ErrorReason::NotFound);
    }
}

#[tokio::test]
async fn a_stranger_does_not_use_up_the_emails_of_an_address() {
    let (server, _mails) = mailing(Registration::Open).await;
    let begin_from = async |network: String, address: &str| {
        let mut request = tonic::Request::new(StartSignInRequest { choice: Some(mail(address)) });
        request.metadata_mut().insert("x-forwarded-for", network.parse().unwrap());
        anonymous(&server).start_sign_in(request).await
    };
    for number in 0..5 {
        let address = format!("Ann+{number}@example.net");
        begin_from(format!("2001:db8::{number}"), &address).await.unwrap();
    }
    let refused = begin_from("2001:db8::5".to_owned(), ADDRESS).await;
    assert_eq!(refusal(refused), ErrorReason::RateLimited, "the same network");
    for network in 1..=25 {
        begin_from(format!("198.51.100.{network}"), ADDRESS).await.unwrap();
    }
    let refused = begin_from("198.51.100.26".to_owned(), ADDRESS).await;
    assert_eq!(refusal(refused), ErrorReason::RateLimited, "30 emails from all networks");
}

#[tokio::test]
async fn an_account_causes_ten_emails_an_hour() {
    let (server, _mails) = mailing(Registration::Open).await;
    let token = server.register("Ann").await;
    for number in 0..10 {
        let address = format!("friend{number}@example.net");
        begin_adding(&server, &token, mail(&address)).await.unwrap();
    }
    let refused = begin_adding(&server, &token, mail("friend10@example.net")).await;
    assert_eq!(refusal(refused), ErrorReason::RateLimited);
    begin_adding(&server, &token, passkey()).await.expect("a passkey needs no email");
}

#[tokio::test]
async fn a_closed_server_does_not_reveal_which_addresses_it_knows() {
    let (server, mails) = mailing(Registration::Closed).await;
    let granted = GrantRoleRequest {
        name: "Ann".to_owned(),
        role: AccountRole::Player.into(),
        ..GrantRoleRequest::default()
    };
    let token = server.admin().grant_role(granted).await.unwrap().into_inner().token;
    let attempt = begin_adding(&server, &token, mail(ADDRESS)).await.unwrap();
    let sent = mails.next().await;
    assert!(!sent.text.contains("#mail="), "only the signed-in player can add: {}", sent.text);
    let signing_in = finish(&server, &attempt.attempt_id, code(&digits(&sent))).await;
    assert_eq!(refusal(signing_in), ErrorReason::NotFound);
    add(&server, &token, &attempt.attempt_id, code(&digits(&sent))).await.unwrap();

    let unknown = begin(&server, mail("eve@example.net")).await.unwrap();
    assert!(unknown.expire_time.is_some());
    let known = begin(&server, mail(ADDRESS)).await.unwrap();
    let sent = mails.next().await;
    assert_eq!(sent.to, ADDRESS, "only the known address gets an email");
    finish(&server, &known.attempt_id, code(&digits(&sent))).await.unwrap();
}

#[tokio::test]
async fn an_invitation_is_used_by_the_account_that_the_sign_in_creates() {
    let (server, mails) = mailing(Registration::Invite).await;
    let invited = server.admin().create_invitation(CreateInvitationRequest { uses: Some(1) }).await;
    let invitation = invited.unwrap().into_inner().invitation;
    for (address, expected) in [(ADDRESS, true), ("bob@example.net", false)] {
        let attempt = begin(&server, mail(address)).await.unwrap();
        let right = digits(&mails.next().await);
        let missing = finish(&server, &attempt.attempt_id, code(&right)).await;
        assert_eq!(refusal(missing), ErrorReason::InvitationRequired);
        let request = FinishSignInRequest {
            attempt_id: attempt.attempt_id,
            proof: Some(proof(code(&right))),
            invitation: invitation.clone(),
            ..FinishSignInRequest::default()
        };
        let finished = anonymous(&server).finish_sign_in(request).await;
        assert_eq!(finished.is_ok(), expected, "{address}: {finished:?}");
    }
}

async fn with_provider() -> (TestServer, IdentityProvider) {
    let provider = IdentityProvider::start().await;
    let secret = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(secret.path(), SECRET).unwrap();
    let text = format!("Example={},{CLIENT},{}", provider.issuer, secret.path().display());
    let settings =
        Settings { page_origin: Some(ORIGIN.to_owned()), oidc_provider: vec![text], ..in_memory() };
    (start(settings).await, provider)
}

fn returned((code, state): (String, String)) -> Proof {
    Proof::Provider(ProviderProof { code, state })
}

#[tokio::test]
async fn an_account_of_a_provider_opens_an_account_and_signs_in_again() {
    let (server, identities) = with_provider().await;
    let info = server.anonymous().get_server_info(GetServerInfoRequest {}).await.unwrap();
    assert_eq!(info.into_inner().sign_in_providers, ["Example"]);
    let mut players = Vec::new();
    for (subject, created) in [("1", true), ("1", false), ("2", true)] {
        let attempt = begin(&server, provider("Example")).await.unwrap();
        assert!(attempt.url.contains("redirect_uri=http%3A%2F%2Flocalhost%3A50051%2Fsign-in"));
        let proof = returned(identities.user_signs_in(&attempt.url, subject));
        let done = finish(&server, &attempt.attempt_id, proof).await.unwrap();
        assert_eq!(done.created, created, "{subject}");
        players.push(done.player.unwrap().player_id);
    }
    assert!(players[0] == players[1] && players[1] != players[2], "{players:?}");

    let ann = server.register("Ann").await;
    let attempt = begin_adding(&server, &ann, provider("Example")).await.unwrap();
    let taken = returned(identities.user_signs_in(&attempt.url, "1"));
    let taken = add(&server, &ann, &attempt.attempt_id, taken).await;
    assert_eq!(refusal(taken), ErrorReason::SignInTaken);
    let attempt = begin_adding(&server, &ann, provider("Example")).await.unwrap();
    let own = returned(identities.user_signs_in(&attempt.url, "3"));
    let added = add(&server, &ann, &attempt.attempt_id, own).await.unwrap();
    assert_eq!((added.kind(), added.name.as_str()), (SignInKind::Provider, "Example"));
    assert_eq!(refusal(begin(&server, provider("Other")).await), ErrorReason::SignInOff);
}

#[tokio::test]
async fn a_false_response_of_a_provider_signs_nobody_in() {
    let (server, identities) = with_provider().await;
    let attempt = begin(&server, provider("Example")).await.unwrap();
    let (code, _) = identities.user_signs_in(&attempt.url, "1");
    let forged = returned((code, "another state".to_owned()));
    let refused = finish(&server, &attempt.attempt_id, forged).await.unwrap_err();
    assert_eq!(field(&refused), "proof.provider.state");

    for (claim, value) in [
        ("iss", json!("https://id.example")),
        ("aud", json!("another client")),
        ("nonce", json!("another nonce")),
        ("exp", json!(1)),
    ] {
        identities.claims(claim, value);
        let attempt = begin(&server, provider("Example")).await.unwrap();
        let proof = returned(identities.user_signs_in(&attempt.url, "1"));
        let refused = finish(&server, &attempt.attempt_id, proof).await.unwrap_err();
        assert_eq!(reason(&refused), ErrorReason::ProviderFailed, "{claim}");
        assert!(refused.message().contains(claim), "{refused:?}");
        identities.claims_are_right();
    }
    // The code of another attempt has another PKCE challenge.
    let (mine, theirs) = (
        begin(&server, provider("Example")).await.unwrap(),
        begin(&server, provider("Example")).await.unwrap(),
    );
    let (code, _) = identities.user_signs_in(&theirs.url, "1");
    let (_, state) = identities.user_signs_in(&mine.url, "1");
    let mixed = finish(&server, &mine.attempt_id, returned((code, state))).await;
    assert_eq!(refusal(mixed), ErrorReason::ProviderFailed);
}

#[tokio::test]
async fn a_deleted_account_frees_its_sign_in_methods() {
    let (server, mails) = mailing(Registration::Open).await;
    let sign_in = async || {
        let attempt = begin(&server, mail(ADDRESS)).await.unwrap();
        let right = digits(&mails.next().await);
        finish(&server, &attempt.attempt_id, code(&right)).await.unwrap()
    };
    let first = sign_in().await.player.unwrap();
    let delete = DeletePlayerRequest { player: first.player_id.clone() };
    server.admin().delete_player(delete).await.unwrap();
    let second = sign_in().await;
    assert!(second.created);
    assert_ne!(second.player.unwrap().player_id, first.player_id);
}

#[tokio::test]
async fn an_email_reports_each_change_of_the_ways_back() {
    let (server, mails) = mailing(Registration::Open).await;
    let attempt = begin(&server, mail(ADDRESS)).await.unwrap();
    let right = digits(&mails.next().await);
    let done = finish(&server, &attempt.attempt_id, code(&right)).await.unwrap();
    let (token, name) = (done.secret, done.player.unwrap().name);
    let account = format!("Account: {name}");
    let reported = async |expected: &str| {
        let sent = mails.next().await;
        assert!(sent.to == ADDRESS && sent.text.contains(expected), "{expected}: {sent:?}");
        assert!(sent.text.contains(&account) && sent.text.contains("/account"), "{sent:?}");
    };
    device(&server, &token).await;
    reported("The passkey my phone was added to your account.").await;
    let created = of(&server, &token).create_recovery_codes(CreateRecoveryCodesRequest {}).await;
    reported("recovery codes of your account were replaced").await;
    let codes = created.unwrap().into_inner().codes;
    recover(&server, &name, &codes[0]).await.unwrap();
    reported("A recovery code was used").await;
    // The address is the oldest method, so it is removed last.
    for method in methods(&server, &token).await.methods.into_iter().rev() {
        let request = RemoveSignInMethodRequest { method_id: method.method_id, confirmed: false };
        of(&server, &token).remove_sign_in_method(request).await.unwrap();
        reported("removed from your account").await;
    }
}
