//! The database's schema and its version.

use std::path::Path;

use rusqlite::Connection;

use super::OpenError;
use crate::store::{Result, StoreError};

/// "Heli" in ASCII. Distinguishes this program's databases from those of others.
const APPLICATION_ID: i32 = 0x4865_6c69;

/// After the release of a version, a schema change needs a higher number and a migration.
const VERSION: i32 = 7;

/// The directory is separate from the journal, so that an append changes the directory only if the
/// game's row changes. Games have an internal integer key, because every entry contains it.
/// `change` counts changes to accounts.
const SCHEMA: &str = include_str!("schema.sql");

pub(super) fn newest() -> Result<Vec<String>> {
    let mut connection = Connection::open_in_memory()?;
    let memory = Path::new(":memory:");
    create(&mut connection, memory).map_err(|error| StoreError::Damaged(error.to_string()))?;
    recorded(&connection)
}

pub(super) fn recorded(connection: &Connection) -> Result<Vec<String>> {
    let sql = "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '') FROM sqlite_schema
               WHERE name NOT LIKE 'sqlite_stat%' ORDER BY 1";
    let mut statement = connection.prepare(sql)?;
    let recorded = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    Ok(recorded)
}

pub(super) fn create(connection: &mut Connection, file: &Path) -> Result<(), OpenError> {
    if check(connection, file)? == VERSION {
        return Ok(());
    }
    let transaction = connection.transaction()?;
    transaction.execute_batch(SCHEMA)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    Ok(transaction.commit()?)
}

pub(super) fn check(connection: &Connection, file: &Path) -> Result<i32, OpenError> {
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let (found, application) = (pragma("user_version")?, pragma("application_id")?);
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let file = || file.to_owned();
    if tables > 0 && application != APPLICATION_ID {
        return Err(OpenError::Foreign { file: file() });
    }
    match found {
        0 | VERSION => Ok(found),
        ..VERSION => Err(OpenError::Older { file: file(), found }),
        _ => Err(OpenError::Newer { file: file(), found, known: VERSION }),
    }
}
