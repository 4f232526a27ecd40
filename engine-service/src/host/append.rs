//! Making steps durable. A shared store may go away just then; the engine finds out the result of
//! an append before it tells anybody.

use std::time::Duration;

use bytes::Bytes;
use heliopause_table::rehearsal::{Planted, bound, mark, on};
use heliopause_table::{Listing, Table, Taken};
use tokio::time::{Instant, sleep};

use super::Host;
use super::live::end_of;
use crate::store::{Append, End, GameRow, Member, StoreError, Tags};

/// A snapshot is kept every so many entries.
const SNAPSHOT_EVERY: u64 = bound(256, 16) as u64;
/// How long, and how often, to ask again for the result of an append.
const PATIENCE: Duration = Duration::from_secs(6);
const AGAIN: Duration = Duration::from_millis(100);

impl Host {
    /// Appends. While a shared store does not give the result, the very same append is repeated. If
    /// an earlier attempt got through, maybe only now, the later ones lose against it, and the
    /// journal holds these very bytes. `Unavailable` means that the result is unknown: the append
    /// is in the journal once or not at all.
    pub(super) async fn append(&self, append: Append) -> Result<(), StoreError> {
        if self.store.shared().is_none() {
            let leaves = !append.notices.is_empty();
            let done = self.store.append(append).await;
            if leaves {
                self.leaving.notify_one();
            }
            return done;
        }
        let begun = Instant::now();
        // An attempt may have got through. Until then whoever comes first is another, even with the
        // very same words.
        let mut is_unsure = false;
        loop {
            let done = match self.store.append(append.clone()).await {
                Err(lost @ StoreError::LostRace { .. })
                    if is_unsure && !on(Planted::LostToItself) =>
                {
                    match self.holds(&append).await {
                        Ok(true) => {
                            mark("an append was done though its answer was lost");
                            Ok(())
                        }
                        Ok(false) => Err(lost),
                        Err(error) => Err(error),
                    }
                }
                done => done,
            };
            match done {
                Err(StoreError::Unavailable(_)) if on(Planted::UnknownIsDone) => return Ok(()),
                Err(StoreError::Unavailable(why)) if begun.elapsed() < PATIENCE => {
                    tracing::debug!(
                        game_id = append.row.game_id,
                        why,
                        "what came of an append is not known; asking again"
                    );
                    metrics::counter!("heliopause_appends_repeated_total", "why" => "its end was \
                        not known")
                    .increment(1);
                    is_unsure = true;
                    sleep(AGAIN).await;
                }
                done => {
                    if matches!(done, Err(StoreError::Unavailable(_))) {
                        mark("what came of an append stayed unknown");
                    }
                    if !append.notices.is_empty() {
                        self.leaving.notify_one();
                    }
                    return done;
                }
            }
        }
    }

    /// Whether the journal holds the entries of an append.
    async fn holds(&self, append: &Append) -> Result<bool, StoreError> {
        let count = append.entries.len();
        let there =
            self.store.entries(&append.row.game_id, append.expected, count, usize::MAX).await?;
        Ok(there == append.entries)
    }
}

/// The data for the store to make durable.
pub(crate) fn append_of(
    table: &Table,
    row: GameRow,
    End { last: expected, tag: before }: End,
    secret: Option<[u8; 32]>,
    taken: &[Taken],
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
    assert_eq!(secret.is_some(), expected == 0, "the first append of a game brings its secret");
    let crosses = table.entry() / SNAPSHOT_EVERY != expected / SNAPSHOT_EVERY;
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
    let members = listing.members.into_iter().map(|member| Member {
        player_id: member.player_id,
        seat: member.seat,
        invited: member.invited,
        your_decision: member.your_decision,
        deadline: member.deadline,
    });
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
        due: listing.due.filter(|_| !on(Planted::DueNotKept)),
        wants_automation: listing.wants_automation && !on(Planted::WantNotKept),
        progress: listing.progress,
        host: listing.host,
        asleep_since: listing.asleep_since,
        members: members.collect(),
    }
}
