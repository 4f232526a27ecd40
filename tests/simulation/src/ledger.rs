//! What players did and were told, to be compared with the journals; and what is not as it must be.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use heliopause_proto::v1::Event;

use crate::{ground, traced};

/// How long after the store went back an engine may still answer by what was lost.
const KNOWN_BY_THEN: Duration = Duration::from_secs(30);

/// Whose events somebody follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Audience {
    Spectators,
    Seat(u32),
}

/// A request, by the game and its id.
pub type Request = (String, String);

/// What came of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Came {
    /// It was asked, and nothing is known of what came of that.
    Asked,
    /// The same, and an attempt of which nobody will hear may still be under way.
    Unknown,
    /// It was done.
    Done,
    /// It was refused for good, for this reason.
    Refused(String),
}

/// The events that a follower was told of.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// The number of the last event before them, once that is known.
    pub after: Option<u64>,
    pub events: Vec<Event>,
}

impl Told {
    /// The number of the last event.
    pub fn last(&self) -> Option<u64> {
        self.events.last().map(|event| event.number).or(self.after)
    }
}

/// What is written down.
#[derive(Debug, Default)]
pub struct Notes {
    pub requests: BTreeMap<Request, Came>,
    /// By game, audience and follower.
    pub told: BTreeMap<(String, Audience, u8), Told>,
    /// When entries became part of a journal, by game and number.
    pub appended: BTreeMap<(String, u64), Instant>,
    pub violations: Vec<String>,
    /// Calls under way: what, and since when, in milliseconds of the run.
    pub calls: BTreeMap<u64, (String, u64)>,
    pub called: u64,
    /// When the store went back to an earlier state, and the games of which an engine must say so.
    pub went_back: Option<(Instant, Vec<String>)>,
    /// How often something happened, by name.
    pub counts: BTreeMap<&'static str, u64>,
}

/// The ledger, which everybody writes into.
#[derive(Clone, Debug, Default)]
pub struct Ledger(Arc<Mutex<Notes>>);

impl Ledger {
    /// All that is written down.
    pub fn notes(&self) -> MutexGuard<'_, Notes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something is not as it must be.
    #[expect(clippy::needless_pass_by_value, reason = "it is made where it is told")]
    pub fn violated(&self, what: String) {
        traced!("VIOLATION {what}");
        let at = ground::elapsed().as_secs_f64();
        let mut notes = self.notes();
        if notes.violations.len() < 20 {
            notes.violations.push(format!("at {at:.1} s: {what}"));
        }
    }

    /// The store went back to an earlier state: of what was done nobody knows whether it is there.
    pub fn went_back(&self, must_be_said: Vec<String>) {
        let mut notes = self.notes();
        notes.went_back = Some((Instant::now(), must_be_said));
        notes.appended.clear();
        for came in notes.requests.values_mut().filter(|came| **came == Came::Done) {
            *came = Came::Unknown;
        }
    }

    /// Whether the store went back so lately that an engine may not know it, or an answer of before
    /// may be on its way.
    pub fn went_back_lately(&self) -> bool {
        self.notes().went_back.as_ref().is_some_and(|(at, _)| at.elapsed() < KNOWN_BY_THEN)
    }

    /// The last events that followers heard.
    pub fn heard(&self) -> Vec<((String, Audience, u8), u64)> {
        let notes = self.notes();
        let last = notes.told.iter().filter_map(|(key, told)| Some((key.clone(), told.last()?)));
        last.collect()
    }

    /// Something happened once more.
    pub fn count(&self, what: &'static str) {
        *self.notes().counts.entry(what).or_default() += 1;
    }

    /// A request is made.
    pub fn asked(&self, game: &str, request: &str) {
        let key = (game.to_owned(), request.to_owned());
        self.notes().requests.entry(key).or_insert(Came::Asked);
    }

    /// A request that was refused is made again.
    pub fn asked_again(&self, game: &str, request: &str) {
        let key = (game.to_owned(), request.to_owned());
        if let Some(came @ Came::Refused(_)) = self.notes().requests.get_mut(&key) {
            *came = Came::Asked;
        }
    }

    /// Nobody will hear what came of an attempt.
    pub fn lost_sight_of(&self, game: &str, request: &str) {
        let key = (game.to_owned(), request.to_owned());
        if let Some(came @ Came::Asked) = self.notes().requests.get_mut(&key) {
            *came = Came::Unknown;
        }
    }

    /// It is known what came of a request.
    pub fn came(&self, game: &str, request: &str, came: Came) {
        traced!("came of {game} {request}: {came:?}");
        let came = if came == Came::Done && self.went_back_lately() { Came::Unknown } else { came };
        self.notes().requests.insert((game.to_owned(), request.to_owned()), came);
    }

    /// A call begins, which must end.
    pub fn calling(&self, what: String) -> Calling {
        let mut notes = self.notes();
        notes.called += 1;
        let number = notes.called;
        notes.calls.insert(number, (what, ground::elapsed().as_millis() as u64));
        Calling { ledger: self.clone(), number }
    }
}

/// A call that is under way until this is dropped.
#[derive(Debug)]
pub struct Calling {
    ledger: Ledger,
    number: u64,
}

impl Drop for Calling {
    fn drop(&mut self) {
        self.ledger.notes().calls.remove(&self.number);
    }
}
