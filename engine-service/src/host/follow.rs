//! Following what other processes on the same store do.
//!
//! Hints say where to look; without them everything is looked at from time to time. A game in memory is told to catch up.
//! Of the others, those are read whose members listen for notices.

use std::collections::HashSet;
use std::sync::{Arc, Weak};
use std::time::Duration;

use heliopause_proto::store::v1::Entry;
use prost::Message as _;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, sleep_until};

use super::live::Live;
use super::{Host, loading};
use crate::store::shared::{Hint, Shared};

/// How often everything is looked at while hints are heard, and while they are not.
const HEARING: Duration = Duration::from_secs(5);
const DEAF: Duration = Duration::from_millis(500);
/// How long to wait after a hint for more of them, before the games of those who listen are looked at.
const GATHER: Duration = Duration::from_millis(50);

pub(crate) fn start(host: &Arc<Host>) {
    let Some(shared) = host.store.shared() else { return };
    let mut hints = shared.hints();
    let host = Arc::downgrade(host);
    tokio::spawn(async move {
        let mut full = Instant::now();
        let mut news: Option<Instant> = None;
        loop {
            let next = news.map_or(full, |news| news.min(full));
            tokio::select! {
                hint = hints.recv() => {
                    let Some(host) = host.upgrade() else { return };
                    match hint {
                        Ok(hint) => heed(&host, hint, &mut full, &mut news),
                        Err(RecvError::Lagged(_)) => full = Instant::now(),
                        Err(RecvError::Closed) => return,
                    }
                }
                () = sleep_until(next) => {
                    let Some(pause) = look(&host, Instant::now() >= full).await else { return };
                    if Instant::now() >= full {
                        full = Instant::now() + pause;
                    }
                    news = None;
                }
            }
        }
    });
}

/// Does what a hint says, or sets the time to.
fn heed(host: &Arc<Host>, hint: Hint, full: &mut Instant, news: &mut Option<Instant>) {
    match hint {
        Hint::Game(game_id, last) => match in_memory(host, &game_id) {
            Some(live) => live.hint(last),
            None if host.notices.has_listeners() => {
                news.get_or_insert_with(|| Instant::now() + GATHER);
            }
            None => {}
        },
        Hint::Workers => {
            let host = host.clone();
            tokio::spawn(async move { host.automation.announce().await });
        }
        // The accounts look after themselves.
        Hint::Accounts => {}
        Hint::Everything => *full = Instant::now(),
    }
}

fn in_memory(host: &Host, game_id: &str) -> Option<Arc<Live>> {
    host.games_in_memory().get(game_id)?.get().cloned()
}

/// Looks at the games of those who listen, and at a full look also at the games in memory; answers when to look again, or
/// `None` when the host is gone.
async fn look(host: &Weak<Host>, full: bool) -> Option<Duration> {
    let host = host.upgrade()?;
    if *host.draining.borrow() {
        return None;
    }
    let shared = host.store.shared()?;
    let pause = if shared.hears() { HEARING } else { DEAF };
    let live: Vec<Arc<Live>> = if full {
        host.games_in_memory().values().filter_map(|cell| cell.get().cloned()).collect()
    } else {
        Vec::new()
    };
    let listeners = host.notices.listeners();
    if full {
        host.automation.announce().await;
    }
    if live.is_empty() && listeners.is_empty() {
        return Some(pause);
    }
    if let Err(error) = look_at(&host, shared, &live, listeners, full).await {
        tracing::warn!(%error, "what other processes did cannot be read");
    }
    Some(pause)
}

async fn look_at(
    host: &Arc<Host>,
    shared: &dyn Shared,
    live: &[Arc<Live>],
    listeners: Vec<String>,
    full: bool,
) -> Result<(), crate::store::StoreError> {
    let games = live.iter().map(|live| live.game_id().to_owned()).collect();
    let heads = shared.heads(games, listeners).await?;
    for (game_id, last) in &heads {
        match in_memory(host, game_id) {
            Some(live) if live.entry().await < *last => live.hint(*last),
            Some(_) => {}
            None => note(host, game_id, *last).await?,
        }
    }
    if full {
        let there: HashSet<&str> = heads.iter().map(|(game_id, _)| game_id.as_str()).collect();
        host.notices.keep(&there);
        for gone in live.iter().filter(|live| !there.contains(live.game_id())) {
            gone.put_away().await;
        }
    }
    Ok(())
}

/// Tells those who listen of a game that is not in memory here.
async fn note(host: &Host, game_id: &str, last: u64) -> Result<(), crate::store::StoreError> {
    let told = host.notices.told(game_id);
    if told.is_some_and(|told| told >= last) {
        return Ok(());
    }
    let row = host.store.game(game_id).await?;
    let Some(told) = told else {
        host.notices.note_new(&row, last);
        return Ok(());
    };
    let Ok(entries) = loading::entries(&*host.store, game_id, told, last).await else { return Ok(()) };
    for entry in entries.into_iter().filter_map(|stored| Entry::decode(stored).ok()) {
        host.notices.note(&row, &entry);
    }
    Ok(())
}
