//! Sandboxes: guests, invalid dice, the owner as game master, and the scenario runner.

use std::path::Path;
use std::process::{Command, Output};

use heliopause_proto::v1::*;
use heliopause_tests::{
    Engine, OfGame as _, Player, STARSHIPS, Sandbox, binary, pace, reason, word,
};
use tonic::Status;

fn request() -> CreateSandboxGameRequest {
    CreateSandboxGameRequest {
        kind: STARSHIPS.to_owned(),
        players: Some(2),
        seed: vec![7; 32].into(),
        ..CreateSandboxGameRequest::default()
    }
}

fn guest(seat: u32, player: &str) -> SandboxGuest {
    SandboxGuest { seat, player: player.to_owned() }
}

async fn view(player: &Player, game_id: &str, seat: u32) -> Result<GetViewResponse, Status> {
    let request =
        GetViewRequest { seat: (seat > 0).then_some(seat), ..GetViewRequest::of(game_id) };
    player.call(request).await
}

async fn position(player: &Player, game_id: &str) -> Result<GetPositionResponse, Status> {
    player.call(GetPositionRequest { game_id: game_id.to_owned() }).await
}

fn copies(game_id: &str, count: u32, request_id: &str) -> CloneSandboxGameRequest {
    let request_id = request_id.to_owned();
    CloneSandboxGameRequest {
        count,
        seed: vec![3; 32].into(),
        request_id,
        ..CloneSandboxGameRequest::of(game_id)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn copies_start_at_the_position_and_continue_independently() {
    let engine = Engine::start();
    let [ann, eve] = engine.players(["Ann", "Eve"]).await;
    let automated = SandboxAutomation {
        seat: 3,
        automation: Some(AutomatedSeat { level: "random".to_owned(), ..AutomatedSeat::default() }),
    };
    let created =
        CreateSandboxGameRequest { dice: vec![6, 5], automated: vec![automated], ..request() };
    let sandbox = Sandbox::create(&ann, created).await.unwrap();
    sandbox.order(1, "end").await.unwrap();
    let source = position(&ann, &sandbox.game_id).await.unwrap();

    let made = ann.does(copies(&sandbox.game_id, 3, "three")).await.game_ids;
    assert_eq!(ann.does(copies(&sandbox.game_id, 3, "three")).await.game_ids, made, "a retry");
    assert_eq!(made.len(), 3);
    let before = ann.game(&sandbox.game_id).await;
    for game_id in &made {
        let copied = position(&ann, game_id).await.unwrap();
        assert_eq!((copied.position, copied.dice), (source.position.clone(), source.dice.clone()));
        let game = ann.game(game_id).await;
        assert!(
            game.sandbox && matches!(game.seats[2].occupant, Some(seat::Occupant::Automated(_)))
        );
        assert_eq!(
            (game.kind, game.pace, game.on_turn),
            (before.kind.clone(), before.pace.clone(), before.on_turn)
        );
        assert_eq!(eve.refusal(GetGameRequest::of(game_id)).await, "GAME_NOT_FOUND");
    }
    let copy = Sandbox { owner: ann.clone(), game_id: made[0].clone(), requests: 0.into() };
    copy.order(2, "end").await.unwrap();
    assert_ne!(position(&ann, &made[0]).await.unwrap().position, source.position);
    for untouched in [&sandbox.game_id, &made[1]] {
        assert_eq!(position(&ann, untouched).await.unwrap().position, source.position);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_running_sandboxes_are_copied_and_only_by_their_owner() {
    let engine = Engine::start();
    let [ann, bob] = engine.players(["Ann", "Bob"]).await;
    let created = CreateSandboxGameRequest { guests: vec![guest(2, "Bob")], ..request() };
    let sandbox = Sandbox::create(&ann, created).await.unwrap();
    bob.try_join(&sandbox.game_id, None).await.unwrap();
    assert_eq!(bob.refusal(copies(&sandbox.game_id, 1, "")).await, "ROLE_REQUIRED");
    assert_eq!(ann.refusal(copies(&sandbox.game_id, 17, "")).await, "INVALID_FIELD");
    let short = CloneSandboxGameRequest { seed: vec![1].into(), ..copies(&sandbox.game_id, 1, "") };
    assert_eq!(ann.refusal(short).await, "INVALID_FIELD");
    let made = ann.does(copies(&sandbox.game_id, 0, "")).await.game_ids;
    let game = ann.game(&made[0]).await;
    assert!(matches!(game.seats[1].occupant, Some(seat::Occupant::Player(_))), "no guest");
    let game_id = ann.create(1).await.game_id;
    assert_eq!(ann.refusal(copies(&game_id, 1, "")).await, "NOT_SANDBOX");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_takes_the_reserved_seat_and_sees_its_view() {
    let engine = Engine::start();
    let [ann, bob, cid] = engine.players(["Ann", "Bob", "Cid"]).await;
    let mut notices = bob.does(StreamMyGamesRequest {}).await;
    let created = CreateSandboxGameRequest { guests: vec![guest(2, "Bob")], ..request() };
    let sandbox = Sandbox::create(&ann, created).await.expect("a sandbox");
    let id = &sandbox.game_id;
    let told = loop {
        let notice =
            notices.message().await.expect("the stream goes on").expect("it has no end").notice;
        if let Some(stream_my_games_response::Notice::Game(notice)) = notice {
            break (notice.kind(), notice.game_id);
        }
    };
    assert_eq!(told, (NoticeKind::Invited, id.clone()));

    assert!(matches!(bob.game(id).await.seats[1].occupant, Some(seat::Occupant::ReservedFor(_))));
    assert_eq!(reason(&view(&bob, id, 2).await.unwrap_err()), "NOT_YOUR_SEAT");
    assert_eq!(reason(&cid.try_join(id, Some(2)).await.unwrap_err()), "GAME_NOT_FOUND");
    assert_eq!(reason(&bob.try_join(id, Some(1)).await.unwrap_err()), "NO_OPEN_SEAT");
    let invited = bob.my_games().await;
    assert!(invited.iter().any(|game| game.game_id == *id && game.invited));

    let game = bob.try_join(id, None).await.expect("the seat is kept for Bob");
    assert_eq!(game.your_seat, Some(2));
    assert_eq!(view(&bob, id, 0).await.unwrap().cursor, sandbox.view(2).await.cursor);
    assert_eq!(reason(&view(&bob, id, 1).await.unwrap_err()), "NOT_YOUR_SEAT");
    assert_eq!(reason(&bob.try_join(id, None).await.unwrap_err()), "NO_OPEN_SEAT");

    // A guest lacks the owner's role. To other players, the game does not exist.
    assert_eq!(reason(&position(&bob, id).await.unwrap_err()), "ROLE_REQUIRED");
    assert_eq!(reason(&position(&cid, id).await.unwrap_err()), "GAME_NOT_FOUND");
    assert_eq!(bob.refusal(ListMasterEventsRequest::of(id)).await, "ROLE_REQUIRED");
    assert_eq!(bob.refusal(PauseGameRequest::of(id)).await, "ROLE_REQUIRED");

    if ann.game(id).await.on_turn == Some(1) {
        sandbox.order(1, "end").await.expect("the owner orders");
    }
    bob.order(id, "end", "guest-1").await.expect("the guest orders for their own seat");
    assert_eq!(ann.game(id).await.on_turn, Some(1));
    let foreign = SetReadyRequest { seat: Some(1), ..SetReadyRequest::of(id) };
    assert_eq!(bob.refusal(foreign).await, "NOT_YOUR_SEAT");
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_are_validated_and_declined_seats_go_to_the_owner() {
    let engine = Engine::start();
    let [ann, bob] = engine.players(["Ann", "Bob"]).await;
    let refused = async |guests: Vec<SandboxGuest>, automated: Vec<SandboxAutomation>| {
        let status = ann.refused(CreateSandboxGameRequest { guests, automated, ..request() }).await;
        format!("{} {}", reason(&status), word(&status, "field"))
    };
    let both = vec![SandboxAutomation { seat: 2, automation: None }];
    assert!(refused(vec![guest(9, "Bob")], vec![]).await.starts_with("INVALID_FIELD"));
    assert!(refused(vec![guest(3, "Bob")], vec![]).await.starts_with("INVALID_FIELD"));
    assert!(refused(vec![guest(2, "Bob")], both).await.starts_with("INVALID_FIELD"));
    assert!(
        refused(vec![guest(1, "Bob"), guest(2, "Bob")], vec![]).await.starts_with("INVALID_FIELD")
    );
    assert!(refused(vec![guest(2, "Ann")], vec![]).await.starts_with("INVALID_FIELD"));
    assert!(refused(vec![guest(2, "Nobody")], vec![]).await.starts_with("NOT_FOUND"));

    let created = CreateSandboxGameRequest { guests: vec![guest(2, "Bob")], ..request() };
    let sandbox = Sandbox::create(&ann, created).await.expect("a sandbox");
    bob.does(DeclineInvitationRequest::of(&sandbox.game_id)).await;
    let game = ann.game(&sandbox.game_id).await;
    assert_eq!(game.seats[1].occupant, game.seats[0].occupant, "the owner holds it");
    assert_eq!(
        reason(&bob.try_join(&sandbox.game_id, Some(2)).await.unwrap_err()),
        "GAME_NOT_FOUND"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_die_value_is_rejected_without_effect() {
    let engine = Engine::start();
    let ann = engine.player("Ann").await;
    let json = r#"{"starshipsAtLarge":{"players":[
        {"starships":[{"serial":1,"at":{"q":1,"r":0}}],"bases":[{"at":{"q":0,"r":2}}]},
        {"starships":[{"serial":1,"at":{"q":1,"r":0}}],"bases":[{"at":{"q":0,"r":-2}}]}],
        "hexes":[{"hex":{"q":0,"r":2},"marker":"MARKER_FRIENDLY","owner":1},{"hex":{"q":0,"r":-2},"marker":"MARKER_FRIENDLY","owner":2}]}}"#;
    let position_given = heliopause_proto::json::from_text(json).expect("a position");
    let created = CreateSandboxGameRequest {
        position: Some(position_given),
        players: None,
        dice: vec![5, 7],
        ..request()
    };
    let sandbox = Sandbox::create(&ann, created).await.expect("a sandbox");
    let before = (
        sandbox.view(1).await,
        sandbox.history(1, 0).await,
        position(&ann, &sandbox.game_id).await.unwrap(),
    );
    let status = sandbox.order(1, "attack A1 B1").await.unwrap_err();
    assert_eq!(reason(&status), "INVALID_FIELD");
    assert!(
        status.message().contains("scripted value 7") && status.message().contains("6 sides"),
        "{status:?}"
    );
    let after = (
        sandbox.view(1).await,
        sandbox.history(1, 0).await,
        position(&ann, &sandbox.game_id).await.unwrap(),
    );
    assert_eq!(before, after);
    let script = ScriptDiceRequest {
        dice: vec![5, 5],
        replace: true,
        ..ScriptDiceRequest::of(&sandbox.game_id)
    };
    ann.does(script).await;
    sandbox.order(1, "attack A1 B1").await.expect("dice that can be");
    assert!(position(&ann, &sandbox.game_id).await.unwrap().dice.is_empty());
}

/// Security S11: the contract did not list this rejection, so each occurrence was logged as an
/// error.
#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_past_a_sandboxs_events_is_rejected_without_error_log() {
    let engine = Engine::start();
    let ann = engine.player("Ann").await;
    let sandbox = Sandbox::new(&ann, 1, &[]).await;
    let beyond = ListMasterEventsRequest {
        after: Some(Cursor { number: 1_000, ..Cursor::default() }),
        ..ListMasterEventsRequest::of(&sandbox.game_id)
    };
    let refused = ann.refused(beyond).await;
    assert_eq!(reason(&refused), "CURSOR_INVALID");
    assert!(!engine.log().contains("ERROR"), "{}", engine.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_is_game_master() {
    let engine = Engine::start();
    let ann = engine.player("Ann").await;
    let pace = pace(3_600);
    let sandbox = Sandbox::create(&ann, CreateSandboxGameRequest { pace, ..request() })
        .await
        .expect("a sandbox");
    let id = &sandbox.game_id;
    let first = ann.game(id).await.on_turn.expect("a turn");
    sandbox.advance(3_700).await.expect("a deadline passes");
    let rating = |seat: u32, answer: GetPositionResponse| {
        answer.ratings.iter().find(|one| one.seat == seat).map(|one| one.change)
    };
    assert_eq!(rating(first, position(&ann, id).await.unwrap()), Some(-3), "it is counted");
    assert_eq!(ann.does(GetMeRequest {}).await.player.unwrap().dedication, 0, "and rates nobody");
    ann.does(ExcuseMissRequest { seat: first, ..ExcuseMissRequest::of(id) }).await;
    assert_eq!(rating(first, position(&ann, id).await.unwrap()), Some(0));

    let last = position(&ann, id).await.unwrap().last_event;
    let message = SendMessageRequest {
        seat: Some(1),
        to_game_master: true,
        text: "May I?".to_owned(),
        ..SendMessageRequest::of(id)
    };
    ann.does(message).await;
    let request = ListMasterEventsRequest {
        after: Some(Cursor { number: last, ..Cursor::default() }),
        page_size: 1,
        ..ListMasterEventsRequest::of(id)
    };
    let page = ann.does(request).await;
    assert!(
        matches!(&page.events[0].body, Some(event::Body::Message(message)) if message.text == "May \
            I?")
    );
    assert_eq!(page.events[0].number, last + 1);
    let declare = DeclareOutcomeRequest { winners: vec![2], ..DeclareOutcomeRequest::of(id) };
    let game = ann.does(declare).await.game.unwrap();
    assert_eq!(game.outcome.unwrap().winners, [2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn pending_automation_is_listed_with_worker_presence() {
    let engine = Engine::start();
    let ann = engine.player("Ann").await;
    let automated = vec![
        SandboxAutomation { seat: 1, automation: None },
        SandboxAutomation { seat: 2, automation: None },
    ];
    let sandbox = Sandbox::create(&ann, CreateSandboxGameRequest { automated, ..request() })
        .await
        .expect("a sandbox");
    let asked = position(&ann, &sandbox.game_id).await.unwrap().asked;
    assert_eq!(asked.len(), 1);
    assert!(
        !asked[0].worker && !asked[0].automation.as_ref().unwrap().profile.is_empty(),
        "{asked:?}"
    );
}

fn scenario(engine: &Engine, file: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(binary("cli-client"));
    command.args(["--engine", &engine.url(), "--color", "never", "scenario"]).arg(file).args(more);
    command
        .env("HELIOPAUSE_CONFIG_DIR", file.parent().expect("a folder"))
        .env("HELIOPAUSE_AI_BIN", binary("ai-client"));
    command.output().expect("cli-client runs")
}

fn written(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scenario_waits_for_a_bot_with_its_own_account() {
    let engine = Engine::start();
    let bob = engine.player("Bob").await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bot.json");
    let text = r#"{ "name": "A bot", "game": "starships-at-large", "players": 1, "seats": { "1": { "account": "Bob" } },
        "steps": [{ "await": "20s", "expect": { "view": { "1": { "known": { "round": { "$gte": 3 } } } } } }] }"#;
    std::fs::write(&file, text).expect("a file");
    let bot = tokio::spawn(async move {
        let mut orders = 0;
        loop {
            let games = bob.my_games().await;
            let Some(game) = games.first() else {
                tokio::task::yield_now().await;
                continue;
            };
            if game.invited {
                bob.try_join(&game.game_id, None).await.expect("the seat is kept");
            }
            if bob.view(&game.game_id).await.decision.is_some() {
                orders += 1;
                let _ = bob.order(&game.game_id, "end", &format!("bot-{orders}")).await;
            }
        }
    });
    let output =
        tokio::task::spawn_blocking(move || (scenario(&engine, &file, &[]), engine, folder))
            .await
            .expect("it runs");
    bot.abort();
    assert!(output.0.status.success(), "{}", written(&output.0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scenario_names_a_missing_worker_and_can_start_one() {
    let engine = Engine::start();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("auto.json");
    let text = r#"{ "name": "Alone", "game": "starships-at-large", "players": 1, "automated": [{ "seat": 1 }],
        "steps": [{ "settle": "1s" }] }"#;
    std::fs::write(&file, text).expect("a file");
    let told = written(&scenario(&engine, &file, &[]));
    assert!(told.contains("No worker is connected for starships-at-large/captain"), "{told}");
    let text = text.replace(
        r#"{ "settle": "1s" }"#,
        r#"{ "await": "60s", "expect": { "view": { "1": { "known": { "round": { "$gte": 2 } } } } } }"#,
    );
    std::fs::write(&file, text).expect("a file");
    let token = engine.data().join("worker.token");
    let told =
        scenario(&engine, &file, &["--with-ai", "--ai-token-file", &token.display().to_string()]);
    assert!(told.status.success(), "{}", written(&told));
}
