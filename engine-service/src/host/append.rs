//! Durable appends of steps. Nothing is published while the result of an append is unknown.
//!
//! While the store is unavailable, reads are served from memory and steps are rejected.

use std::time::Duration;

use bytes::Bytes;
use heliopause_table::{AppliedStep, Listing, Table};
use tokio::time::{Instant, sleep};

use super::live::end_of;
use super::{Host, RARE};
use crate::store::{Append, End, GameRow, Result, StoreError, Tags};

const RETRY_FOR: Duration = Duration::from_secs(6);
const RETRY_AFTER: Duration = Duration::from_millis(100);

impl Host {
    /// Appends steps. Retries with identical bytes for up to [`RETRY_FOR`] while a shared store
    /// returns no result. If a retry loses the race against its own earlier attempt, the journal
    /// contains these bytes. `Unavailable` means that the result is still unknown.
    pub(super) async fn append(&self, append: Append) -> Result<()> {
        if self.store.shared().is_none() {
            let leaves = !append.notices.is_empty();
            let done = self.store.append(append).await;
            if leaves {
                self.leaving.notify_one();
            }
            return done;
        }
        let begun = Instant::now();
        // Whether an earlier attempt may have succeeded. If not, the winner of a race is a
        // different append, even with identical bytes.
        let mut is_unsure = false;
        loop {
            let done = match self.store.append(append.clone()).await {
                Err(lost @ StoreError::LostRace { .. }) if is_unsure => {
                    match self.holds(&append).await {
                        Ok(true) => {
                            tracing::trace!(target: RARE, "a lost append had succeeded");
                            Ok(())
                        }
                        Ok(false) => Err(lost),
                        Err(error) => Err(error),
                    }
                }
                done => done,
            };
            match done {
                Err(StoreError::Unavailable(why)) if begun.elapsed() < RETRY_FOR => {
                    tracing::debug!(
                        game_id = append.row.game_id,
                        why,
                        "the result of an append is unknown; retrying"
                    );
                    metrics::counter!("heliopause_appends_repeated_total", "why" => "its end was \
                        not known")
                    .increment(1);
                    is_unsure = true;
                    sleep(RETRY_AFTER).await;
                }
                done => {
                    if matches!(done, Err(StoreError::Unavailable(_))) {
                        tracing::trace!(target: RARE, "the result of an append stayed unknown");
                    }
                    if !append.notices.is_empty() {
                        self.leaving.notify_one();
                    }
                    return done;
                }
            }
        }
    }

    async fn holds(&self, append: &Append) -> Result<bool> {
        let count = append.entries.len();
        let there =
            self.store.entries(&append.row.game_id, append.expected, count, usize::MAX).await?;
        Ok(there == append.entries)
    }
}

pub(crate) fn append_of(
    table: &Table,
    row: GameRow,
    End { last: expected, tag: before }: End,
    secret: Option<[u8; 32]>,
    taken: &[AppliedStep],
    snapshot_every: u64,
) -> Append {
    assert_eq!(
        table.entry(),
        expected + taken.len() as u64,
        "the steps of an append lead from the journal's end to the table's"
    );
    debug_assert!(
        taken.iter().zip(expected + 1..).all(|(taken, number)| taken.entry.number == number),
        "the numbers of entries are consecutive"
    );
    assert_eq!(
        secret.is_some(),
        expected == 0,
        "only the first append of a game contains its secret"
    );
    let crosses = table.entry() / snapshot_every != expected / snapshot_every;
    Append {
        expected,
        entries: taken.iter().map(|taken| taken.stored.clone()).collect(),
        row,
        secret,
        snapshot: crosses.then(|| Bytes::from(table.snapshot())),
        ratings: taken.iter().flat_map(|taken| taken.ratings.iter().cloned()).collect(),
        quotas: Vec::new(),
        notices: Vec::new(),
        tags: Tags { before, after: end_of(table).tag },
    }
}

pub(crate) fn row_of(listing: Listing) -> GameRow {
    GameRow {
        game_id: listing.game_id,
        kind: listing.kind.to_owned(),
        name: listing.name,
        status: listing.status.into(),
        private: listing.private,
        sandbox: listing.sandbox,
        seats: listing.seats,
        open_seats: listing.open_seats,
        created: listing.created,
        due: listing.due,
        wants_automation: listing.wants_automation,
        progress: listing.progress,
        host: listing.host,
        asleep_since: listing.asleep_since,
        ended: listing.ended,
        rated: listing.rated,
        names_hidden: listing.names_hidden,
        members: listing.members,
    }
}
