//! Notices on their way out of the engine, and what players set about them.

use bytes::Bytes;

use super::Millis;

/// What a player set about their notices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoticeBook {
    /// Grows with each change, from 1.
    pub version: u64,
    /// Whether notices of games are kept for them.
    pub listens: bool,
    /// Channels and muted games, encoded.
    pub body: Bytes,
}

/// A notice on its way to a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// The id: the same for all channels.
    pub id: String,
    pub player_id: String,
    /// By which channel; empty as long as nobody has looked which ones want it.
    pub channel_id: String,
    /// When it is to be sent, or when whoever sends it is given up.
    pub due: Millis,
    /// How often that failed.
    pub attempts: u32,
    /// What it tells, encoded.
    pub body: Bytes,
}
