INSERT INTO outgoing (id, channel_id, player_id, due, attempts, body, sum)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[],
                     $6::bytea[], $7::bigint[])
ON CONFLICT (id, channel_id) DO UPDATE SET player_id = excluded.player_id, due = excluded.due,
    attempts = excluded.attempts, body = excluded.body, sum = excluded.sum
