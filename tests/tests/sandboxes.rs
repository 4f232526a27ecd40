//! Sandboxes: guests, invalid dice, the owner as game master, and the scenario runner.

use std::path::Path;
use std::process::Output;
use std::time::Duration;

use heliopause_proto::v1::*;
use heliopause_tests::{
    Engine, OfGame as _, Person, Player, STARSHIPS, Sandbox, binary, next_notice, pace, reason,
    seconds,
};
use tokio::time::timeout;
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
    let (_engine, [ann, eve]) = Engine::with_players(["Ann", "Eve"]).await;
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
    let copy = Sandbox { game_id: made[0].clone(), ..sandbox.at(ann.clone()) };
    copy.order(2, "end").await.unwrap();
    assert_ne!(position(&ann, &made[0]).await.unwrap().position, source.position);
    for untouched in [&sandbox.game_id, &made[1]] {
        assert_eq!(position(&ann, untouched).await.unwrap().position, source.position);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_running_sandboxes_are_copied_and_only_by_their_owner() {
    let (_engine, [ann, bob]) = Engine::with_players(["Ann", "Bob"]).await;
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
    let dice = ScriptDiceRequest { dice: vec![6], ..ScriptDiceRequest::of(&game_id) };
    assert_eq!(ann.refusal(dice).await, "NOT_SANDBOX");
    let clock =
        AdvanceClockRequest { duration: seconds(3_600), ..AdvanceClockRequest::of(&game_id) };
    assert_eq!(ann.refusal(clock).await, "NOT_SANDBOX");
}

#[tokio::test(flavor = "multi_thread")]
async fn engines_without_sandboxes_create_none() {
    let engine = Engine::with(&[]);
    let ann = engine.player("Ann").await;
    let refused = Sandbox::create(&ann, request()).await.err().expect("a refusal");
    assert_eq!(reason(&refused), "NOT_SANDBOX");
}

#[tokio::test(flavor = "multi_thread")]
async fn old_sandboxes_are_removed_and_their_streams_end() {
    let engine = Engine::with(&["--sandbox", "--sandbox-lifetime", "4s"]);
    let ann = engine.player("Ann").await;
    let sandbox = Sandbox::create(&ann, request()).await.expect("a sandbox");
    let mut stream = ann.events(&sandbox.game_id, None).await;
    let ended = async { while let Ok(Some(_)) = stream.message().await {} };
    timeout(Duration::from_mins(1), ended).await.expect("the stream of a removed game ends");
    assert_eq!(reason(&position(&ann, &sandbox.game_id).await.unwrap_err()), "GAME_NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_takes_the_reserved_seat_and_sees_its_view() {
    let (_engine, [ann, bob, cid]) = Engine::with_players(["Ann", "Bob", "Cid"]).await;
    let mut notices = bob.does(StreamMyGamesRequest {}).await;
    let created = CreateSandboxGameRequest { guests: vec![guest(2, "Bob")], ..request() };
    let sandbox = Sandbox::create(&ann, created).await.expect("a sandbox");
    let id = &sandbox.game_id;
    let told = next_notice(&mut notices).await;
    assert_eq!((told.kind(), told.game_id), (NoticeKind::Invited, id.clone()));

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
    let (_engine, [ann, bob]) = Engine::with_players(["Ann", "Bob"]).await;
    let both = vec![SandboxAutomation { seat: 2, automation: None }];
    for (guests, automated, reason) in [
        (vec![guest(9, "Bob")], vec![], "INVALID_FIELD"),
        (vec![guest(3, "Bob")], vec![], "INVALID_FIELD"),
        (vec![guest(2, "Bob")], both, "INVALID_FIELD"),
        (vec![guest(1, "Bob"), guest(2, "Bob")], vec![], "INVALID_FIELD"),
        (vec![guest(2, "Ann")], vec![], "INVALID_FIELD"),
        (vec![guest(2, "Nobody")], vec![], "NOT_FOUND"),
    ] {
        let request = CreateSandboxGameRequest { guests, automated, ..request() };
        assert_eq!(ann.refusal(request).await, reason);
    }

    let created = CreateSandboxGameRequest { guests: vec![guest(2, "Bob")], ..request() };
    let sandbox = Sandbox::create(&ann, created).await.expect("a sandbox");
    bob.does(DeclineInvitationRequest::of(&sandbox.game_id)).await;
    let game = ann.game(&sandbox.game_id).await;
    assert_eq!(game.seats[1].occupant, game.seats[0].occupant, "the owner holds it");
    let refused = bob.try_join(&sandbox.game_id, Some(2)).await.unwrap_err();
    assert_eq!(reason(&refused), "GAME_NOT_FOUND");
}

/// Security S11: the contract did not list this rejection, so each occurrence was logged as an
/// error.
#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_past_a_sandboxs_events_is_rejected_without_error_log() {
    let (engine, [ann]) = Engine::with_players(["Ann"]).await;
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
    let (_engine, [ann]) = Engine::with_players(["Ann"]).await;
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
    let (_engine, [ann]) = Engine::with_players(["Ann"]).await;
    let automated = [1, 2].map(|seat| SandboxAutomation { seat, automation: None }).into();
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
    let mut command = Person::new(&engine.url()).program();
    command.args(["--color", "never", "scenario"]).arg(file).args(more);
    command.env("HELIOPAUSE_AI_BIN", binary("ai-client"));
    command.output().expect("cli-client runs")
}

fn written(output: &Output) -> String {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scenario_waits_for_a_bot_with_its_own_account() {
    let (engine, [bob]) = Engine::with_players(["Bob"]).await;
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
