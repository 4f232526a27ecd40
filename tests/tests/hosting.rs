//! Permissions, clocks, votes, messages, absences, disk and backup of hosted games.

use std::sync::Arc;

use heliopause_proto::v1::*;
use heliopause_tests::{
    Engine, EngineOptions, OfGame as _, Player, STARSHIPS, Sandbox, binary, order_text, orders_at,
    reason, seconds, violation, word,
};

const HOUR: i64 = 3600;

fn hours(hours: i64) -> Option<prost_types::Duration> {
    seconds(hours * HOUR)
}

#[expect(clippy::unnecessary_wraps, reason = "the field may be absent")]
fn pace(change: impl FnOnce(&mut Pace)) -> Option<Pace> {
    let standard = Some(PhasePace { interval: hours(24), ..PhasePace::default() });
    let mut pace = Pace { standard, ..Pace::default() };
    change(&mut pace);
    Some(pace)
}

async fn paced(owner: &Player, players: u32, pace: Option<Pace>) -> Sandbox {
    let request = CreateSandboxGameRequest {
        kind: STARSHIPS.to_owned(),
        players: Some(players),
        pace,
        ..CreateSandboxGameRequest::default()
    };
    Sandbox::create(owner, request).await.expect("a sandbox game")
}

async fn master_and_player(engine: &Engine) -> (Player, Player, Game) {
    let [master, player] = engine.players(["Master", "Player"]).await;
    let game = master.create_with(0, |request| request.game_master = true).await;
    player.join(&game.game_id).await;
    let game = master.game(&game.game_id).await;
    assert_eq!(game.status(), GameStatus::Running);
    (master, player, game)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missed_deadline_applies_defaults_and_the_game_continues() {
    let engine = Engine::start();
    let owner = engine.player("Ann").await;
    let sandbox = paced(&owner, 2, pace(|_| {})).await;
    let before = owner.game(&sandbox.game_id).await;
    sandbox.advance(23 * HOUR).await.unwrap();
    assert_eq!(owner.game(&sandbox.game_id).await.on_turn, before.on_turn);
    let after = sandbox.advance(2 * HOUR).await.unwrap().game.unwrap();
    assert_ne!(after.on_turn, before.on_turn);
    assert!(after.due_time.unwrap().seconds > before.due_time.unwrap().seconds);
    let later = sandbox.advance(24 * HOUR * 30).await.unwrap().game.unwrap();
    assert_eq!(later.on_turn, before.on_turn);
    let mut turns = 2;
    while owner.game(&sandbox.game_id).await.status() == GameStatus::Running {
        sandbox.advance(25 * HOUR).await.unwrap();
        turns += 1;
    }
    assert_eq!(turns, 24, "twelve rounds of two turns");
}

#[tokio::test(flavor = "multi_thread")]
async fn automation_takes_a_seat_after_misses_until_its_player_orders() {
    let engine = Engine::start();
    let owner = engine.player("Ann").await;
    let sandbox = paced(&owner, 2, pace(|pace| pace.set_missed(MissedDeadline::Automate))).await;
    let first = owner.game(&sandbox.game_id).await.on_turn.expect("a turn");
    let game = sandbox.advance(25 * HOUR).await.unwrap().game.unwrap();
    assert_eq!(game.on_turn, Some(first), "automation has the turn now");
    assert!(game.seats[first as usize - 1].stand_in.is_some());
    assert!(game.waits_for_automation);
    sandbox.order(first, "end").await.unwrap();
    assert!(owner.game(&sandbox.game_id).await.seats[first as usize - 1].stand_in.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retry_gets_the_first_answer_and_stale_orders_are_rejected() {
    let engine = Engine::start();
    let owner = engine.player("Ann").await;
    let sandbox = Sandbox::new(&owner, 1, &[]).await;
    let view = sandbox.view(1).await;
    let request = orders_at(&view, &sandbox.game_id, Some(1), "the same", "mark (0,0)");
    let first = owner.does(request.clone()).await;
    assert_eq!(owner.does(request.clone()).await, first);
    let other = order_text("end");
    let reused = SubmitOrdersRequest { orders: other.clone(), ..request.clone() };
    assert_eq!(owner.refusal(reused).await, "REQUEST_ID_REUSED");
    let stale = SubmitOrdersRequest {
        request_id: "stale".to_owned(),
        orders: other.clone(),
        ..request.clone()
    };
    let refused = owner.refused(stale).await;
    assert_eq!(
        (reason(&refused), word(&refused, "revision")),
        ("STALE_REVISION".to_owned(), first.revision.expect("a revision").to_string())
    );
    sandbox.order(1, "end").await.unwrap();
    let late = SubmitOrdersRequest { request_id: "late".to_owned(), orders: other, ..request };
    assert_eq!(owner.refusal(late).await, "PHASE_CLOSED");
}

#[tokio::test(flavor = "multi_thread")]
async fn game_masters_manage_without_playing_and_hosts_have_few_rights() {
    let engine = Engine::start();
    let (master, player, game) = master_and_player(&engine).await;
    let id = || game.game_id.clone();
    let joined = master.refused(JoinGameRequest::of(&id())).await;
    assert_eq!(reason(&joined), "ROLE_CONFLICT");
    let refused = player.refused(ClosePhaseRequest::of(&id())).await;
    assert_eq!(
        (reason(&refused).as_str(), word(&refused, "role").as_str()),
        ("ROLE_REQUIRED", "game-master")
    );
    master.does(PauseGameRequest::of(&id())).await;
    assert_eq!(
        reason(&player.order(&game.game_id, "end", "paused").await.unwrap_err()),
        "WRONG_STATUS"
    );
    master.does(ResumeGameRequest::of(&id())).await;
    master.does(AutomateSeatRequest { seat: 1, ..AutomateSeatRequest::of(&id()) }).await;
    assert_eq!(
        reason(&player.order(&game.game_id, "end", "taken").await.unwrap_err()),
        "NOT_YOUR_SEAT"
    );
    master.does(HandBackSeatRequest { seat: 1, ..HandBackSeatRequest::of(&id()) }).await;
    player.order(&game.game_id, "end", "mine again").await.unwrap();
    master.does(ExportPositionRequest::of(&id())).await;
    let exported = |event: &Event| matches!(event.body, Some(event::Body::Exported(_)));
    assert!(
        player.all_events(&game.game_id).await.iter().any(exported),
        "every seat is told of a full export"
    );
    let declare = DeclareOutcomeRequest {
        winners: vec![1],
        reason: "well played".to_owned(),
        ..DeclareOutcomeRequest::of(&id())
    };
    let ended = master.does(declare).await.game.unwrap();
    let outcome = ended.outcome.unwrap();
    assert!(outcome.declared && outcome.winners == [1] && outcome.summary.contains("well played"));

    let host = engine.player("Host").await;
    let hosted = host.create(0).await;
    let refused = host.master().set_deadline(SetDeadlineRequest::of(&hosted.game_id)).await;
    assert_eq!(reason(&refused.unwrap_err()), "ROLE_REQUIRED");
    host.does(PauseGameRequest::of(&hosted.game_id)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resigned_seat_is_automated_and_open_for_replacement() {
    let engine = Engine::start();
    let [ann, bob] = engine.players(["Ann", "Bob"]).await;
    let game = ann.create(1).await;
    bob.join(&game.game_id).await;
    bob.does(ResignRequest::of(&game.game_id)).await;
    let seat = ann.game(&game.game_id).await.seats[1].clone();
    assert!(seat.vacant && matches!(seat.occupant, Some(seat::Occupant::Automated(_))));
    let request = ListGamesRequest { joinable: true, ..ListGamesRequest::default() };
    let cid = engine.player("Cid").await;
    let listed = cid.does(request).await.games;
    assert_eq!(listed[0].game_id, game.game_id);
    assert_eq!(cid.join(&game.game_id).await.your_seat, Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn committed_entropy_affects_the_dice() {
    let engine = Engine::start();
    let [ann, bob] = engine.players(["Ann", "Bob"]).await;
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

#[tokio::test(flavor = "multi_thread")]
async fn sandbox_calls_work_only_on_sandboxes() {
    let engine = Engine::with(&[]);
    let ann = engine.player("Ann").await;
    let request = CreateSandboxGameRequest {
        kind: STARSHIPS.to_owned(),
        ..CreateSandboxGameRequest::default()
    };
    assert_eq!(reason(&Sandbox::create(&ann, request).await.err().unwrap()), "NOT_SANDBOX");
    let game = ann.create(0).await;
    let dice = ScriptDiceRequest { dice: vec![6], ..ScriptDiceRequest::of(&game.game_id) };
    let refused = ann.refused(dice).await;
    assert_eq!(reason(&refused), "NOT_SANDBOX");
    let clock =
        AdvanceClockRequest { duration: hours(1), ..AdvanceClockRequest::of(&game.game_id) };
    assert_eq!(ann.refusal(clock).await, "NOT_SANDBOX");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_rejects_orders_and_loses_nothing_acknowledged() {
    let engine = Engine::with(&["--sandbox", "--database-limit-mb", "2"]);
    let owner = engine.player("Ann").await;
    let sandbox = Sandbox::new(&owner, 1, &[]).await;
    let toggles = "mark (0,0)\ntake up (0,0)\n".repeat(50);
    let mut acknowledged = 0;
    let refused = loop {
        match sandbox.order(1, &toggles).await {
            Ok(answer) => acknowledged = answer.cursor.unwrap().number,
            Err(status) => break status,
        }
    };
    assert_eq!(reason(&refused), "JOURNAL_UNAVAILABLE");
    assert_eq!(
        sandbox.view(1).await.cursor.unwrap().number,
        acknowledged,
        "reads work, and nothing is there by half"
    );
    engine.wait_for_log("full");
    let engine = engine.kill_and_restart();
    let sandbox = Sandbox { owner: owner.on(engine.channel().await), ..sandbox };
    assert_eq!(sandbox.view(1).await.cursor.unwrap().number, acknowledged);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_under_load_can_be_restored_verified_and_continued() {
    let engine = Engine::start();
    let owner = engine.player("Ann").await;
    let sandbox = Sandbox::new(&owner, 1, &[]).await;
    for _ in 0..20 {
        sandbox.order(1, "mark (0,0)\ntake up (0,0)").await.unwrap();
    }
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("backup.db");
    let copy = Arc::new(tempfile::tempdir().unwrap());
    let program = |arguments: &[&std::ffi::OsStr]| {
        let mut command = std::process::Command::new(binary("engine-service"));
        command.args(arguments).output().expect("the program runs")
    };
    let backup = {
        let (data, file) = (engine.data().to_owned(), file.clone());
        tokio::task::spawn_blocking(move || {
            let mut command = std::process::Command::new(binary("engine-service"));
            command
                .arg("backup")
                .arg("--data")
                .arg(data)
                .arg("--to")
                .arg(file)
                .output()
                .expect("the program runs")
        })
    };
    let mut flowing = 0;
    while !backup.is_finished() {
        sandbox.order(1, "mark (0,0)\ntake up (0,0)").await.unwrap();
        flowing += 1;
    }
    let backup = backup.await.unwrap();
    assert!(backup.status.success() && flowing > 0, "{}", String::from_utf8_lossy(&backup.stderr));
    let restore = program(&[
        "restore".as_ref(),
        "--from".as_ref(),
        file.as_ref(),
        "--data".as_ref(),
        copy.path().as_ref(),
    ]);
    assert!(restore.status.success(), "{}", String::from_utf8_lossy(&restore.stderr));
    let restored = Engine::on(
        copy,
        EngineOptions { arguments: vec!["--sandbox".to_owned()], ..EngineOptions::default() },
    );
    let sandbox = Sandbox { owner: owner.on(restored.channel().await), ..sandbox };
    sandbox.owner.verified(&sandbox.game_id).await;
    sandbox.order(1, "end").await.expect("the restored game goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_input_is_rejected_with_its_field() {
    let engine = Engine::start();
    let ann = engine.player("Ann").await;
    let open = SeatPlan::default();
    let create = |change: &dyn Fn(&mut CreateGameRequest)| {
        let mut request = CreateGameRequest {
            kind: STARSHIPS.to_owned(),
            seats: vec![open.clone()],
            ..CreateGameRequest::default()
        };
        change(&mut request);
        let ann = ann.clone();
        async move { ann.refused(request).await }
    };
    let refusals = [
        create(&|request| request.kind = "chess".to_owned()).await,
        create(&|request| request.seats.clear()).await,
        create(&|request| request.seats = vec![SeatPlan::default(); 7]).await,
        create(&|request| request.seats = vec![SeatPlan::default(); 1000]).await,
        create(&|request| request.name = "x".repeat(65)).await,
        create(&|request| request.delegation = 99).await,
        create(&|request| request.entropy_commitment = vec![1; 5].into()).await,
        create(&|request| request.automaton_level = "godlike".to_owned()).await,
        create(&|request| request.pace = pace(|pace| pace.utc_offset_minutes = 10_000)).await,
        create(&|request| request.pace = pace(|pace| pace.missed = 77)).await,
        create(&|request| {
            request.pace = pace(|pace| pace.standard.as_mut().unwrap().weekdays = vec![8]);
        })
        .await,
        create(&|request| {
            request.pace = pace(|pace| pace.standard.as_mut().unwrap().interval = hours(-1));
        })
        .await,
        create(&|request| {
            request.pace =
                pace(|pace| pace.standard.as_mut().unwrap().interval = hours(i64::MAX / HOUR));
        })
        .await,
    ];
    for refusal in &refusals {
        assert_eq!(reason(refusal), "INVALID_FIELD", "{refusal:?}");
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
    let engine = Engine::start();
    let ann = engine.player("Ann").await;
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
    let mut read = Vec::new();
    let mut pages = 0;
    loop {
        let page = ann.does(request.clone()).await;
        read.extend(page.events);
        pages += 1;
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    assert_eq!(read, all[1..]);
    assert_eq!(pages, (all.len() - 1).div_ceil(2));

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
    let engine = Engine::start();
    let [ann, bob] = engine.players(["Ann", "Bob"]).await;
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
    let engine = Engine::start();
    let ann = engine.player("Ann").await;
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
    let engine = Engine::start();
    let ann = engine.player("Ann").await;
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
    let started = ann.games().start_game(start(AutomatedSeat::default())).await.unwrap();
    assert_eq!(started.into_inner().game.unwrap().status(), GameStatus::Running);
}
