WITH mine AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(2, 0) AS won),
due AS (SELECT id, channel_id FROM outgoing WHERE due <= $1 AND (SELECT won FROM mine)
        ORDER BY due LIMIT $3 FOR UPDATE SKIP LOCKED)
UPDATE outgoing o SET due = $2 FROM due d
WHERE o.id = d.id AND o.channel_id = d.channel_id
RETURNING o.id, o.channel_id, o.player_id, o.due, o.attempts, o.body, o.sum
