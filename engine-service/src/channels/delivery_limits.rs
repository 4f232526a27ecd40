//! Limits on concurrent deliveries per player, host and mailbox. A slow receiver therefore delays
//! only its own notices.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

const FOR_ONE_PLAYER: usize = 4;
const TO_ONE_HOST: usize = 8;

#[derive(Default)]
pub(super) struct DeliveryLimits(Mutex<HashMap<String, usize>>);

pub(super) struct DeliveryPermit<'a>(&'a DeliveryLimits, String);

impl DeliveryLimits {
    pub(super) fn acquire_for_player(&self, player_id: &str) -> Option<DeliveryPermit<'_>> {
        self.acquire(format!("player {player_id}"), FOR_ONE_PLAYER)
    }

    /// Acquires the only permit of a mailbox. Returns `None` while another email is being sent to
    /// it.
    pub(super) fn acquire_for_mailbox(&self, channel_id: &str) -> Option<DeliveryPermit<'_>> {
        self.acquire(format!("mailbox {channel_id}"), 1)
    }

    pub(super) fn acquire_for_host(&self, host: &str) -> Option<DeliveryPermit<'_>> {
        self.acquire(format!("host {host}"), TO_ONE_HOST)
    }

    fn acquire(&self, whose: String, most: usize) -> Option<DeliveryPermit<'_>> {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = places.entry(whose.clone()).or_default();
        if *taken >= most {
            return None;
        }
        *taken += 1;
        drop(places);
        Some(DeliveryPermit(self, whose))
    }
}

impl Drop for DeliveryPermit<'_> {
    fn drop(&mut self) {
        let Self(DeliveryLimits(places), whose) = self;
        let mut places = places.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(taken) = places.get_mut(whose) {
            *taken -= 1;
            if *taken == 0 {
                places.remove(whose);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn concurrent_deliveries_are_limited() {
        let delivery_limits = DeliveryLimits::default();
        let places: Vec<_> = (0..2).map(|_| delivery_limits.acquire("a".to_owned(), 2)).collect();
        assert!(places.iter().all(Option::is_some));
        assert!(delivery_limits.acquire("a".to_owned(), 2).is_none());
        assert!(delivery_limits.acquire("b".to_owned(), 2).is_some());
        drop(places);
        assert!(delivery_limits.acquire("a".to_owned(), 2).is_some());
        assert!(delivery_limits.0.lock().unwrap().is_empty());
    }
}
