//! The accounts that watch games on this engine, and those that other engines have reported.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use heliopause_proto::store::v1::{WatchedGame, WatchedGames};
use heliopause_proto::v1::Spectator;
use heliopause_table::ChatPlace;
use prost::Message as _;

use super::Chat;
use crate::caller::Caller;
use crate::maps::Map;

/// The maximum number of accounts listed for a game, and of all that an engine reports to others.
const NAMES_MAX: usize = 100;
const REPORTED_MAX: usize = 2_000;

/// The numbers of streams by account. The id is empty for spectators without an account.
type Streams = BTreeMap<Arc<str>, u32>;

#[derive(Default)]
pub(super) struct Spectators {
    here: Mutex<Map<String, Streams>>,
    elsewhere: Mutex<Vec<WatchedGame>>,
}

/// A stream of a spectator.
pub(crate) struct Spectating {
    spectators: Arc<Spectators>,
    game_id: String,
    player_id: Arc<str>,
}

impl Drop for Spectating {
    fn drop(&mut self) {
        let mut games = self.spectators.here();
        let Some(game) = games.get_mut(&self.game_id) else { return };
        if let Some(streams) = game.get_mut(&self.player_id) {
            *streams -= 1;
            if *streams == 0 {
                game.remove(&self.player_id);
            }
        }
        if game.is_empty() {
            games.remove(&self.game_id);
        }
    }
}

impl Spectators {
    fn here(&self) -> MutexGuard<'_, Map<String, Streams>> {
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn elsewhere(&self) -> MutexGuard<'_, Vec<WatchedGame>> {
        self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watch(self: &Arc<Self>, game_id: &str, player_id: &Arc<str>) -> Spectating {
        let mut games = self.here();
        let game = games.entry(game_id.to_owned()).or_default();
        *game.entry(Arc::clone(player_id)).or_default() += 1;
        let (spectators, player_id) = (Arc::clone(self), Arc::clone(player_id));
        Spectating { spectators, game_id: game_id.to_owned(), player_id }
    }
}

fn watched(game_id: &str, game: &Streams) -> WatchedGame {
    let mut watched = WatchedGame { game_id: game_id.to_owned(), ..WatchedGame::default() };
    for (player_id, streams) in game {
        if player_id.is_empty() {
            watched.others += streams;
        } else if watched.player_ids.len() < NAMES_MAX {
            watched.player_ids.push(player_id.to_string());
        } else {
            watched.others += 1;
        }
    }
    watched
}

impl Chat {
    /// Notes a stream of a spectator until the result is dropped. Returns `None` for other streams.
    pub(crate) fn note_spectator(
        &self,
        game_id: &str,
        caller: &Caller,
        place: ChatPlace,
    ) -> Option<Spectating> {
        // The id of anonymous spectators is empty.
        matches!(place, ChatPlace::Anonymous | ChatPlace::Spectator)
            .then(|| self.spectators.watch(game_id, &caller.player_id))
    }

    /// Returns the ids of a game's spectators on all engines, and the number of others.
    pub(crate) fn spectators(&self, game_id: &str) -> (BTreeSet<String>, u32) {
        let here = self.spectators.here().get(game_id).map(|game| watched(game_id, game));
        let elsewhere = self.spectators.elsewhere();
        let all = here.iter().chain(elsewhere.iter().filter(|game| game.game_id == game_id));
        let (mut player_ids, mut others) = (BTreeSet::new(), 0);
        for game in all {
            others += game.others;
            player_ids.extend(game.player_ids.iter().cloned());
        }
        let surplus = player_ids.iter().nth(NAMES_MAX).cloned();
        if let Some(surplus) = surplus {
            others += player_ids.split_off(&surplus).len() as u32;
        }
        (player_ids, others)
    }

    /// Returns the spectators who show their names, sorted by name, and the number of those who do
    /// not. Names and settings may have changed since the streams opened.
    pub(crate) async fn named_spectators(
        &self,
        player_ids: BTreeSet<String>,
    ) -> (Vec<Spectator>, u32) {
        let (mut named, mut others) = (Vec::with_capacity(player_ids.len()), 0);
        for player_id in player_ids {
            let privacy = self.ratings.privacy(&player_id).await;
            let account = self.accounts.find_named(&player_id).await;
            match (privacy, account) {
                (Ok(privacy), Ok(Some(account))) if !privacy.hide_watching => {
                    named.push(Spectator { player_id, name: account.name });
                }
                // Without the settings, for example in an outage, the account is not named.
                _ => others += 1,
            }
        }
        named.sort_by(|one, other| one.name.cmp(&other.name));
        (named, others)
    }

    /// Returns the spectators on this engine, to be appended to its report to other engines.
    pub(crate) fn watched(&self) -> Vec<u8> {
        let here = self.spectators.here();
        let (mut games, mut named) = (Vec::new(), 0);
        for (game_id, game) in here.iter() {
            named += game.len().min(NAMES_MAX);
            if named > REPORTED_MAX {
                break;
            }
            games.push(watched(game_id, game));
        }
        WatchedGames { games }.encode_to_vec()
    }

    /// Notes the spectators on other engines from their reports.
    pub(crate) fn note_elsewhere(&self, reports: &[Vec<u8>]) {
        let read = |report: &Vec<u8>| WatchedGames::decode(report.as_slice()).ok();
        let games = reports.iter().filter_map(read).flat_map(|report| report.games).collect();
        *self.spectators.elsewhere() = games;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_watches_until_its_last_stream_ends() {
        let spectators = Arc::new(Spectators::default());
        let (ann, bob): (Arc<str>, Arc<str>) = ("p-ann".into(), "p-bob".into());
        let first = spectators.watch("g", &ann);
        let second = spectators.watch("g", &ann);
        let other = spectators.watch("g", &bob);
        let unnamed: Vec<_> = (0..3).map(|_| spectators.watch("g", &"".into())).collect();
        let now = || spectators.here().get("g").map(|game| watched("g", game));
        assert_eq!(now().unwrap().player_ids, ["p-ann", "p-bob"]);
        assert_eq!(now().unwrap().others, 3);
        drop(first);
        assert_eq!(now().unwrap().player_ids, ["p-ann", "p-bob"], "another stream is open");
        drop(second);
        assert_eq!(now().unwrap().player_ids, ["p-bob"]);
        drop((other, unnamed));
        assert_eq!(now(), None, "nothing is left of the game");
    }

    #[test]
    fn a_game_lists_a_limited_number_of_spectators() {
        let spectators = Arc::new(Spectators::default());
        let id = |number: usize| -> Arc<str> { format!("p-{number:04}").into() };
        let _open: Vec<_> =
            (0..NAMES_MAX + 7).map(|number| spectators.watch("g", &id(number))).collect();
        let game = watched("g", &spectators.here()["g"]);
        assert_eq!((game.player_ids.len(), game.others), (NAMES_MAX, 7));
    }
}
