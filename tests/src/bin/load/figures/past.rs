//! Views of earlier turns of a long game.

use std::time::Instant;

use heliopause_proto::star_empires::v1 as empires;
use heliopause_proto::v1::{GameOptions, GetViewRequest, game_options};
use heliopause_tests::AiClient;
use prost::Message as _;

use crate::games;
use crate::measure::{Limit, Plan, Row, median};

const EMPIRES: usize = 12;
const TURNS: u32 = 42;
/// The viewed turn. The last stored position is seven turns earlier, which is nearly the worst
/// case.
const TURN: u64 = 40;
const LOOKS: usize = 20;

pub(crate) async fn past(plan: &Plan) -> Row {
    let engine = games::durable_engine(&plan.disk);
    let owner = engine.player("Load").await;
    println!("past: {EMPIRES} empires play {TURNS} turns");
    let ai = AiClient::start(&engine);
    let options = empires::Options { last_turn: Some(TURNS), ..empires::Options::default() };
    let options = GameOptions { game: Some(game_options::Game::StarEmpires(options)) };
    let game =
        owner.create_automated("star-empires", EMPIRES, "standard", Some(options)).await.game_id;
    owner.ended(&game).await;
    drop(ai);
    let request = GetViewRequest {
        game_id: game,
        at_phase: Some(TURN),
        revealed: true,
        ..GetViewRequest::default()
    };
    let mut times = Vec::new();
    for round in 1..=plan.rounds {
        let mut size = 0;
        for _ in 0..LOOKS {
            let begun = Instant::now();
            size = owner.does(request.clone()).await.encoded_len();
            times.push(begun.elapsed().as_secs_f64() * 1e3);
        }
        let so_far = median(times.iter().copied());
        println!("past: round {round}: {size} bytes, {so_far:.2} ms");
    }
    let time = median(times.into_iter());
    Row::alone("turn 40 of a game of 12 empires, everything", "ms", time, Limit::Below(20.0))
}
