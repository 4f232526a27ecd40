use super::*;
use crate::accounts::Registration;
use crate::config::Quotas;
use crate::store::memory::MemoryStore;
use bytes::Bytes;
use http_body::Frame;
use http_body_util::{BodyExt as _, StreamBody};
use tonic_types::StatusExt as _;
use tower::service_fn;

const STREAM: &str = "/heliopause.v1.GameService/StreamEvents";
const WORK: &str = "/heliopause.v1.AutomationService/Work";
const CALL: &str = "/heliopause.v1.PlayerService/GetMe";

/// A gate, and a player's id and token.
struct Bench {
    keeper: Arc<Gatekeeper>,
    player_id: String,
    token: String,
}

async fn bench() -> Bench {
    let quotas = Quotas {
        message_bytes: 1_000,
        calls_per_second: 0,
        knocks_per_minute: 0,
        streams: 1,
        games: 1,
        connections: 1,
    };
    let accounts = Accounts::new(Arc::new(MemoryStore::default()), Registration::Open, 1);
    let (account, token) = accounts.register("Ann", "").await.unwrap();
    let keeper = Arc::new(Gatekeeper {
        accounts: Arc::new(accounts),
        limits: Arc::new(Limits::new(&quotas)),
        drain: Drain::default(),
        workers_need_certificates: false,
        message_bytes: quotas.message_bytes,
    });
    Bench { keeper, player_id: account.player_id, token }
}

impl Bench {
    /// Calls a service behind the gate that answers by streaming nothing for ever.
    async fn call(&self, path: &str) -> Response<Body> {
        let service = service_fn(async |_: Request<Body>| {
            let endless = tokio_stream::pending::<Result<Frame<Bytes>, Status>>();
            Ok::<_, Infallible>(Response::new(Body::new(StreamBody::new(endless))))
        });
        let request = Request::builder().uri(path).header("authorization", format!("bearer {}", self.token));
        self.keeper.pass(service, request.body(Body::empty()).unwrap()).await
    }
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
    bench.keeper.accounts.set_banned(account.clone(), true).await.unwrap();
    assert_eq!(ended.await.unwrap(), "TOKEN_INVALID");
    assert_eq!(refusal(&bench.call(CALL).await), "BANNED");
    bench.keeper.accounts.set_banned(account, false).await.unwrap();
    assert!(admitted(&bench.call(STREAM).await), "after the ban is lifted streams can be opened again");
}

#[tokio::test]
async fn a_player_has_so_many_streams_until_he_closes_one() {
    let bench = bench().await;
    let stream = bench.call(STREAM).await;
    assert_eq!(refusal(&bench.call(STREAM).await), "QUOTA_EXCEEDED");
    assert!(admitted(&bench.call(CALL).await), "calls are not streams");
    drop(stream);
    assert!(admitted(&bench.call(STREAM).await));
}

#[tokio::test]
async fn streams_end_when_the_server_closes() {
    let bench = bench().await;
    let ended = tokio::spawn(end(bench.call(STREAM).await));
    bench.keeper.drain.begin();
    assert_eq!(refusal(&bench.call(CALL).await), "DRAINING");
    bench.keeper.drain.close();
    assert_eq!(ended.await.unwrap(), "DRAINING");
}

#[tokio::test]
async fn only_workers_work() {
    let bench = bench().await;
    assert_eq!(refusal(&bench.call(WORK).await), "ROLE_REQUIRED");
    bench.keeper.accounts.grant("Ann", AccountRole::Worker).await.unwrap();
    assert!(admitted(&bench.call(WORK).await));
    bench.keeper.accounts.grant("Ann", AccountRole::Admin).await.unwrap();
    assert_eq!(refusal(&bench.call(WORK).await), "ROLE_REQUIRED", "not even admins");
}

#[tokio::test]
async fn a_changed_role_ends_the_streams_of_the_old_one() {
    let bench = bench().await;
    bench.keeper.accounts.grant("Ann", AccountRole::Worker).await.unwrap();
    let ended = tokio::spawn(end(bench.call(WORK).await));
    bench.keeper.accounts.grant("Ann", AccountRole::Player).await.unwrap();
    assert_eq!(ended.await.unwrap(), "TOKEN_INVALID");
    assert!(admitted(&bench.call(STREAM).await), "the token stays valid");
}

#[tokio::test]
async fn a_panicking_handler_fails_its_call_alone() {
    let bench = bench().await;
    let request = || {
        let head = Request::builder().uri(CALL).header("authorization", format!("Bearer {}", bench.token));
        head.body(Body::empty()).unwrap()
    };
    let service = service_fn(async |_: Request<Body>| -> Result<Response<Body>, Infallible> { panic!("on purpose") });
    assert_eq!(refusal(&bench.keeper.pass(service, request()).await), "INTERNAL");
    assert!(admitted(&bench.call(CALL).await));
}

#[tokio::test]
async fn what_the_library_refuses_gets_a_reason() {
    let bench = bench().await;
    for (code, expected) in [(Code::OutOfRange, "INVALID_FIELD"), (Code::Internal, "INVALID_FIELD")] {
        let service = service_fn(move |_: Request<Body>| {
            let answer = Status::new(code, "in the library's words").into_http::<Body>();
            std::future::ready(Ok::<_, Infallible>(answer))
        });
        let head = Request::builder().uri(CALL).header("authorization", format!("Bearer {}", bench.token));
        let answer = bench.keeper.pass(service, head.body(Body::empty()).unwrap()).await;
        assert_eq!(refusal(&answer), expected, "{code}");
    }
}
