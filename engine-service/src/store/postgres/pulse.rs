//! Whether the database answers, and can be written.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tokio::sync::watch;

use super::connect::{Pools, with};
use super::in_time;
use crate::store::StoreError;

/// How often it is asked, and how long it may take.
const EVERY: Duration = Duration::from_secs(1);
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);
/// After so many commits that failed one after the other the database is not believed before it was
/// written to.
const FAILURES_MAX: u32 = 3;

/// Asks for ever; stops when nobody wants to know. `failures` is how many commits failed since the
/// last one that did not.
pub(super) async fn feel(
    pools: Pools,
    failures: Arc<AtomicU32>,
    available: watch::Sender<Result<(), String>>,
) {
    loop {
        let answered = in_time(ANSWERS_WITHIN, ask(&pools, &failures)).await;
        let answered = answered.map_err(|error| match error {
            StoreError::Unavailable(reason) => reason,
            other => other.to_string(),
        });
        let changed = available.send_if_modified(|was| {
            std::mem::replace(was, answered.clone()).is_ok() != answered.is_ok()
        });
        match answered {
            Ok(()) if changed => tracing::info!("the database is there again"),
            Ok(()) => {}
            Err(error) => {
                if changed {
                    tracing::error!(%error, "the database is away");
                }
                pools.start_anew();
            }
        }
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = available.closed() => return,
        }
    }
}

async fn ask(pools: &Pools, failures: &AtomicU32) -> Result<(), StoreError> {
    if failures.load(Ordering::Relaxed) < FAILURES_MAX {
        return with(&pools.signs, |client| {
            Box::pin(async {
                // A standby, or a machine that somebody forbade to write.
                let row = client.query_one("SHOW transaction_read_only", &[]).await?;
                let is_writable = row.get::<_, &str>(0) == "off";
                is_writable
                    .then_some(())
                    .ok_or_else(|| StoreError::Unavailable("it can only be read".to_owned()))
            })
        })
        .await;
    }
    // A disk that is full lets everybody read.
    with(&pools.signs, |client| {
        Box::pin(async {
            Ok(client.batch_execute("UPDATE heliopause_schema SET version = version").await?)
        })
    })
    .await?;
    failures.store(0, Ordering::Relaxed);
    Ok(())
}
