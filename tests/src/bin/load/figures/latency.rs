//! Latency from a submit to its event.

use std::time::Instant;

use bytes::Bytes;
use heliopause_proto::v1::StreamEventsRequest;
use prost::Message as _;
use tonic::Streaming;

use super::{IN_FLIGHT, STREAM_EVENTS, is_event, tell};
use crate::games::{self, ToggleGame};
use crate::measure::{Limit, Plan, Row, median, quantile};
use crate::raw::{self, RawJournal};
use crate::wire::Wire;

/// The number of samples in a round, and the number in a row before the other side is measured.
const SAMPLES: usize = 600;
const IN_A_ROW: usize = 50;

pub(crate) async fn latency(plan: &Plan) -> Row {
    let engine = games::durable_engine(&plan.disk);
    let owner = engine.player("Load").await;
    let wire = Wire::connect(&engine.url(), &owner.token).await;
    let mut game = ToggleGame::new(&owner).await;
    for _ in 0..20 {
        game.submit(&wire, 1).await;
    }
    let entry = Bytes::from(vec![7; raw::entry_bytes(engine.data())]);
    let listener = Wire::connect(&engine.url(), &owner.token).await;
    let follow =
        StreamEventsRequest { game_id: game.game_id.clone(), seat: Some(1), ..Default::default() };
    let mut stream = listener.stream(STREAM_EVENTS, follow.encode_to_vec().into()).await;
    let journal = RawJournal::open(&plan.disk).await;
    let mut number = 0;
    let mut rounds = Vec::new();
    for round in 1..=plan.rounds {
        let (mut ours, mut bare) = (Vec::new(), Vec::new());
        while ours.len() < SAMPLES {
            for _ in 0..IN_A_ROW {
                number += 1;
                let begun = Instant::now();
                journal.append(number % IN_FLIGHT as u64, number, entry.clone()).await;
                bare.push(begun.elapsed().as_secs_f64() * 1_000.0);
            }
            for _ in 0..IN_A_ROW {
                ours.push(event_time(&mut game, &wire, &mut stream).await);
            }
        }
        let (median_ours, median_bare) =
            (median(ours.iter().copied()), median(bare.iter().copied()));
        println!("latency: medians {median_ours:.2} ms and {median_bare:.2} ms");
        let (ours, bare) = (quantile(ours, 0.99), quantile(bare, 0.99));
        tell("latency, p99 in ms", round, ours, bare);
        rounds.push((ours, bare));
    }
    Row::compared("p99 submit to event / p99 raw append", "ms", &rounds, Limit::Below(3.0))
}

/// Returns the time from a submit to its event in milliseconds.
async fn event_time(game: &mut ToggleGame, wire: &Wire, stream: &mut Streaming<Bytes>) -> f64 {
    let begun = Instant::now();
    let heard = async {
        loop {
            let message = stream.message().await.expect("a stream").expect("a stream that goes on");
            if is_event(&message) {
                return begun.elapsed().as_secs_f64() * 1_000.0;
            }
        }
    };
    let (time, events) = tokio::join!(heard, game.submit(wire, 1));
    for _ in 1..events {
        stream.message().await.expect("a stream").expect("a stream that goes on");
    }
    time
}
