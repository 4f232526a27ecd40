//! The times of the last activity in each game. Automation is asleep in games without recent
//! activity.
//!
//! Activity is a player's call that reads or changes a game, or an open stream of its events.
//! Operators and workers do not count. Each process sees its own calls, and the players' steps in
//! all processes. A process with an active viewer immediately wakes automation that another process
//! has put to sleep.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::Time;
use crate::bounded::Generations;
use crate::maps::Map;
use crate::store::Millis;
use crate::time::Moment;

/// The minimum number of games whose activity is kept. In other games, automation may be put to
/// sleep early, until the next activity.
const RECENT_EVENTS: usize = 100_000;

pub(crate) struct Activity {
    time: Time,
    unwatched_after: Option<Millis>,
    /// The time at which recording started. Earlier activity is unknown.
    began: Moment,
    state: Mutex<State>,
}

struct State {
    last: Generations<String, Moment>,
    streams: Map<String, usize>,
}

pub(crate) struct ActiveStream {
    activity: Arc<Activity>,
    game_id: String,
}

impl Activity {
    pub(crate) fn new(unwatched_after: Option<Duration>, time: Time) -> Arc<Self> {
        let state = State { last: Generations::new(RECENT_EVENTS), streams: Map::default() };
        let unwatched_after = unwatched_after.map(|time| time.as_millis() as Millis);
        let began = time.moment();
        Arc::new(Self { time, unwatched_after, began, state: Mutex::new(state) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn note(&self, game_id: &str) {
        self.state().note(game_id, self.time.moment());
    }

    pub(crate) fn watch(self: &Arc<Self>, game_id: &str) -> ActiveStream {
        *self.state().streams.entry(game_id.to_owned()).or_default() += 1;
        ActiveStream { activity: self.clone(), game_id: game_id.to_owned() }
    }

    pub(crate) fn last(&self, game_id: &str) -> Option<Moment> {
        let mut state = self.state();
        if state.streams.contains_key(game_id) {
            return Some(self.time.moment());
        }
        state.last.get_mut(game_id).copied()
    }

    pub(crate) fn is_unwatched(&self, game_id: &str) -> bool {
        let Some(after) = self.unwatched_after else { return false };
        let last = self.last(game_id).unwrap_or(self.began).max(self.began);
        self.time.moment() - last >= after
    }

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

impl Drop for ActiveStream {
    fn drop(&mut self) {
        let mut state = self.activity.state();
        state.note(&self.game_id, self.activity.time.moment());
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
    fn a_game_is_active_during_a_stream_and_for_a_while_after_activity() {
        let activity = Activity::new(Some(Duration::from_millis(60)), Time::default());
        assert!(!activity.is_unwatched("g"), "earlier activity is unknown");
        let (first, second) = (activity.watch("g"), activity.watch("g"));
        drop(first);
        std::thread::sleep(Duration::from_millis(80));
        assert!(!activity.is_unwatched("g") && activity.is_unwatched("other"));
        drop(second);
        assert!(!activity.is_unwatched("g"), "a stream has just ended");
        std::thread::sleep(Duration::from_millis(80));
        assert!(activity.is_unwatched("g"));
        activity.note("g");
        assert!(
            !activity.is_unwatched("g")
                && activity.last("g").is_some()
                && activity.last("other").is_none()
        );
        assert!(activity.state().streams.is_empty());
        assert!(!Activity::new(None, Time::default()).is_unwatched("other"));
    }
}
