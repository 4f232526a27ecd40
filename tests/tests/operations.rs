//! What operators do to engines, and what their players notice of it: nothing.

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use heliopause_proto::v1::*;
use heliopause_tests::{AiClient, Engine, EngineOptions, Nginx, Player, Postgres, STARSHIPS};
use tokio::time::sleep;
use tonic::transport::{Channel, Endpoint};

/// Two engines on one database, at ports that stay theirs.
struct Pair {
    database: String,
    ports: [u16; 2],
    engines: [Option<Engine>; 2],
    _postgres: Postgres,
}

impl Pair {
    fn start() -> Option<Self> {
        let postgres = Postgres::start()?;
        let database = postgres.database("games");
        let ports = [(); 2]
            .map(|()| TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port());
        let mut pair = Self { database, ports, engines: [None, None], _postgres: postgres };
        pair.start_engine(0);
        pair.start_engine(1);
        Some(pair)
    }

    fn start_engine(&mut self, which: usize) {
        let arguments = [
            "--sandbox",
            "--games-limit",
            "100000",
            "--drain-delay",
            "300ms",
            "--metrics",
            "127.0.0.1:0",
        ];
        let options = EngineOptions {
            arguments: arguments.map(str::to_owned).to_vec(),
            database: Some(self.database.clone()),
            port: self.ports[which],
            ..EngineOptions::default()
        };
        self.engines[which] = Some(Engine::on(Engine::directory(), options));
    }

    fn engine(&self, which: usize) -> &Engine {
        self.engines[which].as_ref().expect("it runs")
    }

    fn urls(&self) -> String {
        self.ports.map(|port| format!("http://127.0.0.1:{port}")).join(",")
    }
}

async fn channel(url: &str) -> Channel {
    Endpoint::from_shared(url.to_owned()).unwrap().connect().await.expect("somebody listens")
}

/// A game that waits for somebody: a call that must not be made twice.
fn forming() -> CreateGameRequest {
    let open =
        || SeatPlan { plan: Some(seat_plan::Plan::Open(OpenSeat {})), ..SeatPlan::default() };
    CreateGameRequest {
        kind: STARSHIPS.to_owned(),
        seats: vec![open(), open()],
        ..CreateGameRequest::default()
    }
}

/// Freezes a process, as a machine that swaps itself to death does: its connections stay, and
/// nobody answers.
fn freeze(engine: &Engine) {
    let frozen = Command::new("kill")
        .args(["-STOP", &engine.pid().to_string()])
        .status()
        .expect("kill runs");
    assert!(frozen.success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_graceful_stop_behind_nginx_fails_no_call_of_ten_thousand() {
    const CALLS: u64 = 10_000;
    let Some(mut pair) = Pair::start() else { return };
    let Some(nginx) = Nginx::before(&pair.ports) else { return };
    let player = Player::register(channel(&nginx.url()).await, "Ada").await;
    let game_id = player.create_with(1, |_| {}).await.game_id;
    let (made, over) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let mut callers = Vec::new();
    for caller in 0..16 {
        // Some share a connection to nginx, some have their own.
        let player =
            if caller % 4 == 0 { player.on(channel(&nginx.url()).await) } else { player.clone() };
        let (made, over, game_id) = (made.clone(), over.clone(), game_id.clone());
        callers.push(tokio::spawn(async move {
            let mut failures = Vec::new();
            while !over.load(Ordering::Relaxed) || made.load(Ordering::Relaxed) < CALLS {
                let request =
                    GetGameRequest { game_id: game_id.clone(), ..GetGameRequest::default() };
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
        // The other one is stopped when nginx has looked for this one again: after fail_timeout,
        // five seconds.
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
async fn workers_leave_an_engine_that_hangs_within_five_seconds_also_behind_nginx() {
    let Some(pair) = Pair::start() else { return };
    let Some(nginx) = Nginx::before(&pair.ports) else { return };
    for urls in [pair.urls(), nginx.url()] {
        let worker = AiClient::at(&urls, pair.engine(0));
        let there = until_somebody_works(&pair, &[0, 1]).await;
        freeze(pair.engine(there));
        let begun = Instant::now();
        until_somebody_works(&pair, &[1 - there]).await;
        // A second of reconnecting and one of a loaded machine besides.
        assert!(begun.elapsed() < Duration::from_secs(7), "it took {:?}", begun.elapsed());
        let thawed = Command::new("kill")
            .args(["-CONT", &pair.engine(there).pid().to_string()])
            .status()
            .unwrap();
        assert!(thawed.success());
        drop(worker);
        for which in [0, 1] {
            while pair.engine(which).metric("heliopause_workers") > 0.0 {
                sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

/// Operations O2: an engine that hangs held calls for 40 s, one in six of them.
#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_hangs_behind_nginx_holds_a_call_five_seconds_and_then_gets_none() {
    let Some(pair) = Pair::start() else { return };
    let Some(nginx) = Nginx::before(&pair.ports) else { return };
    let player = Player::register(channel(&nginx.url()).await, "Ada").await;
    let game_id = player.create_with(1, |_| {}).await.game_id;
    freeze(pair.engine(0));
    let begun = Instant::now();
    let (mut made, mut failed) = (0, 0);
    while begun.elapsed() < Duration::from_secs(20) {
        // Each comes by a connection of its own, as the calls of a command do.
        let player = player.on(channel(&nginx.url()).await);
        let look = || GetGameRequest { game_id: game_id.clone(), ..GetGameRequest::default() };
        let asked = Instant::now();
        made += 1;
        let Err(status) = player.games().get_game(look()).await else {
            sleep(Duration::from_millis(20)).await;
            continue;
        };
        failed += 1;
        assert_eq!(status.code(), tonic::Code::Unavailable, "{status:?}");
        // A second for a loaded machine.
        assert!(asked.elapsed() < Duration::from_secs(6), "{:?}", asked.elapsed());
        player.games().get_game(look()).await.expect("the next call goes to the other engine");
        assert!(asked.elapsed() < Duration::from_secs(8), "{:?}", asked.elapsed());
    }
    // It is tried again every five seconds, and each try takes five.
    assert!((1..=3).contains(&failed), "{failed} of {made} calls failed");
    assert!(made > 20 * failed, "{failed} of {made} calls failed");
}

/// Waits until one of these engines has a worker, and says which.
async fn until_somebody_works(pair: &Pair, engines: &[usize]) -> usize {
    let begun = Instant::now();
    loop {
        assert!(begun.elapsed() < Duration::from_secs(30), "nobody works at {engines:?}");
        for &which in engines {
            if pair.engine(which).metric("heliopause_workers") > 0.0 {
                return which;
            }
        }
        sleep(Duration::from_millis(50)).await;
    }
}

/// What the alerts watch, as `deploy/prometheus-rules.yaml` and the dashboard name it.
#[tokio::test(flavor = "multi_thread")]
async fn every_metric_that_is_watched_is_there() {
    let Some(pair) = Pair::start() else { return };
    let engine = pair.engine(0);
    let ada = engine.player("Ada").await;
    ada.create_with(0, |_| {}).await;
    // The clocks are compared a while after the start.
    let told = loop {
        let told = engine.metrics();
        if told.contains("\nheliopause_clock_offset_seconds ") {
            break told;
        }
        sleep(Duration::from_millis(100)).await;
    };
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
            // Only the first order makes a figure of how long orders take.
            assert!(
                there || name == "heliopause_request_seconds_bucket",
                "{file}: no engine tells {name}:\n{told}"
            );
        }
    }
    assert!(told.contains(r#"code="OK""#), "codes are written as the rules expect them:\n{told}");
}
