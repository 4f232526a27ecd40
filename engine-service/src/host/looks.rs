//! When a person last looked at a game, as far as this process knows: automation sleeps if nobody
//! has for a while.
//!
//! A look is a player's call that reads or changes a game, or an open stream of its events.
//! Operators and workers do not count. Nothing of it is stored; its effects, that automation falls
//! asleep and wakes, are steps of the game. If several processes play the same games, each knows
//! its own looks, and the acts of players, which all of them hear of. If one process puts a game to
//! sleep, another at which somebody watches it wakes it at once.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::Time;
use crate::bounded::Generations;
use crate::maps::Map;
use crate::store::Millis;
use crate::time::Moment;

/// How many games it remembers at least. Automation of forgotten games sleeps early, until the next
/// look.
const REMEMBERED: usize = 100_000;

/// Who looks at what.
pub(crate) struct Looks {
    time: Time,
    /// How long automation goes on unwatched; `None` for ever.
    unwatched_after: Option<Millis>,
    /// The start of the notes: before it, somebody may have looked at any game.
    began: Moment,
    state: Mutex<State>,
}

struct State {
    last: Generations<String, Moment>,
    /// How many streams of people are open.
    streams: Map<String, usize>,
}

/// A stream of a person, which looks at a game until it is dropped.
pub(crate) struct Watch {
    looks: Arc<Looks>,
    game_id: String,
}

impl Looks {
    pub(crate) fn new(unwatched_after: Option<Duration>, time: Time) -> Arc<Self> {
        let state = State { last: Generations::new(REMEMBERED), streams: Map::default() };
        let unwatched_after = unwatched_after.map(|time| time.as_millis() as Millis);
        let began = time.moment();
        Arc::new(Self { time, unwatched_after, began, state: Mutex::new(state) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A person looks now.
    pub(crate) fn note(&self, game_id: &str) {
        self.state().note(game_id, self.time.moment());
    }

    /// A person looks from now on.
    pub(crate) fn watch(self: &Arc<Self>, game_id: &str) -> Watch {
        *self.state().streams.entry(game_id.to_owned()).or_default() += 1;
        Watch { looks: self.clone(), game_id: game_id.to_owned() }
    }

    /// When a person looked last, if that is known.
    pub(crate) fn last(&self, game_id: &str) -> Option<Moment> {
        let mut state = self.state();
        if state.streams.contains_key(game_id) {
            return Some(self.time.moment());
        }
        state.last.get_mut(game_id).copied()
    }

    /// Whether nobody has looked for so long that automation should sleep.
    pub(crate) fn is_unwatched(&self, game_id: &str) -> bool {
        let Some(after) = self.unwatched_after else { return false };
        let last = self.last(game_id).unwrap_or(self.began).max(self.began);
        self.time.moment() - last >= after
    }

    /// How often to look for games that nobody looks at any more; `None` for never.
    pub(crate) fn check_every(&self) -> Option<Duration> {
        let millis = (self.unwatched_after? / 16).clamp(100, 60_000);
        Some(Duration::from_millis(millis as u64))
    }
}

impl State {
    fn note(&mut self, game_id: &str, now: Moment) {
        match self.last.get_mut(game_id) {
            Some(last) => *last = now,
            None => self.last.insert(game_id.to_owned(), now),
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut state = self.looks.state();
        state.note(&self.game_id, self.looks.time.moment());
        let streams = state.streams.get_mut(&self.game_id).map_or(0, |streams| {
            *streams -= 1;
            *streams
        });
        if streams == 0 {
            state.streams.remove(&self.game_id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_watched_while_a_stream_is_open_and_for_a_while_after_each_look() {
        let looks = Looks::new(Some(Duration::from_millis(60)), Time::default());
        assert!(!looks.is_unwatched("g"), "nothing is known of the time before");
        let (first, second) = (looks.watch("g"), looks.watch("g"));
        drop(first);
        std::thread::sleep(Duration::from_millis(80));
        assert!(!looks.is_unwatched("g") && looks.is_unwatched("other"));
        drop(second);
        assert!(!looks.is_unwatched("g"), "it was watched just now");
        std::thread::sleep(Duration::from_millis(80));
        assert!(looks.is_unwatched("g"));
        looks.note("g");
        assert!(
            !looks.is_unwatched("g") && looks.last("g").is_some() && looks.last("other").is_none()
        );
        assert!(looks.state().streams.is_empty());
        assert!(!Looks::new(None, Time::default()).is_unwatched("other"), "0 is never");
    }
}
