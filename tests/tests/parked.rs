//! The contract of automation with workers that answer wrongly, by mistake or on purpose.

use std::time::Duration;

use heliopause_proto::v1::work_request::Message as Said;
use heliopause_proto::v1::work_response::Message as Say;
use heliopause_proto::v1::*;
use heliopause_tests::{
    Engine, OfGame as _, Player, STARSHIPS, Worker, automated, pace, reason, until_some, violation,
};
use tonic::Status;

const NONSENSE: &str = "attack A1 base of A";

fn captain(levels: &[&str]) -> WorkerProfile {
    Worker::profile(STARSHIPS, "captain", levels)
}

async fn watched(player: &Player, deadline: bool) -> Game {
    let change = |request: &mut CreateGameRequest| {
        request.spectate = true;
        request.seats = vec![automated("standard"); 2];
        request.pace = pace(86_400).filter(|_| deadline);
    };
    player.create_with(0, change).await
}

async fn fail(worker: &mut Worker, lease: &Lease) {
    for left in (0..5).rev() {
        worker.answer(lease, NONSENSE).await;
        match worker.hear().await.unwrap() {
            Say::Refused(refused) => {
                assert_eq!((refused.lease, refused.attempts_left), (lease.lease, left));
            }
            _ => panic!("a refusal was expected"),
        }
    }
}

async fn parked(admin: &Player) -> Vec<ParkedDecision> {
    admin.does(ListParkedDecisionsRequest::default()).await.decisions
}

async fn release(
    admin: &Player,
    parked: &ParkedDecision,
    release: ParkedRelease,
) -> Result<(), Status> {
    let request = ReleaseParkedDecisionRequest {
        game_id: parked.game_id.clone(),
        seat: parked.seat,
        vote: parked.vote,
        release: release.into(),
    };
    admin.admin().release_parked_decision(request).await.map(|_| ())
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_2_welcome_lists_leased_profiles_and_the_lease_time() {
    let engine = Engine::start();
    let profiles = vec![captain(&["strong", "random"]), captain(&["strong"])];
    let mut worker = Worker::attach_as(&engine.worker_account().await, 3, profiles).await.unwrap();
    let Say::Welcome(welcome) = worker.next().await.unwrap() else {
        panic!("a welcome comes first")
    };
    assert_eq!((welcome.profiles, welcome.capacity), (vec![captain(&["random", "strong"])], 3));
    let player = engine.player("Ada").await;
    player.create_automated(STARSHIPS, 2, "strong", None).await;
    let lease = worker.lease().await;
    tokio::time::sleep(Duration::from_millis(20)).await;
    worker.say(Said::Renew(Renew { lease: lease.lease })).await;
    let Say::Renewed(renewed) = worker.next().await.unwrap() else { panic!("a Renew is answered") };
    assert_eq!(renewed.lease, lease.lease);
    let millis = |at: Option<prost_types::Timestamp>| {
        at.map(|at| at.seconds * 1_000 + i64::from(at.nanos) / 1_000_000)
    };
    assert!(
        millis(renewed.expire_time) > millis(lease.expire_time),
        "{renewed:?} {:?}",
        lease.expire_time
    );
    let another = LeaseRef { lease_id: lease.lease.unwrap().lease_id + 1, fence: 1 };
    worker.say(Said::Renew(Renew { lease: Some(another) })).await;
    assert!(
        matches!(worker.next().await.unwrap(), Say::Revoked(revoked) if revoked.lease == Some(another))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_1_an_empty_answer_is_rejected_unless_ready_is_meaningful() {
    let (engine, [player]) = Engine::with_players(["Ada"]).await;
    watched(&player, false).await;
    let account = engine.worker_account().await;
    let mut worker = Worker::attach(&account, 1).await.unwrap();
    let lease = worker.lease().await;
    for ready in [false, true] {
        let nothing = Answer {
            lease: lease.lease,
            orders: Some(Orders::default()),
            ready,
            ..Answer::default()
        };
        worker.say(Said::Answer(nothing)).await;
        let Say::Refused(refused) = worker.hear().await.unwrap() else {
            panic!("it decides nothing")
        };
        assert_eq!(refused.verdicts[0].field, "orders", "ready: {ready}");
    }
    drop(worker);
    // A turn of Diplomacy can be revised: a seat that is ready without orders holds all units.
    player.create_automated("diplomacy", 7, "standard", None).await;
    let power = Worker::profile("diplomacy", "power", &["standard"]);
    let mut worker = Worker::attach_as(&account, 1, vec![power]).await.unwrap();
    let lease = worker.lease().await;
    worker.say(Said::Answer(Answer { lease: lease.lease, ..Answer::default() })).await;
    assert!(matches!(worker.hear().await.unwrap(), Say::Refused(_)), "not ready, and no orders");
    worker.say(Said::Answer(Answer { lease: lease.lease, ready: true, ..Answer::default() })).await;
    assert!(matches!(worker.hear().await.unwrap(), Say::Accepted(_)));
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_1_without_a_deadline_failed_answers_apply_the_defaults() {
    let engine = Engine::with(&["--metrics", "127.0.0.1:0"]);
    let player = engine.player("Ada").await;
    let game = watched(&player, false).await;
    let mut worker = Worker::attach(&engine.worker_account().await, 1).await.unwrap();
    let lease = worker.lease().await;
    fail(&mut worker, &lease).await;
    let next = worker.lease().await;
    assert_eq!((&next.game_id, next.seat), (&game.game_id, 3 - lease.seat));
    let events = player.all_events(&game.game_id).await;
    assert!(!events.is_empty());
    assert_eq!(parked(&engine.admin().await).await, []);
    engine.wait_for_log("the defaults were applied; no worker could answer");
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_1_with_a_deadline_a_decision_is_parked_for_the_operator() {
    let engine = Engine::with(&["--metrics", "127.0.0.1:0"]);
    let player = engine.player("Ada").await;
    let game = watched(&player, true).await;
    let admin = engine.admin().await;
    let mut worker = Worker::attach(&engine.worker_account().await, 1).await.unwrap();
    let lease = worker.lease().await;
    fail(&mut worker, &lease).await;
    engine.wait_for_log("no worker can answer a decision");
    let found = parked(&admin).await;
    assert_eq!(found.len(), 1);
    let one = &found[0];
    assert_eq!(
        (&one.game_id, one.seat, one.vote, one.failures),
        (&game.game_id, lease.seat, None, 5)
    );
    assert_eq!(
        (one.kind.as_str(), one.profile.as_str(), one.level.as_str()),
        (STARSHIPS, "captain", "standard")
    );
    assert!(!one.message.is_empty() && one.park_time.is_some());
    assert!((engine.metric("heliopause_decisions_parked") - 1.0).abs() < 0.1);
    let status = admin.does(GetStatusRequest {}).await;
    assert_eq!(status.parked_decisions, 1);
    let other = watched(&player, false).await;
    let elsewhere = worker.lease().await;
    assert_eq!(elsewhere.game_id, other.game_id);
    drop(worker);
    let cancel = CancelAnyGameRequest {
        why: "It was in the way.".to_owned(),
        ..CancelAnyGameRequest::of(&other.game_id)
    };
    admin.does(cancel).await;
    release(&admin, one, ParkedRelease::Retry).await.unwrap();
    assert_eq!(reason(&release(&admin, one, ParkedRelease::Retry).await.unwrap_err()), "NOT_FOUND");
    let mut worker = Worker::attach(&engine.worker_account().await, 1).await.unwrap();
    let again = worker.lease().await;
    assert_eq!((&again.game_id, again.seat), (&game.game_id, lease.seat));
    fail(&mut worker, &again).await;
    let found = parked(&admin).await;
    let here = found.iter().find(|one| one.game_id == game.game_id).expect("it is parked again");
    assert_eq!(
        violation(&release(&admin, here, ParkedRelease::Unspecified).await.unwrap_err()),
        "release"
    );
    release(&admin, here, ParkedRelease::Default).await.unwrap();
    assert!(parked(&admin).await.iter().all(|one| one.game_id != game.game_id));
    let next = worker.lease().await;
    assert_eq!((&next.game_id, next.seat), (&game.game_id, 3 - lease.seat));
    let refused = player.refused(ListParkedDecisionsRequest::default()).await;
    assert_eq!(reason(&refused), "ROLE_REQUIRED");
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_1_parked_decisions_go_to_other_accounts_and_releases_count() {
    let (engine, [player]) = Engine::with_players(["Ada"]).await;
    watched(&player, true).await;
    let admin = engine.admin().await;
    let mut hostile = Worker::attach(&engine.worker_account().await, 1).await.unwrap();
    let lease = hostile.lease().await;
    for _ in 0..4 {
        hostile.answer(&lease, NONSENSE).await;
        assert!(matches!(hostile.hear().await.unwrap(), Say::Refused(_)));
    }
    let reason = "I do not like it".to_owned();
    hostile.say(Said::Release(Release { lease: lease.lease, reason, cause: 0 })).await;
    let found = until_some("it is parked", async || {
        Some(parked(&admin).await).filter(|found| !found.is_empty())
    })
    .await;
    assert!(found[0].message.contains("I do not like it"), "{found:?}");
    // A new stream of the same account changes nothing, but a stream of another account does.
    let _again = Worker::attach(&engine.worker_account().await, 1).await.unwrap();
    assert_eq!(parked(&admin).await.len(), 1);
    let mut other = Worker::attach(&engine.worker_named("Second").await, 1).await.unwrap();
    assert_eq!(other.lease().await.seat, lease.seat);
    assert_eq!(parked(&admin).await, []);
}
