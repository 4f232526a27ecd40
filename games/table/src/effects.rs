//! The events and ratings that a step produces.

use heliopause_kernel::{Audience, Seat};
use heliopause_proto::store::v1::{ListStopped, PublishedEvent};
use heliopause_proto::v1::{Event, Message, event};

use crate::registry::DescribedEvents;
use crate::time::{Millis, stamp};
use crate::unhashed::Texts;

#[derive(Debug)]
pub(crate) struct Effects {
    pub(crate) now: Millis,
    pub(crate) events: Vec<PublishedEvent>,
    pub(crate) ratings: Vec<(String, i32)>,
    /// The place where a list of orders stopped. `None` if the whole list was applied.
    pub(crate) stopped: Option<ListStopped>,
    pub(crate) texts: Texts,
}

impl Effects {
    pub(crate) fn new(now: Millis, texts: Texts) -> Self {
        Self { now, events: Vec::new(), ratings: Vec::new(), stopped: None, texts }
    }

    pub(crate) fn publish(
        &mut self,
        audience: Audience,
        text: impl Into<String>,
        body: event::Body,
    ) {
        self.push(audience, text.into(), "", body);
    }

    pub(crate) fn everyone(&mut self, text: impl Into<String>, body: event::Body) {
        self.publish(Audience::everyone(), text, body);
    }

    pub(crate) fn seat(&mut self, seat: Seat, text: impl Into<String>, body: event::Body) {
        self.publish(Audience { game_master: false, ..Audience::seat(seat) }, text, body);
    }

    /// Publishes a message. `sentence` introduces the text with number `text`.
    pub(crate) fn message(
        &mut self,
        audience: Audience,
        sentence: String,
        message: Message,
        text: u32,
    ) {
        self.push(audience, sentence, "", event::Body::Message(message));
        if let Some(event) = self.events.last_mut() {
            event.message_text = text;
        }
    }

    pub(crate) fn game(&mut self, happenings: DescribedEvents) {
        for addressed in happenings {
            let happening = addressed.event;
            self.push(
                addressed.audience,
                happening.text,
                happening.rule,
                event::Body::Game(happening.event),
            );
        }
    }

    fn push(&mut self, audience: Audience, text: String, rule: &str, body: event::Body) {
        let event = Event {
            number: 0,
            time: Some(stamp(self.now)),
            text,
            rule: rule.to_owned(),
            body: Some(body),
        };
        self.events.push(PublishedEvent {
            seats: audience.seats.bits(),
            spectators: audience.spectators,
            game_master: audience.game_master,
            event: Some(event),
            message_text: 0,
        });
    }
}

pub(crate) fn is_visible_to(event: &PublishedEvent, viewer: heliopause_kernel::Viewer) -> bool {
    use heliopause_kernel::{SeatSet, Viewer};
    match viewer {
        Viewer::Seat(seat) => SeatSet::from_bits(event.seats).contains(seat),
        Viewer::Spectator => event.spectators,
        Viewer::GameMaster => event.game_master,
    }
}
