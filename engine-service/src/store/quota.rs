//! What an account may have at most. It is counted where appends are made one after the other, so
//! no number of calls at once gets past it.

use super::{ENDED_STATUSES, GameRow, StoreError};

/// What an account may have after an append that counts for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quota {
    /// The account: it lays the table, takes a seat, or keeps one for somebody.
    pub player_id: String,
    /// How many games that go on it may host or play in. Sandbox games do not count.
    pub games: u32,
    /// How many of its invitations may be open, in all its games.
    pub sent: u32,
    /// How many of its invitations to the same player may be open.
    pub sent_to_one: u32,
    /// How many invitations of anybody a player may have who is invited.
    pub received: u32,
}

/// That an account would have more than it may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excess {
    /// The account.
    pub player_id: String,
    /// What it has enough of.
    pub of: Counted,
    /// How many it may have.
    pub limit: u32,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Games that go on.
    Games,
    /// Open invitations that it sent.
    Sent,
    /// Open invitations of a player, from this account or from anybody.
    Received,
}

/// What counts in other games than the one that is appended to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// Games that go on, which the account hosts or plays in.
    pub(crate) games: u32,
    /// Its open invitations.
    pub(crate) sent: u32,
    /// For each player whom it invites now: the open invitations from it, and from anybody.
    pub(crate) invited: Vec<(u32, u32)>,
}

impl Quota {
    /// The players whom the account invites in a game, if the game is its own.
    pub(crate) fn invited<'a>(&self, row: &'a GameRow) -> impl Iterator<Item = &'a str> + use<'a> {
        let is_own = row.host == self.player_id && !row.has_ended();
        row.members
            .iter()
            .filter(move |member| is_own && member.invited)
            .map(|member| member.player_id.as_str())
    }

    /// All accounts for which something is counted.
    pub(crate) fn concerned<'a>(&'a self, row: &'a GameRow) -> impl Iterator<Item = &'a str> {
        self.invited(row).chain([self.player_id.as_str()])
    }

    /// Refuses what would make a game too many, or an invitation.
    pub(crate) fn judge(&self, row: &GameRow, tally: &Tally) -> Result<(), StoreError> {
        let over = |of, limit| {
            Err(StoreError::OverQuota(Excess { player_id: self.player_id.clone(), of, limit }))
        };
        if row.counts_for(&self.player_id) && tally.games >= self.games {
            return over(Counted::Games, self.games);
        }
        let invited = self.invited(row).count() as u32;
        if invited > 0 && tally.sent + invited > self.sent {
            return over(Counted::Sent, self.sent);
        }
        if tally
            .invited
            .iter()
            .any(|&(sent, received)| sent >= self.sent_to_one || received >= self.received)
        {
            return over(Counted::Received, self.sent_to_one);
        }
        Ok(())
    }
}

impl GameRow {
    /// Whether the game is over.
    pub(crate) fn has_ended(&self) -> bool {
        ENDED_STATUSES.contains(&self.status)
    }

    /// Whether the game counts for an account: it goes on, and the account hosts it or holds a
    /// seat.
    pub(crate) fn counts_for(&self, player_id: &str) -> bool {
        let plays = || {
            self.members
                .iter()
                .any(|member| member.player_id == player_id && member.seat > 0 && !member.invited)
        };
        !self.has_ended() && !self.sandbox && (self.host == player_id || plays())
    }
}
