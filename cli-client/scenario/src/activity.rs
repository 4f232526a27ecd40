//! Waits for activity in a game, at most for the poll interval.

use std::sync::Arc;
use std::time::{Duration, Instant};

use heliopause_client::engine::Engine;
use heliopause_client::failure::Failure;
use heliopause_client::follow::{Follower, StreamItem};
use heliopause_client::table;
use heliopause_proto::v1::StreamEventsRequest;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::answers::Table;

/// Poll interval while no event arrives. Some changes cause no event, such as the connection of a
/// worker.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
const COALESCE_INTERVAL: Duration = Duration::from_millis(10);

/// A listener for the events of all seats and of spectators.
#[derive(Debug)]
pub struct ActivityListener {
    heard: Arc<Notify>,
    // Dropping the set stops all listeners.
    _listeners: JoinSet<()>,
}

impl ActivityListener {
    /// Subscribes to the streams of all seats and of spectators. The opening of a stream counts as
    /// activity, because events may have preceded it.
    pub async fn open(engine: &Engine, game: &str) -> Result<Self, Failure> {
        let seats = table::game(engine, game).await?.seats;
        let heard = Arc::new(Notify::new());
        let mut listeners = JoinSet::new();
        for seat in seats.iter().map(|seat| Some(seat.number)).chain([None]) {
            let request = StreamEventsRequest {
                game_id: game.to_owned(),
                seat,
                as_spectator: seat.is_none(),
                after: None,
                chat: false,
            };
            listeners.spawn(listen(Follower::new(engine.clone(), request), heard.clone()));
        }
        Ok(Self { heard, _listeners: listeners })
    }

    pub async fn wait(&self, at_most: Duration) {
        let quiet = timeout(POLL_INTERVAL.min(at_most), self.heard.notified()).await.is_err();
        if !quiet {
            sleep(COALESCE_INTERVAL.min(at_most)).await;
        }
    }
}

/// A retry loop that waits for activity, up to a timeout.
#[derive(Debug)]
pub struct Retry<'a> {
    table: &'a Table<'a>,
    begun: Instant,
    lasts: Duration,
    activity: Option<ActivityListener>,
}

impl<'a> Retry<'a> {
    pub fn new(table: &'a Table<'a>, lasts: Duration) -> Self {
        Self { table, begun: Instant::now(), lasts, activity: None }
    }

    pub fn waited(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Waits for activity or for the poll interval, then returns true. Returns false if the timeout
    /// has passed.
    pub async fn next_attempt(&mut self) -> Result<bool, Failure> {
        let left = self.lasts.saturating_sub(self.waited());
        if left.is_zero() {
            return Ok(false);
        }
        let activity = match &mut self.activity {
            Some(activity) => activity,
            activity => {
                activity.insert(ActivityListener::open(self.table.engine, &self.table.game).await?)
            }
        };
        activity.wait(left).await;
        Ok(true)
    }
}

/// Signals activity until the stream fails permanently, for example because the seat is reserved
/// for a guest.
async fn listen(mut follower: Follower, heard: Arc<Notify>) {
    while let Ok(what) = follower.next().await {
        if matches!(what, StreamItem::Opening(_) | StreamItem::Event(_)) {
            heard.notify_one();
        }
    }
}
