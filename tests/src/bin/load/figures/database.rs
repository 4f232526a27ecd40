//! Several engines on one PostgreSQL, which this program starts.

use std::time::{Duration, Instant};

use heliopause_tests::{Engine, Postgres, Sandbox};

use super::calls::{baseline_keeps, submits, toggled_places};
use super::tell;
use crate::baseline::Baseline;
use crate::games::ToggleGame;
use crate::measure::{Limit, Plan, Row, median};
use crate::raw::RawJournal;
use crate::wire::Wire;

const ARGUMENTS: [&str; 5] = ["--sandbox", "--games-limit", "1000000", "--stream-limit", "10000"];
/// Time for a second engine to finish starting before its cost is measured.
const START_UP: Duration = Duration::from_secs(2);
const LONG: usize = 1_000;

pub(crate) async fn database(plan: &Plan) -> Vec<Row> {
    let Some(postgres) = Postgres::start() else { return Vec::new() };
    let address = postgres.database("games");
    let engine = Engine::on_database(&address, &ARGUMENTS);
    let bare = Baseline::start(Some(&postgres.database("bare")));
    let (places, token, sizes) = toggled_places(&engine).await;
    let (_, mut places) = submits(places, plan.time / 4).await;
    let bytes =
        postgres.execute("games", "SELECT avg(length(body))::integer FROM entry WHERE number > 8");
    let bytes = bytes.parse().expect("a number");
    println!("database: entries of {bytes} bytes");
    let raw = postgres.database("raw");
    let (mut beside_raw, mut beside_bare) = (Vec::new(), Vec::new());
    for round in 1..=plan.rounds {
        let first = round as u64 * 1_000;
        let plain = RawJournal::appends_per_second(&raw, first, bytes, plan.time).await;
        let served = baseline_keeps(&bare, &token, sizes, bytes, plan.time).await;
        let (ours, after) = submits(places, plan.time).await;
        places = after;
        tell("database", round, ours, plain);
        tell("database, a bare server over plain inserts", round, ours, served);
        beside_raw.push((ours, plain));
        beside_bare.push((ours, served));
    }
    let name = "durable submit on PostgreSQL, 64 in flight / plain multi-row inserts";
    let served = "the same / bare tonic over plain inserts";
    vec![
        Row::compared(name, "submits/s", &beside_raw, Limit::AtLeast(0.5)),
        Row::compared(served, "submits/s", &beside_bare, Limit::None),
        second_engine(plan, &engine, &address).await,
        open_elsewhere(plan, &engine, &address).await,
    ]
}

async fn second_engine(plan: &Plan, engine: &Engine, address: &str) -> Row {
    let owner = engine.player("Single").await;
    let wire = Wire::connect_all(&engine.url(), &owner.token, 1).await.remove(0);
    let mut place = vec![(wire, ToggleGame::new(&owner).await)];
    let mut rounds = Vec::new();
    for round in 1..=plan.rounds {
        let (alone, after) = submits(place, plan.time).await;
        let second = Engine::on_database(address, &ARGUMENTS);
        tokio::time::sleep(START_UP).await;
        let (beside, after) = submits(after, plan.time).await;
        drop(second);
        place = after;
        tell("database, a second engine", round, beside, alone);
        rounds.push((beside, alone));
    }
    let name = "submits of one client beside a second engine / without";
    Row::compared(name, "submits/s", &rounds, Limit::AtLeast(0.9))
}

async fn open_elsewhere(plan: &Plan, engine: &Engine, address: &str) -> Row {
    let owner = engine.player("Long").await;
    let other = Engine::on_database(address, &ARGUMENTS);
    let there = owner.on(other.channel().await);
    let mut times = Vec::new();
    for _ in 0..plan.rounds {
        let sandbox = Sandbox::new(&owner, 1, &[]).await;
        for _ in 0..LONG {
            sandbox.order(1, "mark (0,0)\ntake up (0,0)").await.expect("an order");
        }
        let elsewhere = sandbox.at(there.clone());
        let begun = Instant::now();
        elsewhere.view(1).await;
        times.push(begun.elapsed().as_secs_f64() * 1_000.0);
    }
    let time = median(times.into_iter());
    Row::alone("opening a game of 1,000 entries at another engine", "ms", time, Limit::Below(20.0))
}
