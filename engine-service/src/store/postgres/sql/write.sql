INSERT INTO entry (game_id, number, body, sum)
SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[], $4::bigint[])
