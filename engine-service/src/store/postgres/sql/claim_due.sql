WITH over AS (
    DELETE FROM claim WHERE game_id IN (
        SELECT game_id FROM claim WHERE until < now() - interval '1 minute' FOR UPDATE SKIP LOCKED)
)
INSERT INTO claim AS c (game_id, due, until)
SELECT game_id, due, now() + make_interval(secs => $3) FROM unnest($1::text[], $2::bigint[]) AS a (game_id, due)
ORDER BY game_id
ON CONFLICT (game_id) DO UPDATE SET due = excluded.due, until = excluded.until
    WHERE c.until < now() OR c.due <> excluded.due
RETURNING game_id
