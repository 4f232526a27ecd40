//! The time by which everything is judged.
//!
//! Machines' clocks differ. If several processes share a store, all go by its clock, or a fast one
//! would let everybody's deadlines pass too early.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::SystemTime;

use crate::store::Millis;

/// One engine's time: its machine's clock, set right by that of a shared store.
#[derive(Clone)]
pub struct Time(Arc<Clocks>);

struct Clocks {
    machine: Box<dyn Fn() -> Millis + Send + Sync>,
    /// How far the store's clock is ahead of the machine's.
    ahead: AtomicI64,
}

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
        Self(Arc::new(Clocks { machine: Box::new(machine), ahead: AtomicI64::new(0) }))
    }

    /// Now.
    pub fn now(&self) -> Millis {
        self.machine().saturating_add(self.ahead())
    }

    /// What the machine's clock shows.
    pub(crate) fn machine(&self) -> Millis {
        (self.0.machine)()
    }

    /// How far the store's clock is ahead of the machine's.
    pub(crate) fn ahead(&self) -> Millis {
        self.0.ahead.load(Ordering::Relaxed)
    }

    /// The store's clock is ahead of the machine's by so much.
    pub(crate) fn set_ahead(&self, ahead: Millis) {
        self.0.ahead.store(ahead, Ordering::Relaxed);
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Time").field("now", &self.now()).field("ahead", &self.ahead()).finish()
    }
}
