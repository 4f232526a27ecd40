//! Lists of orders. Reveals and dice are never undone, and a repeated request gets the same
//! response.

use heliopause_proto::v1::*;
use heliopause_tests::{Engine, STARSHIPS, Sandbox, Worker, order_text, orders_at};

async fn request(
    sandbox: &Sandbox,
    seat: u32,
    request_id: &str,
    text: &str,
) -> SubmitOrdersRequest {
    let view = sandbox.view(seat).await;
    orders_at(&view, &sandbox.game_id, Some(seat), request_id, text)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_partly_applied_list_has_one_answer_even_after_a_kill() {
    let (mut engine, [mut owner]) = Engine::with_players(["Ann"]).await;
    let sandbox = Sandbox::beside(&owner, "MARKER_UNFRIENDLY", &[]).await;
    let request =
        request(&sandbox, 1, "once", "move A1 to (1,0)\nforce A1\nmove A1 to (2,0)\nend").await;
    let first = owner.does(request.clone()).await;
    assert!(first.accepted_count >= 1);
    assert!(first.refused.is_some(), "a starship that fought moves no more: {first:?}");
    let after = sandbox.position().await;
    for _ in 0..3 {
        let again = owner.does(request.clone()).await;
        assert_eq!(again, first);
        engine = engine.kill_and_restart();
        owner = owner.on(engine.channel().await);
    }
    let sandbox = sandbox.at(owner.clone());
    assert_eq!(sandbox.position().await, after, "it was taken once");
    let orders = order_text("move A1 to (1,0)");
    let reused = SubmitOrdersRequest { orders, ..request.clone() };
    assert_eq!(owner.refusal(reused).await, "REQUEST_ID_REUSED");
    sandbox.close().await;
    let late = owner.does(request).await;
    assert_eq!(SubmitOrdersResponse { decision: first.decision.clone(), ..late }, first);
    owner.verified(&sandbox.game_id).await;
}

/// "end" means a different order in each step of the turn.
#[tokio::test(flavor = "multi_thread")]
async fn a_retry_matches_its_text_even_if_its_meaning_has_changed() {
    let (_engine, [owner]) = Engine::with_players(["Ann"]).await;
    let sandbox = Sandbox::of(&owner, "stellar-conquest", |request| {
        request.players = Some(2);
        request.seed = vec![1; 32].into();
    })
    .await;
    sandbox.close().await;
    let turn = owner.game(&sandbox.game_id).await.on_turn.expect("a turn");
    sandbox
        .order(turn, "move #1-45 to Sadir")
        .await
        .expect("ships that wait beside the board enter it first");
    let request = request(&sandbox, turn, "once", "end\nend").await;
    let first = owner.does(request.clone()).await;
    assert_eq!(
        (first.accepted_count, first.refused.as_ref().expect("a reason").refusal.as_str()),
        (1, "decision-closed")
    );
    assert_eq!(first.events.iter().filter(|event| event.text.contains("nor the")).count(), 0);
    assert_eq!(owner.does(request).await, first);
    sandbox.order(turn, "end").await.expect("the turn ends");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_learns_how_much_of_its_answer_was_accepted() {
    let (engine, [player]) = Engine::with_players(["Rebecca"]).await;
    let game = player.create_automated(STARSHIPS, 2, "", None).await;
    let mut worker = Worker::attach(&engine.worker_account().await, 1).await.unwrap();
    let lease = worker.lease().await;
    worker.answer(&lease, "move A9 to (1,0)\nend").await;
    let work_response::Message::Refused(refused) = worker.hear().await.unwrap() else {
        panic!("nothing was taken")
    };
    assert_eq!(refused.lease, lease.lease);
    worker.answer(&lease, "end\nend").await;
    let accepted = loop {
        match worker.hear().await.unwrap() {
            work_response::Message::Accepted(accepted) => break accepted,
            work_response::Message::Lease(_) => {}
            other => panic!("{other:?}"),
        }
    };
    assert_eq!((accepted.lease, accepted.accepted_count), (lease.lease, 1));
    assert_eq!(accepted.refused.expect("a reason").refusal, "decision-closed");
    engine.admin().await.verified(&game.game_id).await;
}
