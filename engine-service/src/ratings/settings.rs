//! Players' settings for their profiles.

use heliopause_proto::store::v1::ProfileSettings;
use heliopause_proto::v1::{ErrorReason, Privacy};
use heliopause_render::text::moment;
use prost_types::Timestamp;

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

    /// Returns whether others cannot search for a player's games.
    pub(crate) async fn hides_games(&self, player_id: &str) -> store::Result<bool> {
        let privacy = self.privacy(player_id).await?;
        Ok(privacy.hide_games || privacy.hide_results)
    }

    pub(crate) async fn set_privacy(&self, player_id: &str, privacy: Privacy) -> Result<()> {
        self.set(player_id, |settings| settings.privacy = Some(privacy)).await
    }

    /// Notes that a player changes their name, and returns the time of the last change. Of two
    /// changes at once, one fails.
    pub(crate) async fn start_rename(&self, player_id: &str) -> Result<Option<Timestamp>> {
        let now = timestamp(self.time.now());
        loop {
            let (found, mut settings) = self.settings(player_id).await?;
            let last = settings.rename_time.replace(now);
            let next = last.map(|last| last.seconds.saturating_add(RENAME_INTERVAL));
            if let Some(seconds) = next.filter(|next| now.seconds < *next) {
                let next = moment(&Timestamp { seconds, nanos: 0 });
                let text = format!("You can change your name once a day, again at {next}.");
                let failure = Failure::new(ErrorReason::QuotaExceeded, text);
                return Err(failure.with("quota", "renames").with("limit", 1));
            }
            let change = changed(SETTINGS, player_id, "", found.as_ref(), &settings);
            if retried(self.store.change_records(vec![change]).await)? {
                return Ok(last);
            }
        }
    }

    /// Takes back the note of a change that was refused.
    pub(crate) async fn undo_rename(&self, player_id: &str, last: Option<Timestamp>) -> Result<()> {
        self.set(player_id, |settings| settings.rename_time = last).await
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
