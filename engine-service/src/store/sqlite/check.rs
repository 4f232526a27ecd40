//! Looking for damage beyond the rows that are read.
//!
//! A checksum tells whether a row is as it was written, not whether rows are missing from an index
//! or a list. So the directory and the accounts are looked through whenever the store is opened:
//! their structure, that indexes and tables agree, and every row. Journals are looked at when they
//! are read, where numbers and their noted ends tell what is missing, and by
//! `engine-service verify`.

use rusqlite::Connection;

use super::heads::Slots;
use super::{accounts, directory, journal, outgoing, schema};
use crate::store::StoreError;

/// What is looked through at each start.
const DIRECTORY: [&str; 9] = [
    "game",
    "member",
    "account",
    "token",
    "invitation",
    "block",
    "change",
    "notice_book",
    "outgoing",
];

/// How much of the structure is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// The directory and the accounts.
    Directory,
    /// Everything.
    All,
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// What is not as it was written.
    pub(super) damaged: Vec<String>,
    /// What was written, and is not there any more.
    pub(super) lost: Vec<String>,
}

impl Findings {
    fn note<T>(&mut self, result: Result<T, StoreError>) -> Option<T> {
        result.map_err(|error| self.damaged.push(error.to_string())).ok()
    }
}

/// Looks through a database, whose journals' ends are noted in `slots`.
pub(super) fn look(connection: &Connection, slots: &Slots, depth: Depth) -> Findings {
    let mut findings = Findings::default();
    let told = schema::told(connection).and_then(|told| Ok(told == schema::newest()?));
    if findings.note(told) == Some(false) {
        findings.damaged.push("the schema is not as it was written".to_owned());
    }
    let structure = match depth {
        Depth::Directory => {
            DIRECTORY.iter().map(|table| format!("PRAGMA integrity_check('{table}')")).collect()
        }
        Depth::All => vec!["PRAGMA integrity_check".to_owned()],
    };
    for pragma in structure {
        let told = findings.note(integrity(connection, &pragma)).unwrap_or_default();
        findings.damaged.extend(told);
    }
    if let Some(games) = findings.note(directory::keys(connection)) {
        look_at_games(connection, slots, &games, &mut findings);
        missing(slots, &games, &mut findings);
    }
    findings.note(accounts::everybody(connection));
    findings.note(accounts::check_tokens(connection));
    findings.note(accounts::blocks(connection));
    findings.note(outgoing::books(connection));
    findings.note(outgoing::all(connection));
    if let Some(changes) = findings.note(accounts::changes(connection))
        && let Some(told) = slots.account_changes().filter(|told| *told > changes)
    {
        findings.lost.push(format!(
            "{} of {told} changes to accounts, tokens and invitations",
            told - changes
        ));
    }
    findings
}

fn integrity(connection: &Connection, pragma: &str) -> Result<Vec<String>, StoreError> {
    let mut statement = connection.prepare(pragma)?;
    let told = statement.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
    Ok(told.into_iter().filter(|line| line != "ok").collect())
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
        if let Some(told) = slots.told(*key, game_id).filter(|told| *told > last) {
            findings.lost.push(format!(
                "game {game_id:?}: it ends with entry {last}, and entry {told} was written"
            ));
        }
    }
}

/// Games that have a place, and nothing else. Whoever removes a game clears its place first.
fn missing(slots: &Slots, games: &[(i64, String)], findings: &mut Findings) {
    let mut games = games.iter().map(|(key, _)| *key).peekable();
    for key in 1..slots.count() {
        while games.next_if(|known| *known < key).is_some() {}
        if games.peek() != Some(&key)
            && let Some((entries, _)) = slots.slot(key)
        {
            findings.lost.push(format!("a game with {entries} entries, the {key}th that was made"));
        }
    }
}

/// Notes the ends of journals that are not noted: of a database that was restored, or that went on
/// without the file.
pub(super) fn note_ends(connection: &Connection, slots: &Slots) -> Result<(), StoreError> {
    for (key, game_id) in directory::keys(connection)? {
        let last = directory::last(connection, key)?;
        if slots.told(key, &game_id) != Some(last) {
            slots.tell(key, &game_id, last);
        }
    }
    slots.tell_account_changes(accounts::changes(connection)?);
    Ok(())
}

/// Looks through every byte of a copy that counts, with all entries and snapshots; answers the
/// first that is damaged.
pub(super) fn copy(connection: &Connection) -> Result<(), StoreError> {
    let findings = look(connection, &Slots::unknown(), Depth::All);
    if let Some(first) = findings.damaged.into_iter().next() {
        return Err(StoreError::Damaged(first));
    }
    journal::check_bodies(connection)
}
