//! Players who cannot write for a time, by decision of an operator.

use heliopause_proto::store::v1::Silence;
use heliopause_proto::v1::ErrorReason;
use heliopause_render::text::moment;
use prost::Message as _;

use super::Chat;
use crate::accounts::counters::expiry;
use crate::failure::{Failure, Result};
use crate::host::timestamp;
use crate::store::{Millis, RecordChange, StoreError};

/// The silences by player. The key is the end.
const SPACE: &str = "silence";

impl Chat {
    /// Checks that no operator has silenced an account.
    pub(crate) async fn check_may_write(&self, player_id: &str) -> Result<()> {
        let Some((until, why)) = self.silence_of(player_id).await? else { return Ok(()) };
        let end = jiff::Timestamp::from_millisecond(until).unwrap_or_default();
        let because = if why.is_empty() { String::new() } else { format!(": {why}") };
        let shown = moment(&timestamp(until));
        let text = format!("An operator has silenced you until {shown}{because}.");
        Err(Failure::new(ErrorReason::Silenced, text).with("end_time", format!("{end:.0}")))
    }

    /// Returns the end and the reason of an account's silence.
    pub(crate) async fn silence_of(&self, player_id: &str) -> Result<Option<(Millis, String)>> {
        let Some(found) = self.store.record(SPACE, player_id).await? else { return Ok(None) };
        let Silence { until, why } = found.message()?;
        let until = until.map_or(0, |until| {
            until.seconds.saturating_mul(1_000).saturating_add(i64::from(until.nanos / 1_000_000))
        });
        Ok((until > self.now()).then_some((until, why)))
    }

    /// Silences an account for a time. Returns the end.
    pub(crate) async fn silence(
        &self,
        player_id: &str,
        duration: Millis,
        why: &str,
    ) -> Result<Millis> {
        self.accounts.forget_expired(SPACE).await?;
        let until = self.now().saturating_add(duration);
        let body = Silence { until: Some(timestamp(until)), why: why.to_owned() }.encode_to_vec();
        loop {
            let found = self.store.record(SPACE, player_id).await?;
            let expected = found.map_or(0, |found| found.version);
            let create = RecordChange::create(SPACE, player_id, &expiry(until), body.clone());
            match self.store.change_records(vec![RecordChange { expected, ..create }]).await {
                Err(StoreError::LostRace { .. }) => {}
                changed => {
                    changed?;
                    return Ok(until);
                }
            }
        }
    }

    /// Lets an account write again.
    pub(crate) async fn end_silence(&self, player_id: &str) -> Result<()> {
        loop {
            let Some(found) = self.store.record(SPACE, player_id).await? else { return Ok(()) };
            match self.store.change_records(vec![found.removed()]).await {
                Err(StoreError::LostRace { .. }) => {}
                changed => return Ok(changed?),
            }
        }
    }
}
