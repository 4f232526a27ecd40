//! Following other processes on the same store.
//!
//! Hints say where to look; without them the process looks at everything from time to time. It
//! tells a game in memory to catch up. Of the others, it reads those whose members listen for
//! notices.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Weak};
use std::time::Duration;

use heliopause_proto::store::v1::Entry;
use heliopause_table::rehearsal::{Planted, mark, on};
use prost::Message as _;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, sleep_until};

use super::live::Live;
use super::notices::is_over;
use super::{Host, loading};
use crate::seldom::seldom;
use crate::store::shared::{Hint, Shared};
use crate::store::{End, StoreError};

/// How often everything is looked at while hints are heard, and while they are not.
const HEARING: Duration = Duration::from_secs(5);
const DEAF: Duration = Duration::from_millis(500);
/// How long to wait for more hints, before a look at the games of those who listen.
const GATHER: Duration = Duration::from_millis(50);

/// The games to look at, and when.
struct News {
    /// When everything is looked at.
    full: Instant,
    /// Games that hints named and that are not in memory, and when they are looked at.
    hinted: HashSet<String>,
    soon: Option<Instant>,
}

impl News {
    /// Does what a hint says, or notes to do so.
    fn heed(&mut self, host: &Arc<Host>, hint: Hint) {
        match hint {
            Hint::Game(game_id, last) => match in_memory(host, &game_id) {
                Some(live) if on(Planted::HintIsTruth) => live.moved_to(End::at(last)),
                Some(live) => live.hint(last),
                None if host.notices.has_listeners() => {
                    self.hinted.insert(game_id);
                    self.soon.get_or_insert_with(|| Instant::now() + GATHER);
                }
                None => {}
            },
            Hint::Workers => announce(host),
            // The accounts look after themselves.
            Hint::Accounts => {}
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
    crate::lasting::spawn(async move {
        let mut news = News { full: Instant::now(), hinted: HashSet::new(), soon: None };
        loop {
            tokio::select! {
                hint = hints.recv() => {
                    let Some(host) = host.upgrade() else { return };
                    match hint {
                        Ok(hint) => news.heed(&host, hint),
                        Err(RecvError::Lagged(_)) => news.full = Instant::now(),
                        Err(RecvError::Closed) => return,
                    }
                }
                () = sleep_until(news.next()) => {
                    let is_full = Instant::now() >= news.full;
                    news.soon = None;
                    let Some(pause) = look(&host, std::mem::take(&mut news.hinted), is_full).await else { return };
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
    crate::lasting::spawn(async move { host.automation.announce().await });
}

/// Looks at games that hints named, and at a full look at all that concern this process; answers
/// when to look again, or `None` when the host is gone.
async fn look(host: &Weak<Host>, hinted: HashSet<String>, full: bool) -> Option<Duration> {
    let host = host.upgrade()?;
    if *host.draining.borrow() {
        return None;
    }
    let shared = host.store.shared()?;
    let mut looked = look_at_hinted(&host, shared, hinted).await;
    if full {
        announce(&host);
        looked = looked.and(look_at_all(&host, shared).await);
    }
    if let Err(error) = looked {
        seldom!(warn, %error, "what other processes did cannot be read");
    }
    Some(if shared.hears() { HEARING } else { DEAF })
}

/// Tells listeners of games that other processes have changed.
async fn look_at_hinted(
    host: &Host,
    shared: &dyn Shared,
    hinted: HashSet<String>,
) -> Result<(), StoreError> {
    let listeners = host.notices.listeners();
    if hinted.is_empty() || listeners.is_empty() {
        return Ok(());
    }
    for (game_id, end) in shared.heads_among(hinted.into_iter().collect(), listeners).await? {
        note(host, &game_id, end.last).await?;
    }
    Ok(())
}

/// Looks at the games in memory, those of the players who listen, and those reported earlier that
/// may have ended since.
async fn look_at_all(host: &Arc<Host>, shared: &dyn Shared) -> Result<(), StoreError> {
    // Their ends are read before the store is asked: what is known by then is durable.
    let live: HashMap<String, (Arc<Live>, End)> = host
        .games_in_memory()
        .iter()
        .filter_map(|(game_id, cell)| Some((game_id, cell.get()?)))
        .map(|(game_id, live)| (game_id.clone(), (Arc::clone(live), live.end())))
        .collect();
    let listeners = host.notices.listeners();
    if on(Planted::OnlyHints) || (live.is_empty() && listeners.is_empty()) {
        return Ok(());
    }
    let told = host.notices.all_told();
    let games = told.keys().chain(live.keys()).cloned().collect();
    let heads = shared.heads(games, listeners).await?;
    for (game_id, end) in &heads {
        if told.get(game_id).is_some_and(|told| end.last < *told) {
            host.notices.went_back(game_id, Some(end.last));
        }
        let known = live.get(game_id).filter(|(_, known)| known.is_lost(*end));
        if let Some((live, known)) = known.filter(|_| !on(Planted::LossNotSeen)) {
            host.lose_history(live, *known, Some(end.last));
            put_away(live);
            continue;
        }
        match in_memory(host, game_id) {
            Some(live) if live.last() < end.last => {
                mark("what another engine did was found without a hint");
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
        put_away(gone);
    }
    Ok(())
}

/// Puts a game away without waiting: it may be busy.
fn put_away(live: &Arc<Live>) {
    let live = Arc::clone(live);
    crate::lasting::spawn(async move { live.put_away().await });
}

/// Tells listeners of a game that is not in memory here.
async fn note(host: &Host, game_id: &str, last: u64) -> Result<(), StoreError> {
    let told = host.notices.told(game_id);
    if told.is_some_and(|told| told >= last) {
        return Ok(());
    }
    let row = match host.store.game(game_id).await {
        Err(StoreError::NotFound) => return Ok(()),
        row => row?,
    };
    // A game that is over was told of, and forgotten then: what is new is its last entry.
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
