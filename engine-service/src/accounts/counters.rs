//! Counts of events within a period, for example of wrong codes. All engines of a store share them.

use std::time::Duration;

use heliopause_proto::store::v1::Counter;
use heliopause_proto::v1::ErrorReason;
use prost::Message as _;

use super::Accounts;
use crate::failure::{Failure, Result};
use crate::store::{Millis, Record, RecordChange, RecordQuery, StoreError};

const SPACE: &str = "count";
/// The number of expired records to remove at once. Each call that creates one removes several.
const FORGOTTEN_AT_ONCE: usize = 20;
/// The number of records of an account to remove at once.
const REMOVED_AT_ONCE: usize = 200;

impl Accounts {
    /// Counts an event. Fails if `most` events were already counted in the period, which starts with
    /// its first event. Concurrent calls cannot exceed the limit.
    pub(crate) async fn count(&self, what: &str, most: u32, period: Millis) -> Result<()> {
        self.forget_expired(SPACE).await?;
        loop {
            let now = self.time.now();
            let found = self.store.record(SPACE, what).await?;
            let version = found.as_ref().map_or(0, |record| record.version);
            let open = found.filter(|record| record.key > expiry(now));
            let count = match &open {
                Some(record) => record.message::<Counter>()?.count,
                None => 0,
            };
            let until = open.map_or_else(|| expiry(now + period), |record| record.key);
            if count >= most {
                let wait = until.parse::<Millis>().map_or(period, |until| until - now);
                let minutes = (wait / 60_000) + 1;
                let text = format!("Too many attempts; try again in {minutes} min.");
                let wait = Duration::from_millis(wait.unsigned_abs());
                return Err(Failure::new(ErrorReason::RateLimited, text).retry(wait));
            }
            let body = Counter { count: count + 1 }.encode_to_vec();
            let create = RecordChange::create(SPACE, what, &until, body);
            let counted = RecordChange { expected: version, ..create };
            match self.store.change_records(vec![counted]).await {
                Err(StoreError::LostRace { .. }) => {}
                changed => return Ok(changed?),
            }
        }
    }

    /// Resets a count after a success.
    pub(crate) async fn reset_count(&self, what: &str) -> Result<()> {
        if let Some(found) = self.store.record(SPACE, what).await? {
            self.try_change(vec![found.removed()]).await?;
        }
        Ok(())
    }

    /// Removes some records of a space whose key is an [`expiry`] in the past.
    pub(crate) async fn forget_expired(&self, space: &str) -> Result<()> {
        let query = RecordQuery {
            space: space.to_owned(),
            until: Some(expiry(self.time.now())),
            limit: FORGOTTEN_AT_ONCE,
            ..RecordQuery::default()
        };
        let old = self.store.records(query).await?;
        if old.is_empty() {
            return Ok(());
        }
        self.try_change(old.into_iter().map(Record::removed).collect()).await
    }

    /// Removes all records of a space with a key. Concurrent calls may have created more of them than
    /// their limit allows.
    pub(crate) async fn remove_all(&self, space: &str, key: &str) -> Result<()> {
        loop {
            let query = RecordQuery::with_key(space, key, REMOVED_AT_ONCE);
            let found = self.store.records(query).await?;
            if found.is_empty() {
                return Ok(());
            }
            // If another call has changed some of them, the next query finds what is left.
            self.try_change(found.into_iter().map(Record::removed).collect()).await?;
        }
    }

    /// Changes records, unless another call changes them at the same time.
    pub(crate) async fn try_change(&self, changes: Vec<RecordChange>) -> Result<()> {
        match self.store.change_records(changes).await {
            Err(StoreError::LostRace { .. }) => Ok(()),
            changed => Ok(changed?),
        }
    }
}

/// Returns the key of a record that expires. Keys are sorted by time.
pub(crate) fn expiry(time: Millis) -> String {
    format!("{time:016}")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;
    use crate::Time;
    use crate::accounts::Registration;
    use crate::store::Store;
    use crate::store::sqlite::SqliteStore;

    #[tokio::test]
    async fn a_count_is_limited_until_its_period_ends() {
        let clock = Arc::new(AtomicI64::new(1_000));
        let shows = Arc::clone(&clock);
        let time = Time::of(move || shows.load(Ordering::Relaxed));
        let store = Arc::new(SqliteStore::in_memory());
        let accounts = Arc::new(Accounts::new(store, Registration::Open, 1, time));
        let count = |what: &'static str| {
            let accounts = Arc::clone(&accounts);
            async move { accounts.count(what, 3, 60_000).await }
        };
        let counted = futures_util::future::join_all((0..10).map(|_| count("a"))).await;
        assert_eq!(counted.into_iter().flatten().count(), 3, "in parallel");
        assert_eq!(count("a").await.unwrap_err().reason(), ErrorReason::RateLimited);
        count("b").await.expect("another count");
        accounts.reset_count("a").await.unwrap();
        count("a").await.expect("it was reset");
        count("b").await.unwrap();
        count("b").await.unwrap();
        clock.store(62_000, Ordering::Relaxed);
        count("b").await.expect("the period is over");
        let left = accounts.store.records(RecordQuery { limit: 9, ..all() }).await.unwrap();
        assert_eq!(left.len(), 1, "the count of a has expired: {left:?}");
    }

    #[tokio::test]
    async fn all_records_of_an_account_are_removed_beyond_their_limits() {
        let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
        let accounts = Accounts::new(Arc::clone(&store), Registration::Open, 1, Time::default());
        for space in ["block", "recovery", "sign-in"] {
            let create = |number: usize| {
                RecordChange::create(space, &format!("p {number}"), "p", bytes::Bytes::new())
            };
            store.change_records((0..=2 * REMOVED_AT_ONCE).map(create).collect()).await.unwrap();
            let other = RecordChange::create(space, "q", "q", bytes::Bytes::new());
            store.change_records(vec![other]).await.unwrap();
        }
        accounts.unblock_all("p").await.unwrap();
        accounts.forget_ways_back("p").await.unwrap();
        for space in ["block", "recovery", "sign-in"] {
            let query = RecordQuery { space: space.to_owned(), limit: 9, ..all() };
            let left = store.records(query).await.unwrap();
            assert_eq!(left.len(), 1, "{space}");
        }
    }

    fn all() -> RecordQuery {
        RecordQuery { space: SPACE.to_owned(), ..RecordQuery::default() }
    }
}
