//! Following the events of a game through lost connections.

use std::time::Duration;

use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::{Cursor, Event, Opening, StreamEventsRequest, StreamEventsResponse};
use heliopause_table::rehearsal::{Planted, mark, on};
use tokio::time::{sleep, timeout};
use tonic::Streaming;

use crate::engine::Engine;
use crate::failure::Failure;

/// The engine sends a heartbeat every 20 seconds at least: after three missing ones the connection
/// is dead.
const SILENCE: Duration = Duration::from_mins(1);
/// The longest pause between two attempts to connect.
const PAUSE_MAX: Duration = Duration::from_secs(15);

/// A game's events, as one viewer is told of them, without a gap or a duplicate.
#[derive(Debug)]
pub struct Follower {
    engine: Engine,
    request: StreamEventsRequest,
    stream: Option<Streaming<StreamEventsResponse>>,
    pause: Duration,
    lost: bool,
    /// Whether the engine has accepted the cursor, or gave it.
    accepted: bool,
}

/// What a follower hears.
#[derive(Debug)]
pub enum Heard {
    /// Connected: where the game stands.
    Opening(Box<Opening>),
    /// Something happened.
    Event(Box<Event>),
    /// All up to now was told; what follows is live.
    CaughtUp(Cursor),
    /// The reader was too slow; the engine catches it up.
    FellBehind,
    /// The connection was lost; the next call connects again after this pause. If the reason is
    /// `CURSOR_INVALID`, the database went back to an earlier state: events that were heard may not
    /// have happened, and the follower starts again from the current view.
    Lost(Duration, Failure),
}

impl Follower {
    /// Follows from a cursor; without one, from now on.
    pub fn new(engine: Engine, request: StreamEventsRequest) -> Self {
        // A cursor with a time came from an engine.
        let accepted = request.after.is_some_and(|after| after.time.is_some());
        Self { engine, request, stream: None, pause: Duration::ZERO, lost: false, accepted }
    }

    /// The place in the events up to which everything was heard.
    pub fn cursor(&self) -> Option<&Cursor> {
        self.request.after.as_ref()
    }

    /// What comes next. Fails only for good: what may pass by itself is [`Heard::Lost`]. Cancelling
    /// it loses nothing.
    pub async fn next(&mut self) -> Result<Heard, Failure> {
        loop {
            if self.lost {
                sleep(self.pause).await;
                self.lost = false;
            }
            match self.part().await {
                // A stream of an engine that lost its database says nothing more, and looks alive.
                Ok(Some(Part::Heartbeat(_))) if self.engine.line().leave_for_better().await => {
                    let failure = Failure::unreachable(
                        "the other end",
                        "the engine does not serve at present",
                    );
                    return Ok(self.lose(failure));
                }
                Ok(Some(part)) => {
                    if let Some(heard) = self.note(part) {
                        return Ok(heard);
                    }
                }
                Ok(None) => {}
                Err(failure) if failure.is_transient() => return Ok(self.lose(failure)),
                Err(failure) if self.accepted && failure.report().reason == "CURSOR_INVALID" => {
                    self.request.after = None;
                    self.accepted = false;
                    return Ok(self.lose(failure));
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    /// The next part of the stream, which is opened first if there is none.
    async fn part(&mut self) -> Result<Option<Part>, Failure> {
        if self.stream.is_none() {
            let opened = self.engine.games().stream_events(self.request.clone()).await?;
            self.stream = Some(opened.into_inner());
        }
        let Some(stream) = &mut self.stream else { return Ok(None) };
        let silent = || {
            mark("a stream was silent");
            Failure::unreachable("the other end", "nothing was heard for a minute")
        };
        let message = timeout(SILENCE, stream.message()).await.map_err(|_| silent())??;
        let ended = || Failure::unreachable("the other end", "the engine ended the stream");
        Ok(message.ok_or_else(ended)?.part)
    }

    fn note(&mut self, part: Part) -> Option<Heard> {
        self.pause = Duration::ZERO;
        Some(match part {
            Part::Opening(opening) => {
                self.accepted = true;
                if self.request.after.is_none() {
                    self.request.after.clone_from(&opening.cursor);
                }
                Heard::Opening(Box::new(opening))
            }
            Part::Event(event) => {
                if let Some(cursor) = &mut self.request.after {
                    cursor.number = event.number + u64::from(on(Planted::CursorTooFar));
                    cursor.time = event.time;
                }
                Heard::Event(Box::new(event))
            }
            Part::CaughtUp(caught) => Heard::CaughtUp(caught.cursor.unwrap_or_default()),
            Part::FellBehind(_) => Heard::FellBehind,
            Part::Heartbeat(_) => return None,
        })
    }

    fn lose(&mut self, failure: Failure) -> Heard {
        self.stream = None;
        if on(Planted::CursorForgotten) {
            self.request.after = None;
        }
        self.lost = true;
        self.engine.line().hang_up();
        self.pause = (self.pause * 2).clamp(Duration::from_millis(250), PAUSE_MAX);
        Heard::Lost(self.pause, failure)
    }
}
