//! Limits on concurrent deliveries per player, host and mailbox. A slow receiver therefore delays
//! only its own notices.

use std::sync::Arc;

use crate::ledger::{Count, Ledger, UsageGuard};

const FOR_ONE_PLAYER: usize = 4;
const TO_ONE_HOST: usize = 8;

#[derive(Default)]
pub(super) struct DeliveryLimits(Arc<Ledger<String, Count>>);

pub(super) type DeliveryPermit = UsageGuard<String, Count>;

impl DeliveryLimits {
    pub(super) fn acquire_for_player(&self, player_id: &str) -> Option<DeliveryPermit> {
        self.acquire(format!("player {player_id}"), FOR_ONE_PLAYER)
    }

    /// Acquires the only permit of a mailbox. Returns `None` while another email is being sent to
    /// it.
    pub(super) fn acquire_for_mailbox(&self, channel_id: &str) -> Option<DeliveryPermit> {
        self.acquire(format!("mailbox {channel_id}"), 1)
    }

    pub(super) fn acquire_for_host(&self, host: &str) -> Option<DeliveryPermit> {
        self.acquire(format!("host {host}"), TO_ONE_HOST)
    }

    fn acquire(&self, whose: String, most: usize) -> Option<DeliveryPermit> {
        UsageGuard::take(self.0.open(whose), |count| count, most)
    }
}
