//! The players' requests and received events, for comparison with the journals.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use heliopause_proto::v1::Event;

use crate::{environment, traced};

/// Time after a store rollback during which an engine may still respond from lost state.
const ROLLBACK_DETECTION_TIMEOUT: Duration = Duration::from_secs(30);

/// The audience of a follower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Audience {
    Spectators,
    Seat(u32),
}

/// The game and the id of a request.
pub type Request = (String, String);

/// The state of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestState {
    Asked,
    /// The result is unknown. An abandoned attempt may still be running.
    Unknown,
    Done,
    Refused(String),
}

/// The events that a follower received.
#[derive(Clone, Debug, Default)]
pub struct Received {
    pub after: Option<u64>,
    pub events: Vec<Event>,
}

impl Received {
    pub fn last(&self) -> Option<u64> {
        self.events.last().map(|event| event.number).or(self.after)
    }
}

/// The requests, received events, violations and counts of a run.
#[derive(Debug, Default)]
pub struct Notes {
    pub requests: BTreeMap<Request, RequestState>,
    pub told: BTreeMap<(String, Audience, u8), Received>,
    pub appended: BTreeMap<(String, u64), Instant>,
    pub violations: Vec<String>,
    pub calls: BTreeMap<u64, (String, u64)>,
    pub called: u64,
    /// The number of requests to enter the queue of quick play, by player.
    pub queued: BTreeMap<u8, u32>,
    /// The time of a store rollback, and the games for which an engine must report it.
    pub rolled_back: Option<(Instant, BTreeMap<String, Vec<Bytes>>)>,
    pub counts: BTreeMap<&'static str, u64>,
}

/// A shared handle to the records of a run.
#[derive(Clone, Debug, Default)]
pub struct Ledger(Arc<Mutex<Notes>>);

impl Ledger {
    pub fn notes(&self) -> MutexGuard<'_, Notes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[expect(clippy::needless_pass_by_value, reason = "it is made where it is told")]
    pub fn record_violation(&self, what: String) {
        traced!("VIOLATION {what}");
        let at = environment::elapsed().as_secs_f64();
        let mut notes = self.notes();
        if notes.violations.len() < 20 {
            notes.violations.push(format!("at {at:.1} s: {what}"));
        }
    }

    /// Records a rollback of the store, which may have lost earlier requests, with the former
    /// journals of the games whose loss must be reported.
    pub fn rolled_back(&self, must_be_said: BTreeMap<String, Vec<Bytes>>) {
        let mut notes = self.notes();
        notes.rolled_back = Some((Instant::now(), must_be_said));
        notes.appended.clear();
        for came in notes.requests.values_mut().filter(|came| **came == RequestState::Done) {
            *came = RequestState::Unknown;
        }
    }

    /// Returns whether an engine may not have noticed a rollback yet, or whether an earlier
    /// response may still arrive.
    pub fn rolled_back_recently(&self) -> bool {
        self.notes()
            .rolled_back
            .as_ref()
            .is_some_and(|(at, _)| at.elapsed() < ROLLBACK_DETECTION_TIMEOUT)
    }

    pub fn heard(&self) -> Vec<((String, Audience, u8), u64)> {
        let notes = self.notes();
        let last = notes.told.iter().filter_map(|(key, told)| Some((key.clone(), told.last()?)));
        last.collect()
    }

    pub fn count(&self, what: &'static str) {
        *self.notes().counts.entry(what).or_default() += 1;
    }

    pub fn asked(&self, game: &str, request: &str) {
        let key = (game.to_owned(), request.to_owned());
        self.notes().requests.entry(key).or_insert(RequestState::Asked);
    }

    pub fn record_retry(&self, game: &str, request: &str) {
        let key = (game.to_owned(), request.to_owned());
        if let Some(came @ RequestState::Refused(_)) = self.notes().requests.get_mut(&key) {
            *came = RequestState::Asked;
        }
    }

    pub fn record_abandoned(&self, game: &str, request: &str) {
        let key = (game.to_owned(), request.to_owned());
        if let Some(came @ RequestState::Asked) = self.notes().requests.get_mut(&key) {
            *came = RequestState::Unknown;
        }
    }

    pub fn came(&self, game: &str, request: &str, came: RequestState) {
        traced!("came of {game} {request}: {came:?}");
        let came = if came == RequestState::Done && self.rolled_back_recently() {
            RequestState::Unknown
        } else {
            came
        };
        self.notes().requests.insert((game.to_owned(), request.to_owned()), came);
    }

    pub fn start_call(&self, what: String) -> PendingCall {
        let mut notes = self.notes();
        notes.called += 1;
        let number = notes.called;
        notes.calls.insert(number, (what, environment::elapsed().as_millis() as u64));
        PendingCall { ledger: self.clone(), number }
    }
}

/// A call that is pending until this value is dropped.
#[derive(Debug)]
pub struct PendingCall {
    ledger: Ledger,
    number: u64,
}

impl Drop for PendingCall {
    fn drop(&mut self) {
        self.ledger.notes().calls.remove(&self.number);
    }
}
