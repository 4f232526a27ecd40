//! The network edge: limits, health, reflection, gRPC-Web, draining, metrics and faulty clients.

use crate::support;

use std::time::Duration;

use heliopause_engine::config::Settings;
use heliopause_proto::v1::game_service_client::GameServiceClient;
use heliopause_proto::v1::{DrainRequest, ErrorReason, GetMeRequest, ListKindsRequest};
use support::{TestServer, assert_refused, in_memory, named, refusal, start, try_start};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_stream::StreamExt as _;
use tonic::Code;
use tonic::codec::CompressionEncoding;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_types::StatusExt as _;

#[tokio::test]
async fn flood_of_one_player_is_limited_without_affecting_others() {
    let server = start(Settings { rate_limit: Some(5), ..in_memory() }).await;
    let mut flood = server.player(&server.register("Flood").await);
    let mut other = server.player(&server.register("Other").await);
    let refused = loop {
        if let Err(refused) = flood.get_me(GetMeRequest {}).await {
            break refused;
        }
    };
    assert_refused(&refused, ErrorReason::RateLimited, Code::ResourceExhausted);
    let delay = refused.get_details_retry_info().unwrap().retry_delay.unwrap();
    assert!(delay > Duration::ZERO && delay <= Duration::from_secs(1), "{delay:?}");
    other.get_me(GetMeRequest {}).await.expect("the other player is not limited");
}

#[tokio::test]
async fn registrations_and_wrong_tokens_of_an_address_are_limited() {
    let server = start(Settings { auth_limit: Some(4), ..in_memory() }).await;
    let token = server.register("Ann").await;
    let forged = format!("hp_{}", "0".repeat(64));
    let mut refusals = Vec::new();
    for _ in 0..6 {
        refusals.push(refusal(server.player(&forged).get_me(GetMeRequest {}).await));
    }
    let (wrong, wait) = (ErrorReason::TokenInvalid, ErrorReason::RateLimited);
    assert_eq!(refusals, [wrong, wrong, wrong, wrong, wait, wait]);
    for name in ["Bob", "Cid", "Dan"] {
        server.register(name).await;
    }
    assert_eq!(refusal(server.anonymous().register(named("Eve")).await), wait);
    server
        .player(&token)
        .get_me(GetMeRequest {})
        .await
        .expect("a valid token is accepted, although it is used for the first time");
}

#[tokio::test]
async fn an_oversized_message_is_refused_with_its_reason() {
    let server = start(Settings { message_limit_kb: Some(16), ..in_memory() }).await;
    let refused = server.anonymous().register(named(&"x".repeat(20_000))).await.unwrap_err();
    assert_refused(&refused, ErrorReason::MessageTooLarge, Code::ResourceExhausted);
    assert!(refused.message().contains("16384"), "{refused:?}");
    server.register("Ann").await;
}

#[tokio::test]
async fn compressed_calls_are_served() {
    let server = start(in_memory()).await;
    let token = server.register("Ann").await;
    for encoding in [CompressionEncoding::Gzip, CompressionEncoding::Zstd] {
        let games = GameServiceClient::new(server.authorized(&token));
        let mut games = games.send_compressed(encoding).accept_compressed(encoding);
        let listed = games.list_kinds(ListKindsRequest {}).await.expect("the encoding is known");
        assert!(listed.into_inner().kinds.len() > 4);
    }
}

async fn health(server: &TestServer) -> ServingStatus {
    let request = HealthCheckRequest { service: String::new() };
    HealthClient::new(server.channel()).check(request).await.unwrap().into_inner().status()
}

#[tokio::test]
async fn drain_reports_not_serving_then_ends_streams_and_stops() {
    let server =
        start(Settings { drain_delay: Some("300ms".parse().unwrap()), ..in_memory() }).await;
    let token = server.register("Ann").await;
    assert_eq!(health(&server).await, ServingStatus::Serving);
    let watched = HealthCheckRequest { service: String::new() };
    let mut watch = HealthClient::new(server.channel()).watch(watched).await.unwrap().into_inner();
    assert_eq!(watch.next().await.unwrap().unwrap().status(), ServingStatus::Serving);
    let mut ann = server.player(&token);
    ann.get_me(GetMeRequest {}).await.unwrap();

    server.admin().drain(DrainRequest {}).await.unwrap();
    ann.get_me(GetMeRequest {}).await.expect("a connection without GOAWAY is served");
    assert_eq!(watch.next().await.unwrap().unwrap().status(), ServingStatus::NotServing);
    let end = watch.next().await.unwrap().unwrap_err();
    assert_refused(&end, ErrorReason::Draining, Code::Unavailable);
    let address = server.grpc;
    server.finished().await;
    assert!(TcpStream::connect(address).await.is_err(), "the port is closed");
}

#[tokio::test]
async fn reflection_is_served_in_both_versions() {
    use tonic_reflection::pb::{v1, v1alpha};
    let server = start(in_memory()).await;
    let newer = v1::ServerReflectionRequest {
        host: String::new(),
        message_request: Some(v1::server_reflection_request::MessageRequest::ListServices(
            String::new(),
        )),
    };
    let mut client = v1::server_reflection_client::ServerReflectionClient::new(server.channel());
    let mut answers =
        client.server_reflection_info(tokio_stream::once(newer)).await.unwrap().into_inner();
    let answer = answers.next().await.unwrap().unwrap().message_response.unwrap();
    let v1::server_reflection_response::MessageResponse::ListServicesResponse(list) = answer else {
        panic!("{answer:?}")
    };
    let names: Vec<_> = list.service.iter().map(|service| service.name.as_str()).collect();
    for expected in
        ["heliopause.v1.PlayerService", "heliopause.v1.GameService", "grpc.health.v1.Health"]
    {
        assert!(names.contains(&expected), "{expected} is not among {names:?}");
    }

    let older = v1alpha::ServerReflectionRequest {
        host: String::new(),
        message_request: Some(
            v1alpha::server_reflection_request::MessageRequest::FileContainingSymbol(
                "heliopause.v1.AdminService".to_owned(),
            ),
        ),
    };
    let mut client =
        v1alpha::server_reflection_client::ServerReflectionClient::new(server.channel());
    let mut answers =
        client.server_reflection_info(tokio_stream::once(older)).await.unwrap().into_inner();
    let answer = answers.next().await.unwrap().unwrap().message_response.unwrap();
    assert!(
        matches!(
            answer,
            v1alpha::server_reflection_response::MessageResponse::FileDescriptorResponse(_)
        ),
        "{answer:?}"
    );
}

async fn http(address: std::net::SocketAddr, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).to_ascii_lowercase()
}

fn web_call(origin: &str) -> Vec<u8> {
    // One uncompressed frame of 5 bytes: field 1, "Ann".
    let body = b"\0\0\0\0\x05\x0a\x03Ann";
    let head = format!(
        "POST /heliopause.v1.PlayerService/Register HTTP/1.1\r\nhost: localhost\r\norigin: \
         {origin}\r\nconnection: close\r\n\
         content-type: application/grpc-web+proto\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

fn preflight(origin: &str) -> Vec<u8> {
    format!(
        "OPTIONS /heliopause.v1.PlayerService/Register HTTP/1.1\r\nhost: localhost\r\norigin: {origin}\r\n\
         connection: close\r\naccess-control-request-method: POST\r\n\
         access-control-request-headers: content-type,x-grpc-web,authorization\r\n\r\n"
    )
    .into_bytes()
}

const PAGE: &str = "https://play.example";

#[tokio::test]
async fn web_pages_may_call_only_from_configured_origins() {
    let allowed = format!("access-control-allow-origin: {PAGE}");
    let server = start(Settings { cors_origin: vec![PAGE.to_owned()], ..in_memory() }).await;
    let answer = http(server.grpc, &preflight(PAGE)).await;
    assert!(answer.contains(&allowed) && answer.contains("authorization"), "{answer}");
    let answer = http(server.grpc, &web_call(PAGE)).await;
    assert!(answer.contains(&allowed) && answer.contains("grpc-status:0"), "{answer}");
    assert!(answer.contains("access-control-expose-headers: grpc-status,"), "{answer}");
    let answer = http(server.grpc, &preflight("https://other.example")).await;
    assert!(!answer.contains("access-control-allow-origin"), "{answer}");

    let server = start(in_memory()).await;
    let answer = http(server.grpc, &preflight(PAGE)).await;
    assert!(!answer.contains("access-control-"), "off by default: {answer}");
}

/// Security S7: a page whose name resolved to this machine registered accounts and created games.
#[tokio::test]
async fn foreign_host_name_is_rejected_on_loopback() {
    let named = |call: Vec<u8>, name: &str| {
        String::from_utf8(call).unwrap().replace("host: localhost", &format!("host: {name}"))
    };
    let page = || b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".to_vec();
    let own = vec!["http://games.test:8080".to_owned()];
    let server = start(Settings { cors_origin: own, ..in_memory() }).await;
    for name in ["evil.example", "evil.example:50051"] {
        for call in [page(), web_call("http://evil.example"), preflight("http://evil.example")] {
            let answer = http(server.grpc, named(call, name).as_bytes()).await;
            assert!(answer.starts_with("http/1.1 421 "), "{answer}");
            assert!(answer.contains("\"evil.example\" is not a name of this engine"), "{answer}");
            assert!(answer.contains("--cors-origin http://evil.example"), "{answer}");
            assert!(answer.contains("grpc-status: 7"), "{answer}");
        }
    }
    for name in ["localhost", "127.0.0.1:50051", "[::1]:1", "games.test:8080"] {
        let answer = http(server.grpc, named(page(), name).as_bytes()).await;
        assert!(answer.starts_with("http/1.1 200 "), "{name}: {answer}");
        let answer = http(server.grpc, named(web_call("x"), name).as_bytes()).await;
        assert!(answer.starts_with("http/1.1 200 "), "{name}: {answer}");
    }
    let everywhere = Settings {
        listen: Some("0.0.0.0:0".parse().unwrap()),
        insecure_no_tls: Some(true),
        ..in_memory()
    };
    let server = start(everywhere).await;
    let here = std::net::SocketAddr::from(([127, 0, 0, 1], server.grpc.port()));
    let answer = http(here, named(web_call("x"), "games.example").as_bytes()).await;
    assert!(
        answer.contains("grpc-status:0"),
        "other host names are allowed on a network address: {answer}"
    );
}

/// Security S15: the timeouts `1n` and `-1S` were ignored.
#[tokio::test]
async fn call_timeout_is_enforced() {
    let server = start(in_memory()).await;
    let timed = |time: &str| {
        let head = format!("host: localhost\r\ngrpc-timeout: {time}");
        let call = String::from_utf8(web_call("x")).unwrap().replace("host: localhost", &head);
        call.into_bytes()
    };
    for time in ["1n", "0S", "0m"] {
        let answer = http(server.grpc, &timed(time)).await;
        assert!(answer.contains("grpc-status: 4"), "{time}: {answer}");
    }
    for time in ["-1S", "1", "S", "1.5S", "123456789S", "soon"] {
        let answer = http(server.grpc, &timed(time)).await;
        assert!(answer.contains("grpc-status: 3"), "{time}: {answer}");
        assert!(answer.contains("grpc-timeout"), "{time}: {answer}");
    }
    let answer = http(server.grpc, &timed("10S")).await;
    assert!(answer.contains("grpc-status:0"), "the name is still free: {answer}");
}

#[tokio::test]
async fn invalid_origin_is_rejected_at_startup() {
    for wrong in ["play.example", "https://play.example/", "*"] {
        let refused =
            try_start(Settings { cors_origin: vec![wrong.to_owned()], ..in_memory() }).await;
        assert!(refused.is_err_and(|error| error.to_string().contains("--cors-origin")), "{wrong}");
    }
}

#[tokio::test]
async fn thousand_idle_connections_do_not_affect_others() {
    let server = start(Settings { address_limit: Some(2_000), ..in_memory() }).await;
    let mut silent = Vec::new();
    for _ in 0..1_000 {
        silent.push(TcpStream::connect(server.grpc).await.unwrap());
    }
    let token = server.register("Ann").await;
    server.player(&token).get_me(GetMeRequest {}).await.unwrap();
    server.stop().await;
    drop(silent);
}

#[tokio::test]
async fn address_in_use_is_reported_with_what_to_do() {
    let first = start(in_memory()).await;
    let refused = try_start(Settings { listen: Some(first.grpc), ..in_memory() }).await;
    let message = refused.err().expect("the address is in use").to_string();
    assert!(message.contains("--listen") && message.contains("port 0"), "{message}");
}

#[tokio::test]
async fn metrics_count_calls_even_if_their_port_is_flooded() {
    let metrics = Some("127.0.0.1:0".parse().unwrap());
    let server = start(Settings { metrics, ..in_memory() }).await;
    server.register("Ann").await;
    assert_eq!(
        refusal(server.anonymous().get_me(GetMeRequest {}).await),
        ErrorReason::TokenInvalid
    );
    let address = server.metrics.unwrap();
    let mut flood = Vec::new();
    for _ in 0..20 {
        flood.push(TcpStream::connect(address).await.unwrap());
    }
    let page = http(address, b"GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n").await;
    let line =
        "heliopause_requests_total{method=\"/heliopause.v1.playerservice/register\",code=\"ok\"}";
    assert!(page.contains(line), "{page}");
    let line = "heliopause_requests_total{method=\"/heliopause.v1.playerservice/getme\",code=\"unauthenticated\"}";
    assert!(page.contains(line), "{page}");
    assert!(page.contains("heliopause_request_seconds_bucket"), "{page}");
    assert!(page.contains("heliopause_live_games 0"), "{page}");
    let other = http(address, b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await;
    assert!(other.starts_with("http/1.1 404"), "{other}");
}
