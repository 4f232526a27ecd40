//! The database's schema, and how an older one becomes the newest.

use std::time::Duration;

use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Transaction};

use super::{OpenError, accounts, directory, journal};
use crate::store::StoreError;

/// How often a migration is tried that another engine's came in the way of.
const ATTEMPTS: usize = 10;

/// The steps from an empty database to the newest schema. A released step never changes; a new one
/// is added at the end.
const STEPS: &[&str] = &[STEP_1, STEP_2, STEP_3, STEP_4, STEP_5, STEP_6, STEP_7];
/// The step after which rows that are there already get their checksums, and the statement that
/// then makes them a must; and the step after which games' rows do, which it changes.
const SUMMED: i32 = 2;
const GAMES_SUMMED: i32 = 4;
const SUMS_NEEDED: &str = "
ALTER TABLE entry ALTER COLUMN sum SET NOT NULL;
ALTER TABLE snapshot ALTER COLUMN sum SET NOT NULL;
ALTER TABLE account ALTER COLUMN sum SET NOT NULL, ALTER COLUMN dedication_negated SET NOT NULL;
ALTER TABLE token ALTER COLUMN sum SET NOT NULL;
ALTER TABLE invitation ALTER COLUMN sum SET NOT NULL;
";
/// The step after which accounts that are there already get their looks, and the statement that
/// then makes them unique.
const LOOKED_UP: i32 = 3;
const LOOKS_UNIQUE: &str = "CREATE UNIQUE INDEX account_looks ON account (looks)";

/// Ids and folded names sort by their bytes, as they do in every other store. Pages of what changes
/// all the time have room for the next version of a row, so that no index has to learn of it. The
/// digests tell what of a game's row has not changed.
const STEP_1: &str = r#"
CREATE TABLE game (
    game_id text COLLATE "C" PRIMARY KEY,
    secret bytea NOT NULL,
    last bigint NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    status integer NOT NULL,
    private boolean NOT NULL,
    sandbox boolean NOT NULL,
    seats bigint NOT NULL,
    open_seats bigint NOT NULL,
    created bigint NOT NULL,
    due bigint,
    wants_automation boolean NOT NULL,
    progress text NOT NULL,
    row_digest bigint NOT NULL,
    members_digest bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX game_by_age ON game (created DESC, game_id);
CREATE INDEX game_by_status ON game (status, created DESC, game_id);
CREATE INDEX game_by_kind ON game (kind, created DESC, game_id);
CREATE INDEX game_open ON game (created DESC, game_id) WHERE open_seats > 0;
CREATE INDEX game_due ON game (due, game_id) WHERE due IS NOT NULL;
CREATE INDEX game_sandbox ON game (created, game_id) WHERE sandbox;
CREATE INDEX game_wanting ON game (game_id) WHERE wants_automation;

CREATE TABLE entry (
    game_id text COLLATE "C",
    number bigint,
    body bytea NOT NULL,
    PRIMARY KEY (game_id, number)
);

CREATE TABLE snapshot (
    game_id text COLLATE "C" PRIMARY KEY,
    number bigint NOT NULL,
    body bytea NOT NULL
);

CREATE TABLE member (
    game_id text COLLATE "C",
    player_id text COLLATE "C",
    seat bigint,
    invited boolean NOT NULL,
    your_decision boolean NOT NULL,
    deadline bigint,
    PRIMARY KEY (game_id, player_id, seat)
) WITH (fillfactor = 80);
CREATE INDEX member_by_player ON member (player_id, game_id);

CREATE TABLE account (
    player_id text COLLATE "C" PRIMARY KEY,
    name text NOT NULL,
    folded text COLLATE "C" UNIQUE,
    role integer NOT NULL,
    dedication integer NOT NULL,
    banned boolean NOT NULL,
    games_limit bigint NOT NULL,
    created bigint NOT NULL
);

CREATE TABLE token (
    hash bytea PRIMARY KEY,
    token_id text COLLATE "C" NOT NULL UNIQUE,
    player_id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    created bigint NOT NULL
);
CREATE INDEX token_by_player ON token (player_id, created, token_id);

CREATE TABLE invitation (
    hash bytea PRIMARY KEY,
    uses bigint NOT NULL
);

CREATE TABLE claim (
    game_id text COLLATE "C" PRIMARY KEY,
    due bigint NOT NULL,
    until timestamptz NOT NULL
);
CREATE INDEX claim_by_end ON claim (until);

CREATE SEQUENCE fence;
CREATE TABLE lease (
    game_id text COLLATE "C",
    seat bigint,
    vote bigint,
    phase bigint NOT NULL,
    revision bigint NOT NULL,
    fence bigint NOT NULL UNIQUE,
    expires timestamptz NOT NULL,
    PRIMARY KEY (game_id, seat, vote)
) WITH (fillfactor = 50);

CREATE TABLE played (
    process text,
    kind text,
    profile text,
    level text,
    expires timestamptz NOT NULL,
    PRIMARY KEY (process, kind, profile, level)
);
"#;

/// Every row has a checksum. Those of a game's row, which tell what of it need not be written, are
/// checksums from here on.
const STEP_2: &str = "
ALTER TABLE entry ADD COLUMN sum bigint;
ALTER TABLE snapshot ADD COLUMN sum bigint;
ALTER TABLE game ADD COLUMN secret_sum bigint;
ALTER TABLE account ADD COLUMN sum bigint, ADD COLUMN dedication_negated integer;
ALTER TABLE token ADD COLUMN sum bigint;
ALTER TABLE invitation ADD COLUMN sum bigint;
";

/// No two names look the same.
const STEP_3: &str = r#"ALTER TABLE account ADD COLUMN looks text COLLATE "C""#;

/// Gives the accounts of an older database their looks.
async fn look_up(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    accounts::look_up(transaction).await?;
    Ok(transaction.batch_execute(LOOKS_UNIQUE).await?)
}

/// Whose a game is, since when automation sleeps in it, and who wants no invitations from whom.
const STEP_4: &str = r#"
ALTER TABLE game ADD COLUMN host text COLLATE "C" NOT NULL DEFAULT '', ADD COLUMN asleep_since bigint;
CREATE INDEX game_by_host ON game (host);
CREATE TABLE block (
    player_id text COLLATE "C",
    other_id text COLLATE "C",
    sum bigint NOT NULL,
    PRIMARY KEY (player_id, other_id)
);
"#;

/// What players set about their notices, and the notices that are on their way.
const STEP_5: &str = r#"
CREATE TABLE notice_book (
    player_id text COLLATE "C" PRIMARY KEY,
    version bigint NOT NULL,
    listens boolean NOT NULL,
    body bytea NOT NULL,
    sum bigint NOT NULL
);
CREATE TABLE outgoing (
    id text COLLATE "C",
    channel_id text COLLATE "C",
    player_id text COLLATE "C" NOT NULL,
    due bigint NOT NULL,
    attempts bigint NOT NULL,
    body bytea NOT NULL,
    sum bigint NOT NULL,
    PRIMARY KEY (id, channel_id)
);
CREATE INDEX outgoing_by_due ON outgoing (due);
CREATE INDEX outgoing_by_player ON outgoing (player_id);
"#;

/// What engines say of themselves; it is gone by soon.
const STEP_6: &str = r"
CREATE TABLE engine (
    process text PRIMARY KEY,
    record bytea NOT NULL,
    expires timestamptz NOT NULL
);
";

/// Games have the tag of their last entry, which tells two histories of a game apart. Games of an
/// older database get theirs with their next entry.
const STEP_7: &str = "ALTER TABLE game ADD COLUMN tag bigint";

/// Gives the rows of an older database their checksums, but for those of games.
async fn sum_up(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    journal::sum_up(transaction).await?;
    accounts::sum_up(transaction).await?;
    Ok(transaction.batch_execute(SUMS_NEEDED).await?)
}

/// The same for games.
async fn sum_games_up(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    directory::sum_up(transaction).await?;
    Ok(transaction.batch_execute("ALTER TABLE game ALTER COLUMN secret_sum SET NOT NULL").await?)
}

/// Brings a database to the newest schema. One transaction, so that an interrupted start leaves a
/// whole one; a database that is up to date is only read, so that its user then needs no right to
/// create anything.
pub(super) async fn migrate(client: &mut Client) -> Result<(), OpenError> {
    let found = version(client).await?;
    if found == newest() {
        return Ok(());
    }
    if found > newest() {
        // Before anything is written: the user may have no right to.
        return Err(OpenError::Newer { found, known: newest() });
    }
    for _ in 1..ATTEMPTS {
        match step_up(client).await {
            Err(Hindered::ByAnother) => tokio::time::sleep(Duration::from_millis(20)).await,
            Err(Hindered::For(error)) => return Err(error),
            Ok(()) => return Ok(()),
        }
    }
    step_up(client).await.map_err(|hindered| match hindered {
        Hindered::ByAnother => {
            OpenError::Database("other engines change its schema without end".to_owned())
        }
        Hindered::For(error) => error,
    })
}

/// Why a migration did not come about.
enum Hindered {
    /// Another engine made the same at the same time.
    ByAnother,
    For(OpenError),
}

impl From<tokio_postgres::Error> for Hindered {
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

/// Of several engines that start at once one gets past the first two statements, and the others
/// wait there.
async fn step_up(client: &mut Client) -> Result<(), Hindered> {
    let transaction = client.transaction().await?;
    transaction
        .batch_execute("CREATE TABLE IF NOT EXISTS heliopause_schema (version integer NOT NULL)")
        .await?;
    let row =
        transaction.query_opt("SELECT version FROM heliopause_schema FOR UPDATE", &[]).await?;
    let found = row.as_ref().map_or(0, |row| row.get(0));
    if found > newest() {
        return Err(Hindered::For(OpenError::Newer { found, known: newest() }));
    }
    if row.is_none() {
        transaction.batch_execute("INSERT INTO heliopause_schema VALUES (0)").await?;
    }
    for (version, step) in (1_i32..).zip(STEPS) {
        if version <= found {
            continue;
        }
        transaction.batch_execute(step).await?;
        let filled = match version {
            SUMMED => sum_up(&transaction).await,
            LOOKED_UP => look_up(&transaction).await,
            GAMES_SUMMED => sum_games_up(&transaction).await,
            _ => Ok(()),
        };
        filled.map_err(|error| Hindered::For(OpenError::Database(error.to_string())))?;
    }
    transaction.execute("UPDATE heliopause_schema SET version = $1", &[&newest()]).await?;
    Ok(transaction.commit().await?)
}

fn newest() -> i32 {
    i32::try_from(STEPS.len()).expect("a handful of steps")
}

/// The version of the schema; 0 if there is none yet.
async fn version(client: &Client) -> Result<i32, OpenError> {
    // Not by `to_regclass`, whose answer may be remembered from before another engine made the
    // table.
    let sql =
        "SELECT EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.relname = 'heliopause_schema'
                                  AND pg_catalog.pg_table_is_visible(c.oid))";
    if !client.query_one(sql, &[]).await?.get::<_, bool>(0) {
        return Ok(0);
    }
    let row = client.query_opt("SELECT version FROM heliopause_schema", &[]).await?;
    Ok(row.map_or(0, |row| row.get(0)))
}
