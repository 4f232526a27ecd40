//! The state of a game: goals, pending seats, withdrawn orders, and the final result.

use heliopause_proto::v1::*;
use heliopause_tests::{Engine, Person, Player, reason};

fn short_game(ann: &Person, bob: &Person) -> String {
    let more = ["--open", "1", "--start-when-full", "-o", "lastYear=1901"];
    let game = ann.game("diplomacy", &more);
    bob.does(&["join", &game]);
    game
}

#[test]
fn a_player_sees_goals_awaited_seats_and_the_result() {
    let (_engine, [ann, bob]) = Engine::with_people(["Ann", "Bob"]);
    let game = short_game(&ann, &bob);
    let (shown, _) = ann.reads(&["show", &game]);
    assert!(shown.contains("3 of the 18 supply centers needed to win."), "{shown}");
    assert!(shown.contains("1901; the game is drawn after the fall of 1901."), "{shown}");
    assert!(shown.contains("Waiting for Ann and Bob."), "{shown}");

    ann.does(&["orders", &game, "A Vie - Gal"]);
    let (shown, _) = bob.reads(&["show", &game]);
    assert!(shown.contains("Waiting for Ann (orders submitted) and Bob."), "{shown}");
    let revision = ann.does(&["view", &game])["revision"].clone();
    let taken_back = ann.does(&["take-back", &game]);
    assert_ne!(taken_back["revision"], revision);
    assert!(ann.reads(&["show", &game]).0.contains("Waiting for Ann and Bob."));
    let goals = ann.does(&["view", &game])["goals"].clone();
    assert_eq!((&goals[0]["seat"], &goals[0]["label"]), (&1.into(), &"supply centers".into()));

    for _ in 0..2 {
        ann.does(&["ready", &game, "--yes"]);
        assert!(bob.reads(&["show", &game]).0.contains("Waiting for Bob."));
        bob.does(&["ready", &game, "--yes"]);
    }
    let outcome = ann.does(&["show", &game])["game"]["outcome"].clone();
    let why = "1901 was the last year: a draw between Austria (3) and England (3), of 34 supply \
               centers.";
    assert_eq!((&outcome["summary"], &outcome["draw"]), (&why.into(), &true.into()));
    let places: Vec<_> = outcome["scores"].as_array().expect("scores").iter().collect();
    assert!(places.iter().all(|score| score["place"] == 1 && score["points"] == "50"), "{outcome}");
    let (shown, _) = bob.reads(&["show", &game]);
    assert!(shown.contains("ended, a draw between Ann and Bob"), "{shown}");
    assert!(shown.contains("   1. Ann, 50 points: supply centers 3, units 3"), "{shown}");
    assert!(!shown.contains("movement") && !shown.contains("Goals"), "{shown}");
    assert!(ann.reads(&["map", &game]).0.contains("Fall 1901, drawn"));
}

async fn take_back(
    player: &Player,
    game_id: &str,
    phase: Option<u64>,
    request_id: &str,
) -> Result<WithdrawOrdersResponse, tonic::Status> {
    let (game_id, request_id) = (game_id.to_owned(), request_id.to_owned());
    let request = WithdrawOrdersRequest { game_id, phase, request_id, seat: None };
    player.call(request).await
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_are_withdrawn_once_and_withdrawal_survives_a_crash() {
    let mut engine = Engine::start();
    let (mut ann, bob) = (engine.player("Ann").await, engine.player("Bob").await);
    let kind = "diplomacy";
    let game = ann.create_with(1, |request| kind.clone_into(&mut request.kind)).await.game_id;
    bob.join(&game).await;
    ann.order(&game, "A Vie - Gal", "a").await.expect("an order");
    let phase = ann.view(&game).await.phase;
    let first = take_back(&ann, &game, phase, "b").await.expect("it is kept");
    assert_eq!(first.revision, Some(2));
    engine = engine.kill_and_restart();
    ann = ann.on(engine.channel().await);
    assert_eq!(take_back(&ann, &game, phase, "b").await.expect("a retry"), first);
    assert_eq!(ann.view(&game).await.revision, Some(2), "a retry does nothing");
    let waiting = ann.game(&game).await.pending_seats;
    assert_eq!(waiting.iter().map(|one| one.ordered).collect::<Vec<_>>(), [Some(false); 2]);
    let stale = take_back(&ann, &game, phase.map(|phase| phase + 1), "c").await.unwrap_err();
    assert_eq!(reason(&stale), "PHASE_CLOSED");
}
