//! Notices to people without an open connection: webhooks and email, with real receivers.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use heliopause_proto::v1::create_notice_channel_request::Target;
use heliopause_proto::v1::*;
use heliopause_tests::push_device::{self, PushDevice as Device};
use heliopause_tests::{
    Answer, Engine, EngineOptions, MailServer, OfGame as _, Player, Postgres, Receiver,
    WebhookRequest, pace, reason, seconds, until_some, violation, word,
};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tonic::Status;

const QUIET: Duration = Duration::from_secs(3);

const PRIVATE: [&str; 2] = ["--notices-webhooks", "--notices-private-addresses"];

fn engine() -> Engine {
    Engine::with(&PRIVATE)
}

async fn start() -> (Engine, [Player; 2], Receiver) {
    let engine = engine();
    let players = engine.players(["Ann", "Bob"]).await;
    (engine, players, Receiver::start().await)
}

async fn create(
    player: &Player,
    target: Target,
    settings: NoticeSettings,
) -> Result<CreateNoticeChannelResponse, Status> {
    let request = CreateNoticeChannelRequest {
        target: Some(target),
        settings: Some(settings),
        ..CreateNoticeChannelRequest::default()
    };
    player.call(request).await
}

fn hook(url: String) -> Target {
    Target::Webhook(Webhook { url, ..Webhook::default() })
}

fn kinds(kinds: &[NoticeKind]) -> NoticeSettings {
    let kinds = kinds.iter().map(|&kind| kind.into()).collect();
    NoticeSettings { kinds, ..NoticeSettings::default() }
}

async fn listens(player: &Player, url: String, settings: NoticeSettings) -> (String, String) {
    let made = create(player, hook(url), settings).await.expect("a channel");
    (made.channel.expect("a channel").channel_id, made.secret)
}

async fn channels(player: &Player) -> ListNoticeChannelsResponse {
    player.does(ListNoticeChannelsRequest {}).await
}

async fn until(player: &Player, is_so: impl Fn(&NoticeChannel) -> bool) -> NoticeChannel {
    until_some("a channel is so", async || {
        channels(player).await.channels.into_iter().find(|channel| is_so(channel))
    })
    .await
}

const DIPLOMACY: &str = "diplomacy";

async fn game_of(ann: &Player, bob: &Player, name: &str) -> Game {
    let game = ann
        .create_with(1, |request| {
            name.clone_into(&mut request.name);
            DIPLOMACY.clone_into(&mut request.kind);
        })
        .await;
    bob.join(&game.game_id).await;
    ann.game(&game.game_id).await
}

async fn cancel(admin: &Player, game: &Game) {
    let request = CancelAnyGameRequest {
        why: "A test.".to_owned(),
        ..CancelAnyGameRequest::of(&game.game_id)
    };
    admin.does(request).await;
}

fn verify(posted: &WebhookRequest, secret: &str) {
    let header = &posted.headers["heliopause-signature"];
    let (time, signed) = header.split_once(",v1=").expect("two parts");
    let time = time.strip_prefix("t=").expect("a time");
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("{time}.{}", posted.body).as_bytes());
    let hash = mac.finalize().into_bytes();
    let hash = hash.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
    assert_eq!(signed, hash);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    assert!(now.as_secs().abs_diff(time.parse().unwrap()) < 60, "{time}");
}

async fn check_notices(engine: &Engine) {
    let [ann, bob] = engine.players(["Ann", "Bob"]).await;
    let (for_ann, for_bob) = (Receiver::start().await, Receiver::start().await);
    let (_, secret) = listens(&ann, for_ann.url("/ann?x=y"), NoticeSettings::default()).await;
    listens(&bob, for_bob.url("/bob"), NoticeSettings::default()).await;
    let game = game_of(&ann, &bob, "Friday").await;

    let turn = for_ann.next().await;
    verify(&turn, &secret);
    assert_eq!(turn.path, "/ann?x=y");
    assert_eq!(turn.headers["heliopause-kind"], "your_decision");
    assert_eq!(turn.headers["content-type"], "application/json");
    assert_eq!(turn.headers["heliopause-notice"], turn.word("id"));
    for (field, wanted) in [
        ("kind", "your_decision"),
        ("game_id", &game.game_id),
        ("name", "Friday"),
        ("game_kind", DIPLOMACY),
    ] {
        assert_eq!(turn.word(field), wanted);
    }
    assert_eq!(turn.json()["seat"], 1);
    assert!(!turn.word("text").is_empty() && !turn.word("time").is_empty());

    let letter = SendMessageRequest {
        to_seats: vec![2],
        text: "The password is swordfish".to_owned(),
        ..SendMessageRequest::of(&game.game_id)
    };
    ann.does(letter).await;
    let told = for_bob.next_of("message").await;
    assert!(told.word("text").contains("Ann"), "{}", told.body);
    assert!(!told.body.contains("swordfish"), "{}", told.body);

    cancel(&engine.admin().await, &game).await;
    let ended = for_ann.next().await;
    assert_eq!(
        ended.headers["heliopause-kind"], "ended",
        "nobody has notice of a letter of their own"
    );
    assert_ne!(ended.word("id"), turn.word("id"));
    for_bob.next_of("ended").await;
    assert!(for_ann.within(QUIET).await.is_none() && for_bob.within(QUIET).await.is_none());
    let channel = until(&ann, |channel| channel.success_time.is_some()).await;
    assert_eq!((channel.state(), channel.failure.as_str()), (NoticeChannelState::Active, ""));
}

#[tokio::test(flavor = "multi_thread")]
async fn notices_reach_a_webhook_from_a_directory() {
    check_notices(&engine()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn notices_reach_a_webhook_from_a_database() {
    let Some(postgres) = Postgres::shared() else { return };
    check_notices(&Engine::on_database(&postgres.database("games"), &PRIVATE)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unsent_notices_of_a_dead_engine_are_sent_with_the_same_id() {
    let (mut engine, [ann, bob], receiver) = start().await;
    receiver.answers(Answer::Status(503, String::new()));
    listens(&ann, receiver.url("/"), kinds(&[NoticeKind::YourDecision])).await;
    game_of(&ann, &bob, "Friday").await;
    let first = receiver.next().await;
    engine = engine.kill_and_restart();
    receiver.answers(Answer::Taken);
    let second = receiver.next().await;
    assert_eq!((second.word("id"), second.word("text")), (first.word("id"), first.word("text")));
    assert!(receiver.within(QUIET).await.is_none());
    let ann = ann.on(engine.channel().await);
    until(&ann, |channel| channel.success_time.is_some()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_one_of_two_engines_sends_a_notice() {
    let Some(postgres) = Postgres::shared() else { return };
    let address = postgres.database("games");
    let engines = [0, 1].map(|_| Engine::on_database(&address, &PRIVATE));
    let receiver = Receiver::start().await;
    let ann = engines[0].player("Ann").await;
    let bob = engines[0].player("Bob").await;
    let bob_there = bob.on(engines[1].channel().await);
    listens(&ann, receiver.url("/"), kinds(&[NoticeKind::YourDecision])).await;
    let mut games = Vec::new();
    for _ in 0..10 {
        games.push(game_of(&ann, &bob_there, "Many").await.game_id);
    }
    let mut told: HashMap<String, Vec<String>> = HashMap::new();
    while told.len() < games.len() {
        let posted = receiver.next().await;
        told.entry(posted.word("game_id")).or_default().push(posted.word("id"));
    }
    while let Some(posted) = receiver.within(QUIET).await {
        told.entry(posted.word("game_id")).or_default().push(posted.word("id"));
    }
    assert!(told.values().all(|ids| ids.len() == 1), "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_that_are_private_or_no_https_are_rejected() {
    let engine = Engine::with(&["--notices-webhooks"]);
    let ann = engine.player("Ann").await;
    for url in [
        "https://127.0.0.1/",
        "https://localhost/",
        "https://0x7f.1/",
        "https://[::1]/",
        "https://10.0.0.1/",
        "https://169.254.169.254/latest/meta-data/",
        "http://1.1.1.1/",
        "ftp://1.1.1.1/",
        "https://ann@1.1.1.1/",
        "https://nobody.invalid/",
        "1.1.1.1",
        "",
    ] {
        let refused = create(&ann, hook(url.to_owned()), NoticeSettings::default()).await;
        let refused = refused.expect_err(url);
        assert_eq!(reason(&refused), "INVALID_FIELD", "{url}: {refused:?}");
        assert_eq!(violation(&refused), "webhook.url", "{url}");
    }
    assert!(channels(&ann).await.channels.is_empty());
}

/// After a restart without permission for private addresses, an old channel gets nothing.
#[tokio::test(flavor = "multi_thread")]
async fn an_address_is_checked_before_each_attempt() {
    let mut allowing = engine();
    let ann = allowing.player("Ann").await;
    let receiver = Receiver::start().await;
    let (channel_id, _) = listens(&ann, receiver.url("/"), NoticeSettings::default()).await;
    allowing.kill();
    let arguments = vec!["--notices-webhooks".to_owned()];
    let options = EngineOptions { arguments, ..EngineOptions::default() };
    let engine = Engine::on(allowing.data_directory(), options);
    let ann = ann.on(engine.channel().await);
    let told = ann.does(TestNoticeChannelRequest { channel_id }).await;
    assert!(!told.delivered && !told.failure.is_empty(), "{told:?}");
    assert!(receiver.within(QUIET).await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_sends_nothing_unless_enabled_by_its_operator() {
    let engine = Engine::with(&[]);
    let ann = engine.player("Ann").await;
    for (target, feature) in [
        (hook("https://1.1.1.1/".to_owned()), "webhooks"),
        (mailbox("ann@example.org"), "mail"),
        (Target::Push(PushDevice::default()), "push messages"),
    ] {
        let refused = create(&ann, target, NoticeSettings::default()).await.unwrap_err();
        assert_eq!(
            (reason(&refused), word(&refused, "feature")),
            ("NOTICES_OFF".into(), feature.into())
        );
    }
    let listed = channels(&ann).await;
    assert!(!listed.webhooks_on && !listed.mail_on);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_misbehaving_receiver_is_isolated_and_reported_to_its_player() {
    let engine = engine();
    let elsewhere = Receiver::start().await;
    let redirect = format!("location: {}\r\n", elsewhere.url("/"));
    let cases = [
        (Answer::Taken, ""),
        (Answer::EndlessBody, ""),
        (Answer::Status(302, redirect), "redirects are not followed"),
        (Answer::Status(500, String::new()), "500"),
        (Answer::EndlessHeaders, "head is too large"),
        (Answer::Hang, "10 s"),
    ];
    let mut tests = Vec::new();
    for (index, (answer, wanted)) in cases.into_iter().enumerate() {
        let player = engine.player(&format!("Player {index}")).await;
        let receiver = Receiver::start().await;
        receiver.answers(answer.clone());
        let (channel_id, _) = listens(&player, receiver.url("/"), NoticeSettings::default()).await;
        tests.push(tokio::spawn(async move {
            let request = TestNoticeChannelRequest { channel_id: channel_id.clone() };
            let told = player.does(request.clone()).await;
            assert_eq!(told.delivered, wanted.is_empty(), "{answer:?}: {told:?}");
            assert!(told.failure.contains(wanted), "{answer:?}: {told:?}");
            assert_eq!(receiver.next().await.word("kind"), "test");
            let again = player.call(request).await;
            assert!(again.is_ok() || reason(&again.unwrap_err()) == "RATE_LIMITED");
        }));
    }
    for test in tests {
        test.await.unwrap();
    }
    assert!(elsewhere.within(Duration::from_millis(10)).await.is_none());
    let player = engine.player("Nobody").await;
    let (channel_id, _) =
        listens(&player, "http://127.0.0.1:1/".to_owned(), NoticeSettings::default()).await;
    let told = player.does(TestNoticeChannelRequest { channel_id }).await;
    assert!(told.failure.contains("unreachable"), "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_receiver_is_disabled_and_can_be_enabled_again() {
    let (_engine, [ann, bob], receiver) = start().await;
    receiver.answers(Answer::Status(410, String::new()));
    let settings = || kinds(&[NoticeKind::YourDecision]);
    let (channel_id, _) = listens(&ann, receiver.url("/"), settings()).await;
    game_of(&ann, &bob, "One").await;
    receiver.next().await;
    let off = until(&ann, |channel| channel.state() == NoticeChannelState::Off).await;
    assert!(off.off_because.contains("410"), "{off:?}");
    receiver.answers(Answer::Taken);
    game_of(&ann, &bob, "Two").await;
    assert!(receiver.within(QUIET).await.is_none());
    ann.does(UpdateNoticeChannelRequest { channel_id, settings: Some(settings()) }).await;
    game_of(&ann, &bob, "Three").await;
    assert_eq!(receiver.next().await.word("name"), "Three");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_receiver_does_not_delay_others() {
    let engine = engine();
    let [ann, bob] = engine.players(["Ann", "Bob"]).await;
    let (slow, quick) = (Receiver::start().await, Receiver::start().await);
    slow.answers(Answer::Hang);
    for _ in 0..5 {
        listens(&bob, slow.url("/"), kinds(&[NoticeKind::Started])).await;
    }
    listens(&ann, quick.url("/"), kinds(&[NoticeKind::YourDecision])).await;
    for _ in 0..10 {
        game_of(&ann, &bob, "Many").await;
    }
    slow.next().await;
    let begun = Instant::now();
    for _ in 0..10 {
        quick.next().await;
    }
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_receiver_gets_each_notice_once() {
    let engine = engine();
    let [ann, bob] = engine.players(["Ann", "Bob"]).await;
    let slow = Receiver::start().await;
    slow.answers(Answer::Slow(Duration::from_secs(6)));
    listens(&bob, slow.url("/"), kinds(&[NoticeKind::Started])).await;
    for _ in 0..6 {
        game_of(&ann, &bob, "Many").await;
    }
    let mut ids = HashSet::new();
    for _ in 0..6 {
        assert!(ids.insert(slow.next().await.word("id")), "no notice comes twice");
    }
    let again = slow.within(Duration::from_secs(10)).await;
    assert!(again.is_none(), "{again:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_muted_game_is_silent() {
    let (engine, [ann, bob], receiver) = start().await;
    let settings = || kinds(&[NoticeKind::Started, NoticeKind::Ended]);
    listens(&ann, receiver.url("/"), settings()).await;
    let admin = engine.admin().await;
    let waiting =
        |name: &'static str| ann.create_with(1, move |request| request.name = name.into());
    let (loud, muted, half) =
        (waiting("Loud").await, waiting("Muted").await, waiting("Half").await);
    let mute =
        |game: &Game, kinds: Vec<i32>| MuteGameRequest { game_id: game.game_id.clone(), kinds };
    ann.does(mute(&muted, vec![])).await;
    ann.does(mute(&half, vec![NoticeKind::Ended.into()])).await;
    assert_eq!(channels(&ann).await.muted.len(), 2);
    assert_eq!(bob.refusal(mute(&loud, vec![])).await, "GAME_NOT_FOUND");
    for game in [&muted, &half, &loud] {
        bob.join(&game.game_id).await;
        cancel(&admin, game).await;
    }
    let mut received = Vec::new();
    while let Some(posted) = receiver.within(QUIET).await {
        received.push(format!("{} {}", posted.word("name"), posted.word("kind")));
    }
    received.sort();
    assert_eq!(received, ["Half started", "Loud ended", "Loud started"]);
    ann.does(UnmuteGameRequest { game_id: muted.game_id.clone() }).await;
    assert_eq!(channels(&ann).await.muted.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deadline_is_announced_while_the_decision_is_pending() {
    let (engine, [ann, bob], receiver) = start().await;
    let settings =
        || NoticeSettings { warn_before: seconds(597), ..kinds(&[NoticeKind::DeadlineNear]) };
    listens(&ann, receiver.url("/"), settings()).await;
    let paced = async |name: &'static str| {
        let change = |request: &mut CreateGameRequest| {
            request.name = name.into();
            request.kind = DIPLOMACY.into();
            request.pace = pace(600);
        };
        let game = ann.create_with(1, change).await;
        bob.join(&game.game_id).await;
        game
    };
    paced("Owed").await;
    let over = paced("Over").await;
    cancel(&engine.admin().await, &over).await;
    let warned = receiver.next().await;
    assert_eq!((warned.word("name"), warned.word("kind")), ("Owed".into(), "deadline_near".into()));
    assert!(warned.word("text").contains("minutes left"), "{}", warned.body);
    assert!(!warned.word("due_time").is_empty());
    assert!(receiver.within(QUIET).await.is_none(), "nothing is owed in the other game");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_has_at_most_five_private_channels() {
    let (_engine, [ann, bob], receiver) = start().await;
    let request = |id: &str, path: &str| CreateNoticeChannelRequest {
        target: Some(hook(receiver.url(path))),
        request_id: id.to_owned(),
        ..CreateNoticeChannelRequest::default()
    };
    let first = ann.does(request("once", "/")).await;
    assert_eq!(ann.does(request("once", "/")).await, first, "a retry");
    assert_eq!(ann.refusal(request("once", "/other")).await, "REQUEST_ID_REUSED");
    for number in 1..5 {
        ann.does(request(&format!("more {number}"), "/")).await;
    }
    let refused = ann.refused(request("sixth", "/")).await;
    assert_eq!((reason(&refused), word(&refused, "limit")), ("QUOTA_EXCEEDED".into(), "5".into()));

    let channel_id = first.channel.unwrap().channel_id;
    let delete = DeleteNoticeChannelRequest { channel_id: channel_id.clone() };
    let test = TestNoticeChannelRequest { channel_id: channel_id.clone() };
    let renew = RenewNoticeSecretRequest { channel_id };
    assert_eq!(bob.refusal(delete.clone()).await, "NOT_FOUND");
    assert_eq!(bob.refusal(test).await, "NOT_FOUND");
    assert_eq!(bob.refusal(renew.clone()).await, "NOT_FOUND");
    assert_ne!(ann.does(renew).await.secret, first.secret);
    ann.does(delete.clone()).await;
    assert_eq!(ann.refusal(delete).await, "NOT_FOUND");
    assert_eq!(channels(&ann).await.channels.len(), 4);
}

async fn posting() -> (Engine, [Player; 2], MailServer) {
    let server = MailServer::start().await;
    let from = "Games <games@example.org>";
    let engine = Engine::with(&["--notices-smtp", &server.url(), "--notices-from", from]);
    let players = engine.players(["Ann", "Bob"]).await;
    (engine, players, server)
}

fn mailbox(address: &str) -> Target {
    Target::Mail(Mailbox { address: address.to_owned() })
}

async fn reads(player: &Player, server: &MailServer, settings: NoticeSettings) -> String {
    let made = create(player, mailbox("ann@example.net"), settings).await.unwrap();
    let channel_id = made.channel.unwrap().channel_id;
    let mail = server.next().await;
    let confirm = ConfirmNoticeChannelRequest {
        channel_id: channel_id.clone(),
        code: code(&mail.text),
        ..ConfirmNoticeChannelRequest::default()
    };
    player.does(confirm).await;
    channel_id
}

fn code(text: &str) -> String {
    let line = text.lines().find(|line| line.starts_with("    ")).expect("a code");
    line.trim().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn mail_goes_only_to_confirmed_addresses() {
    let (_engine, [ann, bob], server) = posting().await;
    for wrong in ["ann", "ann@", "Ann <ann@example.org>", "a@b.example\u{e4}"] {
        let refused = create(&ann, mailbox(wrong), NoticeSettings::default()).await.unwrap_err();
        assert_eq!(
            (reason(&refused), violation(&refused)),
            ("INVALID_FIELD".into(), "mail.address".into())
        );
    }
    let made = create(&ann, mailbox("ann@example.net"), NoticeSettings::default()).await.unwrap();
    let channel = made.channel.unwrap();
    assert_eq!(channel.state(), NoticeChannelState::Unconfirmed);
    assert!(made.secret.is_empty());
    let asked = server.next().await;
    assert_eq!(
        (asked.from.as_str(), asked.to.as_slice()),
        ("games@example.org", &["ann@example.net".to_owned()][..])
    );

    game_of(&ann, &bob, "Too early").await;
    let test = TestNoticeChannelRequest { channel_id: channel.channel_id.clone() };
    let refused = ann.refused(test).await;
    assert_eq!(reason(&refused), "INVALID_FIELD");
    assert!(server.within(QUIET).await.is_none());

    let confirm = |code: &str| ConfirmNoticeChannelRequest {
        channel_id: channel.channel_id.clone(),
        code: code.to_owned(),
        ..ConfirmNoticeChannelRequest::default()
    };
    let wrong = ann.refused(confirm("x")).await;
    assert_eq!((reason(&wrong), violation(&wrong)), ("INVALID_FIELD".into(), "code".into()));
    ann.does(confirm(&code(&asked.text))).await;
    game_of(&ann, &bob, "Friday").await;
    let mail = server.next().await;
    assert_eq!(mail.header("subject"), Some("[Heliopause] Friday: your turn"));
    assert_eq!(mail.header("auto-submitted"), Some("auto-generated"));
    assert_eq!(mail.header("from"), Some("Games <games@example.org>"));
    assert_eq!(mail.header("bcc"), None);
    assert!(mail.header("message-id").is_some_and(|id| id.ends_with("@example.org>")));
    assert!(mail.text.contains("Friday: your turn"), "{}", mail.text);
    assert!(mail.text.contains(&channel.channel_id), "{}", mail.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_digest_contains_only_current_notices() {
    let (engine, [ann, bob], server) = posting().await;
    let settings = NoticeSettings {
        digest: seconds(8),
        ..kinds(&[NoticeKind::YourDecision, NoticeKind::Started])
    };
    reads(&ann, &server, settings).await;
    for name in ["One", "Two", "Three"] {
        game_of(&ann, &bob, name).await;
    }
    let over = game_of(&ann, &bob, "Over").await;
    cancel(&engine.admin().await, &over).await;
    let mut text = String::new();
    let mut mails = 0;
    while !["One", "Two", "Three"].iter().all(|name| text.contains(&format!("{name}: your turn"))) {
        text.push_str(&server.next().await.text);
        mails += 1;
    }
    assert!(mails <= 2, "{mails} mails:\n{text}");
    assert!(!text.contains("Over: your turn"), "nothing is owed there any more:\n{text}");
    assert!(server.within(QUIET).await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn many_messages_are_combined_into_few_mails() {
    let (_engine, [ann, bob], server) = posting().await;
    reads(&ann, &server, kinds(&[NoticeKind::Message])).await;
    let game = game_of(&ann, &bob, "Friday").await;
    let mut writing = JoinSet::new();
    for number in 0..30 {
        let letter = SendMessageRequest {
            to_seats: vec![1],
            text: format!("Letter {number}"),
            ..SendMessageRequest::of(&game.game_id)
        };
        let bob = bob.clone();
        writing.spawn(async move { bob.call(letter).await });
        sleep(Duration::from_millis(10)).await;
    }
    let written = writing.join_all().await;
    assert!(written.iter().all(Result::is_ok), "they may write: {written:?}");
    server.next().await;
    assert!(server.within(QUIET).await.is_none(), "the others wait for the next minute");
    assert!(server.next().await.text.matches("Bob writes to you.").count() > 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn mail_is_retried_when_the_server_is_down() {
    let (_engine, [ann, bob], server) = posting().await;
    reads(&ann, &server, kinds(&[NoticeKind::Started])).await;
    server.refuses(true);
    game_of(&ann, &bob, "Friday").await;
    let failed = until(&ann, |channel| channel.failure_time.is_some()).await;
    assert!(failed.failure.contains("451"), "{failed:?}");
    server.refuses(false);
    assert_eq!(server.next().await.header("subject"), Some("[Heliopause] Friday: game started"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_player_gets_no_more_notices() {
    let (engine, [ann, bob], receiver) = start().await;
    listens(&ann, receiver.url("/"), kinds(&[NoticeKind::Ended])).await;
    let game = game_of(&ann, &bob, "Friday").await;
    let admin = engine.admin().await;
    admin.does(DeletePlayerRequest { player: "Ann".to_owned() }).await;
    let why = "A test.".to_owned();
    let _ =
        admin.call(CancelAnyGameRequest { why, ..CancelAnyGameRequest::of(&game.game_id) }).await;
    assert!(receiver.within(QUIET).await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_sets_up_channels_on_the_command_line() {
    let engine = engine();
    let [ann, bob] = engine.people(["Ann", "Bob"]);
    let receiver = Receiver::start().await;
    let url = receiver.url("/hook");
    let (told, _) = ann.reads(&["notices", "add", "webhook", &url, "--kinds", "started,ended"]);
    assert!(told.contains("Secret that signs the requests: hw_"), "{told}");
    assert!(told.contains("started, ended"), "{told}");
    let listed = ann.does(&["notices", "list"]);
    let id = listed["channels"][0]["channelId"].as_str().expect("an id").to_owned();
    assert_eq!(listed["channels"][0]["webhook"]["url"], url.as_str());
    assert_eq!(listed["webhooksOn"], true);
    let (told, _) = ann.reads(&["notices", "test", &id]);
    assert_eq!(told.trim(), "The test notice was delivered.");
    assert_eq!(receiver.next().await.word("kind"), "test");

    let game = ann.game("starships-at-large", &["--open", "1", "--name", "Friday"]);
    ann.does(&["mute", &game, "--kinds", "ended"]);
    let (told, _) = ann.reads(&["notices", "list"]);
    assert!(told.contains(&format!("Notices muted for game {game}: ended.")), "{told}");
    bob.does(&["join", &game]);
    ann.does(&["start", &game]);
    assert_eq!(receiver.next().await.word("kind"), "started");
    assert!(ann.reads(&["unmute", &game]).0.contains("no longer muted"));
    assert!(ann.reads(&["unmute", &game]).0.contains("was not muted"));
    let (told, _) =
        ann.reads(&["notices", "change", &id, "--kinds", "vote", "--warn-before", "2h"]);
    assert!(
        told.contains("vote; warns 2 h before") || told.contains("vote; warns 2h before"),
        "{told}"
    );
    ann.does(&["notices", "renew", &id]);
    ann.does(&["notices", "remove", &id]);
    let (told, _) = ann.reads(&["notices", "list"]);
    assert!(told.contains("You have no channels."), "{told}");
    assert!(ann.fails(&["notices", "remove", &id]).contains("NOT_FOUND"));
}

#[tokio::test]
async fn push_messages_are_encrypted_and_signed() {
    let engine = engine();
    let [ann, bob] = engine.players(["Ann", "Bob"]).await;
    let service = Receiver::start().await;
    let phone = PushDevice { name: "Phone".to_owned(), ..PushDevice::default() };
    let made = create(&ann, Target::Push(phone), NoticeSettings::default()).await.unwrap();
    let channel = made.channel.expect("a channel");
    assert!(made.secret.is_empty() && channel.state() == NoticeChannelState::Unconfirmed);
    let Some(notice_channel::Target::Push(device)) = channel.target.clone() else {
        panic!("{channel:?}")
    };
    assert_eq!((device.name.as_str(), device.server_key.len()), ("Phone", 65));
    let test = TestNoticeChannelRequest { channel_id: channel.channel_id.clone() };
    assert_eq!(violation(&ann.call(test).await.unwrap_err()), "channel_id");

    let confirm = |subscription| ConfirmNoticeChannelRequest {
        channel_id: channel.channel_id.clone(),
        subscription,
        ..ConfirmNoticeChannelRequest::default()
    };
    let (first, subscription) = Device::subscribe(service.url("/push/1"));
    for (wrong, field) in [
        (None, "subscription"),
        (
            Some(PushSubscription { auth: vec![0; 15].into(), ..subscription.clone() }),
            "subscription.auth",
        ),
        (
            Some(PushSubscription { key: vec![4; 65].into(), ..subscription.clone() }),
            "subscription.key",
        ),
        (
            Some(PushSubscription { endpoint: "example.org".to_owned(), ..subscription.clone() }),
            "subscription.endpoint",
        ),
    ] {
        let refused = ann.call(confirm(wrong)).await.unwrap_err();
        assert_eq!(violation(&refused), field, "{refused}");
    }
    let other = confirm(Some(subscription.clone()));
    assert_eq!(reason(&bob.call(other).await.unwrap_err()), "NOT_FOUND");
    let active = ann.does(confirm(Some(subscription))).await.channel.expect("a channel");
    assert_eq!(active.state(), NoticeChannelState::Active);

    let game = game_of(&ann, &bob, "Friday").await;
    let posted = service.next().await;
    assert_eq!(posted.path, "/push/1");
    assert_eq!(posted.headers["content-encoding"], "aes128gcm");
    assert!(posted.headers["ttl"].parse::<u32>().unwrap() > 0);
    assert!(!posted.body.contains("Friday"), "{}", posted.body);
    let claims = push_device::claims(&posted, &device.server_key);
    assert_eq!(claims["aud"], service.url(""));
    let shown = first.decrypt(&posted.bytes);
    assert_eq!(shown["title"], "Friday: your turn");
    assert_eq!(shown["url"], format!("/game/{}", game.game_id));
    assert!(shown["body"].as_str().is_some_and(|body| !body.is_empty()), "{shown}");

    // The browser renews its subscription. A message between players is not in the notice.
    let (second, renewed) = Device::subscribe(service.url("/push/2"));
    ann.does(confirm(Some(renewed))).await;
    let message = SendMessageRequest {
        to_seats: vec![1],
        text: "The password is swordfish".to_owned(),
        ..SendMessageRequest::of(&game.game_id)
    };
    bob.does(message).await;
    let posted = service.next().await;
    assert_eq!(posted.path, "/push/2");
    let shown = second.decrypt(&posted.bytes);
    assert_eq!(shown["title"], "Friday: new message");
    assert!(!shown.to_string().contains("swordfish"), "{shown}");

    // The device no longer exists.
    service.answers(Answer::Status(404, String::new()));
    cancel(&engine.admin().await, &game).await;
    let off = until(&ann, |channel| channel.state() == NoticeChannelState::Off).await;
    assert!(off.off_because.contains("404"), "{}", off.off_because);
}
