//! Reads and writes of outgoing notices and notice settings.

use bytes::Bytes;
use rusqlite::{Connection, Row, params};

use super::writer::Session;
use super::{accounts, to_i64, to_u64};
use crate::store::{Millis, NoticeBook, Outgoing, Result, StoreError, checksums};

const BOOK: &str = "SELECT player_id, version, listens, body, sum FROM notice_book";

fn book_row(row: &Row<'_>) -> Result<(String, NoticeBook)> {
    let player_id: String = row.get(0)?;
    let body = Bytes::from(row.get::<_, Vec<u8>>(3)?);
    let book = NoticeBook { version: to_u64(row.get(1)?), listens: row.get(2)?, body };
    checksums::check(row.get(4)?, checksums::notice_book(&player_id, &book), || {
        format!("the notice settings of account {player_id:?}")
    })?;
    Ok((player_id, book))
}

pub(super) fn book(connection: &Connection, player_id: &str) -> Result<Option<NoticeBook>> {
    let sql = format!("{BOOK} WHERE player_id = ?1");
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query([player_id])?.next()?.map(book_row).transpose()?;
    Ok(found.map(|(_, book)| book))
}

pub(super) fn books(connection: &Connection) -> Result<Vec<(String, NoticeBook)>> {
    accounts::all(&mut connection.prepare(BOOK)?, [], book_row)
}

pub(super) fn put_book(
    session: &mut Session,
    player_id: &str,
    expected: u64,
    new: Option<&NoticeBook>,
) -> Result<()> {
    let connection = &session.connection;
    let actual = book(connection, player_id)?.map_or(0, |book| book.version);
    if actual != expected {
        return Err(StoreError::LostRace { expected, actual });
    }
    match new {
        None => {
            for sql in [
                "DELETE FROM notice_book WHERE player_id = ?1",
                "DELETE FROM outgoing WHERE player_id = ?1",
            ] {
                connection.prepare_cached(sql)?.execute([player_id])?;
            }
        }
        Some(book) => {
            let sql = "INSERT INTO notice_book (player_id, version, listens, body, sum)
                       VALUES (?1, ?2, ?3, ?4, ?5)
                       ON CONFLICT DO UPDATE SET version = ?2, listens = ?3, body = ?4, sum = ?5";
            connection.prepare_cached(sql)?.execute(params![
                player_id,
                to_i64(book.version),
                book.listens,
                book.body.as_ref(),
                checksums::notice_book(player_id, book),
            ])?;
        }
    }
    accounts::count(session)
}

pub(super) fn keep(connection: &Connection, notice: &Outgoing) -> Result<()> {
    let sql = "INSERT INTO outgoing (id, channel_id, player_id, due, attempts, body, sum)
               SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
               WHERE EXISTS (SELECT 1 FROM notice_book WHERE player_id = ?3 AND listens)";
    write(connection, sql, notice)
}

fn write(connection: &Connection, sql: &str, notice: &Outgoing) -> Result<()> {
    connection.prepare_cached(sql)?.execute(params![
        notice.id,
        notice.channel_id,
        notice.player_id,
        notice.due,
        notice.attempts,
        notice.body.as_ref(),
        checksums::outgoing(notice),
    ])?;
    Ok(())
}

const OUTGOING: &str = "SELECT id, channel_id, player_id, due, attempts, body, sum FROM outgoing";

fn outgoing_row(row: &Row<'_>) -> Result<Outgoing> {
    let notice = Outgoing {
        id: row.get(0)?,
        channel_id: row.get(1)?,
        player_id: row.get(2)?,
        due: row.get(3)?,
        attempts: row.get(4)?,
        body: Bytes::from(row.get::<_, Vec<u8>>(5)?),
    };
    checksums::check_outgoing(&notice, row.get(6)?)?;
    Ok(notice)
}

pub(super) fn all(connection: &Connection) -> Result<Vec<Outgoing>> {
    accounts::all(&mut connection.prepare(OUTGOING)?, [], outgoing_row)
}

pub(super) fn claim(
    session: &mut Session,
    now: Millis,
    until: Millis,
    limit: usize,
) -> Result<Vec<Outgoing>> {
    let connection = &session.connection;
    let sql = format!("{OUTGOING} WHERE due <= ?1 ORDER BY due LIMIT ?2");
    let wanted = params![now, to_i64(limit as u64)];
    let mut due = accounts::all(&mut *connection.prepare_cached(&sql)?, wanted, outgoing_row)?;
    for notice in &mut due {
        notice.due = until;
        connection
            .prepare_cached("UPDATE outgoing SET due = ?3 WHERE id = ?1 AND channel_id = ?2")?
            .execute(params![notice.id, notice.channel_id, until])?;
    }
    Ok(due)
}

pub(super) fn settle(
    session: &mut Session,
    gone: &[(String, String)],
    put: &[Outgoing],
) -> Result<()> {
    let connection = &session.connection;
    for (id, channel_id) in gone {
        connection
            .prepare_cached("DELETE FROM outgoing WHERE id = ?1 AND channel_id = ?2")?
            .execute([id, channel_id])?;
    }
    let sql = "INSERT INTO outgoing (id, channel_id, player_id, due, attempts, body, sum)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
               ON CONFLICT DO UPDATE SET player_id = ?3, due = ?4, attempts = ?5, body = ?6, sum = ?7";
    put.iter().try_for_each(|notice| write(connection, sql, notice))
}

pub(super) fn count(connection: &Connection) -> Result<(u64, Option<Millis>)> {
    let sql = "SELECT count(*), min(due) FROM outgoing";
    let (waiting, next): (i64, _) =
        connection.prepare_cached(sql)?.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok((to_u64(waiting), next))
}
