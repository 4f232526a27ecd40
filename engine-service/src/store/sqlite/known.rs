//! The writer's cache of games.

use std::sync::Arc;

use rusqlite::Connection;

use super::directory;
use super::heads::{Slots, check_end};
use crate::bounded::Generations;
use crate::store::{GameRow, Result, StoreError};

const CACHED_MIN: usize = 4_096;

pub(super) struct CachedGame {
    pub(super) key: i64,
    pub(super) last: u64,
    pub(super) row: GameRow,
}

/// Games that the writer used recently. There is only one writing thread, so the cache is never
/// stale. But the cache is ahead of the commit, so it must be cleared if a batch fails.
pub(super) struct GameCache {
    games: Generations<String, CachedGame>,
    slots: Arc<Slots>,
}

impl GameCache {
    pub(super) fn new(slots: Arc<Slots>) -> Self {
        Self { games: Generations::new(CACHED_MIN), slots }
    }

    pub(super) fn get(
        &mut self,
        connection: &Connection,
        game_id: &str,
    ) -> Result<Option<&mut CachedGame>> {
        if self.games.get_mut(game_id).is_none() {
            let Some(known) = read(connection, &self.slots, game_id)? else { return Ok(None) };
            self.games.insert(game_id.to_owned(), known);
        }
        Ok(self.games.get_mut(game_id))
    }

    pub(super) fn remember(&mut self, known: CachedGame) {
        self.games.insert(known.row.game_id.clone(), known);
    }

    pub(super) fn forget(&mut self, game_id: &str) {
        self.games.remove(game_id);
    }

    pub(super) fn forget_all(&mut self) {
        self.games.clear();
    }
}

fn read(connection: &Connection, slots: &Slots, game_id: &str) -> Result<Option<CachedGame>> {
    let (key, row) = match directory::game(connection, game_id) {
        Ok(found) => found,
        Err(StoreError::NotFound) => return Ok(None),
        Err(error) => return Err(error),
    };
    let last = directory::last(connection, key)?;
    check_end(game_id, last, slots.recorded(key, game_id).unwrap_or(0))?;
    Ok(Some(CachedGame { key, last, row }))
}
