//! Limits over the wire: attacks by one client must not affect other clients.

use crate::support;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use bytes::Bytes;
use h2::client::{ResponseFuture, SendRequest};
use h2::{RecvStream, SendStream};
use heliopause_engine::config::Settings;
use heliopause_proto::starships_at_large::v1::Options;
use heliopause_proto::v1::game_service_client::GameServiceClient;
use heliopause_proto::v1::{
    CreateGameRequest, ErrorReason, GameKind, GameOptions, GetMeRequest, GetRuleRequest, Guide,
    ListKindsRequest, ListRulesRequest, ListRulesResponse, RuleHeading, SeatPlan,
    VerifyGameRequest, game_options,
};
use support::{TestServer, in_memory, reason, refusal, start};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tonic::Status;

const LIST_KINDS: &str = "/heliopause.v1.GameService/ListKinds";
const WATCH: &str = "/grpc.health.v1.Health/Watch";
const EMPTY: &[u8] = &[0; 5];

struct Raw(SendRequest<Bytes>);

impl Raw {
    async fn connect(address: SocketAddr, window: u32) -> Self {
        Self::on(TcpStream::connect(address).await.unwrap(), window).await
    }

    async fn on(stream: TcpStream, window: u32) -> Self {
        let mut client = h2::client::Builder::new();
        let (requests, connection) =
            client.initial_window_size(window).handshake(stream).await.unwrap();
        tokio::spawn(connection);
        Self(requests)
    }

    async fn begin(&mut self, path: &str, token: &str) -> (ResponseFuture, SendStream<Bytes>) {
        self.0 = self.0.clone().ready().await.unwrap();
        let head = http::Request::post(format!("http://engine{path}"))
            .header("content-type", "application/grpc")
            .header("te", "trailers")
            .header("authorization", format!("Bearer {token}"));
        self.0.send_request(head.body(()).unwrap(), false).unwrap()
    }

    async fn call(&mut self, path: &str, token: &str) -> http::Response<RecvStream> {
        let (answer, mut body) = self.begin(path, token).await;
        body.send_data(Bytes::from_static(EMPTY), true).unwrap();
        answer.await.unwrap()
    }
}

fn refused(answer: &http::Response<RecvStream>) -> Option<ErrorReason> {
    Status::from_header_map(answer.headers()).map(|status| reason(&status))
}

async fn time_light_call(server: &TestServer, token: &str) -> Duration {
    let begun = Instant::now();
    server.player(token).get_me(GetMeRequest {}).await.expect("the other player is not limited");
    begun.elapsed()
}

async fn bytes_in_flight(server: &TestServer) -> u64 {
    let mut stream = TcpStream::connect(server.metrics.unwrap()).await.unwrap();
    stream.write_all(b"GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).await.unwrap();
    let line = page
        .lines()
        .find_map(|line| line.strip_prefix("heliopause_bytes_in_flight "))
        .expect("the metric");
    line.parse().unwrap()
}

/// Security S2: one address opened 40,000 streams, and the server responded to every error.
#[tokio::test]
async fn s2_health_watches_are_limited_and_ignoring_errors_disconnects() {
    let server = start(in_memory()).await;
    let (mut open, mut lines) = (Vec::new(), Vec::new());
    let mut refused_with = BTreeSet::new();
    for _ in 0..40 {
        let mut raw = Raw::connect(server.grpc, 65_535).await;
        for _ in 0..8 {
            let answer = raw.call(WATCH, "").await;
            match refused(&answer) {
                None => open.push(answer),
                Some(reason) => drop(refused_with.insert(reason)),
            }
        }
        lines.push(raw);
    }
    assert_eq!(open.len(), 256);
    assert_eq!(refused_with.into_iter().collect::<Vec<_>>(), [ErrorReason::RateLimited]);

    let raw = Raw::connect(server.grpc, 65_535).await;
    let mut answers = 0;
    let closed = loop {
        let Ok(mut ready) = raw.0.clone().ready().await else { break true };
        let head = http::Request::post(format!("http://engine{WATCH}"));
        let head = head.header("content-type", "application/grpc").body(()).unwrap();
        let Ok((answer, mut body)) = ready.send_request(head, false) else { break true };
        let _ = body.send_data(Bytes::from_static(EMPTY), true);
        if answer.await.is_err() {
            break true;
        }
        answers += 1;
        if answers == 2_000 {
            break false;
        }
    };
    assert!(closed, "2,000 refusals were answered");
    let token = server.register("Honest").await;
    time_light_call(&server, &token).await;
}

/// Security D2: calls whose bodies never arrived took all slots.
#[tokio::test]
async fn d2_calls_without_bodies_use_slots_of_their_own_account_only() {
    let server = start(Settings { rate_limit: Some(0), ..in_memory() }).await;
    let (hostile, honest) = (server.register("Hostile").await, server.register("Honest").await);
    let mut raw = Raw::connect(server.grpc, 65_535).await;
    let mut silent = Vec::new();
    for _ in 0..64 {
        silent.push(raw.begin(LIST_KINDS, &hostile).await);
    }
    // The calls may still be arriving. The first rejected call shows that all have arrived.
    let deadline = Instant::now() + Duration::from_secs(4);
    while refused(&raw.call(LIST_KINDS, &hostile).await) != Some(ErrorReason::RateLimited) {
        assert!(Instant::now() < deadline, "more than 64 calls are under way");
    }
    time_light_call(&server, &honest).await;
    for (answer, _body) in silent {
        assert_eq!(refused(&answer.await.unwrap()), Some(ErrorReason::RateLimited));
    }
    assert_eq!(refused(&raw.call(LIST_KINDS, &hostile).await), None, "the slots are free again");
}

/// Security D4: responses that clients did not read stayed in memory.
#[tokio::test]
async fn d4_unread_answers_are_counted_and_limited_by_account() {
    let metrics = Some("127.0.0.1:0".parse().unwrap());
    let server = start(Settings { rate_limit: Some(0), metrics, ..in_memory() }).await;
    let (hostile, honest) = (server.register("Hostile").await, server.register("Honest").await);
    let mut raw = Raw::connect(server.grpc, 0).await;
    let mut unread = Vec::new();
    for _ in 0..64 {
        let answer = raw.call(LIST_KINDS, &hostile).await;
        assert_eq!(refused(&answer), None);
        unread.push(answer);
    }
    assert_eq!(refused(&raw.call(LIST_KINDS, &hostile).await), Some(ErrorReason::RateLimited));
    assert!(bytes_in_flight(&server).await > 64 * 1_000, "the unread responses are counted");
    time_light_call(&server, &honest).await;
    drop((unread, raw));
    let deadline = Instant::now() + Duration::from_secs(20);
    while bytes_in_flight(&server).await > 0 {
        assert!(Instant::now() < deadline, "the buffers are kept after the connection is closed");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Security D5: one client opened 40,000 anonymous health streams.
#[tokio::test]
async fn d5_health_watches_of_a_connection_are_limited() {
    let server = start(in_memory()).await;
    let mut raw = Raw::connect(server.grpc, 65_535).await;
    let mut watches = Vec::new();
    for _ in 0..8 {
        let watch = raw.call(WATCH, "").await;
        assert_eq!(refused(&watch), None);
        watches.push(watch);
    }
    assert_eq!(refused(&raw.call(WATCH, "").await), Some(ErrorReason::QuotaExceeded));
    assert_eq!(refused(&Raw::connect(server.grpc, 65_535).await.call(WATCH, "").await), None);
}

/// Security D5: 4,200 connections from one address kept out new clients.
#[tokio::test]
async fn d5_connections_of_an_address_are_limited() {
    let server = start(Settings { address_limit: Some(3), ..in_memory() }).await;
    let mut first = Vec::new();
    for _ in 0..3 {
        first.push(Raw::connect(server.grpc, 65_535).await);
    }
    for raw in &mut first {
        raw.call(WATCH, "").await;
    }
    let mut fourth = TcpStream::connect(server.grpc).await.unwrap();
    let read = tokio::time::timeout(Duration::from_secs(5), fourth.read(&mut [0]))
        .await
        .expect("the connection is closed immediately");
    assert_eq!(read.unwrap_or(0), 0);
}

/// Security D1: limits must apply to the client's address, which a TCP proxy sends.
#[tokio::test]
async fn trusted_proxy_sends_the_address_by_the_proxy_protocol() {
    let trusted_proxy = vec!["127.0.0.1/32".parse().unwrap()];
    let proxy_protocol = Some(true);
    let settings =
        Settings { trusted_proxy, proxy_protocol, address_limit: Some(1), ..in_memory() };
    let server = start(settings).await;
    let passed_on = async |client: &str| {
        let mut stream = TcpStream::connect(server.grpc).await.unwrap();
        stream
            .write_all(format!("PROXY TCP4 {client} 192.0.2.1 5000 443\r\n").as_bytes())
            .await
            .unwrap();
        stream
    };
    let mut one = Raw::on(passed_on("198.51.100.7").await, 65_535).await;
    assert_eq!(refused(&one.call(WATCH, "").await), None);
    let mut same = passed_on("198.51.100.7").await;
    assert_eq!(same.read(&mut [0]).await.unwrap_or(0), 0, "that address has its connection");
    let mut other = Raw::on(passed_on("198.51.100.8").await, 65_535).await;
    assert_eq!(refused(&other.call(WATCH, "").await), None);
    let mut silent = TcpStream::connect(server.grpc).await.unwrap();
    silent.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.unwrap();
    assert_eq!(silent.read(&mut [0]).await.unwrap_or(0), 0);
}

#[tokio::test]
async fn list_rules_lists_the_rules_of_get_rule() {
    let server = start(in_memory()).await;
    let token = server.register("Ann").await;
    let mut games = GameServiceClient::new(server.authorized(&token));
    for kind in games.list_kinds(ListKindsRequest {}).await.unwrap().into_inner().kinds {
        let asked = ListRulesRequest { kind: kind.kind.clone(), without_rules: false };
        let listed = games.list_rules(asked.clone()).await.unwrap().into_inner();
        let short = ListRulesRequest { without_rules: true, ..asked };
        let short = games.list_rules(short).await.unwrap().into_inner();
        let terms = ListRulesResponse { rules: Vec::new(), ..listed.clone() };
        assert_eq!(short, terms, "{}", kind.kind);
        assert_primer(&kind, &listed);
        let rules = listed.rules;
        assert!(!rules.is_empty(), "{}", kind.kind);
        let size: usize = rules.iter().map(prost::Message::encoded_len).sum();
        assert!(size < 256 << 10, "{} has {size} bytes of rules", kind.kind);
        let mut chapters: Vec<&str> = rules.iter().map(|rule| rule.chapter.as_str()).collect();
        chapters.dedup();
        let distinct: BTreeSet<&str> = chapters.iter().copied().collect();
        assert!(distinct.len() == chapters.len() && !distinct.contains(""), "{chapters:?}");
        for RuleHeading { number, heading, text, .. } in
            [rules[0].clone(), rules[rules.len() - 1].clone()]
        {
            assert!(!heading.is_empty(), "{} {number}", kind.kind);
            let asked = GetRuleRequest { kind: kind.kind.clone(), rule: number.clone() };
            let rule = games.get_rule(asked).await.unwrap().into_inner().rule.unwrap();
            assert_eq!((rule.number, rule.text), (number, text));
        }
    }
    let refused =
        games.list_rules(ListRulesRequest { kind: "chess".to_owned(), ..Default::default() });
    let refused = refused.await.unwrap_err();
    assert_eq!(reason(&refused), ErrorReason::InvalidField);
}

/// Checks that terms are distinct and cite existing rules, and that each kind of decision has a
/// guide.
fn assert_primer(kind: &GameKind, listed: &ListRulesResponse) {
    let ListRulesResponse { rules, terms, guides } = listed;
    let distinct: BTreeSet<&str> = terms.iter().map(|term| term.term.as_str()).collect();
    assert!(distinct.len() == terms.len() && !terms.is_empty(), "{}", kind.kind);
    for term in terms {
        let is_cited = |rule: &RuleHeading| rule.number == term.rule;
        assert!(term.rule.is_empty() || rules.iter().any(is_cited), "{}: {term:?}", kind.kind);
        assert!(term.meaning.ends_with('.') && !term.name.is_empty(), "{term:?}");
    }
    for guide in guides {
        assert!(kind.phase_kinds.contains(&guide.decision), "{}: {guide:?}", kind.kind);
        assert!(guide.text.ends_with('.'), "{guide:?}");
    }
    for decision in &kind.phase_kinds {
        let is_general = |guide: &&Guide| guide.decision == *decision && guide.prompt.is_empty();
        assert!(guides.iter().any(|guide| is_general(&guide)), "{}: {decision}", kind.kind);
    }
}

/// Security B3: the time to verify a running game revealed the number of secret orders.
#[tokio::test]
async fn b3_running_games_are_verified_for_game_master_and_admins_only() {
    let server = start(in_memory()).await;
    let (player, master) = (server.register("Ann").await, server.register("Master").await);
    let mut games = GameServiceClient::new(server.authorized(&player));
    let mut mastered = GameServiceClient::new(server.authorized(&master));
    let create = |game_master| CreateGameRequest {
        kind: "starships-at-large".to_owned(),
        seats: vec![SeatPlan::default(); 2],
        options: Some(GameOptions {
            game: Some(game_options::Game::StarshipsAtLarge(Options::default())),
        }),
        game_master,
        ..CreateGameRequest::default()
    };
    let id = |game: heliopause_proto::v1::CreateGameResponse| game.game.unwrap().game_id;
    let game_id = id(games.create_game(create(false)).await.unwrap().into_inner());
    let verify = |game_id: &str| VerifyGameRequest { game_id: game_id.to_owned() };
    assert_eq!(refusal(games.verify_game(verify(&game_id)).await), ErrorReason::WrongStatus);
    let mut admin = GameServiceClient::new(server.authorized(&server.token_file("admin.token")));
    let found = admin.verify_game(verify(&game_id)).await.unwrap().into_inner();
    assert!(found.valid && found.entries > 0, "{found:?}");
    let game_id = id(mastered.create_game(create(true)).await.unwrap().into_inner());
    let found = mastered.verify_game(verify(&game_id)).await.unwrap().into_inner();
    assert!(found.valid && found.entries > 0, "{found:?}");
    assert_eq!(refusal(games.verify_game(verify(&game_id)).await), ErrorReason::WrongStatus);
    games.list_kinds(ListKindsRequest {}).await.unwrap();
}
