//! Several engines on one database. Each engine serves every game, and clients see no difference.

use std::collections::BTreeSet;
use std::time::Duration;

use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::work_response::Message as Say;
use heliopause_proto::v1::*;
use heliopause_tests::{
    Engine, OfGame as _, Pair, Player, Postgres, Proxy, STARSHIPS, Sandbox, Worker, end_of,
    next_notice, orders_at, pace, reason, reserved_seat, until, until_some,
};
use tokio::time::{sleep, timeout};
use tonic::Streaming;

const TIMEOUT: Duration = Duration::from_secs(30);

const ARGUMENTS: [&str; 3] = ["--sandbox", "--auth-limit", "0"];

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
    let Some(pair) = Pair::start(&ARGUMENTS) else { return };
    let here = pair.engine(0).player("Ada").await;
    let there = pair.there(&here).await;
    let game = Sandbox::new(&here, 1, &[]).await;
    let game_there = game.at(there.clone());
    let start = Some(Cursor::default());
    let mut streams =
        [here.events(&game.game_id, start).await, there.events(&game.game_id, start).await];
    for round in 0..10 {
        let at = if round % 2 == 0 { &game } else { &game_there };
        let text = if round % 2 == 0 { "mark (0,0)" } else { "take up (0,0)" };
        let done = at.order(1, text).await.expect("either engine takes it");
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
    there.verified(&game.game_id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_4_a_creation_at_two_engines_makes_one_game() {
    let Some(pair) = Pair::start(&ARGUMENTS) else { return };
    let here = pair.engine(0).player("Ada").await;
    let there = pair.there(&here).await;
    for round in 0..10 {
        let request = || CreateGameRequest {
            kind: STARSHIPS.to_owned(),
            seats: vec![SeatPlan::default(), SeatPlan::default()],
            request_id: format!("game {round}"),
            ..CreateGameRequest::default()
        };
        let (one, other) = tokio::join!(here.does(request()), there.does(request()));
        let made = |answer: CreateGameResponse| answer.game.expect("a game").game_id;
        let game_id = made(one);
        assert_eq!(made(other), game_id);
        assert_eq!(made(there.does(request()).await), game_id, "a retry there");
    }
    let mine = here.my_games().await;
    assert_eq!(mine.len(), 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_racing_orders_wins_and_retries_get_the_first_answer() {
    let Some(pair) = Pair::start(&ARGUMENTS) else { return };
    let here = pair.engine(0).player("Ada").await;
    let there = pair.there(&here).await;
    let game = Sandbox::new(&here, 1, &[]).await;
    for round in 0..20 {
        let view = game.view(1).await;
        let request = |by: &str| {
            let text = "mark (0,0)\ntake up (0,0)\nmove A9 to (1,0)";
            orders_at(&view, &game.game_id, Some(1), &format!("{round} by {by}"), text)
        };
        let (first, second) = tokio::join!(here.call(request("one")), there.call(request("other")));
        let (won, lost, by) = match (first, second) {
            (Ok(won), Err(lost)) => (won, lost, "one"),
            (Err(lost), Ok(won)) => (won, lost, "other"),
            other => panic!(
                "round {round}: of two orders for the same revision one is taken, not {other:?}"
            ),
        };
        assert_eq!(reason(&lost), "STALE_REVISION");
        assert!(won.refused.is_some() && won.accepted_count == 2);
        for player in [&here, &there] {
            let again = player.does(request(by)).await;
            assert_eq!(again.cursor, won.cursor, "a retry gets the first answer");
            assert_eq!(again.accepted_count, won.accepted_count);
            assert_eq!(again.refused, won.refused);
        }
    }
    assert_eq!(here.all_events(&game.game_id).await, there.all_events(&game.game_id).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_gets_notices_of_games_at_any_engine() {
    let Some(pair) = Pair::start(&ARGUMENTS) else { return };
    let host = pair.engine(0).player("Ada").await;
    let guest = pair.engine(0).player("Bob").await;
    let guest = pair.there(&guest).await;
    let mut notices = guest.does(StreamMyGamesRequest::default()).await;
    let mut hear = async || {
        let notice = timeout(TIMEOUT, next_notice(&mut notices)).await.expect("a notice comes");
        (notice.game_id.clone(), notice.kind())
    };
    let game = host.create_with(1, |request| request.seats[1] = reserved_seat("Bob")).await;
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
    let Some(pair) = Pair::start(&ARGUMENTS) else { return };
    let host = pair.engine(0).player("Ada").await;
    let guest = pair.engine(0).player("Bob").await;
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
            let notice = next_notice(&mut notices).await;
            assert_eq!(notice.game_id, game_id);
            heard.insert(notice.kind);
        }
    };
    timeout(TIMEOUT, end).await.expect("the end is told");
    assert!(
        heard.contains(&(NoticeKind::Vote as i32)),
        "what came just before is told too: {heard:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ban_at_one_engine_applies_at_the_other() {
    let Some(pair) = Pair::start(&ARGUMENTS) else { return };
    let here = pair.engine(0).player("Ada").await;
    let there = pair.there(&here).await;
    let game = there.create(1).await;
    let mut stream = there.events(&game.game_id, None).await;
    let admin = pair.engine(0).admin().await;
    admin.does(BanPlayerRequest { player: here.name.clone(), banned: true }).await;
    let status = timeout(TIMEOUT, end_of(&mut stream)).await.expect("the stream ends");
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
    let Some(pair) = Pair::start(&ARGUMENTS) else { return };
    let here = pair.engine(0).player("Ada").await;
    let game = here.create_automated(STARSHIPS, 2, "", None).await.game_id;
    until("it waits for automation", async || here.game(&game).await.waits_for_automation).await;
    let mut worker = Worker::attach(&pair.engine(1).worker_account().await, 2).await.unwrap();
    until("it waits no more", async || !here.game(&game).await.waits_for_automation).await;
    let first = worker.lease().await;
    assert_eq!(first.game_id, game);

    let mut second = Worker::attach(&pair.engine(0).worker_account().await, 2).await.unwrap();
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
    let Some(mut pair) = Pair::start(&ARGUMENTS) else { return };
    let here = pair.engine(0).player("Ada").await;
    here.create_automated(STARSHIPS, 1, "", None).await;
    let mut worker = Worker::attach(&pair.engine(0).worker_account().await, 1).await.unwrap();
    let first = worker.lease().await;
    let mut second = Worker::attach(&pair.engine(1).worker_account().await, 1).await.unwrap();
    assert!(pair.engines[0].take().expect("it runs").terminate().success());
    let next =
        timeout(Duration::from_secs(15), second.lease()).await.expect("the decision is given on");
    assert_eq!((next.seat, &next.view), (first.seat, &first.view));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deadline_applies_once_with_two_engines() {
    let Some(pair) = Pair::start(&ARGUMENTS) else { return };
    let here = pair.engine(0).player("Ada").await;
    let there = pair.there(&pair.engine(0).player("Bob").await).await;
    let game = here.create_with(1, |request| request.pace = pace(1)).await.game_id;
    there.join(&game).await;
    let count = async |player: &Player| {
        let events = player.all_events(&game).await;
        events
            .iter()
            .filter(|event| matches!(event.body, Some(event::Body::DecisionClosed(_))))
            .count()
    };
    until("several deadlines passed", async || count(&here).await >= 2).await;
    let admin = pair.engine(0).admin().await;
    admin.verified(&game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn during_an_outage_games_are_readable_and_writes_are_rejected() {
    let Some(postgres) = Postgres::start() else { return };
    let mut pair = Pair::on(postgres, &ARGUMENTS);
    let here = pair.engine(0).player("Ada").await;
    let game = Sandbox::new(&here, 1, &[]).await;
    let mut stream = here.events(&game.game_id, None).await;
    assert!(pair.engine(0).is_serving().await);
    pair.postgres.kill_server();
    until("it is not ready", async || !pair.engine(0).is_serving().await).await;
    let before = game.view(1).await;
    let refused = game.order(1, "mark (0,0)").await.unwrap_err();
    assert_eq!(reason(&refused), "JOURNAL_UNAVAILABLE");
    assert_eq!(game.view(1).await, before, "a refusal changes nothing");
    pair.postgres.restart();
    for engine in pair.engines.iter().flatten() {
        until("the engine is ready again", async || engine.is_serving().await).await;
    }
    until_some("orders are taken again", async || game.order(1, "mark (0,0)").await.ok()).await;
    next_event(&mut stream).await;
    let there = game.at(pair.there(&here).await);
    until_some("the other engine takes orders again", async || {
        there.order(1, "take up (0,0)").await.ok()
    })
    .await;
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
    until("it is not ready", async || !engine.is_serving().await).await;
    // The loop takes longer than the engine caches a verified caller.
    for _ in 0..5 {
        let read = timeout(Duration::from_secs(3), game.view(1)).await;
        assert_eq!(read.expect("a read does not wait until the database is given up"), before);
        sleep(Duration::from_secs(1)).await;
    }
    proxy.restore();
    until_some("orders are taken again", async || game.order(1, "mark (0,0)").await.ok()).await;
}
