//! The latest event and message that the player has seen, saved between sessions.

use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::profile::{Profiles, write_private};
use crate::words::say;

/// The last event and the last message that the player has seen, numbered from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seen {
    #[serde(default)]
    pub(super) event: u64,
    #[serde(default)]
    pub(super) letter: u64,
}

impl Seen {
    pub(super) fn load(profiles: &Profiles, game: &str) -> Self {
        let text = path(profiles, game).and_then(|path| Ok(fs::read_to_string(path)?));
        text.ok().and_then(|text| toml::from_str(&text).ok()).unwrap_or_default()
    }

    /// Saves the state. Errors are ignored, because the state is only a convenience.
    pub(super) fn keep(self, profiles: &Profiles, game: &str) {
        let text = toml::to_string(&self).unwrap_or_default();
        let _ = path(profiles, game).and_then(|path| write_private(&path, text.as_bytes()));
    }
}

fn path(profiles: &Profiles, game: &str) -> Result<PathBuf, Failure> {
    // The engine chooses the ids of games, so an id must not lead out of the folder.
    let is_plain = |char: char| char.is_ascii_alphanumeric() || char == '-';
    if game.is_empty() || !game.chars().all(is_plain) {
        return Err(Failure::failed(say!("play-game-id-not-valid", game = game)));
    }
    profiles.file("seen", game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seen_state_is_saved_for_each_game() {
        let folder = tempfile::tempdir().unwrap();
        let profiles = Profiles::at(folder.path());
        let seen = Seen { event: 12, letter: 3 };
        seen.keep(&profiles, "g-1");
        assert_eq!(Seen::load(&profiles, "g-1"), seen);
        assert_eq!(Seen::load(&profiles, "g-2"), Seen::default());
        for id in ["../g-1", "", "a/b", "g.1"] {
            seen.keep(&profiles, id);
            assert_eq!(Seen::load(&profiles, id), Seen::default(), "{id}");
        }
    }
}
