//! The list of branches of games.
//!
//! A branch is a sandbox game and a record with the same id. The record is written before the game
//! and removed after it, so every game of a branch has a record. A record whose game was never
//! created, because the engine was killed in between, is removed when the list is read.

use std::sync::Arc;

use bytes::Bytes;
use heliopause_proto::store::v1::StoredAnalysis;
use heliopause_proto::v1::{Analysis, AnalysisOrigin, ErrorReason};
use prost::Message as _;

use crate::failure::{Failure, Result};
use crate::host::{Host, timestamp};
use crate::store::{Millis, Record, RecordChange, RecordQuery, Store, StoreError};

const SPACE: &str = "analysis";
/// One record for each player, which every new branch changes. So of two branches at once one loses
/// the race, and counts again.
const GUARD: &str = "analysis-guard";

const OF_GAME_MAX: usize = 20;
const OF_PLAYER_MAX: usize = 200;
/// The time within which a request creates the game of its record.
const CREATION: Millis = 10 * 60 * 1_000;

/// The branches of all players.
pub(crate) struct Analyses<'a> {
    host: &'a Host,
    store: &'a Arc<dyn Store>,
}

impl<'a> Analyses<'a> {
    pub(crate) fn new(host: &'a Host) -> Self {
        Self { host, store: host.store() }
    }

    /// Records a branch before its game is created. Succeeds if the same player has recorded it
    /// already.
    pub(crate) async fn add(
        &self,
        game_id: &str,
        player_id: &str,
        name: String,
        origin: AnalysisOrigin,
    ) -> Result<()> {
        let (key, of_game) = (key(player_id, &origin.game_id), of_game(player_id, &origin.game_id));
        let origin = Some(AnalysisOrigin { guesses: None, ..origin });
        let create_time = self.host.now();
        let body = StoredAnalysis { player_id: player_id.to_owned(), name, origin, create_time };
        let added = RecordChange::create(SPACE, game_id, &key, body.encode_to_vec());
        loop {
            let guard = self.store.record(GUARD, player_id).await?;
            if self.store.record(SPACE, game_id).await?.is_some() {
                return Ok(());
            }
            let count = self.records(of_game.clone()).await?.len();
            check_quota(count, OF_GAME_MAX, "of this game")?;
            let all = self.records(of_player(player_id)).await?.len();
            check_quota(all, OF_PLAYER_MAX, "in total")?;
            let expected = guard.map_or(0, |guard| guard.version);
            let guarded = RecordChange::create(GUARD, player_id, "", Bytes::new());
            let changes = vec![added.clone(), RecordChange { expected, ..guarded }];
            match self.store.change_records(changes).await {
                Err(StoreError::LostRace { .. }) => {}
                added => return Ok(added?),
            }
        }
    }

    /// Returns a player's branches of a game, oldest first.
    pub(crate) async fn list(&self, player_id: &str, game_id: &str) -> Result<Vec<Analysis>> {
        self.existing(of_game(player_id, game_id)).await
    }

    /// Returns all branches of a player.
    pub(crate) async fn all(&self, player_id: &str) -> Result<Vec<Analysis>> {
        self.existing(of_player(player_id)).await
    }

    async fn existing(&self, query: RecordQuery) -> Result<Vec<Analysis>> {
        let mut found = Vec::new();
        for record in self.records(query).await? {
            let stored = record.message::<StoredAnalysis>()?;
            match self.store.game(&record.id).await {
                Ok(_) => found.push((stored.create_time, described(&record, stored))),
                Err(StoreError::NotFound) if stored.create_time + CREATION > self.host.now() => {}
                Err(StoreError::NotFound) => self.forget(record).await?,
                Err(error) => return Err(error.into()),
            }
        }
        found.sort_by_key(|(one, _)| *one);
        Ok(found.into_iter().map(|(_, analysis)| analysis).collect())
    }

    /// Returns a branch of a player.
    pub(crate) async fn find(&self, player_id: &str, game_id: &str) -> Result<Analysis> {
        let (record, stored) = self.own(player_id, game_id).await?;
        Ok(described(&record, stored))
    }

    pub(crate) async fn rename(
        &self,
        player_id: &str,
        game_id: &str,
        name: String,
    ) -> Result<Analysis> {
        loop {
            let (record, stored) = self.own(player_id, game_id).await?;
            let stored = StoredAnalysis { name: name.clone(), ..stored };
            let change = record.clone().with_body(stored.encode_to_vec());
            match self.store.change_records(vec![change]).await {
                // Another call has changed it.
                Err(StoreError::LostRace { .. }) => {}
                renamed => return Ok(renamed.map(|()| described(&record, stored))?),
            }
        }
    }

    /// Deletes a branch and its game.
    pub(crate) async fn delete(&self, player_id: &str, game_id: &str) -> Result<()> {
        let (record, _) = self.own(player_id, game_id).await?;
        self.remove(record).await
    }

    /// Deletes all branches of a player.
    pub(crate) async fn delete_all(&self, player_id: &str) -> Result<()> {
        // Each query finds a limited number of branches.
        loop {
            let records = self.records(of_player(player_id)).await?;
            if records.is_empty() {
                return match self.store.record(GUARD, player_id).await? {
                    Some(guard) => self.forget(guard).await,
                    None => Ok(()),
                };
            }
            for record in records {
                self.remove(record).await?;
            }
        }
    }

    async fn remove(&self, record: Record) -> Result<()> {
        self.host.remove_games(vec![record.id.clone()]).await?;
        self.forget(record).await
    }

    async fn forget(&self, record: Record) -> Result<()> {
        match self.store.change_records(vec![record.removed()]).await {
            // Another call has removed or renamed it. A renamed one is removed later.
            Err(StoreError::LostRace { .. }) => Ok(()),
            removed => Ok(removed?),
        }
    }

    async fn own(&self, player_id: &str, game_id: &str) -> Result<(Record, StoredAnalysis)> {
        if let Some(record) = self.store.record(SPACE, game_id).await? {
            let stored = record.message::<StoredAnalysis>()?;
            if stored.player_id == player_id {
                return Ok((record, stored));
            }
        }
        let failure = Failure::new(ErrorReason::NotFound, "You have no branch with this id.");
        Err(failure.with("what", "analysis"))
    }

    async fn records(&self, query: RecordQuery) -> Result<Vec<Record>> {
        Ok(self.store.records(query).await?)
    }
}

fn check_quota(count: usize, limit: usize, what: &str) -> Result<()> {
    if count < limit {
        return Ok(());
    }
    let text = format!("You have {limit} branches {what}, which is the limit; delete one first.");
    let failure = Failure::new(ErrorReason::QuotaExceeded, text);
    Err(failure.with("quota", "analyses").with("limit", limit))
}

fn described(record: &Record, stored: StoredAnalysis) -> Analysis {
    Analysis {
        game_id: record.id.clone(),
        name: stored.name,
        origin: stored.origin,
        create_time: Some(timestamp(stored.create_time)),
    }
}

fn key(player_id: &str, game_id: &str) -> String {
    format!("{player_id} {game_id}")
}

fn of_game(player_id: &str, game_id: &str) -> RecordQuery {
    RecordQuery::with_key(SPACE, &key(player_id, game_id), OF_GAME_MAX)
}

fn of_player(player_id: &str) -> RecordQuery {
    RecordQuery {
        space: SPACE.to_owned(),
        after: (key(player_id, ""), String::new()),
        // `!` is the character after the space of the key.
        until: Some(format!("{player_id}!")),
        limit: OF_PLAYER_MAX,
    }
}
