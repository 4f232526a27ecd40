//! `AdjudicationService`: resolving phases of Diplomacy and its variant without a game.

use heliopause_diplomacy::adjudicate;
use heliopause_proto::diplomacy::v1::adjudication_service_server::AdjudicationService;
use heliopause_proto::diplomacy::v1::{AdjudicateRequest, AdjudicateResponse};
use tonic::{Request, Response};

use super::Reply;
use crate::edge::caller;
use crate::failure::status;

pub(crate) struct AdjudicationApi;

service! {
    AdjudicationService for AdjudicationApi;
    // The call counts as heavy, because resolving a hundred crowded phases takes a while.
    call adjudicate(AdjudicateRequest) -> AdjudicateResponse =
        |_api, _, request| adjudicate(&request).map_err(|fault| status(fault.into()))?;
}
