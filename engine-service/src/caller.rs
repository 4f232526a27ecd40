//! The identity of a caller.

use std::net::IpAddr;
use std::sync::Arc;

use heliopause_proto::v1::AccountRole;

/// The caller of a method. The gate adds the caller to the extensions of a request, except for
/// methods that are open to everyone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    pub player_id: Arc<str>,
    pub name: Arc<str>,
    pub role: AccountRole,
    pub token_id: Arc<str>,
}

/// The network of a client that registers or signs in. The gate adds it to the extensions of such a
/// request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClientNetwork(pub(crate) IpAddr);

impl Caller {
    /// Creates an anonymous spectator. The empty player id does not belong to any account.
    pub(crate) fn anonymous() -> Self {
        let (player_id, name, token_id) = ("".into(), "".into(), "".into());
        Self { player_id, name, role: AccountRole::Unspecified, token_id }
    }
}
