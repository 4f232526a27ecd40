//! Sentences for people about events.

use heliopause_kernel::Seat;

use crate::event::Event;

/// A sentence about an event, and the rule that decided it.
pub(crate) fn describe(_event: &Event, _names: &dyn Fn(Seat) -> String) -> (String, &'static str) {
    todo!("one sentence an event")
}
