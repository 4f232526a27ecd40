//! How calls and streams end, and how messages come: the statuses and encodings of the contract.

use std::time::Duration;

use heliopause_proto::v1::game_service_client::GameServiceClient;
use heliopause_proto::v1::work_request::Message as Said;
use heliopause_proto::v1::*;
use heliopause_tests::{
    Engine, Player, STARSHIPS, Sandbox, Worker, automated, reason, violation, word,
};
use tonic::codec::CompressionEncoding;
use tonic::{Code, Status, Streaming};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_types::StatusExt as _;

/// Reads a stream to its end.
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
async fn contract_3_when_the_server_stops_streams_say_so_and_when_to_come_again() {
    let mut engine = Engine::with(&["--drain-delay", "50ms"]);
    let ada = engine.player("Ada").await;
    let game = ada.create_with(0, |request| request.seats.push(automated("standard"))).await;
    let events = tokio::spawn(end(ada.events(&game.game_id, None).await));
    let notices = ada.games().stream_my_games(StreamMyGamesRequest {}).await.unwrap().into_inner();
    let notices = tokio::spawn(end(notices));
    let mut worker = Worker::hire(&engine.worker_account().await, 1).await.unwrap();
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
async fn contract_3_a_stream_that_is_complete_ends_well_and_every_other_with_its_reason() {
    let engine = Engine::start();
    let ada = engine.player("Ada").await;
    let game = ada.create(0).await;
    let export = ExportGameRequest { game_id: game.game_id.clone(), full: false };
    let complete = ada.games().export_game(export).await.unwrap().into_inner();
    assert_eq!(end(complete).await.code(), Code::Ok);
    // An answer of 5 MB.
    let worker = Worker::hire(&engine.worker_account().await, 1).await.unwrap();
    let text = "x".repeat(5_000_000);
    let orders = Some(Orders { text, ..Orders::default() });
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
async fn contract_11_a_message_that_is_too_large_says_so_whether_or_not_it_was_compressed() {
    let engine = Engine::start();
    let ada = engine.player("Ada").await;
    let game = ada.create(0).await;
    let orders = |length: usize| Some(Orders { text: "x".repeat(length), ..Orders::default() });
    let request = |length| ValidateOrdersRequest {
        game_id: game.game_id.clone(),
        orders: orders(length),
        ..<_>::default()
    };
    let plain = ada.games().validate_orders(request(5 << 20)).await.unwrap_err();
    assert_eq!(
        (plain.code(), reason(&plain).as_str()),
        (Code::ResourceExhausted, "MESSAGE_TOO_LARGE")
    );
    for encoding in [CompressionEncoding::Gzip, CompressionEncoding::Zstd] {
        let mut games = ada.games().send_compressed(encoding).accept_compressed(encoding);
        // A few kilobytes as they are sent.
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
    assert!(ada.games().list_kinds(ListKindsRequest {}).await.is_ok(), "nothing else has suffered");
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_11_what_is_asked_for_compressed_comes_compressed() {
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
            game_id: game.game_id.clone(),
            after: Some(Cursor::default()),
            ..StreamEventsRequest::default()
        };
        let mut stream = games.stream_events(request).await.unwrap().into_inner();
        let first = stream.message().await.unwrap().expect("an opening");
        assert!(
            matches!(first.part, Some(stream_events_response::Part::Opening(_))),
            "{encoding:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_11_what_nobody_knows_is_refused_with_a_reason() {
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
async fn contract_12_what_a_status_forbids_names_it_and_what_is_verified_was_read() {
    let engine = Engine::with(&["--sandbox"]);
    let ada = engine.player("Ada").await;
    let forming = ada.create_with(1, |request| request.start_when_full = false).await;
    let view = GetViewRequest { game_id: forming.game_id.clone(), ..GetViewRequest::default() };
    let status = ada.games().get_view(view).await.unwrap_err();
    assert_eq!(
        (reason(&status).as_str(), word(&status, "status").as_str()),
        ("WRONG_STATUS", "GAME_STATUS_FORMING")
    );
    let verify = VerifyGameRequest { game_id: forming.game_id };
    let status = ada.games().verify_game(verify).await.unwrap_err();
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
async fn contract_13_every_service_says_whether_it_serves() {
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
async fn contract_15_one_call_lists_what_an_account_owes_in_all_games_and_seats() {
    let engine = Engine::with(&["--sandbox"]);
    let ada = engine.player("Ada").await;
    let owed = async |player: &Player| {
        let request = ListMyDecisionsRequest::default();
        player.games().list_my_decisions(request).await.unwrap().into_inner().decisions
    };
    assert_eq!(owed(&ada).await, []);
    let request = CreateSandboxGameRequest {
        kind: "diplomacy".to_owned(),
        players: Some(7),
        automated: vec![SandboxAutomation { seat: 3, by: Some(AutomatedSeat::default()) }],
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
        game_id: first.game_id.clone(),
        seat: Some(first.seat),
        phase: decision.phase,
        revision: decision.revision,
        request_id: "first".to_owned(),
        orders: Some(Orders { text: "end".to_owned(), ..Orders::default() }),
        ready: false,
    };
    ada.games().submit_orders(order).await.expect("it names phase and revision");
    assert_eq!(owed(&engine.player("Bob").await).await, [], "nobody else's");
}
