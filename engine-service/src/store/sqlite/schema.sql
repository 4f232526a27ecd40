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
    asleep_since INTEGER,
    ended INTEGER,
    rated INTEGER NOT NULL,
    names_hidden INTEGER NOT NULL
) STRICT;
CREATE INDEX game_by_age ON game (created DESC, game_id);
CREATE INDEX game_by_status ON game (status, created DESC, game_id);
CREATE INDEX game_by_kind ON game (kind, created DESC, game_id);
CREATE INDEX game_by_host ON game (host);
CREATE INDEX game_open ON game (open_seats) WHERE open_seats > 0;
CREATE INDEX game_due ON game (due, game_id) WHERE due IS NOT NULL;
CREATE INDEX game_sandbox ON game (created, game_id) WHERE sandbox;
CREATE INDEX game_ended ON game (ended, game_id) WHERE ended IS NOT NULL;
CREATE INDEX game_ended_by_kind ON game (kind, ended, game_id) WHERE ended IS NOT NULL;
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

CREATE TABLE record (
    space TEXT NOT NULL,
    id TEXT NOT NULL,
    key TEXT NOT NULL,
    version INTEGER NOT NULL,
    body BLOB NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (space, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX record_by_key ON record (space, key, id);

CREATE TABLE change (accounts INTEGER NOT NULL) STRICT;
INSERT INTO change VALUES (0);

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
