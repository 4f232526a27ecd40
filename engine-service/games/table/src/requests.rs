//! Answers to requests, kept so that a retry gets the first answer again.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use heliopause_proto::store::v1::RequestRecord;

use crate::table;
use crate::time::{DAY, Millis};

/// How many answers to keep for each asker, for a day at most.
const KEPT: usize = 256;

/// How many answers a copy of a table has for itself before it takes over all that it shares.
const FRESH_MAX: usize = 64;

/// The asker: a seat, whoever holds it, or an account that asks for itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Asker {
    /// The seat, or 0 for the game master.
    seat: u32,
    /// The account's id; empty where a seat asks.
    by: String,
}

impl Asker {
    /// A seat, or with 0 the game master.
    pub(crate) fn seat(seat: u32) -> Self {
        Self { seat, by: String::new() }
    }

    /// An account.
    pub(crate) fn account(by: &str) -> Self {
        Self { seat: 0, by: by.to_owned() }
    }

    fn of(record: &RequestRecord) -> Self {
        Self { seat: record.seat, by: record.by.clone() }
    }

    /// A record of this asker's.
    pub(crate) fn record(self) -> RequestRecord {
        RequestRecord { seat: self.seat, by: self.by, ..RequestRecord::default() }
    }
}

/// The answers to the latest requests of every asker.
///
/// If a table is copied for every step, its copies share the settled answers, and each holds only
/// the later ones itself: copying hundreds of answers to add one would cost more than the step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Requests {
    settled: Arc<Settled>,
    /// Oldest first.
    fresh: Vec<RequestRecord>,
}

/// A map, because a stored state from elsewhere may name any seat.
#[derive(Clone, Debug, Default)]
struct Settled(BTreeMap<Asker, OfOne>);

#[derive(Clone, Debug, Default)]
struct OfOne {
    /// Oldest first.
    records: VecDeque<RequestRecord>,
    /// How many were dropped before the oldest.
    dropped: usize,
    /// The place of each id, counted from the very first: a call must not wait for a search through
    /// them all. They are few, so whoever chooses them gains nothing against a fast hash.
    places: HashMap<String, usize, foldhash::fast::RandomState>,
}

impl Requests {
    pub(crate) fn from_stored(stored: Vec<RequestRecord>) -> Self {
        let mut settled = Settled::default();
        for record in stored {
            settled.0.entry(Asker::of(&record)).or_default().push(record);
        }
        Self { settled: Arc::new(settled), fresh: Vec::new() }
    }

    /// All of them as they are stored, in the order in which they were answered.
    pub(crate) fn to_stored(&self) -> Vec<RequestRecord> {
        let mut settled = Cow::Borrowed(&*self.settled);
        self.fresh.iter().cloned().for_each(|record| settled.to_mut().keep(record));
        let mut stored: Vec<_> = settled.0.values().flat_map(|one| &one.records).cloned().collect();
        stored.sort_by_key(|record| record.entry);
        stored
    }

    pub(crate) fn find(&self, asker: &Asker, request_id: &str) -> Option<&RequestRecord> {
        let is_it = |record: &&RequestRecord| {
            (record.seat, record.by.as_str(), record.request_id.as_str())
                == (asker.seat, &asker.by, request_id)
        };
        self.fresh.iter().rev().find(is_it).or_else(|| self.settled.find(asker, request_id))
    }

    /// Keeps one more, and drops old and excess answers.
    pub(crate) fn keep(&mut self, record: RequestRecord) {
        assert!(!record.request_id.is_empty(), "what has no id cannot be asked again");
        self.fresh.push(record);
        self.settle();
        if self.fresh.len() > FRESH_MAX {
            let settled = Arc::make_mut(&mut self.settled);
            self.fresh.drain(..).for_each(|record| settled.keep(record));
        }
    }

    /// Settles the later answers, unless a copy shares the settled ones.
    pub(crate) fn settle(&mut self) {
        if let Some(settled) = Arc::get_mut(&mut self.settled) {
            self.fresh.drain(..).for_each(|record| settled.keep(record));
        }
    }
}

impl Settled {
    fn find(&self, asker: &Asker, request_id: &str) -> Option<&RequestRecord> {
        let one = self.0.get(asker)?;
        one.records.get(one.places.get(request_id)? - one.dropped)
    }

    /// Keeps a record that was made just now.
    fn keep(&mut self, record: RequestRecord) {
        let now = table::at(record.time.as_ref());
        let is_old = |at: Millis| now.is_some_and(|now| at <= now - DAY);
        let too_old = |record: &RequestRecord| table::at(record.time.as_ref()).is_none_or(is_old);
        let asker = Asker::of(&record);
        if !self.0.contains_key(&asker) {
            // Accounts come and go.
            self.0.retain(|_, one| one.records.back().is_some_and(|latest| !too_old(latest)));
        }
        let one = self.0.entry(asker).or_default();
        while one.records.len() >= KEPT || one.records.front().is_some_and(too_old) {
            one.drop_oldest();
        }
        one.push(record);
    }
}

impl OfOne {
    fn push(&mut self, record: RequestRecord) {
        self.places.insert(record.request_id.clone(), self.dropped + self.records.len());
        self.records.push_back(record);
    }

    fn drop_oldest(&mut self) {
        let Some(oldest) = self.records.pop_front() else { return };
        self.dropped += 1;
        // A position from elsewhere may hold an id twice; the later one is the one that is found.
        if self.places.get(&oldest.request_id).is_some_and(|&place| place < self.dropped) {
            self.places.remove(&oldest.request_id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::stamp;

    fn record(seat: u32, id: usize, time: Millis) -> RequestRecord {
        let (request_id, entry) = (format!("r{id}"), id as u64);
        RequestRecord {
            seat,
            request_id,
            entry,
            time: Some(stamp(time)),
            ..RequestRecord::default()
        }
    }

    #[test]
    fn the_latest_of_each_asker_are_kept() {
        let mut requests = Requests::default();
        for id in 0..KEPT + 10 {
            requests.keep(record(1, id, 0));
            requests.keep(record(2, 10_000 + id % 5, 0));
        }
        assert!(requests.find(&Asker::seat(1), "r9").is_none());
        for id in 10..KEPT + 10 {
            assert_eq!(
                requests.find(&Asker::seat(1), &format!("r{id}")).map(|record| record.entry),
                Some(id as u64)
            );
        }
        assert!(requests.find(&Asker::seat(0), "r10").is_none(), "another seat's");
        assert!(requests.find(&Asker::seat(60), "r10").is_none(), "a seat that never asked");
        assert!(
            requests.find(&Asker::account("p"), "r10").is_none(),
            "an account that never asked"
        );
        let again = Requests::from_stored(requests.to_stored());
        assert_eq!(again.to_stored(), requests.to_stored());
        assert_eq!(again.find(&Asker::seat(1), "r10"), requests.find(&Asker::seat(1), "r10"));
    }

    #[test]
    fn a_stored_state_may_name_any_seat() {
        let requests = Requests::from_stored(vec![record(u32::MAX, 1, 0), record(0, 2, 0)]);
        assert!(
            requests.find(&Asker::seat(u32::MAX), "r1").is_some()
                && requests.find(&Asker::seat(0), "r2").is_some()
        );
        assert_eq!(requests.to_stored().len(), 2);
    }

    #[test]
    fn after_a_day_a_request_is_forgotten() {
        let mut requests = Requests::default();
        requests.keep(record(1, 1, 0));
        requests.keep(record(1, 2, 10));
        requests.keep(record(1, 3, DAY));
        assert!(requests.find(&Asker::seat(1), "r1").is_none());
        assert!(requests.find(&Asker::seat(1), "r2").is_some());
    }

    #[test]
    fn who_asked_nothing_for_a_day_is_forgotten_when_another_asks_first() {
        let mut requests = Requests::default();
        let of = |by: &str, id, time| RequestRecord {
            seat: 0,
            by: by.to_owned(),
            ..record(0, id, time)
        };
        requests.keep(of("one", 1, 0));
        requests.keep(of("two", 1, 5));
        assert!(requests.find(&Asker::account("one"), "r1").is_some());
        requests.keep(of("three", 1, DAY));
        assert!(requests.find(&Asker::account("one"), "r1").is_none());
        assert!(requests.find(&Asker::account("two"), "r1").is_some());
        assert!(
            requests.find(&Asker::seat(0), "r1").is_none(),
            "an account's id is not the game master's"
        );
    }

    #[test]
    fn copies_know_their_own_answers_and_those_before() {
        let mut requests = Requests::default();
        requests.keep(record(1, 1, 0));
        let mut copy = requests.clone();
        // More than a copy has for itself, and than are kept.
        for id in 2..2 * KEPT {
            copy.keep(record(1, id, 0));
            assert!(copy.find(&Asker::seat(1), &format!("r{id}")).is_some(), "{id}");
        }
        assert!(
            copy.find(&Asker::seat(1), "r1").is_none()
                && requests.find(&Asker::seat(1), "r1").is_some()
        );
        assert!(requests.find(&Asker::seat(1), "r2").is_none());
        let stored = copy.to_stored();
        assert_eq!(stored.len(), KEPT);
        copy = requests.clone();
        copy.keep(record(1, 2, 0));
        drop(requests);
        copy.settle();
        assert!(
            copy.fresh.is_empty()
                && copy.find(&Asker::seat(1), "r1").is_some()
                && copy.find(&Asker::seat(1), "r2").is_some()
        );
    }

    #[test]
    fn a_copy_that_shares_the_answers_has_64_of_its_own_at_most() {
        let mut requests = Requests::default();
        let copy = requests.clone();
        for id in 0..FRESH_MAX {
            requests.keep(record(1, id, 0));
        }
        assert_eq!(requests.fresh.len(), FRESH_MAX);
        requests.keep(record(1, FRESH_MAX, 0));
        assert!(requests.fresh.is_empty() && copy.to_stored().is_empty());
        assert_eq!(requests.to_stored().len(), FRESH_MAX + 1);
    }

    #[test]
    fn of_an_id_that_is_there_twice_the_later_one_is_found_when_the_earlier_is_dropped() {
        let twice = [record(1, 7, 0), RequestRecord { entry: 8, ..record(1, 7, 0) }];
        let mut requests = Requests::from_stored(twice.into());
        for id in 0..KEPT - 1 {
            requests.keep(record(1, 1_000 + id, 0));
        }
        assert_eq!(requests.to_stored().len(), KEPT, "the earlier one is gone");
        assert_eq!(requests.find(&Asker::seat(1), "r7").map(|record| record.entry), Some(8));
    }
}
