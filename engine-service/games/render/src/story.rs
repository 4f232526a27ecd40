//! A game told as a story: a sentence for each event that matters.

use heliopause_proto::v1::{Event, event};

use super::document::{Tone, Words};
use crate::text::told;

/// What matters of what happened, a sentence each.
pub fn tidings(events: &[Event]) -> Vec<Words> {
    events.iter().filter_map(tiding).collect()
}

fn tiding(event: &Event) -> Option<Words> {
    let tone = match event.body.as_ref()? {
        event::Body::Game(own) => super::weighs(own)?,
        event::Body::SeatChanged(_) => Tone::Faint,
        event::Body::GameEnded(_) => Tone::Strong,
        event::Body::Message(_) => Tone::Notice,
        _ => return None,
    };
    (!event.text.is_empty()).then(|| Words::new(told(&event.text, 4), tone))
}
