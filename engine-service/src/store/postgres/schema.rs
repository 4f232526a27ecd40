//! The database's schema and its version, and the mark on a database that is the target of a move.
//!
//! The last step of the move removes the mark. Engines refuse to serve a marked database, because
//! it is incomplete.

use std::time::Duration;

use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Transaction};

use super::OpenError;
use crate::store::StoreError;

const ATTEMPTS: usize = 10;

/// After the release of a version, a schema change needs a higher number and a migration.
const VERSION: i32 = 9;

/// Ids and folded names are sorted by bytes, as in every other store. Pages of frequently updated
/// rows have free space for the next version of a row, so that indexes need no update. A game's
/// digests are checksums that also show which part of its row has changed. The tag belongs to the
/// last entry and distinguishes different histories of the game.
const SCHEMA: &str = include_str!("schema.sql");

/// Creates the schema if it is missing. Only reads an existing schema, because the user may not be
/// allowed to create tables.
pub(super) async fn create(client: &mut Client) -> Result<(), OpenError> {
    if check(version(client).await?)? {
        return Ok(());
    }
    for _ in 0..ATTEMPTS {
        match try_to_create(client).await {
            Err(CreateError::ByAnother) => tokio::time::sleep(Duration::from_millis(20)).await,
            Err(CreateError::For(error)) => return Err(error),
            Ok(()) => return Ok(()),
        }
    }
    Err(OpenError::Database(
        "other engines keep changing its schema; start this engine again".to_owned(),
    ))
}

fn check(found: i32) -> Result<bool, OpenError> {
    match found {
        0 | VERSION => Ok(found == VERSION),
        ..VERSION => Err(OpenError::Older { found }),
        _ => Err(OpenError::Newer { found, known: VERSION }),
    }
}

enum CreateError {
    ByAnother,
    For(OpenError),
}

impl From<tokio_postgres::Error> for CreateError {
    fn from(error: tokio_postgres::Error) -> Self {
        let of_another = [
            SqlState::UNIQUE_VIOLATION,
            SqlState::DUPLICATE_TABLE,
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::T_R_DEADLOCK_DETECTED,
        ];
        if error.code().is_some_and(|code| of_another.contains(code)) {
            Self::ByAnother
        } else {
            Self::For(error.into())
        }
    }
}

/// Creates the schema unless another engine has created it. If several engines start at once, the
/// first two statements block all but one of them.
async fn try_to_create(client: &mut Client) -> Result<(), CreateError> {
    let transaction = client.transaction().await?;
    transaction
        .batch_execute("CREATE TABLE IF NOT EXISTS heliopause_schema (version integer NOT NULL)")
        .await?;
    let row =
        transaction.query_opt("SELECT version FROM heliopause_schema FOR UPDATE", &[]).await?;
    if check(row.map_or(0, |row| row.get(0))).map_err(CreateError::For)? {
        return Ok(());
    }
    transaction.batch_execute(SCHEMA).await?;
    transaction.execute("DELETE FROM heliopause_schema", &[]).await?;
    transaction.execute("INSERT INTO heliopause_schema VALUES ($1)", &[&VERSION]).await?;
    Ok(transaction.commit().await?)
}

async fn version(client: &Client) -> Result<i32, OpenError> {
    // Do not use `to_regclass`: it may return a result that was cached before another engine
    // created the table.
    let sql =
        "SELECT EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.relname = 'heliopause_schema'
                                  AND pg_catalog.pg_table_is_visible(c.oid))";
    if !client.query_one(sql, &[]).await?.get::<_, bool>(0) {
        return Ok(0);
    }
    let row = client.query_opt("SELECT version FROM heliopause_schema", &[]).await?;
    Ok(row.map_or(0, |row| row.get(0)))
}

/// Marks an empty database before its schema is created. Otherwise an interrupted move could leave
/// an empty database that an engine would serve.
pub(super) async fn begin_move(client: &mut Client) -> Result<(), OpenError> {
    const IS_NEW: &str = "SELECT NOT (EXISTS (SELECT FROM account) OR \
        EXISTS (SELECT FROM record) OR EXISTS (SELECT FROM game))";
    const HAS_TABLES: &str = "SELECT to_regclass('account') IS NOT NULL";
    refuse_move(client).await?;
    let transaction = client.transaction().await?;
    let has_tables: bool = transaction.query_one(HAS_TABLES, &[]).await?.get(0);
    if has_tables && !transaction.query_one(IS_NEW, &[]).await?.get::<_, bool>(0) {
        return Err(OpenError::NotEmpty);
    }
    transaction.batch_execute("CREATE TABLE heliopause_moving ()").await?;
    Ok(transaction.commit().await?)
}

pub(super) async fn end_move(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    Ok(transaction.batch_execute("DROP TABLE heliopause_moving").await?)
}

pub(super) async fn refuse_move(client: &Client) -> Result<(), OpenError> {
    let sql = "SELECT to_regclass('heliopause_moving') IS NOT NULL";
    if client.query_one(sql, &[]).await?.get(0) { Err(OpenError::MoveUnfinished) } else { Ok(()) }
}
