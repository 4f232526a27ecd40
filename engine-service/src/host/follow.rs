//! Applying the changes that other processes make in the same store.
//!
//! Hints name the games to check. The process also checks all games at intervals, in case a hint
//! was lost.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Weak};
use std::time::Duration;

use heliopause_proto::store::v1::Entry;
use prost::Message as _;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, sleep_until};

use super::live::Live;
use super::notices::is_over;
use super::{Host, RARE, loading};
use crate::log_throttle::throttled;
use crate::store::shared::{Hint, Shared};
use crate::store::{End, Result, StoreError};

const POLL_WITH_HINTS: Duration = Duration::from_secs(5);
const POLL_WITHOUT_HINTS: Duration = Duration::from_millis(500);
/// The time to gather hints before the games of subscribers are checked.
const GATHER: Duration = Duration::from_millis(50);

struct PendingChecks {
    full: Instant,
    hinted: HashSet<String>,
    soon: Option<Instant>,
}

impl PendingChecks {
    fn handle_hint(&mut self, host: &Arc<Host>, hint: Hint) {
        match hint {
            Hint::Game(game_id, last) => match in_memory(host, &game_id) {
                Some(live) => live.hint(last),
                None if host.notices.has_subscribers() => {
                    self.hinted.insert(game_id);
                    self.soon.get_or_insert_with(|| Instant::now() + GATHER);
                }
                None => {}
            },
            Hint::Workers => announce(host),
            // `accounts::follow` and `chat` handle these hints.
            Hint::Accounts | Hint::Chat(_) => {}
            Hint::Everything => self.full = Instant::now(),
        }
    }

    fn next(&self) -> Instant {
        self.soon.map_or(self.full, |soon| soon.min(self.full))
    }
}

pub(crate) fn start(host: &Arc<Host>) {
    let Some(shared) = host.store.shared() else { return };
    let mut hints = shared.hints();
    let host = Arc::downgrade(host);
    crate::background::spawn(async move {
        let mut news = PendingChecks { full: Instant::now(), hinted: HashSet::new(), soon: None };
        loop {
            tokio::select! {
                hint = hints.recv() => {
                    let Some(host) = host.upgrade() else { return };
                    match hint {
                        Ok(hint) => news.handle_hint(&host, hint),
                        Err(RecvError::Lagged(_)) => news.full = Instant::now(),
                        Err(RecvError::Closed) => return,
                    }
                }
                () = sleep_until(news.next()) => {
                    let is_full = Instant::now() >= news.full;
                    news.soon = None;
                    let Some(pause) = check(&host, std::mem::take(&mut news.hinted), is_full).await else { return };
                    if is_full {
                        news.full = Instant::now() + pause;
                    }
                }
            }
        }
    });
}

fn in_memory(host: &Host, game_id: &str) -> Option<Arc<Live>> {
    host.games_in_memory().get(game_id)?.get().cloned()
}

fn announce(host: &Arc<Host>) {
    let host = host.clone();
    crate::background::spawn(async move { host.automation.announce().await });
}

/// Checks the hinted games. If `full`, also checks all loaded games and all games of subscribers.
/// Returns the delay until the next full check, or `None` if the host is stopping.
async fn check(host: &Weak<Host>, hinted: HashSet<String>, full: bool) -> Option<Duration> {
    let host = host.upgrade()?;
    if *host.draining.borrow() {
        return None;
    }
    let shared = host.store.shared()?;
    let mut looked = check_hinted(&host, shared, hinted).await;
    if full {
        announce(&host);
        looked = looked.and(check_all(&host, shared).await);
    }
    if let Err(error) = looked {
        throttled!(warn, %error, "changes of other processes cannot be read; retrying later");
    }
    Some(if shared.receives_hints() { POLL_WITH_HINTS } else { POLL_WITHOUT_HINTS })
}

async fn check_hinted(host: &Host, shared: &dyn Shared, hinted: HashSet<String>) -> Result<()> {
    let subscribers = host.notices.subscribers();
    if hinted.is_empty() || subscribers.is_empty() {
        return Ok(());
    }
    for (game_id, end) in shared.heads_among(hinted.into_iter().collect(), subscribers).await? {
        note(host, &game_id, end.last).await?;
    }
    Ok(())
}

/// Checks all loaded games, all games of subscribers, and all games with reported notices, which
/// may have ended since.
async fn check_all(host: &Arc<Host>, shared: &dyn Shared) -> Result<()> {
    // Read the games' ends before the store's ends. If an end in the store is then earlier, the
    // store has lost entries.
    let live: HashMap<String, (Arc<Live>, End)> = host
        .games_in_memory()
        .iter()
        .filter_map(|(game_id, cell)| Some((game_id, cell.get()?)))
        .map(|(game_id, live)| (game_id.clone(), (Arc::clone(live), live.end())))
        .collect();
    let subscribers = host.notices.subscribers();
    if live.is_empty() && subscribers.is_empty() {
        return Ok(());
    }
    let told = host.notices.all_reported();
    let games = told.keys().chain(live.keys()).cloned().collect();
    let heads = shared.heads(games, subscribers).await?;
    for (game_id, end) in &heads {
        if told.get(game_id).is_some_and(|told| end.last < *told) {
            host.notices.reset_to(game_id, Some(end.last));
        }
        let known = live.get(game_id).filter(|(_, known)| known.is_lost(*end));
        if let Some((live, known)) = known {
            host.lose_history(live, *known, Some(end.last));
            evict(live);
            continue;
        }
        match in_memory(host, game_id) {
            Some(live) if live.last() < end.last => {
                tracing::trace!(target: RARE, "an entry of another engine was found without a \
                    hint");
                live.hint(end.last);
            }
            Some(_) => {}
            None => note(host, game_id, end.last).await?,
        }
    }
    let there: HashSet<&str> = heads.iter().map(|(game_id, _)| game_id.as_str()).collect();
    host.notices.keep(&there);
    for (gone, _) in live.values().filter(|(live, _)| !there.contains(live.game_id())) {
        host.lose_game(gone);
        evict(gone);
    }
    Ok(())
}

/// Evicts a game in the background, because its actor may be busy.
fn evict(live: &Arc<Live>) {
    let live = Arc::clone(live);
    crate::background::spawn(async move { live.evict().await });
}

async fn note(host: &Host, game_id: &str, last: u64) -> Result<()> {
    let told = host.notices.told(game_id);
    if told.is_some_and(|told| told >= last) {
        return Ok(());
    }
    let row = match host.store.game(game_id).await {
        Err(StoreError::NotFound) => return Ok(()),
        row => row?,
    };
    // A game that ended earlier was reported and forgotten, so only its last entry is new.
    let Some(told) = told.or_else(|| is_over(&row).then(|| last.saturating_sub(1))) else {
        host.notices.note_new(&row, last);
        return Ok(());
    };
    let Ok(entries) = loading::entries(&*host.store, game_id, told, last).await else {
        return Ok(());
    };
    for entry in entries.into_iter().filter_map(|stored| Entry::decode(stored).ok()) {
        host.notices.note(&row, &entry);
    }
    Ok(())
}
