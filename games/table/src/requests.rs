//! Responses to requests, stored so that a retry gets the same response.
//!
//! Each record has a digest of its request, so that a different request with the same id is
//! rejected. Orders and messages are recorded by seat, all other requests by account.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use heliopause_proto::store::v1::RequestRecord;

use crate::time::{DAY, Millis, at};

/// Maximum number of stored responses per requester. Each is stored for at most a day.
const ANSWERS_MAX: usize = 256;

/// Maximum number of unsettled responses in a copy of a table.
const UNSETTLED_MAX: usize = 64;

/// The requester of a step: a seat, even if its player changes, or an account for itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Requester {
    seat: u32,
    by: String,
}

impl Requester {
    pub(crate) fn seat(seat: u32) -> Self {
        Self { seat, by: String::new() }
    }

    pub(crate) fn account(by: &str) -> Self {
        Self { seat: 0, by: by.to_owned() }
    }

    fn of(record: &RequestRecord) -> Self {
        Self { seat: record.seat, by: record.by.clone() }
    }

    pub(crate) fn record(self) -> RequestRecord {
        RequestRecord { seat: self.seat, by: self.by, ..RequestRecord::default() }
    }
}

/// The stored responses. Copies of a table share the settled responses, and each copy adds only
/// later ones. Otherwise each step would copy hundreds of responses to add one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Requests {
    settled: Arc<Settled>,
    unsettled: Vec<RequestRecord>,
}

/// Responses by requester. A map, because an imported state may name any seat.
#[derive(Clone, Debug, Default)]
struct Settled(BTreeMap<Requester, RequesterAnswers>);

#[derive(Clone, Debug, Default)]
struct RequesterAnswers {
    records: VecDeque<RequestRecord>,
    dropped: usize,
    /// The position of each id, counted from the first record ever stored, to avoid a linear
    /// search. A fast hash is safe: at most [`ANSWERS_MAX`] ids are stored, so chosen collisions
    /// cost little.
    places: HashMap<String, usize, foldhash::fast::RandomState>,
}

impl Requests {
    pub(crate) fn from_stored(stored: Vec<RequestRecord>) -> Self {
        let mut settled = Settled::default();
        for record in stored {
            settled.0.entry(Requester::of(&record)).or_default().push(record);
        }
        Self { settled: Arc::new(settled), unsettled: Vec::new() }
    }

    pub(crate) fn to_stored(&self) -> Vec<RequestRecord> {
        let mut settled = Cow::Borrowed(&*self.settled);
        self.unsettled.iter().cloned().for_each(|record| settled.to_mut().keep(record));
        let mut stored: Vec<_> = settled.0.values().flat_map(|one| &one.records).cloned().collect();
        stored.sort_by_key(|record| record.entry);
        stored
    }

    pub(crate) fn find(&self, requester: &Requester, request_id: &str) -> Option<&RequestRecord> {
        let is_it = |record: &&RequestRecord| {
            (record.seat, record.by.as_str(), record.request_id.as_str())
                == (requester.seat, &requester.by, request_id)
        };
        self.unsettled.iter().rev().find(is_it).or_else(|| self.settled.find(requester, request_id))
    }

    pub(crate) fn keep(&mut self, record: RequestRecord) {
        assert!(!record.request_id.is_empty(), "what has no id cannot be asked again");
        self.unsettled.push(record);
        self.settle();
        if self.unsettled.len() > UNSETTLED_MAX {
            let settled = Arc::make_mut(&mut self.settled);
            self.unsettled.drain(..).for_each(|record| settled.keep(record));
        }
    }

    pub(crate) fn settle(&mut self) {
        if let Some(settled) = Arc::get_mut(&mut self.settled) {
            self.unsettled.drain(..).for_each(|record| settled.keep(record));
        }
    }
}

impl Settled {
    fn find(&self, requester: &Requester, request_id: &str) -> Option<&RequestRecord> {
        let one = self.0.get(requester)?;
        one.records.get(one.places.get(request_id)? - one.dropped)
    }

    fn keep(&mut self, record: RequestRecord) {
        let now = at(record.time.as_ref());
        let is_old = |at: Millis| now.is_some_and(|now| at <= now - DAY);
        let too_old = |record: &RequestRecord| at(record.time.as_ref()).is_none_or(is_old);
        let requester = Requester::of(&record);
        if !self.0.contains_key(&requester) {
            // Drop requesters without recent requests, so accounts do not accumulate.
            self.0.retain(|_, one| one.records.back().is_some_and(|latest| !too_old(latest)));
        }
        let one = self.0.entry(requester).or_default();
        while one.records.len() >= ANSWERS_MAX || one.records.front().is_some_and(too_old) {
            one.drop_oldest();
        }
        one.push(record);
    }
}

impl RequesterAnswers {
    fn push(&mut self, record: RequestRecord) {
        self.places.insert(record.request_id.clone(), self.dropped + self.records.len());
        self.records.push_back(record);
    }

    fn drop_oldest(&mut self) {
        let Some(oldest) = self.records.pop_front() else { return };
        self.dropped += 1;
        // An imported state may contain an id twice. Keep the later position.
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

    fn found(requests: &Requests, requester: &Requester, id: usize) -> Option<u64> {
        requests.find(requester, &format!("r{id}")).map(|record| record.entry)
    }

    fn of_seat(requests: &Requests, seat: u32, id: usize) -> Option<u64> {
        found(requests, &Requester::seat(seat), id)
    }

    #[test]
    fn latest_requests_of_each_requester_are_stored() {
        let mut requests = Requests::default();
        for id in 0..ANSWERS_MAX + 10 {
            requests.keep(record(1, id, 0));
            requests.keep(record(2, 10_000 + id % 5, 0));
        }
        assert_eq!(of_seat(&requests, 1, 9), None);
        for id in 10..ANSWERS_MAX + 10 {
            assert_eq!(of_seat(&requests, 1, id), Some(id as u64));
        }
        assert_eq!(of_seat(&requests, 0, 10), None, "another seat's");
        assert_eq!(of_seat(&requests, 60, 10), None, "a seat that never asked");
        assert_eq!(found(&requests, &Requester::account("p"), 10), None, "it never asked");
        let again = Requests::from_stored(requests.to_stored());
        assert_eq!(again.to_stored(), requests.to_stored());
        assert_eq!(of_seat(&again, 1, 10), of_seat(&requests, 1, 10));
    }

    #[test]
    fn stored_states_may_name_any_seat() {
        let requests = Requests::from_stored(vec![record(u32::MAX, 1, 0), record(0, 2, 0)]);
        assert_eq!(of_seat(&requests, u32::MAX, 1), Some(1));
        assert_eq!(of_seat(&requests, 0, 2), Some(2));
        assert_eq!(requests.to_stored().len(), 2);
    }

    #[test]
    fn requests_expire_after_a_day() {
        let mut requests = Requests::default();
        requests.keep(record(1, 1, 0));
        requests.keep(record(1, 2, 10));
        requests.keep(record(1, 3, DAY));
        assert_eq!([1, 2].map(|id| of_seat(&requests, 1, id)), [None, Some(2)]);
    }

    #[test]
    fn idle_requesters_are_dropped_after_a_day() {
        let mut requests = Requests::default();
        let of = |by: &str, id, time| RequestRecord { by: by.to_owned(), ..record(0, id, time) };
        let one = Requester::account("one");
        requests.keep(of("one", 1, 0));
        requests.keep(of("two", 1, 5));
        assert_eq!(found(&requests, &one, 1), Some(1));
        requests.keep(of("three", 1, DAY));
        assert_eq!(found(&requests, &one, 1), None);
        assert_eq!(found(&requests, &Requester::account("two"), 1), Some(1));
        assert_eq!(of_seat(&requests, 0, 1), None, "an account's id is not the game master's");
    }

    #[test]
    fn copies_find_own_and_shared_answers() {
        let mut requests = Requests::default();
        requests.keep(record(1, 1, 0));
        let mut copy = requests.clone();
        for id in 2..2 * ANSWERS_MAX {
            copy.keep(record(1, id, 0));
            assert_eq!(of_seat(&copy, 1, id), Some(id as u64));
        }
        assert_eq!((of_seat(&copy, 1, 1), of_seat(&requests, 1, 1)), (None, Some(1)));
        assert_eq!(of_seat(&requests, 1, 2), None);
        assert_eq!(copy.to_stored().len(), ANSWERS_MAX);
        copy = requests.clone();
        copy.keep(record(1, 2, 0));
        drop(requests);
        copy.settle();
        assert!(copy.unsettled.is_empty());
        assert_eq!([1, 2].map(|id| of_seat(&copy, 1, id)), [Some(1), Some(2)]);
    }

    #[test]
    fn copies_hold_at_most_64_own_answers() {
        let mut requests = Requests::default();
        let copy = requests.clone();
        for id in 0..UNSETTLED_MAX {
            requests.keep(record(1, id, 0));
        }
        assert_eq!(requests.unsettled.len(), UNSETTLED_MAX);
        requests.keep(record(1, UNSETTLED_MAX, 0));
        assert!(requests.unsettled.is_empty() && copy.to_stored().is_empty());
        assert_eq!(requests.to_stored().len(), UNSETTLED_MAX + 1);
    }

    #[test]
    fn duplicate_ids_find_the_later_record_after_eviction() {
        let twice = [record(1, 7, 0), RequestRecord { entry: 8, ..record(1, 7, 0) }];
        let mut requests = Requests::from_stored(twice.into());
        for id in 0..ANSWERS_MAX - 1 {
            requests.keep(record(1, 1_000 + id, 0));
        }
        assert_eq!(requests.to_stored().len(), ANSWERS_MAX, "the earlier one is gone");
        assert_eq!(of_seat(&requests, 1, 7), Some(8));
    }
}
