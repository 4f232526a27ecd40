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
const SCHEMA: &str = r#"
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
    members_digest bigint NOT NULL,
    secret_sum bigint NOT NULL,
    host text COLLATE "C" NOT NULL,
    asleep_since bigint,
    tag bigint
) WITH (fillfactor = 70);
CREATE INDEX game_by_age ON game (created DESC, game_id);
CREATE INDEX game_by_status ON game (status, created DESC, game_id);
CREATE INDEX game_by_kind ON game (kind, created DESC, game_id);
CREATE INDEX game_by_host ON game (host);
CREATE INDEX game_open ON game (created DESC, game_id) WHERE open_seats > 0;
CREATE INDEX game_due ON game (due, game_id) WHERE due IS NOT NULL;
CREATE INDEX game_sandbox ON game (created, game_id) WHERE sandbox;
CREATE INDEX game_wanting ON game (game_id) WHERE wants_automation;

CREATE TABLE entry (
    game_id text COLLATE "C",
    number bigint,
    body bytea NOT NULL,
    sum bigint NOT NULL,
    PRIMARY KEY (game_id, number)
);

CREATE TABLE snapshot (
    game_id text COLLATE "C" PRIMARY KEY,
    number bigint NOT NULL,
    body bytea NOT NULL,
    sum bigint NOT NULL
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
    created bigint NOT NULL,
    dedication_negated integer NOT NULL,
    sum bigint NOT NULL,
    looks text COLLATE "C" UNIQUE
);

CREATE TABLE token (
    hash bytea PRIMARY KEY,
    token_id text COLLATE "C" NOT NULL UNIQUE,
    player_id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    created bigint NOT NULL,
    sum bigint NOT NULL
);
CREATE INDEX token_by_player ON token (player_id, created, token_id);

CREATE TABLE invitation (
    hash bytea PRIMARY KEY,
    uses bigint NOT NULL,
    sum bigint NOT NULL
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

CREATE TABLE block (
    player_id text COLLATE "C",
    other_id text COLLATE "C",
    sum bigint NOT NULL,
    PRIMARY KEY (player_id, other_id)
);

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

CREATE TABLE engine (
    process text PRIMARY KEY,
    record bytea NOT NULL,
    expires timestamptz NOT NULL
);
"#;

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
