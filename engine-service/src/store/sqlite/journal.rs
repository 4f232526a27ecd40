//! Journals: appending to them, and reading them.

use bytes::Bytes;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::known::{Known, KnownGames};
use super::writer::Session;
use super::{directory, to_i64, to_u64};
use crate::store::{Append, GameRow, Loaded, Member, StoreError};

/// Appends to a game's journal, if its last entry is the expected one.
pub(super) fn append(session: &mut Session, append: Append) -> Result<(), StoreError> {
    let Session { connection, games } = session;
    create_or_check(connection, games, &append)?;
    let known = games.get(connection, &append.row.game_id)?.ok_or(StoreError::NotFound)?;
    for entry in &append.entries {
        known.last += 1;
        connection.prepare_cached("INSERT INTO entry (game, number, body) VALUES (?1, ?2, ?3)")?.execute(params![
            known.key,
            to_i64(known.last),
            &entry[..]
        ])?;
    }
    if let Some(snapshot) = &append.snapshot {
        write_snapshot(connection, known.key, known.last, snapshot)?;
    }
    for (player_id, change) in &append.ratings {
        connection
            .prepare_cached("UPDATE account SET dedication = dedication + ?2 WHERE player_id = ?1")?
            .execute(params![player_id, change])?;
    }
    if known.row != append.row {
        write_changes(connection, known, append.row)?;
    }
    Ok(())
}

/// Refuses an append that comes too late or too early, before anything is written; lays a new game down.
fn create_or_check(connection: &Connection, games: &mut KnownGames, append: &Append) -> Result<(), StoreError> {
    let lost = |actual| Err(StoreError::LostRace { expected: append.expected, actual });
    match (games.get(connection, &append.row.game_id)?, append.secret) {
        (Some(known), None) if known.last == append.expected => Ok(()),
        (Some(known), _) => lost(known.last),
        (None, Some(secret)) if append.expected == 0 => {
            games.remember(create(connection, &append.row, &secret)?);
            Ok(())
        }
        (None, Some(_)) => lost(0),
        (None, None) => Err(StoreError::NotFound),
    }
}

fn create(connection: &Connection, row: &GameRow, secret: &[u8; 32]) -> Result<Known, StoreError> {
    let sql = "INSERT INTO game (game_id, secret, kind, name, status, private, sandbox, seats, open_seats, created,
                                 due, wants_automation, progress)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
    connection.prepare_cached(sql)?.execute(params![
        row.game_id,
        secret,
        row.kind,
        row.name,
        row.status,
        row.private,
        row.sandbox,
        row.seats,
        row.open_seats,
        row.created,
        row.due,
        row.wants_automation,
        row.progress,
    ])?;
    let key = connection.last_insert_rowid();
    for member in &row.members {
        write_member(connection, key, row.created, member)?;
    }
    Ok(Known { key, last: 0, row: row.clone() })
}

/// Brings the directory up to date, index by index: most steps of a game change only what it waits for.
fn write_changes(connection: &Connection, known: &mut Known, row: GameRow) -> Result<(), StoreError> {
    let (key, old) = (known.key, &known.row);
    if old.progress != row.progress {
        connection
            .prepare_cached("UPDATE game SET progress = ?2 WHERE key = ?1")?
            .execute(params![key, row.progress])?;
    }
    if old.due != row.due {
        connection.prepare_cached("UPDATE game SET due = ?2 WHERE key = ?1")?.execute(params![key, row.due])?;
    }
    if old.wants_automation != row.wants_automation {
        connection
            .prepare_cached("UPDATE game SET wants_automation = ?2 WHERE key = ?1")?
            .execute(params![key, row.wants_automation])?;
    }
    if standing(old) != standing(&row) {
        write_standing(connection, key, &row)?;
    }
    write_members(connection, key, old, &row)?;
    known.row = row;
    Ok(())
}

/// What changes only a few times in a game's life.
fn standing(row: &GameRow) -> impl PartialEq + '_ {
    (&row.kind, &row.name, row.status, row.private, row.sandbox, row.seats, row.open_seats, row.created)
}

fn write_standing(connection: &Connection, key: i64, row: &GameRow) -> Result<(), StoreError> {
    let sql = "UPDATE game SET kind = ?2, name = ?3, status = ?4, private = ?5, sandbox = ?6, seats = ?7,
                               open_seats = ?8, created = ?9
               WHERE key = ?1";
    connection.prepare_cached(sql)?.execute(params![
        key,
        row.kind,
        row.name,
        row.status,
        row.private,
        row.sandbox,
        row.seats,
        row.open_seats,
        row.created,
    ])?;
    Ok(())
}

/// Writes the members that are new or changed, and removes those that are gone.
fn write_members(connection: &Connection, key: i64, old: &GameRow, row: &GameRow) -> Result<(), StoreError> {
    let moved = old.created != row.created;
    for member in &old.members {
        if moved || !row.members.iter().any(|other| same_place(member, other)) {
            connection
                .prepare_cached("DELETE FROM member WHERE player_id = ?1 AND created = ?2 AND game = ?3 AND seat = ?4")?
                .execute(params![member.player_id, old.created, key, member.seat])?;
        }
    }
    for member in &row.members {
        if moved || !old.members.contains(member) {
            write_member(connection, key, row.created, member)?;
        }
    }
    Ok(())
}

fn same_place(one: &Member, other: &Member) -> bool {
    one.player_id == other.player_id && one.seat == other.seat
}

fn write_member(connection: &Connection, key: i64, created: i64, member: &Member) -> Result<(), StoreError> {
    let sql = "INSERT INTO member (player_id, created, game, seat, invited, your_decision, deadline)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
               ON CONFLICT DO UPDATE SET invited = ?5, your_decision = ?6, deadline = ?7";
    connection.prepare_cached(sql)?.execute(params![
        member.player_id,
        created,
        key,
        member.seat,
        member.invited,
        member.your_decision,
        member.deadline,
    ])?;
    Ok(())
}

/// Keeps a snapshot, unless a newer one is there.
pub(super) fn put_snapshot(
    session: &mut Session,
    game_id: &str,
    number: u64,
    snapshot: &[u8],
) -> Result<(), StoreError> {
    let Session { connection, games } = session;
    let known = games.get(connection, game_id)?.ok_or(StoreError::NotFound)?;
    if number > known.last {
        return Err(StoreError::LostRace { expected: number, actual: known.last });
    }
    write_snapshot(connection, known.key, number, snapshot)
}

fn write_snapshot(connection: &Connection, key: i64, number: u64, body: &[u8]) -> Result<(), StoreError> {
    let sql = "INSERT INTO snapshot (game, number, body) VALUES (?1, ?2, ?3)
               ON CONFLICT DO UPDATE SET number = ?2, body = ?3 WHERE number < ?2";
    connection.prepare_cached(sql)?.execute(params![key, to_i64(number), body])?;
    Ok(())
}

/// Removes games altogether.
pub(super) fn remove(session: &mut Session, game_ids: &[String]) -> Result<(), StoreError> {
    for game_id in game_ids {
        let Session { connection, games } = &mut *session;
        let Some(key) = games.get(connection, game_id)?.map(|known| known.key) else { continue };
        games.forget(game_id);
        for sql in [
            "DELETE FROM entry WHERE game = ?1",
            "DELETE FROM snapshot WHERE game = ?1",
            "DELETE FROM member WHERE game = ?1",
            "DELETE FROM game WHERE key = ?1",
        ] {
            connection.prepare_cached(sql)?.execute([key])?;
        }
    }
    Ok(())
}

/// The entries after a number.
pub(super) fn entries(
    connection: &Connection,
    game_id: &str,
    after: u64,
    limit: usize,
    bytes_max: usize,
) -> Result<Vec<Bytes>, StoreError> {
    let key = directory::key(connection, game_id)?;
    let sql = "SELECT body FROM entry WHERE game = ?1 AND number > ?2 ORDER BY number LIMIT ?3";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![key, to_i64(after), to_i64(limit as u64)])?;
    let mut entries = Vec::new();
    let mut bytes = 0;
    while let Some(row) = rows.next()? {
        let body: Vec<u8> = row.get(0)?;
        bytes += body.len();
        if bytes > bytes_max && !entries.is_empty() {
            break;
        }
        entries.push(Bytes::from(body));
    }
    Ok(entries)
}

/// What a game is loaded from. One transaction, so that the snapshot and the last number are of the same moment.
pub(super) fn load(connection: &mut Connection, game_id: &str) -> Result<Loaded, StoreError> {
    let moment = connection.transaction()?;
    let (key, secret) = moment
        .prepare_cached("SELECT key, secret FROM game WHERE game_id = ?1")?
        .query_row([game_id], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?
        .ok_or(StoreError::NotFound)?;
    let snapshot = moment
        .prepare_cached("SELECT number, body FROM snapshot WHERE game = ?1")?
        .query_row([key], |row| Ok((to_u64(row.get(0)?), Bytes::from(row.get::<_, Vec<u8>>(1)?))))
        .optional()?;
    Ok(Loaded { secret, last: directory::last(&moment, key)?, snapshot })
}
