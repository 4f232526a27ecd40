//! Permissions, clocks, votes, messages, absences, disk and backup of hosted games.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use heliopause_proto::v1::*;
use heliopause_tests::{
    Engine, EngineOptions, OfGame as _, STARSHIPS, Sandbox, binary, order_text, orders_at, pace,
    reason, violation, word,
};

const HOUR: i64 = 3600;

#[tokio::test(flavor = "multi_thread")]
async fn committed_entropy_affects_the_dice() {
    let (engine, [ann, bob]) = Engine::with_players(["Ann", "Bob"]).await;
    let entropy = b"seventeen coin tosses".to_vec();
    let commitment = heliopause_table::chain::sha256(&[&entropy]);
    let game = ann.create(1).await;
    let request = JoinGameRequest {
        entropy_commitment: commitment.to_vec().into(),
        ..JoinGameRequest::of(&game.game_id)
    };
    let game = bob.does(request).await.game.unwrap();
    assert_eq!(game.status(), GameStatus::Revealing);
    let reveal = |entropy: &[u8]| RevealEntropyRequest {
        entropy: entropy.to_vec().into(),
        ..RevealEntropyRequest::of(&game.game_id)
    };
    let refused = bob.refused(reveal(b"something else")).await;
    assert_eq!(reason(&refused), "INVALID_FIELD");
    let game = bob.does(reveal(&entropy)).await.game.unwrap();
    assert_eq!(game.status(), GameStatus::Running);
    engine.admin().await.verified(&game.game_id).await;
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_under_load_can_be_restored_verified_and_continued() {
    let (engine, [owner]) = Engine::with_players(["Ann"]).await;
    let sandbox = Sandbox::new(&owner, 1, &[]).await;
    for _ in 0..20 {
        sandbox.order(1, "mark (0,0)\ntake up (0,0)").await.unwrap();
    }
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("backup.db");
    let copy = Arc::new(tempfile::tempdir().unwrap());
    let program = |arguments: &[&str]| {
        let mut command = Command::new(binary("engine-service"));
        command.args(arguments);
        tokio::task::spawn_blocking(move || command.output().expect("the program runs"))
    };
    let backup = program(&["backup", "--data", text(engine.data()), "--to", text(&file)]);
    let mut flowing = 0;
    while !backup.is_finished() {
        sandbox.order(1, "mark (0,0)\ntake up (0,0)").await.unwrap();
        flowing += 1;
    }
    let backup = backup.await.unwrap();
    assert!(backup.status.success() && flowing > 0, "{}", String::from_utf8_lossy(&backup.stderr));
    let restore = program(&["restore", "--from", text(&file), "--data", text(copy.path())]);
    let restore = restore.await.unwrap();
    assert!(restore.status.success(), "{}", String::from_utf8_lossy(&restore.stderr));
    let arguments = vec!["--sandbox".to_owned()];
    let restored = Engine::on(copy, EngineOptions { arguments, ..EngineOptions::default() });
    let sandbox = sandbox.at(owner.on(restored.channel().await));
    sandbox.owner.verified(&sandbox.game_id).await;
    sandbox.order(1, "end").await.expect("the restored game goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_input_is_rejected_with_its_field() {
    let (_engine, [ann]) = Engine::with_players(["Ann"]).await;
    let table = || CreateGameRequest {
        kind: STARSHIPS.to_owned(),
        seats: vec![SeatPlan::default()],
        ..CreateGameRequest::default()
    };
    let paced = |interval: i64, change: fn(&mut Pace)| {
        let mut pace = pace(interval).expect("a pace");
        change(&mut pace);
        CreateGameRequest { pace: Some(pace), ..table() }
    };
    for request in [
        CreateGameRequest { kind: "chess".to_owned(), ..table() },
        CreateGameRequest { seats: Vec::new(), ..table() },
        CreateGameRequest { seats: vec![SeatPlan::default(); 7], ..table() },
        CreateGameRequest { seats: vec![SeatPlan::default(); 1000], ..table() },
        CreateGameRequest { name: "x".repeat(65), ..table() },
        CreateGameRequest { delegation: 99, ..table() },
        CreateGameRequest { entropy_commitment: vec![1; 5].into(), ..table() },
        CreateGameRequest { automaton_level: "godlike".to_owned(), ..table() },
        paced(HOUR, |pace| pace.utc_offset_minutes = 10_000),
        paced(HOUR, |pace| pace.missed = 77),
        paced(HOUR, |pace| pace.standard.as_mut().unwrap().weekdays = vec![8]),
        paced(-HOUR, |_| {}),
        paced(i64::MAX, |_| {}),
    ] {
        assert_eq!(ann.refusal(request).await, "INVALID_FIELD");
    }
    let sandbox = Sandbox::new(&ann, 1, &[]).await;
    for seconds in [0, -1, i64::MIN, i64::MAX] {
        assert_eq!(reason(&sandbox.advance(seconds).await.unwrap_err()), "INVALID_FIELD");
    }
    let mut view = GetViewRequest { seat: Some(u32::MAX), ..GetViewRequest::of(&sandbox.game_id) };
    assert_eq!(ann.refusal(view.clone()).await, "INVALID_FIELD");
    for game_id in ["", "../../etc/passwd", "💥", &"x".repeat(10_000)] {
        view.game_id = game_id.to_owned();
        let refused = ann.refused(view.clone()).await;
        assert!(
            ["INVALID_FIELD", "GAME_NOT_FOUND"].contains(&reason(&refused).as_str()),
            "{refused:?}"
        );
    }
    let strange = GetHistoryRequest {
        after: Some(Cursor { number: u64::MAX, ..Cursor::default() }),
        page_size: u32::MAX,
        ..GetHistoryRequest::of(&sandbox.game_id)
    };
    assert_eq!(ann.refusal(strange).await, "CURSOR_INVALID");
}

/// Contract 6: all lists of history are paged alike, start at any position, and reject page tokens
/// of other lists.
#[tokio::test(flavor = "multi_thread")]
async fn contract_6_history_is_read_in_pages_from_any_position() {
    let (_engine, [ann]) = Engine::with_players(["Ann"]).await;
    let sandbox = Sandbox::new(&ann, 2, &[]).await;
    let seat = ann.game(&sandbox.game_id).await.on_turn.expect("a turn");
    sandbox.order(seat, "end").await.expect("a turn ends");
    let all = sandbox.history(seat, 0).await;
    assert!(all.len() >= 5, "{all:?}");
    let own = Audience { kind: Some(audience::Kind::Seat(seat)) };
    let after =
        |audience: Option<Audience>, number| Some(Cursor { audience, number, ..Cursor::default() });
    let mut request = GetHistoryRequest {
        seat: Some(seat),
        after: after(Some(own), 1),
        page_size: 2,
        ..GetHistoryRequest::of(&sandbox.game_id)
    };
    assert_eq!(ann.history(request.clone()).await, all[1..]);
    let page = ann.does(request.clone()).await;
    assert_eq!(page.events, all[1..3]);
    request.page_token = page.next_page_token;

    let others = GetHistoryRequest { seat: Some(3 - seat), after: None, ..request.clone() };
    let refused = ann.refused(others).await;
    assert_eq!(reason(&refused), "INVALID_FIELD");
    assert!(refused.message().contains("different filters"), "{refused:?}");

    let foreign = Audience { kind: Some(audience::Kind::Seat(3 - seat)) };
    for after in [after(Some(foreign), 1), after(Some(own), 10_000)] {
        let request = GetHistoryRequest { after, page_token: String::new(), ..request.clone() };
        let refused = ann.refused(request).await;
        assert_eq!(reason(&refused), "CURSOR_INVALID");
        assert_eq!(word(&refused, "audience"), format!("seat {seat}"));
        assert_eq!(word(&refused, "next"), (all.len() + 1).to_string());
    }
}

/// Terminal T8: the error for a spectator's order asked for a phase.
#[tokio::test(flavor = "multi_thread")]
async fn a_spectators_order_gets_a_clear_error() {
    let (_engine, [ann, bob]) = Engine::with_players(["Ann", "Bob"]).await;
    let game = ann.create(1).await;
    let order = SubmitOrdersRequest {
        request_id: "watching".to_owned(),
        orders: order_text("end"),
        ..SubmitOrdersRequest::of(&game.game_id)
    };
    let refused = bob.refused(order.clone()).await;
    assert_eq!(reason(&refused), "NOT_YOUR_SEAT");
    assert!(refused.message().contains("Spectators cannot give orders"), "{refused:?}");
    let refused = ann.refused(order).await;
    assert_eq!(reason(&refused), "INVALID_FIELD", "a player has a phase to name");
}

/// Contract 5: an omitted seat does not mean the first seat, and a seat of 0 is rejected.
#[tokio::test(flavor = "multi_thread")]
async fn contract_5_an_omitted_seat_is_not_zero() {
    let (_engine, [ann]) = Engine::with_players(["Ann"]).await;
    let sandbox = Sandbox::new(&ann, 2, &[]).await;
    let look = GetViewRequest::of(&sandbox.game_id);
    let none = GetViewRequest { seat: Some(0), ..look.clone() };
    assert_eq!(ann.refusal(none).await, "INVALID_FIELD");
    let view = ann.does(GetViewRequest { as_spectator: true, ..look }).await;
    assert_eq!((view.phase, view.revision), (None, None), "who holds no seat has no phase");
    let seat = ann.game(&sandbox.game_id).await.on_turn.expect("a turn");
    let view = sandbox.view(seat).await;
    let order = orders_at(&view, &sandbox.game_id, Some(seat), "left-out", "end");
    for (named, request) in [
        ("phase", SubmitOrdersRequest { phase: None, ..order.clone() }),
        ("revision", SubmitOrdersRequest { revision: None, ..order.clone() }),
    ] {
        let refused = ann.refused(request).await;
        assert_eq!(reason(&refused), "INVALID_FIELD");
        assert!(format!("{refused:?}").contains(named), "{refused:?}");
    }
    ann.does(order).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_automation_is_rejected_even_if_unused() {
    let (_engine, [ann]) = Engine::with_players(["Ann"]).await;
    let game = ann.create_with(0, |request| request.start_when_full = false).await;
    let start = |fill: AutomatedSeat| StartGameRequest {
        fill: Some(fill),
        ..StartGameRequest::of(&game.game_id)
    };
    let nonsense = || "nonsense".to_owned();
    for (fill, field) in [
        (AutomatedSeat { level: nonsense(), ..AutomatedSeat::default() }, "fill.level"),
        (AutomatedSeat { profile: nonsense(), ..AutomatedSeat::default() }, "fill.profile"),
    ] {
        let refused = ann.refused(start(fill)).await;
        assert_eq!((reason(&refused), violation(&refused)), ("INVALID_FIELD".into(), field.into()));
    }
    let started = ann.does(start(AutomatedSeat::default())).await.game.unwrap();
    assert_eq!(started.status(), GameStatus::Running);
}
