//! Sandboxes: guests at kept seats, dice that no die shows, the owner as game master; and the
//! scenario runner over them.

use std::path::Path;
use std::process::{Command, Output};

use heliopause_proto::v1::*;
use heliopause_tests::{Engine, Player, STARSHIPS, Sandbox, binary, reason, word};
use tonic::{Code, Status};

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

async fn join(player: &Player, game_id: &str, seat: u32) -> Result<Game, Status> {
    let request = JoinGameRequest {
        game_id: game_id.to_owned(),
        seat: (seat > 0).then_some(seat),
        ..JoinGameRequest::default()
    };
    Ok(player.games().join_game(request).await?.into_inner().game.expect("a game"))
}

async fn view(player: &Player, game_id: &str, seat: u32) -> Result<GetViewResponse, Status> {
    let request = GetViewRequest {
        game_id: game_id.to_owned(),
        seat: (seat > 0).then_some(seat),
        as_spectator: false,
        ..GetViewRequest::default()
    };
    Ok(player.games().get_view(request).await?.into_inner())
}

async fn position(player: &Player, game_id: &str) -> Result<GetPositionResponse, Status> {
    let request = GetPositionRequest { game_id: game_id.to_owned() };
    Ok(player.sandboxes().get_position(request).await?.into_inner())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_takes_the_seat_that_is_kept_and_knows_what_it_knows() {
    let engine = Engine::start();
    let (ann, bob, cid) =
        (engine.player("Ann").await, engine.player("Bob").await, engine.player("Cid").await);
    let mut notices =
        bob.games().stream_my_games(StreamMyGamesRequest {}).await.unwrap().into_inner();
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

    // Before they join they may know the game, and nothing of a seat.
    assert!(matches!(bob.game(id).await.seats[1].occupant, Some(seat::Occupant::ReservedFor(_))));
    assert_eq!(reason(&view(&bob, id, 2).await.unwrap_err()), "NOT_YOUR_SEAT");
    assert_eq!(reason(&join(&cid, id, 2).await.unwrap_err()), "GAME_NOT_FOUND");
    assert_eq!(reason(&join(&bob, id, 1).await.unwrap_err()), "NO_OPEN_SEAT");
    let invited = bob
        .players()
        .list_my_games(ListMyGamesRequest::default())
        .await
        .unwrap()
        .into_inner()
        .games;
    assert!(invited.iter().any(|game| game.game_id == *id && game.invited));

    let game = join(&bob, id, 0).await.expect("the seat is kept for Bob");
    assert_eq!(game.your_seat, Some(2));
    assert_eq!(view(&bob, id, 0).await.unwrap().cursor, sandbox.view(2).await.cursor);
    assert_eq!(reason(&view(&bob, id, 1).await.unwrap_err()), "NOT_YOUR_SEAT");
    assert_eq!(reason(&join(&bob, id, 0).await.unwrap_err()), "NO_OPEN_SEAT");

    // What is the owner's alone is told apart from what does not exist.
    assert_eq!(reason(&position(&bob, id).await.unwrap_err()), "ROLE_REQUIRED");
    assert_eq!(reason(&position(&cid, id).await.unwrap_err()), "GAME_NOT_FOUND");
    let events =
        ListMasterEventsRequest { game_id: id.clone(), ..ListMasterEventsRequest::default() };
    assert_eq!(
        reason(&bob.sandboxes().list_master_events(events).await.unwrap_err()),
        "ROLE_REQUIRED"
    );
    let pause = PauseGameRequest { game_id: id.clone(), ..PauseGameRequest::default() };
    assert_eq!(reason(&bob.master().pause_game(pause).await.unwrap_err()), "ROLE_REQUIRED");

    // Both act for the seat: whoever is on turn first, the guest ends the turn of seat 2.
    if ann.game(id).await.on_turn == Some(1) {
        sandbox.order(1, "end").await.expect("the owner orders");
    }
    bob.order(id, "end", "guest-1").await.expect("the guest orders for their own seat");
    assert_eq!(ann.game(id).await.on_turn, Some(1));
    let foreign =
        SetReadyRequest { game_id: id.clone(), seat: Some(1), ..SetReadyRequest::default() };
    assert_eq!(reason(&bob.games().set_ready(foreign).await.unwrap_err()), "NOT_YOUR_SEAT");
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_are_checked_and_a_seat_that_is_declined_is_the_owners() {
    let engine = Engine::start();
    let (ann, bob) = (engine.player("Ann").await, engine.player("Bob").await);
    let refused = async |guests: Vec<SandboxGuest>, automated: Vec<SandboxAutomation>| {
        let created = CreateSandboxGameRequest { guests, automated, ..request() };
        let status = ann.sandboxes().create_sandbox_game(created).await.unwrap_err();
        format!("{} {}", reason(&status), word(&status, "field"))
    };
    let both = vec![SandboxAutomation { seat: 2, by: None }];
    assert!(refused(vec![guest(9, "Bob")], vec![]).await.starts_with("INVALID_FIELD"));
    // The Death Star is nobody's seat to join.
    assert!(refused(vec![guest(3, "Bob")], vec![]).await.starts_with("INVALID_FIELD"));
    assert!(refused(vec![guest(2, "Bob")], both).await.starts_with("INVALID_FIELD"));
    assert!(
        refused(vec![guest(1, "Bob"), guest(2, "Bob")], vec![]).await.starts_with("INVALID_FIELD")
    );
    assert!(refused(vec![guest(2, "Ann")], vec![]).await.starts_with("INVALID_FIELD"));
    assert!(refused(vec![guest(2, "Nobody")], vec![]).await.starts_with("NOT_FOUND"));

    let created = CreateSandboxGameRequest { guests: vec![guest(2, "Bob")], ..request() };
    let sandbox = Sandbox::create(&ann, created).await.expect("a sandbox");
    let decline = DeclineInvitationRequest {
        game_id: sandbox.game_id.clone(),
        ..DeclineInvitationRequest::default()
    };
    bob.games().decline_invitation(decline).await.expect("nobody must play");
    let game = ann.game(&sandbox.game_id).await;
    assert_eq!(game.seats[1].occupant, game.seats[0].occupant, "the owner holds it");
    assert_eq!(reason(&join(&bob, &sandbox.game_id, 2).await.unwrap_err()), "GAME_NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_no_die_shows_is_refused_and_changes_nothing() {
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
    assert_eq!((status.code(), reason(&status).as_str()), (Code::InvalidArgument, "INVALID_FIELD"));
    assert!(
        status.message().contains("scripted 7") && status.message().contains("6 sides"),
        "{status:?}"
    );
    let after = (
        sandbox.view(1).await,
        sandbox.history(1, 0).await,
        position(&ann, &sandbox.game_id).await.unwrap(),
    );
    assert_eq!(before, after);
    let script = ScriptDiceRequest {
        game_id: sandbox.game_id.clone(),
        dice: vec![5, 5],
        replace: true,
        ..ScriptDiceRequest::default()
    };
    ann.sandboxes().script_dice(script).await.expect("other dice");
    sandbox.order(1, "attack A1 B1").await.expect("dice that can be");
    assert!(position(&ann, &sandbox.game_id).await.unwrap().dice.is_empty());
}

/// Security S11: the contract did not list this refusal, so each wrote an error.
#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_past_the_events_of_a_sandbox_is_refused_without_an_error() {
    let engine = Engine::start();
    let ann = engine.player("Ann").await;
    let sandbox = Sandbox::new(&ann, 1, &[]).await;
    let beyond = ListMasterEventsRequest {
        game_id: sandbox.game_id.clone(),
        after: Some(Cursor { number: 1_000, ..Cursor::default() }),
        ..ListMasterEventsRequest::default()
    };
    let refused = ann.sandboxes().list_master_events(beyond).await.unwrap_err();
    assert_eq!(reason(&refused), "CURSOR_INVALID");
    assert!(!engine.log().contains("ERROR"), "{}", engine.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_is_game_master() {
    let engine = Engine::start();
    let ann = engine.player("Ann").await;
    let interval = Some(prost_types::Duration { seconds: 3_600, nanos: 0 });
    let pace = Some(Pace {
        standard: Some(PhasePace { interval, ..PhasePace::default() }),
        ..Pace::default()
    });
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
    assert_eq!(
        ann.players()
            .get_me(GetMeRequest {})
            .await
            .unwrap()
            .into_inner()
            .player
            .unwrap()
            .dedication,
        0,
        "and rates nobody"
    );
    ann.master()
        .excuse_miss(ExcuseMissRequest {
            game_id: id.clone(),
            seat: first,
            ..ExcuseMissRequest::default()
        })
        .await
        .expect("a sandbox has no other master");
    assert_eq!(rating(first, position(&ann, id).await.unwrap()), Some(0));

    let last = position(&ann, id).await.unwrap().last_event;
    let message = SendMessageRequest {
        game_id: id.clone(),
        seat: Some(1),
        to_game_master: true,
        text: "May I?".to_owned(),
        ..SendMessageRequest::default()
    };
    ann.games().send_message(message).await.expect("the owner reads it");
    let request = ListMasterEventsRequest {
        game_id: id.clone(),
        after: Some(Cursor { number: last, ..Cursor::default() }),
        page_size: 1,
        ..ListMasterEventsRequest::default()
    };
    let page = ann.sandboxes().list_master_events(request).await.unwrap().into_inner();
    assert!(
        matches!(&page.events[0].body, Some(event::Body::Message(message)) if message.text == "May \
            I?")
    );
    assert_eq!(page.events[0].number, last + 1);
    let declare = DeclareOutcomeRequest {
        game_id: id.clone(),
        winners: vec![2],
        reason: String::new(),
        ..DeclareOutcomeRequest::default()
    };
    let game = ann.master().declare_outcome(declare).await.unwrap().into_inner().game.unwrap();
    assert_eq!(game.outcome.unwrap().winners, [2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_automation_is_asked_is_told_and_whether_a_worker_is_there() {
    let engine = Engine::start();
    let ann = engine.player("Ann").await;
    let automated =
        vec![SandboxAutomation { seat: 1, by: None }, SandboxAutomation { seat: 2, by: None }];
    let sandbox = Sandbox::create(&ann, CreateSandboxGameRequest { automated, ..request() })
        .await
        .expect("a sandbox");
    let asked = position(&ann, &sandbox.game_id).await.unwrap().asked;
    assert_eq!(asked.len(), 1);
    assert!(!asked[0].worker && !asked[0].by.as_ref().unwrap().profile.is_empty(), "{asked:?}");
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

/// A bot with an account of its own sits in a scenario's game and plays; the scenario waits for
/// what it does.
#[tokio::test(flavor = "multi_thread")]
async fn a_scenario_waits_for_a_bot_with_an_account_of_its_own() {
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
            let games = bob
                .players()
                .list_my_games(ListMyGamesRequest::default())
                .await
                .unwrap()
                .into_inner()
                .games;
            let Some(game) = games.first() else {
                tokio::task::yield_now().await;
                continue;
            };
            if game.invited {
                join(&bob, &game.game_id, 0).await.expect("the seat is kept");
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
async fn a_scenario_says_which_worker_is_missing_and_can_bring_one() {
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
