//! The services that are served. A new service is one line here.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use heliopause_proto::diplomacy::v1::adjudication_service_server::AdjudicationServiceServer;
use heliopause_proto::v1::admin_service_server::AdminServiceServer;
use heliopause_proto::v1::automation_service_server::AutomationServiceServer;
use heliopause_proto::v1::game_master_service_server::GameMasterServiceServer;
use heliopause_proto::v1::player_service_server::PlayerServiceServer;
use heliopause_proto::v1::sandbox_service_server::SandboxServiceServer;
use http::{Request, Response};
use tonic::Status;
use tonic::body::Body;
use tonic::server::NamedService;
use tonic_health::pb::health_server::HealthServer;
use tonic_health::server::{HealthReporter, HealthService};
use tower::Service;

use super::Engine;
use super::adjudication::AdjudicationApi;
use super::admin::Admins;
use super::automation::AutomationApi;
use super::event_stream::GameServer;
use super::game_master::GameMasterApi;
use super::player::Players;
use super::sandbox::SandboxApi;
use super::tables::Tables;
use crate::maps::Map;

/// All services, by their names.
///
/// The gRPC library's own router takes any pattern of paths, and reads what a path holds besides:
/// that would be more work than all else between the gate and a service.
#[derive(Clone)]
pub(super) struct Services(Arc<Map<&'static str, Serve>>);

/// Lets one service answer.
type Serve = Box<dyn Fn(Request<Body>) -> Answering + Send + Sync>;

type Answering = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

impl Services {
    pub(super) fn new(engine: &Engine, health: HealthReporter) -> Self {
        let limit = engine.message_bytes;
        let tables = Tables::new(engine);
        let players = PlayerServiceServer::new(Players::new(engine));
        let admins = AdminServiceServer::new(Admins::new(engine));
        let game_masters = GameMasterServiceServer::new(GameMasterApi(tables.clone()));
        let automation = AutomationServiceServer::new(AutomationApi(tables.clone()));
        let sandbox = SandboxServiceServer::new(SandboxApi(tables.clone()));
        let adjudication = AdjudicationServiceServer::new(AdjudicationApi);
        // Reflection is there in both versions: many tools still speak the older one.
        let reflection = || {
            tonic_reflection::server::Builder::configure()
                .register_encoded_file_descriptor_set(heliopause_proto::DESCRIPTORS)
                .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        };
        let services = [
            named(players.max_decoding_message_size(limit)),
            named(admins.max_decoding_message_size(limit)),
            named(GameServer::new(tables, limit)),
            named(game_masters.max_decoding_message_size(limit)),
            named(automation.max_decoding_message_size(limit)),
            named(sandbox.max_decoding_message_size(limit)),
            named(adjudication.max_decoding_message_size(limit)),
            named(HealthServer::new(HealthService::from_health_reporter(health))),
            late(move || reflection().build_v1().expect("the build made these descriptors")),
            late(move || reflection().build_v1alpha().expect("the build made these descriptors")),
        ];
        Self(Arc::new(services.into_iter().collect()))
    }
}

/// What a service of the gRPC library is.
trait Served:
    Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future = Answering>
    + NamedService
    + Clone
    + Send
    + Sync
    + 'static
{
}

impl<S> Served for S where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future = Answering>
        + NamedService
        + Clone
        + Send
        + Sync
        + 'static
{
}

/// A service with its name.
fn named<S: Served>(service: S) -> (&'static str, Serve) {
    // Each is ready at any time.
    (S::NAME, Box::new(move |request| service.clone().call(request)))
}

/// A service that is made when somebody asks it first: most engines are never asked what they can
/// do, and to answer that they decode the whole contract once more.
fn late<S: Served>(make: impl Fn() -> S + Send + Sync + 'static) -> (&'static str, Serve) {
    let made = OnceLock::new();
    (S::NAME, Box::new(move |request| made.get_or_init(&make).clone().call(request)))
}

impl Service<Request<Body>> for Services {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Answering;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Answering {
        // A path is /service/method.
        let name = request.uri().path().split('/').nth(1).unwrap_or_default();
        match self.0.get(name) {
            Some(serve) => serve(request),
            None => Box::pin(async { Ok(Status::unimplemented("").into_http()) }),
        }
    }
}
