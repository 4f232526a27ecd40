//! The gRPC services. [`Services::new`] lists all of them.

/// Implements a service. A row computes the response of a method from:
///
/// - `request`: the whole request, which may have no caller
/// - `call`: the caller and the message
/// - `game`: the [`CallContext`](tables::CallContext) and the message
/// - `step`: the message, as a step of a game. The response is the game after the step
///
/// A `stream` row computes a stream of responses in the same way as `game`. A `method` row calls the
/// method of the `CallContext` that has its name.
///
/// Writes the whole `impl`, because `async_trait` must see every function.
macro_rules! service {
    ($service:ident for $api:ident;
        $(request $whole:ident($whole_request:ty) -> $whole_response:ty =
            |$whole_this:ident, $open:pat_param| $whole_answer:expr;)*
        $(call $call:ident($request:ty) -> $response:ty =
            |$this:ident, $caller:pat_param, $message:pat_param| $answer:expr;)*
        $(game $in_game:ident($game_request:ty) -> $game_response:ty =
            |$context:ident, $game_message:ident| $game_answer:expr;)*
        $(step $step:ident($step_request:ty) -> $step_response:ident =
            |$step_message:ident| $kind:expr;)*
        $(stream $stream:ident($stream_request:ty) -> $streamed:ident($item:ty) =
            |$stream_context:ident, $stream_message:pat_param| $messages:expr;)*
        $(method $method:ident($method_request:ty) -> $method_response:ty;)*) => {
        #[tonic::async_trait]
        impl $service for $api {
            $(async fn $whole(&self, request: Request<$whole_request>) -> Reply<$whole_response> {
                let ($whole_this, $open) = (self, request);
                Ok(Response::new($whole_answer))
            })*

            $(async fn $call(&self, request: Request<$request>) -> Reply<$response> {
                let ($this, $caller) = (self, caller(&request)?);
                let $message = request.into_inner();
                Ok(Response::new($answer))
            })*

            $(async fn $in_game(&self, request: Request<$game_request>) -> Reply<$game_response> {
                let ($context, $game_message) = self.0.open(request)?;
                Ok(Response::new($game_answer))
            })*

            $(async fn $step(&self, request: Request<$step_request>) -> Reply<$step_response> {
                let (context, $step_message) = self.0.open(request)?;
                let game_id = $step_message.game_id.clone();
                let asked = context.key(&$step_message.request_id, &$step_message)?;
                let kind = $kind;
                context.take(&game_id, kind, asked).await?;
                Ok(Response::new($step_response { game: context.game(&game_id).await? }))
            })*

            $(type $streamed = Responses<$item>;

            async fn $stream(&self, request: Request<$stream_request>) -> Reply<Self::$streamed> {
                let ($stream_context, $stream_message) = self.0.open(request)?;
                Ok(Response::new(Box::pin($messages)))
            })*

            $(async fn $method(&self, request: Request<$method_request>) -> Reply<$method_response> {
                let (context, request) = self.0.open(request)?;
                Ok(Response::new(context.$method(request).await?))
            })*
        }
    };
}

mod adjudication;
mod admin;
mod analysis;
mod automation;
mod chat;
mod event_stream;
mod game;
mod game_master;
mod lobby;
pub(crate) mod overview;
pub(crate) mod paging;
mod play;
pub(crate) mod player;
mod profile;
pub(crate) mod public;
mod quick_play;
mod records;
mod sandbox;
mod sandbox_steps;
mod search;
mod sign_in;
mod streams;
mod tables;
mod talk;
mod tournament;
mod views;

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use heliopause_proto::diplomacy::v1::adjudication_service_server::AdjudicationServiceServer;
use heliopause_proto::v1::admin_service_server::AdminServiceServer;
use heliopause_proto::v1::analysis_service_server::AnalysisServiceServer;
use heliopause_proto::v1::automation_service_server::AutomationServiceServer;
use heliopause_proto::v1::chat_service_server::ChatServiceServer;
use heliopause_proto::v1::game_master_service_server::GameMasterServiceServer;
use heliopause_proto::v1::player_service_server::PlayerServiceServer;
use heliopause_proto::v1::profile_service_server::ProfileServiceServer;
use heliopause_proto::v1::quick_play_service_server::QuickPlayServiceServer;
use heliopause_proto::v1::sandbox_service_server::SandboxServiceServer;
use heliopause_proto::v1::sign_in_service_server::SignInServiceServer;
use heliopause_proto::v1::tournament_service_server::TournamentServiceServer;
use http::{Request, Response};
use tokio_stream::Stream;
use tonic::Status;
use tonic::body::Body;
use tonic::server::NamedService;
use tonic_health::pb::health_server::HealthServer;
use tonic_health::server::{HealthReporter, HealthService};
use tower::Service;

use self::adjudication::AdjudicationApi;
use self::admin::Admins;
use self::analysis::AnalysisApi;
use self::automation::AutomationApi;
use self::chat::ChatApi;
use self::event_stream::GameServer;
use self::game_master::GameMasterApi;
use self::player::Players;
use self::profile::ProfileApi;
use self::quick_play::QuickPlayApi;
use self::sandbox::SandboxApi;
use self::sign_in::SignIns;
use self::tables::Tables;
use self::tournament::TournamentApi;
use crate::edge::Engine;
use crate::maps::Map;

pub(crate) type Result<T, E = Status> = std::result::Result<T, E>;
pub(crate) type Reply<T> = Result<tonic::Response<T>>;
type Responses<T> = Pin<Box<dyn Stream<Item = Result<T>> + Send>>;

/// All services by name. The gRPC library's router would cost more than all other work between the
/// gate and a service.
#[derive(Clone)]
pub(crate) struct Services(Arc<Map<&'static str, ServeFn>>);

type ServeFn = Box<dyn Fn(Request<Body>) -> ResponseFuture + Send + Sync>;

type ResponseFuture = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

impl Services {
    pub(crate) fn new(engine: &Engine, health: HealthReporter) -> Self {
        let limit = engine.message_bytes;
        let tables = Tables::new(engine);
        let players = PlayerServiceServer::new(Players(engine.clone()));
        let profiles = ProfileServiceServer::new(ProfileApi {
            engine: engine.clone(),
            tables: tables.clone(),
        });
        let quick_play = QuickPlayServiceServer::new(QuickPlayApi(tables.clone()));
        let tournaments = TournamentServiceServer::new(TournamentApi(engine.clone()));
        let sign_ins = SignInServiceServer::new(SignIns(engine.clone()));
        let admins = AdminServiceServer::new(Admins(engine.clone()));
        let game_masters = GameMasterServiceServer::new(GameMasterApi(tables.clone()));
        let automation = AutomationServiceServer::new(AutomationApi {
            tables: tables.clone(),
            tournaments: Arc::clone(&engine.tournaments),
        });
        let chat = ChatServiceServer::new(ChatApi(tables.clone()));
        let sandbox = SandboxServiceServer::new(SandboxApi(tables.clone()));
        let analyses = AnalysisServiceServer::new(AnalysisApi(tables.clone()));
        let adjudication = AdjudicationServiceServer::new(AdjudicationApi);
        let games = GameServer::new(tables, limit);
        let health = HealthServer::new(HealthService::from_health_reporter(health));
        // Offer both versions of reflection, because many tools still use the older one.
        let reflection = || {
            tonic_reflection::server::Builder::configure()
                .register_encoded_file_descriptor_set(heliopause_proto::DESCRIPTORS)
                .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        };
        let services = [
            lazy(move || players.clone().max_decoding_message_size(limit)),
            lazy(move || profiles.clone().max_decoding_message_size(limit)),
            lazy(move || quick_play.clone().max_decoding_message_size(limit)),
            lazy(move || tournaments.clone().max_decoding_message_size(limit)),
            lazy(move || sign_ins.clone().max_decoding_message_size(limit)),
            lazy(move || admins.clone().max_decoding_message_size(limit)),
            lazy(move || games.clone()),
            lazy(move || game_masters.clone().max_decoding_message_size(limit)),
            lazy(move || automation.clone().max_decoding_message_size(limit)),
            lazy(move || chat.clone().max_decoding_message_size(limit)),
            lazy(move || sandbox.clone().max_decoding_message_size(limit)),
            lazy(move || analyses.clone().max_decoding_message_size(limit)),
            lazy(move || adjudication.clone().max_decoding_message_size(limit)),
            lazy(move || health.clone()),
            lazy(move || reflection().build_v1().expect("the build made these descriptors")),
            lazy(move || reflection().build_v1alpha().expect("the build made these descriptors")),
        ];
        Self(Arc::new(services.into_iter().collect()))
    }
}

/// Creates a service on its first call. Creating the reflection service, which is rarely called,
/// decodes the whole contract.
fn lazy<S>(make: impl Fn() -> S + Send + Sync + 'static) -> (&'static str, ServeFn)
where
    S: Service<Request<Body>, Response = Response<Body>, Future = ResponseFuture>,
    S: NamedService + Clone + Send + Sync + 'static,
{
    let made = OnceLock::new();
    (S::NAME, Box::new(move |request| made.get_or_init(&make).clone().call(request)))
}

impl Service<Request<Body>> for Services {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = ResponseFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> ResponseFuture {
        // The path is `/service/method`.
        let name = request.uri().path().split('/').nth(1).unwrap_or_default();
        match self.0.get(name) {
            Some(serve) => serve(request),
            None => Box::pin(async { Ok(Status::unimplemented("").into_http()) }),
        }
    }
}
