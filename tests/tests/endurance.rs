//! Memory depends only on active use, not on slow readers or idle games.

use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::*;
use heliopause_tests::{Engine, OfGame as _, Sandbox, memory_of, until_some};

const MEGABYTE: u64 = 1 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn a_stalled_reader_costs_no_memory_and_catches_up() {
    const EVENTS: u64 = 100_000;
    let (engine, [owner]) = Engine::with_players(["Rebecca"]).await;
    let sandbox = Sandbox::new(&owner, 1, &[]).await;
    let start = sandbox.view(1).await.cursor.unwrap().number;
    // The reader has a separate connection, so that it does not block other clients.
    let reader = owner.on(engine.channel().await);
    let request =
        StreamEventsRequest { seat: Some(1), ..StreamEventsRequest::of(&sandbox.game_id) };
    let mut stream = reader.does(request).await;

    let toggles = "mark (0,0)\ntake up (0,0)\n".repeat(20);
    // The first part of the load fills pools, caches, and the channels of the game.
    let mut warm = None;
    loop {
        let told = sandbox.order(1, &toggles).await.unwrap().cursor.unwrap().number - start;
        if warm.is_none() && told > EVENTS / 5 {
            warm = Some(memory_of(engine.pid()));
        }
        if told >= EVENTS {
            break;
        }
    }
    let (warm, full) = (warm.unwrap(), memory_of(engine.pid()));
    println!(
        "{} MB after a fifth of the events, {} MB after all",
        warm / MEGABYTE,
        full / MEGABYTE
    );
    assert!(full < warm + 16 * MEGABYTE, "{warm} grew to {full} while a reader did not read");

    let end = sandbox.view(1).await.cursor.unwrap().number;
    let (mut last, mut fell_behind) = (start, false);
    while last < end {
        match stream.message().await.unwrap().unwrap().part.unwrap() {
            Part::Event(event) => {
                assert_eq!(event.number, last + 1);
                last = event.number;
            }
            Part::FellBehind(_) => fell_behind = true,
            _ => {}
        }
    }
    assert!(fell_behind, "a reader that lags is told so");
    loop {
        if let Part::CaughtUp(_) = stream.message().await.unwrap().unwrap().part.unwrap() {
            break;
        }
    }
    sandbox.order(1, "mark (0,0)").await.unwrap();
    let Part::Event(event) = stream.message().await.unwrap().unwrap().part.unwrap() else {
        panic!("live events")
    };
    assert_eq!(event.number, end + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_games_are_unloaded() {
    const LIVE: usize = 100;
    let all = std::env::var_os("HELIOPAUSE_TEST_ALL").is_some();
    let games_made: usize = if all { 10_000 } else { 3_000 };
    let engine = Engine::with(&[
        "--sandbox",
        "--evict-after",
        "2s",
        "--games-limit",
        "1000000",
        "--stream-limit",
        "1000",
    ]);
    let owner = engine.player("Robert").await;
    let mut games = Vec::with_capacity(games_made);
    for batch in 0..games_made / 100 {
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..100 {
            let owner = owner.clone();
            tasks.spawn(async move { Sandbox::new(&owner, 2, &[]).await.game_id });
        }
        games.extend(tasks.join_all().await);
        assert_eq!(games.len(), (batch + 1) * 100);
    }
    let admin = engine.admin().await;
    let busy = memory_of(engine.pid());
    let mut streams = Vec::new();
    for game in &games[..LIVE] {
        streams.push(owner.events(game, None).await);
    }
    let status = until_some("the others leave the memory", async || {
        let status = admin.does(GetStatusRequest {}).await;
        (status.live_games == LIVE as u64).then_some(status)
    })
    .await;
    let idle = memory_of(engine.pid());
    println!(
        "{games_made} games just made: {} MB; {LIVE} live: {} MB",
        busy / MEGABYTE,
        idle / MEGABYTE
    );
    assert_eq!(status.games, games_made as u64);
    assert!(owner.view(&games[games_made - 1]).await.view.is_some());
}
