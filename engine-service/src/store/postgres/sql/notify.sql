INSERT INTO outgoing (id, channel_id, player_id, due, attempts, body, sum)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bytea[], $7::bigint[])
    AS a (id, channel_id, player_id, due, attempts, body, sum)
WHERE EXISTS (SELECT FROM notice_book b WHERE b.player_id = a.player_id AND b.listens)
