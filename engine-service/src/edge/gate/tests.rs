use super::*;
use crate::accounts::Registration;
use crate::config::Quotas;
use crate::store::sqlite::SqliteStore;
use bytes::Bytes;
use http_body::Frame;
use tonic_types::StatusExt as _;
use tower::service_fn;

const STREAM: &str = "/heliopause.v1.GameService/StreamEvents";
const WORK: &str = "/heliopause.v1.AutomationService/Work";
const CALL: &str = "/heliopause.v1.PlayerService/GetMe";

struct Bench {
    keeper: Arc<Gatekeeper>,
    player_id: String,
    token: String,
}

async fn bench() -> Bench {
    let quotas = Quotas { message_bytes: 1 << 20, streams: 1, account_calls: 4, ..Quotas::none() };
    bench_with(quotas).await
}

async fn bench_with(quotas: Quotas) -> Bench {
    let accounts = Accounts::new(
        Arc::new(SqliteStore::in_memory()),
        Registration::Open,
        1,
        crate::Time::default(),
    );
    let (account, token) = accounts.register("Ann", "", None).await.unwrap();
    let keeper = Arc::new(Gatekeeper {
        accounts: Arc::new(accounts),
        limits: Arc::new(Limits::new(&quotas)),
        drain: Drain::default(),
        executors: Arc::new(
            Executors::new(crate::edge::limits::executors::Threading::OwnThreads).unwrap(),
        ),
        proxies: Arc::default(),
        workers_need_certificates: false,
        message_bytes: quotas.message_bytes,
        watch: Watch::Players,
    });
    Bench { keeper, player_id: account.player_id, token }
}

impl Bench {
    async fn call(&self, path: &str) -> Response<Body> {
        let streams = method(path).streams;
        let service = service_fn(move |_: Request<Body>| {
            let endless = tokio_stream::pending::<Result<Frame<Bytes>, Status>>();
            let body = if streams { Body::new(StreamBody::new(endless)) } else { Body::empty() };
            std::future::ready(Ok::<_, Infallible>(Response::new(body)))
        });
        self.keeper.pass(service, request(path, &self.token).body(Body::empty()).unwrap()).await
    }
}

fn request(path: &str, token: &str) -> http::request::Builder {
    Request::builder().uri(path).header("authorization", format!("bearer {token}"))
}

fn reason(status: &Status) -> String {
    status.get_details_error_info().expect("every error has a reason").reason
}

fn refusal(response: &Response<Body>) -> String {
    reason(&Status::from_header_map(response.headers()).expect("a refusal"))
}

fn admitted(response: &Response<Body>) -> bool {
    Status::from_header_map(response.headers()).is_none()
}

async fn end(response: Response<Body>) -> String {
    let collected = response.into_body().collect().await.expect("trailers, not an error");
    reason(&Status::from_header_map(collected.trailers().unwrap()).unwrap())
}

#[tokio::test]
async fn a_stream_ends_when_its_token_is_revoked() {
    let bench = bench().await;
    let stream = bench.call(STREAM).await;
    assert!(admitted(&stream));
    let ended = tokio::spawn(end(stream));
    bench.keeper.accounts.revoke_all(&bench.player_id).await.unwrap();
    assert_eq!(ended.await.unwrap(), "TOKEN_INVALID");
    assert_eq!(refusal(&bench.call(STREAM).await), "TOKEN_INVALID");
}

#[tokio::test]
async fn a_stream_ends_when_its_player_is_banned() {
    let bench = bench().await;
    let ended = tokio::spawn(end(bench.call(STREAM).await));
    let account = bench.keeper.accounts.find("Ann").await.unwrap();
    bench.keeper.accounts.set_banned(&account.player_id, true).await.unwrap();
    assert_eq!(ended.await.unwrap(), "TOKEN_INVALID");
    assert_eq!(refusal(&bench.call(CALL).await), "BANNED");
    bench.keeper.accounts.set_banned(&account.player_id, false).await.unwrap();
    assert!(admitted(&bench.call(STREAM).await));
}

#[tokio::test]
async fn open_streams_of_a_player_are_limited() {
    let bench = bench().await;
    let stream = bench.call(STREAM).await;
    assert_eq!(refusal(&bench.call(STREAM).await), "QUOTA_EXCEEDED");
    assert!(admitted(&bench.call(CALL).await), "calls are not streams");
    drop(stream);
    assert!(admitted(&bench.call(STREAM).await));
}

#[tokio::test]
async fn only_workers_may_call_work() {
    let bench = bench().await;
    assert_eq!(refusal(&bench.call(WORK).await), "ROLE_REQUIRED");
    bench.keeper.accounts.grant("Ann", AccountRole::Worker, None).await.unwrap();
    assert!(admitted(&bench.call(WORK).await));
    bench.keeper.accounts.grant("Ann", AccountRole::Admin, None).await.unwrap();
    assert_eq!(refusal(&bench.call(WORK).await), "ROLE_REQUIRED", "not even admins");
}

#[tokio::test]
async fn a_changed_role_ends_the_streams_of_the_old_one() {
    let bench = bench().await;
    bench.keeper.accounts.grant("Ann", AccountRole::Worker, None).await.unwrap();
    let ended = tokio::spawn(end(bench.call(WORK).await));
    bench.keeper.accounts.grant("Ann", AccountRole::Player, None).await.unwrap();
    assert_eq!(ended.await.unwrap(), "TOKEN_INVALID");
    assert!(admitted(&bench.call(STREAM).await), "the token stays valid");
}

#[tokio::test]
async fn a_panicking_handler_fails_its_call_alone() {
    let bench = bench().await;
    let service = service_fn(async |_: Request<Body>| -> Result<Response<Body>, Infallible> {
        panic!("on purpose")
    });
    let call = request(CALL, &bench.token).body(Body::empty()).unwrap();
    assert_eq!(refusal(&bench.keeper.pass(service, call).await), "INTERNAL");
    assert!(admitted(&bench.call(CALL).await));
}

#[tokio::test]
async fn errors_of_the_grpc_library_get_a_reason() {
    let bench = bench().await;
    for code in [Code::OutOfRange, Code::Internal] {
        let service = service_fn(move |_: Request<Body>| {
            let answer = Status::new(code, "in the library's words").into_http::<Body>();
            std::future::ready(Ok::<_, Infallible>(answer))
        });
        let call = request(CALL, &bench.token).body(Body::empty()).unwrap();
        let answer = bench.keeper.pass(service, call).await;
        assert_eq!(refusal(&answer), "INVALID_FIELD", "{code}");
    }
}

impl Bench {
    async fn send(&self, path: &str, token: &str, body: Body) -> Response<Body> {
        let service = service_fn(async |request: Request<Body>| {
            let made_call = request.into_body().collect().await;
            let answered =
                made_call.map_or_else(Status::into_http, |_| Response::new(Body::empty()));
            Ok::<_, Infallible>(answered)
        });
        self.keeper.pass(service, request(path, token).body(body).unwrap()).await
    }
}

fn whole(message: &[u8]) -> Body {
    Body::new(http_body_util::Full::new(compression::frame(false, message)))
}

fn fields(status: &Status) -> Vec<String> {
    let violations = status
        .get_details_bad_request()
        .map(|request| request.field_violations)
        .unwrap_or_default();
    violations.into_iter().map(|violation| violation.field).collect()
}

fn contract_methods() -> Vec<prost_reflect::MethodDescriptor> {
    let services = heliopause_proto::POOL.services();
    services.flat_map(|service| service.methods().collect::<Vec<_>>()).collect()
}

fn role_for(path: &str) -> AccountRole {
    match method(path).access {
        Access::Role(role) => role,
        Access::Open | Access::Account | Access::Watcher => AccountRole::Player,
    }
}

async fn tokens(bench: &Bench) -> std::collections::HashMap<AccountRole, String> {
    let mut tokens = std::collections::HashMap::new();
    for role in [AccountRole::Player, AccountRole::Worker, AccountRole::Admin] {
        let (_, token) =
            bench.keeper.accounts.grant(&format!("{role:?}"), role, None).await.unwrap();
        tokens.insert(role, token);
    }
    tokens
}

/// Issue 16, item 5, and security D8: every field of every request has a limit.
#[tokio::test]
async fn every_request_field_has_a_limit() {
    let bench = bench_with(Quotas::none()).await;
    let (tokens, methods) = (tokens(&bench).await, contract_methods());
    let mut tried = 0;
    for method in &methods {
        let path = format!("/{}/{}", method.parent_service().full_name(), method.name());
        let role = role_for(&path);
        for case in contract::tests::cases(&method.input()) {
            let good = bench.send(&path, &tokens[&role], whole(&case.good)).await;
            let refusal = Status::from_header_map(good.headers());
            assert!(refusal.is_none(), "{path}: {} at its limit: {refusal:?}", case.field);
            let bad = bench.send(&path, &tokens[&role], whole(&case.bad)).await;
            let status = Status::from_header_map(bad.headers())
                .unwrap_or_else(|| panic!("{path}: {}", case.field));
            assert_eq!(
                (reason(&status), fields(&status)),
                ("INVALID_FIELD".to_owned(), vec![case.field]),
                "{path}"
            );
            tried += 1;
        }
    }
    assert!(methods.len() > 60 && tried > 1_000, "{tried} fields of {} methods", methods.len());
}

/// Security C2: every string follows its text profile, and no profile allows hidden characters.
#[tokio::test]
async fn no_request_text_allows_hidden_characters() {
    let bench = bench_with(Quotas::none()).await;
    let tokens = tokens(&bench).await;
    let (mut tried, mut profiles) = (0, std::collections::BTreeSet::new());
    for method in contract_methods() {
        let path = format!("/{}/{}", method.parent_service().full_name(), method.name());
        let token = &tokens[&role_for(&path)];
        for text in contract::tests::texts(&method.input()) {
            profiles.insert(text.profile);
            let good = bench.send(&path, token, whole(&text.with_text("Łukasz 2"))).await;
            let refusal = Status::from_header_map(good.headers());
            assert!(refusal.is_none(), "{path}: {}: {refusal:?}", text.field);
            let lines = if text.profile == 2 { &[][..] } else { &['\n'][..] };
            let hidden =
                ['\u{202e}', '\u{2066}', '\u{200b}', '\u{feff}', '\u{2028}', '\u{e0041}', '\u{1b}'];
            for &character in hidden.iter().chain(lines) {
                let bad = bench
                    .send(&path, token, whole(&text.with_text(&format!("ab{character}c"))))
                    .await;
                let status = Status::from_header_map(bad.headers())
                    .unwrap_or_else(|| panic!("{path}: {}", text.field));
                let told = status.get_details_error_info().unwrap().metadata;
                let point = format!("U+{:04X}", u32::from(character));
                assert_eq!(
                    (reason(&status), fields(&status)),
                    ("INVALID_FIELD".to_owned(), vec![text.field.clone()])
                );
                assert_eq!(
                    (told["character"].as_str(), told["position"].as_str()),
                    (point.as_str(), "3"),
                    "{path}"
                );
                tried += 1;
            }
        }
    }
    assert!(
        profiles.is_superset(&[2, 3, 4].into()) && tried > 2_000,
        "{tried} texts of {profiles:?}"
    );
}

#[tokio::test]
async fn limits_count_the_address_named_by_a_trusted_proxy() {
    let mut bench = bench_with(Quotas { auth_attempts_per_minute: 1, ..Quotas::none() }).await;
    let keeper = Arc::get_mut(&mut bench.keeper).unwrap();
    keeper.proxies = Arc::new(Proxies::new(&["10.0.0.1/32".parse().unwrap()], false));
    let try_in = async |peer: [u8; 4], client: &str| {
        let service = service_fn(async |_: Request<Body>| Ok(Response::new(Body::empty())));
        let call = request(CALL, &format!("hp_{}", "0".repeat(64)))
            .header("x-forwarded-for", client)
            .extension(Peer::at(peer.into(), false));
        refusal(&bench.keeper.pass(service, call.body(Body::empty()).unwrap()).await)
    };
    assert_eq!(try_in([10, 0, 0, 1], "198.51.100.7").await, "TOKEN_INVALID");
    assert_eq!(try_in([10, 0, 0, 1], "198.51.100.7").await, "RATE_LIMITED");
    assert_eq!(try_in([10, 0, 0, 1], "198.51.100.8").await, "TOKEN_INVALID");
    assert_eq!(try_in([192, 0, 2, 1], "198.51.100.9").await, "TOKEN_INVALID");
    assert_eq!(
        try_in([192, 0, 2, 1], "198.51.100.10").await,
        "RATE_LIMITED",
        "whoever is no proxy names nobody else"
    );
}

#[tokio::test]
async fn request_must_be_exactly_one_message() {
    let bench = bench().await;
    let body =
        |bytes: &'static [u8]| Body::new(http_body_util::Full::new(Bytes::from_static(bytes)));
    for wrong in [&b"\0"[..], b"\0\0\0\0\x02x", b"\0\0\0\0\0\0\0\0\0\0", b"\x01\0\0\0\0"] {
        assert_eq!(
            refusal(&bench.send(CALL, &bench.token, body(wrong)).await),
            "INVALID_FIELD",
            "{wrong:?}"
        );
    }
    let large = bench.send(CALL, &bench.token, body(b"\0\0\x20\0\0")).await;
    let status = Status::from_header_map(large.headers()).unwrap();
    assert!(status.message().contains("1048576"), "{status:?}");
}

#[tokio::test]
async fn request_beyond_the_memory_limit_is_rejected() {
    let bench = bench_with(Quotas { bytes_in_flight: 16_000, ..Quotas::none() }).await;
    // Each byte is charged as 4 bytes, and an account may use a quarter of the budget.
    let unknown = |length: usize| {
        let mut message = vec![0xFA, 0x3E];
        prost::encoding::encode_varint(length as u64, &mut message);
        message.resize(message.len() + length, 0);
        message
    };
    assert!(admitted(&bench.send(CALL, &bench.token, whole(&unknown(980))).await));
    assert_eq!(
        refusal(&bench.send(CALL, &bench.token, whole(&unknown(1_000))).await),
        "RATE_LIMITED"
    );
    assert_eq!(bench.keeper.limits.bytes(), 0);
}

#[tokio::test]
async fn calls_run_on_the_executor_of_their_weight() {
    let bench = bench().await;
    let thread = async |path: &str, message: &[u8]| {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let sender = Arc::new(std::sync::Mutex::new(Some(sender)));
        let service = service_fn(move |_: Request<Body>| {
            let name = std::thread::current().name().unwrap_or_default().to_owned();
            let _ = sender.lock().unwrap().take().unwrap().send(name);
            std::future::ready(Ok::<_, Infallible>(Response::new(Body::empty())))
        });
        let call = request(path, &bench.token).body(whole(message)).unwrap();
        assert!(admitted(&bench.keeper.pass(service, call).await));
        receiver.await.unwrap()
    };
    assert_eq!(thread("/heliopause.v1.GameService/GetView", &[]).await, "middle");
    assert_eq!(thread("/heliopause.v1.GameService/VerifyGame", &[]).await, "heavy");
    let submit = "/heliopause.v1.GameService/SubmitOrders";
    assert!(!["middle", "heavy"].contains(&&*thread(submit, &[]).await));
    let mut large = vec![0x32, 0x84, 0x80, 0x01, 0x12, 0x80, 0x80, 0x01];
    large.resize(large.len() + (16 << 10), b'x');
    assert_eq!(thread(submit, &large).await, "middle", "a large list of orders is not light");
}
