//! Current resource usage of each account and address.

use tokio::sync::Semaphore;

use super::executors;
use crate::ledger::{self, Count};

pub(crate) type Ledger<K> = ledger::Ledger<K, Usage>;
pub(crate) type LedgerEntry<K> = ledger::LedgerEntry<K, Usage>;
pub(crate) type UsageGuard<K> = ledger::UsageGuard<K, Usage>;

#[derive(Debug)]
pub(crate) struct Usage {
    pub(crate) calls: Count,
    pub(crate) streams: Count,
    pub(crate) connections: Count,
    pub(crate) conversations: Count,
    pub(crate) watches: Count,
    pub(crate) files: Count,
    pub(crate) bytes: Count,
    pub(crate) unassigned_bytes: Count,
    pub(crate) lookups: Semaphore,
    pub(crate) middle: Semaphore,
    pub(crate) heavy: Semaphore,
}

impl Default for Usage {
    fn default() -> Self {
        Self {
            calls: Count::default(),
            streams: Count::default(),
            connections: Count::default(),
            conversations: Count::default(),
            watches: Count::default(),
            files: Count::default(),
            bytes: Count::default(),
            unassigned_bytes: Count::default(),
            lookups: Semaphore::new(executors::LOOKUPS_PER_ADDRESS),
            middle: Semaphore::new(executors::MIDDLE_PER_ACCOUNT),
            heavy: Semaphore::new(executors::HEAVY_PER_ACCOUNT),
        }
    }
}
