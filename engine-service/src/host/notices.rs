//! The notices of all of a player's games, whichever process caused them.
//!
//! **Invariant.** Each entry causes its notices only once, because the number of the last reported
//! entry is kept for each game.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use heliopause_proto::store::v1::Entry;
use heliopause_proto::v1::{GameNotice, NoticeKind};
use tokio::sync::broadcast;

use super::news::{NoticeDraft, news, pending_notice};
use super::stream::timestamp;
use crate::store::{ENDED_STATUSES, GameRow};

/// The number of notices buffered for each reader. A slow reader is notified of lost notices.
const KEPT: usize = 256;

pub(crate) struct Notices(Mutex<State>);

struct State {
    /// Whether other processes host the same games. If not, every entry arrives here exactly once.
    shared: bool,
    players: HashMap<String, broadcast::Sender<GameNotice>>,
    told: HashMap<String, Reported>,
}

#[derive(Clone, Copy)]
struct Reported {
    last: u64,
    over: bool,
}

pub type NoticeStream = broadcast::Receiver<GameNotice>;

impl Notices {
    pub(crate) fn new(shared: bool) -> Self {
        Self(Mutex::new(State { shared, players: HashMap::new(), told: HashMap::new() }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn subscribe(&self, player_id: &str) -> NoticeStream {
        let mut state = self.state();
        state.drop_closed();
        state
            .players
            .entry(player_id.to_owned())
            .or_insert_with(|| broadcast::Sender::new(KEPT))
            .subscribe()
    }

    pub(crate) fn subscribers(&self) -> Vec<String> {
        let mut state = self.state();
        state.drop_closed();
        state.players.keys().cloned().collect()
    }

    pub(crate) fn has_subscribers(&self) -> bool {
        !self.state().players.is_empty()
    }

    /// Records the ends of games. Entries up to these ends cause no notices.
    pub(crate) fn begin(&self, heads: impl Iterator<Item = (String, u64)>) {
        let mut state = self.state();
        for (game_id, last) in heads {
            state.told.entry(game_id).or_insert(Reported { last, over: false });
        }
    }

    pub(crate) fn told(&self, game_id: &str) -> Option<u64> {
        self.state().told.get(game_id).map(|told| told.last)
    }

    pub(crate) fn all_reported(&self) -> HashMap<String, u64> {
        self.state().told.iter().map(|(game_id, told)| (game_id.clone(), told.last)).collect()
    }

    /// Resets a game that has lost entries. The journal now ends at `last`, or the game is gone if
    /// `last` is `None`. The entries that follow cause notices again.
    pub(crate) fn reset_to(&self, game_id: &str, last: Option<u64>) {
        let mut state = self.state();
        match (last, state.told.get_mut(game_id)) {
            (Some(last), Some(told)) => *told = Reported { last: told.last.min(last), over: false },
            (None, Some(_)) => drop(state.told.remove(game_id)),
            (_, None) => {}
        }
    }

    /// Keeps only the unfinished games in `games`. Other games are checked only if a hint names
    /// them.
    pub(crate) fn keep(&self, games: &HashSet<&str>) {
        self.state().told.retain(|game_id, told| !told.over && games.contains(game_id.as_str()));
    }

    pub(crate) fn note(&self, row: &GameRow, entry: &Entry) {
        let mut state = self.state();
        if state.players.is_empty() || !state.advance(row, entry.number) {
            return;
        }
        for NoticeDraft { player_id, kind, text, message, deadline, .. } in news(row, entry) {
            state.tell(row, player_id, kind, &format!("{text}{message}"), deadline);
        }
    }

    /// Sends the notices that are pending in a game that is new to this process.
    pub(crate) fn note_new(&self, row: &GameRow, last: u64) {
        let mut state = self.state();
        if !state.advance(row, last) {
            return;
        }
        for member in &row.members {
            if let Some((kind, text)) = pending_notice(member) {
                state.tell(row, &member.player_id, kind, text, member.deadline);
            }
        }
    }
}

impl State {
    fn drop_closed(&mut self) {
        self.players.retain(|_, sender| sender.receiver_count() > 0);
        if self.players.is_empty() {
            self.told.clear();
        }
    }

    /// Records an entry as reported. Returns whether it was not reported before. Without a shared
    /// store, every entry is new.
    fn advance(&mut self, row: &GameRow, number: u64) -> bool {
        if !self.shared {
            return true;
        }
        let told =
            self.told.entry(row.game_id.clone()).or_insert(Reported { last: 0, over: false });
        let is_news = told.last < number;
        *told = Reported { last: told.last.max(number), over: is_over(row) };
        is_news
    }

    fn tell(
        &self,
        row: &GameRow,
        player_id: &str,
        kind: NoticeKind,
        text: &str,
        deadline: Option<i64>,
    ) {
        if let Some(sender) = self.players.get(player_id) {
            let notice = GameNotice {
                game_id: row.game_id.clone(),
                name: row.name.clone(),
                kind: kind.into(),
                text: text.to_owned(),
                due_time: deadline.map(timestamp),
            };
            // The receiver may be gone.
            drop(sender.send(notice));
        }
    }
}

pub(super) fn is_over(row: &GameRow) -> bool {
    ENDED_STATUSES.contains(&row.status)
}
