//! The Fate of Empire over gRPC, without anybody to play its pirates.

use heliopause_proto::v1::*;
use heliopause_tests::{Engine, Sandbox};

#[tokio::test(flavor = "multi_thread")]
async fn without_an_ai_client_the_pirates_are_waited_for_and_the_game_says_so() {
    let engine = Engine::with(&["--sandbox"]);
    let ann = engine.player("Ann").await;
    let text = include_str!("../../examples/scenarios/fate-of-empire/ft-20-disengagement.json");
    let mut scenario: serde_json::Value = serde_json::from_str(text).expect("a scenario");
    let position = serde_json::json!({ "stellarConquest": scenario["position"].take() });
    let request = CreateSandboxGameRequest {
        kind: "fate-of-empire".to_owned(),
        position: Some(serde_json::from_value(position).expect("a position")),
        automated: vec![SandboxAutomation {
            seat: 2,
            by: Some(AutomatedSeat { profile: "pirates".to_owned(), ..AutomatedSeat::default() }),
        }],
        ..CreateSandboxGameRequest::default()
    };
    let sandbox = Sandbox::create(&ann, request).await.expect("a sandbox");
    sandbox.order(1, "end movement").await.expect("the pirates are attacked");
    assert!(!ann.game(&sandbox.game_id).await.waits_for_automation);
    sandbox.order(1, "hold").await.expect("nobody fires");
    // They may choose among the Captain-General's alike ships, and nobody plays them.
    let game = ann.game(&sandbox.game_id).await;
    assert!(game.waits_for_automation, "{game:?}");
    assert_eq!(game.status(), GameStatus::Running);
}
