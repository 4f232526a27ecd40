//! Rate-limited log messages.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::bounded::Generations;
use crate::random;

const REPEAT_INTERVAL: Duration = Duration::from_secs(10);
const CAUSES: usize = 256;

#[derive(Debug)]
pub(crate) struct Throttle(Mutex<State>);

#[derive(Debug)]
struct State {
    last: Option<Instant>,
    suppressed: u64,
}

impl Throttle {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(State { last: None, suppressed: 0 }))
    }

    /// Calls `log` with the number of suppressed messages, at most once per [`REPEAT_INTERVAL`].
    pub(crate) fn log(&self, log: impl FnOnce(u64)) {
        if let Some(suppressed) = self.due(Instant::now()) {
            log(suppressed);
        }
    }

    fn due(&self, now: Instant) -> Option<u64> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.last.is_some_and(|last| now.saturating_duration_since(last) < REPEAT_INTERVAL) {
            state.suppressed += 1;
            return None;
        }
        state.last = Some(now);
        Some(std::mem::take(&mut state.suppressed))
    }
}

/// Logs a message at most once every ten seconds, with the number of suppressed messages.
macro_rules! throttled {
    ($level:ident, $($line:tt)*) => {{
        static THROTTLE: $crate::log_throttle::Throttle = $crate::log_throttle::Throttle::new();
        THROTTLE.log(|suppressed| tracing::$level!(suppressed, $($line)*));
    }};
}
pub(crate) use throttled;

/// Counts an internal error and returns its id. Logs the cause with this id, unless the same cause
/// was logged recently.
pub(crate) fn incident(cause: &str) -> String {
    static INCIDENTS: IncidentIds = IncidentIds::new();
    metrics::counter!("heliopause_incidents_total").increment(1);
    INCIDENTS.name(cause, random::incident, |incident| {
        tracing::error!(incident, cause, "internal error");
    })
}

/// The ids of internal errors. A repeated error has the same id for [`REPEAT_INTERVAL`] and is not
/// logged again in that time, so callers cannot fill the log.
struct IncidentIds(Mutex<Option<Generations<String, (Instant, String)>>>);

impl IncidentIds {
    const fn new() -> Self {
        Self(Mutex::new(None))
    }

    fn name(&self, cause: &str, make: impl FnOnce() -> String, log: impl FnOnce(&str)) -> String {
        let now = Instant::now();
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_with(|| Generations::new(CAUSES));
        if let Some((said, name)) = known.get_mut(cause)
            && now.saturating_duration_since(*said) < REPEAT_INTERVAL
        {
            return name.clone();
        }
        let name = make();
        log(&name);
        known.insert(cause.to_owned(), (now, name.clone()));
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_are_suppressed_and_counted() {
        let throttle = Throttle::new();
        let begin = Instant::now();
        assert_eq!(throttle.due(begin), Some(0));
        for second in 0..9 {
            assert_eq!(throttle.due(begin + Duration::from_secs(second)), None);
        }
        assert_eq!(throttle.due(begin + REPEAT_INTERVAL), Some(9));
        assert_eq!(throttle.due(begin + REPEAT_INTERVAL), None);
    }

    #[test]
    fn a_repeated_error_has_the_same_id_and_one_line() {
        let named = IncidentIds::new();
        let mut lines = Vec::new();
        let mut names = Vec::new();
        for (number, cause) in ["one", "other", "one", "one"].into_iter().enumerate() {
            names.push(named.name(
                cause,
                || number.to_string(),
                |name| lines.push(name.to_owned()),
            ));
        }
        assert_eq!(
            (names, lines),
            (
                ["0", "1", "0", "0"].map(str::to_owned).to_vec(),
                ["0", "1"].map(str::to_owned).to_vec()
            )
        );
    }
}
