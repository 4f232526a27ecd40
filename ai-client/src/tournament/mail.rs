//! The messages and recent events of the seats of a game, as in the leases of an engine.

use heliopause_kernel::{Emitted, Seat};

use crate::bot::ReceivedMessage;
use crate::games::Playable;

/// Number of recent events, and of messages, for a seat.
const RECENT: usize = 200;

pub(super) struct Mail<G: Playable> {
    recent: Vec<Vec<G::Event>>,
    incoming: Vec<Vec<ReceivedMessage>>,
    last: u64,
}

impl<G: Playable> Mail<G> {
    pub(super) fn new(players: usize) -> Self {
        let recent = (0..players).map(|_| Vec::new()).collect();
        Self { recent, incoming: vec![Vec::new(); players], last: 0 }
    }

    pub(super) fn publish(&mut self, emitted: &Emitted<G::Event>) {
        for addressed in emitted {
            for seat in addressed.audience.seats.iter() {
                if let Some(recent) = self.recent.get_mut(seat.index()) {
                    push(recent, addressed.event.clone());
                }
            }
        }
    }

    pub(super) fn deliver(&mut self, from: Seat, to: Seat, text: &str) {
        self.last += 1;
        let message =
            ReceivedMessage { number: self.last, from: Some(from), text: text.to_owned() };
        if let Some(incoming) = self.incoming.get_mut(to.index()) {
            push(incoming, message);
        }
    }

    pub(super) fn recent(&self, seat: Seat) -> &[G::Event] {
        self.recent.get(seat.index()).map_or(&[], Vec::as_slice)
    }

    pub(super) fn incoming(&self, seat: Seat) -> &[ReceivedMessage] {
        self.incoming.get(seat.index()).map_or(&[], Vec::as_slice)
    }
}

fn push<T>(list: &mut Vec<T>, item: T) {
    list.push(item);
    let surplus = list.len().saturating_sub(RECENT);
    list.drain(..surplus);
}
