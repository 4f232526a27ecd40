//! Lists of orders. Reveals and dice are never undone, and a repeated request gets the same
//! response.

use heliopause_proto::v1::*;
use heliopause_tests::{Engine, Player, STARSHIPS, Sandbox, Worker, orders_at, reason, word};

const MARKERS: [&str; 5] =
    ["MARKER_FRIENDLY", "MARKER_UNFRIENDLY", "MARKER_DEAD", "MARKER_ASTEROIDS", "MARKER_EMPTY"];

/// Places player A's starship next to a face-down marker. All dice and other markers are fixed.
async fn beside(owner: &Player, marker: &str) -> Sandbox {
    let hex = format!(r#"{{"hex":{{"q":1,"r":0}},"marker":"{marker}"}}"#);
    let json = format!(r#"{{"starshipsAtLarge":{{"players":[{{}},{{}}],"hexes":[{hex}]}}}}"#);
    let request = CreateSandboxGameRequest {
        kind: STARSHIPS.to_owned(),
        position: Some(heliopause_proto::json::from_text(&json).expect("a position")),
        seed: vec![1; 32].into(),
        ..CreateSandboxGameRequest::default()
    };
    Sandbox::create(owner, request).await.expect("a sandbox game")
}

async fn request(
    sandbox: &Sandbox,
    seat: u32,
    request_id: &str,
    text: &str,
) -> SubmitOrdersRequest {
    let view = sandbox.view(seat).await;
    orders_at(&view, &sandbox.game_id, Some(seat), request_id, text)
}

async fn position(sandbox: &Sandbox) -> GetPositionResponse {
    sandbox.owner.does(GetPositionRequest { game_id: sandbox.game_id.clone() }).await
}

/// The attack puts an order that will be rejected after an expedition, to undo the expedition once
/// its result is visible.
#[tokio::test(flavor = "multi_thread")]
async fn rules_27_an_expedition_stays_when_a_later_order_is_rejected() {
    let engine = Engine::start();
    let owner = engine.player("Ann").await;
    for text in [
        "move A1 to (1,0)\ndiplomacy A1\nmove A1 to (0,0)",
        "move A1 to (1,0)\nforce A1\nmove A1 to (2,0)",
    ] {
        for marker in MARKERS {
            let (list, single) = (beside(&owner, marker).await, beside(&owner, marker).await);
            let answer = list.order(1, text).await.expect("the first order is legal");
            let lines: Vec<&str> = text.lines().collect();
            for line in &lines[..answer.accepted_count as usize] {
                single.order(1, line).await.expect("it was taken as part of a list");
            }
            assert_eq!(position(&list).await, position(&single).await, "{marker}: {text}");
            let Some(refused) = answer.refused else {
                assert_eq!(answer.accepted_count as usize, lines.len());
                continue;
            };
            assert!(
                answer.accepted_count >= 1
                    && !refused.message.is_empty()
                    && !refused.refusal.is_empty()
            );
            if refused.refusal != "decision-closed" {
                let alone = single
                    .order(1, lines[answer.accepted_count as usize])
                    .await
                    .expect_err("it is refused alone too");
                assert_eq!(word(&alone, "refusal"), refused.refusal, "{marker}: {text}");
            }
        }
    }
}

/// Before anything is resolved, the response to a seat does not depend on hidden state.
#[tokio::test(flavor = "multi_thread")]
async fn rules_27_early_rejections_reveal_nothing() {
    let engine = Engine::start();
    let owner = engine.player("Ann").await;
    let mut answers = Vec::new();
    for marker in MARKERS {
        let sandbox = beside(&owner, marker).await;
        let before = position(&sandbox).await;
        let mut told = Vec::new();
        for text in [
            "diplomacy A1\nmove A1 to (1,0)",
            "move A1 to (1,0)\nmove A1 to nowhere",
            "move A9 to (1,0)\nend",
        ] {
            let refused = sandbox.order(1, text).await.expect_err("nothing of it is taken");
            told.push(format!("{} {} {refused}", reason(&refused), word(&refused, "order")));
        }
        assert_eq!(position(&sandbox).await, before, "a refused request has changed nothing");
        let orders = Orders {
            text: "move A1 to (1,0)\ndiplomacy A1\nmove A1 to (0,0)".to_owned(),
            ..Orders::default()
        };
        let dry = ValidateOrdersRequest {
            game_id: sandbox.game_id.clone(),
            seat: Some(1),
            orders: Some(orders),
        };
        told.push(format!("{:?}", owner.does(dry).await));
        assert_eq!(position(&sandbox).await, before, "a dry run plays nothing");
        answers.push(told);
    }
    assert!(answers.iter().all(|told| *told == answers[0]), "{answers:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_partly_applied_list_has_one_answer_even_after_a_kill() {
    let mut engine = Engine::start();
    let mut owner = engine.player("Ann").await;
    let sandbox = beside(&owner, "MARKER_UNFRIENDLY").await;
    let request =
        request(&sandbox, 1, "once", "move A1 to (1,0)\nforce A1\nmove A1 to (2,0)\nend").await;
    let first = owner.does(request.clone()).await;
    assert!(first.accepted_count >= 1);
    assert!(first.refused.is_some(), "a starship that fought moves no more: {first:?}");
    let after = position(&sandbox).await;
    for _ in 0..3 {
        let again = owner.does(request.clone()).await;
        assert_eq!(again, first);
        engine = engine.kill_and_restart();
        owner = owner.on(engine.channel().await);
    }
    let sandbox = Sandbox { owner: owner.clone(), ..sandbox };
    assert_eq!(position(&sandbox).await, after, "it was taken once");
    let other = Orders { text: "move A1 to (1,0)".to_owned(), ..Orders::default() };
    let reused = SubmitOrdersRequest { orders: Some(other), ..request.clone() };
    assert_eq!(owner.refusal(reused).await, "REQUEST_ID_REUSED");
    sandbox.close().await;
    let late = owner.does(request).await;
    assert_eq!(SubmitOrdersResponse { decision: first.decision.clone(), ..late }, first);
    owner.verified(&sandbox.game_id).await;
}

/// "end" means a different order in each step of the turn.
#[tokio::test(flavor = "multi_thread")]
async fn a_retry_matches_its_text_even_if_its_meaning_has_changed() {
    let engine = Engine::start();
    let owner = engine.player("Ann").await;
    let create = CreateSandboxGameRequest {
        kind: "stellar-conquest".to_owned(),
        players: Some(2),
        seed: vec![1; 32].into(),
        ..CreateSandboxGameRequest::default()
    };
    let sandbox = Sandbox::create(&owner, create).await.expect("a sandbox game");
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
    let engine = Engine::start();
    let player = engine.player("Rebecca").await;
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
