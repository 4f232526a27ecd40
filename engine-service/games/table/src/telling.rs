//! The events of a step, while it is taken.

use heliopause_kernel::{Audience, Seat};
use heliopause_proto::store::v1::{ListStopped, ToldEvent};
use heliopause_proto::v1::{Event, Message, event};

use crate::registry::Happenings;
use crate::time::{Millis, stamp};
use crate::unhashed::Texts;

/// The events and ratings of a step, gathered while it is taken.
#[derive(Debug)]
pub(crate) struct Telling {
    pub(crate) now: Millis,
    pub(crate) events: Vec<ToldEvent>,
    /// Changes of dedication ratings, by player id.
    pub(crate) ratings: Vec<(String, i32)>,
    /// Where a list of orders stopped, if it was not taken to its end.
    pub(crate) stopped: Option<ListStopped>,
    /// The texts of messages: first those of the step.
    pub(crate) texts: Texts,
}

impl Telling {
    pub(crate) fn new(now: Millis, texts: Texts) -> Self {
        Self { now, events: Vec::new(), ratings: Vec::new(), stopped: None, texts }
    }

    /// Tells an audience of something about the table.
    pub(crate) fn tell(&mut self, audience: Audience, text: impl Into<String>, body: event::Body) {
        self.push(audience, text.into(), "", body);
    }

    /// Tells everybody of something about the table.
    pub(crate) fn everyone(&mut self, text: impl Into<String>, body: event::Body) {
        self.tell(Audience::everyone(), text, body);
    }

    /// Tells one seat of something that nobody else may know, not even the game master's count.
    pub(crate) fn seat(&mut self, seat: Seat, text: impl Into<String>, body: event::Body) {
        self.tell(Audience { game_master: false, ..Audience::seat(seat) }, text, body);
    }

    /// Tells an audience of a message by a sentence that its text ends. The text has this number
    /// among the texts.
    pub(crate) fn message(
        &mut self,
        audience: Audience,
        sentence: String,
        message: Message,
        text: u32,
    ) {
        self.push(audience, sentence, "", event::Body::Message(message));
        if let Some(told) = self.events.last_mut() {
            told.message_text = text;
        }
    }

    /// Tells what happened in the game itself.
    pub(crate) fn game(&mut self, happenings: Happenings) {
        for told in happenings {
            let happening = told.event;
            self.push(
                told.audience,
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
        self.events.push(ToldEvent {
            seats: audience.seats.bits(),
            spectators: audience.spectators,
            game_master: audience.game_master,
            event: Some(event),
            message_text: 0,
        });
    }
}

/// Whether an event of the journal is told to a viewer.
pub(crate) fn told_to(told: &ToldEvent, viewer: heliopause_kernel::Viewer) -> bool {
    use heliopause_kernel::{SeatSet, Viewer};
    match viewer {
        Viewer::Seat(seat) => SeatSet::from_bits(told.seats).contains(seat),
        Viewer::Spectator => told.spectators,
        Viewer::GameMaster => told.game_master,
    }
}
