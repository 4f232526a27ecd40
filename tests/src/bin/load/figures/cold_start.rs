//! The start time of an engine, and the memory of a loaded game.

use std::time::Instant;

use heliopause_proto::v1::GetGameRequest;
use heliopause_tests::{Sandbox, memory_of};
use prost::Message as _;

use super::{GET_GAME, IN_FLIGHT};
use crate::games;
use crate::measure::{Limit, Plan, Row, median};
use crate::wire::Wire;

const GAMES: usize = 10_000;
const TOUCHED: usize = 5_000;

pub(crate) async fn cold_start(plan: &Plan) -> [Row; 2] {
    let mut engine = games::durable_engine(&plan.disk);
    let owner = engine.player("Load").await;
    println!("cold-start: making {GAMES} games");
    let mut made = tokio::task::JoinSet::new();
    for place in 0..IN_FLIGHT {
        let (owner, mut games) = (owner.clone(), Vec::new());
        made.spawn(async move {
            for _ in (place..GAMES).step_by(IN_FLIGHT) {
                games.push(Sandbox::new(&owner, 2, &[]).await.game_id);
            }
            games
        });
    }
    let games: Vec<String> = made.join_all().await.into_iter().flatten().collect();
    engine.terminate();
    let mut times = Vec::new();
    for round in 1..=plan.rounds {
        engine.kill();
        let begun = Instant::now();
        engine = engine.kill_and_restart();
        times.push(begun.elapsed().as_secs_f64());
        println!("cold-start: round {round}: {:.3} s", times[round - 1]);
    }
    let wire = Wire::connect(&engine.url(), &owner.token).await;
    let touch = async |games: &[String]| {
        for game_id in games {
            let request = GetGameRequest { game_id: game_id.clone(), ..GetGameRequest::default() };
            wire.call(GET_GAME, request.encode_to_vec().into()).await;
        }
    };
    // The first games fill pools and caches.
    touch(&games[..1_000]).await;
    let before = memory_of(engine.pid());
    touch(&games[1_000..1_000 + TOUCHED]).await;
    let each = (memory_of(engine.pid()) - before) as f64 / TOUCHED as f64 / 1024.0;
    let time = median(times.into_iter());
    [
        Row::alone("start to ready line, 10,000 games", "s", time, Limit::Below(1.0)),
        Row::alone("memory of a live game (2 players)", "KiB", each, Limit::None),
    ]
}
