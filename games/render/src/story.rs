//! Tells a game as a story, with sentences for each important event.

use heliopause_proto::v1::{Event, GameView, event};

use super::document::{Tone, Words};
use crate::text::{harmless, told};

/// Returns the important events as sentences. `before` is the reader's view before the events.
pub fn highlights(before: Option<&GameView>, events: &[Event]) -> Vec<Words> {
    let event_stories = before.map_or_else(Vec::new, |before| super::event_stories(before, events));
    let mut event_stories = event_stories.into_iter();
    let words = |event: &Event| match event_stories.next().flatten() {
        Some(lines) => {
            lines.into_iter().map(|line| Words::plain(harmless(&line))).collect::<Vec<_>>()
        }
        None => tiding(event).into_iter().collect(),
    };
    events.iter().flat_map(words).collect()
}

fn tiding(event: &Event) -> Option<Words> {
    let tone = match event.body.as_ref()? {
        event::Body::Game(own) => super::importance(own)?,
        event::Body::SeatChanged(_) => Tone::Faint,
        event::Body::GameEnded(_) => Tone::Strong,
        event::Body::Message(_) => Tone::Notice,
        _ => return None,
    };
    (!event.text.is_empty()).then(|| Words::new(told(&event.text, 4), tone))
}
