//! Fair scheduling of demands. Hosts take turns, then the games of a host, then the demands of a
//! game. At each level, the host, game or demand that has waited longest is next.
//!
//! Operations take logarithmic time. Only demands that a worker may not see are skipped one by one.

use std::collections::{BTreeMap, HashMap};

use super::lease_table::Key;
use crate::store::shared::Profile;

/// The values of the queue's clock at the last turn (0 before the first turn) and on arrival (0
/// after the first turn).
type Turn = (u64, u64);
type Waiting = BTreeMap<u64, Key>;
type Games = BTreeMap<(Turn, String), Waiting>;
type Line = BTreeMap<(Turn, String), Games>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) profile: Profile,
    pub(super) host: String,
    pub(super) since: u64,
}

#[derive(Default)]
pub(super) struct Queue {
    lines: BTreeMap<Profile, Line>,
    hosts: Turns,
    games: Turns,
    clock: u64,
}

/// The last turns of hosts or games that have demands, whether queued or leased.
#[derive(Default)]
struct Turns(HashMap<String, (Turn, usize)>);

impl Turns {
    fn of(&self, who: &str) -> Turn {
        self.0.get(who).map_or((0, 0), |(turn, _)| *turn)
    }

    fn enter(&mut self, who: &str, clock: u64) {
        match self.0.get_mut(who) {
            Some((_, demands)) => *demands += 1,
            None => drop(self.0.insert(who.to_owned(), ((0, clock), 1))),
        }
    }

    fn leave(&mut self, who: &str) {
        if let Some((_, demands)) = self.0.get_mut(who) {
            *demands -= 1;
            if *demands == 0 {
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

fn in_turn(line: &Line) -> impl Iterator<Item = ((Turn, Turn, u64), &Key)> {
    line.iter().flat_map(|((host, _), games)| {
        games.iter().flat_map(move |((game, _), waiting)| {
            waiting.iter().map(move |(since, key)| ((*host, *game, *since), key))
        })
    })
}

impl Queue {
    /// Counts a new demand of a host and a game. Both keep their turns while they have demands.
    pub(super) fn enter(&mut self, host: &str, game_id: &str) {
        self.clock += 1;
        self.hosts.enter(host, self.clock);
        self.games.enter(game_id, self.clock);
    }

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

    /// Returns the first demand in turn that `takes` accepts, with the result of `takes`. Skips the
    /// profiles that `plays` rejects.
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
