//! Quotas of accounts. Usage is counted where appends are serialized, so concurrent calls cannot
//! exceed a quota.

use super::{ENDED_STATUSES, GameRow, StoreError};

/// Limits on an account's usage after an append that counts towards them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quota {
    /// The account that creates the game, takes a seat, or reserves a seat for another player.
    pub player_id: String,
    /// Limit on running games that the account hosts or plays in, excluding sandbox games.
    pub games: u32,
    /// Limit on open invitations from the account, in all its games.
    pub sent: u32,
    /// Limit on open invitations from the account to the same player.
    pub sent_to_one: u32,
    /// Limit on open invitations to an invited player, from all accounts.
    pub received: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuotaViolation {
    pub player_id: String,
    pub of: QuotaKind,
    pub limit: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuotaKind {
    Games,
    Sent,
    /// Open invitations to one player, either from this account or from all accounts.
    Received,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Usage {
    pub(crate) games: u32,
    pub(crate) sent: u32,
    /// Open invitations from this account, and from all accounts, to each invited player.
    pub(crate) invited: Vec<(u32, u32)>,
}

impl Quota {
    pub(crate) fn invited<'a>(&self, row: &'a GameRow) -> impl Iterator<Item = &'a str> + use<'a> {
        let is_own = row.host == self.player_id && !row.has_ended();
        row.members
            .iter()
            .filter(move |member| is_own && member.invited)
            .map(|member| member.player_id.as_str())
    }

    pub(crate) fn counted_accounts<'a>(
        &'a self,
        row: &'a GameRow,
    ) -> impl Iterator<Item = &'a str> {
        self.invited(row).chain([self.player_id.as_str()])
    }

    pub(crate) fn judge(&self, row: &GameRow, usage: &Usage) -> Result<(), StoreError> {
        let over = |of, limit| {
            Err(StoreError::OverQuota(QuotaViolation {
                player_id: self.player_id.clone(),
                of,
                limit,
            }))
        };
        if row.counts_for(&self.player_id) && usage.games >= self.games {
            return over(QuotaKind::Games, self.games);
        }
        let invited = self.invited(row).count() as u32;
        if invited > 0 && usage.sent + invited > self.sent {
            return over(QuotaKind::Sent, self.sent);
        }
        if usage
            .invited
            .iter()
            .any(|&(sent, received)| sent >= self.sent_to_one || received >= self.received)
        {
            return over(QuotaKind::Received, self.sent_to_one);
        }
        Ok(())
    }
}

impl GameRow {
    pub(crate) fn has_ended(&self) -> bool {
        ENDED_STATUSES.contains(&self.status)
    }

    pub(crate) fn counts_for(&self, player_id: &str) -> bool {
        let plays = || {
            self.members
                .iter()
                .any(|member| member.player_id == player_id && member.seat > 0 && !member.invited)
        };
        !self.has_ended() && !self.sandbox && (self.host == player_id || plays())
    }
}
