//! AdjudicationService: phases of Diplomacy and its variant, resolved without a game.

use heliopause_diplomacy::adjudicate;
use heliopause_proto::diplomacy::v1::adjudication_service_server::AdjudicationService;
use heliopause_proto::diplomacy::v1::{AdjudicateRequest, AdjudicateResponse};
use tonic::{Request, Response, Status};

use super::caller;
use super::errors::status;

/// The service. It has nothing to remember.
pub(super) struct AdjudicationApi;

#[tonic::async_trait]
impl AdjudicationService for AdjudicationApi {
    async fn adjudicate(
        &self,
        request: Request<AdjudicateRequest>,
    ) -> Result<Response<AdjudicateResponse>, Status> {
        caller(&request)?;
        let request = request.into_inner();
        // A hundred crowded phases take a while: the call is a heavy one, and keeps no light call
        // waiting.
        Ok(Response::new(adjudicate(&request).map_err(|fault| status(fault.into()))?))
    }
}
