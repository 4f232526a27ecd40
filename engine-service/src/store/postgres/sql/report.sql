WITH gone AS (
    DELETE FROM engine WHERE expires < now() - interval '1 minute' AND process <> $1
), kept AS (
    INSERT INTO engine (process, record, expires)
    VALUES ($1, $2, now() + make_interval(secs => $3))
    ON CONFLICT (process) DO UPDATE SET (record, expires) = (excluded.record, excluded.expires)
)
SELECT record FROM engine WHERE process <> $1 AND expires > now()
