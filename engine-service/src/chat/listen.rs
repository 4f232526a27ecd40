//! The new chat lines of a game, as one reader sees them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use heliopause_proto::store::v1::ChatHeads;
use heliopause_proto::v1::{ChatChannel, ChatLine};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::sleep;

use super::rooms::Room;
use super::{CHANNELS, Chat, Line, PAGE, Shown, last_of};
use crate::background::in_own_task;
use crate::failure::Failure;
use crate::host::Host;

/// The interval at which lines are tried again that the reader must not see yet.
const HELD_INTERVAL: Duration = Duration::from_secs(1);
/// The maximum number of such lines. The reader finds older ones with `ListChat`.
const HELD_MAX: usize = 100;

/// A reader of new lines.
pub(crate) struct ChatListener {
    chat: Arc<Chat>,
    host: Arc<Host>,
    game_id: String,
    player_id: Arc<str>,
    room: Arc<Room>,
    receiver: broadcast::Receiver<Arc<Line>>,
    /// The last numbers that were received.
    received: ChatHeads,
    held: Vec<Arc<Line>>,
    ready: VecDeque<ChatLine>,
}

impl Chat {
    /// Subscribes to the lines that are written from now on. Does not fail while the store is
    /// unavailable, because events can still be read then.
    pub(crate) async fn listen(
        self: &Arc<Self>,
        host: &Arc<Host>,
        game_id: &str,
        player_id: &Arc<str>,
    ) -> ChatListener {
        let (room, receiver) = self.rooms.open(game_id);
        let (chat, game) = (Arc::clone(self), game_id.to_owned());
        let received = in_own_task(async move {
            chat.advance(&game).await?;
            chat.heads(&game).await.map(|(_, heads)| heads)
        });
        ChatListener {
            chat: Arc::clone(self),
            host: Arc::clone(host),
            game_id: game_id.to_owned(),
            player_id: Arc::clone(player_id),
            room,
            receiver,
            received: received.await.unwrap_or_default(),
            held: Vec::new(),
            ready: VecDeque::new(),
        }
    }
}

impl ChatListener {
    /// Returns the next line.
    pub(crate) async fn next(&mut self) -> ChatLine {
        loop {
            if let Some(line) = self.ready.pop_front() {
                return line;
            }
            let received = tokio::select! {
                received = self.receiver.recv() => Some(received),
                () = sleep(HELD_INTERVAL), if !self.held.is_empty() => None,
            };
            let new = match received {
                Some(Ok(line)) => vec![line],
                Some(Err(RecvError::Lagged(_))) => self.missed().await,
                // The room keeps the sender.
                Some(Err(RecvError::Closed)) => std::future::pending().await,
                None => Vec::new(),
            };
            let mut lines = std::mem::take(&mut self.held);
            lines.extend(new.into_iter().filter(|line| note(&mut self.received, line)));
            self.show(lines).await;
        }
    }

    /// Reads the lines that the buffer has dropped.
    async fn missed(&mut self) -> Vec<Arc<Line>> {
        self.receiver = self.room.lines.subscribe();
        let (chat, game_id) = (Arc::clone(&self.chat), self.game_id.clone());
        let received = self.received;
        in_own_task(async move {
            let mut missed = Vec::new();
            for channel in CHANNELS {
                // After an error, the reader finds the lines with `ListChat`.
                let after = last_of(&received, channel);
                let lines = chat.lines(&game_id, channel, after, PAGE).await.unwrap_or_default();
                missed.extend(lines.into_iter().map(Arc::new));
            }
            missed
        })
        .await
    }

    async fn show(&mut self, lines: Vec<Arc<Line>>) {
        let (chat, host) = (Arc::clone(&self.chat), Arc::clone(&self.host));
        let (game_id, player_id) = (self.game_id.clone(), Arc::clone(&self.player_id));
        let kept = lines.clone();
        let shown = in_own_task(async move {
            let muted = chat.muted(&player_id).await?;
            let shown = host
                .peek(&game_id, |table| Chat::shown(table, &game_id, &player_id, &muted, lines))
                .await?;
            Ok::<_, Failure>(shown)
        });
        // If the table cannot be read now, try again.
        let shown = shown.await.unwrap_or_else(|_| Shown { held: kept, ..Shown::default() });
        self.ready.extend(shown.lines);
        self.held = shown.held;
        let surplus = self.held.len().saturating_sub(HELD_MAX);
        self.held.drain(..surplus);
    }
}

/// Notes a line as received. Returns whether it is new.
fn note(received: &mut ChatHeads, line: &Line) -> bool {
    let last = match line.channel {
        ChatChannel::Table => &mut received.table,
        ChatChannel::Spectators | ChatChannel::Unspecified => &mut received.spectators,
    };
    let is_new = line.number > *last;
    *last = (*last).max(line.number);
    is_new
}
