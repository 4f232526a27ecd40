//! Appends to journals and reads from them.
//!
//! A batch of appends to different games is one transaction with two round trips. The first locks
//! the games' rows. The second writes the games that have the expected number, and commits. A game
//! that loses a race does not make the other appends fail.

use std::collections::HashMap;

use bytes::Bytes;
use deadpool_postgres::ClientWrapper as Client;
use futures_util::future::{BoxFuture, join_all};
use tokio_postgres::{Error, Statement};

use super::columns::{Bodies, Games, Lasts, Members, Notices, Ratings, Values};
use super::{directory, execute, row, rows, to_i64, to_u64};
use crate::store::{Append, End, Loaded, Result, StoreError, checksums, tags_differ};

const LOCK: &str =
    "SELECT game_id, last, row_digest, members_digest, tag FROM game WHERE game_id = ANY ($1::text[])
                    ORDER BY game_id FOR UPDATE";

struct LockedGame {
    last: u64,
    row: i64,
    members: i64,
    tag: Option<i64>,
}

/// Writes a batch of appends and returns a result for each. After an error, nothing has been
/// written, unless the connection broke during the commit. The statements do not join the batch
/// with itself, so the cost is linear in the number of rows.
pub(super) async fn append(client: &Client, batch: &[&Append]) -> Result<Vec<Result<()>>, Error> {
    let standings = rollback_on_error(client, lock(client, batch).await).await?;
    let mut columns = Columns::default();
    let mut results = Vec::with_capacity(batch.len());
    for append in batch {
        let standing = standings.get(&append.row.game_id);
        let result = match judge(append, standing) {
            Ok(()) => rollback_on_error(client, count(client, append).await).await?,
            lost => lost,
        };
        if result.is_ok() {
            columns.add(append, standing);
        }
        results.push(result);
    }
    let prepared = rollback_on_error(client, prepare(client, &columns).await).await?;
    write(client, &prepared).await?;
    Ok(results)
}

async fn rollback_on_error<T>(client: &Client, result: Result<T, Error>) -> Result<T, Error> {
    if result.is_err() {
        let _ = client.batch_execute("ROLLBACK").await;
    }
    result
}

async fn lock(client: &Client, batch: &[&Append]) -> Result<HashMap<String, LockedGame>, Error> {
    let games: Vec<&str> = batch.iter().map(|append| append.row.game_id.as_str()).collect();
    let statement = client.prepare_cached(LOCK).await?;
    let values: Values<'_> = vec![&games];
    let (begin, claimed, rows) = tokio::join!(
        biased;
        client.batch_execute("BEGIN"),
        lock_accounts(client, batch),
        client.query(&statement, &values),
    );
    begin?;
    claimed?;
    let standing = |row: &tokio_postgres::Row| LockedGame {
        last: to_u64(row.get(1)),
        row: row.get(2),
        members: row.get(3),
        tag: row.get(4),
    };
    Ok(rows?.iter().map(|row| (row.get(0), standing(row))).collect())
}

/// Locks the accounts until the transaction ends, so that only one engine at a time counts an
/// account's usage. To avoid deadlocks, these locks are taken in order, and before the locks of
/// games.
async fn lock_accounts(client: &Client, batch: &[&Append]) -> Result<(), Error> {
    let accounts: Vec<&str> = batch.iter().flat_map(|append| counted_accounts(append)).collect();
    if accounts.is_empty() {
        return Ok(());
    }
    let sql = "SELECT pg_advisory_xact_lock(1, key) FROM (
                   SELECT DISTINCT hashtext(id) AS key FROM unnest($1::text[]) AS id ORDER BY key) AS keys";
    client.query(sql, &[&accounts]).await.map(drop)
}

pub(super) fn counted_accounts(append: &Append) -> impl Iterator<Item = &str> {
    append.quotas.iter().flat_map(|quota| quota.counted_accounts(&append.row))
}

async fn count(client: &Client, append: &Append) -> Result<Result<()>, Error> {
    for quota in &append.quotas {
        let judged = quota.judge(&append.row, &directory::usage(client, quota, &append.row).await?);
        if judged.is_err() {
            return Ok(judged);
        }
    }
    Ok(Ok(()))
}

fn judge(append: &Append, standing: Option<&LockedGame>) -> Result<()> {
    let (expected, is_creation) = (append.expected, append.secret.is_some());
    match standing {
        None if !is_creation => Err(StoreError::NotFound),
        None if expected > 0 => Err(StoreError::LostRace { expected, actual: 0 }),
        Some(LockedGame { last, tag, .. })
            if is_creation || *last != expected || tags_differ(*tag, append.tags.before) =>
        {
            Err(StoreError::LostRace { expected, actual: *last })
        }
        _ => Ok(()),
    }
}

#[derive(Default)]
struct Columns<'a> {
    created: Games<'a>,
    advanced: Lasts<'a>,
    changed: Games<'a>,
    entries: Bodies<'a>,
    snapshots: Bodies<'a>,
    members_changed: Vec<&'a str>,
    members: Members<'a>,
    ratings: Ratings<'a>,
    notices: Notices<'a>,
}

impl<'a> Columns<'a> {
    fn add(&mut self, append: &'a Append, standing: Option<&LockedGame>) {
        let Append { expected, entries, row, snapshot, ratings, notices, .. } = append;
        let game_id = row.game_id.as_str();
        let last = expected + entries.len() as u64;
        let (row_digest, members_digest) = (checksums::row(row), checksums::members(row));
        match standing {
            None => self.created.add(append, last, row_digest, members_digest),
            Some(was) if (was.row, was.members) == (row_digest, members_digest) => {
                self.advanced.add(append, last);
            }
            Some(_) => self.changed.add(append, last, row_digest, members_digest),
        }
        if standing.is_none_or(|was| was.members != members_digest) {
            if standing.is_some() {
                self.members_changed.push(game_id);
            }
            for member in &row.members {
                self.members.add(row, member);
            }
        }
        for (number, entry) in (expected + 1..).zip(entries) {
            self.entries.add(game_id, number, entry);
        }
        if let Some(snapshot) = snapshot {
            self.snapshots.add(game_id, last, snapshot);
        }
        for (player_id, change) in ratings {
            self.ratings.add(player_id, *change);
        }
        for notice in notices {
            self.notices.add(notice);
        }
    }

    fn statements(&self) -> Vec<(&'static str, Values<'_>)> {
        let members_changed: Values<'_> = vec![&self.members_changed];
        let leaving: Values<'_> = [&members_changed[..], &self.members.key_columns()].concat();
        let all = [
            (include_str!("sql/create.sql"), self.created.is_empty(), self.created.values()),
            (include_str!("sql/advance.sql"), self.advanced.is_empty(), self.advanced.values()),
            (include_str!("sql/change.sql"), self.changed.is_empty(), self.changed.values()),
            (include_str!("sql/leave.sql"), self.members_changed.is_empty(), leaving),
            (
                include_str!("sql/stay.sql"),
                self.members_changed.is_empty() || self.members.is_empty(),
                self.members.values(),
            ),
            (include_str!("sql/join.sql"), self.members.is_empty(), self.members.values()),
            (include_str!("sql/write.sql"), self.entries.is_empty(), self.entries.values()),
            (include_str!("sql/snapshot.sql"), self.snapshots.is_empty(), self.snapshots.values()),
            (include_str!("sql/rate.sql"), self.ratings.is_empty(), self.ratings.values()),
            (include_str!("sql/notify.sql"), self.notices.is_empty(), self.notices.values()),
        ];
        all.into_iter()
            .filter(|(_, is_idle, _)| !is_idle)
            .map(|(sql, _, values)| (sql, values))
            .collect()
    }
}

type Prepared<'a> = Vec<(Statement, Values<'a>)>;

async fn prepare<'a>(client: &Client, columns: &'a Columns<'_>) -> Result<Prepared<'a>, Error> {
    let mut prepared = Vec::new();
    for (sql, values) in columns.statements() {
        prepared.push((client.prepare_cached(sql).await?, values));
    }
    Ok(prepared)
}

/// Executes the statements and commits. If a statement fails, the commit rolls back, so the
/// transaction ends in either case.
async fn write(client: &Client, prepared: &Prepared<'_>) -> Result<(), Error> {
    let mut flight: Vec<BoxFuture<'_, Result<(), Error>>> = Vec::new();
    for (statement, values) in prepared {
        flight.push(Box::pin(async move { client.execute(statement, values).await.map(drop) }));
    }
    flight.push(Box::pin(client.batch_execute("COMMIT")));
    join_all(flight).await.into_iter().collect()
}

async fn end(client: &Client, game_id: &str) -> Result<Option<End>, Error> {
    let sql = "SELECT last, tag FROM game WHERE game_id = $1";
    let row = row(client, sql, &[&game_id]).await?;
    Ok(row.map(|row| End { last: to_u64(row.get(0)), tag: row.get(1) }))
}

pub(super) async fn put_snapshot(
    client: &Client,
    game_id: &str,
    End { last: number, tag }: End,
    snapshot: &[u8],
) -> Result<()> {
    // Lock the game. Otherwise a concurrent removal could leave the snapshot behind.
    let sql = include_str!("sql/put_snapshot.sql");
    let sum = checksums::body(game_id, number, snapshot);
    if execute(client, sql, &[&game_id, &to_i64(number), &snapshot, &sum, &tag]).await? == 0 {
        let end = end(client, game_id).await?.ok_or(StoreError::NotFound)?;
        let is_elsewhere = tag.is_some() && (number != end.last || tags_differ(tag, end.tag));
        if number > end.last || is_elsewhere {
            let actual = end.last;
            return Err(StoreError::LostRace { expected: number, actual });
        }
    }
    Ok(())
}

/// Removes games with all their data in one statement, so that no part of a game remains.
pub(super) async fn remove(client: &Client, game_ids: &[String]) -> Result<()> {
    let sql = include_str!("sql/remove_games.sql");
    client.execute(sql, &[&game_ids]).await?;
    Ok(())
}

/// Returns a page of entries, or an error for a gap, a missing end or a wrong checksum.
pub(super) async fn entries(
    client: &Client,
    game_id: &str,
    after: u64,
    limit: usize,
    bytes_max: usize,
) -> Result<Vec<Bytes>> {
    let sql = include_str!("sql/entries.sql");
    let (limit, bytes_max) = (to_i64(limit as u64), to_i64(bytes_max as u64));
    let rows = rows(client, sql, &[&game_id, &to_i64(after), &limit, &bytes_max]).await?;
    let last = to_u64(rows.first().ok_or(StoreError::NotFound)?.get(0));
    let found = rows.first().and_then(|row| row.get::<_, Option<i64>>(4)).unwrap_or(0);
    let end = after.saturating_add(to_u64(found));
    if found < limit && end < last {
        return Err(damaged(format!(
            "game {game_id:?}: its journal ends with entry {end}, not {last}"
        )));
    }
    let mut entries = Vec::with_capacity(rows.len());
    for row in rows.iter().filter(|_| found > 0) {
        let (number, body): (i64, Vec<u8>) = (row.get(1), row.get(2));
        let expected = after + entries.len() as u64 + 1;
        if to_u64(number) != expected {
            return Err(damaged(format!(
                "game {game_id:?}: expected entry {expected}, found entry {number}"
            )));
        }
        let what = || format!("game {game_id:?}: entry {expected}");
        checksums::check(row.get(3), checksums::body(game_id, expected, &body), what)?;
        entries.push(Bytes::from(body));
    }
    Ok(entries)
}

/// Returns a game's secret, last entry number and snapshot, or an error for damage. Uses a single
/// statement, so that the number and the snapshot are consistent.
pub(super) async fn load(client: &Client, game_id: &str) -> Result<Loaded> {
    let sql = include_str!("sql/load.sql");
    let row = row(client, sql, &[&game_id]).await?.ok_or(StoreError::NotFound)?;
    let (last, end) = (row.get::<_, i64>(0), row.get::<_, Option<i64>>(1).unwrap_or(0));
    if last != end {
        return Err(damaged(format!(
            "game {game_id:?}: its journal ends with entry {end}, not {last}"
        )));
    }
    let secret: Vec<u8> = row.get(2);
    checksums::check(row.get(3), checksums::secret(game_id, &secret), || {
        format!("game {game_id:?}: its secret")
    })?;
    let snapshot = match (row.get::<_, Option<i64>>(4), row.get::<_, Option<Vec<u8>>>(5)) {
        (Some(number), Some(body)) => {
            let (number, what) = (to_u64(number), || format!("game {game_id:?}: its snapshot"));
            checksums::check(row.get(6), checksums::body(game_id, number, &body), what)?;
            Some((number, Bytes::from(body)))
        }
        _ => None,
    };
    let secret = secret.try_into().map_err(|secret: Vec<u8>| {
        let bytes = secret.len();
        damaged(format!("game {game_id:?}: its secret has {bytes} bytes instead of 32"))
    })?;
    Ok(Loaded { secret, last: to_u64(last), snapshot })
}

fn damaged(what: String) -> StoreError {
    StoreError::Damaged(what)
}
