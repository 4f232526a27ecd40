//! Published entries. Each is encoded and framed once for each audience.
//!
//! Subscribers do not have separate queues. A subscriber that falls behind reads the journal.

use std::sync::{Arc, OnceLock};

use bytes::{BufMut as _, Bytes, BytesMut};
use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::store::v1::Entry;
use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::{Event, StreamEventsResponse, event};
use heliopause_table::Subscriber;
use prost::Message as _;

/// The limits of an entry's events in memory. Subscribers read larger entries from the journal.
const EVENTS_KEPT: usize = 64;
const BYTES_KEPT: usize = 64 << 10;

#[derive(Clone, Debug, Default)]
pub(crate) struct Messages(BytesMut);

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

pub(crate) fn encoded(part: Part) -> Bytes {
    let mut messages = Messages::default();
    messages.push(part);
    messages.into_bytes()
}

#[derive(Clone, Debug)]
pub(crate) struct AudienceEvents {
    pub(crate) last: u64,
    pub(crate) messages: Bytes,
}

pub(crate) struct Published {
    pub(crate) number: u64,
    entry: Option<Arc<Entry>>,
    by_audience: Vec<OnceLock<AudienceEvents>>,
    pub(crate) seats_changed: Vec<Seat>,
}

impl Published {
    pub(crate) fn new(entry: &Arc<Entry>, stored_bytes: usize) -> Self {
        let audiences = 2 + entry.published_before.len().saturating_sub(2).max(Seat::MAX);
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

    /// Returns the events of an audience, or `None` if they must be read from the journal.
    pub(crate) fn told(&self, viewer: Viewer) -> Option<&AudienceEvents> {
        let entry = self.entry.as_ref()?;
        let index = match viewer {
            Viewer::Spectator => 0,
            Viewer::GameMaster => 1,
            Viewer::Seat(seat) => 2 + seat.index(),
        };
        Some(self.by_audience[index].get_or_init(|| told(entry, &Subscriber::new(viewer), 0)))
    }
}

pub(crate) fn told(entry: &Entry, reader: &Subscriber, after: u64) -> AudienceEvents {
    let mut told =
        AudienceEvents { last: reader.event_count_before(entry), messages: Bytes::new() };
    let mut messages = Messages::default();
    for event in reader.events_of(entry) {
        told.last = event.number;
        if event.number > after {
            messages.push(Part::Event(event));
        }
    }
    told.messages = messages.into_bytes();
    told
}

fn changed_seat(event: &Event) -> Option<Seat> {
    match event.body.as_ref()? {
        event::Body::SeatChanged(changed) => Seat::numbered(changed.seat.as_ref()?.number),
        _ => None,
    }
}
