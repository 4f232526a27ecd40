//! Ratings and statistics of finished games.
//!
//! **Invariant.** The records are a function of the finished games in the store. A job takes the
//! games in the order of their end, then by id, and adds each to the records in one change, which
//! also moves the cursor. If several engines take the same game, one change succeeds, and the others
//! lose the race for the cursor. A recalculation from the first game gives the same records.

#![expect(clippy::cast_precision_loss, reason = "ratings and seats are far below 2^52")]

mod ladder;
mod profile;
mod results;
mod settings;
mod tally;

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use heliopause_proto::store::v1::{PlayedGames, RatingCursor, StoredRating};
use heliopause_proto::v1::ErrorReason;
use prost::Message;

pub(crate) use self::profile::{Ranked, Statistics};
use self::results::{Finish, Results};
use crate::Time;
use crate::host::Host;
use crate::log_throttle::throttled;
use crate::store::{
    GameQuery, GameRow, Millis, Record, RecordChange, RecordQuery, Result, Store, StoreError,
};

const CURSOR: &str = "rating-cursor";
const RATING: &str = "rating";
const PLAYED: &str = "played";
const BOT: &str = "bot:";

const DECISIONS_KEPT: usize = 200;
const PAGE: usize = 32;
const REMOVED_AT_ONCE: usize = 256;
const POLL_INTERVAL: Duration = Duration::from_secs(5);
const RETRY_INTERVAL: Duration = Duration::from_secs(2);

/// The age at which a game is rated, with a shared store. Other engines may write the end of a game
/// this long after the time of the end, while they retry an append.
const SETTLED_AFTER_SHARED: Millis = 30_000;
const SETTLED_AFTER: Millis = 1_000;

/// The ratings of a store.
pub struct Ratings {
    store: Arc<dyn Store>,
    time: Time,
    settled_after: Millis,
}

/// The state of the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// Games may be left.
    Added(usize),
    /// All finished games are included.
    Done,
    /// A recalculation is removing the records, or was interrupted meanwhile.
    Resetting,
}

impl Ratings {
    pub fn new(store: Arc<dyn Store>, time: Time) -> Self {
        let shared = store.shared().is_some();
        let settled_after = if shared { SETTLED_AFTER_SHARED } else { SETTLED_AFTER };
        Self { store, time, settled_after }
    }

    /// Rates games immediately after their end, even if the clock that timed the end is ahead.
    #[must_use]
    pub fn without_delay(self) -> Self {
        Self { settled_after: -SETTLED_AFTER_SHARED, ..self }
    }

    /// Starts adding finished games until the host drains or is dropped.
    pub(crate) fn start(self: Arc<Self>, host: &Arc<Host>) {
        tokio::spawn(self.keep(Arc::downgrade(host)));
    }

    async fn keep(self: Arc<Self>, host: Weak<Host>) {
        loop {
            let Some(host) = host.upgrade() else { return };
            let wait = match self.step().await {
                Ok(Progress::Added(_)) => Duration::ZERO,
                Ok(Progress::Done) => POLL_INTERVAL,
                Ok(Progress::Resetting) => {
                    throttled!(
                        warn,
                        "no game is rated until a recalculation of the ratings ends; \
                        if none is running, start it again"
                    );
                    POLL_INTERVAL
                }
                Err(error) => {
                    throttled!(warn, %error, "finished games cannot be rated; retrying later");
                    RETRY_INTERVAL
                }
            };
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = host.drained() => return,
            }
        }
    }

    /// Adds all finished games. Returns their number.
    pub async fn catch_up(&self) -> Result<u64> {
        let mut games = 0;
        loop {
            match self.step().await? {
                Progress::Added(added) => games += added as u64,
                Progress::Done | Progress::Resetting => return Ok(games),
            }
        }
    }

    /// Removes all ratings and statistics, and calculates them again from the journals. Engines may
    /// serve the same store. Returns the number of games.
    pub async fn recalculate(&self) -> Result<u64> {
        self.set_cursor(&RatingCursor { resetting: true, ..RatingCursor::default() }).await?;
        for space in [RATING, PLAYED] {
            loop {
                let query = RecordQuery {
                    space: space.to_owned(),
                    limit: REMOVED_AT_ONCE,
                    ..RecordQuery::default()
                };
                let records = self.store.records(query).await?;
                if records.is_empty() {
                    break;
                }
                let removed = records.into_iter().map(Record::removed).collect();
                retried(self.store.change_records(removed).await)?;
            }
        }
        self.set_cursor(&RatingCursor::default()).await?;
        let mut games = 0;
        loop {
            match self.step().await? {
                Progress::Added(added) => games += added as u64,
                Progress::Done => return Ok(games),
                Progress::Resetting => {
                    let text = "another recalculation of the ratings has started";
                    return Err(StoreError::Unavailable(text.to_owned()));
                }
            }
        }
    }

    async fn set_cursor(&self, cursor: &RatingCursor) -> Result<()> {
        loop {
            let (found, _) = read::<RatingCursor>(&*self.store, CURSOR, CURSOR).await?;
            let change = changed(CURSOR, CURSOR, "", found.as_ref(), cursor);
            if retried(self.store.change_records(vec![change]).await)? {
                return Ok(());
            }
        }
    }

    /// Adds a page of games.
    async fn step(&self) -> Result<Progress> {
        let (mut found, mut cursor) = read::<RatingCursor>(&*self.store, CURSOR, CURSOR).await?;
        if cursor.resetting {
            return Ok(Progress::Resetting);
        }
        let ended_after = Some((cursor.ended, cursor.game_id.clone()));
        let query = GameQuery { limit: PAGE, ended_after, ..GameQuery::default() };
        let settled = self.time.now().saturating_sub(self.settled_after);
        let mut added = 0;
        for row in self.store.games(query).await? {
            let Some(ended) = row.ended.filter(|&ended| ended <= settled) else { break };
            cursor = RatingCursor { ended, game_id: row.game_id.clone(), resetting: false };
            let moved = changed(CURSOR, CURSOR, "", found.as_ref(), &cursor);
            let next = moved.after();
            if !self.add(&row, ended, moved).await? {
                // Another engine has moved the cursor.
                return Ok(Progress::Added(added));
            }
            found = next;
            added += 1;
        }
        Ok(if added == 0 { Progress::Done } else { Progress::Added(added) })
    }

    /// Adds a game to the records. Returns false if another process has changed one of them.
    async fn add(&self, row: &GameRow, ended: Millis, cursor: RecordChange) -> Result<bool> {
        let mut changes = vec![cursor];
        match results::read(&*self.store, &row.game_id).await {
            Ok(results) => self.tally(&results, ended, &mut changes).await?,
            Err(fault)
                if matches!(
                    fault.reason,
                    ErrorReason::JournalUnavailable | ErrorReason::LostRace
                ) =>
            {
                return Err(StoreError::Unavailable(fault.message));
            }
            // The game can be neither shown nor rated.
            Err(fault) => {
                let game_id = &row.game_id;
                tracing::warn!(game_id, %fault, "a finished game is omitted from the ratings");
            }
        }
        retried(self.store.change_records(changes).await)
    }

    async fn tally(
        &self,
        results: &Results,
        ended: Millis,
        changes: &mut Vec<RecordChange>,
    ) -> Result<()> {
        let mut erased = BTreeMap::new();
        for finish in &results.seats {
            let is_erased = finish.is_player() && self.is_erased(&finish.entity).await?;
            erased.insert(finish.entity.as_str(), is_erased);
        }
        for finish in results.seats.iter().filter(|one| one.is_player() && !erased[&*one.entity]) {
            let (found, mut played) = self.played(&finish.entity).await?;
            tally::add_result(&mut played, results, finish);
            let id = &finish.entity;
            changes.push(changed(PLAYED, id, "", found.as_ref(), &played));
        }
        if !results.rated {
            return Ok(());
        }
        let mut before = Vec::new();
        for entity in erased.keys() {
            before.push(self.rating(&results.ladder, entity).await?);
        }
        let entities: Vec<&str> = erased.keys().copied().collect();
        let own = |finish: &Finish| entities.iter().position(|id| *id == finish.entity);
        let seats: Vec<(usize, &Finish)> =
            results.seats.iter().filter_map(|finish| Some((own(finish)?, finish))).collect();
        let stored: Vec<&StoredRating> = before.iter().map(|(_, stored)| stored).collect();
        let after = tally::rated(&results.ladder, &entities, &stored, &seats, ended);
        for ((id, mut rating), (found, _)) in entities.iter().zip(after).zip(&before) {
            if erased[id] {
                rating.history.clear();
            }
            changes.push(rating_change(found.as_ref(), &rating, erased[id]));
        }
        Ok(())
    }

    async fn is_erased(&self, player_id: &str) -> Result<bool> {
        match self.store.account(player_id).await {
            Ok(account) => Ok(account.name.is_empty()),
            Err(StoreError::NotFound) => Ok(true),
            Err(error) => Err(error),
        }
    }

    async fn played(&self, player_id: &str) -> Result<(Option<Record>, PlayedGames)> {
        read(&*self.store, PLAYED, player_id).await
    }

    async fn rating(&self, ladder: &str, entity: &str) -> Result<(Option<Record>, StoredRating)> {
        read(&*self.store, RATING, &rating_id(ladder, entity)).await
    }

    /// Removes the statistics, the history of ratings and the settings of an erased account. The
    /// ratings stay under the account's id, without a name, because the ratings of opponents depend
    /// on them.
    pub(crate) async fn forget(&self, player_id: &str) -> Result<()> {
        loop {
            let mut changes = Vec::new();
            let (found, played) = self.played(player_id).await?;
            changes.extend(found.map(Record::removed));
            changes.extend(self.settings(player_id).await?.0.map(Record::removed));
            for results in played.ladders.iter().filter(|results| results.rated > 0) {
                let (found, mut rating) = self.rating(&results.ladder, player_id).await?;
                rating.history.clear();
                changes.extend(found.map(|found| rating_change(Some(&found), &rating, true)));
            }
            if changes.is_empty() || retried(self.store.change_records(changes).await)? {
                return Ok(());
            }
        }
    }
}

/// Reads a record. Returns the default message if there is none.
async fn read<T: Message + Default>(
    store: &dyn Store,
    space: &str,
    id: &str,
) -> Result<(Option<Record>, T)> {
    let Some(found) = store.record(space, id).await? else { return Ok((None, T::default())) };
    let message = found.message()?;
    Ok((Some(found), message))
}

fn changed(
    space: &str,
    id: &str,
    key: &str,
    found: Option<&Record>,
    message: &impl Message,
) -> RecordChange {
    let expected = found.map_or(0, |found| found.version);
    RecordChange { expected, ..RecordChange::create(space, id, key, message.encode_to_vec()) }
}

/// Returns whether a change succeeded, or false if it lost a race.
fn retried(changed: Result<()>) -> Result<bool> {
    match changed {
        Ok(()) => Ok(true),
        Err(StoreError::LostRace { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

fn rating_id(ladder: &str, entity: &str) -> String {
    format!("{ladder} {entity}")
}

fn rating_change(found: Option<&Record>, rating: &StoredRating, hidden: bool) -> RecordChange {
    let id = rating_id(&rating.ladder, &rating.entity);
    changed(RATING, &id, &tally::board_key(rating, hidden), found, rating)
}
