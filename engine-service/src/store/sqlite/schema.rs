//! The database's schema and its version.

use std::path::Path;

use rusqlite::Connection;

use super::OpenError;
use crate::store::StoreError;

/// "Heli" in ASCII. Distinguishes this program's databases from those of others.
const APPLICATION_ID: i32 = 0x4865_6c69;

/// After the release of a version, a schema change needs a higher number and a migration.
const VERSION: i32 = 6;

/// The directory is separate from the journal, so that an append changes the directory only if the
/// game's row changes. Games have an internal integer key, because every entry contains it.
/// `change` counts changes to accounts.
const SCHEMA: &str = "
CREATE TABLE game (
    key INTEGER PRIMARY KEY,
    game_id TEXT NOT NULL UNIQUE,
    secret BLOB NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    status INTEGER NOT NULL,
    private INTEGER NOT NULL,
    sandbox INTEGER NOT NULL,
    seats INTEGER NOT NULL,
    open_seats INTEGER NOT NULL,
    created INTEGER NOT NULL,
    due INTEGER,
    wants_automation INTEGER NOT NULL,
    progress TEXT NOT NULL,
    secret_sum INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    members_sum INTEGER NOT NULL,
    host TEXT NOT NULL,
    asleep_since INTEGER
) STRICT;
CREATE INDEX game_by_age ON game (created DESC, game_id);
CREATE INDEX game_by_status ON game (status, created DESC, game_id);
CREATE INDEX game_by_kind ON game (kind, created DESC, game_id);
CREATE INDEX game_by_host ON game (host);
CREATE INDEX game_open ON game (open_seats) WHERE open_seats > 0;
CREATE INDEX game_due ON game (due, game_id) WHERE due IS NOT NULL;
CREATE INDEX game_sandbox ON game (created, game_id) WHERE sandbox;
CREATE INDEX game_wanting ON game (game_id) WHERE wants_automation;

CREATE TABLE entry (
    game INTEGER NOT NULL,
    number INTEGER NOT NULL,
    body BLOB NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (game, number)
) STRICT;

CREATE TABLE snapshot (
    game INTEGER PRIMARY KEY,
    number INTEGER NOT NULL,
    body BLOB NOT NULL,
    sum INTEGER NOT NULL
) STRICT;

CREATE TABLE member (
    player_id TEXT NOT NULL,
    created INTEGER NOT NULL,
    game INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    invited INTEGER NOT NULL,
    your_decision INTEGER NOT NULL,
    deadline INTEGER,
    PRIMARY KEY (player_id, created DESC, game, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX member_by_game ON member (game, player_id);

CREATE TABLE account (
    player_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    folded TEXT UNIQUE,
    role INTEGER NOT NULL,
    dedication INTEGER NOT NULL,
    banned INTEGER NOT NULL,
    games_limit INTEGER NOT NULL,
    created INTEGER NOT NULL,
    dedication_negated INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    looks TEXT UNIQUE
) STRICT, WITHOUT ROWID;

CREATE TABLE token (
    hash BLOB PRIMARY KEY,
    token_id TEXT NOT NULL UNIQUE,
    player_id TEXT NOT NULL,
    name TEXT NOT NULL,
    created INTEGER NOT NULL,
    sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX token_by_player ON token (player_id, created, token_id);

CREATE TABLE invitation (
    hash BLOB PRIMARY KEY,
    uses INTEGER NOT NULL,
    sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE change (accounts INTEGER NOT NULL) STRICT;
INSERT INTO change VALUES (0);

CREATE TABLE block (
    player_id TEXT NOT NULL,
    other_id TEXT NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (player_id, other_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE notice_book (
    player_id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    listens INTEGER NOT NULL,
    body BLOB NOT NULL,
    sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE outgoing (
    id TEXT NOT NULL,
    channel_id TEXT NOT NULL,
    player_id TEXT NOT NULL,
    due INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    body BLOB NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (id, channel_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX outgoing_by_due ON outgoing (due);
CREATE INDEX outgoing_by_player ON outgoing (player_id);
";

pub(super) fn newest() -> Result<Vec<String>, StoreError> {
    let mut connection = Connection::open_in_memory()?;
    let memory = Path::new(":memory:");
    create(&mut connection, memory).map_err(|error| StoreError::Damaged(error.to_string()))?;
    recorded(&connection)
}

pub(super) fn recorded(connection: &Connection) -> Result<Vec<String>, StoreError> {
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
