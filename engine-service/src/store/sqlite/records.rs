//! Reads and writes of records.

use bytes::Bytes;
use rusqlite::{Connection, Row, params};

use super::writer::Session;
use super::{accounts, to_i64, to_u64};
use crate::store::{Record, RecordChange, RecordQuery, Result, StoreError, checksums};

const RECORD: &str = "SELECT space, id, key, version, body, sum FROM record";

fn record_row(row: &Row<'_>) -> Result<Record> {
    let record = Record {
        space: row.get(0)?,
        id: row.get(1)?,
        key: row.get(2)?,
        version: to_u64(row.get(3)?),
        body: Bytes::from(row.get::<_, Vec<u8>>(4)?),
    };
    checksums::check_record(record, row.get(5)?)
}

pub(super) fn record(connection: &Connection, space: &str, id: &str) -> Result<Option<Record>> {
    let sql = format!("{RECORD} WHERE space = ?1 AND id = ?2");
    connection.prepare_cached(&sql)?.query([space, id])?.next()?.map(record_row).transpose()
}

pub(super) fn records(connection: &Connection, query: &RecordQuery) -> Result<Vec<Record>> {
    let sql = format!(
        "{RECORD} WHERE space = ?1 AND (key, id) > (?2, ?3) AND key <= ?4 ORDER BY key, id LIMIT ?5"
    );
    let ((key, id), limit) = (&query.after, to_i64(query.limit as u64));
    let wanted = params![query.space, key, id, query.until(), limit];
    accounts::all(&mut *connection.prepare_cached(&sql)?, wanted, record_row)
}

pub(super) fn all(connection: &Connection) -> Result<Vec<Record>> {
    accounts::all(&mut connection.prepare(RECORD)?, [], record_row)
}

pub(super) fn change(session: &mut Session, changes: &[RecordChange]) -> Result<()> {
    check(&session.connection, changes)?;
    write(&session.connection, changes)?;
    accounts::count(session)
}

pub(super) fn check(connection: &Connection, changes: &[RecordChange]) -> Result<()> {
    for RecordChange { space, id, expected, .. } in changes {
        let actual = record(connection, space, id)?.map_or(0, |record| record.version);
        if actual != *expected {
            return Err(StoreError::LostRace { expected: *expected, actual });
        }
    }
    Ok(())
}

/// Writes changes that [`check`] has accepted.
pub(super) fn write(connection: &Connection, changes: &[RecordChange]) -> Result<()> {
    for change in changes {
        let Some(new) = change.after() else {
            let sql = "DELETE FROM record WHERE space = ?1 AND id = ?2";
            connection.prepare_cached(sql)?.execute([&change.space, &change.id])?;
            continue;
        };
        let sql = "INSERT INTO record (space, id, key, version, body, sum)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                   ON CONFLICT DO UPDATE SET key = ?3, version = ?4, body = ?5, sum = ?6";
        connection.prepare_cached(sql)?.execute(params![
            new.space,
            new.id,
            new.key,
            to_i64(new.version),
            new.body.as_ref(),
            checksums::record(&new),
        ])?;
    }
    Ok(())
}
