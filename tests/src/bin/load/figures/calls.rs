//! Throughput of calls, compared with the baseline.

use std::time::Duration;

use bytes::Bytes;
use heliopause_proto::v1::GetGameRequest;
use heliopause_tests::{Engine, Sandbox};
use prost::Message as _;

use super::{GET_GAME, IN_FLIGHT, tell};
use crate::baseline::{Baseline, ECHO, KEEP, question, question_to_keep};
use crate::games::{self, ToggleGame};
use crate::measure::{Limit, Plan, Row, calls_per_second};
use crate::raw::{self, RawJournal};
use crate::wire::Wire;

const CONNECTIONS: usize = 8;

type CallerState = (Wire, Bytes);

async fn calls(states: Vec<CallerState>, path: &'static str, time: Duration) -> f64 {
    let call = move |(wire, request): CallerState| async move {
        wire.call(path, request.clone()).await;
        (wire, request)
    };
    calls_per_second(states, time, call).await.0
}

/// Measures calls of a baseline. `question` builds the request of a place.
async fn baseline_calls(
    baseline: &Baseline,
    token: &str,
    path: &'static str,
    question: impl Fn(usize) -> Bytes,
    time: Duration,
) -> f64 {
    let wires = Wire::connect_all(&baseline.url, token, CONNECTIONS).await;
    let state = |place: usize| (wires[place % CONNECTIONS].clone(), question(place));
    calls((0..IN_FLIGHT).map(state).collect(), path, time).await
}

async fn echoes(
    baseline: &Baseline,
    token: &str,
    (request, answer): (usize, usize),
    time: Duration,
) -> f64 {
    baseline_calls(baseline, token, ECHO, |_| question(request, answer), time).await
}

pub(super) async fn baseline_keeps(
    baseline: &Baseline,
    token: &str,
    (request, answer): (usize, usize),
    entry: usize,
    time: Duration,
) -> f64 {
    let question = |place| question_to_keep(request, answer, entry, place);
    baseline_calls(baseline, token, KEEP, question, time).await
}

pub(crate) async fn get_game(plan: &Plan) -> Row {
    let (engine, baseline) = (games::memory_engine(), Baseline::start(None));
    let owner = engine.player("Load").await;
    let wires = Wire::connect_all(&engine.url(), &owner.token, CONNECTIONS).await;
    let mut places = Vec::new();
    let mut sizes = (0, 0);
    for place in 0..IN_FLIGHT {
        let game = Sandbox::new(&owner, 2, &[]).await;
        let request = GetGameRequest { game_id: game.game_id, ..GetGameRequest::default() };
        let request = Bytes::from(request.encode_to_vec());
        let wire = wires[place % CONNECTIONS].clone();
        sizes = (request.len(), wire.call(GET_GAME, request.clone()).await.len());
        places.push((wire, request));
    }
    println!("get-game: requests of {} bytes, responses of {} bytes", sizes.0, sizes.1);
    let mut rounds = Vec::new();
    for round in 1..=plan.rounds {
        let bare = echoes(&baseline, &owner.token, sizes, plan.time).await;
        let ours = calls(places.clone(), GET_GAME, plan.time).await;
        tell("get-game", round, ours, bare);
        rounds.push((ours, bare));
    }
    Row::compared("GetGame, 64 in flight / bare echo", "calls/s", &rounds, Limit::AtLeast(0.6))
}

pub(super) async fn submits(
    places: Vec<(Wire, ToggleGame)>,
    time: Duration,
) -> (f64, Vec<(Wire, ToggleGame)>) {
    let call = async |(wire, mut game): (Wire, ToggleGame)| {
        game.submit(&wire, 1).await;
        (wire, game)
    };
    calls_per_second(places, time, call).await
}

pub(super) async fn toggled_places(
    engine: &Engine,
) -> (Vec<(Wire, ToggleGame)>, String, (usize, usize)) {
    let owner = engine.player("Load").await;
    let wires = Wire::connect_all(&engine.url(), &owner.token, CONNECTIONS).await;
    let mut games = ToggleGame::games(&owner, IN_FLIGHT).await;
    let mut sizes = (0, 0);
    for _ in 0..20 {
        // Warm up: numbers in the messages grow a little at first.
        sizes = games[0].sizes(&wires[0]).await;
    }
    let places = games
        .into_iter()
        .enumerate()
        .map(|(place, game)| (wires[place % CONNECTIONS].clone(), game));
    (places.collect(), owner.token, sizes)
}

pub(crate) async fn submit(plan: &Plan) -> Row {
    let (engine, baseline) = (games::memory_engine(), Baseline::start(None));
    let (mut places, token, sizes) = toggled_places(&engine).await;
    println!("submit: requests of {} bytes, responses of {} bytes", sizes.0, sizes.1);
    let mut rounds = Vec::new();
    for round in 1..=plan.rounds {
        let bare = echoes(&baseline, &token, sizes, plan.time).await;
        let (ours, after) = submits(places, plan.time).await;
        places = after;
        tell("submit", round, ours, bare);
        rounds.push((ours, bare));
    }
    let name = "submit in memory, 64 in flight / bare echo";
    Row::compared(name, "calls/s", &rounds, Limit::AtLeast(0.6))
}

pub(crate) async fn durable(plan: &Plan) -> [Row; 2] {
    let engine = games::durable_engine(&plan.disk);
    let baseline = Baseline::start(Some(&plan.disk));
    let (places, token, sizes) = toggled_places(&engine).await;
    let (_, mut places) = submits(places, plan.time / 4).await;
    let bytes = raw::entry_bytes(engine.data());
    println!("durable: entries of {bytes} bytes");
    let (mut beside_raw, mut beside_bare) = (Vec::new(), Vec::new());
    for round in 1..=plan.rounds {
        let raw = RawJournal::appends_per_second(&plan.disk, 0, bytes, plan.time).await;
        let bare = baseline_keeps(&baseline, &token, sizes, bytes, plan.time).await;
        let (ours, after) = submits(places, plan.time).await;
        places = after;
        tell("durable", round, ours, raw);
        tell("durable, a bare server over raw SQLite", round, ours, bare);
        beside_raw.push((ours, raw));
        beside_bare.push((ours, bare));
    }
    let name = "durable submit, 64 in flight / raw SQLite";
    let served = "the same / bare tonic over raw SQLite";
    [
        Row::compared(name, "submits/s", &beside_raw, Limit::AtLeast(0.6)),
        Row::compared(served, "submits/s", &beside_bare, Limit::None),
    ]
}
