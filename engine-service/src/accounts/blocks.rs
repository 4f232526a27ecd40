//! Blocking of invitations from other players.

use bytes::Bytes;
use heliopause_proto::v1::ErrorReason;

use super::{Accounts, INVITATIONS_TO_ONE_MAX};
use crate::failure::{Failure, Result, over_quota};
use crate::store::{Account, QuotaKind, Record, RecordChange, RecordQuery, StoreError};

const SPACE: &str = "block";

const BLOCKED_MAX: usize = 200;

impl Accounts {
    pub async fn set_blocked(&self, player_id: &str, other: &str, blocked: bool) -> Result<()> {
        let other = self.find(other).await?.player_id;
        if other == player_id {
            return Err(Failure::field("player", "You cannot block or unblock yourself."));
        }
        let id = format!("{player_id} {other}");
        let change = match self.store.record(SPACE, &id).await? {
            Some(found) if !blocked => found.removed(),
            None if blocked => RecordChange::create(SPACE, &id, player_id, Bytes::new()),
            _ => return Ok(()),
        };
        if blocked && self.blocks(player_id).await?.len() >= BLOCKED_MAX {
            let message = format!(
                "You have blocked {BLOCKED_MAX} players, which is the limit; unblock one first."
            );
            let failure = Failure::new(ErrorReason::QuotaExceeded, message);
            return Err(failure.with("quota", "blocked").with("limit", BLOCKED_MAX));
        }
        match self.store.change_records(vec![change]).await {
            // Another call has done the same.
            Err(StoreError::LostRace { .. }) => Ok(()),
            changed => Ok(changed?),
        }
    }

    pub(super) async fn unblock_all(&self, player_id: &str) -> Result<()> {
        self.remove_all(SPACE, player_id).await
    }

    async fn blocks(&self, player_id: &str) -> Result<Vec<Record>> {
        Ok(self.store.records(RecordQuery::with_key(SPACE, player_id, BLOCKED_MAX)).await?)
    }

    pub async fn blocked_by(&self, player_id: &str) -> Result<Vec<Account>> {
        let mut accounts = Vec::new();
        for block in self.blocks(player_id).await? {
            let other = block.id.split_once(' ').map_or("", |(_, other)| other);
            accounts.extend(self.find_named(other).await?);
        }
        Ok(accounts)
    }

    /// Fails if `player_id` has blocked `from`. The error is the one for too many invitations, to
    /// hide the block.
    pub async fn check_takes_invitations(&self, player_id: &str, from: &str) -> Result<()> {
        if self.has_blocked(player_id, from).await? {
            return Err(over_quota(QuotaKind::Received, INVITATIONS_TO_ONE_MAX).into());
        }
        Ok(())
    }

    pub(crate) async fn has_blocked(&self, player_id: &str, other: &str) -> Result<bool> {
        Ok(self.store.record(SPACE, &format!("{player_id} {other}")).await?.is_some())
    }
}
