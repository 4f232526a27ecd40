//! Outgoing notices and notice settings.

use bytes::Bytes;

use super::Millis;

/// A player's notice settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoticeBook {
    /// Starts at 1. Each change increments it.
    pub version: u64,
    pub listens: bool,
    pub body: Bytes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// Copies for different channels have the same id.
    pub id: String,
    pub player_id: String,
    /// Empty until the notice is copied to the player's channels.
    pub channel_id: String,
    /// The time to send the notice, or the time at which a sender's claim to it expires.
    pub due: Millis,
    pub attempts: u32,
    pub body: Bytes,
}
