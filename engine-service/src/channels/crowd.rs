//! How many receivers are waited for at once, for one player and at one host: a slow receiver holds
//! up its own.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

const FOR_ONE_PLAYER: usize = 4;
const TO_ONE_HOST: usize = 8;

/// Who is being served.
#[derive(Default)]
pub(super) struct Crowd(Mutex<HashMap<String, usize>>);

/// A place in the crowd.
pub(super) struct Place<'a>(&'a Crowd, String);

impl Crowd {
    /// A place for a player.
    pub(super) fn enter_for(&self, player_id: &str) -> Option<Place<'_>> {
        self.enter(format!("player {player_id}"), FOR_ONE_PLAYER)
    }

    /// The place at a mailbox: one mail goes there at a time.
    pub(super) fn enter_mailbox(&self, channel_id: &str) -> Option<Place<'_>> {
        self.enter(format!("mailbox {channel_id}"), 1)
    }

    /// A place at a host.
    pub(super) fn enter_to(&self, host: &str) -> Option<Place<'_>> {
        self.enter(format!("host {host}"), TO_ONE_HOST)
    }

    fn enter(&self, whose: String, most: usize) -> Option<Place<'_>> {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = places.entry(whose.clone()).or_default();
        if *taken >= most {
            return None;
        }
        *taken += 1;
        drop(places);
        Some(Place(self, whose))
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let Self(Crowd(places), whose) = self;
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
    fn a_crowd_has_room_for_so_many() {
        let crowd = Crowd::default();
        let places: Vec<_> = (0..2).map(|_| crowd.enter("a".to_owned(), 2)).collect();
        assert!(places.iter().all(Option::is_some));
        assert!(crowd.enter("a".to_owned(), 2).is_none());
        assert!(crowd.enter("b".to_owned(), 2).is_some());
        drop(places);
        assert!(crowd.enter("a".to_owned(), 2).is_some());
        assert!(crowd.0.lock().unwrap().is_empty());
    }
}
