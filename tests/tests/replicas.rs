//! Several engines on one database. Each engine serves every game, and clients see no difference.

use std::collections::BTreeSet;
use std::time::Duration;

use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::stream_my_games_response::Notice;
use heliopause_proto::v1::work_response::Message as Say;
use heliopause_proto::v1::*;
use heliopause_tests::{
    Engine, OfGame as _, Player, Postgres, Proxy, STARSHIPS, Sandbox, Worker, orders_at, pace,
    reason, until_some,
};
use tokio::time::{sleep, timeout};
use tonic::Streaming;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

const TIMEOUT: Duration = Duration::from_secs(30);

struct Pair {
    postgres: Postgres,
    one: Engine,
    other: Engine,
}

impl Pair {
    fn start() -> Option<Self> {
        Some(Self::on(Postgres::shared()?, &[]))
    }

    fn on(postgres: Postgres, arguments: &[&str]) -> Self {
        let address = postgres.database("games");
        let arguments = [&["--sandbox", "--auth-limit", "0"], arguments].concat();
        let start = || Engine::on_database(&address, &arguments);
        Self { one: start(), other: start(), postgres }
    }

    async fn there(&self, player: &Player) -> Player {
        player.on(self.other.channel().await)
    }
}

async fn next_event(stream: &mut Streaming<StreamEventsResponse>) -> Event {
    loop {
        let part = timeout(TIMEOUT, stream.message())
            .await
            .expect("an event comes")
            .expect("a stream that goes on");
        match part.expect("a stream that goes on").part {
            Some(Part::Event(event)) => return event,
            Some(_) => {}
            None => panic!("an empty part"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_continues_at_either_engine_with_complete_streams() {
    let Some(pair) = Pair::start() else { return };
    let here = pair.one.player("Ada").await;
    let there = pair.there(&here).await;
    let game = Sandbox::new(&here, 1, &[]).await;
    let game_there =
        Sandbox { owner: there.clone(), game_id: game.game_id.clone(), requests: 1_000.into() };
    let start = Some(Cursor::default());
    let mut streams =
        [here.events(&game.game_id, start).await, there.events(&game.game_id, start).await];
    for round in 0..10 {
        let at = if round % 2 == 0 { &game } else { &game_there };
        let text = if round % 2 == 0 { "mark (0,0)" } else { "take up (0,0)" };
        let done = at
            .order(1, text)
            .await
            .unwrap_or_else(|status| panic!("round {round}: {}", status.message()));
        let written = done.cursor.expect("a cursor").number;
        let elsewhere = if round % 2 == 0 { &game_there } else { &game };
        let read = elsewhere.history(1, 0).await.last().map_or(0, |event| event.number);
        assert!(
            read >= written,
            "round {round}: event {written} was answered, and only {read} are told elsewhere"
        );
    }
    let all = here.all_events(&game.game_id).await;
    for stream in &mut streams {
        for event in &all {
            assert_eq!(next_event(stream).await, *event);
        }
    }
    let verified = there
        .games()
        .verify_game(VerifyGameRequest { game_id: game.game_id.clone() })
        .await
        .unwrap();
    assert!(verified.get_ref().valid, "{}", verified.get_ref().fault);
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_4_a_creation_at_two_engines_makes_one_game() {
    let Some(pair) = Pair::start() else { return };
    let here = pair.one.player("Ada").await;
    let there = pair.there(&here).await;
    for round in 0..10 {
        let request = || CreateGameRequest {
            kind: STARSHIPS.to_owned(),
            seats: vec![SeatPlan::default(), SeatPlan::default()],
            request_id: format!("game {round}"),
            ..CreateGameRequest::default()
        };
        let (mut games_here, mut games_there) = (here.games(), there.games());
        let (one, other) =
            tokio::join!(games_here.create_game(request()), games_there.create_game(request()));
        let made = |answer: tonic::Response<CreateGameResponse>| {
            answer.into_inner().game.expect("a game").game_id
        };
        let game_id = made(one.expect("an answer here"));
        assert_eq!(made(other.expect("an answer there")), game_id);
        assert_eq!(made(games_there.create_game(request()).await.expect("a retry there")), game_id);
    }
    let mine = here.my_games().await;
    assert_eq!(mine.len(), 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_racing_orders_wins_and_retries_get_the_first_answer() {
    let Some(pair) = Pair::start() else { return };
    let here = pair.one.player("Ada").await;
    let there = pair.there(&here).await;
    let game = Sandbox::new(&here, 1, &[]).await;
    for round in 0..20 {
        let view = game.view(1).await;
        let request = |by: &str| {
            orders_at(
                &view,
                &game.game_id,
                Some(1),
                &format!("{round} by {by}"),
                "mark (0,0)\ntake up (0,0)\nmove A9 to (1,0)",
            )
        };
        let (mut games_here, mut games_there) = (here.games(), there.games());
        let (first, second) = tokio::join!(
            games_here.submit_orders(request("one")),
            games_there.submit_orders(request("other"))
        );
        let (won, lost, by) = match (first, second) {
            (Ok(won), Err(lost)) => (won, lost, "one"),
            (Err(lost), Ok(won)) => (won, lost, "other"),
            other => panic!(
                "round {round}: of two orders for the same revision one is taken, not {other:?}"
            ),
        };
        assert_eq!(reason(&lost), "STALE_REVISION");
        for games in [&mut games_here, &mut games_there] {
            let again = games.submit_orders(request(by)).await.expect("a retry is answered");
            assert_eq!(
                again.get_ref().cursor,
                won.get_ref().cursor,
                "a retry gets the first answer"
            );
            let stopped =
                |answer: &SubmitOrdersResponse| (answer.accepted_count, answer.refused.clone());
            assert_eq!(stopped(again.get_ref()), stopped(won.get_ref()));
            assert!(stopped(won.get_ref()).1.is_some() && won.get_ref().accepted_count == 2);
        }
    }
    assert_eq!(here.all_events(&game.game_id).await, there.all_events(&game.game_id).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_gets_notices_of_games_at_any_engine() {
    let Some(pair) = Pair::start() else { return };
    let host = pair.one.player("Ada").await;
    let guest = pair.one.player("Bob").await;
    let guest = pair.there(&guest).await;
    let mut notices = guest.does(StreamMyGamesRequest::default()).await;
    let mut hear = async || loop {
        let message = timeout(TIMEOUT, notices.message())
            .await
            .expect("a notice comes")
            .unwrap()
            .expect("a stream");
        match message.notice {
            Some(Notice::Game(notice)) => return (notice.game_id.clone(), notice.kind()),
            Some(_) => {}
            None => panic!("an empty notice"),
        }
    };
    let game = host
        .create_with(1, |request| {
            request.seats[1] = SeatPlan {
                plan: Some(seat_plan::Plan::ReservedFor("Bob".to_owned())),
                ..SeatPlan::default()
            };
        })
        .await;
    assert_eq!(hear().await, (game.game_id.clone(), NoticeKind::Invited));
    guest.join(&game.game_id).await;
    let mut kinds = BTreeSet::new();
    while !kinds.contains(&(NoticeKind::Started as i32)) {
        kinds.insert(hear().await.1 as i32);
    }
    if host.game(&game.game_id).await.on_turn == Some(1) {
        host.order(&game.game_id, "end", "turn").await.unwrap();
    }
    while hear().await.1 != NoticeKind::YourDecision {}
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_is_notified_when_a_game_at_another_engine_ends() {
    let Some(pair) = Pair::start() else { return };
    let host = pair.one.player("Ada").await;
    let guest = pair.one.player("Bob").await;
    // The guest subscribes at an engine that never loads the game.
    let there = pair.there(&guest).await;
    let mut notices = there.does(StreamMyGamesRequest::default()).await;
    let game_id = host.create(1).await.game_id;
    guest.join(&game_id).await;
    let vote = host.propose(&game_id, VoteSubject::Draw).await;
    guest.agree(&game_id, vote.number).await;
    assert_eq!(host.game(&game_id).await.status(), GameStatus::Ended);
    let mut heard = BTreeSet::new();
    let end = async {
        while !heard.contains(&(NoticeKind::Ended as i32)) {
            if let Some(Notice::Game(notice)) =
                notices.message().await.unwrap().expect("a stream").notice
            {
                assert_eq!(notice.game_id, game_id);
                heard.insert(notice.kind);
            }
        }
    };
    timeout(TIMEOUT, end).await.expect("the end is told");
    assert!(
        heard.contains(&(NoticeKind::Vote as i32)),
        "what came just before is told too: {heard:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_ends_when_its_sandbox_game_is_removed() {
    let Some(postgres) = Postgres::shared() else { return };
    let pair = Pair::on(postgres, &["--sandbox-lifetime", "8s"]);
    let here = pair.one.player("Ada").await;
    let game = Sandbox::new(&here, 1, &[]).await;
    let there = pair.there(&here).await;
    for mut stream in
        [here.events(&game.game_id, None).await, there.events(&game.game_id, None).await]
    {
        let ended = async { while let Ok(Some(_)) = stream.message().await {} };
        timeout(TIMEOUT, ended).await.expect("the stream of a game that is gone ends");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ban_at_one_engine_applies_at_the_other() {
    let Some(pair) = Pair::start() else { return };
    let here = pair.one.player("Ada").await;
    let there = pair.there(&here).await;
    let game = there.create(1).await;
    let mut stream = there.events(&game.game_id, None).await;
    let admin = pair.one.admin().await;
    admin.does(BanPlayerRequest { player: here.name.clone(), banned: true }).await;
    let ended = async {
        loop {
            match stream.message().await {
                Ok(Some(_)) => {}
                Ok(None) => panic!("a stream of somebody banned ends without a reason"),
                Err(status) => return status,
            }
        }
    };
    let status = timeout(TIMEOUT, ended).await.expect("the stream ends");
    assert_eq!(reason(&status), "TOKEN_INVALID");
    assert_eq!(there.refusal(GetGameRequest::of(&game.game_id)).await, "BANNED");

    admin.does(BanPlayerRequest { player: here.name.clone(), banned: false }).await;
    until_some("they may come in again", async || {
        there.call(GetGameRequest::of(&game.game_id)).await.ok()
    })
    .await;
    let mut stream = there.events(&game.game_id, Some(Cursor::default())).await;
    next_event(&mut stream).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_at_one_engine_answers_for_games_at_the_other() {
    let Some(pair) = Pair::start() else { return };
    let here = pair.one.player("Ada").await;
    let automated = SeatPlan {
        plan: Some(seat_plan::Plan::Automated(AutomatedSeat::default())),
        ..SeatPlan::default()
    };
    let game = here
        .create_with(0, |request| {
            request.spectate = true;
            request.seats = vec![automated.clone(), automated];
        })
        .await
        .game_id;
    until_some("the game waits for automation", async || {
        here.game(&game).await.waits_for_automation.then_some(())
    })
    .await;
    let mut worker = Worker::attach(&pair.other.worker_account().await, 2).await.unwrap();
    until_some("it waits no more", async || {
        (!here.game(&game).await.waits_for_automation).then_some(())
    })
    .await;
    let first = worker.lease().await;
    assert_eq!(first.game_id, game);

    let mut second = Worker::attach(&pair.one.worker_account().await, 2).await.unwrap();
    assert!(
        timeout(Duration::from_secs(5), second.hear()).await.is_err(),
        "one decision was leased twice"
    );
    worker.answer(&first, "end").await;
    let mut fence = first.lease.unwrap().fence;
    let mut ready = Vec::new();
    for _ in 0..6 {
        let (lease, at_second) = if let Some(ready) = ready.pop() {
            ready
        } else {
            tokio::select! {
                lease = worker.lease() => (lease, false),
                lease = second.lease() => (lease, true),
            }
        };
        let next = lease.lease.unwrap().fence;
        assert!(next > fence, "fence {next} after {fence}");
        fence = next;
        let by = if at_second { &mut second } else { &mut worker };
        by.answer(&lease, "end").await;
        loop {
            match timeout(TIMEOUT, by.hear()).await.expect("an answer to the answer").unwrap() {
                Say::Accepted(accepted) if accepted.lease == lease.lease => break,
                // The acceptance can arrive after the next lease.
                Say::Lease(next) => ready.push((next, at_second)),
                other => panic!("{other:?}"),
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_of_a_draining_engine_is_reassigned_at_once() {
    let Some(mut pair) = Pair::start() else { return };
    let here = pair.one.player("Ada").await;
    let automated = SeatPlan {
        plan: Some(seat_plan::Plan::Automated(AutomatedSeat::default())),
        ..SeatPlan::default()
    };
    here.create_with(0, |request| {
        request.spectate = true;
        request.seats = vec![automated];
    })
    .await;
    let mut worker = Worker::attach(&pair.one.worker_account().await, 1).await.unwrap();
    let first = worker.lease().await;
    let mut second = Worker::attach(&pair.other.worker_account().await, 1).await.unwrap();
    assert!(pair.one.terminate().success());
    let next =
        timeout(Duration::from_secs(15), second.lease()).await.expect("the decision is given on");
    assert_eq!((next.seat, &next.view), (first.seat, &first.view));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deadline_applies_once_with_two_engines() {
    let Some(pair) = Pair::start() else { return };
    let here = pair.one.player("Ada").await;
    let there = pair.there(&pair.one.player("Bob").await).await;
    let game = here.create_with(1, |request| request.pace = pace(1)).await.game_id;
    there.join(&game).await;
    let count = async |player: &Player| {
        let events = player.all_events(&game).await;
        events
            .iter()
            .filter(|event| matches!(event.body, Some(event::Body::DecisionClosed(_))))
            .count()
    };
    until_some("several deadlines passed", async || (count(&here).await >= 2).then_some(())).await;
    let admin = pair.one.admin().await;
    let verified = admin.does(VerifyGameRequest { game_id: game.clone() }).await;
    assert!(verified.valid, "{}", verified.fault);
}

async fn is_ready(engine: &Engine) -> bool {
    let mut health = HealthClient::new(engine.channel().await);
    let answer = health
        .check(HealthCheckRequest::default())
        .await
        .expect("health is always told")
        .into_inner();
    answer.status == 1
}

#[tokio::test(flavor = "multi_thread")]
async fn during_an_outage_games_are_readable_and_writes_are_rejected() {
    let Some(postgres) = Postgres::start() else { return };
    let mut pair = Pair::on(postgres, &[]);
    let here = pair.one.player("Ada").await;
    let game = Sandbox::new(&here, 1, &[]).await;
    let mut stream = here.events(&game.game_id, None).await;
    assert!(is_ready(&pair.one).await);
    pair.postgres.kill_server();
    until_some("the engine says that it is not ready", async || {
        (!is_ready(&pair.one).await).then_some(())
    })
    .await;
    let before = game.view(1).await;
    let refused = game.order(1, "mark (0,0)").await.unwrap_err();
    assert_eq!(reason(&refused), "JOURNAL_UNAVAILABLE");
    assert_eq!(game.view(1).await, before, "a refusal changes nothing");
    pair.postgres.restart();
    for engine in [&pair.one, &pair.other] {
        until_some("the engine is ready again", async || is_ready(engine).await.then_some(()))
            .await;
    }
    until_some("orders are taken again", async || game.order(1, "mark (0,0)").await.ok()).await;
    next_event(&mut stream).await;
    let there = Sandbox {
        owner: pair.there(&here).await,
        game_id: game.game_id.clone(),
        requests: 50.into(),
    };
    until_some("the other engine takes orders again", async || {
        there.order(1, "take up (0,0)").await.ok()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_during_an_outage_keeps_the_game_and_its_streams() {
    let Some(postgres) = Postgres::start() else { return };
    let mut pair = Pair::on(postgres, &[]);
    let here = pair.one.player("Ada").await;
    let game = Sandbox::new(&here, 1, &[]).await;
    let mut stream = here.events(&game.game_id, None).await;
    let view = game.view(1).await;
    let request =
        |request_id: &str| orders_at(&view, &game.game_id, Some(1), request_id, "mark (0,0)");
    pair.postgres.kill_server();
    // Call immediately, before the engine detects the outage.
    let refused = here.refused(request("the same")).await;
    assert_eq!(reason(&refused), "JOURNAL_UNAVAILABLE");
    assert_eq!(game.view(1).await, view, "the game is read as it was");
    pair.postgres.restart();
    until_some("the order is taken", async || here.call(request("the same")).await.ok()).await;
    next_event(&mut stream).await;
    let history = game.history(1, 0).await;
    let taken = history
        .iter()
        .filter(|event| matches!(event.body, Some(event::Body::OrdersAccepted(_))))
        .count();
    assert_eq!(taken, 1, "the order is taken once");
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_readable_without_delay_while_the_database_hangs() {
    let Some(postgres) = Postgres::shared() else { return };
    let proxy = Proxy::to(postgres.port()).await;
    let through = proxy.proxied(&postgres.database("games"));
    let engine = tokio::task::block_in_place(|| {
        Engine::on_database(&through, &["--sandbox", "--auth-limit", "0"])
    });
    let player = engine.player("Ada").await;
    let game = Sandbox::new(&player, 1, &[]).await;
    let before = game.view(1).await;
    proxy.hold();
    until_some("the engine says that it is not ready", async || {
        (!is_ready(&engine).await).then_some(())
    })
    .await;
    // The loop takes longer than the engine caches a verified caller.
    for _ in 0..5 {
        let read = timeout(Duration::from_secs(3), game.view(1)).await;
        assert_eq!(read.expect("a read does not wait until the database is given up"), before);
        sleep(Duration::from_secs(1)).await;
    }
    proxy.restore();
    until_some("orders are taken again", async || game.order(1, "mark (0,0)").await.ok()).await;
}
