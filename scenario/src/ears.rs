//! Hearing that something happens in a game, so that who awaits something need not ask all the
//! time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use heliopause_client::engine::Engine;
use heliopause_client::failure::Failure;
use heliopause_client::follow::{Follower, Heard};
use heliopause_client::table;
use heliopause_proto::v1::StreamEventsRequest;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::answers::Table;

/// How long nothing need be heard before it is worth a look all the same: that a worker connects,
/// for example, is no event.
const SILENCE: Duration = Duration::from_secs(1);
/// What is heard within this time is one reason to look.
const BREATH: Duration = Duration::from_millis(10);

/// Hears every event that a seat or spectators of a game are told.
#[derive(Debug)]
pub struct Ears {
    heard: Arc<Notify>,
    // All of them stop listening when this is dropped.
    _listeners: JoinSet<()>,
}

impl Ears {
    /// Listens from now on. What happened before is worth a look too: each stream is heard when it
    /// opens.
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
            };
            listeners.spawn(listen(Follower::new(engine.clone(), request), heard.clone()));
        }
        Ok(Self { heard, _listeners: listeners })
    }

    /// Waits until something is worth a look, but no longer than it may last.
    pub async fn wait(&self, at_most: Duration) {
        let quiet = timeout(SILENCE.min(at_most), self.heard.notified()).await.is_err();
        if !quiet {
            sleep(BREATH.min(at_most)).await;
        }
    }
}

/// Looking again whenever something happens, until the time is over.
#[derive(Debug)]
pub struct Patience<'a> {
    table: &'a Table<'a>,
    begun: Instant,
    lasts: Duration,
    ears: Option<Ears>,
}

impl<'a> Patience<'a> {
    /// Patience that begins now.
    pub fn new(table: &'a Table<'a>, lasts: Duration) -> Self {
        Self { table, begun: Instant::now(), lasts, ears: None }
    }

    /// How long it has lasted.
    pub fn waited(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Waits until another look is worth it; false if the time is over. Nobody listens before the
    /// first look was in vain.
    pub async fn look_again(&mut self) -> Result<bool, Failure> {
        let left = self.lasts.saturating_sub(self.waited());
        if left.is_zero() {
            return Ok(false);
        }
        let ears = match &mut self.ears {
            Some(ears) => ears,
            ears => ears.insert(Ears::open(self.table.engine, &self.table.game).await?),
        };
        ears.wait(left).await;
        Ok(true)
    }
}

/// Where the owner of the sandbox may not listen, because a seat is kept for somebody else, the
/// others hear.
async fn listen(mut follower: Follower, heard: Arc<Notify>) {
    while let Ok(what) = follower.next().await {
        if matches!(what, Heard::Opening(_) | Heard::Event(_)) {
            heard.notify_one();
        }
    }
}
