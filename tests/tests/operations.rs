//! Stopped and hanging engines, which players do not notice, and the metrics for operators.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use heliopause_proto::v1::*;
use heliopause_tests::{
    AiClient, Nginx, OfGame as _, Pair, Player, STARSHIPS, open_seat, until, until_some,
};
use tokio::time::sleep;
use tonic::transport::{Channel, Endpoint};

const ARGUMENTS: [&str; 7] =
    ["--sandbox", "--games-limit", "100000", "--drain-delay", "300ms", "--metrics", "127.0.0.1:0"];

async fn channel(url: &str) -> Channel {
    Endpoint::from_shared(url.to_owned()).unwrap().connect().await.expect("somebody listens")
}

/// Returns a request for a game that waits for players. Clients must not retry such a request.
fn forming() -> CreateGameRequest {
    CreateGameRequest {
        kind: STARSHIPS.to_owned(),
        seats: vec![open_seat(); 2],
        ..CreateGameRequest::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_graceful_stop_behind_nginx_fails_none_of_ten_thousand_calls() {
    const CALLS: u64 = 10_000;
    let Some(mut pair) = Pair::start(&ARGUMENTS) else { return };
    let Some(nginx) = Nginx::before(&pair.ports) else { return };
    let player = Player::register(channel(&nginx.url()).await, "Ada").await;
    let game_id = player.create_with(1, |_| {}).await.game_id;
    let (made, over) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let mut callers = Vec::new();
    for caller in 0..16 {
        let player =
            if caller % 4 == 0 { player.on(channel(&nginx.url()).await) } else { player.clone() };
        let (made, over, game_id) = (made.clone(), over.clone(), game_id.clone());
        callers.push(tokio::spawn(async move {
            let mut failures = Vec::new();
            while !over.load(Ordering::Relaxed) || made.load(Ordering::Relaxed) < CALLS {
                let request = GetGameRequest::of(&game_id);
                let answer = match made.fetch_add(1, Ordering::Relaxed) % 20 {
                    0 => player.games().create_game(forming()).await.map(|_| ()),
                    _ => player.games().get_game(request).await.map(|_| ()),
                };
                failures.extend(answer.err());
            }
            failures
        }));
    }
    for round in 0..6 {
        // Stop the other engine once nginx tries this one again, after 5 s of fail_timeout.
        sleep(Duration::from_millis(5_500)).await;
        let which = round % 2;
        let mut engine = pair.engines[which].take().expect("it runs");
        assert!(tokio::task::block_in_place(|| engine.terminate()).success());
        assert!(!engine.log().contains("ERROR"), "{}", engine.log());
        pair.start_engine(which);
    }
    over.store(true, Ordering::Relaxed);
    for caller in callers {
        let failures = caller.await.unwrap();
        assert!(
            failures.is_empty(),
            "{} of {} calls, the first: {:?}",
            failures.len(),
            made.load(Ordering::Relaxed),
            failures[0]
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_leave_a_hanging_engine_within_five_seconds() {
    let Some(pair) = Pair::start(&ARGUMENTS) else { return };
    let Some(nginx) = Nginx::before(&pair.ports) else { return };
    for urls in [pair.urls(), nginx.url()] {
        let worker = AiClient::at(&urls, pair.engine(0).data());
        let there = until_worker_connects(&pair, &[0, 1]).await;
        // Simulate a thrashing machine: connections stay open, but the engine does not respond.
        pair.engine(there).signal("-STOP");
        let begun = Instant::now();
        until_worker_connects(&pair, &[1 - there]).await;
        // The limit includes a second for reconnecting and one for a loaded machine.
        assert!(begun.elapsed() < Duration::from_secs(7), "it took {:?}", begun.elapsed());
        pair.engine(there).signal("-CONT");
        drop(worker);
        for which in [0, 1] {
            until("the worker is gone", async || {
                pair.engine(which).metric("heliopause_workers") == 0.0
            })
            .await;
        }
    }
}

/// Operations O2: one call in six waited 40 s for a hanging engine.
#[tokio::test(flavor = "multi_thread")]
async fn nginx_gives_up_on_a_hanging_engine_after_five_seconds() {
    let Some(pair) = Pair::start(&ARGUMENTS) else { return };
    let Some(nginx) = Nginx::before(&pair.ports) else { return };
    let player = Player::register(channel(&nginx.url()).await, "Ada").await;
    let game_id = player.create_with(1, |_| {}).await.game_id;
    pair.engine(0).signal("-STOP");
    let begun = Instant::now();
    let (mut made, mut failed) = (0, 0);
    while begun.elapsed() < Duration::from_secs(20) {
        let player = player.on(channel(&nginx.url()).await);
        let look = || GetGameRequest::of(&game_id);
        let asked = Instant::now();
        made += 1;
        let Err(status) = player.games().get_game(look()).await else {
            sleep(Duration::from_millis(20)).await;
            continue;
        };
        failed += 1;
        assert_eq!(status.code(), tonic::Code::Unavailable, "{status:?}");
        assert!(asked.elapsed() < Duration::from_secs(6), "{:?}", asked.elapsed());
        player.does(look()).await;
        assert!(asked.elapsed() < Duration::from_secs(8), "{:?}", asked.elapsed());
    }
    // nginx tries the engine again every five seconds, and each attempt takes five.
    assert!((1..=3).contains(&failed), "{failed} of {made} calls failed");
    assert!(made > 20 * failed, "{failed} of {made} calls failed");
}

async fn until_worker_connects(pair: &Pair, engines: &[usize]) -> usize {
    let works = |&which: &usize| pair.engine(which).metric("heliopause_workers") > 0.0;
    until_some("an engine has a worker", async || engines.iter().copied().find(works)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_monitored_metric_exists() {
    let Some(pair) = Pair::start(&ARGUMENTS) else { return };
    let engine = pair.engine(0);
    let ada = engine.player("Ada").await;
    ada.create_with(0, |_| {}).await;
    let told = until_some("the clocks are compared", async || {
        Some(engine.metrics()).filter(|told| told.contains("\nheliopause_clock_offset_seconds "))
    })
    .await;
    for file in ["prometheus-rules.yaml", "dashboard.json"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy").join(file);
        let text = std::fs::read_to_string(path).expect("the file ships");
        let word = |part: char| !(part.is_ascii_alphanumeric() || part == '_');
        let named: BTreeSet<&str> = text
            .split(word)
            .filter(|name| name.starts_with("heliopause_") || name.starts_with("process_"))
            .collect();
        assert!(named.len() > 8, "{file} names {named:?}");
        for name in named {
            let there = told
                .lines()
                .any(|line| line.starts_with(name) && line[name.len()..].starts_with([' ', '{']));
            assert!(there, "{file}: no engine tells {name}:\n{told}");
        }
    }
    assert!(told.contains(r#"code="OK""#), "codes are written as the rules expect them:\n{told}");
}
