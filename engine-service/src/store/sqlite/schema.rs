//! The database's schema, and how an older one becomes the newest.

use std::path::Path;

use rusqlite::Connection;

use super::{OpenError, accounts, directory, journal};
use crate::store::StoreError;

/// "Heli" in ASCII: tells our databases from other programs'.
const APPLICATION_ID: i32 = 0x4865_6c69;

/// A step on the way from an empty database to the newest schema.
struct Step {
    sql: &'static str,
    /// What SQL alone cannot do, and the SQL after it.
    then: Option<(Fill, &'static str)>,
}

type Fill = fn(&Connection) -> Result<(), StoreError>;

/// The steps from an empty database to the newest schema. A released step never changes; a new one
/// is added at the end.
const STEPS: &[Step] = &[
    Step { sql: STEP_1, then: None },
    Step { sql: STEP_2, then: Some((sum_up, "DROP TABLE entry_without_sums")) },
    Step {
        sql: STEP_3,
        then: Some((accounts::look_up, "CREATE UNIQUE INDEX account_looks ON account (looks)")),
    },
    Step { sql: STEP_4, then: Some((directory::sum_up, "")) },
    Step { sql: STEP_5, then: None },
];

/// Directory and journal are apart, so that an append touches the directory only where a game's row
/// changes. Games have an integer key inside, because it stands in every entry.
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

/// Every row has a checksum. Entries lie in the order in which they are written, so that those of
/// one commit share pages, and an index finds them: that writes half the bytes of a table in which
/// each game has pages of its own. `change` counts what was done to accounts.
const STEP_2: &str = "
ALTER TABLE entry RENAME TO entry_without_sums;
CREATE TABLE entry (
    game INTEGER NOT NULL,
    number INTEGER NOT NULL,
    body BLOB NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (game, number)
) STRICT;
ALTER TABLE snapshot ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE game ADD COLUMN secret_sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE game ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE game ADD COLUMN members_sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE account ADD COLUMN dedication_negated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE account ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE token ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE invitation ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
CREATE TABLE change (accounts INTEGER NOT NULL) STRICT;
INSERT INTO change VALUES (0);
";

/// No two names look the same.
const STEP_3: &str = "ALTER TABLE account ADD COLUMN looks TEXT;";

/// Whose a game is, since when automation sleeps in it, and who wants no invitations from whom. The
/// checksums of games' rows are made by the step that changes these rows last.
const STEP_4: &str = "
ALTER TABLE game ADD COLUMN host TEXT NOT NULL DEFAULT '';
ALTER TABLE game ADD COLUMN asleep_since INTEGER;
CREATE INDEX game_by_host ON game (host);
CREATE TABLE block (
    player_id TEXT NOT NULL,
    other_id TEXT NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (player_id, other_id)
) STRICT, WITHOUT ROWID;
";

/// What players set about their notices, and the notices that are on their way.
const STEP_5: &str = "
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

/// Gives the rows of an older database their checksums, but for those of games.
fn sum_up(connection: &Connection) -> Result<(), StoreError> {
    journal::sum_up(connection)?;
    accounts::sum_up(connection)
}

/// What the newest schema says, to compare a database's own with.
pub(super) fn newest() -> Result<Vec<String>, StoreError> {
    let mut connection = Connection::open_in_memory()?;
    let memory = Path::new(":memory:");
    migrate(&mut connection, memory).map_err(|error| StoreError::Damaged(error.to_string()))?;
    told(&connection)
}

/// What a database's schema says, but for the planner's statistics.
pub(super) fn told(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '') FROM sqlite_schema
               WHERE name NOT LIKE 'sqlite_stat%' ORDER BY 1";
    let mut statement = connection.prepare(sql)?;
    let told = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    Ok(told)
}

/// Brings a database to the newest schema. Each step is one transaction, so that an interrupted
/// start leaves a whole one.
pub(super) fn migrate(connection: &mut Connection, file: &Path) -> Result<(), OpenError> {
    let found = check(connection, file)?;
    for (version, step) in (1_i32..).zip(STEPS) {
        if version <= found {
            continue;
        }
        let transaction = connection.transaction()?;
        transaction.execute_batch(step.sql)?;
        if let Some((fill, sql)) = step.then {
            fill(&transaction).map_err(|error| OpenError::of(&error, file))?;
            transaction.execute_batch(sql)?;
        }
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", version)?;
        transaction.commit()?;
    }
    Ok(())
}

/// Whether a database of ours has the newest schema.
pub(super) fn is_newest(connection: &Connection, file: &Path) -> Result<bool, OpenError> {
    Ok(usize::try_from(check(connection, file)?) == Ok(STEPS.len()))
}

/// The schema version of a database, if it is one of ours and not newer than this program.
pub(super) fn check(connection: &Connection, file: &Path) -> Result<i32, OpenError> {
    let found: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let application: i32 =
        connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables > 0 && application != APPLICATION_ID {
        return Err(OpenError::Foreign { file: file.to_owned() });
    }
    let known = i32::try_from(STEPS.len()).expect("a handful of steps");
    if found > known {
        return Err(OpenError::Newer { file: file.to_owned(), found, known });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store as _;
    use crate::store::sqlite::{DATABASE, SqliteStore};

    #[tokio::test]
    async fn an_older_database_is_read_as_it_was_and_checked_from_then_on() {
        let directory = tempfile::tempdir().unwrap();
        let old = Connection::open(directory.path().join(DATABASE)).unwrap();
        old.execute_batch(STEP_1).unwrap();
        old.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
        old.pragma_update(None, "user_version", 1).unwrap();
        old.execute_batch(
            "INSERT INTO game VALUES (1, 'g', zeroblob(32), 'chess', 'Name', 3, 0, 0, 2, 1, 5, 9, 1, 'turn 1');
             INSERT INTO entry VALUES (1, 1, x'01'), (1, 2, x'0203');
             INSERT INTO snapshot VALUES (1, 2, x'04');
             INSERT INTO member VALUES ('p', 5, 1, 1, 0, 1, NULL);
             INSERT INTO account VALUES ('p', 'Ann', 'ann', 1, -4, 0, 0, 3), ('q', 'Bobl', 'bobl', 1, 0, 0, 0, 4),
                                        ('r', 'Bob1', 'bob1', 1, 0, 0, 0, 5), ('s', '', NULL, 1, 0, 0, 0, 6);
             INSERT INTO token VALUES (zeroblob(32), 't', 'p', 'first', 3);
             INSERT INTO invitation VALUES (zeroblob(32), 2);",
        )
        .unwrap();
        drop(old);

        let store = SqliteStore::open(directory.path(), None).unwrap();
        let row = store.game("g").await.unwrap();
        assert_eq!((row.members.len(), row.due, row.progress.as_str()), (1, Some(9), "turn 1"));
        assert_eq!(store.entries("g", 0, 9, 99).await.unwrap(), [&b"\x01"[..], &b"\x02\x03"[..]]);
        assert_eq!(
            store.load("g").await.unwrap().snapshot,
            Some((2, bytes::Bytes::from_static(&[4])))
        );
        assert_eq!(store.account("ANN").await.unwrap().dedication, -4);
        assert_eq!(store.account("ANN").await.unwrap().looks, "ann");
        assert_eq!(store.account("Bobl").await.unwrap().looks, "bobl");
        assert_eq!(
            store.account("Bob1").await.unwrap().looks,
            "",
            "it keeps its name, and claims no looks"
        );
        assert_eq!(store.token([0; 32]).await.unwrap().0.token_id, "t");
        assert_eq!(store.everybody().await.unwrap().1, [([0; 32], 2)]);
    }
}
