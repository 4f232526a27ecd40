//! A game told as a story: a chapter for each of its turns, a sentence for each event that matters,
//! and how things stood at the end of the chapter, where the game lets that be found out.

use heliopause_proto::v1::{Event, GameView, event};

use super::document::{Tone, Words};
use super::{Renderer, own_event};
use crate::text::told;

/// A chapter.
#[derive(Clone, Debug)]
pub struct Chapter {
    /// Its title.
    pub title: String,
    /// What happened.
    pub tidings: Vec<Words>,
    /// The view at its end.
    pub scene: Option<GameView>,
}

/// What matters of the events of one game. What it does not say itself is as the renderer says it.
pub trait Teller<G: Renderer> {
    /// The title of the chapter that begins with an event; none if the chapter goes on.
    fn opens(&mut self, event: &G::Event) -> Option<String> {
        G::opens(event)
    }
    /// How important an event is; none if the story does without it.
    fn weighs(&mut self, event: &G::Event) -> Option<Tone> {
        (!G::is_told_elsewhere(event)).then_some(Tone::Plain)
    }
    /// How things stand after all events that it has weighed.
    fn scene(&self) -> Option<G::View> {
        None
    }
}

/// A chapter a turn, for games of which nothing more is known.
pub(super) struct Turns;

impl<G: Renderer> Teller<G> for Turns {}

/// The chapters of a game, from all events that the viewer was told. Chapters in which nothing
/// happened are left out.
pub fn story(view: &GameView, events: &[Event]) -> Vec<Chapter> {
    super::chapters(view, events).unwrap_or_default()
}

/// The same for a game that is known.
pub(super) fn chapters<G: Renderer>(view: &G::View, events: &[Event]) -> Vec<Chapter> {
    let mut teller = G::teller(view);
    let mut chapters = vec![chapter("The beginning".to_owned())];
    for event in events {
        let tone = match &event.body {
            Some(event::Body::Game(game)) => own_event::<G>(game).and_then(|own| {
                if let Some(title) = teller.opens(&own) {
                    close(&mut chapters, &*teller);
                    chapters.push(chapter(title));
                }
                teller.weighs(&own)
            }),
            Some(event::Body::SeatChanged(_)) => Some(Tone::Faint),
            Some(event::Body::GameEnded(_)) => Some(Tone::Strong),
            _ => None,
        };
        if let (Some(tone), Some(last), false) = (tone, chapters.last_mut(), event.text.is_empty())
        {
            last.tidings.push(Words::new(told(&event.text, 4), tone));
        }
    }
    close(&mut chapters, &*teller);
    chapters.retain(|chapter| !chapter.tidings.is_empty());
    chapters
}

fn chapter(title: String) -> Chapter {
    Chapter { title, tidings: Vec::new(), scene: None }
}

fn close<G: Renderer>(chapters: &mut [Chapter], teller: &dyn Teller<G>) {
    if let Some(last) = chapters.last_mut() {
        last.scene = teller.scene().map(|view| G::seal_view(G::write_view(&view)));
    }
}
