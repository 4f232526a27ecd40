//! What the writer knows of games without asking the database.

use std::sync::Arc;

use rusqlite::Connection;

use super::heads::Slots;
use super::{directory, journal};
use crate::bounded::Generations;
use crate::store::{GameRow, StoreError};

/// How many games it remembers at least.
const GAMES: usize = 4_096;

/// A game as the last write left it.
pub(super) struct Known {
    pub(super) key: i64,
    pub(super) last: u64,
    pub(super) row: GameRow,
}

/// The games that were written to lately. As one thread writes all, it needs no check against the
/// database; but it runs ahead of the commit, so a batch that fails must forget it.
pub(super) struct KnownGames {
    games: Generations<String, Known>,
    slots: Arc<Slots>,
}

impl KnownGames {
    pub(super) fn new(slots: Arc<Slots>) -> Self {
        Self { games: Generations::new(GAMES), slots }
    }

    /// A game, if there is one.
    pub(super) fn get(
        &mut self,
        connection: &Connection,
        game_id: &str,
    ) -> Result<Option<&mut Known>, StoreError> {
        if self.games.get_mut(game_id).is_none() {
            let Some(known) = read(connection, &self.slots, game_id)? else { return Ok(None) };
            self.games.insert(game_id.to_owned(), known);
        }
        Ok(self.games.get_mut(game_id))
    }

    pub(super) fn remember(&mut self, known: Known) {
        self.games.insert(known.row.game_id.clone(), known);
    }

    pub(super) fn forget(&mut self, game_id: &str) {
        self.games.remove(game_id);
    }

    pub(super) fn forget_all(&mut self) {
        self.games.clear();
    }
}

fn read(
    connection: &Connection,
    slots: &Slots,
    game_id: &str,
) -> Result<Option<Known>, StoreError> {
    let (key, row) = match directory::game(connection, game_id) {
        Ok(found) => found,
        Err(StoreError::NotFound) => return Ok(None),
        Err(error) => return Err(error),
    };
    let last = directory::last(connection, key)?;
    journal::check_end(game_id, last, slots.told(key, game_id).unwrap_or(0))?;
    Ok(Some(Known { key, last, row }))
}
