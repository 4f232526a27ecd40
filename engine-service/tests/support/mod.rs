//! A server in this process, and gRPC clients for it.

#![allow(unreachable_pub, reason = "a test program exports nothing")]

pub mod authenticator;
pub mod identity_provider;
pub mod mail_server;
pub mod unreliable_store;

use std::path::PathBuf;
use std::process::{Command, Output};
use std::str::FromStr as _;
use std::time::Duration;

use heliopause_engine::config::{Config, Settings};
use heliopause_engine::edge::drain::Drain;
use heliopause_engine::edge::serve::{self, StartError};
use heliopause_engine::store::{Account, Append, GameRow, Shared, TokenRow};
use heliopause_proto::v1::admin_service_client::AdminServiceClient;
use heliopause_proto::v1::analysis_service_client::AnalysisServiceClient;
use heliopause_proto::v1::player_service_client::PlayerServiceClient;
use heliopause_proto::v1::profile_service_client::ProfileServiceClient;
use heliopause_proto::v1::{ErrorReason, RegisterRequest};
use tokio::task::JoinHandle;
use tonic::metadata::MetadataValue;
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Status};
use tonic_types::StatusExt as _;

pub const PATIENCE: Duration = Duration::from_secs(20);

pub struct TestServer {
    pub grpc: std::net::SocketAddr,
    pub metrics: Option<std::net::SocketAddr>,
    pub tokens: PathBuf,
    pub drain: Drain,
    finished: JoinHandle<()>,
}

pub fn in_memory() -> Settings {
    Settings {
        listen: Some("127.0.0.1:0".parse().unwrap()),
        data: Some(PathBuf::from(":memory:")),
        ..Settings::default()
    }
}

pub async fn start(settings: Settings) -> TestServer {
    try_start(settings).await.expect("the server starts")
}

pub async fn try_start(settings: Settings) -> Result<TestServer, StartError> {
    let config = Config::resolve(settings).expect("the settings are good");
    let running = serve::start(&config).await?;
    Ok(TestServer {
        grpc: running.grpc,
        metrics: running.metrics,
        tokens: running.tokens.clone(),
        drain: running.drain(),
        finished: tokio::spawn(async {
            running.finish().await.expect("the server stops on request");
        }),
    })
}

/// The program, without settings from the environment.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_engine-service"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("HELIOPAUSE_")) {
        command.env_remove(name);
    }
    command
}

pub fn refused(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    assert!(!status.success(), "the program did not exit with an error");
    assert_eq!(String::from_utf8_lossy(&stdout), "", "errors go to stderr");
    String::from_utf8(stderr).unwrap()
}

#[derive(Clone)]
pub struct WithToken(Option<String>);

impl Interceptor for WithToken {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(token) = &self.0 {
            let header = MetadataValue::from_str(&format!("Bearer {token}")).expect("a header");
            request.metadata_mut().insert("authorization", header);
        }
        Ok(request)
    }
}

pub type Authorized = InterceptedService<Channel, WithToken>;

impl TestServer {
    pub fn channel(&self) -> Channel {
        Endpoint::from_shared(format!("http://{}", self.grpc)).unwrap().connect_lazy()
    }

    pub fn authorized(&self, token: &str) -> Authorized {
        InterceptedService::new(self.channel(), WithToken(Some(token.to_owned())))
    }

    pub fn player(&self, token: &str) -> PlayerServiceClient<Authorized> {
        PlayerServiceClient::new(self.authorized(token))
    }

    pub fn analyses(&self, token: &str) -> AnalysisServiceClient<Authorized> {
        AnalysisServiceClient::new(self.authorized(token))
    }

    pub fn profiles(&self, token: &str) -> ProfileServiceClient<Authorized> {
        ProfileServiceClient::new(self.authorized(token))
    }

    pub fn anonymous(&self) -> PlayerServiceClient<Channel> {
        PlayerServiceClient::new(self.channel())
    }

    pub fn admin(&self) -> AdminServiceClient<Authorized> {
        AdminServiceClient::new(self.authorized(&self.token_file("admin.token")))
    }

    pub fn token_file(&self, name: &str) -> String {
        std::fs::read_to_string(self.tokens.join(name)).expect("a token file").trim().to_owned()
    }

    pub async fn register(&self, name: &str) -> String {
        self.anonymous().register(named(name)).await.expect("the name is free").into_inner().token
    }

    pub async fn stop(self) {
        self.drain.begin();
        self.finished().await;
    }

    pub async fn finished(self) {
        tokio::time::timeout(Duration::from_mins(1), self.finished)
            .await
            .expect("it stops")
            .expect("without a panic");
    }
}

pub fn named(name: &str) -> RegisterRequest {
    RegisterRequest { name: name.to_owned(), ..RegisterRequest::default() }
}

pub fn reason(status: &Status) -> ErrorReason {
    let info = status.get_details_error_info().unwrap_or_else(|| panic!("no reason in {status:?}"));
    assert_eq!(info.domain, "heliopause");
    ErrorReason::from_str_name(&format!("ERROR_REASON_{}", info.reason))
        .expect("a reason of the contract")
}

pub fn assert_refused(status: &Status, expected: ErrorReason, code: Code) {
    assert_eq!((reason(status), status.code()), (expected, code), "{status:?}");
}

pub fn refusal<T: std::fmt::Debug>(result: Result<T, Status>) -> ErrorReason {
    reason(&result.expect_err("a refusal"))
}

pub fn row(game_id: &str) -> GameRow {
    let (game_id, kind) = (game_id.to_owned(), "chess".to_owned());
    GameRow { game_id, kind, status: 2, created: 1, ..GameRow::default() }
}

pub fn append(row: GameRow, expected: u64, body: impl Into<Vec<u8>>) -> Append {
    let secret = (expected == 0).then_some([7; 32]);
    Append { expected, entries: vec![body.into().into()], row, secret, ..Append::default() }
}

/// Waits until a store is available, or not available.
pub async fn becomes(store: &dyn Shared, is_available: bool) {
    let mut available = store.available();
    let turned = available.wait_for(|state| state.is_ok() == is_available);
    tokio::time::timeout(PATIENCE, turned).await.expect("the store notices").unwrap();
}

pub fn account(player_id: &str, role: i32) -> Account {
    Account::new(player_id.to_owned(), &format!("Player {player_id}"), role, 1)
}

pub fn token(account: &Account, token_id: &str, hash: [u8; 32]) -> TokenRow {
    let (token_id, name) = (token_id.to_owned(), "first".to_owned());
    TokenRow { token_id, player_id: account.player_id.clone(), name, hash, created: 5 }
}
