//! The web page, sign-in codes, spectators without an account, and the view of operators.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::*;
use heliopause_tests::{
    Engine, Nginx, OfGame as _, Person, Player, Postgres, Sandbox, Worker, reason, until_some,
};
use prost::Message as _;
use tonic::body::Body;
use tonic::transport::Channel;
use tonic::{Code, Status};

const TIMEOUT: Duration = Duration::from_secs(30);

struct Answer {
    status: u16,
    headers: HashMap<String, String>,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

fn ask(address: &str, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).expect("the engine listens");
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    let mut head = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n");
    for (name, value) in headers {
        write!(head, "{name}: {value}\r\n").expect("a string takes it");
    }
    write!(head, "content-length: {}\r\n\r\n", body.len()).expect("a string takes it");
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body).unwrap();
    let mut told = Vec::new();
    stream.read_to_end(&mut told).expect("an answer ends");
    let end = told.windows(4).position(|four| four == b"\r\n\r\n").expect("an answer has a head");
    let head = String::from_utf8_lossy(&told[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).expect("a status");
    let headers = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    Answer { status: status.parse().unwrap(), headers, body: told[end + 4..].to_vec() }
}

fn get(address: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
    ask(address, "GET", path, headers, b"")
}

async fn get2(mut channel: Channel, path: &str) -> http::Response<Body> {
    use tonic::client::GrpcService as _;
    std::future::poll_fn(|context| channel.poll_ready(context)).await.unwrap();
    let request = http::Request::builder().uri(path).body(Body::empty()).unwrap();
    channel.call(request).await.expect("an answer")
}

fn is_safe(header: impl Fn(&str) -> String, path: &str) {
    let policy = header("content-security-policy");
    for word in [
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types dompurify service-worker",
    ] {
        assert!(policy.contains(word), "{path}: {policy}");
    }
    assert!(!policy.contains("unsafe"), "{path}: {policy}");
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(header(name), value, "{path}: {name}");
    }
    assert_eq!(header("access-control-allow-origin"), "", "{path}");
}

fn call_by_web(address: &str, path: &str, token: Option<&str>, request: &[u8]) -> (Answer, String) {
    let mut framed = vec![0];
    framed.extend((request.len() as u32).to_be_bytes());
    framed.extend(request);
    let bearer = token.map(|token| format!("Bearer {token}")).unwrap_or_default();
    let mut headers = vec![("content-type", "application/grpc-web+proto"), ("x-grpc-web", "1")];
    if token.is_some() {
        headers.push(("authorization", &bearer));
    }
    let answer = ask(address, "POST", path, &headers, &framed);
    let text = answer.text();
    let told = text.split("grpc-status:").nth(1).map(|rest| rest.trim_start().to_owned());
    let status = told.unwrap_or_else(|| answer.header("grpc-status").to_owned());
    let status = status.chars().take_while(char::is_ascii_digit).collect();
    (answer, status)
}

#[tokio::test]
async fn the_page_is_served_beside_grpc_on_both_protocols() {
    let engine = Engine::in_memory(&[]);
    let address = engine.address();
    for path in ["/", "/index.html", "/game/abc123/phase/4", "/settings?tab=1"] {
        let answer = get(address, path, &[]);
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (200, "text/html; charset=utf-8")
        );
        assert!(answer.text().starts_with("<!doctype html>"), "{path}");
        assert_eq!(answer.header("cache-control"), "no-cache", "{path}");
        is_safe(|name| answer.header(name).to_owned(), path);

        let answer = get2(engine.channel().await, path).await;
        assert_eq!(answer.status(), 200, "{path}");
        let header = |name: &str| {
            let value = answer.headers().get(name);
            value.map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
        };
        is_safe(header, path);
    }
    let missing = get(address, "/assets/gone-1234.js", &[]);
    assert_eq!(missing.status, 404, "a file that is gone is not the page");
    is_safe(|name| missing.header(name).to_owned(), "/assets/gone-1234.js");

    let player = Player::register(engine.channel().await, "Ann").await;
    player.does(ListKindsRequest {}).await;
    let me = "/heliopause.v1.PlayerService/GetMe";
    let (answer, status) = call_by_web(address, me, Some(&player.token), b"");
    assert_eq!((answer.status, status.as_str()), (200, "0"), "and gRPC-Web: {}", answer.text());
    let (_, status) = call_by_web(address, me, None, b"");
    assert_eq!(status, (Code::Unauthenticated as i32).to_string());
    let (answer, status) =
        call_by_web(address, "/heliopause.v1.PlayerService/Nope", Some(&player.token), b"");
    let unknown = (Code::Unimplemented as i32).to_string();
    assert_eq!((answer.status, status), (200, unknown), "{}", answer.text());
}

#[tokio::test]
async fn a_browser_revalidates_and_gets_only_changed_files() {
    let engine = Engine::in_memory(&[]);
    let address = engine.address();
    let whole = get(address, "/", &[]);
    assert_eq!(whole.header("content-length"), whole.body.len().to_string());
    let tag = whole.header("etag");
    assert!(tag.starts_with('"') && tag.len() > 10, "{tag}");
    let same = get(address, "/lobby", &[("if-none-match", tag)]);
    assert_eq!((same.status, same.body.len(), same.header("etag")), (304, 0, tag));
    let weak = format!("\"other\", W/{tag}");
    assert_eq!(get(address, "/", &[("if-none-match", &weak)]).status, 304);
    assert_eq!(get(address, "/", &[("if-none-match", "\"other\"")]).status, 200);

    let head = ask(address, "HEAD", "/", &[], b"");
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.header("content-length"), whole.header("content-length"));
    for method in ["PUT", "DELETE", "PATCH"] {
        let refused = ask(address, method, "/", &[], b"");
        assert_eq!((refused.status, refused.header("allow")), (405, "GET, HEAD"), "{method}");
    }
}

#[tokio::test]
async fn without_the_setting_there_is_no_page() {
    let engine = Engine::in_memory(&["--web=false"]);
    let answer = get(engine.address(), "/", &[]);
    assert_ne!(answer.status, 200);
    assert!(!answer.text().contains("<!doctype"), "{}", answer.text());
    let anonymous = Player::anonymous(engine.channel().await);
    assert!(!anonymous.does(GetServerInfoRequest {}).await.web);
}

async fn code_of(player: &Player) -> String {
    let made = player.does(CreateSignInCodeRequest {}).await;
    assert!(made.expire_time.is_some());
    made.code
}

async fn sign_in(channel: Channel, code: &str, request_id: &str) -> Result<SignInResponse, Status> {
    let (code, request_id) = (code.to_owned(), request_id.to_owned());
    let request = SignInRequest { code, name: String::new(), request_id };
    Player::anonymous(channel).call(request).await
}

#[tokio::test]
async fn a_code_signs_in_once_and_creates_an_account_token() {
    let engine = Engine::in_memory(&[]);
    let channel = engine.channel().await;
    let ann = Player::register(channel.clone(), "Ann").await;
    let code = code_of(&ann).await;
    let as_token = Player::with_token(channel.clone(), &code);
    let refused = as_token.refused(GetMeRequest {}).await;
    assert_eq!(reason(&refused), "TOKEN_INVALID", "a code is no token");

    let signed_in = sign_in(channel.clone(), &code, "").await.unwrap();
    assert_eq!(signed_in.player.as_ref().unwrap().player_id, ann.id);
    let again = sign_in(channel.clone(), &code, "").await.unwrap_err();
    assert_eq!(reason(&again), "NOT_FOUND");
    for wrong in ["", "hc_", &format!("hc_{}", "0".repeat(32)), &ann.token] {
        let refused = sign_in(channel.clone(), wrong, "").await.unwrap_err();
        assert_eq!(reason(&refused), "NOT_FOUND", "{wrong:?}");
    }

    let page = Player::with_token(channel.clone(), &signed_in.secret);
    let me = page.does(GetMeRequest {}).await;
    assert_eq!(me.player.unwrap().player_id, ann.id);
    let tokens = ann.does(ListTokensRequest {}).await.tokens;
    let token = signed_in.token.unwrap();
    let listed: Vec<_> = tokens.iter().filter(|token| token.signed_in).collect();
    assert_eq!((tokens.len(), listed.len()), (2, 1), "codes are not listed: {tokens:?}");
    assert_eq!(
        (listed[0].token_id.as_str(), listed[0].name.as_str()),
        (token.token_id.as_str(), "web page")
    );
    let token_id = token.token_id;
    ann.does(RevokeTokenRequest { token_id }).await;
    let refused = page.refused(GetMeRequest {}).await;
    assert_eq!(reason(&refused), "TOKEN_INVALID");
    let log = engine.log();
    assert!(!log.contains("hc_") && !log.contains("hp_"), "no secret stands in the log: {log}");
}

/// Simulates a client that lost the response and repeats the request with a used code.
#[tokio::test]
async fn a_retry_of_the_same_request_gets_the_same_secret() {
    let engine = Engine::in_memory(&[]);
    let channel = engine.channel().await;
    let ann = Player::register(channel.clone(), "Ann").await;
    let code = code_of(&ann).await;
    let once = "0123456789abcdef";
    let first = sign_in(channel.clone(), &code, once).await.unwrap();
    let second = sign_in(channel.clone(), &code, once).await.unwrap();
    assert_eq!((&first.secret, &first.token), (&second.secret, &second.token));
    let other = sign_in(channel.clone(), &code, "fedcba9876543210").await.unwrap_err();
    assert_eq!(reason(&other), "NOT_FOUND");
}

#[tokio::test]
async fn pages_and_codes_are_limited_and_the_oldest_are_evicted() {
    let engine = Engine::with(&["--auth-limit", "0"]);
    let channel = engine.channel().await;
    let ann = Player::register(channel.clone(), "Ann").await;
    let mut codes = Vec::new();
    for _ in 0..9 {
        codes.push(code_of(&ann).await);
    }
    let oldest = sign_in(channel.clone(), &codes[0], "").await.unwrap_err();
    assert_eq!(reason(&oldest), "NOT_FOUND", "the ninth took its place");
    let mut secrets = Vec::new();
    for code in &codes[1..] {
        secrets.push(sign_in(channel.clone(), code, "").await.unwrap().secret);
    }
    for _ in 0..9 {
        let code = code_of(&ann).await;
        secrets.push(sign_in(channel.clone(), &code, "").await.unwrap().secret);
    }
    let works = async |secret: &str| {
        let page = Player::with_token(channel.clone(), secret);
        page.call(GetMeRequest {}).await.is_ok()
    };
    assert!(!works(&secrets[0]).await, "the 17th took its place");
    assert!(works(&secrets[1]).await && works(&secrets[16]).await);
    let code = code_of(&ann).await;
    let admin = engine.admin().await;
    let player = ann.name.clone();
    admin.does(RevokePlayerTokensRequest { player }).await;
    let refused = sign_in(channel.clone(), &code, "").await.unwrap_err();
    assert_eq!(reason(&refused), "NOT_FOUND", "a code ends with its account's tokens");
}

#[tokio::test]
async fn a_code_works_at_another_engine_and_only_once() {
    let Some(postgres) = Postgres::shared() else { return };
    let address = postgres.database("games");
    let start = || Engine::on_database(&address, &["--auth-limit", "0"]);
    let (one, other) = (start(), start());
    let ann = Player::register(one.channel().await, "Ann").await;
    let code = code_of(&ann).await;
    let mut tries = tokio::task::JoinSet::new();
    for number in 0..16 {
        let channel = if number % 2 == 0 { one.channel().await } else { other.channel().await };
        let code = code.clone();
        tries.spawn(async move { sign_in(channel, &code, "").await });
    }
    let mut secrets = Vec::new();
    while let Some(tried) = tries.join_next().await {
        match tried.unwrap() {
            Ok(signed_in) => secrets.push(signed_in.secret),
            Err(refused) => assert_eq!(reason(&refused), "NOT_FOUND"),
        }
    }
    let [secret] = secrets.as_slice() else { panic!("{} came in", secrets.len()) };
    for engine in [&one, &other] {
        let page = Player::with_token(engine.channel().await, secret);
        page.does(GetMeRequest {}).await;
    }

    let admin = one.admin().await;
    let engines = until_some("both engines are listed", async || {
        let told = admin.does(ListEnginesRequest::default()).await.engines;
        (told.len() == 2).then_some(told)
    })
    .await;
    let answering: Vec<_> = engines.iter().filter(|engine| engine.answering).collect();
    assert_eq!(answering.len(), 1, "{engines:?}");
    assert!(answering[0].name.ends_with(&format!(":{}", one.pid())), "{engines:?}");
    assert!(engines.iter().all(|engine| engine.status.as_ref().unwrap().resident_bytes > 0));
}

async fn look(watcher: &Player, game_id: &str) -> Result<GetViewResponse, Status> {
    watcher.call(GetViewRequest::of(game_id)).await
}

async fn table(engine: &Engine, is_private: bool) -> (Player, Player, Game) {
    let kind = if is_private { ("Cid", "Dan") } else { ("Ann", "Bob") };
    let one = Player::register(engine.channel().await, kind.0).await;
    let other = Player::register(engine.channel().await, kind.1).await;
    let game = one.create_with(1, |request| request.is_private = is_private).await;
    let invite_code = game.invite_code.clone();
    other.does(JoinGameRequest { invite_code, ..JoinGameRequest::of(&game.game_id) }).await;
    (one, other, game)
}

#[tokio::test]
async fn anonymous_spectators_watch_public_games_if_allowed() {
    let engine = Engine::in_memory(&["--watch", "public"]);
    let (ann, _, game) = table(&engine, false).await;
    let (_, _, private) = table(&engine, true).await;
    let nobody = Player::anonymous(engine.channel().await);
    let games = nobody.does(ListGamesRequest::default()).await;
    let ids: Vec<_> = games.games.iter().map(|game| game.game_id.as_str()).collect();
    assert_eq!(ids, [game.game_id.as_str()], "the private one is not listed");
    let game_id = game.game_id.clone();

    let seen = look(&nobody, &game_id).await.unwrap();
    let request = GetViewRequest { as_spectator: true, ..GetViewRequest::of(&game_id) };
    let spectators = ann.does(request).await;
    assert_eq!(seen.view, spectators.view, "they see what a spectator sees");
    let request = GetViewRequest { seat: Some(1), ..GetViewRequest::of(&game_id) };
    assert_eq!(nobody.refusal(request).await, "NOT_YOUR_SEAT");
    let request = GetViewRequest { revealed: true, ..GetViewRequest::of(&game_id) };
    assert_eq!(nobody.refusal(request).await, "ROLE_CONFLICT");

    nobody.does(ListKindsRequest {}).await;
    assert_eq!(nobody.game(&game_id).await.invite_code, "");
    nobody.does(DrawMapRequest::of(&game_id)).await;
    nobody.does(ListPhasesRequest::of(&game_id)).await;
    nobody.does(GetHistoryRequest::of(&game_id)).await;
    nobody.does(ListVotesRequest::of(&game_id)).await;
    let mut events = nobody.events(&game_id, None).await;
    let first = events.message().await.unwrap().unwrap().part;
    assert!(matches!(first, Some(Part::Snapshot(_))), "{first:?}");

    let refused = look(&nobody, &private.game_id).await.unwrap_err();
    assert_eq!(reason(&refused), "GAME_NOT_FOUND", "a private game is none of theirs");
    let refused = nobody.refused(JoinGameRequest::of(&game_id)).await;
    assert_eq!(reason(&refused), "TOKEN_INVALID", "watching is all that they may do");
    assert_eq!(nobody.refusal(ListMessagesRequest::of(&game_id)).await, "TOKEN_INVALID");
    let wrong = Player::with_token(engine.channel().await, &format!("hp_{}", "0".repeat(64)));
    let refused = look(&wrong, &game_id).await.unwrap_err();
    assert_eq!(reason(&refused), "TOKEN_INVALID", "a token that is sent has to be right");
    let (answer, status) = call_by_web(
        engine.address(),
        "/heliopause.v1.GameService/GetView",
        None,
        &GetViewRequest::of(&game_id).encode_to_vec(),
    );
    assert_eq!((answer.status, status.as_str()), (200, "0"), "also from a browser");
}

#[tokio::test]
async fn the_operator_controls_spectating() {
    for (who, rule) in [("players", WatchRule::Players), ("none", WatchRule::None)] {
        let engine = Engine::in_memory(&["--watch", who]);
        let (ann, _, game) = table(&engine, false).await;
        let (channel, game_id) = (engine.channel().await, game.game_id);
        let nobody = Player::anonymous(channel.clone());
        assert_eq!(nobody.does(GetServerInfoRequest {}).await.watch(), rule);
        assert_eq!(reason(&look(&nobody, &game_id).await.unwrap_err()), "TOKEN_INVALID", "{who}");
        look(&ann, &game_id).await.expect("who plays sees their game");

        let eve = Player::register(channel.clone(), "Eve").await;
        let seen = look(&eve, &game_id).await;
        if rule == WatchRule::Players {
            seen.expect("who has an account watches");
            continue;
        }
        assert_eq!(reason(&seen.unwrap_err()), "WATCHING_OFF");
        assert_eq!(eve.refusal(StreamEventsRequest::of(&game_id)).await, "WATCHING_OFF");
        assert_eq!(eve.refusal(ExportGameRequest::of(&game_id)).await, "WATCHING_OFF");
        // What the table is like is no secret.
        eve.game(&game_id).await;
    }
}

#[tokio::test]
async fn operators_see_workers_leases_and_measurements() {
    let engine = Engine::with(&[]);
    let admin = engine.admin().await;
    let ann = Player::register(engine.channel().await, "Ann").await;
    let account = engine.worker_account().await;
    let mut worker = Worker::attach(&account, 4).await.unwrap();
    let listed = admin.does(ListWorkersRequest::default()).await.workers;
    let [record] = listed.as_slice() else { panic!("{listed:?}") };
    assert!(!record.profiles.is_empty() && record.capacity > 0 && record.connect_time.is_some());
    assert_eq!(record.player.as_ref().unwrap().role(), AccountRole::Worker);

    let game = ann.create_automated(heliopause_tests::STARSHIPS, 2, "random", None).await;
    let lease = worker.lease().await;
    let leases = admin.does(ListLeasesRequest::default()).await.leases;
    let [leased] = leases.as_slice() else { panic!("{leases:?}") };
    assert_eq!((&leased.game_id, leased.worker), (&game.game_id, record.number), "{lease:?}");
    assert!(leased.lease_time.is_some() && leased.end_time.is_some());

    let prefixes = vec!["heliopause_request".to_owned(), "heliopause_workers".to_owned()];
    let told = admin.does(GetMetricsRequest { prefixes }).await.metrics;
    let metrics: HashMap<String, Metric> =
        told.into_iter().map(|metric| (metric.name.clone(), metric)).collect();
    let calls = &metrics["heliopause_requests_total"];
    assert_eq!(calls.kind(), MetricKind::Counter);
    let created = calls.samples.iter().find(|sample| {
        sample.labels.get("method").is_some_and(|method| method.ends_with("/CreateGame"))
    });
    assert!(created.is_some_and(|sample| sample.value >= 1.0), "{calls:?}");
    let workers = &metrics["heliopause_workers"];
    assert!((workers.samples[0].value - 1.0).abs() < f64::EPSILON, "{workers:?}");
    let took = &metrics["heliopause_request_seconds"];
    assert_eq!(took.kind(), MetricKind::Histogram);
    let sample = &took.samples[0];
    assert_eq!(sample.buckets.last().unwrap().count, sample.count);
    assert!(metrics.keys().all(|name| name.starts_with("heliopause_")));

    let refused = ann.refused(GetMetricsRequest::default()).await;
    assert_eq!(reason(&refused), "ROLE_REQUIRED");
}

#[tokio::test]
async fn the_command_line_opens_the_page_signed_in() {
    let engine = Engine::start();
    let person = Person::new(&engine.url());
    let run = |arguments: &[&str]| {
        let mut command = person.program();
        command.args(arguments).env_remove("DISPLAY");
        command.env_remove("WAYLAND_DISPLAY").env_remove("BROWSER");
        let output = command.output().expect("the client runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let told = run(&["web", "GAME"]);
    let begin = format!("{}/game/GAME#code=", engine.url());
    let code = told.split(&begin).nth(1).expect("an address").split_whitespace().next().unwrap();
    assert!(!told.contains("hp_"), "{told}");
    let signed_in = sign_in(engine.channel().await, code, "").await.expect("the code is good");

    let json: serde_json::Value = serde_json::from_str(&run(&["--json", "web"])).unwrap();
    let address = json["address"].as_str().unwrap();
    let code = address.split("/#code=").nth(1).expect("the page's root");
    let other = sign_in(engine.channel().await, code, "").await.unwrap();
    assert_eq!(signed_in.player, other.player, "the account is the same");
}

#[tokio::test]
async fn the_page_works_through_nginx() {
    let Some(postgres) = Postgres::shared() else { return };
    let address = postgres.database("games");
    let arguments = ["--web", "--watch", "public", "--trusted-proxy", "127.0.0.1"];
    let engines = [(); 2].map(|()| Engine::on_database(&address, &arguments));
    let ports = engines.each_ref().map(Engine::port);
    let Some(nginx) = Nginx::before(&ports) else { return };
    let channel = Channel::from_shared(nginx.url()).unwrap().connect().await.unwrap();
    let answer = get2(channel.clone(), "/game/abc/phase/2").await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], "text/html; charset=utf-8");
    assert!(answer.headers().contains_key("content-security-policy"));
    let nobody = Player::anonymous(channel);
    nobody.does(ListKindsRequest {}).await;
}

#[tokio::test]
async fn failed_lines_and_current_orders_are_described_in_text() {
    let engine = Engine::in_memory(&["--sandbox"]);
    let ann = Player::register(engine.channel().await, "Ann").await;
    let sandbox = Sandbox::of(&ann, "star-empires", |_| {}).await;
    let judged = sandbox.validate(1, "MOVE Nowhere TO (1,1)\nDESIGN").await.unwrap();
    let [verdict] = judged.verdicts.as_slice() else { panic!("a sheet is one order: {judged:?}") };
    let lines: Vec<_> = verdict.lines.iter().map(|line| (line.line, line.accepted)).collect();
    assert_eq!(lines, [(1, false), (2, false)], "{verdict:?}");
    assert!(verdict.lines.iter().all(|line| !line.sentence.is_empty()), "{verdict:?}");
    let rules: Vec<_> = verdict.lines.iter().map(|line| line.rule.as_str()).collect();
    assert_eq!(rules, ["6.4.2", "6.0"], "a move, and a line that cannot be read: {verdict:?}");

    let sandbox = Sandbox::of(&ann, "diplomacy", |request| request.players = Some(2)).await;
    assert!(sandbox.offers(1).await.current_orders.is_empty());
    sandbox.order(1, "a vie-gal").await.expect("an order");
    assert_eq!(sandbox.offers(1).await.current_orders, ["A Vie - Gal"]);
}
