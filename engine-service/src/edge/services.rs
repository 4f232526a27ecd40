//! The services that are served. A new service is one line here.

use heliopause_proto::diplomacy::v1::adjudication_service_server::AdjudicationServiceServer;
use heliopause_proto::v1::admin_service_server::AdminServiceServer;
use heliopause_proto::v1::automation_service_server::AutomationServiceServer;
use heliopause_proto::v1::game_master_service_server::GameMasterServiceServer;
use heliopause_proto::v1::player_service_server::PlayerServiceServer;
use heliopause_proto::v1::sandbox_service_server::SandboxServiceServer;
use tonic::service::Routes;
use tonic_health::server::{HealthReporter, HealthService};

use super::Engine;
use super::adjudication::AdjudicationApi;
use super::admin::Admins;
use super::automation::AutomationApi;
use super::event_stream::GameServer;
use super::game_master::GameMasterApi;
use super::player::Players;
use super::sandbox::SandboxApi;
use super::tables::Tables;

/// All services.
pub(super) fn services(engine: &Engine, health: HealthReporter) -> Routes {
    let limit = engine.message_bytes;
    let mut routes = Routes::builder();
    routes.add_service(
        PlayerServiceServer::new(Players::new(engine)).max_decoding_message_size(limit),
    );
    routes
        .add_service(AdminServiceServer::new(Admins::new(engine)).max_decoding_message_size(limit));
    let tables = Tables::new(engine);
    routes.add_service(GameServer::new(tables.clone(), limit));
    routes.add_service(
        GameMasterServiceServer::new(GameMasterApi(tables.clone()))
            .max_decoding_message_size(limit),
    );
    routes.add_service(
        AutomationServiceServer::new(AutomationApi(tables.clone()))
            .max_decoding_message_size(limit),
    );
    routes.add_service(
        SandboxServiceServer::new(SandboxApi(tables)).max_decoding_message_size(limit),
    );
    routes.add_service(
        AdjudicationServiceServer::new(AdjudicationApi).max_decoding_message_size(limit),
    );
    routes.add_service(tonic_health::pb::health_server::HealthServer::new(
        HealthService::from_health_reporter(health),
    ));
    reflection(&mut routes);
    routes.routes().prepare()
}

/// Reflection in both versions: many tools still speak the older one.
fn reflection(routes: &mut tonic::service::RoutesBuilder) {
    let builder = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(heliopause_proto::DESCRIPTORS)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    routes.add_service(builder().build_v1().expect("the build made these descriptors"));
    routes.add_service(builder().build_v1alpha().expect("the build made these descriptors"));
}
