//! Fan-out of one game's events to many subscribers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use heliopause_proto::v1::StreamEventsRequest;
use prost::Message as _;
use tonic::Streaming;

use super::{STREAM_EVENTS, is_event, tell};
use crate::baseline::{Baseline, STREAM, question};
use crate::games::{self, ToggleGame};
use crate::measure::{Limit, Plan, Row};
use crate::wire::Wire;

const READERS: usize = 1_000;
const READER_CONNECTIONS: usize = 10;
const ORDERS_A_SUBMIT: usize = 60;
/// Number of submits whose events may be in flight at once. More could make a reader fall behind.
const SUBMITS_AHEAD: u64 = 8;

#[derive(Clone, Default)]
struct Readers {
    read: Arc<[AtomicU64; READER_CONNECTIONS]>,
    behind: Arc<AtomicU64>,
    over: Arc<AtomicBool>,
}

impl Readers {
    fn follow(&self, streams: Vec<Streaming<Bytes>>, is_event: fn(&Bytes) -> bool) {
        for (index, mut stream) in streams.into_iter().enumerate() {
            let readers = self.clone();
            tokio::spawn(async move {
                while let Ok(Some(message)) = stream.message().await {
                    if readers.over.load(Ordering::Relaxed) {
                        return;
                    }
                    let count = if is_event(&message) {
                        &readers.read[index % READER_CONNECTIONS]
                    } else {
                        &readers.behind
                    };
                    count.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    }

    fn read(&self) -> u64 {
        self.read.iter().map(|count| count.load(Ordering::Relaxed)).sum()
    }
}

async fn open_streams(
    url: &str,
    token: &str,
    path: &'static str,
    message: Bytes,
) -> Vec<Streaming<Bytes>> {
    let wires = Wire::connect_all(url, token, READER_CONNECTIONS).await;
    let mut streams = Vec::new();
    for index in 0..READERS {
        streams.push(wires[index % READER_CONNECTIONS].stream(path, message.clone()).await);
    }
    streams
}

pub(crate) async fn fan_out(plan: &Plan) -> Row {
    let (engine, baseline) = (games::durable_engine(&plan.disk), Baseline::start(None));
    let owner = engine.player("Load").await;
    let wire = Wire::connect(&engine.url(), &owner.token).await;
    let mut game = ToggleGame::new(&owner).await;
    let before = games::spectator_events(&owner, &game.game_id).await;
    game.submit(&wire, ORDERS_A_SUBMIT).await;
    let events = games::spectator_events(&owner, &game.game_id).await - before;
    let follow = StreamEventsRequest {
        game_id: game.game_id.clone(),
        as_spectator: true,
        ..Default::default()
    };
    let follow = Bytes::from(follow.encode_to_vec());
    let bytes = event_bytes(&mut game, &wire, follow.clone(), events).await;
    println!("fan-out: {events} events a submit, {bytes} bytes each");
    let mut rounds = Vec::new();
    for round in 1..=plan.rounds {
        let bare = bare_streams(&baseline, &owner.token, bytes, plan.time).await;
        let ours = {
            let streams =
                open_streams(&engine.url(), &owner.token, STREAM_EVENTS, follow.clone()).await;
            fan_out_once(&mut game, &wire, streams, events, plan.time).await
        };
        tell("fan-out", round, ours, bare);
        rounds.push((ours, bare));
        // Give the server time to notice that the readers are gone.
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let name = "events to 1,000 subscribers / bare stream";
    Row::compared(name, "messages/s", &rounds, Limit::AtLeast(0.5))
}

async fn event_bytes(game: &mut ToggleGame, wire: &Wire, follow: Bytes, events: u64) -> usize {
    let mut stream = wire.stream(STREAM_EVENTS, follow).await;
    game.submit(wire, ORDERS_A_SUBMIT).await;
    let (mut seen, mut bytes) = (0, 0);
    while seen < events {
        let message = stream.message().await.expect("a stream").expect("a stream that goes on");
        if is_event(&message) {
            seen += 1;
            bytes += message.len();
        }
    }
    bytes / seen as usize
}

async fn fan_out_once(
    game: &mut ToggleGame,
    wire: &Wire,
    streams: Vec<Streaming<Bytes>>,
    events: u64,
    time: Duration,
) -> f64 {
    let readers = Readers::default();
    readers.follow(streams, is_event);
    // Wait until each reader has received the two messages that precede its events.
    while readers.behind.load(Ordering::Relaxed) < 2 * READERS as u64 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let per_submit = events * READERS as u64;
    let mut submitted = 0;
    let begun = Instant::now();
    while begun.elapsed() < time {
        if submitted * per_submit > readers.read() + SUBMITS_AHEAD * per_submit {
            tokio::time::sleep(Duration::from_millis(1)).await;
            continue;
        }
        game.submit(wire, ORDERS_A_SUBMIT).await;
        submitted += 1;
    }
    let rate = readers.read() as f64 / begun.elapsed().as_secs_f64();
    let behind = readers.behind.load(Ordering::Relaxed) - 2 * READERS as u64;
    if behind > 0 {
        println!("fan-out: readers fell behind or caught up {behind} times");
    }
    // Messages in flight would disturb the next measurement.
    while readers.read() < submitted * per_submit {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    readers.over.store(true, Ordering::Relaxed);
    game.submit(wire, ORDERS_A_SUBMIT).await;
    rate
}

async fn bare_streams(baseline: &Baseline, token: &str, bytes: usize, time: Duration) -> f64 {
    let streams = open_streams(&baseline.url, token, STREAM, question(8, bytes)).await;
    let readers = Readers::default();
    readers.follow(streams, |_| true);
    tokio::time::sleep(time / 10).await;
    let (begun, before) = (Instant::now(), readers.read());
    tokio::time::sleep(time).await;
    let rate = (readers.read() - before) as f64 / begun.elapsed().as_secs_f64();
    readers.over.store(true, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_millis(200)).await;
    rate
}
