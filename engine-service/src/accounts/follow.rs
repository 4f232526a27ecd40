//! A background task that follows account changes by other processes on the same store. Their bans
//! and revocations thus take effect in this process.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, sleep_until};

use super::Accounts;
use crate::store::shared::Hint;
use crate::store::{Shared, StoreError};

const CHECK_INTERVAL: Duration = Duration::from_secs(10);
const CHECK_INTERVAL_WITHOUT_HINTS: Duration = Duration::from_secs(2);

impl Accounts {
    pub fn follow(self: &Arc<Self>) {
        let Some(shared) = self.store.shared() else { return };
        let mut hints = shared.hints();
        let accounts = Arc::downgrade(self);
        tokio::spawn(async move {
            let mut next = Instant::now();
            loop {
                tokio::select! {
                    hint = hints.recv() => match hint {
                        Ok(Hint::Game(..) | Hint::Workers | Hint::Chat(_)) => continue,
                        Ok(Hint::Accounts | Hint::Everything) | Err(RecvError::Lagged(_)) => {
                            let Some(accounts) = accounts.upgrade() else { return };
                            accounts.known.invalidate_all();
                        }
                        Err(RecvError::Closed) => return,
                    },
                    () = sleep_until(next) => {}
                }
                let Some(accounts) = accounts.upgrade() else { return };
                if let Err(error) = accounts.check_watched().await {
                    tracing::debug!(%error, "the tokens of open streams cannot be checked");
                }
                let receives_hints = accounts.store.shared().is_some_and(Shared::receives_hints);
                next = Instant::now()
                    + if receives_hints { CHECK_INTERVAL } else { CHECK_INTERVAL_WITHOUT_HINTS };
            }
        });
    }

    async fn check_watched(&self) -> Result<(), StoreError> {
        let watched = self.sessions.watched();
        let Some(shared) = self.store.shared().filter(|_| !watched.is_empty()) else {
            return Ok(());
        };
        let valid = shared
            .valid(watched.iter().map(|(token_id, _)| token_id.to_string()).collect())
            .await?;
        let valid: HashMap<String, i32> = valid.into_iter().collect();
        let changed = watched
            .iter()
            .filter(|(token_id, role)| valid.get(&**token_id) != Some(&i32::from(*role)));
        self.sessions.cut(changed.map(|(token_id, _)| token_id.as_ref()));
        Ok(())
    }
}
