//! Blocking of invitations from other players.

use heliopause_proto::v1::ErrorReason;

use super::{Accounts, INVITATIONS_TO_ONE_MAX};
use crate::failure::{Failure, Result, over_quota};
use crate::store::{Account, QuotaKind};

const BLOCKED_MAX: usize = 200;

impl Accounts {
    pub async fn set_blocked(&self, player_id: &str, other: &str, blocked: bool) -> Result<()> {
        let other = self.find(other).await?.player_id;
        if other == player_id {
            return Err(Failure::field("player", "You cannot block or unblock yourself."));
        }
        let already = self.store.blocked_by(player_id).await?;
        if blocked && already.len() >= BLOCKED_MAX && !already.contains(&other) {
            let message = format!(
                "You have blocked {BLOCKED_MAX} players, which is the limit; unblock one first."
            );
            let failure = Failure::new(ErrorReason::QuotaExceeded, message);
            return Err(failure.with("quota", "blocked").with("limit", BLOCKED_MAX));
        }
        Ok(self.store.put_block(player_id, &other, blocked).await?)
    }

    pub async fn blocked_by(&self, player_id: &str) -> Result<Vec<Account>> {
        let mut accounts = Vec::new();
        for other in self.store.blocked_by(player_id).await? {
            accounts.extend(self.find_named(&other).await?);
        }
        Ok(accounts)
    }

    /// Fails if `player_id` has blocked `from`. The error is the one for too many invitations, to
    /// hide the block.
    pub async fn check_takes_invitations(&self, player_id: &str, from: &str) -> Result<()> {
        if self.store.blocked_by(player_id).await?.iter().any(|blocked| blocked == from) {
            return Err(over_quota(QuotaKind::Received, INVITATIONS_TO_ONE_MAX).into());
        }
        Ok(())
    }
}
