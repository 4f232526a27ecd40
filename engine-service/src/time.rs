//! The time by which everything is judged.
//!
//! Machines' clocks differ. If several processes share a store, all go by its clock, or a fast one
//! would let everybody's deadlines pass too early. Between two looks at that clock they reckon by
//! the time that has passed, and not by the machine's clock: somebody may set that at any moment. A
//! machine that slept reckons too little, so it is late for a while and never early.

use std::fmt;
use std::ops::{Add, Sub};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Instant, SystemTime};

use crate::store::Millis;

/// One engine's time: its machine's clock, set right by that of a shared store.
#[derive(Clone)]
pub struct Time(Arc<Clocks>);

struct Clocks {
    machine: Box<dyn Fn() -> Millis + Send + Sync>,
    /// When the reckoning began.
    began: Instant,
    /// What the store's clock showed then, once that is known.
    shown: AtomicI64,
}

/// A moment in an engine's life, by the time that has passed in it. Whatever rests, waits or runs out
/// here goes by these: a clock that is set, or set right, makes nothing wait longer. What is written
/// down, or told, goes by [`Time::now`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(Millis);

impl Moment {
    /// Before everything.
    pub(crate) const FIRST: Self = Self(Millis::MIN);
    /// It does not come.
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

/// The store's clock was never looked at.
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
    /// The time by a machine's clock, which may be wrong and may be set at any moment.
    pub fn of(machine: impl Fn() -> Millis + Send + Sync + 'static) -> Self {
        let (machine, began) = (Box::new(machine), Instant::now());
        Self(Arc::new(Clocks { machine, began, shown: AtomicI64::new(UNKNOWN) }))
    }

    /// Now.
    pub fn now(&self) -> Millis {
        self.reckoned().unwrap_or_else(|| self.machine())
    }

    /// This moment.
    pub(crate) fn moment(&self) -> Moment {
        Moment(self.passed())
    }

    /// The time at a moment, as far as it is known now.
    pub(crate) fn at(&self, moment: Moment) -> Millis {
        self.now().saturating_add(moment - self.moment())
    }

    /// What the machine's clock shows.
    pub(crate) fn machine(&self) -> Millis {
        (self.0.machine)()
    }

    /// What the store's clock shows now, as far as that is known.
    pub(crate) fn reckoned(&self) -> Option<Millis> {
        let shown = self.0.shown.load(Ordering::Relaxed);
        (shown != UNKNOWN).then(|| shown.saturating_add(self.passed()))
    }

    /// The store's clock shows this now.
    pub(crate) fn set(&self, shows: Millis) {
        self.0.shown.store(shows.saturating_sub(self.passed()), Ordering::Relaxed);
    }

    fn passed(&self) -> Millis {
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
    fn once_the_store_was_asked_nobody_goes_by_a_clock_that_is_set() {
        let shows = Arc::new(AtomicI64::new(1_000));
        let machine = Arc::clone(&shows);
        let time = Time::of(move || machine.load(Ordering::Relaxed));
        assert_eq!((time.now(), time.reckoned()), (1_000, None));
        time.set(70_000);
        shows.store(9_000_000, Ordering::Relaxed);
        assert!((70_000..80_000).contains(&time.now()), "{time:?}");
    }

    #[test]
    fn a_clock_that_is_set_moves_no_moment() {
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
