//! The gRPC edge, the only module that uses gRPC.
//!
//! **Invariant.** Every service is reached only through the gate, so no service checks tokens,
//! bans, rates or admin rights.

pub mod drain;
pub mod fuzzing;
mod gate;
pub mod limits;
mod listen;
#[cfg(test)]
mod manual;
pub mod serve;
mod services;
mod web;

use std::sync::Arc;

use crate::accounts::Accounts;
use crate::analyses::Analyses;
use crate::caller::Caller;
use crate::channels::Channels;
use crate::chat::Chat;
use crate::config::Watch;
use crate::edge::drain::Drain;
use crate::edge::limits::Limits;
use crate::edge::services::overview::Process;
use crate::failure::Failure;
use crate::host::Host;
use crate::quick_play::QuickPlay;
use crate::ratings::Ratings;
use crate::sign_in::SignIn;
use crate::store::Store;
use crate::tournaments::Tournaments;

#[derive(Clone)]
pub(crate) struct Engine {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) channels: Arc<Channels>,
    pub(crate) chat: Arc<Chat>,
    pub(crate) sign_in: Arc<SignIn>,
    pub(crate) limits: Arc<Limits>,
    pub(crate) host: Arc<Host>,
    pub(crate) ratings: Arc<Ratings>,
    pub(crate) quick_play: Arc<QuickPlay>,
    pub(crate) tournaments: Arc<Tournaments>,
    pub(crate) drain: Drain,
    pub(crate) message_bytes: usize,
    pub(crate) watch: Watch,
    pub(crate) web: bool,
    pub(crate) process: Arc<Process>,
}

impl Engine {
    /// Deletes an account, and lets automation play its seats. `token_id` is the caller's token if
    /// the account deletes itself. It is revoked late, so that the player can repeat a failed
    /// deletion.
    pub(crate) async fn delete_account(
        &self,
        player_id: &str,
        token_id: &str,
    ) -> Result<(), Failure> {
        // Other sessions could write what was already forgotten.
        self.accounts.revoke_others(player_id, token_id).await?;
        self.forget_account(player_id).await?;
        self.accounts.revoke_all(player_id).await?;
        // Calls that had passed the gate may have written since. If this fails, an admin can repeat
        // the deletion.
        self.forget_account(player_id).await
    }

    async fn forget_account(&self, player_id: &str) -> Result<(), Failure> {
        self.quick_play.forget(player_id, &self.host).await?;
        self.host.erase_player(player_id).await?;
        self.channels.forget(player_id).await?;
        Analyses::new(&self.host).delete_all(player_id).await?;
        self.chat.forget(player_id).await?;
        self.accounts.erase(player_id).await?;
        // Ratings of an erased account are hidden, so this must follow the erasure.
        Ok(self.ratings.forget(player_id).await?)
    }
}

/// Returns the caller that the gate has added to a request. Fails if there is none.
pub(crate) fn caller<T>(request: &tonic::Request<T>) -> Result<Caller, Failure> {
    let caller = request.extensions().get::<Caller>().cloned();
    caller.ok_or_else(|| Failure::internal("a call reached its service without passing the gate"))
}
