//! Records the calls of a client and their violations of the contract.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::{StreamEventsRequest, SubmitOrdersRequest, event};

/// Tolerance for clocks and timers when a client retries before the required delay has passed.
const EARLY: Duration = Duration::from_millis(20);

/// A recorder of one client's calls in one game, and of its violations.
#[derive(Debug, Default)]
pub struct Witness(Mutex<Seen>);

#[derive(Debug, Default)]
struct Seen {
    faults: Vec<Fault>,
    given: HashMap<String, Bytes>,
    /// The id of a request that may have been accepted. Before the client sends another request, it
    /// must repeat this one or fetch the state.
    unsure: Option<String>,
    must_fetch_view: Option<String>,
    waits: HashMap<String, (Instant, Duration)>,
    place: Place,
    /// Whether the client has ever sent a cursor. A client without cursors may rely on the snapshot
    /// at the start of each stream.
    resumes: bool,
    streams: usize,
    orders: usize,
    told: BTreeMap<u64, String>,
    end_was_sent: bool,
}

#[derive(Debug)]
struct Fault {
    kind: &'static str,
    first: String,
    times: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// The last event that the client certainly received.
    confirmed: Option<u64>,
    last_sent: Option<u64>,
}

impl Witness {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn called(&self, method: &str) {
        let mut seen = self.seen();
        if let Some((since, told)) = seen.waits.remove(method) {
            let waited = since.elapsed();
            if waited + EARLY < told {
                let (waited, told) = (waited.as_millis(), told.as_millis());
                let what = format!("after {waited} ms; RetryInfo requested {told} ms");
                seen.fault("early", format!("{method} was repeated {what}"));
            }
        }
        if matches!(method, "GetView" | "GetGame" | "GetOffers" | "StreamEvents") {
            (seen.must_fetch_view, seen.unsure) = (None, None);
        }
    }

    pub fn delay_requested(&self, method: &str, wait: Duration) {
        self.seen().waits.insert(method.to_owned(), (Instant::now(), wait));
    }

    /// Records a SubmitOrders request and its violations. Returns the number of earlier requests.
    pub fn ordered(&self, request: &SubmitOrdersRequest, bytes: &Bytes) -> usize {
        let mut seen = self.seen();
        let id = request.request_id.clone();
        if seen.given.get(&id).is_some_and(|given| given != bytes) {
            let what = "is used for two different SubmitOrders requests";
            seen.fault("id", format!("the request id {id:?} {what}"));
        }
        if let Some(unsure) = seen.unsure.take().filter(|unsure| *unsure != id) {
            let what = format!(
                "SubmitOrders {unsure:?} may have been accepted; the client neither resent it with \
                 the same id nor fetched the state before it sent {id:?}"
            );
            seen.fault("unsure", what);
        }
        if let Some(why) = seen.must_fetch_view.take() {
            let what = "the client submitted orders without fetching the view or offers";
            seen.fault("blind", format!("after {why}, {what}"));
        }
        seen.given.insert(id, bytes.clone());
        seen.orders += 1;
        seen.orders - 1
    }

    pub fn unsure(&self, request: &SubmitOrdersRequest) {
        self.seen().unsure = Some(request.request_id.clone());
    }

    pub fn must_fetch_view(&self, why: &str) {
        self.seen().must_fetch_view = Some(why.to_owned());
    }

    /// Records a StreamEvents request and its violations. Returns the number of earlier streams.
    pub fn stream_requested(&self, request: &StreamEventsRequest) -> usize {
        let mut seen = self.seen();
        let asked = request.after.as_ref().map(|cursor| cursor.number);
        let Place { confirmed, last_sent } = seen.place;
        let wrong = match (asked, confirmed, last_sent) {
            (Some(asked), _, Some(sent)) if asked > sent => Some((
                "skips",
                format!(
                    "events after {asked}, but the last event sent was {sent}: events are skipped"
                ),
            )),
            (Some(asked), Some(confirmed), _) if asked < confirmed && seen.streams > 0 => Some((
                "twice",
                format!(
                    "events after {asked}, but the client has event {confirmed}: events are repeated"
                ),
            )),
            _ => None,
        };
        if let Some((kind, what)) = wrong {
            seen.fault(kind, format!("StreamEvents requests {what}"));
        } else if let (None, Some(confirmed), true) = (asked, confirmed, seen.resumes) {
            let what = format!("the client has event {confirmed}: the events in between are lost");
            seen.fault("gap", format!("StreamEvents has no cursor, but {what}"));
        }
        if let Some(asked) = asked {
            seen.resumes = true;
            seen.place = Place { confirmed: Some(asked), last_sent: Some(asked) };
        }
        seen.streams += 1;
        seen.streams - 1
    }

    pub fn sent(&self, part: &Part) {
        let mut seen = self.seen();
        match part {
            Part::Snapshot(opening) if seen.place.last_sent.is_none() => {
                seen.place.last_sent = opening.cursor.as_ref().map(|cursor| cursor.number);
            }
            Part::Event(event) => {
                seen.place.last_sent = Some(event.number);
                seen.end_was_sent |= matches!(event.body, Some(event::Body::GameEnded(_)));
                seen.told.insert(event.number, event.text.clone());
            }
            Part::Snapshot(_)
            | Part::CaughtUp(_)
            | Part::FellBehind(_)
            | Part::Heartbeat(_)
            | Part::Chat(_) => {}
        }
    }

    /// Records that all parts of a stream arrived. On a lost connection, some parts may be missing.
    pub fn stream_delivered(&self) {
        let mut seen = self.seen();
        seen.place.confirmed = seen.place.last_sent;
    }

    pub fn fault(&self, what: String) {
        self.seen().fault("other", what);
    }

    pub fn faults(&self) -> Vec<String> {
        let told = |fault: &Fault| match fault.times {
            1 => fault.first.clone(),
            times => format!("{}; {times} times in total", fault.first),
        };
        self.seen().faults.iter().map(told).collect()
    }

    pub fn end_was_sent(&self) -> bool {
        self.seen().end_was_sent
    }

    /// Checks that each event was printed once, in order, with number and text on one line.
    pub fn print_faults(&self, output: &str) -> Vec<String> {
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
                "the client did not print {} of {all} events; the first missing event is {first}: \
                 {text}",
                missing.len()
            )
        });
        let twice =
            twice.map(|(number, times)| format!("event {number} was printed {times} times"));
        let turned =
            turned.map(|pair| format!("event {} was printed after event {}", pair[1], pair[0]));
        missing.into_iter().chain(twice).chain(turned).collect()
    }

    pub fn done(&self) -> (usize, usize) {
        let seen = self.seen();
        (seen.streams, seen.orders)
    }
}

impl Seen {
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

/// Returns the number of the event that a line shows, or `None` if it shows no event. The line must
/// contain the number as a word and the first line of the event's text.
fn printed(told: &BTreeMap<u64, String>, line: &str) -> Option<u64> {
    let says = |number: &u64| {
        told.get(number).is_some_and(|text| line.contains(text.lines().next().unwrap_or_default()))
    };
    line.split_whitespace().filter_map(|word| word.parse().ok()).find(says)
}

#[cfg(test)]
mod tests {
    use heliopause_proto::v1::{CaughtUp, Cursor, Event, GameEnded, Snapshot};
    use prost::Message as _;

    use super::*;

    fn hear(witness: &Witness, numbers: std::ops::RangeInclusive<u64>) {
        for number in numbers {
            witness.sent(&Part::Event(Event { number, ..Event::default() }));
        }
    }

    /// Performs a line of a transcript.
    fn perform(witness: &Witness, line: &str) {
        let number = |text: &str| text.parse::<u64>().expect("a number");
        let cursor = |text: &str| Cursor { number: number(text), ..Cursor::default() };
        match *line.split(' ').collect::<Vec<_>>() {
            ["called", method] => witness.called(method),
            ["delay", method, time] => {
                witness.delay_requested(method, Duration::from_secs(number(time)));
            }
            ["fetch", why] => witness.must_fetch_view(why),
            [how @ ("order" | "unsure"), id, phase] => {
                let (request_id, phase) = (id.to_owned(), Some(number(phase)));
                let request = SubmitOrdersRequest { request_id, phase, ..<_>::default() };
                witness.called("SubmitOrders");
                witness.ordered(&request, &Bytes::from(request.encode_to_vec()));
                if how == "unsure" {
                    witness.unsure(&request);
                }
            }
            ["listen", ref after @ ..] => {
                let after = after.first().map(|after| cursor(after));
                witness.called("StreamEvents");
                witness.stream_requested(&StreamEventsRequest { after, ..<_>::default() });
            }
            ["snapshot", at] => {
                let cursor = Some(cursor(at));
                witness.sent(&Part::Snapshot(Snapshot { cursor, ..Snapshot::default() }));
                witness.sent(&Part::CaughtUp(CaughtUp::default()));
            }
            ["hear", first, last] => hear(witness, number(first)..=number(last)),
            ["delivered"] => witness.stream_delivered(),
            _ => panic!("{line}"),
        }
    }

    #[test]
    fn violations_in_transcripts_are_faults() {
        for case in include_str!("witness_cases.txt").split("\n\n") {
            let witness = Witness::default();
            let mut wrong = Vec::new();
            for line in case.lines().skip(1) {
                match line.strip_prefix("= ") {
                    Some(fault) => wrong.push(fault),
                    None => perform(&witness, line),
                }
            }
            let faults = witness.faults();
            let same = faults.iter().zip(&wrong).all(|(fault, wrong)| fault.contains(wrong));
            assert!(same && faults.len() == wrong.len(), "{case}: {faults:?}");
        }
    }

    #[test]
    fn the_end_is_recorded_once_sent() {
        let witness = Witness::default();
        hear(&witness, 1..=5);
        assert!(!witness.end_was_sent());
        let body = Some(event::Body::GameEnded(GameEnded::default()));
        witness.sent(&Part::Event(Event { number: 6, body, ..Event::default() }));
        assert!(witness.end_was_sent());
    }

    #[test]
    fn each_event_is_printed_once_and_in_order() {
        let witness = Witness::default();
        for (number, text) in [(7, "Round 8."), (8, "A1 moves.\nFar."), (9, "A1 moves.")] {
            witness.sent(&Part::Event(Event { number, text: text.to_owned(), ..Event::default() }));
        }
        let good =
            "watching\n    7  Round 8. (rule 3)\n    8  A1 moves.\nlost; again\n    9  A1 moves.\n";
        assert_eq!(witness.print_faults(good), Vec::<String>::new());
        for (output, wrong) in [
            ("7 Round 8.\n9 A1 moves.", "the first missing event is 8: A1 moves."),
            ("7 Round 8.\n8 A1 moves.\n8 A1 moves.\n9 A1 moves.", "event 8 was printed 2 times"),
            ("7 Round 8.\n9 A1 moves.\n8 A1 moves.", "event 8 was printed after event 9"),
            ("7 Round 8.\n8\n9 A1 moves.", "the client did not print 1 of 3 events"),
        ] {
            let faults = witness.print_faults(output);
            assert!(
                matches!(&faults[..], [fault] if fault.contains(wrong)),
                "{output:?}: {faults:?}"
            );
        }
    }
}
