//! The gRPC edge: authentication, limits, errors and services. The only module that knows of gRPC.

pub mod errors;

use std::sync::Arc;

/// Who makes a call. The authentication layer puts it into every request's extensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The player's id.
    pub player_id: Arc<str>,
    /// The player's name.
    pub name: Arc<str>,
    /// What the account may do.
    pub role: heliopause_proto::v1::AccountRole,
    /// The token that the call was made with.
    pub token_id: Arc<str>,
}
