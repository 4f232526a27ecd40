//! Reads and writes of records.

use bytes::Bytes;
use deadpool_postgres::{ClientWrapper as Client, GenericClient};
use tokio_postgres::Row;

use super::accounts::can_be;
use super::{row, rows, to_i64, to_u64};
use crate::store::{Record, RecordChange, RecordQuery, Result, StoreError, checksums};

const RECORD: &str = "SELECT space, id, key, version, body, sum FROM record";

fn record_row(row: &Row) -> Result<Record> {
    let record = Record {
        space: row.get(0),
        id: row.get(1),
        key: row.get(2),
        version: to_u64(row.get(3)),
        body: Bytes::from(row.get::<_, Vec<u8>>(4)),
    };
    checksums::check_record(record, row.get(5))
}

pub(super) async fn record(client: &Client, space: &str, id: &str) -> Result<Option<Record>> {
    if !can_be(id) {
        return Ok(None);
    }
    let sql = format!("{RECORD} WHERE space = $1 AND id = $2");
    row(client, &sql, &[&space, &id]).await?.as_ref().map(record_row).transpose()
}

pub(super) async fn records(client: &Client, query: &RecordQuery) -> Result<Vec<Record>> {
    let sql = format!(
        "{RECORD} WHERE space = $1 AND (key, id) > ($2, $3) AND key <= $4 ORDER BY key, id LIMIT $5"
    );
    let ((key, id), limit) = (&query.after, to_i64(query.limit as u64));
    let found = rows(client, &sql, &[&query.space, key, id, &query.until(), &limit]).await?;
    found.iter().map(record_row).collect()
}

pub(super) async fn change(client: &mut Client, changes: &[RecordChange]) -> Result<()> {
    let transaction = client.transaction().await?;
    write(&transaction, changes).await?;
    Ok(transaction.commit().await?)
}

/// Writes changes in a transaction, in the order of their ids, so that two writers cannot wait for
/// each other.
pub(super) async fn write(client: &impl GenericClient, changes: &[RecordChange]) -> Result<()> {
    let mut changes: Vec<&RecordChange> = changes.iter().collect();
    changes.sort_by_key(|change| (&change.space, &change.id));
    for change in changes {
        let RecordChange { space, id, expected, .. } = change;
        let version = to_i64(*expected);
        let changed = if let Some(new) = change.after() {
            // Version 0 means that there is nothing to replace, so the first insert wins.
            let sql = if *expected == 0 {
                "INSERT INTO record (space, id, key, version, body, sum)
                 SELECT $1, $2, $4, $5, $6, $7 WHERE $3::bigint = 0 ON CONFLICT DO NOTHING"
            } else {
                "UPDATE record SET key = $4, version = $5, body = $6, sum = $7
                 WHERE space = $1 AND id = $2 AND version = $3"
            };
            let (next, body, sum) =
                (to_i64(new.version), new.body.as_ref(), checksums::record(&new));
            client.execute(sql, &[space, id, &version, &new.key, &next, &body, &sum]).await?
        } else {
            let sql = "DELETE FROM record WHERE space = $1 AND id = $2 AND version = $3";
            client.execute(sql, &[space, id, &version]).await?
        };
        if changed == 0 {
            let sql = "SELECT version FROM record WHERE space = $1 AND id = $2";
            let found = client.query_opt(sql, &[space, id]).await?;
            let actual = found.map_or(0, |row| to_u64(row.get(0)));
            return Err(StoreError::LostRace { expected: *expected, actual });
        }
    }
    Ok(())
}
