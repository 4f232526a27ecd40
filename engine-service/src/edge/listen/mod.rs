//! Listening sockets, and the connections that they accept.

pub(crate) mod certificate;
pub(crate) mod connections;
pub(crate) mod protocols;
pub(crate) mod proxies;
pub(crate) mod sockets;
pub(crate) mod tls;
