//! Hints between engines, by LISTEN and NOTIFY where the database has them.
//!
//! They are sent after the commit and on a connection of their own: within the append's transaction
//! they would make all commits of the database wait for each other.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use deadpool_postgres::Pool;
use futures_util::future::poll_fn;
use tokio::sync::{broadcast, mpsc};
use tokio::task::JoinHandle;
use tokio_postgres::AsyncMessage;

use super::connect::{Connector, Failed, with};
use super::{PATIENCE, in_time};
use crate::store::shared::Hint;

/// The channel on which engines tell each other what they changed.
const CHANNEL: &str = "heliopause";
/// How many hints wait for a slow reader before some are lost, which the reader is told.
const KEPT: usize = 4_096;
/// How many hints wait to be sent; more are lost.
const UNSENT_MAX: usize = 16_384;
/// How long a notification may be in bytes: the database allows 8,000.
const PAYLOAD_MAX: usize = 7_000;
/// How long to wait before listening is tried anew.
const AGAIN: Duration = Duration::from_secs(1);
/// How long to wait after many hints were sent for more of them: a notification for every append
/// would cost more than the append. Few go out at once.
const GATHER: Duration = Duration::from_millis(10);
const MANY: usize = 4;
/// How often something is said at least, so that listeners know that they hear.
const WORD: Duration = Duration::from_secs(1);
/// After so long a silence nobody is sure to hear.
const SURE: Duration = Duration::from_secs(3);
/// After so long a silence listening is begun anew.
const SILENCE_MAX: Duration = Duration::from_secs(10);

/// When something was heard last. That `LISTEN` was accepted proves nothing: a pooler may keep what
/// is said to itself, and a connection may be dead without a sign.
#[derive(Clone, Default)]
struct LastHeard(Arc<Mutex<Option<Instant>>>);

impl LastHeard {
    fn now(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn is_fresh(&self) -> bool {
        let heard = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        heard.is_some_and(|heard| heard.elapsed() < SURE)
    }
}

/// Hears hints, and gives them.
pub(super) struct Hints {
    heard: broadcast::Sender<Hint>,
    last_heard: LastHeard,
    unsent: mpsc::Sender<Hint>,
    listening: JoinHandle<()>,
}

impl Drop for Hints {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl Hints {
    /// `process` names this process, which need not hear itself.
    pub(super) fn start(connector: Connector, pool: Pool, process: String) -> Self {
        let heard = broadcast::Sender::new(KEPT);
        let last_heard = LastHeard::default();
        let (unsent, to_send) = mpsc::channel(UNSENT_MAX);
        let listening =
            tokio::spawn(listen(connector, process.clone(), heard.clone(), last_heard.clone()));
        tokio::spawn(send(pool, process, to_send));
        Self { heard, last_heard, unsent, listening }
    }

    pub(super) fn subscribe(&self) -> broadcast::Receiver<Hint> {
        self.heard.subscribe()
    }

    pub(super) fn hears(&self) -> bool {
        self.last_heard.is_fresh()
    }

    /// Tells the others, sooner or later or never.
    pub(super) fn give(&self, hint: Hint) {
        drop(self.unsent.try_send(hint));
    }
}

/// Sends what there is together, and a word from time to time, until nobody can give hints any
/// more.
async fn send(pool: Pool, process: String, mut unsent: mpsc::Receiver<Hint>) {
    let mut hints = Vec::new();
    while tokio::time::timeout(WORD, unsent.recv_many(&mut hints, UNSENT_MAX)).await != Ok(0) {
        let many = hints.len() >= MANY;
        let payloads = payloads(&process, hints.drain(..));
        let sent = with(&pool, move |client| {
            Box::pin(async move {
                // Nobody waits for a hint to be on the disk.
                let sql = "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, p) \
                    FROM unnest($2::text[]) AS p";
                client.execute(&client.prepare_cached(sql).await?, &[&CHANNEL, &payloads]).await?;
                Ok(())
            })
        });
        if let Err(error) = in_time(PATIENCE, sent).await {
            tracing::debug!(%error, "hints could not be sent; other engines look by themselves");
        }
        if many {
            tokio::time::sleep(GATHER).await;
        }
    }
}

/// Puts hints into notifications, one at least: a line that names the process, then a line for each
/// hint.
fn payloads(process: &str, hints: impl Iterator<Item = Hint>) -> Vec<String> {
    let mut payloads = vec![process.to_owned()];
    for hint in hints {
        let line = match hint {
            Hint::Game(game_id, last) => format!("\n{last} {game_id}"),
            Hint::Accounts => "\naccounts".to_owned(),
            Hint::Workers => "\nworkers".to_owned(),
            Hint::Everything => "\n".to_owned(),
        };
        match payloads.last_mut() {
            Some(payload) if payload.len() + line.len() <= PAYLOAD_MAX => payload.push_str(&line),
            _ => payloads.push(format!("{process}{line}")),
        }
    }
    payloads
}

/// The hints in a notification, unless it is this process's own. What cannot be read may be of a
/// newer version: then anything may have changed.
fn read<'a>(process: &str, payload: &'a str) -> impl Iterator<Item = Hint> + use<'a> {
    let mut lines = payload.split('\n');
    let own = lines.next() == Some(process);
    lines.filter(move |_| !own).map(|line| match line {
        "accounts" => Hint::Accounts,
        "workers" => Hint::Workers,
        line => {
            let game = line
                .split_once(' ')
                .and_then(|(last, game_id)| Some((game_id.to_owned(), last.parse().ok()?)));
            game.map_or(Hint::Everything, |(game_id, last)| Hint::Game(game_id, last))
        }
    })
}

/// Listens for ever.
async fn listen(
    connector: Connector,
    process: String,
    heard: broadcast::Sender<Hint>,
    last_heard: LastHeard,
) {
    loop {
        if let Err(error) = listen_once(&connector, &process, &heard, &last_heard).await {
            tracing::debug!(%error, "hints are not heard; looking often instead");
        }
        tokio::time::sleep(AGAIN).await;
    }
}

async fn listen_once(
    connector: &Connector,
    process: &str,
    heard: &broadcast::Sender<Hint>,
    last_heard: &LastHeard,
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
                // What was said before is lost.
                let _ = heard.send(Hint::Everything);
                continue;
            }
            message = poll_fn(|context| connection.poll_message(context)) => message,
            // Whatever is connected there, it passes nothing on.
            () = tokio::time::sleep(SILENCE_MAX) => return Ok(()),
        };
        match message {
            None => return Ok(()),
            Some(Err(error)) => return Err(error.into()),
            Some(Ok(AsyncMessage::Notification(told))) => {
                last_heard.now();
                for hint in read(process, told.payload()) {
                    // Nobody may listen at the moment.
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
    fn hints_are_read_as_they_were_given_but_not_by_their_giver() {
        let hints =
            vec![Hint::Game("g 1".to_owned(), 7), Hint::Accounts, Hint::Workers, Hint::Everything];
        let payloads = payloads("me", hints.clone().into_iter());
        assert_eq!(payloads.len(), 1);
        assert_eq!(read("you", &payloads[0]).collect::<Vec<_>>(), hints);
        assert_eq!(read("me", &payloads[0]).count(), 0);
        assert_eq!(read("me", "you\nwhat is this").collect::<Vec<_>>(), [Hint::Everything]);
    }

    #[test]
    fn many_hints_make_several_notifications() {
        let hints = (0..1_000).map(|last| Hint::Game("a-game-of-many".to_owned(), last));
        let payloads = payloads("me", hints.clone());
        assert!(payloads.len() > 1 && payloads.iter().all(|payload| payload.len() <= PAYLOAD_MAX));
        assert!(payloads.iter().flat_map(|payload| read("you", payload)).eq(hints));
    }
}
