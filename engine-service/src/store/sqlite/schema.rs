//! The database's schema, and how an older one becomes the newest.

use std::path::Path;

use rusqlite::Connection;

use super::OpenError;

/// "Heli" in ASCII: tells our databases from other programs'.
const APPLICATION_ID: i32 = 0x4865_6c69;

/// The steps from an empty database to the newest schema. A released step never changes; a new one is added at the end.
const STEPS: &[&str] = &[STEP_1];

/// Directory and journal are apart, so that an append touches the directory only where a game's row changes. Games have
/// an integer key inside, because it stands in every entry.
const STEP_1: &str = "
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
    progress TEXT NOT NULL
) STRICT;
CREATE INDEX game_by_age ON game (created DESC, game_id);
CREATE INDEX game_by_status ON game (status, created DESC, game_id);
CREATE INDEX game_by_kind ON game (kind, created DESC, game_id);
CREATE INDEX game_open ON game (open_seats) WHERE open_seats > 0;
CREATE INDEX game_due ON game (due, game_id) WHERE due IS NOT NULL;
CREATE INDEX game_sandbox ON game (created, game_id) WHERE sandbox;
CREATE INDEX game_wanting ON game (game_id) WHERE wants_automation;

CREATE TABLE entry (
    game INTEGER NOT NULL,
    number INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE snapshot (
    game INTEGER PRIMARY KEY,
    number INTEGER NOT NULL,
    body BLOB NOT NULL
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
    created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE token (
    hash BLOB PRIMARY KEY,
    token_id TEXT NOT NULL UNIQUE,
    player_id TEXT NOT NULL,
    name TEXT NOT NULL,
    created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX token_by_player ON token (player_id, created, token_id);

CREATE TABLE invitation (
    hash BLOB PRIMARY KEY,
    uses INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
";

/// Brings a database to the newest schema. Each step is one transaction, so that an interrupted start leaves a whole one.
pub(super) fn migrate(connection: &mut Connection, file: &Path) -> Result<(), OpenError> {
    let found = check(connection, file)?;
    for (version, step) in (1_i32..).zip(STEPS) {
        if version <= found {
            continue;
        }
        let transaction = connection.transaction()?;
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", version)?;
        transaction.commit()?;
    }
    Ok(())
}

/// The schema version of a database, if it is one of ours and not newer than this program.
pub(super) fn check(connection: &Connection, file: &Path) -> Result<i32, OpenError> {
    let found: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables > 0 && application != APPLICATION_ID {
        return Err(OpenError::Foreign { file: file.to_owned() });
    }
    let known = i32::try_from(STEPS.len()).expect("a handful of steps");
    if found > known {
        return Err(OpenError::Newer { file: file.to_owned(), found, known });
    }
    Ok(found)
}
