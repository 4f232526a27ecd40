//! Bringing a table back from its snapshot and the entries after it.

use bytes::Bytes;
use heliopause_proto::store::v1::Entry;
use heliopause_proto::v1::ErrorReason;
use heliopause_table::rehearsal::{Planted, on};
use heliopause_table::{Fault, Table};
use prost::Message as _;

use super::clock::warn_if_ahead;
use super::live::history_lost;
use super::{Host, store_fault};
use crate::seldom;
use crate::store::Store;

const PAGE: usize = 512;
const PAGE_BYTES: usize = 4 << 20;

/// Loads a table. It takes the entries after its snapshot again, and each must come out as stored.
pub(crate) async fn load(host: &Host, game_id: &str) -> Result<Table, Fault> {
    let store = &*host.store;
    let loaded = store.load(game_id).await.map_err(store_fault)?;
    let mut table = match &loaded.snapshot {
        Some((_, snapshot)) => {
            Some(Table::load(snapshot, loaded.secret).map_err(|why| damaged(game_id, &why))?)
        }
        None => None,
    };
    let mut last = table.as_ref().map_or(0, Table::entry);
    while last < loaded.last && !(on(Planted::EntriesNotLoaded) && table.is_some()) {
        let entries = store.entries(game_id, last, PAGE, PAGE_BYTES).await.map_err(store_fault)?;
        if entries.is_empty() {
            return Err(history_lost());
        }
        for encoded in entries {
            let entry =
                Entry::decode(encoded).map_err(|error| damaged(game_id, &error.to_string()))?;
            last = entry.number;
            match &mut table {
                Some(table) => table.replay(&entry).map_err(|why| damaged(game_id, &why))?,
                None => {
                    table = Some(
                        Table::replay_first(&entry, loaded.secret)
                            .map_err(|why| damaged(game_id, &why))?,
                    );
                }
            }
        }
    }
    let table =
        table.ok_or_else(|| damaged(game_id, "there is neither a snapshot nor an entry"))?;
    warn_if_ahead(game_id, table.ahead_of(host.now()));
    Ok(table)
}

/// The stored entries after a number, up to another.
pub(crate) async fn entries(
    store: &dyn Store,
    game_id: &str,
    mut after: u64,
    until: u64,
) -> Result<Vec<Bytes>, Fault> {
    let mut entries = Vec::new();
    while after < until {
        let limit = PAGE.min((until - after) as usize);
        let page = store.entries(game_id, after, limit, PAGE_BYTES).await.map_err(store_fault)?;
        if page.is_empty() {
            return Err(history_lost());
        }
        after += page.len() as u64;
        entries.extend(page);
    }
    Ok(entries)
}

fn damaged(game_id: &str, why: &str) -> Fault {
    let incident = seldom::incident(&format!(
        "game {game_id:?} cannot be loaded: {why}; if it was last played by an older version of \
         this server, start that \
         one once and stop it cleanly: it then leaves a snapshot to go on from"
    ));
    let text =
        format!("This game cannot be loaded; the operator finds why in the log as {incident}.");
    Fault::new(ErrorReason::Internal, text).with("incident", incident)
}
