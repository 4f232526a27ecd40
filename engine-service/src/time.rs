//! The engine's clock.
//!
//! Processes that share a store all use the store's clock, because a machine with a fast clock
//! would let everyone's deadlines expire too early. Between two readings of the store's clock, a
//! process adds the elapsed monotonic time, because the machine's clock can be set at any moment.
//! After a machine was suspended, its processes are behind the store's clock until they read it
//! again, but never ahead.

use std::fmt;
use std::ops::{Add, Sub};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Instant, SystemTime};

use crate::store::Millis;

/// The source of an engine's time: its machine's clock, or the clock of a shared store.
#[derive(Clone)]
pub struct Time(Arc<Clocks>);

struct Clocks {
    machine: Box<dyn Fn() -> Millis + Send + Sync>,
    began: Instant,
    store_offset: AtomicI64,
}

/// A point in monotonic time within this process, for timers and expiry in memory. Setting a clock
/// does not affect it. Times that are stored or published use [`Time::now`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(Millis);

impl Moment {
    pub(crate) const FIRST: Self = Self(Millis::MIN);
    pub(crate) const NEVER: Self = Self(Millis::MAX);
}

impl Add<Millis> for Moment {
    type Output = Self;

    fn add(self, millis: Millis) -> Self {
        Self(self.0.saturating_add(millis))
    }
}

impl Sub for Moment {
    type Output = Millis;

    fn sub(self, earlier: Self) -> Millis {
        self.0.saturating_sub(earlier.0)
    }
}

const UNKNOWN: Millis = Millis::MIN;

impl Default for Time {
    fn default() -> Self {
        Self::of(|| {
            let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            since.map_or(0, |since| Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX))
        })
    }
}

impl Time {
    /// Creates a source of time from a machine's clock. The clock may be wrong, and may be set at
    /// any moment.
    pub fn of(machine: impl Fn() -> Millis + Send + Sync + 'static) -> Self {
        let (machine, began) = (Box::new(machine), Instant::now());
        Self(Arc::new(Clocks { machine, began, store_offset: AtomicI64::new(UNKNOWN) }))
    }

    pub fn now(&self) -> Millis {
        self.store_time().unwrap_or_else(|| self.machine())
    }

    pub(crate) fn moment(&self) -> Moment {
        Moment(self.elapsed())
    }

    pub(crate) fn at(&self, moment: Moment) -> Millis {
        self.now().saturating_add(moment - self.moment())
    }

    pub(crate) fn machine(&self) -> Millis {
        (self.0.machine)()
    }

    pub(crate) fn store_time(&self) -> Option<Millis> {
        let store_offset = self.0.store_offset.load(Ordering::Relaxed);
        (store_offset != UNKNOWN).then(|| store_offset.saturating_add(self.elapsed()))
    }

    pub(crate) fn set(&self, shows: Millis) {
        self.0.store_offset.store(shows.saturating_sub(self.elapsed()), Ordering::Relaxed);
    }

    fn elapsed(&self) -> Millis {
        Millis::try_from(self.0.began.elapsed().as_millis()).unwrap_or(Millis::MAX)
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Time").field("now", &self.now()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_the_machine_clock_has_no_effect_once_the_store_clock_is_known() {
        let shows = Arc::new(AtomicI64::new(1_000));
        let machine = Arc::clone(&shows);
        let time = Time::of(move || machine.load(Ordering::Relaxed));
        assert_eq!((time.now(), time.store_time()), (1_000, None));
        time.set(70_000);
        shows.store(9_000_000, Ordering::Relaxed);
        assert!((70_000..80_000).contains(&time.now()), "{time:?}");
    }

    #[test]
    fn setting_the_clock_does_not_change_moments() {
        let shows = Arc::new(AtomicI64::new(9_000_000));
        let machine = Arc::clone(&shows);
        let time = Time::of(move || machine.load(Ordering::Relaxed));
        let soon = time.moment() + 5_000;
        assert!((9_003_000..=9_005_000).contains(&time.at(soon)), "{time:?}");
        shows.store(1_000, Ordering::Relaxed);
        assert!((3_000..=6_000).contains(&time.at(soon)), "{time:?}");
        assert!((3_000..=5_000).contains(&(soon - time.moment())));
        assert!(Moment::FIRST < soon && soon < Moment::NEVER + 1);
        assert_eq!(time.at(Moment::NEVER), Millis::MAX, "nothing is beyond the end of time");
    }
}
