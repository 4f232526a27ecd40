//! A whole game over gRPC: every seat plays what it is offered, and everything about the game holds
//! together.

use heliopause_proto::v1::*;
use heliopause_tests::{Engine, STARSHIPS, Sandbox, lines};

/// A small generator of its own, so that the game is the same at every run.
struct Picks(u64);

impl Picks {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// Plays offered choices at random until the game is over; says how many orders that took.
async fn play_to_the_end(sandbox: &Sandbox, seats: u32, picks: &mut Picks) -> u32 {
    for orders in 0..5_000 {
        let mut moved = false;
        for seat in 1..=seats {
            let offers = match sandbox
                .owner
                .games()
                .get_offers(GetOffersRequest { game_id: sandbox.game_id.clone(), seat: Some(seat) })
                .await
            {
                Ok(offers) => offers.into_inner(),
                Err(status) if heliopause_tests::reason(&status) == "WRONG_STATUS" => {
                    return orders;
                }
                Err(status) => panic!("{status:?}"),
            };
            if offers.decision.is_none() {
                continue;
            }
            // Ending the turn half of the time keeps the game moving.
            let lines = lines(&offers);
            let end = lines.iter().find(|line| *line == "end");
            let pick = match end {
                Some(end) if picks.below(3) == 0 => end,
                _ => &lines[picks.below(lines.len())],
            };
            sandbox.order(seat, pick).await.unwrap_or_else(|status| {
                panic!("{pick} was offered to seat {seat} and refused: {status:?}")
            });
            moved = true;
            break;
        }
        assert!(moved, "nobody owes a decision and the game is not over");
    }
    panic!("the game does not end");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_offered_order_is_accepted_until_the_game_ends_and_the_journal_proves_it() {
    let engine = Engine::start();
    let owner = engine.player("Rebecca").await;
    let sandbox = Sandbox::new(&owner, 3, &[]).await;
    let orders = play_to_the_end(&sandbox, 4, &mut Picks(1)).await;
    assert!(orders > 20, "a game takes more than {orders} orders");

    let game = owner.game(&sandbox.game_id).await;
    assert_eq!(game.status(), GameStatus::Ended);
    assert!(game.outcome.is_some_and(|outcome| !outcome.summary.is_empty()));

    let request = VerifyGameRequest { game_id: sandbox.game_id.clone() };
    let report = owner.games().verify_game(request).await.unwrap().into_inner();
    assert!(report.valid, "{}", report.fault);
    assert_eq!(report.entries, report.replayed);
    assert!(report.rolls > 0);
    assert_eq!(game.kind, STARSHIPS);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_survives_the_death_of_the_engine_at_any_moment_of_it() {
    let mut engine = Engine::start();
    let owner = engine.player("Robert").await;
    let sandbox = Sandbox::new(&owner, 2, &[]).await;
    let before = sandbox.view(1).await;
    sandbox.order(on_turn(&sandbox).await, "end").await.unwrap();
    let after = sandbox.view(1).await;
    assert_ne!(before.view, after.view);
    engine = engine.kill_and_restart();

    let owner = owner.on(engine.channel().await);
    let sandbox = Sandbox { owner, ..sandbox };
    assert_eq!(sandbox.view(1).await, after);
    play_to_the_end(&sandbox, 3, &mut Picks(2)).await;
}

async fn on_turn(sandbox: &Sandbox) -> u32 {
    sandbox.owner.game(&sandbox.game_id).await.on_turn.expect("a turn")
}
