//! Who takes no invitations from whom.

use heliopause_proto::v1::ErrorReason;

use super::{Accounts, INVITATIONS_TO_ONE_MAX};
use crate::edge::errors::Failure;
use crate::host::over_quota;
use crate::store::{Account, Counted};

/// How many others a player may block.
const BLOCKED_MAX: usize = 200;

impl Accounts {
    /// A player takes no invitations from another, or does again. Who is blocked already stays so.
    pub async fn set_blocked(
        &self,
        player_id: &str,
        other: &str,
        blocked: bool,
    ) -> Result<(), Failure> {
        let other = self.find(other).await?.player_id;
        if other == player_id {
            return Err(Failure::field("player", "this is you"));
        }
        let already = self.store.blocked_by(player_id).await?;
        if blocked && already.len() >= BLOCKED_MAX && !already.contains(&other) {
            let message = format!("you have blocked {BLOCKED_MAX} players; unblock one first");
            let failure = Failure::new(ErrorReason::QuotaExceeded, message);
            return Err(failure.with("quota", "blocked").with("limit", BLOCKED_MAX));
        }
        Ok(self.store.put_block(player_id, &other, blocked).await?)
    }

    /// Whom a player has blocked. Accounts that are gone are left out.
    pub async fn blocked_by(&self, player_id: &str) -> Result<Vec<Account>, Failure> {
        let mut accounts = Vec::new();
        for other in self.store.blocked_by(player_id).await? {
            accounts.extend(
                self.store.account(&other).await.ok().filter(|account| !account.name.is_empty()),
            );
        }
        Ok(accounts)
    }

    /// Refuses whoever is blocked, as if the other had too many invitations: they are not to know.
    pub async fn check_takes_invitations(
        &self,
        player_id: &str,
        from: &str,
    ) -> Result<(), Failure> {
        if self.store.blocked_by(player_id).await?.iter().any(|blocked| blocked == from) {
            return Err(over_quota(Counted::Received, INVITATIONS_TO_ONE_MAX).into());
        }
        Ok(())
    }
}
