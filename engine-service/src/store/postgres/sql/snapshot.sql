INSERT INTO snapshot (game_id, number, body, sum)
SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[], $4::bigint[])
ON CONFLICT (game_id) DO UPDATE SET number = excluded.number, body = excluded.body, sum = excluded.sum
    WHERE snapshot.number < excluded.number
