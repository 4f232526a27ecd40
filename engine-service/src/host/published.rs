//! An entry as it goes out to the subscribers of a game.

use std::sync::{Arc, OnceLock};

use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::store::v1::Entry;
use heliopause_proto::v1::{Event, event};
use heliopause_table::Table;

/// An entry that is durable. What each audience is told of it is worked out once, however many listen.
pub(crate) struct Published {
    pub(crate) entry: Arc<Entry>,
    by_audience: Vec<OnceLock<Arc<[Event]>>>,
    /// The seats whose occupants may have changed.
    pub(crate) seats_changed: Vec<Seat>,
}

impl Published {
    pub(crate) fn new(entry: Arc<Entry>) -> Self {
        let audiences = 2 + entry.told_before.len().saturating_sub(2).max(Seat::MAX);
        let seats_changed = entry.events.iter().filter_map(|told| changed_seat(told.event.as_ref()?)).collect();
        Self { by_audience: (0..audiences).map(|_| OnceLock::new()).collect(), entry, seats_changed }
    }

    /// What one audience is told.
    pub(crate) fn events(&self, viewer: Viewer) -> Arc<[Event]> {
        let index = match viewer {
            Viewer::Spectator => 0,
            Viewer::GameMaster => 1,
            Viewer::Seat(seat) => 2 + seat.index(),
        };
        self.by_audience[index].get_or_init(|| Table::events_for(&self.entry, viewer).collect()).clone()
    }
}

fn changed_seat(event: &Event) -> Option<Seat> {
    match event.body.as_ref()? {
        event::Body::SeatChanged(changed) => Seat::numbered(changed.seat.as_ref()?.number),
        _ => None,
    }
}
