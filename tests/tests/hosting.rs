//! What hosting a game means: who may do what, clocks, votes, messages, absences, disk and backup.

use std::sync::Arc;

use heliopause_proto::v1::*;
use heliopause_tests::{
    Engine, EngineOptions, Player, STARSHIPS, Sandbox, binary, reason, violation, word,
};

const HOUR: i64 = 3600;

// Both are always written into fields that may be absent.
#[expect(clippy::unnecessary_wraps)]
fn hours(hours: i64) -> Option<prost_types::Duration> {
    Some(prost_types::Duration { seconds: hours * HOUR, nanos: 0 })
}

#[expect(clippy::unnecessary_wraps)]
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
    let master = engine.player("Master").await;
    let player = engine.player("Player").await;
    let game = master.create_with(0, |request| request.game_master = true).await;
    player.join(&game.game_id).await;
    let game = master.game(&game.game_id).await;
    assert_eq!(game.status(), GameStatus::Running);
    (master, player, game)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missed_deadline_takes_the_defaults_and_the_game_goes_on() {
    let engine = Engine::start();
    let owner = engine.player("Ann").await;
    let sandbox = paced(&owner, 2, pace(|_| {})).await;
    let before = owner.game(&sandbox.game_id).await;
    sandbox.advance(23 * HOUR).await.unwrap();
    assert_eq!(owner.game(&sandbox.game_id).await.on_turn, before.on_turn);
    let after = sandbox.advance(2 * HOUR).await.unwrap().game.unwrap();
    assert_ne!(after.on_turn, before.on_turn);
    assert!(after.due_time.unwrap().seconds > before.due_time.unwrap().seconds);
    // However long nobody looked, only the turn that was open is lost: the next player has their
    // time.
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
async fn grace_extension_and_hold_mean_what_they_say() {
    let engine = Engine::start();
    let owner = engine.player("Ann").await;
    let grace = pace(|pace| pace.standard.as_mut().unwrap().grace = hours(5));
    let sandbox = paced(&owner, 2, grace).await;
    let first = owner.game(&sandbox.game_id).await.on_turn.expect("a turn");
    let game = sandbox.advance(26 * HOUR).await.unwrap().game.unwrap();
    assert_eq!(game.on_turn, Some(first), "grace");
    sandbox.order(first, "end").await.expect("orders are taken in the grace time");

    let extend = pace(|pace| pace.set_missed(MissedDeadline::Extend));
    let sandbox = paced(&owner, 2, extend).await;
    let first = owner.game(&sandbox.game_id).await.on_turn.expect("a turn");
    assert_eq!(
        sandbox.advance(25 * HOUR).await.unwrap().game.unwrap().on_turn,
        Some(first),
        "extended once"
    );
    assert_ne!(
        sandbox.advance(25 * HOUR).await.unwrap().game.unwrap().on_turn,
        Some(first),
        "and then the defaults"
    );

    let hold = pace(|pace| pace.set_missed(MissedDeadline::Hold));
    let sandbox = paced(&owner, 2, hold).await;
    let first = owner.game(&sandbox.game_id).await.on_turn.expect("a turn");
    let game = sandbox.advance(24 * HOUR * 365).await.unwrap().game.unwrap();
    assert_eq!((game.on_turn, game.due_time), (Some(first), None));
    sandbox.order(first, "end").await.unwrap();
    assert!(
        owner.game(&sandbox.game_id).await.due_time.is_some(),
        "the next turn has a deadline again"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn automation_takes_a_seat_that_misses_and_its_player_has_it_back_by_ordering() {
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
async fn a_retry_gets_the_first_answer_and_a_stale_order_is_refused_as_such() {
    let engine = Engine::start();
    let owner = engine.player("Ann").await;
    let sandbox = Sandbox::new(&owner, 1, &[]).await;
    let view = sandbox.view(1).await;
    let request = SubmitOrdersRequest {
        game_id: sandbox.game_id.clone(),
        seat: Some(1),
        phase: view.phase,
        revision: view.revision,
        request_id: "the same".to_owned(),
        orders: Some(Orders { text: "mark (0,0)".to_owned(), ..Orders::default() }),
        ready: false,
    };
    let first = owner.games().submit_orders(request.clone()).await.unwrap().into_inner();
    assert_eq!(owner.games().submit_orders(request.clone()).await.unwrap().into_inner(), first);
    let other = Some(Orders { text: "end".to_owned(), ..Orders::default() });
    let reused = SubmitOrdersRequest { orders: other.clone(), ..request.clone() };
    assert_eq!(
        reason(&owner.games().submit_orders(reused).await.unwrap_err()),
        "REQUEST_ID_REUSED"
    );
    let stale = SubmitOrdersRequest {
        request_id: "stale".to_owned(),
        orders: other.clone(),
        ..request.clone()
    };
    let refused = owner.games().submit_orders(stale).await.unwrap_err();
    assert_eq!(
        (reason(&refused), word(&refused, "revision")),
        ("STALE_REVISION".to_owned(), first.revision.expect("a revision").to_string())
    );
    sandbox.order(1, "end").await.unwrap();
    let late = SubmitOrdersRequest { request_id: "late".to_owned(), orders: other, ..request };
    assert_eq!(reason(&owner.games().submit_orders(late).await.unwrap_err()), "PHASE_CLOSED");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_several_orders_that_are_resolved_at_once_those_before_the_first_refused_one_are_taken()
{
    let engine = Engine::start();
    let owner = engine.player("Ann").await;
    let sandbox = Sandbox::new(&owner, 1, &[]).await;
    let before = sandbox.view(1).await;
    let refused = sandbox.order(1, "move A9 to (1,0)\nmark (0,0)").await.unwrap_err();
    assert_eq!(
        (reason(&refused).as_str(), word(&refused, "order").as_str()),
        ("ORDER_REFUSED", "0")
    );
    assert!(!word(&refused, "rule").is_empty() && !word(&refused, "refusal").is_empty());
    assert_eq!(sandbox.view(1).await, before, "a refused request has changed nothing");
    let malformed = sandbox.order(1, "mark (0,0)\nmark nowhere").await.unwrap_err();
    assert_eq!(
        (reason(&malformed).as_str(), word(&malformed, "line").as_str()),
        ("MALFORMED_ORDER", "2")
    );
    assert_eq!(sandbox.view(1).await, before, "what cannot be read refuses the whole request");
    let answer =
        sandbox.order(1, "mark (0,0)\nmove A9 to (1,0)\nend").await.expect("the first is legal");
    let untaken = answer.refused.expect("a reason");
    assert_eq!((answer.taken, untaken.notation.as_str()), (1, "move A9 to (1,0)"));
    assert_eq!(untaken.refusal, word(&refused, "refusal"));
    assert_eq!(sandbox.view(1).await.phase, before.phase, "the turn goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_to_the_active_player_waits_until_their_turn_is_over() {
    let engine = Engine::start();
    let owner = engine.player("Ann").await;
    let sandbox = Sandbox::new(&owner, 2, &[]).await;
    let active = owner.game(&sandbox.game_id).await.on_turn.expect("a turn");
    let other = 3 - active;
    let send = |from: u32, to: u32, text: &str| SendMessageRequest {
        game_id: sandbox.game_id.clone(),
        seat: Some(from),
        to_seats: vec![to],
        text: text.to_owned(),
        ..SendMessageRequest::default()
    };
    let refused = owner.games().send_message(send(active, other, "peace?")).await.unwrap_err();
    assert_eq!(
        (reason(&refused).as_str(), word(&refused, "rule").as_str()),
        ("PRESS_REFUSED", "3.5")
    );
    let sent = owner
        .games()
        .send_message(send(other, active, "hello"))
        .await
        .unwrap()
        .into_inner()
        .message
        .unwrap();
    assert!(sent.held);
    let inbox = |seat: u32| {
        let request = ListMessagesRequest {
            game_id: sandbox.game_id.clone(),
            seat: Some(seat),
            ..ListMessagesRequest::default()
        };
        let owner = owner.clone();
        async move { owner.games().list_messages(request).await.unwrap().into_inner().messages }
    };
    assert!(inbox(active).await.is_empty());
    assert_eq!(inbox(other).await.len(), 1);
    sandbox.order(active, "end").await.unwrap();
    let received = inbox(active).await;
    assert_eq!(
        (received[0].text.as_str(), received[0].from_seat, received[0].number),
        ("hello", Some(other), 1)
    );
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::too_many_lines, reason = "one story")]
async fn a_game_master_leads_and_plays_nothing_and_a_host_may_little() {
    let engine = Engine::start();
    let (master, player, game) = master_and_player(&engine).await;
    let id = || game.game_id.clone();
    let joined = master
        .games()
        .join_game(JoinGameRequest { game_id: id(), ..Default::default() })
        .await
        .unwrap_err();
    assert_eq!(reason(&joined), "SEES_TOO_MUCH");
    let refused = player
        .master()
        .close_phase(ClosePhaseRequest { game_id: id(), ..ClosePhaseRequest::default() })
        .await
        .unwrap_err();
    assert_eq!(
        (reason(&refused).as_str(), word(&refused, "role").as_str()),
        ("ROLE_REQUIRED", "game-master")
    );
    master
        .master()
        .pause_game(PauseGameRequest { game_id: id(), ..PauseGameRequest::default() })
        .await
        .unwrap();
    assert_eq!(
        reason(&player.order(&game.game_id, "end", "paused").await.unwrap_err()),
        "WRONG_STATUS"
    );
    master
        .master()
        .resume_game(ResumeGameRequest { game_id: id(), ..ResumeGameRequest::default() })
        .await
        .unwrap();
    let automate =
        AutomateSeatRequest { game_id: id(), seat: 1, by: None, ..AutomateSeatRequest::default() };
    master.master().automate_seat(automate).await.unwrap();
    assert_eq!(
        reason(&player.order(&game.game_id, "end", "taken").await.unwrap_err()),
        "NOT_YOUR_SEAT"
    );
    master
        .master()
        .hand_back_seat(HandBackSeatRequest {
            game_id: id(),
            seat: 1,
            ..HandBackSeatRequest::default()
        })
        .await
        .unwrap();
    player.order(&game.game_id, "end", "mine again").await.unwrap();
    master
        .master()
        .export_position(ExportPositionRequest {
            game_id: id(),
            ..ExportPositionRequest::default()
        })
        .await
        .unwrap();
    let exported = |event: &Event| matches!(event.body, Some(event::Body::Exported(_)));
    assert!(
        player.all_events(&game.game_id).await.iter().any(exported),
        "every seat is told of a full export"
    );
    let declare = DeclareOutcomeRequest {
        game_id: id(),
        winners: vec![1],
        reason: "well played".to_owned(),
        ..DeclareOutcomeRequest::default()
    };
    let ended = master.master().declare_outcome(declare).await.unwrap().into_inner().game.unwrap();
    let outcome = ended.outcome.unwrap();
    assert!(outcome.declared && outcome.winners == [1] && outcome.summary.contains("well played"));

    let host = engine.player("Host").await;
    let hosted = host.create(0).await;
    let refused = host
        .master()
        .set_deadline(SetDeadlineRequest {
            game_id: hosted.game_id.clone(),
            due_time: None,
            ..SetDeadlineRequest::default()
        })
        .await;
    assert_eq!(reason(&refused.unwrap_err()), "ROLE_REQUIRED");
    host.master()
        .pause_game(PauseGameRequest { game_id: hosted.game_id, ..PauseGameRequest::default() })
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resigned_seat_is_automated_and_open_to_a_replacement() {
    let engine = Engine::start();
    let ann = engine.player("Ann").await;
    let bob = engine.player("Bob").await;
    let game = ann.create(1).await;
    bob.join(&game.game_id).await;
    bob.games()
        .resign(ResignRequest {
            game_id: game.game_id.clone(),
            seat: None,
            ..ResignRequest::default()
        })
        .await
        .unwrap();
    let seat = ann.game(&game.game_id).await.seats[1].clone();
    assert!(seat.vacant && matches!(seat.occupant, Some(seat::Occupant::Automated(_))));
    let request = ListGamesRequest { joinable: true, ..ListGamesRequest::default() };
    let cid = engine.player("Cid").await;
    let listed = cid.games().list_games(request).await.unwrap().into_inner().games;
    assert_eq!(listed[0].game_id, game.game_id);
    assert_eq!(cid.join(&game.game_id).await.your_seat, Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn entropy_that_players_commit_to_is_part_of_the_dice() {
    let engine = Engine::start();
    let ann = engine.player("Ann").await;
    let bob = engine.player("Bob").await;
    let entropy = b"seventeen coin tosses".to_vec();
    let commitment = heliopause_table::chain::sha256(&[&entropy]);
    let game = ann.create(1).await;
    let request = JoinGameRequest {
        game_id: game.game_id.clone(),
        entropy_commitment: commitment.to_vec().into(),
        ..JoinGameRequest::default()
    };
    let game = bob.games().join_game(request).await.unwrap().into_inner().game.unwrap();
    assert_eq!(game.status(), GameStatus::Revealing);
    let reveal = |entropy: &[u8]| RevealEntropyRequest {
        game_id: game.game_id.clone(),
        entropy: entropy.to_vec().into(),
        ..RevealEntropyRequest::default()
    };
    let refused = bob.games().reveal_entropy(reveal(b"something else")).await.unwrap_err();
    assert_eq!(reason(&refused), "INVALID_FIELD");
    let game =
        bob.games().reveal_entropy(reveal(&entropy)).await.unwrap().into_inner().game.unwrap();
    assert_eq!(game.status(), GameStatus::Running);
    engine.admin().await.verified(&game.game_id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sandbox_calls_are_for_sandboxes_only() {
    let engine = Engine::with(&[]);
    let ann = engine.player("Ann").await;
    let request = CreateSandboxGameRequest {
        kind: STARSHIPS.to_owned(),
        ..CreateSandboxGameRequest::default()
    };
    assert_eq!(reason(&Sandbox::create(&ann, request).await.err().unwrap()), "NOT_SANDBOX");
    let game = ann.create(0).await;
    let dice = ScriptDiceRequest {
        game_id: game.game_id.clone(),
        dice: vec![6],
        replace: false,
        ..ScriptDiceRequest::default()
    };
    let refused = ann.sandboxes().script_dice(dice).await.unwrap_err();
    assert_eq!(
        (refused.code(), reason(&refused).as_str()),
        (tonic::Code::FailedPrecondition, "NOT_SANDBOX")
    );
    let clock = AdvanceClockRequest {
        game_id: game.game_id,
        by: hours(1),
        ..AdvanceClockRequest::default()
    };
    assert_eq!(reason(&ann.sandboxes().advance_clock(clock).await.unwrap_err()), "NOT_SANDBOX");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_orders_and_loses_nothing_that_was_acknowledged() {
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
    assert_eq!(
        (refused.code(), reason(&refused).as_str()),
        (tonic::Code::Unavailable, "JOURNAL_UNAVAILABLE")
    );
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
async fn a_backup_taken_while_orders_flow_is_restored_elsewhere_verifies_and_goes_on() {
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
#[expect(clippy::too_many_lines, reason = "one line for each fault")]
async fn bad_input_of_every_kind_is_refused_with_its_field() {
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
        async move { ann.games().create_game(request).await.expect_err("bad input is refused") }
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
        assert_eq!(
            (refusal.code(), reason(refusal).as_str()),
            (tonic::Code::InvalidArgument, "INVALID_FIELD"),
            "{refusal:?}"
        );
    }
    let sandbox = Sandbox::new(&ann, 1, &[]).await;
    for seconds in [0, -1, i64::MIN, i64::MAX] {
        assert_eq!(reason(&sandbox.advance(seconds).await.unwrap_err()), "INVALID_FIELD");
    }
    let mut view = GetViewRequest {
        game_id: sandbox.game_id.clone(),
        seat: Some(u32::MAX),
        as_spectator: false,
        ..GetViewRequest::default()
    };
    assert_eq!(reason(&ann.games().get_view(view.clone()).await.unwrap_err()), "INVALID_FIELD");
    for game_id in ["", "../../etc/passwd", "💥", &"x".repeat(10_000)] {
        view.game_id = game_id.to_owned();
        let refused = ann.games().get_view(view.clone()).await.unwrap_err();
        assert!(
            ["INVALID_FIELD", "GAME_NOT_FOUND"].contains(&reason(&refused).as_str()),
            "{refused:?}"
        );
    }
    let strange = GetHistoryRequest {
        game_id: sandbox.game_id.clone(),
        after: Some(Cursor { number: u64::MAX, ..Cursor::default() }),
        page_size: u32::MAX,
        ..Default::default()
    };
    assert_eq!(reason(&ann.games().get_history(strange).await.unwrap_err()), "CURSOR_INVALID");
}

/// Contract 6: pages in one style, a place to begin at, and no page of another list.
#[tokio::test(flavor = "multi_thread")]
async fn contract_6_a_history_is_read_in_pages_from_any_place() {
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
        game_id: sandbox.game_id.clone(),
        seat: Some(seat),
        after: after(Some(own), 1),
        page_size: 2,
        ..Default::default()
    };
    let mut read = Vec::new();
    let mut pages = 0;
    loop {
        let page = ann.games().get_history(request.clone()).await.expect("a page").into_inner();
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
    let refused = ann.games().get_history(others).await.unwrap_err();
    assert_eq!(reason(&refused), "INVALID_FIELD");
    assert!(refused.message().contains("other filters"), "{refused:?}");

    let foreign = Audience { kind: Some(audience::Kind::Seat(3 - seat)) };
    for after in [after(Some(foreign), 1), after(Some(own), 10_000)] {
        let request = GetHistoryRequest { after, page_token: String::new(), ..request.clone() };
        let refused = ann.games().get_history(request).await.unwrap_err();
        assert_eq!(reason(&refused), "CURSOR_INVALID");
        assert_eq!(word(&refused, "audience"), format!("seat {seat}"));
        assert_eq!(word(&refused, "next"), (all.len() + 1).to_string());
    }
}

/// Terminal T8: a spectator who typed an order was asked to name a phase.
#[tokio::test(flavor = "multi_thread")]
async fn a_spectator_who_orders_is_told_that_spectators_cannot() {
    let engine = Engine::start();
    let (ann, bob) = (engine.player("Ann").await, engine.player("Bob").await);
    let game = ann.create(1).await;
    let order = SubmitOrdersRequest {
        game_id: game.game_id,
        request_id: "watching".to_owned(),
        orders: Some(Orders { text: "end".to_owned(), ..Orders::default() }),
        ..SubmitOrdersRequest::default()
    };
    let refused = bob.games().submit_orders(order.clone()).await.unwrap_err();
    assert_eq!(reason(&refused), "NOT_YOUR_SEAT");
    assert!(refused.message().contains("spectators cannot give orders"), "{refused:?}");
    let refused = ann.games().submit_orders(order).await.unwrap_err();
    assert_eq!(reason(&refused), "INVALID_FIELD", "a player has a phase to name");
}

/// Contract 5: what is left out is not the first, and no seat is seat 0.
#[tokio::test(flavor = "multi_thread")]
async fn contract_5_what_is_left_out_is_not_zero() {
    let engine = Engine::start();
    let ann = engine.player("Ann").await;
    let sandbox = Sandbox::new(&ann, 2, &[]).await;
    let look = GetViewRequest { game_id: sandbox.game_id.clone(), ..GetViewRequest::default() };
    let none = GetViewRequest { seat: Some(0), ..look.clone() };
    assert_eq!(reason(&ann.games().get_view(none).await.unwrap_err()), "INVALID_FIELD");
    let spectator = GetViewRequest { as_spectator: true, ..look };
    let view = ann.games().get_view(spectator).await.expect("a view").into_inner();
    assert_eq!((view.phase, view.revision), (None, None), "who holds no seat has no phase");
    let seat = ann.game(&sandbox.game_id).await.on_turn.expect("a turn");
    let view = sandbox.view(seat).await;
    let order = SubmitOrdersRequest {
        game_id: sandbox.game_id.clone(),
        seat: Some(seat),
        phase: view.phase,
        revision: view.revision,
        request_id: "left-out".to_owned(),
        orders: Some(Orders { text: "end".to_owned(), ..Orders::default() }),
        ready: false,
    };
    for (named, request) in [
        ("phase", SubmitOrdersRequest { phase: None, ..order.clone() }),
        ("revision", SubmitOrdersRequest { revision: None, ..order.clone() }),
    ] {
        let refused = ann.games().submit_orders(request).await.unwrap_err();
        assert_eq!(reason(&refused), "INVALID_FIELD");
        assert!(format!("{refused:?}").contains(named), "{refused:?}");
    }
    ann.games().submit_orders(order).await.expect("both are named");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_automation_that_nobody_knows_is_refused_also_if_no_seat_needs_it() {
    let engine = Engine::start();
    let ann = engine.player("Ann").await;
    let game = ann.create_with(0, |request| request.start_when_full = false).await;
    let start = |fill: AutomatedSeat| StartGameRequest {
        game_id: game.game_id.clone(),
        fill: Some(fill),
        ..StartGameRequest::default()
    };
    let nonsense = || "nonsense".to_owned();
    for (fill, field) in [
        (AutomatedSeat { level: nonsense(), ..AutomatedSeat::default() }, "fill.level"),
        (AutomatedSeat { profile: nonsense(), ..AutomatedSeat::default() }, "fill.profile"),
    ] {
        let refused = ann.games().start_game(start(fill)).await.unwrap_err();
        assert_eq!((reason(&refused), violation(&refused)), ("INVALID_FIELD".into(), field.into()));
    }
    let started = ann.games().start_game(start(AutomatedSeat::default())).await.unwrap();
    assert_eq!(started.into_inner().game.unwrap().status(), GameStatus::Running);
}
