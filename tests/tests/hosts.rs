//! What hosts cost others, and what an operator does about it: quotas, games of anybody, automation
//! that nobody watches, invitations (findings: rules 7, security D7 and B4).

use std::time::Duration;

use heliopause_proto::v1::work_response::Message as Say;
use heliopause_proto::v1::*;
use heliopause_tests::{AiClient, Engine, Player, STARSHIPS, Worker, reason, word};
use tonic::Status;

const TOGETHER: usize = 200;

fn open() -> SeatPlan {
    SeatPlan { plan: Some(seat_plan::Plan::Open(OpenSeat {})), ..SeatPlan::default() }
}

fn kept_for(player: &Player) -> SeatPlan {
    SeatPlan {
        plan: Some(seat_plan::Plan::ReservedFor(player.name.clone())),
        ..SeatPlan::default()
    }
}

/// A table with its maker in the first seat.
fn table(more: Vec<SeatPlan>) -> CreateGameRequest {
    let seats = std::iter::once(open()).chain(more).collect();
    let kind = STARSHIPS.to_owned();
    CreateGameRequest { kind, seats, seats_in_order: true, ..CreateGameRequest::default() }
}

async fn create(host: &Player, request: CreateGameRequest) -> Result<Game, Status> {
    Ok(host.games().create_game(request).await?.into_inner().game.expect("a game"))
}

async fn join(player: &Player, game_id: &str) -> Result<Game, Status> {
    let request = JoinGameRequest { game_id: game_id.to_owned(), ..JoinGameRequest::default() };
    Ok(player.games().join_game(request).await?.into_inner().game.expect("a game"))
}

/// The same player on several connections.
async fn everywhere(engine: &Engine, player: &Player) -> Vec<Player> {
    let mut players = Vec::new();
    for _ in 0..4 {
        players.push(player.on(engine.channel().await));
    }
    players
}

/// How many of the calls were taken; all others were refused for the quota of games.
async fn taken(calls: Vec<tokio::task::JoinHandle<Result<Game, Status>>>, limit: &str) -> usize {
    let mut taken = 0;
    for call in calls {
        match call.await.unwrap() {
            Ok(_) => taken += 1,
            Err(status) => {
                let refused = (reason(&status), word(&status, "quota"), word(&status, "limit"));
                assert_eq!(
                    refused,
                    ("QUOTA_EXCEEDED".to_owned(), "games".to_owned(), limit.to_owned())
                );
            }
        }
    }
    taken
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_7_d7_two_hundred_parallel_creations_never_pass_the_quota_whatever_the_host_is() {
    let engine = Engine::with(&["--sandbox", "--games-limit", "7"]);
    let host = engine.player("Host").await;
    let connections = everywhere(&engine, &host).await;
    let calls = (0..TOGETHER).map(|number| {
        let host = connections[number % connections.len()].clone();
        let mut request = table(vec![open()]);
        request.game_master = number % 3 == 0;
        request.spectate = number % 3 == 1;
        tokio::spawn(async move { create(&host, request).await })
    });
    assert_eq!(taken(calls.collect(), "7").await, 7);

    let mine = host
        .players()
        .list_my_games(ListMyGamesRequest::default())
        .await
        .unwrap()
        .into_inner()
        .games;
    assert_eq!(mine.len(), 7);
    assert!(create(&host, table(vec![open()])).await.is_err());
    let over =
        CancelGameRequest { game_id: mine[0].game_id.clone(), ..CancelGameRequest::default() };
    host.master().cancel_game(over).await.unwrap();
    create(&host, table(vec![open()])).await.expect("a game that is over does not count");
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_7_d7_two_hundred_parallel_joins_never_pass_the_quota() {
    let engine = Engine::with(&["--sandbox", "--games-limit", "7"]);
    let mut games = Vec::new();
    for name in ["Ann", "Bob", "Cid"] {
        let host = engine.player(name).await;
        for _ in 0..7 {
            games.push(create(&host, table(vec![open(), open()])).await.unwrap().game_id);
        }
    }
    let player = engine.player("Dan").await;
    let connections = everywhere(&engine, &player).await;
    let calls: Vec<_> = (0..TOGETHER)
        .map(|number| {
            let (player, game_id) =
                (connections[number % 4].clone(), games[number % games.len()].clone());
            tokio::spawn(async move { join(&player, &game_id).await })
        })
        .collect();
    let mut joined = 0;
    for call in calls {
        match call.await.unwrap() {
            Ok(_) => joined += 1,
            Err(status) => {
                assert!(
                    ["QUOTA_EXCEEDED", "NO_OPEN_SEAT"].contains(&reason(&status).as_str()),
                    "{status:?}"
                );
            }
        }
    }
    assert_eq!(joined, 7);
    assert_eq!(
        player
            .players()
            .list_my_games(ListMyGamesRequest::default())
            .await
            .unwrap()
            .into_inner()
            .games
            .len(),
        7
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_7_a_host_who_looks_on_takes_a_seat_of_their_own_game_at_the_limit() {
    let engine = Engine::with(&["--sandbox", "--games-limit", "1"]);
    let host = engine.player("Host").await;
    let game =
        create(&host, CreateGameRequest { spectate: true, ..table(vec![open()]) }).await.unwrap();
    join(&host, &game.game_id).await.expect("it counts already");
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::too_many_lines, reason = "one story")]
async fn rule_7_operators_list_pause_resume_and_cancel_games_of_anybody_and_nobody_else_does() {
    let engine = Engine::start();
    let (host, guest, admin) =
        (engine.player("Host").await, engine.player("Guest").await, engine.admin().await);
    let game_id = host.create_with(1, |request| request.is_private = true).await.game_id;
    let invite_code = host.game(&game_id).await.invite_code;
    let request =
        JoinGameRequest { game_id: game_id.clone(), invite_code, ..JoinGameRequest::default() };
    guest.games().join_game(request).await.unwrap();

    let why = "a complaint is looked into.".to_owned();
    let pause = PauseAnyGameRequest {
        game_id: game_id.clone(),
        why: why.clone(),
        ..PauseAnyGameRequest::default()
    };
    let cancel = CancelAnyGameRequest {
        game_id: game_id.clone(),
        why: "nobody may play so".to_owned(),
        ..CancelAnyGameRequest::default()
    };
    let resume =
        ResumeAnyGameRequest { game_id: game_id.clone(), ..ResumeAnyGameRequest::default() };
    for other in [&host, &engine.worker_account().await] {
        let refused = [
            other.admin().pause_any_game(pause.clone()).await.map(drop).unwrap_err(),
            other.admin().resume_any_game(resume.clone()).await.map(drop).unwrap_err(),
            other.admin().cancel_any_game(cancel.clone()).await.map(drop).unwrap_err(),
            other
                .admin()
                .get_any_game(GetAnyGameRequest { game_id: game_id.clone() })
                .await
                .map(drop)
                .unwrap_err(),
        ];
        assert!(refused.iter().all(|status| reason(status) == "ROLE_REQUIRED"), "{refused:?}");
    }
    let unsaid = PauseAnyGameRequest { why: " ".to_owned(), ..pause.clone() };
    assert_eq!(reason(&admin.admin().pause_any_game(unsaid).await.unwrap_err()), "INVALID_FIELD");
    assert_eq!(
        reason(&admin.admin().resume_any_game(resume.clone()).await.unwrap_err()),
        "WRONG_STATUS"
    );

    admin.admin().pause_any_game(pause.clone()).await.unwrap();
    assert_eq!(reason(&admin.admin().pause_any_game(pause).await.unwrap_err()), "WRONG_STATUS");
    let game = guest.game(&game_id).await;
    assert_eq!((game.status(), game.operator_pause), (GameStatus::Paused, why));
    let refused = host
        .master()
        .resume_game(ResumeGameRequest { game_id: game_id.clone(), ..ResumeGameRequest::default() })
        .await
        .unwrap_err();
    assert!(refused.message().contains("a complaint is looked into"), "{refused:?}");
    let refused = guest.order(&game_id, "end", "1").await.unwrap_err();
    assert!(
        refused.message().contains("The operator of the server has paused the game"),
        "{refused:?}"
    );
    let request = ProposeVoteRequest {
        game_id: game_id.clone(),
        subject: VoteSubject::Resume.into(),
        ..<_>::default()
    };
    assert_eq!(reason(&host.games().propose_vote(request).await.unwrap_err()), "WRONG_STATUS");
    admin.admin().resume_any_game(resume).await.unwrap();
    assert_eq!(host.game(&game_id).await.status(), GameStatus::Running);

    let list = ListAllGamesRequest {
        host: "host".to_owned(),
        running_only: true,
        ..ListAllGamesRequest::default()
    };
    let listed = admin.admin().list_all_games(list.clone()).await.unwrap().into_inner().games;
    let [record] = listed.as_slice() else { panic!("{listed:?}") };
    assert_eq!(record.host.as_ref().map(|host| host.name.as_str()), Some("Host"));
    assert!(
        record.last_look_time.is_some() && record.entries >= 4 && record.bytes > 100,
        "{record:?}"
    );
    assert!(!record.progress.is_empty(), "{record:?}");

    admin.admin().cancel_any_game(cancel.clone()).await.unwrap();
    let outcome = guest.game(&game_id).await.outcome.expect("it is over");
    assert_eq!(outcome.summary, "Cancelled: nobody may play so.");
    let told = guest.all_events(&game_id).await;
    let sentence = "The game is cancelled by the operator: nobody may play so.";
    assert!(told.iter().any(|event| event.text == sentence), "{told:?}");
    assert_eq!(reason(&admin.admin().cancel_any_game(cancel).await.unwrap_err()), "WRONG_STATUS");
    assert!(admin.admin().list_all_games(list).await.unwrap().into_inner().games.is_empty());
    admin.verified(&game_id).await;
    for act in ["paused", "let go on", "cancelled"] {
        engine.wait_for_log(&format!(
            "an operator acted on a game operator=admin game_id=\"{game_id}\" act=\"{act}\""
        ));
    }
}

async fn record(admin: &Player, game_id: &str) -> GameRecord {
    let request = GetAnyGameRequest { game_id: game_id.to_owned() };
    admin.admin().get_any_game(request).await.unwrap().into_inner().record.unwrap()
}

fn sleeps(record: &GameRecord) -> bool {
    record.game.as_ref().is_some_and(|game| game.automation_sleep_time.is_some())
}

/// A game that automation plays alone, with a deadline every second.
async fn watched(host: &Player) -> String {
    let second = Some(prost_types::Duration { seconds: 1, nanos: 0 });
    let standard = Some(PhasePace { interval: second, ..PhasePace::default() });
    let change = |request: &mut CreateGameRequest| {
        request.spectate = true;
        request.seats = vec![heliopause_tests::automated("standard"); 2];
        request.pace = Some(Pace { standard, ..Pace::default() });
    };
    host.create_with(0, change).await.game_id
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_7_automation_sleeps_where_nobody_looks_and_the_next_look_wakes_it() {
    let engine = Engine::with(&["--sandbox", "--unwatched-after", "2s"]);
    let (host, admin) = (engine.player("Host").await, engine.admin().await);
    let game_id = watched(&host).await;
    let mut worker = Worker::hire(&engine.worker_account().await, 1).await.unwrap();
    worker.lease().await;
    // An operator looks all the time, and that does not count.
    while !sleeps(&record(&admin, &game_id).await) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let before = record(&admin, &game_id).await.entries;
    let hears = async { while !matches!(worker.hear().await.unwrap(), Say::Lease(_)) {} };
    let leased = tokio::time::timeout(Duration::from_secs(3), hears).await;
    // What was on its way when it fell asleep may still come.
    drop(leased);
    let later = record(&admin, &game_id).await;
    assert_eq!(later.entries, before, "no lease is answered and no deadline passes");

    let game = host.game(&game_id).await;
    assert!(game.automation_sleep_time.is_some() && game.due_time.is_none(), "{game:?}");
    let lease =
        tokio::time::timeout(Duration::from_secs(10), worker.lease()).await.expect("it is awake");
    assert_eq!(lease.game_id, game_id);
    let game = host.game(&game_id).await;
    assert!(game.automation_sleep_time.is_none() && game.due_time.is_some(), "{game:?}");
    admin.verified(&game_id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_7_automation_is_awake_while_somebody_follows_the_game() {
    let engine = Engine::with(&["--sandbox", "--unwatched-after", "1s"]);
    let (host, admin) = (engine.player("Host").await, engine.admin().await);
    let (game_id, other) = (watched(&host).await, watched(&host).await);
    let request =
        StreamEventsRequest { game_id: game_id.clone(), ..StreamEventsRequest::default() };
    let stream = host.games().stream_events(request).await.unwrap().into_inner();
    while !sleeps(&record(&admin, &other).await) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(!sleeps(&record(&admin, &game_id).await));
    drop(stream);
    while !sleeps(&record(&admin, &game_id).await) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_its_last_player_left_sleeps_until_somebody_takes_a_seat_over() {
    let engine = Engine::with(&["--sandbox", "--unwatched-after", "1h"]);
    let _ai = AiClient::start(&engine);
    let (ann, admin) = (engine.player("Ann").await, engine.admin().await);
    let change = |request: &mut CreateGameRequest| {
        request.kind = "star-empires".to_owned();
        request.seats = vec![open(), heliopause_tests::automated("random")];
    };
    let game_id = ann.create_with(0, change).await.game_id;
    let resign = ResignRequest { game_id: game_id.clone(), ..ResignRequest::default() };
    ann.games().resign(resign).await.unwrap();
    // What was on its way may still come.
    tokio::time::sleep(Duration::from_secs(1)).await;
    // Neither her look nor an open stream wakes it.
    let mut stream = ann.events(&game_id, None).await;
    stream.message().await.unwrap();
    let before = record(&admin, &game_id).await;
    assert!(sleeps(&before) && sleeps(&record(&admin, &game_id).await));
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(ann.game(&game_id).await.automation_sleep_time.is_some());
    let later = record(&admin, &game_id).await;
    assert_eq!(later.entries, before.entries, "nothing is added to the journal");
    let bob = engine.player("Bob").await;
    let game = bob.join(&game_id).await;
    assert_eq!((game.your_seat, game.automation_sleep_time), (Some(1), None));
    // Automation plays on with him.
    let phase = bob.view(&game_id).await.phase;
    let ready =
        SetReadyRequest { game_id: game_id.clone(), phase, ready: true, ..Default::default() };
    bob.games().set_ready(ready).await.unwrap();
    while bob.game(&game_id).await.progress == game.progress {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    admin.verified(&game_id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_7_a_sleeping_seat_keeps_no_person_from_their_deadline() {
    let engine = Engine::with(&["--sandbox", "--unwatched-after", "1s"]);
    let (host, admin) = (engine.player("Host").await, engine.admin().await);
    let second = Some(prost_types::Duration { seconds: 1, nanos: 0 });
    let pace = Pace {
        standard: Some(PhasePace { interval: second, ..PhasePace::default() }),
        ..Pace::default()
    };
    let change = |request: &mut CreateGameRequest| {
        request.seats = vec![open(), heliopause_tests::automated("standard")];
        request.pace = Some(pace);
    };
    let game_id = host.create_with(1, change).await.game_id;
    // Whoever is on turn: the person's turns end by their deadline, and where automation is awaited
    // alone it sleeps.
    while !sleeps(&record(&admin, &game_id).await) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let game = host.game(&game_id).await;
    assert_eq!(game.on_turn, Some(2), "the game stands at the turn of automation");
    while host.game(&game_id).await.on_turn == Some(2) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_7_0_lets_automation_go_on_unwatched() {
    let engine = Engine::with(&["--sandbox", "--unwatched-after", "0"]);
    let (host, admin) = (engine.player("Host").await, engine.admin().await);
    let game_id = watched(&host).await;
    let before = record(&admin, &game_id).await.entries;
    while record(&admin, &game_id).await.entries < before + 3 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(!sleeps(&record(&admin, &game_id).await));
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_7_what_a_banned_or_deleted_host_leads_and_nobody_else_plays_is_cancelled() {
    let engine = Engine::start();
    let (admin, guest) = (engine.admin().await, engine.player("Guest").await);
    for deletes in [false, true] {
        let host = engine.player(if deletes { "Deleted" } else { "Banned" }).await;
        let alone = watched(&host).await;
        let master = create(&host, CreateGameRequest { game_master: true, ..table(vec![open()]) })
            .await
            .unwrap()
            .game_id;
        let shared = host.create(1).await.game_id;
        guest.join(&shared).await;
        if deletes {
            admin
                .admin()
                .delete_player(DeletePlayerRequest { player: host.id.clone() })
                .await
                .unwrap();
        } else {
            let request = BanPlayerRequest { player: host.id.clone(), banned: true };
            admin.admin().ban_player(request).await.unwrap();
        }
        for game_id in [alone, master] {
            let game = guest.game(&game_id).await;
            assert_eq!(game.status(), GameStatus::Cancelled, "{game:?}");
            assert!(
                game.outcome.is_some_and(|outcome| outcome.summary.contains("its host")),
                "it is told why"
            );
        }
        assert_eq!(guest.game(&shared).await.status(), GameStatus::Running);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn b4_whoever_a_seat_is_kept_for_declines_it_and_the_host_is_told() {
    let engine = Engine::start();
    let (host, guest) = (engine.player("Host").await, engine.player("Guest").await);
    let mut notices =
        host.games().stream_my_games(StreamMyGamesRequest {}).await.unwrap().into_inner();
    let request = CreateGameRequest { is_private: true, ..table(vec![kept_for(&guest)]) };
    let game_id = create(&host, request).await.unwrap().game_id;
    let mine = guest
        .players()
        .list_my_games(ListMyGamesRequest::default())
        .await
        .unwrap()
        .into_inner()
        .games;
    assert!(mine[0].invited);
    let decline = DeclineInvitationRequest {
        game_id: game_id.clone(),
        ..DeclineInvitationRequest::default()
    };
    assert_eq!(
        reason(&host.games().decline_invitation(decline.clone()).await.unwrap_err()),
        "NO_OPEN_SEAT"
    );
    guest.games().decline_invitation(decline.clone()).await.unwrap();
    let again = guest.games().decline_invitation(decline).await.unwrap_err();
    assert_eq!(reason(&again), "GAME_NOT_FOUND", "they are not in this private game any more");
    let game = host.game(&game_id).await;
    assert!(matches!(game.seats[1].occupant, Some(seat::Occupant::Open(_))), "{game:?}");
    let mine = guest
        .players()
        .list_my_games(ListMyGamesRequest::default())
        .await
        .unwrap()
        .into_inner()
        .games;
    assert!(mine.is_empty());
    loop {
        let notice = notices.message().await.unwrap().expect("the stream goes on").notice;
        if let Some(stream_my_games_response::Notice::Game(notice)) = notice
            && notice.kind() == NoticeKind::Declined
        {
            assert_eq!(notice.game_id, game_id);
            break;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn b4_open_invitations_are_limited_and_a_block_looks_the_same() {
    let engine = Engine::start();
    let (host, guest) = (engine.player("Host").await, engine.player("Guest").await);
    let mut games = Vec::new();
    for _ in 0..20 {
        games.push(create(&host, table(vec![kept_for(&guest)])).await.unwrap().game_id);
    }
    let refused =
        |status: Status| (reason(&status), word(&status, "quota"), status.message().to_owned());
    let too_many = refused(create(&host, table(vec![kept_for(&guest)])).await.unwrap_err());
    assert_eq!((too_many.0.as_str(), too_many.1.as_str()), ("QUOTA_EXCEEDED", "invitations"));
    guest
        .games()
        .decline_invitation(DeclineInvitationRequest {
            game_id: games[0].clone(),
            ..DeclineInvitationRequest::default()
        })
        .await
        .unwrap();
    create(&host, table(vec![kept_for(&guest)])).await.expect("one is declined");

    let other = engine.player("Other").await;
    create(&other, table(vec![kept_for(&guest)])).await.expect("others may still");
    let block = BlockPlayerRequest { player: "other".to_owned() };
    guest.players().block_player(block.clone()).await.unwrap();
    guest.players().block_player(block).await.unwrap();
    assert_eq!(refused(create(&other, table(vec![kept_for(&guest)])).await.unwrap_err()), too_many);
    let blocked = guest
        .players()
        .list_blocked_players(ListBlockedPlayersRequest {})
        .await
        .unwrap()
        .into_inner();
    assert_eq!(
        blocked.players.iter().map(|player| player.name.as_str()).collect::<Vec<_>>(),
        ["Other"]
    );
    guest
        .players()
        .unblock_player(UnblockPlayerRequest { player: other.id.clone() })
        .await
        .unwrap();
    create(&other, table(vec![kept_for(&guest)])).await.expect("they are blocked no more");
    for (player, expected) in [("Guest", "INVALID_FIELD"), ("nobody", "NOT_FOUND")] {
        let request = BlockPlayerRequest { player: player.to_owned() };
        assert_eq!(reason(&guest.players().block_player(request).await.unwrap_err()), expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn b4_two_seats_of_a_game_are_not_kept_for_the_same_player() {
    let engine = Engine::start();
    let (host, guest) = (engine.player("Host").await, engine.player("Guest").await);
    let refused = create(&host, table(vec![kept_for(&guest), kept_for(&guest)])).await.unwrap_err();
    assert_eq!(reason(&refused), "INVALID_FIELD");
    let refused = create(&host, table(vec![kept_for(&host)])).await.unwrap_err();
    assert_eq!(reason(&refused), "INVALID_FIELD");
}
