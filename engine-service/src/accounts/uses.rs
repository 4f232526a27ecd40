//! The last use of each token, which its owner can see.

use std::sync::{Arc, Mutex, PoisonError};

use heliopause_proto::store::v1::TokenUse;
use prost::Message as _;

use super::Accounts;
use crate::background;
use crate::bounded::Generations;
use crate::caller::Caller;
use crate::failure::Result;
use crate::host::timestamp;
use crate::store::{Record, RecordChange, RecordQuery, StoreError, TokenRow};
use crate::time::Moment;

const SPACE: &str = "token-use";
/// The interval at which a use is noted, in milliseconds. Notes of every call would be many writes.
const NOTED_EVERY: i64 = 60 * 60 * 1_000;
const TOKENS: usize = 10_000;
const AGENT_CHARS: usize = 64;
const LISTED_MAX: usize = 200;

/// When this process noted the use of a token.
pub(super) struct NotedUses(Mutex<Generations<Arc<str>, Moment>>);

impl Default for NotedUses {
    fn default() -> Self {
        Self(Mutex::new(Generations::new(TOKENS)))
    }
}

impl NotedUses {
    fn is_due(&self, token_id: &Arc<str>, now: Moment) -> bool {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = noted.get_mut(token_id).is_none_or(|at| now - *at >= NOTED_EVERY);
        if is_due {
            noted.insert(Arc::clone(token_id), now);
        }
        is_due
    }
}

impl Accounts {
    /// Notes that a token is used, at most once an hour, without delaying the call.
    pub(crate) fn note_use(self: &Arc<Self>, caller: &Caller, agent: &str) {
        if !self.uses.is_due(&caller.token_id, self.time.moment()) {
            return;
        }
        let visible = |letter: &char| !letter.is_control();
        let agent = agent.chars().filter(visible).take(AGENT_CHARS).collect();
        let (accounts, caller) = (Arc::clone(self), caller.clone());
        background::spawn(async move {
            if let Err(error) = accounts.write_use(&caller, agent).await {
                tracing::debug!(%error, "the use of a token could not be noted");
            }
        });
    }

    async fn write_use(&self, caller: &Caller, agent: String) -> Result<(), StoreError> {
        let now = self.time.now();
        let time = Some(timestamp(now - now % NOTED_EVERY));
        let body = TokenUse { time, agent }.encode_to_vec();
        let change = match self.store.record(SPACE, &caller.token_id).await? {
            Some(found) => found.with_body(body),
            None => RecordChange::create(SPACE, &caller.token_id, &caller.player_id, body),
        };
        match self.store.change_records(vec![change]).await {
            Err(StoreError::LostRace { .. }) => Ok(()),
            changed => changed,
        }
    }

    /// Returns the last uses of a player's tokens, by token id.
    pub async fn token_uses(&self, player_id: &str) -> Result<Vec<(String, TokenUse)>> {
        let query = RecordQuery::with_key(SPACE, player_id, LISTED_MAX);
        let mut uses = Vec::new();
        for record in self.store.records(query).await? {
            let noted = record.message()?;
            uses.push((record.id, noted));
        }
        Ok(uses)
    }

    /// Removes the notes of revoked tokens.
    pub(super) async fn forget_uses(&self, tokens: &[TokenRow]) -> Result<(), StoreError> {
        let mut removed = Vec::new();
        for token in tokens {
            let found = self.store.record(SPACE, &token.token_id).await?;
            removed.extend(found.map(Record::removed));
        }
        match self.store.change_records(removed).await {
            Err(StoreError::LostRace { .. }) => Ok(()),
            changed => changed,
        }
    }
}
