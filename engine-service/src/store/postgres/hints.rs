//! Hints between engines over LISTEN and NOTIFY.
//!
//! Hints are sent after the commit, on a separate connection. If NOTIFY were part of the
//! transaction of an append, it would serialize all commits of the database.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use deadpool_postgres::Pool;
use futures_util::future::poll_fn;
use tokio::sync::{broadcast, mpsc};
use tokio::task::JoinHandle;
use tokio_postgres::AsyncMessage;

use super::connect::{Connector, Failed, with};
use super::{TIMEOUT, with_timeout};
use crate::store::shared::Hint;

const CHANNEL: &str = "heliopause";
/// The number of hints buffered for a subscriber. A slow subscriber is notified of lost hints.
const BUFFERED_MAX: usize = 4_096;
const UNSENT_MAX: usize = 16_384;
/// The maximum size of a notification in bytes. PostgreSQL allows fewer than 8,000.
const PAYLOAD_MAX: usize = 7_000;
const RECONNECT_AFTER: Duration = Duration::from_secs(1);
/// The time to gather more hints after a burst of at least `BURST`. A notification for each append
/// would cost more than the append. Fewer hints are sent immediately.
const GATHER_FOR: Duration = Duration::from_millis(10);
const BURST: usize = 4;
const HEARTBEAT: Duration = Duration::from_secs(1);
const RECENT: Duration = Duration::from_secs(3);
const SILENCE_MAX: Duration = Duration::from_secs(10);

/// The time of the last notification. A successful `LISTEN` proves nothing: a pooler may not
/// forward notifications, and a connection may be dead without an error.
#[derive(Clone, Default)]
struct LastMessage(Arc<Mutex<Option<Instant>>>);

impl LastMessage {
    fn now(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn is_recent(&self) -> bool {
        let heard = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        heard.is_some_and(|heard| heard.elapsed() < RECENT)
    }
}

pub(super) struct Hints {
    heard: broadcast::Sender<Hint>,
    last_message: LastMessage,
    unsent: mpsc::Sender<Hint>,
    listening: JoinHandle<()>,
}

impl Drop for Hints {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl Hints {
    pub(super) fn start(connector: Connector, pool: Pool, process: String) -> Self {
        let heard = broadcast::Sender::new(BUFFERED_MAX);
        let last_message = LastMessage::default();
        let (unsent, to_send) = mpsc::channel(UNSENT_MAX);
        let listening =
            tokio::spawn(listen(connector, process.clone(), heard.clone(), last_message.clone()));
        tokio::spawn(send(pool, process, to_send));
        Self { heard, last_message, unsent, listening }
    }

    pub(super) fn subscribe(&self) -> broadcast::Receiver<Hint> {
        self.heard.subscribe()
    }

    pub(super) fn receives_hints(&self) -> bool {
        self.last_message.is_recent()
    }

    pub(super) fn publish(&self, hint: Hint) {
        drop(self.unsent.try_send(hint));
    }
}

async fn send(pool: Pool, process: String, mut unsent: mpsc::Receiver<Hint>) {
    let mut hints = Vec::new();
    while tokio::time::timeout(HEARTBEAT, unsent.recv_many(&mut hints, UNSENT_MAX)).await != Ok(0) {
        let many = hints.len() >= BURST;
        let payloads = payloads(&process, hints.drain(..));
        let sent = with(&pool, move |client| {
            Box::pin(async move {
                // Hints need not be durable, so do not wait for the disk.
                let sql = "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, p) \
                    FROM unnest($2::text[]) AS p";
                client.execute(&client.prepare_cached(sql).await?, &[&CHANNEL, &payloads]).await?;
                Ok(())
            })
        });
        if let Err(error) = with_timeout(TIMEOUT, sent).await {
            tracing::debug!(%error, "hints could not be sent; other engines find the changes by \
                polling");
        }
        if many {
            tokio::time::sleep(GATHER_FOR).await;
        }
    }
}

fn payloads(process: &str, hints: impl Iterator<Item = Hint>) -> Vec<String> {
    let mut payloads = vec![process.to_owned()];
    for hint in hints {
        let line = match hint {
            Hint::Game(game_id, last) => format!("\n{last} {game_id}"),
            Hint::Accounts => "\naccounts".to_owned(),
            Hint::Workers => "\nworkers".to_owned(),
            Hint::Chat(game_id) => format!("\nchat {game_id}"),
            Hint::Everything => "\n".to_owned(),
        };
        match payloads.last_mut() {
            Some(payload) if payload.len() + line.len() <= PAYLOAD_MAX => payload.push_str(&line),
            _ => payloads.push(format!("{process}{line}")),
        }
    }
    payloads
}

/// Parses a notification. Returns no hints if this process sent the notification. An unknown hint
/// may be from a newer version, so it becomes `Everything`.
fn read<'a>(process: &str, payload: &'a str) -> impl Iterator<Item = Hint> + use<'a> {
    let mut lines = payload.split('\n');
    let own = lines.next() == Some(process);
    lines.filter(move |_| !own).map(|line| match line {
        "accounts" => Hint::Accounts,
        "workers" => Hint::Workers,
        line => match line.split_once(' ') {
            Some(("chat", game_id)) => Hint::Chat(game_id.to_owned()),
            Some((last, game_id)) => {
                last.parse().map_or(Hint::Everything, |last| Hint::Game(game_id.to_owned(), last))
            }
            None => Hint::Everything,
        },
    })
}

async fn listen(
    connector: Connector,
    process: String,
    heard: broadcast::Sender<Hint>,
    last_message: LastMessage,
) {
    loop {
        if let Err(error) = listen_once(&connector, &process, &heard, &last_message).await {
            tracing::debug!(%error, "hints cannot be received; polling more often");
        }
        tokio::time::sleep(RECONNECT_AFTER).await;
    }
}

async fn listen_once(
    connector: &Connector,
    process: &str,
    heard: &broadcast::Sender<Hint>,
    last_message: &LastMessage,
) -> Result<(), Failed> {
    let (client, mut connection) = connector.connect().await?;
    let listening = async { client.batch_execute(&format!("LISTEN {CHANNEL}")).await };
    let mut listening = std::pin::pin!(listening);
    let mut ready = false;
    loop {
        let message = tokio::select! {
            biased;
            done = &mut listening, if !ready => {
                done?;
                ready = true;
                // Hints sent before this connection are lost.
                let _ = heard.send(Hint::Everything);
                continue;
            }
            message = poll_fn(|context| connection.poll_message(context)) => message,
            () = tokio::time::sleep(SILENCE_MAX) => return Ok(()),
        };
        match message {
            None => return Ok(()),
            Some(Err(error)) => return Err(error.into()),
            Some(Ok(AsyncMessage::Notification(told))) => {
                last_message.now();
                for hint in read(process, told.payload()) {
                    let _ = heard.send(hint);
                }
            }
            Some(Ok(_)) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_round_trip_except_to_their_sender() {
        let hints = vec![
            Hint::Game("g 1".to_owned(), 7),
            Hint::Accounts,
            Hint::Workers,
            Hint::Chat("g 1".to_owned()),
            Hint::Everything,
        ];
        let payloads = payloads("me", hints.clone().into_iter());
        assert_eq!(payloads.len(), 1);
        assert_eq!(read("you", &payloads[0]).collect::<Vec<_>>(), hints);
        assert_eq!(read("me", &payloads[0]).count(), 0);
        assert_eq!(read("me", "you\nwhat is this").collect::<Vec<_>>(), [Hint::Everything]);
    }

    #[test]
    fn many_hints_are_split_into_several_notifications() {
        let hints = (0..1_000).map(|last| Hint::Game("a-game-of-many".to_owned(), last));
        let payloads = payloads("me", hints.clone());
        assert!(payloads.len() > 1 && payloads.iter().all(|payload| payload.len() <= PAYLOAD_MAX));
        assert!(payloads.iter().flat_map(|payload| read("you", payload)).eq(hints));
    }
}
