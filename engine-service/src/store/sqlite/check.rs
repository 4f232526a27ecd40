//! Detection of damage that reading single rows does not reveal.
//!
//! A checksum shows whether a row is intact, but not whether rows are missing from an index or a
//! list. So each start checks the directory and the accounts: their structure, the consistency of
//! indexes with tables, and every row. Journals are checked when they are read, because entry
//! numbers and recorded ends reveal missing entries. `engine-service verify` checks everything.

use rusqlite::Connection;

use super::heads::Slots;
use super::{accounts, directory, journal, outgoing, records, schema};
use crate::store::{Result, StoreError};

const DIRECTORY: &str = "game member account token record change notice_book outgoing";

/// The tables whose structure is checked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    Directory,
    All,
}

#[derive(Debug, Default)]
pub(super) struct Findings {
    /// Damage to the structure or the schema, and data that does not match its checksum.
    pub(super) damaged: Vec<String>,
    /// Data that was written but is missing.
    pub(super) lost: Vec<String>,
}

impl Findings {
    fn note<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.damaged.push(error.to_string())).ok()
    }
}

pub(super) fn find_damage(connection: &Connection, slots: &Slots, depth: Depth) -> Findings {
    let mut findings = Findings::default();
    let recorded =
        schema::recorded(connection).and_then(|recorded| Ok(recorded == schema::newest()?));
    if findings.note(recorded) == Some(false) {
        findings
            .damaged
            .push("the schema differs from the one that engine-service creates".to_owned());
    }
    let structure = match depth {
        Depth::Directory => {
            DIRECTORY.split(' ').map(|table| format!("PRAGMA integrity_check('{table}')")).collect()
        }
        Depth::All => vec!["PRAGMA integrity_check".to_owned()],
    };
    for pragma in structure {
        let recorded = findings.note(integrity(connection, &pragma)).unwrap_or_default();
        findings.damaged.extend(recorded);
    }
    if let Some(games) = findings.note(directory::keys(connection)) {
        look_at_games(connection, slots, &games, &mut findings);
        missing(slots, &games, &mut findings);
    }
    findings.note(accounts::all_accounts(connection));
    findings.note(accounts::check_tokens(connection));
    findings.note(records::all(connection));
    findings.note(outgoing::books(connection));
    findings.note(outgoing::all(connection));
    if let Some(changes) = findings.note(accounts::changes(connection))
        && let Some(recorded) = slots.account_changes().filter(|recorded| *recorded > changes)
    {
        findings.lost.push(format!(
            "{} of {recorded} changes to accounts, tokens and records",
            recorded - changes
        ));
    }
    findings
}

fn integrity(connection: &Connection, pragma: &str) -> Result<Vec<String>> {
    let mut statement = connection.prepare(pragma)?;
    let recorded =
        statement.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
    Ok(recorded.into_iter().filter(|line| line != "ok").collect())
}

fn look_at_games(
    connection: &Connection,
    slots: &Slots,
    games: &[(i64, String)],
    findings: &mut Findings,
) {
    for (key, game_id) in games {
        findings.note(directory::game(connection, game_id));
        findings.note(journal::secret(connection, game_id));
        let Some(last) = findings.note(directory::last(connection, *key)) else { continue };
        if let Some(recorded) = slots.recorded(*key, game_id).filter(|recorded| *recorded > last) {
            findings.lost.push(format!(
                "game {game_id:?}: it ends with entry {last}, but entry {recorded} was written"
            ));
        }
    }
}

/// Finds games that have a slot but no row.
fn missing(slots: &Slots, games: &[(i64, String)], findings: &mut Findings) {
    let mut games = games.iter().map(|(key, _)| *key).peekable();
    for key in 1..slots.count() {
        while games.next_if(|known| *known < key).is_some() {}
        if games.peek() != Some(&key)
            && let Some((entries, _)) = slots.slot(key)
        {
            findings.lost.push(format!("game number {key}, with {entries} entries"));
        }
    }
}

pub(super) fn record_ends(connection: &Connection, slots: &Slots) -> Result<()> {
    for (key, game_id) in directory::keys(connection)? {
        let last = directory::last(connection, key)?;
        if slots.recorded(key, &game_id) != Some(last) {
            slots.record(key, &game_id, last);
        }
    }
    slots.record_account_changes(accounts::changes(connection)?);
    Ok(())
}

pub(super) fn copy(connection: &Connection) -> Result<()> {
    let findings = find_damage(connection, &Slots::unknown(), Depth::All);
    if let Some(first) = findings.damaged.into_iter().next() {
        return Err(StoreError::Damaged(first));
    }
    journal::check_bodies(connection)
}
