//! Health checks: whether the database responds and is writable.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tokio::sync::watch;

use super::connect::{Pools, with};
use super::with_timeout;
use crate::store::StoreError;

const EVERY: Duration = Duration::from_secs(1);
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);
/// The number of consecutive failed commits after which a health check tests a write.
const FAILURES_MAX: u32 = 3;

/// Checks the database every second until `available` has no receivers. `failures` counts the
/// failed commits since the last successful one.
pub(super) async fn watch_health(
    pools: Pools,
    failures: Arc<AtomicU32>,
    available: watch::Sender<Result<(), String>>,
) {
    loop {
        let answered = with_timeout(ANSWERS_WITHIN, check(&pools, &failures)).await;
        let answered = answered.map_err(|error| match error {
            StoreError::Unavailable(reason) => reason,
            other => other.to_string(),
        });
        let changed = available.send_if_modified(|was| {
            std::mem::replace(was, answered.clone()).is_ok() != answered.is_ok()
        });
        match answered {
            Ok(()) if changed => tracing::info!("the database is available again"),
            Ok(()) => {}
            Err(error) => {
                if changed {
                    tracing::error!(%error, "the database is unavailable");
                }
                pools.disconnect_all();
            }
        }
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = available.closed() => return,
        }
    }
}

async fn check(pools: &Pools, failures: &AtomicU32) -> Result<(), StoreError> {
    if failures.load(Ordering::Relaxed) < FAILURES_MAX {
        return with(&pools.health_checks, |client| {
            Box::pin(async {
                // This detects standbys and servers that are set to read-only.
                let row = client.query_one("SHOW transaction_read_only", &[]).await?;
                let is_writable = row.get::<_, &str>(0) == "off";
                is_writable
                    .then_some(())
                    .ok_or_else(|| StoreError::Unavailable("the database is read-only".to_owned()))
            })
        })
        .await;
    }
    // A server with a full disk still allows reads, so test a write.
    with(&pools.health_checks, |client| {
        Box::pin(async {
            Ok(client.batch_execute("UPDATE heliopause_schema SET version = version").await?)
        })
    })
    .await?;
    failures.store(0, Ordering::Relaxed);
    Ok(())
}
