//! Several engines on one PostgreSQL, which this program starts itself.

use std::time::{Duration, Instant};

use bytes::Bytes;
use heliopause_tests::{Engine, Postgres, Sandbox};
use tokio::sync::{mpsc, oneshot};
use tokio_postgres::{Client, NoTls};

use super::calls::{submits, toggled_places};
use super::{IN_FLIGHT, tell};
use crate::games::Toggled;
use crate::measure::{Limit, Plan, Row, calls_per_second, median};
use crate::wire::Wire;

const ARGUMENTS: [&str; 5] = ["--sandbox", "--games-limit", "1000000", "--stream-limit", "10000"];
/// How long the journal of a game is that another engine opens.
const LONG: usize = 1_000;

/// Durable submits beside plain inserts, what a second engine costs, and opening a game elsewhere.
pub(crate) async fn database(plan: &Plan) -> Vec<Row> {
    let Some(postgres) = Postgres::start() else { return Vec::new() };
    let address = postgres.database("games");
    let engine = Engine::on_database(&address, &ARGUMENTS);
    let (places, _, _) = toggled_places(&engine).await;
    let (_, mut places) = submits(places, plan.time / 4).await;
    let bytes = postgres.execute("games", "SELECT avg(length(body))::integer FROM entry WHERE number > 8");
    let bytes = bytes.parse().expect("a number");
    println!("database: entries of {bytes} bytes");
    let raw = postgres.database("raw");
    let mut beside_raw = Vec::new();
    for round in 1..=plan.rounds {
        let bare = plain_inserts(&raw, bytes, round, plan.time).await;
        let (ours, after) = submits(places, plan.time).await;
        places = after;
        tell("database", round, ours, bare);
        beside_raw.push((ours, bare));
    }
    let name = "durable submit on PostgreSQL, 64 in flight / plain multi-row inserts";
    let mut rows = vec![Row::compared(name, "submits/s", &beside_raw, Limit::AtLeast(0.5))];
    rows.push(second_engine(plan, &engine, &address).await);
    rows.push(cold_elsewhere(plan, &engine, &address).await);
    rows
}

type Insert = (i64, i64, Bytes, oneshot::Sender<()>);

/// Plain inserts a second: whatever waits goes into one statement, over two connections in turn, as the engine does it.
async fn plain_inserts(address: &str, bytes: usize, round: usize, time: Duration) -> f64 {
    let (sender, receiver) = mpsc::channel(4_096);
    let receiver = std::sync::Arc::new(tokio::sync::Mutex::new(receiver));
    let sql = "CREATE TABLE IF NOT EXISTS entry (game bigint, number bigint, body bytea, PRIMARY KEY (game, number))";
    let clients = [connect(address).await, connect(address).await];
    clients[0].batch_execute(sql).await.expect("a table can be made");
    for client in clients {
        tokio::spawn(insert(client, receiver.clone()));
    }
    let entry = Bytes::from(vec![7; bytes]);
    let places = (0..IN_FLIGHT as i64).map(|game| (round as i64 * 1_000 + game, 1)).collect();
    let append = move |(game, number): (i64, i64)| {
        let (sender, entry) = (sender.clone(), entry.clone());
        async move {
            let (reply, answer) = oneshot::channel();
            sender.send((game, number, entry, reply)).await.expect("the writer runs");
            answer.await.expect("the writer answers");
            (game, number + 1)
        }
    };
    calls_per_second(places, time, append).await.0
}

async fn connect(address: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await.expect("the database is there");
    tokio::spawn(connection);
    client
}

async fn insert(client: Client, receiver: std::sync::Arc<tokio::sync::Mutex<mpsc::Receiver<Insert>>>) {
    let sql = "INSERT INTO entry SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[])";
    let statement = client.prepare(sql).await.expect("a good statement");
    let mut batch = Vec::new();
    while receiver.lock().await.recv_many(&mut batch, 256).await > 0 {
        let games: Vec<i64> = batch.iter().map(|insert: &Insert| insert.0).collect();
        let numbers: Vec<i64> = batch.iter().map(|insert| insert.1).collect();
        let bodies: Vec<&[u8]> = batch.iter().map(|insert| &insert.2[..]).collect();
        client.execute(&statement, &[&games, &numbers, &bodies]).await.expect("rows can be inserted");
        for (.., reply) in batch.drain(..) {
            reply.send(()).expect("whoever appends waits");
        }
    }
}

/// A single client's submits beside a second engine, and without one.
async fn second_engine(plan: &Plan, engine: &Engine, address: &str) -> Row {
    let owner = engine.player("Single").await;
    let wire = Wire::connect_all(&engine.url(), &owner.token, 1).await.remove(0);
    let mut place = vec![(wire, Toggled::new(&owner).await)];
    let mut rounds = Vec::new();
    for round in 1..=plan.rounds {
        let (alone, after) = submits(place, plan.time).await;
        let second = Engine::on_database(address, &ARGUMENTS);
        let (beside, after) = submits(after, plan.time).await;
        drop(second);
        place = after;
        tell("database, a second engine", round, beside, alone);
        rounds.push((beside, alone));
    }
    Row::compared("submits of one client beside a second engine / without", "submits/s", &rounds, Limit::AtLeast(0.9))
}

/// How long another engine takes to show a game with a long journal that it has not in memory.
async fn cold_elsewhere(plan: &Plan, engine: &Engine, address: &str) -> Row {
    let owner = engine.player("Long").await;
    let other = Engine::on_database(address, &ARGUMENTS);
    let there = owner.on(other.channel().await);
    let mut times = Vec::new();
    for _ in 0..plan.rounds {
        let sandbox = Sandbox::new(&owner, 1, &[]).await;
        for _ in 0..LONG {
            sandbox.order(1, "mark (0,0)\ntake up (0,0)").await.expect("an order");
        }
        let elsewhere = Sandbox { owner: there.clone(), ..sandbox };
        let begun = Instant::now();
        elsewhere.view(1).await;
        times.push(begun.elapsed().as_secs_f64() * 1_000.0);
    }
    let time = median(times.into_iter());
    Row::alone("opening a game of 1,000 entries at another engine", "ms", time, Limit::Below(20.0))
}
