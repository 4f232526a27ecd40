//! The interface for processes that share a store.
//!
//! The journal is authoritative. Hints only reduce latency. They may be lost, duplicated or late,
//! so the processes also poll for changes.

use std::time::Duration;

use tokio::sync::{broadcast, watch};

use super::{Answer, End, Millis, StoreError};

/// A possible change by another process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    Game(String, u64),
    Accounts,
    Workers,
    /// New lines in the chat of a game.
    Chat(String),
    /// Anything may have changed, because hints may have been lost.
    Everything,
}

/// An open decision of a seat, or a vote in which the seat takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenDecision {
    pub game_id: String,
    pub seat: u32,
    pub phase: u64,
    pub revision: u64,
    /// The number of the vote, or 0 for a decision. For a vote, phase and revision are 0.
    pub vote: u64,
}

/// A profile played by a worker, for a kind of game and a level.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Profile {
    pub kind: String,
    pub name: String,
    pub level: String,
}

/// The id of a valid token, and its account's role as a value of the contract's `AccountRole`.
pub type ValidToken = (String, i32);

/// A store shared by several processes. All times are the store's.
pub trait Shared: Send + Sync {
    fn hints(&self) -> broadcast::Receiver<Hint>;

    /// Sends a hint to other processes. The store sends hints about its own changes automatically.
    fn tell(&self, hint: Hint);

    /// Returns whether hints arrive. If not, the caller must poll more often.
    fn receives_hints(&self) -> bool;

    /// Returns the latest result of the continuous health checks. An error states why the store is
    /// unavailable.
    fn available(&self) -> watch::Receiver<Result<(), String>>;

    fn is_available(&self) -> bool {
        self.available().borrow().is_ok()
    }

    fn require_available(&self) -> Result<(), StoreError> {
        self.available().borrow().clone().map_err(StoreError::Unavailable)
    }

    fn time(&self) -> Answer<'_, Millis>;

    fn head(&self, game_id: &str) -> Answer<'_, End>;

    /// Returns the journal ends of the given games, and of the running games of the given players.
    /// Omits missing games.
    fn heads(&self, games: Vec<String>, players: Vec<String>) -> Answer<'_, Vec<(String, End)>>;

    /// Returns the journal ends of those of the given games, running or ended, that have at least
    /// one of the players as a member.
    fn heads_among(
        &self,
        games: Vec<String>,
        players: Vec<String>,
    ) -> Answer<'_, Vec<(String, End)>>;

    /// Claims due games. Returns the games without another valid claim for the same due time.
    fn claim(&self, due: Vec<(String, Millis)>, lasting: Duration) -> Answer<'_, Vec<String>>;

    /// Leases different decisions and votes. Returns a result for each, in the same order: a
    /// fencing number higher than all earlier ones, or `None` if another process has leased the
    /// decision or the seat's lease is for a later decision.
    fn lease(
        &self,
        decisions: Vec<OpenDecision>,
        lasting: Duration,
    ) -> Answer<'_, Vec<Option<u64>>>;

    fn renew(&self, fences: Vec<u64>, lasting: Duration) -> Answer<'_, Vec<u64>>;

    fn give_back(&self, fences: Vec<u64>) -> Answer<'_, ()>;

    /// Removes all leases of a game whose journal may have lost the leased decisions.
    fn forget_leases(&self, game_id: &str) -> Answer<'_, ()>;

    /// Replaces the profiles played by this process's workers. Returns the profiles played in other
    /// processes.
    fn announce(&self, profiles: Vec<Profile>, lasting: Duration) -> Answer<'_, Vec<Profile>>;

    /// Replaces the status record of this process. Returns the records of other processes.
    fn report(&self, record: Vec<u8>, lasting: Duration) -> Answer<'_, Vec<Vec<u8>>>;

    /// Returns those of the given tokens that are not revoked and whose account is not banned.
    fn valid(&self, token_ids: Vec<String>) -> Answer<'_, Vec<ValidToken>>;
}
