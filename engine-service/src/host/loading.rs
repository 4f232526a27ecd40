//! Reading a game's table and events from the store.

use std::collections::VecDeque;

use bytes::Bytes;
use heliopause_proto::store::v1::Entry;
use heliopause_proto::v1::{ErrorReason, Event};
use heliopause_table::{Fault, Subscriber, Table};
use prost::Message as _;

use super::clock::warn_if_ahead;
use super::live::history_lost;
use super::{Host, Result};
use crate::log_throttle;
use crate::store::Store;

const PAGE: usize = 512;
const PAGE_BYTES: usize = 4 << 20;

pub(super) const EVENTS_PAGE: usize = 256;
pub(super) const EVENTS_PAGE_BYTES: usize = 1 << 20;

/// Loads a game's snapshot and replays the entries after it. The result of every replayed step must
/// match the stored entry.
pub(crate) async fn load(host: &Host, game_id: &str) -> Result<Table> {
    let table = load_from(&*host.store, game_id).await?;
    warn_if_ahead(game_id, table.clock_error(host.now()));
    Ok(table)
}

/// Loads a game from a store, as [`load`] does.
pub(crate) async fn load_from(store: &dyn Store, game_id: &str) -> Result<Table> {
    let loaded = store.load(game_id).await?;
    let mut table = match &loaded.snapshot {
        Some((_, snapshot)) => {
            Some(Table::load(snapshot, loaded.secret).map_err(|why| damaged(game_id, &why))?)
        }
        None => None,
    };
    let mut last = table.as_ref().map_or(0, Table::entry);
    while last < loaded.last {
        let entries = store.entries(game_id, last, PAGE, PAGE_BYTES).await?;
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
    table.ok_or_else(|| damaged(game_id, "no snapshot and no entry was found"))
}

pub(crate) async fn entries(
    store: &dyn Store,
    game_id: &str,
    mut after: u64,
    until: u64,
) -> Result<Vec<Bytes>> {
    let mut entries = Vec::new();
    while after < until {
        let limit = PAGE.min((until - after) as usize);
        let page = store.entries(game_id, after, limit, PAGE_BYTES).await?;
        if page.is_empty() {
            return Err(history_lost());
        }
        after += page.len() as u64;
        entries.extend(page);
    }
    Ok(entries)
}

pub(crate) async fn stored_entry(host: &Host, game_id: &str, number: u64) -> Result<Entry> {
    let entries = stored_entries(host, game_id, number - 1, 1).await?;
    entries.into_iter().next().ok_or_else(history_lost)
}

/// Returns up to `count` entries after the entry `after`, as many as fit on a page. Returns at
/// least one entry if any exists.
pub(super) async fn stored_entries(
    host: &Host,
    game_id: &str,
    after: u64,
    count: usize,
) -> Result<Vec<Entry>> {
    let page = host.store.entries(game_id, after, count, EVENTS_PAGE_BYTES).await?;
    page.into_iter().map(|stored| Entry::decode(stored).map_err(|_| unreadable())).collect()
}

pub(crate) fn unreadable() -> Fault {
    Fault::new(ErrorReason::Internal, "An entry of the journal cannot be read.")
}

pub(crate) async fn events_after(
    host: &Host,
    game_id: &str,
    reader: &Subscriber,
    mut entry: u64,
    after: u64,
    limit: usize,
) -> Result<Vec<Event>> {
    let mut events = Vec::new();
    while events.len() < limit {
        let page = stored_entries(host, game_id, entry, EVENTS_PAGE).await?;
        let Some(last) = page.last() else { break };
        entry = last.number;
        let told = page.iter().flat_map(|read| reader.events_of(read));
        events.extend(told.filter(|event| event.number > after));
    }
    events.truncate(limit);
    Ok(events)
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Newest {
    pub events: usize,
    pub bytes: usize,
}

/// The number of entries to read backwards first, and the maximum. Both are small, because the
/// entries of large games are much larger than one seat's events.
const STRIDE: u64 = 8;
const STRIDE_MAX: u64 = 64;

pub(super) async fn newest_events(
    host: &Host,
    game_id: &str,
    reader: &Subscriber,
    mut last: u64,
    within: Newest,
) -> Result<Vec<Event>> {
    let mut newest = VecDeque::new();
    let mut room = within.bytes;
    let mut stride = STRIDE;
    'back: while last > 0 {
        let before = last.saturating_sub(stride);
        let entries = entries(&*host.store, game_id, before, last).await?;
        for stored in entries.into_iter().rev() {
            let entry = Entry::decode(stored).map_err(|_| unreadable())?;
            let told: Vec<Event> = reader.events_of(&entry).collect();
            for event in told.into_iter().rev() {
                let bytes = event.encoded_len();
                if newest.len() == within.events || bytes > room {
                    break 'back;
                }
                room -= bytes;
                newest.push_front(event);
            }
            if reader.event_count_before(&entry) == 0 {
                break 'back;
            }
        }
        last = before;
        stride = STRIDE_MAX.min(stride * 2);
    }
    Ok(newest.into())
}

fn damaged(game_id: &str, why: &str) -> Fault {
    let incident = log_throttle::incident(&format!(
        "game {game_id:?} cannot be loaded: {why}; if an older version of this server last ran it, \
         start and cleanly stop that version once: it then stores a snapshot to continue from"
    ));
    let text = format!(
        "This game cannot be loaded; the operator can find the cause in the log as {incident}."
    );
    Fault::new(ErrorReason::Internal, text).with("incident", incident)
}
