//! Whose want comes next: hosts take turns, then the games of a host; within a game the longest
//! wait comes first.
//!
//! So a host with thousands of wants keeps nobody else waiting: a new host is next. Everything
//! costs the logarithm of the number of wants, except wants that a worker may not see, which it
//! passes over one by one.

use std::collections::{BTreeMap, HashMap};

use super::book::Key;
use crate::store::shared::Profile;

/// The time of somebody's latest turn, 0 before the first, and of their arrival.
type Turn = (u64, u64);
/// The wants of a game by how long they have waited.
type Waiting = BTreeMap<u64, Key>;
/// The games of a host by their turns.
type Games = BTreeMap<(Turn, String), Waiting>;
/// The hosts by their turns.
type Line = BTreeMap<(Turn, String), Games>;

/// A want in the queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) profile: Profile,
    pub(super) host: String,
    /// The earlier, the longer it has waited.
    pub(super) since: u64,
}

/// Wants that nobody answers yet, a line for each profile.
#[derive(Default)]
pub(super) struct Queue {
    lines: BTreeMap<Profile, Line>,
    hosts: Turns,
    games: Turns,
    clock: u64,
}

/// The latest turns of those with wants, waiting or in answer.
#[derive(Default)]
struct Turns(HashMap<String, (Turn, usize)>);

impl Turns {
    fn of(&self, who: &str) -> Turn {
        self.0.get(who).map_or((0, 0), |(turn, _)| *turn)
    }

    fn enter(&mut self, who: &str, clock: u64) {
        match self.0.get_mut(who) {
            Some((_, wants)) => *wants += 1,
            None => drop(self.0.insert(who.to_owned(), ((0, clock), 1))),
        }
    }

    fn leave(&mut self, who: &str) {
        if let Some((_, wants)) = self.0.get_mut(who) {
            *wants -= 1;
            if *wants == 0 {
                self.0.remove(who);
            }
        }
    }

    fn serve(&mut self, who: &str, turn: Turn) {
        if let Some((latest, _)) = self.0.get_mut(who) {
            *latest = turn;
        }
    }
}

/// The wants of a line in the order of their turns.
fn in_turn(line: &Line) -> impl Iterator<Item = ((Turn, Turn, u64), &Key)> {
    line.iter().flat_map(|((host, _), games)| {
        games.iter().flat_map(move |((game, _), waiting)| {
            waiting.iter().map(move |(since, key)| ((*host, *game, *since), key))
        })
    })
}

impl Queue {
    /// Somebody wants something more. They keep their turn until they want nothing.
    pub(super) fn enter(&mut self, host: &str, game_id: &str) {
        self.clock += 1;
        self.hosts.enter(host, self.clock);
        self.games.enter(game_id, self.clock);
    }

    /// Somebody wants something less.
    pub(super) fn leave(&mut self, host: &str, game_id: &str) {
        self.hosts.leave(host);
        self.games.leave(game_id);
    }

    pub(super) fn push(&mut self, place: &Place, key: Key) {
        let host = (self.hosts.of(&place.host), place.host.clone());
        let game = (self.games.of(&key.game_id), key.game_id.clone());
        let line = self.lines.entry(place.profile.clone()).or_default();
        line.entry(host).or_default().entry(game).or_default().insert(place.since, key);
    }

    pub(super) fn remove(&mut self, place: &Place, key: &Key) {
        let host = (self.hosts.of(&place.host), place.host.clone());
        let game = (self.games.of(&key.game_id), key.game_id.clone());
        let Some(line) = self.lines.get_mut(&place.profile) else { return };
        let Some(games) = line.get_mut(&host) else { return };
        if let Some(waiting) = games.get_mut(&game) {
            waiting.remove(&place.since);
            if waiting.is_empty() {
                games.remove(&game);
            }
        }
        if games.is_empty() {
            line.remove(&host);
        }
        if line.is_empty() {
            self.lines.remove(&place.profile);
        }
    }

    /// A want had its turn: its host and its game come last now.
    pub(super) fn serve(&mut self, place: &Place, key: &Key) {
        self.remove(place, key);
        self.clock += 1;
        let turn = (self.clock, 0);
        let host = (self.hosts.of(&place.host), place.host.clone());
        let game = (self.games.of(&key.game_id), key.game_id.clone());
        for line in self.lines.values_mut() {
            let Some(mut games) = line.remove(&host) else { continue };
            if let Some(waiting) = games.remove(&game) {
                games.insert((turn, key.game_id.clone()), waiting);
            }
            line.insert((turn, place.host.clone()), games);
        }
        self.hosts.serve(&place.host, turn);
        self.games.serve(&key.game_id, turn);
    }

    /// The next want that a worker takes, with the result of its check: of all lines the one whose
    /// host and game wait longest for a turn.
    pub(super) fn next<T>(
        &self,
        takes: impl Fn(&Profile, &Key) -> Option<T>,
        plays: impl Fn(&Profile) -> bool,
    ) -> Option<(Key, T)> {
        let played = self.lines.iter().filter(|(profile, _)| plays(profile));
        let firsts = played.filter_map(|(profile, line)| {
            let taken = |(turn, key)| takes(profile, key).map(|taken| (turn, key, taken));
            in_turn(line).find_map(taken)
        });
        let (_, key, taken) = firsts.min_by_key(|(turn, _, _)| *turn)?;
        Some((key.clone(), taken))
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.lines
            .values()
            .flat_map(BTreeMap::values)
            .flat_map(BTreeMap::values)
            .map(BTreeMap::len)
            .sum()
    }
}
