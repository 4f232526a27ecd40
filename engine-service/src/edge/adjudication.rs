//! AdjudicationService: phases of Diplomacy and its variant, resolved without a game.

use heliopause_diplomacy::adjudicate;
use heliopause_proto::diplomacy::v1::adjudication_service_server::AdjudicationService;
use heliopause_proto::diplomacy::v1::{AdjudicateRequest, AdjudicateResponse};
use tonic::{Request, Response, Status};

use super::caller;
use super::errors::{Failure, status};

/// The service. It has nothing to remember.
pub(super) struct AdjudicationApi;

#[tonic::async_trait]
impl AdjudicationService for AdjudicationApi {
    async fn adjudicate(&self, request: Request<AdjudicateRequest>) -> Result<Response<AdjudicateResponse>, Status> {
        caller(&request)?;
        let request = request.into_inner();
        // A hundred crowded phases take a while: longer than other calls should wait for.
        let resolved = tokio::task::spawn_blocking(move || adjudicate(&request)).await;
        let response = resolved.map_err(Failure::internal)?;
        Ok(Response::new(response.map_err(|fault| status(fault.into()))?))
    }
}
