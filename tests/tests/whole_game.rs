//! A whole game over gRPC, in which every seat plays its offers and the result is consistent.

use heliopause_proto::v1::*;
use heliopause_tests::{Dice, Engine, STARSHIPS, Sandbox, lines};

async fn play_to_the_end(sandbox: &Sandbox, seats: u32, picks: &mut Dice) -> u32 {
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
            // Ending some turns early makes the game progress.
            let lines = lines(&offers);
            let end = lines.iter().find(|line| *line == "end");
            let pick = match end {
                Some(end) if picks.below(3) == 0 => end,
                _ => &lines[picks.below(lines.len() as u64) as usize],
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
async fn offered_orders_are_accepted_until_the_end_and_the_journal_verifies() {
    let engine = Engine::start();
    let owner = engine.player("Rebecca").await;
    let sandbox = Sandbox::new(&owner, 3, &[]).await;
    let orders = play_to_the_end(&sandbox, 4, &mut Dice(1)).await;
    assert!(orders > 20, "a game takes more than {orders} orders");

    let game = owner.game(&sandbox.game_id).await;
    assert_eq!(game.status(), GameStatus::Ended);
    assert!(game.outcome.is_some_and(|outcome| !outcome.summary.is_empty()));

    let report = owner.does(VerifyGameRequest { game_id: sandbox.game_id.clone() }).await;
    assert!(report.valid, "{}", report.fault);
    assert_eq!(report.entries, report.replayed);
    assert!(report.rolls > 0);
    assert_eq!(game.kind, STARSHIPS);
}
