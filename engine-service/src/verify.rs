//! Checks all stored data for damage: every row's checksum, and every journal's hash chain.

use std::path::Path;

use bytes::Bytes;
use heliopause_proto::store::v1::Entry;
use heliopause_table::{chain, unhashed};
use prost::Message as _;

use crate::store::sqlite::{OpenError, SqliteStore};
use crate::store::{Result, Store, StoreError};

const LISTED: usize = 1_000;
const ENTRIES: usize = 512;
const ENTRIES_BYTES: usize = 4 << 20;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    pub games: u64,
    pub entries: u64,
    /// Damage and losses, one finding per line.
    pub damage: Vec<String>,
}

/// A callback with the number of checked games and the number of all games.
pub type Progress<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// Checks the data directory of a stopped engine.
pub async fn directory(data: &Path, progress: Progress<'_>) -> Result<Verified, OpenError> {
    let (store, damage) = SqliteStore::open_to_verify(data)?;
    let mut verified = check_store(&store, progress).await;
    // Opening the store has already found some of this damage.
    verified.damage.retain(|what| !damage.contains(what));
    verified.damage.splice(0..0, damage);
    Ok(verified)
}

/// Checks a store, game by game and account by account. A failed read counts as damage.
pub async fn check_store(store: &dyn Store, progress: Progress<'_>) -> Verified {
    let mut verified = Verified::default();
    let counted = store.counts().await.map_or(0, |counts| counts.games);
    if let Err(error) = games(store, &mut verified, counted, progress).await {
        verified.damage.push(format!("the list of games: {error}"));
    }
    if let Err(error) = accounts(store).await {
        verified.damage.push(error.to_string());
    }
    verified
}

async fn games(
    store: &dyn Store,
    verified: &mut Verified,
    counted: u64,
    progress: Progress<'_>,
) -> Result<()> {
    let mut after = String::new();
    loop {
        let ids = store.game_ids(&after, LISTED).await?;
        let Some(last) = ids.last() else { return Ok(()) };
        after.clone_from(last);
        for game_id in &ids {
            verified.games += 1;
            if let Err(error) = game(store, game_id, &mut verified.entries).await {
                verified.damage.push(error.to_string());
            }
            progress(verified.games, counted.max(verified.games));
        }
    }
}

async fn game(store: &dyn Store, game_id: &str, entries: &mut u64) -> Result<()> {
    let damaged = |what: String| StoreError::Damaged(format!("game {game_id:?}: {what}"));
    store.game(game_id).await?;
    let loaded = store.load(game_id).await?;
    let mut chain = Chain::new(loaded.secret);
    while chain.entries < loaded.last {
        let page = store.entries(game_id, chain.entries, ENTRIES, ENTRIES_BYTES).await?;
        if page.is_empty() {
            return Err(damaged(format!(
                "its journal ends after entry {} of {}",
                chain.entries, loaded.last
            )));
        }
        *entries += page.len() as u64;
        page.into_iter().try_for_each(|stored| chain.add(stored)).map_err(damaged)?;
    }
    Ok(())
}

async fn accounts(store: &dyn Store) -> Result<()> {
    let mut after = String::new();
    loop {
        let accounts = store.accounts(&after, "", LISTED).await?;
        let Some(last) = accounts.last() else { return Ok(()) };
        after.clone_from(&last.name);
        for account in &accounts {
            store.tokens(&account.player_id).await?;
        }
    }
}

pub(crate) struct Chain {
    secret: [u8; 32],
    hash: Bytes,
    pub(crate) entries: u64,
}

impl Chain {
    pub(crate) fn new(secret: [u8; 32]) -> Self {
        Self { secret, hash: Bytes::new(), entries: 0 }
    }

    pub(crate) fn add(&mut self, stored: Bytes) -> Result<(), String> {
        self.entries += 1;
        let entry =
            Entry::decode(stored).map_err(|_| format!("entry {} cannot be read", self.entries))?;
        if entry.hash != chain::entry_hash(&self.secret, &self.hash, &entry).as_slice() {
            return Err(format!("the hash of entry {} does not match", self.entries));
        }
        unhashed::check_texts(&entry)?;
        self.hash = entry.hash;
        Ok(())
    }
}
