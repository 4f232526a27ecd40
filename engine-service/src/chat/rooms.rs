//! The games with readers of chat on this engine, and the delivery of new lines to them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use heliopause_proto::store::v1::ChatHeads;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Mutex as AsyncMutex, broadcast};
use tokio::time::{Instant, sleep_until};

use super::{CHANNELS, Chat, HEADS, Line, PAGE, last_of};
use crate::accounts::counters::expiry;
use crate::background;
use crate::failure::Result;
use crate::maps::Map;
use crate::store::shared::{Hint, Shared};
use crate::store::{Millis, RecordQuery};

const POLL_WITH_HINTS: Duration = Duration::from_secs(5);
const POLL_WITHOUT_HINTS: Duration = Duration::from_secs(1);
/// How long before a poll a change may be that the poll before did not see, for example because
/// clocks differ.
const OVERLAP: Millis = 10_000;
const POLLED_AT_ONCE: usize = 1_000;
/// The number of lines buffered for a slow reader. Afterwards it reads the records.
const BUFFERED: usize = 64;

/// The games with readers.
#[derive(Default)]
pub(super) struct Rooms(Mutex<Map<String, Arc<Room>>>);

pub(super) struct Room {
    pub(super) lines: broadcast::Sender<Arc<Line>>,
    /// The last numbers that were sent; `None` before the first reading.
    sent: AsyncMutex<Option<ChatHeads>>,
}

impl Rooms {
    fn all(&self) -> MutexGuard<'_, Map<String, Arc<Room>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn open(&self, game_id: &str) -> (Arc<Room>, broadcast::Receiver<Arc<Line>>) {
        let mut rooms = self.all();
        rooms.retain(|_, room| room.lines.receiver_count() > 0);
        let new = || {
            let (lines, sent) = (broadcast::Sender::new(BUFFERED), AsyncMutex::default());
            Arc::new(Room { lines, sent })
        };
        let room = rooms.entry(game_id.to_owned()).or_insert_with(new);
        (Arc::clone(room), room.lines.subscribe())
    }

    fn get(&self, game_id: &str) -> Option<Arc<Room>> {
        self.all().get(game_id).filter(|room| room.lines.receiver_count() > 0).cloned()
    }

    fn ids(&self) -> Vec<String> {
        self.all().keys().cloned().collect()
    }
}

impl Chat {
    /// Sends the new lines of a game to its readers, in the background.
    pub(super) fn advance_soon(self: &Arc<Self>, game_id: &str) {
        if self.rooms.get(game_id).is_none() {
            return;
        }
        let (chat, game_id) = (Arc::clone(self), game_id.to_owned());
        background::spawn(async move {
            if let Err(error) = chat.advance(&game_id).await {
                tracing::debug!(game_id, %error, "new chat lines could not be read; retrying later");
            }
        });
    }

    /// Sends the new lines of a game to its readers. The first call only notes the last numbers.
    pub(super) async fn advance(&self, game_id: &str) -> Result<()> {
        let Some(room) = self.rooms.get(game_id) else { return Ok(()) };
        let mut sent = room.sent.lock().await;
        let (_, heads) = self.heads(game_id).await?;
        for channel in CHANNELS {
            let mut after = sent.as_ref().map_or(u64::MAX, |sent| last_of(sent, channel));
            while after < last_of(&heads, channel) {
                let lines = self.lines(game_id, channel, after, PAGE).await?;
                let Some(last) = lines.last() else { break };
                after = last.number;
                for line in lines {
                    // The readers may be gone.
                    drop(room.lines.send(Arc::new(line)));
                }
            }
        }
        *sent = Some(heads);
        Ok(())
    }

    /// Starts to follow the lines that other engines write.
    pub(crate) fn follow(self: &Arc<Self>) {
        let Some(shared) = self.store.shared() else { return };
        let mut hints = shared.hints();
        let chat = Arc::downgrade(self);
        tokio::spawn(async move {
            let (mut due, mut since) = (Instant::now(), 0);
            loop {
                let hint = tokio::select! {
                    hint = hints.recv() => Some(hint),
                    () = sleep_until(due) => None,
                };
                let Some(chat) = chat.upgrade() else { return };
                match hint {
                    Some(Ok(Hint::Chat(game_id))) => {
                        chat.advance_soon(&game_id);
                        continue;
                    }
                    Some(Ok(Hint::Everything) | Err(RecvError::Lagged(_))) => {
                        due = Instant::now();
                        continue;
                    }
                    Some(Ok(Hint::Game(..) | Hint::Accounts | Hint::Workers)) => continue,
                    Some(Err(RecvError::Closed)) => return,
                    None => {}
                }
                match chat.poll(since).await {
                    Ok(polled) => since = polled,
                    Err(error) => tracing::debug!(%error, "new chat lines cannot be read"),
                }
                let hinted = chat.store.shared().is_some_and(Shared::receives_hints);
                due = Instant::now() + if hinted { POLL_WITH_HINTS } else { POLL_WITHOUT_HINTS };
            }
        });
    }

    /// Sends the lines of all games that have new ones since a poll at `since`. Returns the time of
    /// this poll.
    async fn poll(self: &Arc<Self>, since: Millis) -> Result<Millis> {
        let now = self.now();
        let open = self.rooms.ids();
        if open.is_empty() {
            return Ok(now);
        }
        let query = RecordQuery {
            space: HEADS.to_owned(),
            after: (expiry((since - OVERLAP).max(0)), String::new()),
            until: None,
            limit: POLLED_AT_ONCE,
        };
        let changed = self.store.records(query).await?;
        // After so many changes, check all games.
        if changed.len() == POLLED_AT_ONCE {
            for game_id in open {
                self.advance_soon(&game_id);
            }
        }
        for record in changed {
            self.advance_soon(&record.id);
        }
        Ok(now)
    }
}
