//! Kills of the engine at random moments under load. The engine loses no acknowledged request.
//!
//! `HELIOPAUSE_KILLS` sets the number of kills (default 50).

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use heliopause_engine::store::Store as _;
use heliopause_engine::store::sqlite::SqliteStore;
use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::*;
use heliopause_tests::{
    Dice, Engine, EngineOptions, OfGame as _, Player, STARSHIPS, Sandbox, Worker, orders_at, pace,
    reason, until,
};
use tokio::task::JoinHandle;

const GAMES: usize = 6;

struct Life {
    /// Acknowledged requests, with the number of the last event in the acknowledgement.
    acknowledged: Vec<(String, u64)>,
    under_way: Option<SubmitOrdersRequest>,
}

fn hammer(owner: Player, game_id: String, life: usize, stop: Arc<AtomicBool>) -> JoinHandle<Life> {
    tokio::spawn(async move {
        let mut done = Life { acknowledged: Vec::new(), under_way: None };
        for number in 0_u64.. {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let look = GetViewRequest { seat: Some(1), ..GetViewRequest::of(&game_id) };
            let Ok(view) = owner.games().get_view(look).await else { break };
            let view = view.into_inner();
            let request = orders_at(
                &view,
                &game_id,
                Some(1),
                &format!("{life}-{number}"),
                "mark (0,0)\ntake up (0,0)",
            );
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
async fn acknowledged_requests_survive_every_kill_completely() {
    let kills: usize =
        std::env::var("HELIOPAUSE_KILLS").map_or(50, |text| text.parse().expect("a number"));
    let mut engine = Engine::start();
    let mut owner = engine.player("Johanna").await;
    let mut games = Vec::new();
    for _ in 0..GAMES {
        games.push(Sandbox::new(&owner, 1, &[]).await.game_id);
    }
    let mut seen = [0; GAMES];
    let mut dice = Dice(1);
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
        tokio::time::sleep(Duration::from_millis(20 + dice.below(150))).await;
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
    // The pending request was applied completely or not at all. A retry applies the request at most
    // once.
    if let Some(request) = life.under_way {
        let first = owner.does(request.clone()).await;
        let again = owner.does(request).await;
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

async fn all_told(owner: &Player, game: &str) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::new();
    let mut request =
        GetHistoryRequest { seat: Some(1), page_size: 200, ..GetHistoryRequest::of(game) };
    loop {
        let page = owner.does(request.clone()).await;
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

/// An engine with other rules needs the snapshots, because it cannot replay earlier steps.
#[tokio::test(flavor = "multi_thread")]
async fn a_graceful_stop_leaves_snapshots_even_after_a_kill() {
    let mut engine = Engine::start();
    let owner = engine.player("Rohan").await;
    let mut games = Vec::new();
    for _ in 0..3 {
        games.push(Sandbox::new(&owner, 1, &[]).await.game_id);
    }
    games.sort();
    engine.kill();
    let data = engine.data_directory();
    let games_without_snapshot = || async {
        let store = SqliteStore::open(data.path(), None).expect("what a killed engine left opens");
        store.games_without_snapshot("", 10).await.expect("a list of games")
    };
    assert_eq!(games_without_snapshot().await, games, "a killed engine leaves none");
    let mut engine = Engine::on(engine.data_directory(), EngineOptions::default());
    assert!(engine.terminate().success());
    assert!(games_without_snapshot().await.is_empty(), "one that stops leaves all");
}

#[tokio::test(flavor = "multi_thread")]
async fn deadlines_continue_after_a_kill_and_overdue_ones_apply() {
    let mut engine = Engine::start();
    let mut owner = engine.player("Rohan").await;
    let game = owner.create_with(1, |request| request.pace = pace(1)).await;
    let other = engine.player("Rebecca").await;
    other.join(&game.game_id).await;
    for _ in 0..3 {
        let before = owner.game(&game.game_id).await;
        engine.kill();
        // Wait longer than a turn, so that the deadline passes while the engine is down.
        tokio::time::sleep(Duration::from_millis(1200)).await;
        engine = engine.kill_and_restart();
        owner = owner.on(engine.channel().await);
        until("the turn ends", async || {
            let now = owner.game(&game.game_id).await;
            (now.on_turn, &now.progress) != (before.on_turn, &before.progress)
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn open_decisions_are_leased_again_after_a_kill() {
    let engine = Engine::start();
    let player = engine.player("Rebecca").await;
    let game = player.create_automated(STARSHIPS, 2, "", None).await;
    let mut worker = Worker::attach(&engine.worker_account().await, 1).await.unwrap();
    let before = worker.lease().await;
    assert_eq!(before.game_id, game.game_id);

    let engine = engine.kill_and_restart();
    let player = player.on(engine.channel().await);
    worker.hear().await.expect_err("the stream died with the engine");
    let mut worker = Worker::attach(&engine.worker_account().await, 1).await.unwrap();
    let after = worker.lease().await;
    assert_eq!((after.seat, &after.seed, &after.view), (before.seat, &before.seed, &before.view));
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
