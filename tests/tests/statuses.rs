//! The statuses with which calls and streams end, and the encodings of messages.

use std::time::Duration;

use heliopause_proto::v1::game_service_client::GameServiceClient;
use heliopause_proto::v1::work_request::Message as Said;
use heliopause_proto::v1::*;
use heliopause_tests::{
    Engine, OfGame as _, Player, STARSHIPS, Sandbox, Worker, automated, order_text, reason,
    violation, word,
};
use tonic::codec::CompressionEncoding;
use tonic::{Code, Status, Streaming};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_types::StatusExt as _;

async fn end<T>(mut stream: Streaming<T>) -> Status {
    loop {
        match stream.message().await {
            Ok(Some(_)) => {}
            Ok(None) => return Status::ok("complete"),
            Err(status) => return status,
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
    let mut worker = Worker::attach(&engine.worker_account().await, 1).await.unwrap();
    let work = tokio::spawn(async move {
        loop {
            if let Err(status) = worker.hear().await {
                return status;
            }
        }
    });
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
    let engine = Engine::start();
    let ada = engine.player("Ada").await;
    let game = ada.create(0).await;
    let export = ExportGameRequest { game_id: game.game_id.clone(), full: false };
    let complete = ada.does(export).await;
    assert_eq!(end(complete).await.code(), Code::Ok);
    let worker = Worker::attach(&engine.worker_account().await, 1).await.unwrap();
    let text = "x".repeat(5_000_000);
    let orders = order_text(text);
    worker.say(Said::Answer(Answer { orders, ..Answer::default() })).await;
    let mut worker = worker;
    let status = loop {
        if let Err(status) = worker.hear().await {
            break status;
        }
    };
    assert_eq!(
        (status.code(), reason(&status).as_str()),
        (Code::ResourceExhausted, "MESSAGE_TOO_LARGE")
    );
    assert_eq!(word(&status, "limit"), (4 << 20).to_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_11_too_large_messages_are_rejected_compressed_or_not() {
    let engine = Engine::start();
    let ada = engine.player("Ada").await;
    let game = ada.create(0).await;
    let orders = |length: usize| order_text("x".repeat(length));
    let request = |length| ValidateOrdersRequest {
        orders: orders(length),
        ..ValidateOrdersRequest::of(&game.game_id)
    };
    let plain = ada.refused(request(5 << 20)).await;
    assert_eq!(
        (plain.code(), reason(&plain).as_str()),
        (Code::ResourceExhausted, "MESSAGE_TOO_LARGE")
    );
    for encoding in [CompressionEncoding::Gzip, CompressionEncoding::Zstd] {
        let mut games = ada.games().send_compressed(encoding).accept_compressed(encoding);
        // The compressed request has only a few kilobytes.
        let bomb = games.validate_orders(request(100 << 20)).await.unwrap_err();
        assert_eq!(
            (bomb.code(), reason(&bomb).as_str()),
            (Code::ResourceExhausted, "MESSAGE_TOO_LARGE"),
            "{encoding:?}"
        );
        let long = games.validate_orders(request(300_000)).await.unwrap_err();
        assert_eq!(
            (reason(&long).as_str(), violation(&long).as_str()),
            ("INVALID_FIELD", "orders.text"),
            "{encoding:?}"
        );
    }
    assert!(ada.call(ListKindsRequest {}).await.is_ok(), "nothing else has suffered");
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_11_responses_are_compressed_on_request() {
    let engine = Engine::start();
    let ada = engine.player("Ada").await;
    let game = ada.create(0).await;
    let kinds = ada.games().list_kinds(ListKindsRequest {}).await.unwrap();
    assert!(!kinds.metadata().contains_key("grpc-encoding"), "nobody asked for it");
    assert_eq!(kinds.metadata().get("grpc-accept-encoding").unwrap(), "identity,gzip,zstd");
    for (encoding, name) in
        [(CompressionEncoding::Gzip, "gzip"), (CompressionEncoding::Zstd, "zstd")]
    {
        let mut games = ada.games().send_compressed(encoding).accept_compressed(encoding);
        let packed = games.list_kinds(ListKindsRequest {}).await.unwrap();
        assert_eq!(packed.metadata().get("grpc-encoding").unwrap(), name);
        assert_eq!(packed.into_inner(), kinds.get_ref().clone());
        let request = StreamEventsRequest {
            after: Some(Cursor::default()),
            ..StreamEventsRequest::of(&game.game_id)
        };
        let mut stream = games.stream_events(request).await.unwrap().into_inner();
        let first = stream.message().await.unwrap().expect("an opening");
        assert!(
            matches!(first.part, Some(stream_events_response::Part::Snapshot(_))),
            "{encoding:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_11_unknown_calls_are_rejected_with_a_reason() {
    let engine = Engine::start();
    let ada = engine.player("Ada").await;
    let channel = engine.channel().await;
    for path in ["/heliopause.v1.GameService/Cheat", "/heliopause.v2.GameService/GetGame"] {
        let mut client = tonic::client::Grpc::new(channel.clone());
        client.ready().await.unwrap();
        let mut request = tonic::Request::new(ListKindsRequest {});
        request
            .metadata_mut()
            .insert("authorization", format!("Bearer {}", ada.token).parse().unwrap());
        let codec = tonic_prost::ProstCodec::<ListKindsRequest, ListKindsResponse>::default();
        let status = client.unary(request, path.parse().unwrap(), codec).await.unwrap_err();
        assert_eq!(
            (status.code(), reason(&status).as_str()),
            (Code::Unimplemented, "UNKNOWN_METHOD"),
            "{path}"
        );
    }
    let mut encoded = tonic::Request::new(ListKindsRequest {});
    encoded
        .metadata_mut()
        .insert("authorization", format!("Bearer {}", ada.token).parse().unwrap());
    encoded.metadata_mut().insert("grpc-encoding", "br".parse().unwrap());
    let status = GameServiceClient::new(channel).list_kinds(encoded).await.unwrap_err();
    assert_eq!(
        (status.code(), reason(&status).as_str()),
        (Code::Unimplemented, "UNKNOWN_ENCODING")
    );
    assert_eq!(
        (word(&status, "encoding").as_str(), word(&status, "accepted").as_str()),
        ("br", "identity,gzip,zstd")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_12_wrong_status_is_named_and_verify_reads_entries() {
    let engine = Engine::with(&["--sandbox"]);
    let ada = engine.player("Ada").await;
    let forming = ada.create_with(1, |request| request.start_when_full = false).await;
    let status = ada.refused(GetViewRequest::of(&forming.game_id)).await;
    assert_eq!(
        (reason(&status).as_str(), word(&status, "status").as_str()),
        ("WRONG_STATUS", "GAME_STATUS_FORMING")
    );
    let status = ada.refused(VerifyGameRequest { game_id: forming.game_id }).await;
    assert_eq!(
        (reason(&status).as_str(), word(&status, "status").as_str()),
        ("WRONG_STATUS", "GAME_STATUS_FORMING")
    );
    let sandbox = Sandbox::new(&ada, 2, &[]).await;
    let found = ada
        .games()
        .verify_game(VerifyGameRequest { game_id: sandbox.game_id.clone() })
        .await
        .unwrap();
    assert!(found.get_ref().valid && found.get_ref().entries > 0, "{found:?}");
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
    let request = CreateSandboxGameRequest {
        kind: "diplomacy".to_owned(),
        players: Some(7),
        automated: vec![SandboxAutomation { seat: 3, automation: Some(AutomatedSeat::default()) }],
        ..CreateSandboxGameRequest::default()
    };
    let sandbox = Sandbox::create(&ada, request).await.unwrap();
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
