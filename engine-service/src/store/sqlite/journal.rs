//! Appends to journals and reads from them.
//!
//! Entries are stored in the order in which they are written, so the entries of a commit share
//! pages. An index finds the entries of a game. If entries were sorted by game, each entry would
//! need a separate page write.

use bytes::Bytes;
use rusqlite::{Connection, OptionalExtension as _, ToSql, params};

use super::heads::{Slots, check_end};
use super::writer::{CachedGame, GameCache, Session};
use super::{accounts, directory, outgoing, to_i64, to_u64};
use crate::store::{Append, GameRow, Loaded, Member, Result, StoreError, checksums};

const CHECKED_ENTRIES: usize = 512;
const CHECKED_BYTES: usize = 4 << 20;

pub(super) fn append(session: &mut Session, append: Append) -> Result<()> {
    let Session { connection, games, heads, .. } = session;
    check_place(connection, games, &append)?;
    for quota in &append.quotas {
        quota.judge(&append.row, &directory::usage(connection, quota, &append.row)?)?;
    }
    if let Some(secret) = &append.secret {
        games.remember(create(connection, &append.row, secret)?);
    }
    let known = games.get(connection, &append.row.game_id)?.ok_or(StoreError::NotFound)?;
    for entry in &append.entries {
        known.last += 1;
        write_entry(connection, known, entry)?;
    }
    if let Some(snapshot) = &append.snapshot {
        write_snapshot(connection, known, known.last, snapshot)?;
    }
    for (player_id, change) in &append.ratings {
        accounts::rate(connection, player_id, *change)?;
    }
    for notice in &append.notices {
        outgoing::keep(connection, notice)?;
    }
    if known.row != append.row {
        write_changes(connection, known, append.row)?;
    }
    heads.moved(known.key, &known.row.game_id, known.last);
    Ok(())
}

fn write_entry(connection: &Connection, known: &CachedGame, entry: &[u8]) -> Result<()> {
    let sql = "INSERT INTO entry (game, number, body, sum) VALUES (?1, ?2, ?3, ?4)";
    let sum = checksums::body(&known.row.game_id, known.last, entry);
    connection.prepare_cached(sql)?.execute(params![known.key, to_i64(known.last), entry, sum])?;
    Ok(())
}

/// Checks that an append continues the journal or creates a new game. Must precede all writes of
/// the append.
fn check_place(connection: &Connection, games: &mut GameCache, append: &Append) -> Result<()> {
    let lost = |actual| Err(StoreError::LostRace { expected: append.expected, actual });
    match (games.get(connection, &append.row.game_id)?, append.secret) {
        (Some(known), None) if known.last == append.expected => Ok(()),
        (Some(known), _) => lost(known.last),
        (None, Some(_)) if append.expected == 0 => Ok(()),
        (None, Some(_)) => lost(0),
        (None, None) => Err(StoreError::NotFound),
    }
}

fn create(connection: &Connection, row: &GameRow, secret: &[u8; 32]) -> Result<CachedGame> {
    let sql = "INSERT INTO game (game_id, secret, kind, name, status, private, sandbox, seats, open_seats, created,
                                 due, wants_automation, progress, secret_sum, sum, members_sum, host, asleep_since,
                                 ended, rated, names_hidden)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
                       ?19, ?20, ?21)";
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
        checksums::secret(&row.game_id, secret),
        checksums::row(row),
        checksums::members(row),
        row.host,
        row.asleep_since,
        row.ended,
        row.rated,
        row.names_hidden,
    ])?;
    let key = connection.last_insert_rowid();
    for member in &row.members {
        write_member(connection, key, row.created, member)?;
    }
    Ok(CachedGame { key, last: 0, row: row.clone() })
}

/// Writes the changed columns and members of a game's row. Most steps change only pending decisions
/// and deadlines.
fn write_changes(connection: &Connection, known: &mut CachedGame, row: GameRow) -> Result<()> {
    let (key, old) = (known.key, &known.row);
    let set = |column: &str, value: &dyn ToSql| {
        let sql = format!("UPDATE game SET {column} = ?2 WHERE key = ?1");
        connection.prepare_cached(&sql)?.execute(params![key, value])
    };
    if old.progress != row.progress {
        set("progress", &row.progress)?;
    }
    if old.due != row.due {
        set("due", &row.due)?;
    }
    if old.wants_automation != row.wants_automation {
        set("wants_automation", &row.wants_automation)?;
    }
    if standing(old) != standing(&row) {
        write_standing(connection, key, &row)?;
    }
    write_members(connection, key, old, &row)?;
    write_sums(connection, key, &row)?;
    known.row = row;
    Ok(())
}

fn write_sums(connection: &Connection, key: i64, row: &GameRow) -> Result<()> {
    connection
        .prepare_cached("UPDATE game SET sum = ?2, members_sum = ?3 WHERE key = ?1")?
        .execute(params![key, checksums::row(row), checksums::members(row)])?;
    Ok(())
}

fn standing(row: &GameRow) -> impl PartialEq + '_ {
    (
        &row.kind,
        &row.name,
        row.status,
        row.private,
        row.sandbox,
        row.seats,
        row.open_seats,
        row.created,
        &row.host,
        row.asleep_since,
        row.ended,
        (row.rated, row.names_hidden),
    )
}

fn write_standing(connection: &Connection, key: i64, row: &GameRow) -> Result<()> {
    let sql =
        "UPDATE game SET kind = ?2, name = ?3, status = ?4, private = ?5, sandbox = ?6, seats = ?7,
                               open_seats = ?8, created = ?9, host = ?10, asleep_since = ?11, ended = ?12,
                               rated = ?13, names_hidden = ?14
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
        row.host,
        row.asleep_since,
        row.ended,
        row.rated,
        row.names_hidden,
    ])?;
    Ok(())
}

fn write_members(connection: &Connection, key: i64, old: &GameRow, row: &GameRow) -> Result<()> {
    let moved = old.created != row.created;
    for member in &old.members {
        if moved || !row.members.iter().any(|other| same_place(member, other)) {
            connection
                .prepare_cached(
                    "DELETE FROM member WHERE player_id = ?1 AND created = ?2 AND game \
                    = ?3 AND seat = ?4",
                )?
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

fn write_member(connection: &Connection, key: i64, created: i64, member: &Member) -> Result<()> {
    let sql =
        "INSERT INTO member (player_id, created, game, seat, invited, your_decision, deadline)
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

pub(super) fn put_snapshot(
    session: &mut Session,
    game_id: &str,
    number: u64,
    snapshot: &[u8],
) -> Result<()> {
    let Session { connection, games, .. } = session;
    let known = games.get(connection, game_id)?.ok_or(StoreError::NotFound)?;
    if number > known.last {
        return Err(StoreError::LostRace { expected: number, actual: known.last });
    }
    write_snapshot(connection, known, number, snapshot)
}

fn write_snapshot(
    connection: &Connection,
    known: &CachedGame,
    number: u64,
    body: &[u8],
) -> Result<()> {
    let sql = "INSERT INTO snapshot (game, number, body, sum) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT DO UPDATE SET number = ?2, body = ?3, sum = ?4 WHERE number < ?2";
    let sum = checksums::body(&known.row.game_id, number, body);
    connection.prepare_cached(sql)?.execute(params![known.key, to_i64(number), body, sum])?;
    Ok(())
}

pub(super) fn remove(session: &mut Session, game_ids: &[String]) -> Result<()> {
    for game_id in game_ids {
        let Session { connection, games, heads, .. } = &mut *session;
        let Some(key) = games.get(connection, game_id)?.map(|known| known.key) else { continue };
        games.forget(game_id);
        heads.gone(key);
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

/// Returns a page of entries, or an error for a gap, a missing end, an entry of another game or a
/// wrong checksum.
pub(super) fn entries(
    connection: &Connection,
    slots: &Slots,
    game_id: &str,
    after: u64,
    limit: usize,
    bytes_max: usize,
) -> Result<Vec<Bytes>> {
    let key = directory::key(connection, game_id)?;
    // Read the recorded end before the entries, so that an entry written in between does not count
    // as lost.
    let recorded = slots.recorded(key, game_id).unwrap_or(0);
    let sql = "SELECT number, body, sum FROM entry WHERE game = ?1 AND number > ?2 ORDER BY number \
        LIMIT ?3";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![key, to_i64(after), to_i64(limit as u64)])?;
    let mut entries = Vec::new();
    let mut bytes = 0;
    while let Some(row) = rows.next()? {
        let (number, body, sum): (i64, Vec<u8>, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let expected = after + entries.len() as u64 + 1;
        check_follows(game_id, to_u64(number), expected)?;
        checksums::check(sum, checksums::body(game_id, expected, &body), || {
            format!("game {game_id:?}: entry {expected}")
        })?;
        bytes += body.len();
        if bytes > bytes_max && !entries.is_empty() {
            return Ok(entries);
        }
        entries.push(Bytes::from(body));
    }
    let last = after.saturating_add(entries.len() as u64);
    if entries.len() < limit {
        check_end(game_id, last, recorded)?;
    }
    Ok(entries)
}

fn check_follows(game_id: &str, number: u64, expected: u64) -> Result<()> {
    if number == expected {
        return Ok(());
    }
    Err(StoreError::Damaged(format!(
        "game {game_id:?}: expected entry {expected}, found entry {number}"
    )))
}

/// Returns a game's secret, last entry number and snapshot. Fails if the game does not exist or its
/// data is damaged. Uses a single transaction, so that the number and the snapshot are consistent.
pub(super) fn load(connection: &mut Connection, slots: &Slots, game_id: &str) -> Result<Loaded> {
    let recorded = slots.recorded(directory::key(connection, game_id)?, game_id).unwrap_or(0);
    let moment = connection.transaction()?;
    let (key, secret) = secret(&moment, game_id)?;
    let last = directory::last(&moment, key)?;
    check_end(game_id, last, recorded)?;
    Ok(Loaded { secret, last, snapshot: snapshot(&moment, key, game_id, last)? })
}

pub(super) fn secret(connection: &Connection, game_id: &str) -> Result<(i64, [u8; 32])> {
    let (key, secret, sum): (i64, [u8; 32], i64) = connection
        .prepare_cached("SELECT key, secret, secret_sum FROM game WHERE game_id = ?1")?
        .query_row([game_id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?
        .ok_or(StoreError::NotFound)?;
    checksums::check(sum, checksums::secret(game_id, &secret), || {
        format!("game {game_id:?}: its secret")
    })?;
    Ok((key, secret))
}

fn snapshot(
    connection: &Connection,
    key: i64,
    game_id: &str,
    last: u64,
) -> Result<Option<(u64, Bytes)>> {
    let found = connection
        .prepare_cached("SELECT number, body, sum FROM snapshot WHERE game = ?1")?
        .query_row([key], |row| Ok((to_u64(row.get(0)?), row.get::<_, Vec<u8>>(1)?, row.get(2)?)))
        .optional()?;
    let Some((number, body, sum)) = found else { return Ok(None) };
    checksums::check(sum, checksums::body(game_id, number, &body), || {
        format!("game {game_id:?}: its snapshot")
    })?;
    check_end(game_id, last, number)?;
    Ok(Some((number, Bytes::from(body))))
}

pub(super) fn check_bodies(connection: &Connection) -> Result<()> {
    for (key, game_id) in directory::keys(connection)? {
        let last = directory::last(connection, key)?;
        let mut after = 0;
        while after < last {
            let page = entries(
                connection,
                &Slots::unknown(),
                &game_id,
                after,
                CHECKED_ENTRIES,
                CHECKED_BYTES,
            )?;
            after += page.len() as u64;
        }
        snapshot(connection, key, &game_id, last)?;
    }
    Ok(())
}
