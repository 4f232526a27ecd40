//! `SignInService`: how people sign in, and the sign-in methods of accounts.

use std::sync::Arc;

use heliopause_proto::v1::sign_in_service_server::SignInService;
use heliopause_proto::v1::*;
use tonic::{Request, Response};

use super::Reply;
use super::player::{player, token};
use crate::accounts::SignedIn;
use crate::background;
use crate::caller::ClientNetwork;
use crate::edge::{Engine, caller};
use crate::failure::Result;

pub(crate) struct SignIns(pub(crate) Engine);

/// Returns an account's sign-in methods and the number of its recovery codes.
pub(super) async fn ways_back(
    engine: &Engine,
    player_id: &str,
) -> Result<ListSignInMethodsResponse> {
    let methods = engine.accounts.methods(player_id).await?;
    let left = engine.accounts.recovery_codes_left(player_id).await?;
    Ok(ListSignInMethodsResponse {
        methods: methods.into_iter().map(|(_, method)| method).collect(),
        recovery_codes_left: left as u32,
    })
}

service! {
    SignInService for SignIns;
    request start_sign_in(StartSignInRequest) -> StartSignInResponse = |services, request| {
        let network = request.extensions().get::<ClientNetwork>();
        let network = network.map(|ClientNetwork(network)| network.to_string()).unwrap_or_default();
        let (sign_in, choice) = (Arc::clone(&services.0.sign_in), request.into_inner().choice);
        // Providers respond slowly. See the invariant of `background`.
        let started =
            background::in_own_task(async move { sign_in.start(None, &network, choice).await });
        StartSignInResponse { attempt: Some(started.await?) }
    };
    request finish_sign_in(FinishSignInRequest) -> FinishSignInResponse = |services, request| {
        let (sign_in, request) = (Arc::clone(&services.0.sign_in), request.into_inner());
        let finished = background::in_own_task(async move { sign_in.finish(request).await });
        let (SignedIn { account, token: row, secret }, created) = finished.await?;
        let (player, token) = (Some(player(account)), Some(token(row, "")));
        FinishSignInResponse { player, token, secret, created }
    };
    request sign_in_with_recovery_code(SignInWithRecoveryCodeRequest) ->
        SignInWithRecoveryCodeResponse = |services, request| {
            let (signed_in, left) = services.0.sign_in.recover(&request.into_inner()).await?;
            let SignedIn { account, token: row, secret } = signed_in;
            let (player, token) = (Some(player(account)), Some(token(row, "")));
            SignInWithRecoveryCodeResponse { player, token, secret, codes_left: left as u32 }
        };
    call start_sign_in_method(StartSignInMethodRequest) -> StartSignInMethodResponse =
        |services, caller, request| {
            let Engine { accounts, sign_in, .. } = services.0.clone();
            let started = background::in_own_task(async move {
                let account = accounts.find(&caller.player_id).await?;
                sign_in.start(Some(&account), &caller.player_id, request.choice).await
            });
            StartSignInMethodResponse { attempt: Some(started.await?) }
        };
    call add_sign_in_method(AddSignInMethodRequest) -> AddSignInMethodResponse =
        |services, caller, request| {
            let sign_in = Arc::clone(&services.0.sign_in);
            let added = background::in_own_task(async move {
                sign_in.add(&caller.player_id, request).await
            });
            AddSignInMethodResponse { method: Some(added.await?) }
        };
    call list_sign_in_methods(ListSignInMethodsRequest) -> ListSignInMethodsResponse =
        |services, caller, _| ways_back(&services.0, &caller.player_id).await?;
    call remove_sign_in_method(RemoveSignInMethodRequest) -> RemoveSignInMethodResponse =
        |services, caller, request| {
            let RemoveSignInMethodRequest { method_id, confirmed } = request;
            services.0.sign_in.remove(&caller.player_id, &method_id, confirmed).await?;
            RemoveSignInMethodResponse {}
        };
    call create_recovery_codes(CreateRecoveryCodesRequest) -> CreateRecoveryCodesResponse =
        |services, caller, _| {
            let codes = services.0.sign_in.create_recovery_codes(&caller.player_id).await?;
            CreateRecoveryCodesResponse { codes }
        };
}
