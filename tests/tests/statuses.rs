//! The statuses with which calls and streams end, and the encodings of messages.

use std::time::Duration;

use heliopause_proto::v1::work_request::Message as Said;
use heliopause_proto::v1::*;
use heliopause_tests::{
    Engine, OfGame as _, Player, STARSHIPS, Sandbox, Worker, automated, end_of, order_text, reason,
    word,
};
use tonic::{Code, Status, Streaming};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_types::StatusExt as _;

async fn end<T>(mut stream: Streaming<T>) -> Status {
    end_of(&mut stream).await
}

async fn end_of_work(mut worker: Worker) -> Status {
    loop {
        if let Err(status) = worker.hear().await {
            return status;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_3_streams_of_a_stopping_server_end_with_a_retry_time() {
    let mut engine = Engine::with(&["--drain-delay", "50ms"]);
    let ada = engine.player("Ada").await;
    let game = ada.create_with(0, |request| request.seats.push(automated("standard"))).await;
    let events = tokio::spawn(end(ada.events(&game.game_id, None).await));
    let notices = ada.does(StreamMyGamesRequest {}).await;
    let notices = tokio::spawn(end(notices));
    let worker = Worker::attach(&engine.worker_account().await, 1).await.unwrap();
    let work = tokio::spawn(end_of_work(worker));
    tokio::time::sleep(Duration::from_millis(200)).await;
    tokio::task::spawn_blocking(move || engine.terminate()).await.unwrap();
    for (name, ended) in [("StreamEvents", events), ("StreamMyGames", notices), ("Work", work)] {
        let status = ended.await.unwrap();
        assert_eq!(
            (status.code(), reason(&status).as_str()),
            (Code::Unavailable, "DRAINING"),
            "{name}: {status:?}"
        );
        assert!(status.get_details_retry_info().is_some(), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_3_streams_end_with_ok_or_their_reason() {
    let (engine, [ada]) = Engine::with_players(["Ada"]).await;
    let game = ada.create(0).await;
    let export = ExportGameRequest { game_id: game.game_id.clone(), full: false };
    let complete = ada.does(export).await;
    assert_eq!(end(complete).await.code(), Code::Ok);
    let worker = Worker::attach(&engine.worker_account().await, 1).await.unwrap();
    let orders = order_text("x".repeat(5_000_000));
    worker.say(Said::Answer(Answer { orders, ..Answer::default() })).await;
    let status = end_of_work(worker).await;
    assert_eq!(
        (status.code(), reason(&status).as_str()),
        (Code::ResourceExhausted, "MESSAGE_TOO_LARGE")
    );
    assert_eq!(word(&status, "limit"), (4 << 20).to_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_12_wrong_status_is_named_and_verify_reads_entries() {
    let engine = Engine::with(&["--sandbox"]);
    let ada = engine.player("Ada").await;
    let forming = ada.create_with(1, |request| request.start_when_full = false).await;
    for status in [
        ada.refused(GetViewRequest::of(&forming.game_id)).await,
        ada.refused(VerifyGameRequest { game_id: forming.game_id }).await,
    ] {
        assert_eq!(reason(&status), "WRONG_STATUS");
        assert_eq!(word(&status, "status"), "GAME_STATUS_FORMING");
    }
    let sandbox = Sandbox::new(&ada, 2, &[]).await;
    let found = ada.does(VerifyGameRequest { game_id: sandbox.game_id.clone() }).await;
    assert!(found.valid && found.entries > 0, "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_13_every_service_reports_its_health() {
    let engine = Engine::start();
    let mut health = HealthClient::new(engine.channel().await);
    for service in ["", "live", "heliopause.v1.GameService", "heliopause.v1.AutomationService"] {
        let request = HealthCheckRequest { service: service.to_owned() };
        assert_eq!(health.check(request).await.unwrap().into_inner().status, 1, "{service}");
    }
    let unknown = HealthCheckRequest { service: "heliopause.v1.NoService".to_owned() };
    assert_eq!(health.check(unknown).await.unwrap_err().code(), Code::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_15_one_call_lists_all_pending_decisions_of_an_account() {
    let engine = Engine::with(&["--sandbox"]);
    let ada = engine.player("Ada").await;
    let owed =
        async |player: &Player| player.does(ListMyDecisionsRequest::default()).await.decisions;
    assert_eq!(owed(&ada).await, []);
    let third = SandboxAutomation { seat: 3, automation: Some(AutomatedSeat::default()) };
    let change = |request: &mut CreateSandboxGameRequest| {
        request.players = Some(7);
        request.automated = vec![third];
    };
    let sandbox = Sandbox::of(&ada, "diplomacy", change).await;
    let alone = ada.create(0).await;
    let mut found = owed(&ada).await;
    found.sort_by_key(|one| (one.game_id != alone.game_id, one.seat));
    let seats: Vec<u32> =
        found.iter().filter(|one| one.game_id == sandbox.game_id).map(|one| one.seat).collect();
    assert_eq!(seats, [1, 2, 4, 5, 6, 7], "every seat but that of automation");
    let first = &found[0];
    assert_eq!((&first.game_id, first.kind.as_str(), first.seat), (&alone.game_id, STARSHIPS, 1));
    let decision = first.decision.clone().expect("a decision");
    let order = SubmitOrdersRequest {
        seat: Some(first.seat),
        phase: decision.phase,
        revision: decision.revision,
        request_id: "first".to_owned(),
        orders: order_text("end"),
        ..SubmitOrdersRequest::of(&first.game_id)
    };
    ada.does(order).await;
    assert_eq!(owed(&engine.player("Bob").await).await, [], "nobody else's");
}
