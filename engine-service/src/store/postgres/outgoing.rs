//! Reads and writes of outgoing notices and notice settings.

use bytes::Bytes;
use deadpool_postgres::ClientWrapper as Client;
use tokio_postgres::Row;

use super::columns::Notices;
use super::{one, row, rows, to_i64, to_u32, to_u64};
use crate::store::{Millis, NoticeBook, Outgoing, Result, StoreError, checksums};

pub(super) async fn book(client: &Client, player_id: &str) -> Result<Option<NoticeBook>> {
    let sql = "SELECT version, listens, body, sum FROM notice_book WHERE player_id = $1";
    let row = row(client, sql, &[&player_id]).await?;
    let book = |row: Row| {
        let body = Bytes::from(row.get::<_, Vec<u8>>(2));
        let book = NoticeBook { version: to_u64(row.get(0)), listens: row.get(1), body };
        checksums::check(row.get(3), checksums::notice_book(player_id, &book), || {
            format!("the notice settings of account {player_id:?}")
        })?;
        Ok(book)
    };
    row.map(book).transpose()
}

pub(super) async fn put_book(
    client: &mut Client,
    player_id: &str,
    expected: u64,
    new: Option<&NoticeBook>,
) -> Result<()> {
    let transaction = client.transaction().await?;
    let version = to_i64(expected);
    let changed = match new {
        None => {
            transaction.execute("DELETE FROM outgoing WHERE player_id = $1", &[&player_id]).await?;
            let sql = "DELETE FROM notice_book WHERE player_id = $1 AND version = $2";
            transaction.execute(sql, &[&player_id, &version]).await?
        }
        Some(book) => {
            // Version 0 means that there is nothing to replace, so the first insert wins.
            let sql = if expected == 0 {
                "INSERT INTO notice_book (player_id, version, listens, body, sum)
                 SELECT $1, $3, $4, $5, $6 WHERE $2::bigint = 0 ON CONFLICT DO NOTHING"
            } else {
                "UPDATE notice_book SET version = $3, listens = $4, body = $5, sum = $6
                 WHERE player_id = $1 AND version = $2"
            };
            let (new, sum) = (to_i64(book.version), checksums::notice_book(player_id, book));
            let body = book.body.as_ref();
            transaction
                .execute(sql, &[&player_id, &version, &new, &book.listens, &body, &sum])
                .await?
        }
    };
    if changed == 0 && !(new.is_none() && expected == 0) {
        let sql = "SELECT version FROM notice_book WHERE player_id = $1";
        let found = transaction.query_opt(sql, &[&player_id]).await?;
        let actual = found.map_or(0, |row| to_u64(row.get(0)));
        return Err(StoreError::LostRace { expected, actual });
    }
    Ok(transaction.commit().await?)
}

/// Claims due notices, or none while another engine claims some. All notices of a digest therefore
/// go to the same engine.
pub(super) async fn claim(
    client: &Client,
    now: Millis,
    until: Millis,
    limit: usize,
) -> Result<Vec<Outgoing>> {
    let sql = include_str!("sql/claim_outgoing.sql");
    let limit = to_i64(limit as u64);
    let rows = rows(client, sql, &[&now, &until, &limit]).await?;
    rows.iter().map(outgoing_row).collect()
}

fn outgoing_row(row: &Row) -> Result<Outgoing> {
    let notice = Outgoing {
        id: row.get(0),
        channel_id: row.get(1),
        player_id: row.get(2),
        due: row.get(3),
        attempts: to_u32(row.get(4)),
        body: Bytes::from(row.get::<_, Vec<u8>>(5)),
    };
    checksums::check_outgoing(&notice, row.get(6))?;
    Ok(notice)
}

pub(super) async fn settle(
    client: &mut Client,
    gone: &[(String, String)],
    put: &[Outgoing],
) -> Result<()> {
    let transaction = client.transaction().await?;
    if !gone.is_empty() {
        let (ids, channels): (Vec<&str>, Vec<&str>) =
            gone.iter().map(|(id, channel_id)| (id.as_str(), channel_id.as_str())).unzip();
        let sql =
            "DELETE FROM outgoing o USING unnest($1::text[], $2::text[]) AS a (id, channel_id)
                   WHERE o.id = a.id AND o.channel_id = a.channel_id";
        transaction.execute(sql, &[&ids, &channels]).await?;
    }
    if !put.is_empty() {
        let mut columns = Notices::default();
        for notice in put {
            columns.add(notice);
        }
        let sql = include_str!("sql/put_outgoing.sql");
        transaction.execute(sql, &columns.values()).await?;
    }
    Ok(transaction.commit().await?)
}

pub(super) async fn count(client: &Client) -> Result<(u64, Option<Millis>)> {
    let sql = "SELECT (SELECT count(*) FROM (SELECT FROM outgoing LIMIT 1000000) AS found),
                      (SELECT min(due) FROM outgoing)";
    let row = one(client, sql, &[]).await?;
    Ok((to_u64(row.get(0)), row.get(1)))
}
