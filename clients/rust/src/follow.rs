//! A stream of a game's events that survives lost connections.

use std::time::Duration;

use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::{
    ChatLine, Cursor, Event, Snapshot, StreamEventsRequest, StreamEventsResponse,
};
use tokio::time::{sleep, timeout};
use tonic::Streaming;

use crate::engine::Engine;
use crate::failure::Failure;

/// The timeout for the next message. The engine sends a heartbeat at least every 20 seconds.
const SILENCE: Duration = Duration::from_mins(1);
const PAUSE_MAX: Duration = Duration::from_secs(15);

/// A stream of a viewer's events in a game, without gaps or duplicates.
#[derive(Debug)]
pub struct Follower {
    engine: Engine,
    request: StreamEventsRequest,
    stream: Option<Streaming<StreamEventsResponse>>,
    pause: Duration,
    lost: bool,
    /// Whether an engine has accepted or issued the cursor.
    accepted: bool,
}

/// An item of the stream.
#[derive(Debug)]
pub enum StreamItem {
    Opening(Box<Snapshot>),
    Event(Box<Event>),
    /// A new chat line, if the request has `chat`.
    Chat(Box<ChatLine>),
    /// All earlier events have been received, and the following ones are live.
    CaughtUp(Cursor),
    FellBehind,
    /// The connection was lost. The next call reconnects after this pause. If the reason is
    /// `CURSOR_INVALID`, the database was reset to an earlier state. In that case some received
    /// events may no longer exist, and the stream restarts from the current view.
    Lost(Duration, Failure),
}

impl Follower {
    /// Creates a follower that starts after the request's cursor, or at the current state.
    pub fn new(engine: Engine, request: StreamEventsRequest) -> Self {
        // Only engines issue cursors with a time.
        let accepted = request.after.is_some_and(|after| after.time.is_some());
        Self { engine, request, stream: None, pause: Duration::ZERO, lost: false, accepted }
    }

    pub fn cursor(&self) -> Option<&Cursor> {
        self.request.after.as_ref()
    }

    /// Returns the next item. Returned errors are permanent. Temporary errors are reported as
    /// [`StreamItem::Lost`]. Cancel safe.
    pub async fn next(&mut self) -> Result<StreamItem, Failure> {
        loop {
            if self.lost {
                sleep(self.pause).await;
                self.lost = false;
            }
            match self.part().await {
                // An engine that lost its database still sends heartbeats but no events.
                Ok(Some(Part::Heartbeat(_))) if self.engine.line().move_to_better().await => {
                    let failure = Failure::interrupted("the engine is not serving");
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

    async fn part(&mut self) -> Result<Option<Part>, Failure> {
        if self.stream.is_none() {
            let opened = self.engine.games().stream_events(self.request.clone()).await?;
            self.stream = Some(opened.into_inner());
        }
        let Some(stream) = &mut self.stream else { return Ok(None) };
        let silent = || {
            tracing::trace!(target: "heliopause::rare", "a stream was silent");
            Failure::interrupted("the engine sent nothing for a minute")
        };
        let message = timeout(SILENCE, stream.message()).await.map_err(|_| silent())??;
        let ended = || Failure::interrupted("the engine closed the stream");
        Ok(message.ok_or_else(ended)?.part)
    }

    fn note(&mut self, part: Part) -> Option<StreamItem> {
        self.pause = Duration::ZERO;
        Some(match part {
            Part::Snapshot(opening) => {
                self.accepted = true;
                if self.request.after.is_none() {
                    self.request.after.clone_from(&opening.cursor);
                }
                StreamItem::Opening(Box::new(opening))
            }
            Part::Event(event) => {
                if let Some(cursor) = &mut self.request.after {
                    cursor.number = event.number;
                    cursor.time = event.time;
                }
                StreamItem::Event(Box::new(event))
            }
            Part::CaughtUp(caught) => StreamItem::CaughtUp(caught.cursor.unwrap_or_default()),
            Part::FellBehind(_) => StreamItem::FellBehind,
            Part::Chat(line) => StreamItem::Chat(Box::new(line)),
            Part::Heartbeat(_) => return None,
        })
    }

    fn lose(&mut self, failure: Failure) -> StreamItem {
        self.stream = None;
        self.lost = true;
        self.engine.line().disconnect();
        self.pause = (self.pause * 2).clamp(Duration::from_millis(250), PAUSE_MAX);
        StreamItem::Lost(self.pause, failure)
    }
}
