//! Notices of all of a player's games, whichever process plays them.
//!
//! **Invariant.** Each entry causes its notices once: each game has the number of the last reported
//! entry.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use heliopause_proto::store::v1::Entry;
use heliopause_proto::v1::{GameNotice, NoticeKind};
use tokio::sync::broadcast;

use super::news::{News, news, standing_notice};
use super::stream::timestamp;
use crate::store::{ENDED_STATUSES, GameRow};

/// How many notices wait for a slow reader before some are lost; the reader is told so.
const KEPT: usize = 256;

/// The players who listen.
pub(crate) struct Notices(Mutex<State>);

struct State {
    /// Whether other processes play the same games. If not, every entry comes by here once.
    shared: bool,
    players: HashMap<String, broadcast::Sender<GameNotice>>,
    /// How far each game was told of.
    told: HashMap<String, Told>,
}

#[derive(Clone, Copy)]
struct Told {
    /// The last entry that was told of.
    last: u64,
    /// Whether the game was over by then.
    over: bool,
}

/// The notices of one player.
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
        state.drop_the_gone();
        state
            .players
            .entry(player_id.to_owned())
            .or_insert_with(|| broadcast::Sender::new(KEPT))
            .subscribe()
    }

    /// Who listens.
    pub(crate) fn listeners(&self) -> Vec<String> {
        let mut state = self.state();
        state.drop_the_gone();
        state.players.keys().cloned().collect()
    }

    pub(crate) fn has_listeners(&self) -> bool {
        !self.state().players.is_empty()
    }

    /// Games as they stand: their present state is no news.
    pub(crate) fn begin(&self, heads: impl Iterator<Item = (String, u64)>) {
        let mut state = self.state();
        for (game_id, last) in heads {
            state.told.entry(game_id).or_insert(Told { last, over: false });
        }
    }

    /// The last reported entry of a game; `None` if the game is new.
    pub(crate) fn told(&self, game_id: &str) -> Option<u64> {
        self.state().told.get(game_id).map(|told| told.last)
    }

    /// The reported games and their last reported entries. An ended game causes notices only if a
    /// hint names it.
    pub(crate) fn all_told(&self) -> HashMap<String, u64> {
        self.state().told.iter().map(|(game_id, told)| (game_id.clone(), told.last)).collect()
    }

    /// The store lost entries of a game: it ends at `last` now, or is gone. The entries that follow
    /// are news.
    pub(crate) fn went_back(&self, game_id: &str, last: Option<u64>) {
        let mut state = self.state();
        match (last, state.told.get_mut(game_id)) {
            (Some(last), Some(told)) => *told = Told { last: told.last.min(last), over: false },
            (None, Some(_)) => drop(state.told.remove(game_id)),
            (_, None) => {}
        }
    }

    /// Forgets all other games, and these once they are over and fully reported.
    pub(crate) fn keep(&self, games: &HashSet<&str>) {
        self.state().told.retain(|game_id, told| !told.over && games.contains(game_id.as_str()));
    }

    /// Tells the players concerned of an entry's news.
    pub(crate) fn note(&self, row: &GameRow, entry: &Entry) {
        let mut state = self.state();
        if state.players.is_empty() || !state.advance(row, entry.number) {
            return;
        }
        for News { player_id, kind, text, message, deadline, .. } in news(row, entry) {
            state.tell(row, player_id, kind, &format!("{text}{message}"), deadline);
        }
    }

    /// Tells the members of a game that is new to this process what it wants of them.
    pub(crate) fn note_new(&self, row: &GameRow, last: u64) {
        let mut state = self.state();
        if !state.advance(row, last) {
            return;
        }
        for member in &row.members {
            if let Some((kind, text)) = standing_notice(member) {
                state.tell(row, &member.player_id, kind, text, member.deadline);
            }
        }
    }
}

impl State {
    fn drop_the_gone(&mut self) {
        self.players.retain(|_, sender| sender.receiver_count() > 0);
        if self.players.is_empty() {
            self.told.clear();
        }
    }

    /// Whether an entry is news; it is none afterwards.
    fn advance(&mut self, row: &GameRow, number: u64) -> bool {
        if !self.shared {
            return true;
        }
        let told = self.told.entry(row.game_id.clone()).or_insert(Told { last: 0, over: false });
        let is_news = told.last < number;
        *told = Told { last: told.last.max(number), over: is_over(row) };
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
            // A reader that has just gone needs no notice.
            drop(sender.send(notice));
        }
    }
}

/// Whether a game has ended or was cancelled.
pub(super) fn is_over(row: &GameRow) -> bool {
    ENDED_STATUSES.contains(&row.status)
}
