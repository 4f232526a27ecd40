//! What a client did, and what of it was wrong.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::{StreamEventsRequest, SubmitOrdersRequest, event};

/// How much earlier than told a client may come, for clocks and timers are not exact.
const EARLY: Duration = Duration::from_millis(20);

/// Follows the calls of one client about one game, and takes down what it does wrong.
#[derive(Debug, Default)]
pub struct Witness(Mutex<Seen>);

#[derive(Debug, Default)]
struct Seen {
    faults: Vec<Fault>,
    /// Orders by their request id.
    given: HashMap<String, Bytes>,
    /// The request whose end the client cannot know, or that it was told to repeat.
    unsure: Option<String>,
    /// Why the client has to look before it orders again.
    must_look: Option<&'static str>,
    /// How long the client was told to wait before it makes a call again.
    waits: HashMap<String, (Instant, Duration)>,
    /// The client's place in the game's events.
    place: Place,
    /// Whether it goes on by cursors. A client may do without: then the Opening of each stream
    /// tells it where the game stands.
    resumes: bool,
    streams: usize,
    orders: usize,
    /// The events that were sent, by their numbers: what each says.
    told: BTreeMap<u64, String>,
    /// Whether the end of the game was among them.
    told_the_end: bool,
}

/// Something wrong: how it first was, and how often it was.
#[derive(Debug)]
struct Fault {
    kind: &'static str,
    first: String,
    times: usize,
}

/// Where a client stands in the events.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// The last number that it surely has: when its stream began.
    surely: Option<u64>,
    /// The last number that was sent to it.
    at_most: Option<u64>,
}

impl Witness {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Any call came.
    pub fn called(&self, method: &str) {
        let mut seen = self.seen();
        if let Some((since, told)) = seen.waits.remove(method) {
            let waited = since.elapsed();
            if waited + EARLY < told {
                let (waited, told) = (waited.as_millis(), told.as_millis());
                seen.fault(
                    "early",
                    format!(
                        "{method} came again after {waited} ms, though RetryInfo said {told} ms"
                    ),
                );
            }
        }
        if matches!(method, "GetView" | "GetGame" | "GetOffers" | "StreamEvents") {
            (seen.must_look, seen.unsure) = (None, None);
        }
    }

    /// A call was refused with a time to wait.
    pub fn told_to_wait(&self, method: &str, wait: Duration) {
        self.seen().waits.insert(method.to_owned(), (Instant::now(), wait));
    }

    /// Orders came. Says how many came before them.
    pub fn ordered(&self, request: &SubmitOrdersRequest, bytes: &Bytes) -> usize {
        let mut seen = self.seen();
        let id = request.request_id.clone();
        match seen.given.get(&id) {
            Some(given) if given != bytes => {
                seen.fault(
                    "id",
                    format!(
                        "the request id {id:?} stands on two different requests of SubmitOrders"
                    ),
                );
            }
            _ => {}
        }
        if let Some(unsure) = seen.unsure.take().filter(|unsure| *unsure != id) {
            seen.fault(
                "unsure",
                format!(
                    "SubmitOrders {unsure:?} may have been taken; the client neither sent it again \
                 with the same id nor looked before it sent {id:?}"
                ),
            );
        }
        if let Some(why) = seen.must_look.take() {
            seen.fault(
                "blind",
                format!(
                    "after {why} the client ordered again without a look at the view or the offers"
                ),
            );
        }
        seen.given.insert(id, bytes.clone());
        seen.orders += 1;
        seen.orders - 1
    }

    /// The client cannot know what became of its orders.
    pub fn unsure(&self, request: &SubmitOrdersRequest) {
        self.seen().unsure = Some(request.request_id.clone());
    }

    /// The client has to look before it orders again.
    pub fn must_look(&self, why: &'static str) {
        self.seen().must_look = Some(why);
    }

    /// A stream of the game's events was asked for. Says how many came before it.
    pub fn listens(&self, request: &StreamEventsRequest) -> usize {
        let mut seen = self.seen();
        let asked = request.after.as_ref().map(|cursor| cursor.number);
        let Place { surely, at_most } = seen.place;
        match (asked, surely, at_most) {
            (Some(asked), _, Some(sent)) if asked > sent => {
                seen.fault(
                    "skips",
                    format!(
                        "StreamEvents after {asked}, though event {sent} was the last that was \
                         sent: events are skipped"
                    ),
                );
            }
            (Some(asked), Some(surely), _) if asked < surely && seen.streams > 0 => {
                seen.fault(
                    "twice",
                    format!(
                        "StreamEvents after {asked}, though the client has event {surely}: \
                        events come twice"
                    ),
                );
            }
            (None, Some(surely), _) if seen.resumes => {
                seen.fault(
                    "gap",
                    format!(
                        "StreamEvents without a cursor, though the client has \
                    event {surely}: what happened between is lost"
                    ),
                );
            }
            _ => {}
        }
        if let Some(asked) = asked {
            seen.resumes = true;
            seen.place = Place { surely: Some(asked), at_most: Some(asked) };
        }
        seen.streams += 1;
        seen.streams - 1
    }

    /// A part of the stream was sent.
    pub fn sent(&self, part: &Part) {
        let mut seen = self.seen();
        match part {
            Part::Opening(opening) if seen.place.at_most.is_none() => {
                seen.place.at_most = opening.cursor.as_ref().map(|cursor| cursor.number);
            }
            Part::Event(event) => {
                seen.place.at_most = Some(event.number);
                seen.told_the_end |= matches!(event.body, Some(event::Body::GameEnded(_)));
                seen.told.insert(event.number, event.text.clone());
            }
            Part::Opening(_) | Part::CaughtUp(_) | Part::FellBehind(_) | Part::Heartbeat(_) => {}
        }
    }

    /// The stream ended after all that was sent had come. Where its connection is lost, the last
    /// parts may be lost too.
    pub fn has_all(&self) {
        let mut seen = self.seen();
        seen.place.surely = seen.place.at_most;
    }

    /// Something else is wrong.
    pub fn fault(&self, what: String) {
        self.seen().fault("other", what);
    }

    /// What was wrong.
    pub fn faults(&self) -> Vec<String> {
        let told = |fault: &Fault| match fault.times {
            1 => fault.first.clone(),
            times => format!("{}; {times} times in all", fault.first),
        };
        self.seen().faults.iter().map(told).collect()
    }

    /// Whether the client was told that the game is over.
    pub fn told_the_end(&self) -> bool {
        self.seen().told_the_end
    }

    /// What is wrong with the events that a client printed: each has to be there once, in order,
    /// with number and text on a line.
    pub fn misprinted(&self, output: &str) -> Vec<String> {
        let seen = self.seen();
        let printed: Vec<u64> =
            output.lines().filter_map(|line| printed(&seen.told, line)).collect();
        let mut times: BTreeMap<u64, usize> = seen.told.keys().map(|number| (*number, 0)).collect();
        for number in &printed {
            *times.entry(*number).or_default() += 1;
        }
        let missing: Vec<u64> =
            times.iter().filter(|(_, times)| **times == 0).map(|(number, _)| *number).collect();
        let twice = times.iter().find(|(_, times)| **times > 1);
        let turned = printed.windows(2).find(|pair| pair[0] > pair[1]);
        let missing = missing.first().map(|first| {
            let (all, text) = (seen.told.len(), &seen.told[first]);
            format!(
                "of {all} events {} are not among what the client printed, first {first}: {text}",
                missing.len()
            )
        });
        let twice =
            twice.map(|(number, times)| format!("event {number} was printed {times} times"));
        let turned =
            turned.map(|pair| format!("event {} was printed after event {}", pair[1], pair[0]));
        missing.into_iter().chain(twice).chain(turned).collect()
    }

    /// What the client did: so many streams, so many orders.
    pub fn done(&self) -> (usize, usize) {
        let seen = self.seen();
        (seen.streams, seen.orders)
    }
}

impl Seen {
    /// Faults of a kind are told once.
    fn fault(&mut self, kind: &'static str, first: String) {
        match self
            .faults
            .iter_mut()
            .find(|fault| fault.kind == kind && (kind != "other" || fault.first == first))
        {
            Some(fault) => fault.times += 1,
            None => self.faults.push(Fault { kind, first, times: 1 }),
        }
    }
}

/// The event that a line tells of: it holds the number as a word, and the text.
fn printed(told: &BTreeMap<u64, String>, line: &str) -> Option<u64> {
    let says = |number: &u64| {
        told.get(number).is_some_and(|text| line.contains(text.lines().next().unwrap_or_default()))
    };
    line.split_whitespace().filter_map(|word| word.parse().ok()).find(says)
}

#[cfg(test)]
mod tests {
    use heliopause_proto::v1::{CaughtUp, Cursor, Event, GameEnded, Opening};
    use prost::Message as _;

    use super::*;

    fn order(witness: &Witness, id: &str, phase: u64) {
        let request = SubmitOrdersRequest {
            request_id: id.to_owned(),
            phase: Some(phase),
            ..SubmitOrdersRequest::default()
        };
        let bytes = Bytes::from(request.encode_to_vec());
        witness.called("SubmitOrders");
        witness.ordered(&request, &bytes);
    }

    fn unsure_of(witness: &Witness, id: &str) {
        order(witness, id, 1);
        witness.unsure(&SubmitOrdersRequest {
            request_id: id.to_owned(),
            ..SubmitOrdersRequest::default()
        });
    }

    fn listen(witness: &Witness, after: Option<u64>) {
        witness.called("StreamEvents");
        let after = after.map(|number| Cursor { number, ..Cursor::default() });
        witness.listens(&StreamEventsRequest { after, ..StreamEventsRequest::default() });
    }

    fn hear(witness: &Witness, numbers: std::ops::RangeInclusive<u64>) {
        for number in numbers {
            witness.sent(&Part::Event(Event { number, ..Event::default() }));
        }
    }

    fn faults_of(act: impl FnOnce(&Witness)) -> Vec<String> {
        let witness = Witness::default();
        act(&witness);
        witness.faults()
    }

    #[test]
    fn a_client_that_does_what_it_should_has_no_faults() {
        let faults = faults_of(|witness| {
            listen(witness, Some(0));
            hear(witness, 1..=5);
            witness.has_all();
            listen(witness, Some(5));
            hear(witness, 6..=9);
            listen(witness, Some(7));
            unsure_of(witness, "a");
            order(witness, "a", 1);
            unsure_of(witness, "b");
            witness.called("GetView");
            order(witness, "c", 2);
            witness.must_look("STALE_REVISION");
            witness.called("GetOffers");
            order(witness, "d", 2);
        });
        assert_eq!(faults, Vec::<String>::new());
    }

    #[test]
    fn a_client_without_cursors_begins_anew_each_time() {
        let faults = faults_of(|witness| {
            for _ in 0..2 {
                listen(witness, None);
                witness.sent(&Part::Opening(Opening {
                    cursor: Some(Cursor { number: 7, ..Cursor::default() }),
                    ..Opening::default()
                }));
                witness.sent(&Part::CaughtUp(CaughtUp::default()));
                hear(witness, 8..=9);
                witness.has_all();
            }
        });
        assert_eq!(faults, Vec::<String>::new());
    }

    #[test]
    fn orders_that_may_have_been_taken_are_not_given_under_another_name() {
        let faults = faults_of(|witness| {
            unsure_of(witness, "a");
            order(witness, "b", 1);
        });
        assert!(
            matches!(&faults[..], [fault] if fault.contains("\"a\" may have been taken")),
            "{faults:?}"
        );
    }

    #[test]
    fn a_request_id_is_of_one_request() {
        let faults = faults_of(|witness| {
            order(witness, "a", 1);
            order(witness, "a", 1);
            order(witness, "a", 2);
        });
        assert!(
            matches!(&faults[..], [fault] if fault.contains("two different requests")),
            "{faults:?}"
        );
    }

    #[test]
    fn whoever_came_too_late_looks() {
        let faults = faults_of(|witness| {
            witness.must_look("PHASE_CLOSED");
            order(witness, "a", 1);
        });
        assert!(
            matches!(&faults[..], [fault] if fault.contains("after PHASE_CLOSED")),
            "{faults:?}"
        );
    }

    #[test]
    fn whoever_comes_too_early_is_told_once() {
        let faults = faults_of(|witness| {
            for _ in 0..3 {
                witness.told_to_wait("GetView", Duration::from_mins(1));
                witness.called("GetView");
            }
            witness.told_to_wait("GetView", Duration::ZERO);
            witness.called("GetView");
        });
        assert!(
            matches!(&faults[..], [fault] if fault.ends_with("; 3 times in all")),
            "{faults:?}"
        );
    }

    #[test]
    fn events_are_neither_skipped_nor_asked_for_twice() {
        for (asked, wrong) in [(Some(9), "skipped"), (Some(4), "twice"), (None, "lost")] {
            let faults = faults_of(|witness| {
                listen(witness, Some(0));
                hear(witness, 1..=5);
                witness.has_all();
                listen(witness, asked);
            });
            assert!(
                matches!(&faults[..], [fault] if fault.contains(wrong)),
                "{asked:?}: {faults:?}"
            );
        }
    }

    #[test]
    fn the_end_is_known_once_it_was_sent() {
        let witness = Witness::default();
        hear(&witness, 1..=5);
        assert!(!witness.told_the_end());
        let body = Some(event::Body::GameEnded(GameEnded::default()));
        witness.sent(&Part::Event(Event { number: 6, body, ..Event::default() }));
        assert!(witness.told_the_end());
    }

    #[test]
    fn each_event_is_printed_once_and_in_order() {
        let witness = Witness::default();
        for (number, text) in [(7, "Round 8."), (8, "A1 moves.\nFar."), (9, "A1 moves.")] {
            witness.sent(&Part::Event(Event { number, text: text.to_owned(), ..Event::default() }));
        }
        let good =
            "watching\n    7  Round 8. (rule 3)\n    8  A1 moves.\nlost; again\n    9  A1 moves.\n";
        assert_eq!(witness.misprinted(good), Vec::<String>::new());
        for (output, wrong) in [
            ("7 Round 8.\n9 A1 moves.", "first 8: A1 moves."),
            ("7 Round 8.\n8 A1 moves.\n8 A1 moves.\n9 A1 moves.", "event 8 was printed 2 times"),
            ("7 Round 8.\n9 A1 moves.\n8 A1 moves.", "event 8 was printed after event 9"),
            ("7 Round 8.\n8\n9 A1 moves.", "of 3 events 1 are not"),
        ] {
            let faults = witness.misprinted(output);
            assert!(
                matches!(&faults[..], [fault] if fault.contains(wrong)),
                "{output:?}: {faults:?}"
            );
        }
    }
}
