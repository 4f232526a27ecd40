//! An entry as it goes out to the subscribers of a game.

use std::sync::{Arc, OnceLock};

use bytes::{BufMut as _, Bytes, BytesMut};
use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::store::v1::Entry;
use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::{Event, StreamEventsResponse, event};
use heliopause_table::rehearsal::{Planted, on};
use heliopause_table::{Subscriber, Table};
use prost::Message as _;

/// An entry with more events than this, or of a larger size, is not kept for listeners: they read
/// it from the journal, so that a game's few latest entries never weigh much.
const EVENTS_KEPT: usize = 64;
const BYTES_KEPT: usize = 64 << 10;

/// Messages of a stream as they go over the wire, one after the other, each with gRPC's prefix.
#[derive(Clone, Debug, Default)]
pub(crate) struct Messages(BytesMut);

/// gRPC's prefix of a message: whether it is compressed, and its length.
const PREFIX: usize = 5;

impl Messages {
    pub(crate) fn push(&mut self, part: Part) {
        let message = StreamEventsResponse { part: Some(part) };
        let length = message.encoded_len();
        self.0.reserve(PREFIX + length);
        self.0.put_u8(0);
        self.0.put_u32(
            u32::try_from(length).expect("an event is no larger than the orders that made it"),
        );
        message.encode_raw(&mut self.0);
    }

    pub(crate) fn into_bytes(self) -> Bytes {
        self.0.freeze()
    }
}

/// One message of a stream, as it goes out.
pub(crate) fn encoded(part: Part) -> Bytes {
    let mut messages = Messages::default();
    messages.push(part);
    messages.into_bytes()
}

/// One audience's events of an entry.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    /// The number of its last event.
    pub(crate) last: u64,
    /// The messages, encoded; empty if there are none for the audience.
    pub(crate) messages: Bytes,
}

/// A durable entry. Each audience's events are computed and encoded once, for any number of
/// listeners.
pub(crate) struct Published {
    pub(crate) number: u64,
    /// The entry itself, unless it is a large one.
    entry: Option<Arc<Entry>>,
    by_audience: Vec<OnceLock<Told>>,
    /// The seats whose occupants may have changed.
    pub(crate) seats_changed: Vec<Seat>,
}

impl Published {
    /// An entry, and how much room it takes in the journal.
    pub(crate) fn new(entry: &Arc<Entry>, stored_bytes: usize) -> Self {
        let audiences = 2 + entry.told_before.len().saturating_sub(2).max(Seat::MAX);
        let seats_changed =
            entry.events.iter().filter_map(|told| changed_seat(told.event.as_ref()?)).collect();
        Self {
            number: entry.number,
            entry: (entry.events.len() <= EVENTS_KEPT && stored_bytes <= BYTES_KEPT)
                .then(|| entry.clone()),
            by_audience: (0..audiences).map(|_| OnceLock::new()).collect(),
            seats_changed,
        }
    }

    /// The events of one audience; `None` if they must be read from the journal.
    pub(crate) fn told(&self, viewer: Viewer) -> Option<&Told> {
        let entry = self.entry.as_ref()?;
        let index = match viewer {
            Viewer::Spectator => 0,
            Viewer::GameMaster => 1,
            Viewer::Seat(seat) => 2 + seat.index(),
        };
        Some(self.by_audience[index].get_or_init(|| told(entry, &Subscriber::new(viewer), 0)))
    }
}

/// An audience's events of an entry after a number.
pub(crate) fn told(entry: &Entry, reader: &Subscriber, after: u64) -> Told {
    if on(Planted::RedactionForgotten) && reader.viewer() == Viewer::Spectator {
        return told_too_much(entry, after);
    }
    let shifted = u64::from(on(Planted::NumberOffByOne) && after > 0);
    let mut told = Told { last: reader.told_before(entry), messages: Bytes::new() };
    let mut messages = Messages::default();
    for event in reader.events_of(entry) {
        told.last = event.number;
        if event.number > after {
            let number = event.number + shifted;
            messages.push(Part::Event(Event { number, ..event }));
        }
    }
    told.messages = messages.into_bytes();
    told
}

/// A planted fault: spectators hear of all that seats are told, under their own numbers.
fn told_too_much(entry: &Entry, after: u64) -> Told {
    let before = Table::told_before(entry, Viewer::Spectator);
    let mut messages = Messages::default();
    let mut last = before;
    for told in entry.events.iter().filter(|told| told.spectators || told.seats != 0) {
        let Some(event) = told.event.clone() else { continue };
        last += 1;
        if last > after {
            messages.push(Part::Event(Event { number: last, ..event }));
        }
    }
    Told { last, messages: messages.into_bytes() }
}

fn changed_seat(event: &Event) -> Option<Seat> {
    match event.body.as_ref()? {
        event::Body::SeatChanged(changed) => Seat::numbered(changed.seat.as_ref()?.number),
        _ => None,
    }
}
