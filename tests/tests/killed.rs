//! Kills of the engine at random moments under load. The engine loses no acknowledged request.
//!
//! `HELIOPAUSE_KILLS` sets the number of kills (default 50).

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::*;
use heliopause_tests::{Dice, Engine, OfGame as _, Player, Sandbox, orders_at};
use tokio::task::JoinHandle;

const GAMES: usize = 6;
const MARK: &str = "mark (0,0)\ntake up (0,0)";

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
            let Ok(view) = owner.call(look).await else { break };
            let request_id = format!("{life}-{number}");
            let request = orders_at(&view, &game_id, Some(1), &request_id, MARK);
            let Ok(answer) = owner.call(request.clone()).await else {
                done.under_way = Some(request);
                break;
            };
            let cursor = answer.cursor.expect("an answer says where it stands");
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
            chat: false,
        };
        let mut numbers = Vec::new();
        let Ok(mut stream) = owner.call(request).await else { return numbers };
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
    let (mut engine, [mut owner]) = Engine::with_players(["Johanna"]).await;
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
    let request = GetHistoryRequest { seat: Some(1), ..GetHistoryRequest::of(game) };
    let events = owner.history(GetHistoryRequest { page_size: 200, ..request }).await;
    let numbers: BTreeSet<u64> = events.iter().map(|event| event.number).collect();
    assert_eq!(numbers.len(), events.len(), "a number was told twice");
    assert!(numbers.iter().copied().eq(1..=events.len() as u64), "numbers are dense");
    events
}
