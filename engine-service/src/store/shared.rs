//! What several processes on one store need of it, besides what every store does.
//!
//! The journal is the truth. Hints only make it quick: they may be lost, doubled or late, and
//! everything that they wake is looked at from time to time without them.

use std::time::Duration;

use tokio::sync::{broadcast, watch};

use super::{Answer, End, Millis, StoreError};

/// What may have changed by another process's doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// A game's journal: it has this entry now.
    Game(String, u64),
    /// An account, or its tokens.
    Accounts,
    /// What workers play.
    Workers,
    /// Anything: hints may have been lost.
    Everything,
}

/// An open decision of a seat, or a vote in which it has a voice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenDecision {
    pub game_id: String,
    /// The seat, from 1.
    pub seat: u32,
    /// The seat's own phase.
    pub phase: u64,
    pub revision: u64,
    /// The vote's number; 0 for a decision. Then phase and revision are 0.
    pub vote: u64,
}

/// Something that is played: a profile of a kind of game at a level.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Profile {
    /// The kind of game.
    pub kind: String,
    /// The profile's name.
    pub name: String,
    pub level: String,
}

/// A token that is valid, and the role of its account, as in the contract's `AccountRole`.
pub type ValidToken = (String, i32);

/// A store that several processes share. Times are told by the store's clock, so theirs may differ.
pub trait Shared: Send + Sync {
    /// What other processes say that they changed, from now on.
    fn hints(&self) -> broadcast::Receiver<Hint>;

    /// Gives other processes a hint. What the store itself changes it tells by itself.
    fn tell(&self, hint: Hint);

    /// Whether hints are being heard; if not, everything must be looked at more often.
    fn hears(&self) -> bool;

    /// Whether the store answers, and if not, why. It is asked all the time.
    fn available(&self) -> watch::Receiver<Result<(), String>>;

    /// Whether the store answered when it was asked last.
    fn is_available(&self) -> bool {
        self.available().borrow().is_ok()
    }

    /// Fails at once if the store did not answer when it was asked last.
    fn require_available(&self) -> Result<(), StoreError> {
        self.available().borrow().clone().map_err(StoreError::Unavailable)
    }

    /// What time it is by the store's clock.
    fn time(&self) -> Answer<'_, Millis>;

    /// The end of a game's journal. `NotFound` if there is no game.
    fn head(&self, game_id: &str) -> Answer<'_, End>;

    /// The ends of the journals of these games, and of the running games of these players. What is
    /// missing is gone.
    fn heads(&self, games: Vec<String>, players: Vec<String>) -> Answer<'_, Vec<(String, End)>>;

    /// The same of those of these games that one of these players is in, whether they have ended or
    /// not.
    fn heads_among(
        &self,
        games: Vec<String>,
        players: Vec<String>,
    ) -> Answer<'_, Vec<(String, End)>>;

    /// Claims what falls due in games for a while: answers the games that nobody else has claimed
    /// for the same time.
    fn claim(&self, due: Vec<(String, Millis)>, lasting: Duration) -> Answer<'_, Vec<String>>;

    /// Leases different decisions and votes for a while. Answers, in their order, a fencing number
    /// that is higher than every one before, or `None` for a decision that somebody else has leased
    /// or that is older than one that was leased.
    fn lease(
        &self,
        decisions: Vec<OpenDecision>,
        lasting: Duration,
    ) -> Answer<'_, Vec<Option<u64>>>;

    /// Prolongs leases that are still in force; answers those.
    fn renew(&self, fences: Vec<u64>, lasting: Duration) -> Answer<'_, Vec<u64>>;

    /// Ends leases before their time.
    fn give_back(&self, fences: Vec<u64>) -> Answer<'_, ()>;

    /// Removes all leases of a game: its journal went back, and they may be of later decisions.
    fn forget_leases(&self, game_id: &str) -> Answer<'_, ()>;

    /// Says for a while what this process's workers play, in place of what it said before; answers
    /// what those of other processes play.
    fn announce(&self, profiles: Vec<Profile>, lasting: Duration) -> Answer<'_, Vec<Profile>>;

    /// Says for a while how this process is, in place of what it said before; answers what others
    /// say.
    fn report(&self, record: Vec<u8>, lasting: Duration) -> Answer<'_, Vec<Vec<u8>>>;

    /// Which of these tokens are valid: not revoked, and their account not banned.
    fn valid(&self, token_ids: Vec<String>) -> Answer<'_, Vec<ValidToken>>;
}
