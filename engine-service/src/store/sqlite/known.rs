//! What the writer knows of games without asking the database.

use rusqlite::Connection;

use super::directory;
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

/// The games that were written to lately. As one thread writes all, it needs no check against the database; but it runs
/// ahead of the commit, so a batch that fails must forget it.
pub(super) struct KnownGames(Generations<String, Known>);

impl Default for KnownGames {
    fn default() -> Self {
        Self(Generations::new(GAMES))
    }
}

impl KnownGames {
    /// A game, if there is one.
    pub(super) fn get(&mut self, connection: &Connection, game_id: &str) -> Result<Option<&mut Known>, StoreError> {
        if self.0.get_mut(game_id).is_none() {
            let Some(known) = read(connection, game_id)? else { return Ok(None) };
            self.0.insert(game_id.to_owned(), known);
        }
        Ok(self.0.get_mut(game_id))
    }

    pub(super) fn remember(&mut self, known: Known) {
        self.0.insert(known.row.game_id.clone(), known);
    }

    pub(super) fn forget(&mut self, game_id: &str) {
        self.0.remove(game_id);
    }

    pub(super) fn forget_all(&mut self) {
        self.0.clear();
    }
}

fn read(connection: &Connection, game_id: &str) -> Result<Option<Known>, StoreError> {
    match directory::game(connection, game_id) {
        Ok((key, row)) => Ok(Some(Known { key, last: directory::last(connection, key)?, row })),
        Err(StoreError::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}
