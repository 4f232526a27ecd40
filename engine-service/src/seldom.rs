//! Lines of the log that are said seldom, however often there is cause for them.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::accounts::secret;
use crate::bounded::Generations;

/// How long nothing is said again.
const EVERY: Duration = Duration::from_secs(10);
/// How many causes are told apart.
const CAUSES: usize = 256;

/// A place in the program that says something at most every ten seconds.
#[derive(Debug)]
pub(crate) struct Seldom(Mutex<State>);

#[derive(Debug)]
struct State {
    last: Option<Instant>,
    unsaid: u64,
}

impl Seldom {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(State { last: None, unsaid: 0 }))
    }

    /// Says it, with how often it was not said since the last time; or does not.
    pub(crate) fn say(&self, say: impl FnOnce(u64)) {
        if let Some(unsaid) = self.due(Instant::now()) {
            say(unsaid);
        }
    }

    fn due(&self, now: Instant) -> Option<u64> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.last.is_some_and(|last| now.saturating_duration_since(last) < EVERY) {
            state.unsaid += 1;
            return None;
        }
        state.last = Some(now);
        Some(std::mem::take(&mut state.unsaid))
    }
}

/// A line of the log that this place in the program says at most every ten seconds, with how often
/// it was not said since.
macro_rules! seldom {
    ($level:ident, $($line:tt)*) => {{
        static PLACE: $crate::seldom::Seldom = $crate::seldom::Seldom::new();
        PLACE.say(|unsaid| tracing::$level!(unsaid, $($line)*));
    }};
}
pub(crate) use seldom;

/// The name of a fault of the server, which its caller is told and under which the cause stands in
/// the log.
pub(crate) fn incident(cause: &str) -> String {
    static INCIDENTS: Named = Named::new();
    metrics::counter!("heliopause_incidents_total").increment(1);
    INCIDENTS.name(cause, secret::incident, |incident| {
        tracing::error!(incident, cause, "internal error");
    })
}

/// Faults and the names under which they stand in the log. One that comes again soon has the same
/// name and no new line, so that whoever is told of it finds it, and nobody can fill the log.
struct Named(Mutex<Option<Generations<String, (Instant, String)>>>);

impl Named {
    const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// The name of a fault, by its cause; `say` puts a new one into the log.
    fn name(&self, cause: &str, fresh: impl FnOnce() -> String, say: impl FnOnce(&str)) -> String {
        let now = Instant::now();
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_with(|| Generations::new(CAUSES));
        if let Some((said, name)) = known.get_mut(cause)
            && now.saturating_duration_since(*said) < EVERY
        {
            return name.clone();
        }
        let name = fresh();
        say(&name);
        known.insert(cause.to_owned(), (now, name.clone()));
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_on_and_on_is_said_once_in_a_while_with_how_often() {
        let seldom = Seldom::new();
        let begin = Instant::now();
        assert_eq!(seldom.due(begin), Some(0));
        for second in 0..9 {
            assert_eq!(seldom.due(begin + Duration::from_secs(second)), None);
        }
        assert_eq!(seldom.due(begin + EVERY), Some(9));
        assert_eq!(seldom.due(begin + EVERY), None);
    }

    #[test]
    fn a_fault_that_comes_again_has_the_same_name_and_one_line() {
        let named = Named::new();
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
