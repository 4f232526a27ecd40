//! Players' settings for their profiles.

use heliopause_proto::store::v1::ProfileSettings;
use heliopause_proto::v1::{ErrorReason, Privacy};

use super::{Ratings, changed, read, retried};
use crate::failure::{Failure, Result};
use crate::host::timestamp;
use crate::store::{self, Record};

const SETTINGS: &str = "profile";
const RENAME_INTERVAL: i64 = 24 * 60 * 60;

impl Ratings {
    pub(super) async fn settings(
        &self,
        player_id: &str,
    ) -> store::Result<(Option<Record>, ProfileSettings)> {
        read(&*self.store, SETTINGS, player_id).await
    }

    pub(crate) async fn privacy(&self, player_id: &str) -> store::Result<Privacy> {
        Ok(self.settings(player_id).await?.1.privacy.unwrap_or_default())
    }

    pub(crate) async fn set_privacy(&self, player_id: &str, privacy: Privacy) -> Result<()> {
        self.set(player_id, |settings| settings.privacy = Some(privacy)).await
    }

    /// Fails if a player has changed their name in the last day.
    pub(crate) async fn check_rename(&self, player_id: &str) -> Result<()> {
        let last = self.settings(player_id).await?.1.rename_time;
        let now = timestamp(self.time.now()).seconds;
        if last.is_none_or(|last| now.saturating_sub(last.seconds) >= RENAME_INTERVAL) {
            return Ok(());
        }
        let text = "You can change your name once a day; try again later.";
        let failure = Failure::new(ErrorReason::QuotaExceeded, text);
        Err(failure.with("quota", "renames").with("limit", 1))
    }

    pub(crate) async fn note_rename(&self, player_id: &str) -> Result<()> {
        let now = timestamp(self.time.now());
        self.set(player_id, |settings| settings.rename_time = Some(now)).await
    }

    async fn set(&self, player_id: &str, change: impl Fn(&mut ProfileSettings)) -> Result<()> {
        loop {
            let (found, mut settings) = self.settings(player_id).await?;
            change(&mut settings);
            let change = changed(SETTINGS, player_id, "", found.as_ref(), &settings);
            if retried(self.store.change_records(vec![change]).await)? {
                return Ok(());
            }
        }
    }
}
