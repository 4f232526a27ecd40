//! An entry as it goes out to the subscribers of a game.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::store::v1::Entry;
use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::{Event, StreamEventsResponse, event};
use heliopause_table::Table;
use prost::Message as _;

/// An entry with more events than this is not kept for those who listen: they read it from the journal, so that a game's
/// few latest entries never weigh much.
const EVENTS_KEPT: usize = 64;

/// An event as its readers get it: the message of the stream, encoded.
#[derive(Clone)]
pub(crate) struct EncodedEvent {
    pub(crate) number: u64,
    pub(crate) message: Bytes,
}

impl EncodedEvent {
    pub(crate) fn new(event: Event) -> Self {
        Self { number: event.number, message: encoded(Part::Event(event)) }
    }
}

/// A message of a stream of events, as it goes out.
pub(crate) fn encoded(part: Part) -> Bytes {
    StreamEventsResponse { part: Some(part) }.encode_to_vec().into()
}

/// An entry that is durable. What each audience is told of it is worked out and encoded once, however many listen.
pub(crate) struct Published {
    pub(crate) number: u64,
    /// The entry itself, unless it is a large one.
    entry: Option<Arc<Entry>>,
    by_audience: Vec<OnceLock<Arc<[EncodedEvent]>>>,
    /// The seats whose occupants may have changed.
    pub(crate) seats_changed: Vec<Seat>,
}

impl Published {
    pub(crate) fn new(entry: &Arc<Entry>) -> Self {
        let audiences = 2 + entry.told_before.len().saturating_sub(2).max(Seat::MAX);
        let seats_changed = entry.events.iter().filter_map(|told| changed_seat(told.event.as_ref()?)).collect();
        Self {
            number: entry.number,
            entry: (entry.events.len() <= EVENTS_KEPT).then(|| entry.clone()),
            by_audience: (0..audiences).map(|_| OnceLock::new()).collect(),
            seats_changed,
        }
    }

    /// What one audience is told; `None` if that must be read from the journal.
    pub(crate) fn events(&self, viewer: Viewer) -> Option<Arc<[EncodedEvent]>> {
        let entry = self.entry.as_ref()?;
        let index = match viewer {
            Viewer::Spectator => 0,
            Viewer::GameMaster => 1,
            Viewer::Seat(seat) => 2 + seat.index(),
        };
        let encode = || Table::events_for(entry, viewer).map(EncodedEvent::new).collect();
        Some(self.by_audience[index].get_or_init(encode).clone())
    }
}

fn changed_seat(event: &Event) -> Option<Seat> {
    match event.body.as_ref()? {
        event::Body::SeatChanged(changed) => Seat::numbered(changed.seat.as_ref()?.number),
        _ => None,
    }
}
