//! Whether the database answers.

use std::time::Duration;

use deadpool_postgres::Pool;
use tokio::sync::watch;

use super::in_time;
use crate::store::StoreError;

/// How often it is asked, and how long it may take.
const EVERY: Duration = Duration::from_secs(1);
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);

/// Asks for ever; stops when nobody wants to know.
pub(super) async fn feel(pool: Pool, available: watch::Sender<bool>) {
    loop {
        let answered = in_time(ANSWERS_WITHIN, async {
            pool.get().await?.simple_query("").await?;
            Ok::<_, StoreError>(())
        });
        let answered = answered.await;
        let is_there = answered.is_ok();
        let changed = available.send_if_modified(|was| std::mem::replace(was, is_there) != is_there);
        match answered {
            Ok(()) if changed => tracing::info!("the database answers again"),
            Ok(()) => {}
            Err(error) => {
                if changed {
                    tracing::error!(%error, "the database does not answer");
                }
                // What is connected may be connected to nothing.
                pool.retain(|_, _| false);
            }
        }
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = available.closed() => return,
        }
    }
}
