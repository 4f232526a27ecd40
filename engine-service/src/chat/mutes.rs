//! Players and seats whose lines and messages an account hides from itself.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError};

use bytes::Bytes;
use heliopause_proto::v1::{ErrorReason, MutedPlayer};

use super::Chat;
use crate::bounded::Generations;
use crate::failure::{Failure, Result};
use crate::store::{Millis, Record, RecordChange, RecordQuery};
use crate::time::Moment;

/// The mutes: the account, and a player or a [`seat_key`].
const SPACE: &str = "mute";
const MUTED_MAX: usize = 200;
/// The time after which mutes are read again, because other engines may have changed them.
const CACHE_TIME: Millis = 30_000;
const CACHED: usize = 10_000;

/// The mutes of accounts that read chats on this engine.
pub(super) struct Mutes(Generations<String, (Moment, Arc<HashSet<String>>)>);

impl Default for Mutes {
    fn default() -> Self {
        Self(Generations::new(CACHED))
    }
}

/// Returns the key of a muted seat. No player id contains `#`.
pub(crate) fn seat_key(game_id: &str, seat: u32) -> String {
    format!("{game_id}#{seat}")
}

impl Chat {
    pub(crate) async fn set_muted(&self, player_id: &str, whom: &str, muted: bool) -> Result<()> {
        let id = format!("{player_id} {whom}");
        let change = match self.store.record(SPACE, &id).await? {
            Some(found) if !muted => found.removed(),
            None if muted => RecordChange::create(SPACE, &id, player_id, Bytes::new()),
            _ => return Ok(()),
        };
        if muted && self.mutes(player_id).await?.len() >= MUTED_MAX {
            let message =
                format!("You mute {MUTED_MAX} players, which is the limit; unmute one first.");
            let failure = Failure::new(ErrorReason::QuotaExceeded, message);
            return Err(failure.with("quota", "mutes").with("limit", MUTED_MAX));
        }
        self.accounts.try_change(vec![change]).await?;
        self.cached().0.remove(player_id);
        Ok(())
    }

    fn cached(&self) -> std::sync::MutexGuard<'_, Mutes> {
        self.mutes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn mutes(&self, player_id: &str) -> Result<Vec<Record>> {
        Ok(self.store.records(RecordQuery::with_key(SPACE, player_id, MUTED_MAX)).await?)
    }

    /// Returns the ids of the muted players and the keys of the muted seats.
    pub(crate) async fn muted(&self, player_id: &str) -> Result<Arc<HashSet<String>>> {
        if player_id.is_empty() {
            return Ok(Arc::default());
        }
        let now = self.accounts.time().moment();
        let cached = self.cached().0.get_mut(player_id).cloned();
        if let Some((_, muted)) = cached.filter(|(read, _)| now - *read < CACHE_TIME) {
            return Ok(muted);
        }
        let muted = self.mutes(player_id).await?.into_iter();
        let muted = muted.filter_map(|mute| Some(mute.id.split_once(' ')?.1.to_owned()));
        let muted = Arc::new(muted.collect::<HashSet<_>>());
        self.cached().0.insert(player_id.to_owned(), (now, Arc::clone(&muted)));
        Ok(muted)
    }

    /// Returns the muted players, sorted by name.
    pub(crate) async fn muted_players(&self, player_id: &str) -> Result<Vec<MutedPlayer>> {
        let mut players = Vec::new();
        for mute in self.mutes(player_id).await? {
            let whom = mute.id.split_once(' ').map_or("", |(_, whom)| whom);
            let found = self.accounts.find_named(whom).await?;
            players.extend(
                found.map(|account| MutedPlayer {
                    player_id: account.player_id,
                    name: account.name,
                }),
            );
        }
        players.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(players)
    }

    pub(super) async fn unmute_all(&self, player_id: &str) -> Result<()> {
        self.accounts.remove_all(SPACE, player_id).await
    }
}
