//! Limits on hosts, and tools for operators (findings rules 7, security D7 and B4).

use std::time::Duration;

use heliopause_proto::v1::work_response::Message as Say;
use heliopause_proto::v1::*;
use heliopause_tests::{
    AiClient, Engine, OfGame as _, Player, STARSHIPS, Worker, automated, next_notice, open_seat,
    pace, reason, reserved_seat, until, word,
};
use tonic::Status;

const TOGETHER: usize = 200;

fn table(more: Vec<SeatPlan>) -> CreateGameRequest {
    let seats = std::iter::once(open_seat()).chain(more).collect();
    let kind = STARSHIPS.to_owned();
    CreateGameRequest { kind, seats, seats_in_order: true, ..CreateGameRequest::default() }
}

async fn everywhere(engine: &Engine, player: &Player) -> Vec<Player> {
    let mut players = Vec::new();
    for _ in 0..4 {
        players.push(player.on(engine.channel().await));
    }
    players
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_7_d7_two_hundred_parallel_joins_respect_the_quota() {
    let engine = Engine::with(&["--sandbox", "--games-limit", "7"]);
    let mut games = Vec::new();
    for name in ["Ann", "Bob", "Cid"] {
        let host = engine.player(name).await;
        for _ in 0..7 {
            games.push(
                host.create_from(table(vec![open_seat(), open_seat()])).await.unwrap().game_id,
            );
        }
    }
    let player = engine.player("Dan").await;
    let connections = everywhere(&engine, &player).await;
    let calls: Vec<_> = (0..TOGETHER)
        .map(|number| {
            let (player, game_id) =
                (connections[number % 4].clone(), games[number % games.len()].clone());
            tokio::spawn(async move { player.try_join(&game_id, None).await })
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
    assert_eq!(player.my_games().await.len(), 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_7_a_host_at_the_limit_can_take_a_seat_in_their_own_game() {
    let engine = Engine::with(&["--sandbox", "--games-limit", "1"]);
    let host = engine.player("Host").await;
    let game = host
        .create_from(CreateGameRequest { spectate: true, ..table(vec![open_seat()]) })
        .await
        .unwrap();
    host.try_join(&game.game_id, None).await.expect("it counts already");
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_7_only_operators_manage_games_of_others() {
    let engine = Engine::start();
    let (host, guest, admin) =
        (engine.player("Host").await, engine.player("Guest").await, engine.admin().await);
    let game_id = host.create_with(1, |request| request.is_private = true).await.game_id;
    let invite_code = host.game(&game_id).await.invite_code;
    guest.does(JoinGameRequest { invite_code, ..JoinGameRequest::of(&game_id) }).await;

    let why = "a complaint is looked into.".to_owned();
    let pause = PauseAnyGameRequest { why: why.clone(), ..PauseAnyGameRequest::of(&game_id) };
    let cancel = CancelAnyGameRequest {
        why: "nobody may play so".to_owned(),
        ..CancelAnyGameRequest::of(&game_id)
    };
    let resume = ResumeAnyGameRequest::of(&game_id);
    for other in [&host, &engine.worker_account().await] {
        let refused = [
            other.refused(pause.clone()).await,
            other.refused(resume.clone()).await,
            other.refused(cancel.clone()).await,
            other.refused(GetAnyGameRequest { game_id: game_id.clone() }).await,
        ];
        assert!(refused.iter().all(|status| reason(status) == "ROLE_REQUIRED"), "{refused:?}");
    }
    let unsaid = PauseAnyGameRequest { why: " ".to_owned(), ..pause.clone() };
    assert_eq!(admin.refusal(unsaid).await, "INVALID_FIELD");
    assert_eq!(admin.refusal(resume.clone()).await, "WRONG_STATUS");

    admin.does(pause.clone()).await;
    assert_eq!(admin.refusal(pause).await, "WRONG_STATUS");
    let game = guest.game(&game_id).await;
    assert_eq!((game.status(), game.operator_pause), (GameStatus::Paused, why));
    let refused = host.refused(ResumeGameRequest::of(&game_id)).await;
    assert!(refused.message().contains("a complaint is looked into"), "{refused:?}");
    let refused = guest.order(&game_id, "end", "1").await.unwrap_err();
    assert!(
        refused.message().contains("The operator of the server has paused the game"),
        "{refused:?}"
    );
    let request = ProposeVoteRequest {
        subject: VoteSubject::Resume.into(),
        ..ProposeVoteRequest::of(&game_id)
    };
    assert_eq!(host.refusal(request).await, "WRONG_STATUS");
    admin.does(resume).await;
    assert_eq!(host.game(&game_id).await.status(), GameStatus::Running);

    let list = ListAllGamesRequest {
        host: "host".to_owned(),
        running_only: true,
        ..ListAllGamesRequest::default()
    };
    let listed = admin.does(list.clone()).await.games;
    let [record] = listed.as_slice() else { panic!("{listed:?}") };
    assert_eq!(record.host.as_ref().map(|host| host.name.as_str()), Some("Host"));
    assert!(
        record.last_look_time.is_some() && record.entries >= 4 && record.bytes > 100,
        "{record:?}"
    );
    assert!(!record.progress.is_empty(), "{record:?}");

    admin.does(cancel.clone()).await;
    let outcome = guest.game(&game_id).await.outcome.expect("it is over");
    assert_eq!(outcome.summary, "Canceled: nobody may play so.");
    let told = guest.all_events(&game_id).await;
    let sentence = "The game is canceled by the operator: nobody may play so.";
    assert!(told.iter().any(|event| event.text == sentence), "{told:?}");
    assert_eq!(admin.refusal(cancel).await, "WRONG_STATUS");
    assert!(admin.does(list).await.games.is_empty());
    admin.verified(&game_id).await;
    for act in ["paused", "resumed", "cancelled"] {
        engine.wait_for_log(&format!(
            "an operator acted on a game operator=admin game_id=\"{game_id}\" act=\"{act}\""
        ));
    }
}

async fn record(admin: &Player, game_id: &str) -> GameRecord {
    admin.does(GetAnyGameRequest { game_id: game_id.to_owned() }).await.record.unwrap()
}

fn sleeps(record: &GameRecord) -> bool {
    record.game.as_ref().is_some_and(|game| game.automation_suspend_time.is_some())
}

async fn until_asleep(admin: &Player, game_id: &str) {
    until("automation sleeps", async || sleeps(&record(admin, game_id).await)).await;
}

async fn watched(host: &Player) -> String {
    let change = |request: &mut CreateGameRequest| {
        request.spectate = true;
        request.seats = vec![automated("standard"); 2];
        request.pace = pace(1);
    };
    host.create_with(0, change).await.game_id
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_7_unwatched_automation_sleeps_until_the_next_view() {
    let engine = Engine::with(&["--sandbox", "--unwatched-after", "2s"]);
    let (host, admin) = (engine.player("Host").await, engine.admin().await);
    let game_id = watched(&host).await;
    let mut worker = Worker::attach(&engine.worker_account().await, 1).await.unwrap();
    worker.lease().await;
    // Reads by an operator do not keep the game awake.
    until_asleep(&admin, &game_id).await;
    let before = record(&admin, &game_id).await.entries;
    let hears = async { while !matches!(worker.hear().await.unwrap(), Say::Lease(_)) {} };
    let leased = tokio::time::timeout(Duration::from_secs(3), hears).await;
    // Steps that were pending when the game fell asleep may still arrive.
    drop(leased);
    let request = ListMyGamesRequest { detailed: true, ..ListMyGamesRequest::default() };
    let listed = host.does(request).await.games.remove(0);
    assert!(listed.game.is_some_and(|game| game.automation_suspend_time.is_some()));
    let later = record(&admin, &game_id).await;
    assert_eq!(later.entries, before, "a list wakes nothing, and no deadline passes");

    let game = host.game(&game_id).await;
    assert!(game.automation_suspend_time.is_some() && game.due_time.is_none(), "{game:?}");
    let lease =
        tokio::time::timeout(Duration::from_secs(10), worker.lease()).await.expect("it is awake");
    assert_eq!(lease.game_id, game_id);
    let game = host.game(&game_id).await;
    assert!(game.automation_suspend_time.is_none() && game.due_time.is_some(), "{game:?}");
    admin.verified(&game_id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_7_automation_stays_awake_while_a_stream_is_open() {
    let engine = Engine::with(&["--sandbox", "--unwatched-after", "1s"]);
    let (host, admin) = (engine.player("Host").await, engine.admin().await);
    let (game_id, other) = (watched(&host).await, watched(&host).await);
    let stream = host.does(StreamEventsRequest::of(&game_id)).await;
    until_asleep(&admin, &other).await;
    // Wait twice as long as an unwatched game stays awake.
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(!sleeps(&record(&admin, &game_id).await));
    drop(stream);
    until_asleep(&admin, &game_id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_abandoned_game_sleeps_until_a_seat_is_taken_over() {
    let engine = Engine::with(&["--sandbox", "--unwatched-after", "1h"]);
    let _ai = AiClient::start(&engine);
    let (ann, admin) = (engine.player("Ann").await, engine.admin().await);
    let change = |request: &mut CreateGameRequest| {
        request.kind = "star-empires".to_owned();
        request.seats = vec![open_seat(), automated("random")];
    };
    let game_id = ann.create_with(0, change).await.game_id;
    ann.does(ResignRequest::of(&game_id)).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    // Neither Ann's view nor an open stream wakes the game.
    let mut stream = ann.events(&game_id, None).await;
    stream.message().await.unwrap();
    let before = record(&admin, &game_id).await;
    assert!(sleeps(&before) && sleeps(&record(&admin, &game_id).await));
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(ann.game(&game_id).await.automation_suspend_time.is_some());
    let later = record(&admin, &game_id).await;
    assert_eq!(later.entries, before.entries, "nothing is added to the journal");
    let bob = engine.player("Bob").await;
    let game = bob.join(&game_id).await;
    assert_eq!((game.your_seat, game.automation_suspend_time), (Some(1), None));
    let phase = bob.view(&game_id).await.phase;
    bob.does(SetReadyRequest { phase, ready: true, ..SetReadyRequest::of(&game_id) }).await;
    until("automation plays on", async || bob.game(&game_id).await.progress != game.progress).await;
    admin.verified(&game_id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_7_a_sleeping_seat_does_not_delay_deadlines_of_people() {
    let engine = Engine::with(&["--sandbox", "--unwatched-after", "1s"]);
    let (host, admin) = (engine.player("Host").await, engine.admin().await);
    let change = |request: &mut CreateGameRequest| {
        request.seats = vec![open_seat(), automated("standard")];
        request.pace = pace(1);
    };
    let game_id = host.create_with(1, change).await.game_id;
    // The person's turns end by their deadline, so the game always sleeps on automation's turn.
    until_asleep(&admin, &game_id).await;
    let game = host.game(&game_id).await;
    assert_eq!(game.on_turn, Some(2), "the game stands at the turn of automation");
    until("its turn ends", async || host.game(&game_id).await.on_turn != Some(2)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_7_0_lets_automation_continue_unwatched() {
    let engine = Engine::with(&["--sandbox", "--unwatched-after", "0"]);
    let (host, admin) = (engine.player("Host").await, engine.admin().await);
    let game_id = watched(&host).await;
    let before = record(&admin, &game_id).await.entries;
    until("it plays", async || record(&admin, &game_id).await.entries >= before + 3).await;
    assert!(!sleeps(&record(&admin, &game_id).await));
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_7_games_of_banned_hosts_without_players_are_canceled() {
    let engine = Engine::start();
    let (admin, guest) = (engine.admin().await, engine.player("Guest").await);
    for deletes in [false, true] {
        let host = engine.player(if deletes { "Deleted" } else { "Banned" }).await;
        let alone = watched(&host).await;
        let master = host
            .create_from(CreateGameRequest { game_master: true, ..table(vec![open_seat()]) })
            .await
            .unwrap()
            .game_id;
        let shared = host.create(1).await.game_id;
        guest.join(&shared).await;
        if deletes {
            admin.does(DeletePlayerRequest { player: host.id.clone() }).await;
        } else {
            admin.does(BanPlayerRequest { player: host.id.clone(), banned: true }).await;
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
async fn b4_a_reserved_seat_can_be_declined_and_the_host_is_notified() {
    let (_engine, [host, guest]) = Engine::with_players(["Host", "Guest"]).await;
    let mut notices = host.does(StreamMyGamesRequest {}).await;
    let request = CreateGameRequest { is_private: true, ..table(vec![reserved_seat(&guest.name)]) };
    let game_id = host.create_from(request).await.unwrap().game_id;
    let mine = guest.my_games().await;
    assert!(mine[0].invited);
    let decline = DeclineInvitationRequest::of(&game_id);
    assert_eq!(host.refusal(decline.clone()).await, "NO_OPEN_SEAT");
    guest.does(decline.clone()).await;
    let again = guest.refused(decline).await;
    assert_eq!(reason(&again), "GAME_NOT_FOUND", "they are not in this private game any more");
    let game = host.game(&game_id).await;
    assert!(matches!(game.seats[1].occupant, Some(seat::Occupant::Open(_))), "{game:?}");
    let mine = guest.my_games().await;
    assert!(mine.is_empty());
    let mut notice = next_notice(&mut notices).await;
    while notice.kind() != NoticeKind::Declined {
        notice = next_notice(&mut notices).await;
    }
    assert_eq!(notice.game_id, game_id);
}

#[tokio::test(flavor = "multi_thread")]
async fn b4_invitations_are_limited_and_a_block_is_indistinguishable() {
    let (engine, [host, guest]) = Engine::with_players(["Host", "Guest"]).await;
    let mut games = Vec::new();
    for _ in 0..20 {
        games
            .push(host.create_from(table(vec![reserved_seat(&guest.name)])).await.unwrap().game_id);
    }
    let refused =
        |status: Status| (reason(&status), word(&status, "quota"), status.message().to_owned());
    let too_many =
        refused(host.create_from(table(vec![reserved_seat(&guest.name)])).await.unwrap_err());
    assert_eq!((too_many.0.as_str(), too_many.1.as_str()), ("QUOTA_EXCEEDED", "invitations"));
    guest.does(DeclineInvitationRequest::of(&games[0])).await;
    host.create_from(table(vec![reserved_seat(&guest.name)])).await.expect("one is declined");

    let other = engine.player("Other").await;
    other.create_from(table(vec![reserved_seat(&guest.name)])).await.expect("others may still");
    let block = BlockPlayerRequest { player: "other".to_owned() };
    guest.does(block.clone()).await;
    guest.does(block).await;
    assert_eq!(
        refused(other.create_from(table(vec![reserved_seat(&guest.name)])).await.unwrap_err()),
        too_many
    );
    let blocked = guest.does(ListBlockedPlayersRequest {}).await;
    assert_eq!(
        blocked.players.iter().map(|player| player.name.as_str()).collect::<Vec<_>>(),
        ["Other"]
    );
    guest.does(UnblockPlayerRequest { player: other.id.clone() }).await;
    other
        .create_from(table(vec![reserved_seat(&guest.name)]))
        .await
        .expect("they are blocked no more");
    for (player, expected) in [("Guest", "INVALID_FIELD"), ("nobody", "NOT_FOUND")] {
        assert_eq!(guest.refusal(BlockPlayerRequest { player: player.to_owned() }).await, expected);
    }
}
