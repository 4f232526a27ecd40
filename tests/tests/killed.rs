//! The engine is killed at random moments under load. What it acknowledged is there; nothing is
//! there by half.
//!
//! `HELIOPAUSE_KILLS` sets how often (default 50).

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use heliopause_engine::store::Store as _;
use heliopause_engine::store::sqlite::SqliteStore;
use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::*;
use heliopause_tests::{Engine, EngineOptions, Player, STARSHIPS, Sandbox, Worker, reason};
use tokio::task::JoinHandle;

const GAMES: usize = 6;

/// What one player did in one life of the engine.
struct Life {
    /// Requests that were acknowledged, with the number of the last event that the acknowledgement
    /// told of.
    acknowledged: Vec<(String, u64)>,
    /// The request that was under way when the engine died, as it was sent.
    under_way: Option<SubmitOrdersRequest>,
}

/// Puts a marker down and takes it up again, two orders in one request, until the engine is gone.
fn hammer(owner: Player, game_id: String, life: usize, stop: Arc<AtomicBool>) -> JoinHandle<Life> {
    tokio::spawn(async move {
        let mut done = Life { acknowledged: Vec::new(), under_way: None };
        for number in 0_u64.. {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let look = GetViewRequest {
                game_id: game_id.clone(),
                seat: Some(1),
                as_spectator: false,
                ..GetViewRequest::default()
            };
            let Ok(view) = owner.games().get_view(look).await else { break };
            let view = view.into_inner();
            let request = SubmitOrdersRequest {
                game_id: game_id.clone(),
                seat: Some(1),
                phase: view.phase,
                revision: view.revision,
                request_id: format!("{life}-{number}"),
                orders: Some(Orders {
                    text: "mark (0,0)\ntake up (0,0)".to_owned(),
                    ..Orders::default()
                }),
                ready: false,
            };
            let Ok(answer) = owner.games().submit_orders(request.clone()).await else {
                done.under_way = Some(request);
                break;
            };
            let cursor = answer.into_inner().cursor.expect("an answer says where it stands");
            done.acknowledged.push((request.request_id, cursor.number));
        }
        done
    })
}

/// Follows a game from a cursor until the stream breaks, and adds the numbers that it was told.
fn follow(owner: Player, game_id: String, after: u64) -> JoinHandle<Vec<u64>> {
    tokio::spawn(async move {
        let audience = Some(Audience { kind: Some(audience::Kind::Seat(1)) });
        let request = StreamEventsRequest {
            game_id,
            seat: Some(1),
            as_spectator: false,
            after: Some(Cursor { audience, number: after, ..Cursor::default() }),
        };
        let mut numbers = Vec::new();
        let Ok(stream) = owner.games().stream_events(request).await else { return numbers };
        let mut stream = stream.into_inner();
        while let Ok(Some(part)) = stream.message().await {
            if let Some(Part::Event(event)) = part.part {
                numbers.push(event.number);
            }
        }
        numbers
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_survives_every_kill_and_nothing_is_there_by_half() {
    let kills: usize =
        std::env::var("HELIOPAUSE_KILLS").map_or(50, |text| text.parse().expect("a number"));
    let mut engine = Engine::start();
    let mut owner = engine.player("Johanna").await;
    let mut games = Vec::new();
    for _ in 0..GAMES {
        games.push(Sandbox::new(&owner, 1, &[]).await.game_id);
    }
    let mut seen = [0; GAMES];
    // A small generator of its own: the moments differ, the run can be repeated.
    let mut dice: u64 = 1;
    for life in 0..kills {
        let stop = Arc::new(AtomicBool::new(false));
        let hammers: Vec<_> = games
            .iter()
            .map(|game| hammer(owner.clone(), game.clone(), life, stop.clone()))
            .collect();
        let followers: Vec<_> = games
            .iter()
            .zip(seen)
            .map(|(game, after)| follow(owner.clone(), game.clone(), after))
            .collect();
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        tokio::time::sleep(Duration::from_millis(20 + (dice >> 33) % 150)).await;
        engine.kill();
        stop.store(true, Ordering::Relaxed);

        let mut lives = Vec::new();
        for hammer in hammers {
            lives.push(hammer.await.unwrap());
        }
        for (index, follower) in followers.into_iter().enumerate() {
            for number in follower.await.unwrap() {
                assert_eq!(number, seen[index] + 1, "the stream has a gap or a duplicate");
                seen[index] = number;
            }
        }
        engine = engine.kill_and_restart();
        owner = owner.on(engine.channel().await);
        for (game, life) in games.iter().zip(lives) {
            check(&owner, game, life).await;
        }
    }
    for (game, &seen) in games.iter().zip(&seen) {
        let told = all_told(&owner, game).await.len() as u64;
        assert!(seen <= told, "a stream told of event {seen}, but only {told} are durable");
        owner.verified(game).await;
    }
    println!("{kills} kills, {} events in the first game", seen[0]);
}

async fn check(owner: &Player, game: &str, life: Life) {
    // The request that was under way was taken wholly or not at all; sent again it is taken exactly
    // once.
    if let Some(request) = life.under_way {
        let first = owner
            .games()
            .submit_orders(request.clone())
            .await
            .expect("a retry is answered")
            .into_inner();
        let again =
            owner.games().submit_orders(request).await.expect("a retry is answered").into_inner();
        assert_eq!(first.cursor, again.cursor, "a retry gets the first answer");
        assert_eq!(first.events, again.events);
    }
    let events = all_told(owner, game).await;
    for (request, number) in &life.acknowledged {
        assert!(*number <= events.len() as u64, "{request} was acknowledged and is gone");
    }
    let texts = events.iter().filter_map(|event| match &event.body {
        Some(event::Body::OrdersAccepted(accepted)) => Some(accepted.notation.as_slice()),
        _ => None,
    });
    for notation in texts {
        assert_eq!(notation, ["mark (0,0)", "take up (0,0)"], "orders are there by half");
    }
}

/// All events of seat 1, in pages.
async fn all_told(owner: &Player, game: &str) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::new();
    let mut request = GetHistoryRequest {
        game_id: game.to_owned(),
        seat: Some(1),
        page_size: 200,
        ..GetHistoryRequest::default()
    };
    loop {
        let page =
            owner.games().get_history(request.clone()).await.expect("a history").into_inner();
        events.extend(page.events);
        request.page_token = page.next_page_token;
        if request.page_token.is_empty() {
            break;
        }
    }
    let numbers: BTreeSet<u64> = events.iter().map(|event| event.number).collect();
    assert_eq!(numbers.len(), events.len(), "a number was told twice");
    assert!(numbers.iter().copied().eq(1..=events.len() as u64), "numbers are dense");
    events
}

/// Another version of the rules cannot take again what this one took: it goes on from snapshots.
#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_stops_leaves_snapshots_of_games_whose_engine_was_killed_too() {
    let mut engine = Engine::start();
    let owner = engine.player("Rohan").await;
    let mut games = Vec::new();
    for _ in 0..3 {
        games.push(Sandbox::new(&owner, 1, &[]).await.game_id);
    }
    games.sort();
    engine.kill();
    let data = engine.data_directory();
    let unsettled = || async {
        let store = SqliteStore::open(data.path(), None).expect("what a killed engine left opens");
        store.unsettled("", 10).await.expect("a list of games")
    };
    assert_eq!(unsettled().await, games, "a killed engine leaves none");
    // Nobody touches a game in this life of the engine.
    let mut engine = Engine::on(engine.data_directory(), EngineOptions::default());
    assert!(engine.terminate().success());
    assert!(unsettled().await.is_empty(), "one that stops leaves all");
}

#[tokio::test(flavor = "multi_thread")]
async fn deadlines_go_on_after_a_kill_and_an_overdue_one_is_carried_out() {
    let mut engine = Engine::start();
    let mut owner = engine.player("Rohan").await;
    let second = Some(prost_types::Duration { seconds: 1, nanos: 0 });
    let pace = Pace {
        standard: Some(PhasePace { interval: second, ..PhasePace::default() }),
        ..Pace::default()
    };
    let game = owner.create_with(1, |request| request.pace = Some(pace)).await;
    let other = engine.player("Rebecca").await;
    other.join(&game.game_id).await;
    for _ in 0..3 {
        let before = owner.game(&game.game_id).await;
        engine.kill();
        // Longer than a turn: the deadline passes while nobody is there.
        tokio::time::sleep(Duration::from_millis(1200)).await;
        engine = engine.kill_and_restart();
        owner = owner.on(engine.channel().await);
        loop {
            let now = owner.game(&game.game_id).await;
            if (now.on_turn, &now.progress) != (before.on_turn, &before.progress) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn open_decisions_are_leased_anew_after_a_kill() {
    let engine = Engine::start();
    let player = engine.player("Rebecca").await;
    let game = player.watch_new(STARSHIPS, 2, "", None).await;
    let mut worker = Worker::hire(&engine.worker_account().await, 1).await.unwrap();
    let before = worker.lease().await;
    assert_eq!(before.game_id, game.game_id);

    let engine = engine.kill_and_restart();
    let player = player.on(engine.channel().await);
    worker.hear().await.expect_err("the stream died with the engine");
    let mut worker = Worker::hire(&engine.worker_account().await, 1).await.unwrap();
    let after = worker.lease().await;
    assert_eq!((after.seat, &after.seed, &after.view), (before.seat, &before.seed, &before.view));
    // The old lease is worth nothing.
    let stale = LeaseRef { lease_id: 999_999, fence: 999_999 };
    worker.answer(&Lease { lease: Some(stale), ..before }, "end").await;
    let work_response::Message::Revoked(revoked) = worker.hear().await.unwrap() else {
        panic!("a stale answer counts")
    };
    assert_eq!(revoked.lease, Some(stale));
    worker.answer(&after, "end").await;
    let accepted = loop {
        match worker.hear().await.unwrap() {
            work_response::Message::Accepted(accepted) => break accepted,
            work_response::Message::Lease(_) => {}
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(accepted.lease, after.lease);
    assert_eq!(
        reason(&player.order(&game.game_id, "end", "x").await.unwrap_err()),
        "NOT_YOUR_SEAT"
    );
}
