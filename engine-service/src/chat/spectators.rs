//! The accounts that watch games on this engine, and those that other engines have reported.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use heliopause_proto::store::v1::{WatchedGame, WatchedGames};
use heliopause_proto::v1::Spectator;
use heliopause_table::ChatPlace;
use prost::Message as _;

use super::Chat;
use crate::caller::Caller;
use crate::maps::Map;

/// The maximum number of names for a game, and of all names that an engine reports to others.
const NAMES_MAX: usize = 100;
const REPORTED_MAX: usize = 2_000;

/// The names and the numbers of streams of accounts, by id. The id is empty for accounts without a
/// name in the list.
type Streams = BTreeMap<Arc<str>, (Arc<str>, u32)>;

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
        if let Some((_, streams)) = game.get_mut(&self.player_id) {
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

    fn watch(self: &Arc<Self>, game_id: &str, player_id: &Arc<str>, name: &Arc<str>) -> Spectating {
        let mut games = self.here();
        let game = games.entry(game_id.to_owned()).or_default();
        game.entry(Arc::clone(player_id)).or_insert_with(|| (Arc::clone(name), 0)).1 += 1;
        let (spectators, player_id) = (Arc::clone(self), Arc::clone(player_id));
        Spectating { spectators, game_id: game_id.to_owned(), player_id }
    }
}

fn watched(game_id: &str, game: &Streams) -> WatchedGame {
    let mut watched = WatchedGame { game_id: game_id.to_owned(), ..WatchedGame::default() };
    for (player_id, (name, streams)) in game {
        if player_id.is_empty() {
            watched.others += streams;
        } else if watched.spectators.len() < NAMES_MAX {
            let (player_id, name) = (player_id.to_string(), name.to_string());
            watched.spectators.push(Spectator { player_id, name });
        } else {
            watched.others += 1;
        }
    }
    watched
}

impl Chat {
    /// Notes a stream of a spectator until the result is dropped. Returns `None` for other streams.
    pub(crate) async fn note_spectator(
        &self,
        game_id: &str,
        caller: &Caller,
        place: ChatPlace,
    ) -> Option<Spectating> {
        let is_named = match place {
            ChatPlace::Anonymous => false,
            // Without the settings, for example in an outage, the account is not named.
            ChatPlace::Spectator => {
                let privacy = self.ratings.privacy(&caller.player_id).await;
                privacy.is_ok_and(|privacy| !privacy.hide_watching)
            }
            ChatPlace::Seat(_) | ChatPlace::GameMaster | ChatPlace::NearTable => return None,
        };
        let (player_id, name) = if is_named {
            (Arc::clone(&caller.player_id), Arc::clone(&caller.name))
        } else {
            ("".into(), "".into())
        };
        Some(self.spectators.watch(game_id, &player_id, &name))
    }

    /// Returns the spectators of a game on all engines, sorted by name, and the number of others.
    pub(crate) fn spectators(&self, game_id: &str) -> (Vec<Spectator>, u32) {
        let here = self.spectators.here().get(game_id).map(|game| watched(game_id, game));
        let elsewhere = self.spectators.elsewhere();
        let all = here.iter().chain(elsewhere.iter().filter(|game| game.game_id == game_id));
        let (mut named, mut others) = (BTreeMap::new(), 0);
        for game in all {
            others += game.others;
            for spectator in &game.spectators {
                named.insert(spectator.player_id.clone(), spectator.clone());
            }
        }
        let mut named: Vec<Spectator> = named.into_values().collect();
        named.sort_by(|one, other| one.name.cmp(&other.name));
        others += named.len().saturating_sub(NAMES_MAX) as u32;
        named.truncate(NAMES_MAX);
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

    fn names(game: &WatchedGame) -> Vec<&str> {
        game.spectators.iter().map(|spectator| spectator.name.as_str()).collect()
    }

    #[test]
    fn an_account_watches_until_its_last_stream_ends() {
        let spectators = Arc::new(Spectators::default());
        let (ann, bob): (Arc<str>, Arc<str>) = ("p-ann".into(), "p-bob".into());
        let first = spectators.watch("g", &ann, &"Ann".into());
        let second = spectators.watch("g", &ann, &"Ann".into());
        let other = spectators.watch("g", &bob, &"Bob".into());
        let unnamed: Vec<_> =
            (0..3).map(|_| spectators.watch("g", &"".into(), &"".into())).collect();
        let now = || spectators.here().get("g").map(|game| watched("g", game));
        assert_eq!(names(&now().unwrap()), ["Ann", "Bob"]);
        assert_eq!(now().unwrap().others, 3);
        drop(first);
        assert_eq!(names(&now().unwrap()), ["Ann", "Bob"], "another stream is open");
        drop(second);
        assert_eq!(names(&now().unwrap()), ["Bob"]);
        drop((other, unnamed));
        assert_eq!(now(), None, "nothing is left of the game");
    }

    #[test]
    fn a_game_names_a_limited_number_of_spectators() {
        let spectators = Arc::new(Spectators::default());
        let name = |number: usize| -> Arc<str> { format!("p-{number:04}").into() };
        let _open: Vec<_> = (0..NAMES_MAX + 7)
            .map(|number| spectators.watch("g", &name(number), &name(number)))
            .collect();
        let game = watched("g", &spectators.here()["g"]);
        assert_eq!((game.spectators.len(), game.others), (NAMES_MAX, 7));
    }
}
