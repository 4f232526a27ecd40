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
    ended bigint,
    rated boolean NOT NULL,
    names_hidden boolean NOT NULL,
    tag bigint
) WITH (fillfactor = 70);
CREATE INDEX game_by_age ON game (created DESC, game_id);
CREATE INDEX game_by_status ON game (status, created DESC, game_id);
CREATE INDEX game_by_kind ON game (kind, created DESC, game_id);
CREATE INDEX game_by_host ON game (host);
CREATE INDEX game_open ON game (created DESC, game_id) WHERE open_seats > 0;
CREATE INDEX game_due ON game (due, game_id) WHERE due IS NOT NULL;
CREATE INDEX game_sandbox ON game (created, game_id) WHERE sandbox;
CREATE INDEX game_ended ON game (ended, game_id) WHERE ended IS NOT NULL;
CREATE INDEX game_ended_by_kind ON game (kind, ended, game_id) WHERE ended IS NOT NULL;
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

CREATE TABLE record (
    space text COLLATE "C",
    id text COLLATE "C",
    key text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    body bytea NOT NULL,
    sum bigint NOT NULL,
    PRIMARY KEY (space, id)
);
CREATE INDEX record_by_key ON record (space, key, id);

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
