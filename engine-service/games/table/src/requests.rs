//! Answers to requests, kept so that a retry gets the first answer again.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use heliopause_proto::store::v1::RequestRecord;

use crate::table;
use crate::time::{DAY, Millis};

/// How many answers are kept for each seat, besides being kept no longer than a day.
const KEPT: usize = 256;

/// How many answers a copy of a table has for itself before it takes over all that it shares.
const FRESH_MAX: usize = 64;

/// What was answered to the latest requests of every seat.
///
/// Where a table is copied for every step, its copies share what was settled, and each has for itself only what came since:
/// copying hundreds of answers to add one would cost more than the step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Requests {
    settled: Arc<Settled>,
    /// Oldest first.
    fresh: Vec<RequestRecord>,
}

/// By seat number; the game master's come first. A map, because a stored state from elsewhere may name any number.
#[derive(Clone, Debug, Default)]
struct Settled(BTreeMap<u32, OfSeat>);

#[derive(Clone, Debug, Default)]
struct OfSeat {
    /// Oldest first.
    records: VecDeque<RequestRecord>,
    /// How many were dropped before the oldest.
    dropped: usize,
    /// The place of each id, counted from the first that ever was: a call must not wait for a search through them all.
    places: HashMap<String, usize>,
}

impl Requests {
    pub(crate) fn from_stored(stored: Vec<RequestRecord>) -> Self {
        let mut settled = Settled::default();
        for record in stored {
            settled.0.entry(record.seat).or_default().push(record);
        }
        Self { settled: Arc::new(settled), fresh: Vec::new() }
    }

    /// All of them as they are stored, in the order in which they were answered.
    pub(crate) fn to_stored(&self) -> Vec<RequestRecord> {
        let mut settled = Settled::clone(&self.settled);
        self.fresh.iter().cloned().for_each(|record| settled.keep(record));
        let mut stored: Vec<_> = settled.0.into_values().flat_map(|seat| seat.records).collect();
        stored.sort_by_key(|record| record.entry);
        stored
    }

    pub(crate) fn find(&self, seat: u32, request_id: &str) -> Option<&RequestRecord> {
        let is_it = |record: &&RequestRecord| record.seat == seat && record.request_id == request_id;
        self.fresh.iter().rev().find(is_it).or_else(|| self.settled.find(seat, request_id))
    }

    /// Keeps one more, and drops what is too old or too many.
    pub(crate) fn keep(&mut self, record: RequestRecord) {
        self.fresh.push(record);
        self.settle();
        if self.fresh.len() > FRESH_MAX {
            let settled = Arc::make_mut(&mut self.settled);
            self.fresh.drain(..).for_each(|record| settled.keep(record));
        }
    }

    /// Settles what came since, unless a copy shares what was settled.
    pub(crate) fn settle(&mut self) {
        if let Some(settled) = Arc::get_mut(&mut self.settled) {
            self.fresh.drain(..).for_each(|record| settled.keep(record));
        }
    }
}

impl Settled {
    fn find(&self, seat: u32, request_id: &str) -> Option<&RequestRecord> {
        let seat = self.0.get(&seat)?;
        seat.records.get(seat.places.get(request_id)? - seat.dropped)
    }

    /// Keeps a record that was made just now.
    fn keep(&mut self, record: RequestRecord) {
        let seat = self.0.entry(record.seat).or_default();
        let now = table::at(record.time.as_ref());
        let is_old = |at: Millis| now.is_some_and(|now| at <= now - DAY);
        let too_old = |record: &RequestRecord| table::at(record.time.as_ref()).is_none_or(is_old);
        while seat.records.len() >= KEPT || seat.records.front().is_some_and(too_old) {
            seat.drop_oldest();
        }
        seat.push(record);
    }
}

impl OfSeat {
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
        RequestRecord { seat, request_id, entry, time: Some(stamp(time)), ..RequestRecord::default() }
    }

    #[test]
    fn the_latest_of_each_seat_are_kept() {
        let mut requests = Requests::default();
        for id in 0..KEPT + 10 {
            requests.keep(record(1, id, 0));
            requests.keep(record(2, 10_000 + id % 5, 0));
        }
        assert!(requests.find(1, "r9").is_none());
        for id in 10..KEPT + 10 {
            assert_eq!(requests.find(1, &format!("r{id}")).map(|record| record.entry), Some(id as u64));
        }
        assert!(requests.find(0, "r10").is_none(), "another seat's");
        assert!(requests.find(60, "r10").is_none(), "a seat that never asked");
        let again = Requests::from_stored(requests.to_stored());
        assert_eq!(again.to_stored(), requests.to_stored());
        assert_eq!(again.find(1, "r10"), requests.find(1, "r10"));
    }

    #[test]
    fn a_stored_state_may_name_any_seat() {
        let requests = Requests::from_stored(vec![record(u32::MAX, 1, 0), record(0, 2, 0)]);
        assert!(requests.find(u32::MAX, "r1").is_some() && requests.find(0, "r2").is_some());
        assert_eq!(requests.to_stored().len(), 2);
    }

    #[test]
    fn after_a_day_a_request_is_forgotten() {
        let mut requests = Requests::default();
        requests.keep(record(1, 1, 0));
        requests.keep(record(1, 2, 10));
        requests.keep(record(1, 3, DAY));
        assert!(requests.find(1, "r1").is_none());
        assert!(requests.find(1, "r2").is_some());
    }

    #[test]
    fn copies_know_their_own_answers_and_those_before() {
        let mut requests = Requests::default();
        requests.keep(record(1, 1, 0));
        let mut copy = requests.clone();
        // More than a copy has for itself, and than are kept.
        for id in 2..2 * KEPT {
            copy.keep(record(1, id, 0));
            assert!(copy.find(1, &format!("r{id}")).is_some(), "{id}");
        }
        assert!(copy.find(1, "r1").is_none() && requests.find(1, "r1").is_some());
        assert!(requests.find(1, "r2").is_none());
        let stored = copy.to_stored();
        assert_eq!(stored.len(), KEPT);
        copy = requests.clone();
        copy.keep(record(1, 2, 0));
        drop(requests);
        copy.settle();
        assert!(copy.fresh.is_empty() && copy.find(1, "r1").is_some() && copy.find(1, "r2").is_some());
    }
}
