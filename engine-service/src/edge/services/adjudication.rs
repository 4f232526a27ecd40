//! `AdjudicationService`: resolving phases of Diplomacy and its variant without a game.

use heliopause_diplomacy::adjudicate;
use heliopause_proto::diplomacy::v1::adjudication_service_server::AdjudicationService;
use heliopause_proto::diplomacy::v1::{AdjudicateRequest, AdjudicateResponse};
use tonic::{Request, Response};

use super::Reply;
use crate::edge::caller;
use crate::failure::status;

pub(crate) struct AdjudicationApi;

#[tonic::async_trait]
impl AdjudicationService for AdjudicationApi {
    async fn adjudicate(&self, request: Request<AdjudicateRequest>) -> Reply<AdjudicateResponse> {
        caller(&request)?;
        let request = request.into_inner();
        // The call counts as heavy, because resolving a hundred crowded phases takes a while.
        Ok(Response::new(adjudicate(&request).map_err(|fault| status(fault.into()))?))
    }
}
