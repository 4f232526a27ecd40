//! A game told as a story: a sentence for each event that matters.

use heliopause_proto::v1::{Event, GameView, event};

use super::document::{Tone, Words};
use crate::text::{harmless, told};

/// What matters of what happened, a sentence each. `before` is what the reader of the events saw
/// before them: some games tell more from it.
pub fn tidings(before: Option<&GameView>, events: &[Event]) -> Vec<Words> {
    let tales = before.map_or_else(Vec::new, |before| super::tales(before, events));
    let mut tales = tales.into_iter();
    let words = |event: &Event| match tales.next().flatten() {
        Some(lines) => {
            lines.into_iter().map(|line| Words::plain(harmless(&line))).collect::<Vec<_>>()
        }
        None => tiding(event).into_iter().collect(),
    };
    events.iter().flat_map(words).collect()
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
