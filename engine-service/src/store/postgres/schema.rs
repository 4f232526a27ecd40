//! The database's schema and its version.

use std::time::Duration;

use tokio_postgres::Client;
use tokio_postgres::error::SqlState;

use super::OpenError;

const ATTEMPTS: usize = 10;

/// After the release of a version, a schema change needs a higher number and a migration.
const VERSION: i32 = 7;

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
